#include "widgets/document/document.h"

#include "core/base/unit_text.h"
#include "core/catalog/price_book.h"
#include "core/design/edits/design_change.h"
#include "core/design/model/size.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/without.h"
#include "core/io/document/design_json.h"
#include "widgets/document/error_words.h"
#include "widgets/document/failure.h"
#include "widgets/document/hand_over.h"

#include <QFileInfo>
#include <QSignalBlocker>
#include <QUndoCommand>
#include <algorithm>

namespace railyard {

static QString wholePath(const QString& path) { return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath(); }

// The only undo command: what an edit changed. It holds immutable values, so it never becomes invalid. A fabric is large: the
// document keeps those of recent edits, and older ones are rebuilt.
class SnapshotCommand : public QUndoCommand {
public:
    struct Step {
        DesignChange change;
        std::weak_ptr<const Snapshot> before, after;
        QString label;
        std::size_t upToHere; // memory of this change and all before it, also of forgotten ones
    };
    // A step that is `done` already is only remembered.
    SnapshotCommand(Document& document, std::shared_ptr<Step> step, bool isDone)
        : QUndoCommand(step->label),
          m_document(document),
          m_step(std::move(step)),
          m_isDone(isDone) {}
    void undo() override {
        SnapshotPointer before = m_step->before.lock();
        if (!before) m_step->before = before = takeSnapshot(m_step->change.undone(*m_document.now().design), &m_document.now());
        m_document.show(std::move(before));
    }
    void redo() override {
        if (std::exchange(m_isDone, false)) return;
        SnapshotPointer after = m_step->after.lock();
        if (!after) m_step->after = after = takeSnapshot(m_step->change.redone(*m_document.now().design), &m_document.now());
        m_document.show(std::move(after));
    }
    const std::shared_ptr<Step>& step() const { return m_step; }

private:
    Document& m_document;
    std::shared_ptr<Step> m_step;
    bool m_isDone;
};

SnapshotPointer takeSnapshot(DesignPointer design, const Snapshot* before) {
    const std::shared_ptr<Snapshot> snapshot(
        new Snapshot); // not make_shared, because the weak pointers of undo steps would keep its memory allocated
    snapshot->design = design;
    snapshot->fabric = before ? elaborate(design, *before->fabric) : nullptr;
    if (snapshot->fabric) {
        snapshot->cabling = before->cabling;
        snapshot->instant = before->instant;
        snapshot->instant.bill.site = siteOf(*design); // all of the metrics that is not of the fabric
    } else {
        snapshot->fabric = elaborate(std::move(design));
        snapshot->cabling = std::make_shared<const Cabling>(cablingOf(*snapshot->fabric));
        snapshot->instant = instantMetrics(*snapshot->fabric, *snapshot->cabling);
    }
    // The thread gets copies instead of the snapshot, because releasing the last reference to the snapshot waits for the thread.
    snapshot->foundLater =
        std::async(std::launch::async, [fabric = snapshot->fabric, cabling = snapshot->cabling, bill = snapshot->instant.bill] {
            try {
                return checkDesign(*fabric, *cabling, bill);
            } catch (...) {
                const std::string why = failureText(std::current_exception()).toStdString();
                return std::vector<Diagnostic>{{"", Severity::Error, "The design rules could not be checked.", "", why}};
            }
        }).share();
    return snapshot;
}

Document::Document(QObject* parent)
    : QObject(parent),
      m_now(takeSnapshot(emptyDesign(pricedCatalog()))),
      m_impacting([this] { return [fabric = m_now->fabric, failed = m_failed] { return impactOf(*fabric, failed); }; },
                  [this](Impacts impacts) {
                      m_impacts = std::move(impacts);
                      emit impactsChanged();
                  }) {
    m_degraded = m_now->fabric;
    m_background = backgroundMetrics(*m_degraded);
}

Document::~Document() {
    m_undo.disconnect(); // otherwise its last signals would reach a partly destroyed window
    stopWorker();
}

bool Document::apply(const Result<Edit>& edit, QString* reason) {
    if (!edit) {
        if (reason) *reason = wordsOf(edit.error());
        return false;
    }
    const std::int64_t devices = deviceCount(*edit->design);
    if (devices > largeDevices && devices > deviceCount(*m_now->design) && !(m_askLarge && m_askLarge(devices))) {
        if (reason)
            *reason = tr("The edit would create %1 devices, so it was not applied.").arg(QString::fromStdString(formatCount(devices)));
        return false;
    }
    const SnapshotPointer after =
        takeSnapshot(edit->design, m_now.get()); // kept alive until it is shown, because the undo step holds only the change
    pushStep(*edit, after);
    return true;
}

// A stack cannot drop its oldest commands, so the kept ones move to the emptied stack. Nobody notices before the new step is pushed,
// which every view of the history hears.
void Document::pushStep(const Edit& edit, const SnapshotPointer& after) {
    using Step = SnapshotCommand::Step;
    const auto stepAt = [&](int i) { return static_cast<const SnapshotCommand*>(m_undo.command(i))->step(); };
    const int done = m_undo.index(), clean = m_undo.cleanIndex(); // the new step replaces those that were undone
    const SnapshotCommand::Step* previous = done > 0 ? stepAt(done - 1).get() : nullptr;
    DesignChange change(*m_now->design, *after->design, previous ? &previous->change : nullptr);
    const std::size_t bytes = (previous ? previous->upToHere : 0) + change.bytes();
    const auto bytesFrom = [&](int first) { return bytes - stepAt(first)->upToHere + stepAt(first)->change.bytes(); };
    auto step = std::make_shared<Step>(Step{std::move(change), m_now, after, QString::fromStdString(edit.label), bytes});
    if (done > 0 && bytesFrom(0) > m_mostHistoryBytes) {
        int first = 0;
        while (first < done && bytesFrom(first) > m_mostHistoryBytes / 4 * 3) ++first; // some at a time, so not at every step
        std::vector<std::shared_ptr<Step>> kept;
        for (int i = first; i < done; ++i) kept.push_back(stepAt(i));
        const QSignalBlocker quiet(m_undo);
        m_undo.clear();
        if (clean != first) m_undo.resetClean();
        for (std::size_t i = 0; i < kept.size(); ++i) {
            m_undo.push(new SnapshotCommand(*this, std::move(kept[i]), true));
            if (m_undo.count() + first == clean) m_undo.setClean();
        }
    }
    m_undo.push(new SnapshotCommand(*this, std::move(step), false));
}

void Document::open(DesignPointer design, const QString& path) { open(takeSnapshot(std::move(design)), path); }

void Document::open(SnapshotPointer snapshot, const QString& path) {
    m_undo.clear();
    m_path = wholePath(path);
    m_background.reset();
    m_lastBackground.reset();
    m_recent.clear();
    m_recentLinks = 0;
    m_answers.clear();
    m_failures = {};
    show(std::move(snapshot));
    m_undo.setClean();
}

void Document::openUnsaved(DesignPointer design, const QString& path) { openUnsaved(takeSnapshot(std::move(design)), path); }

void Document::openUnsaved(SnapshotPointer snapshot, const QString& path) {
    open(std::move(snapshot), path);
    m_undo.resetClean();
}

Result<std::string> Document::save(const QString& path, std::optional<std::string> knownMark) {
    auto saved = saveDesign(*m_now->design, path.toStdString(), std::move(knownMark));
    if (!saved) return saved;
    m_path = wholePath(path);
    m_undo.setClean();
    return saved;
}

void Document::show(SnapshotPointer snapshot) {
    // Moving a rack, renaming or moving an element on the drawing does not change the network, so most background metrics stay valid. What
    // reads something that has changed is computed again; until then it is unknown.
    remember(m_now);
    const unsigned inputs = m_background
                                ? changedInputs({*m_now->fabric, *m_now->cabling}, {*snapshot->fabric, *snapshot->cabling}) | m_changed
                                : Analysis::Everything;
    const bool holds = (inputs & Analysis::Network) == 0;
    if (holds) m_background = without(inputs, std::move(*m_background));
    m_now = std::move(snapshot);
    takeFailures();
    if (!holds) dropBackground();
    m_changed = inputs;
    ++m_generation;
    const bool isKnown = !isComplete() && takeKnownAnswer();
    emit changed();
    if (holds || isKnown) emit backgroundChanged();
    if (!isComplete()) return startBackground();
    if (!isKnown) keepAnswer();
}

void Document::setFailures(Failures failures) {
    if (failures == m_failures) return;
    m_failures = std::move(failures);
    takeFailures();
    dropBackground();
    ++m_generation;
    const bool isKnown = takeKnownAnswer();
    emit failuresChanged();
    emit backgroundChanged();
    if (!isKnown) startBackground();
}

void Document::takeFailures() {
    m_failed = {};
    m_impacts = {};
    m_degraded = m_now->fabric;
    if (m_failures.isEmpty()) return m_impacting.drop();
    m_failed = removalOfKnown(*m_now->fabric, m_failures);
    m_impacts.ofDevices.assign(m_failed.devices.size(), Impact::None);
    for (std::size_t d = 0; d < m_failed.devices.size(); ++d)
        if (m_failed.devices[d]) m_impacts.ofDevices[d] = Impact::Failed;
    m_impacting.ask(); // takes tens of milliseconds on large designs
    m_degraded = without(m_now->fabric, m_failed.devices, m_failed.links);
}

void Document::dropBackground() {
    if (m_background) m_lastBackground = std::move(m_background);
    m_background.reset();
    m_changed = Analysis::Everything;
    m_stopped = false; // a change resumes stopped computations
}

// Keeps the last snapshots alive, within a limit on the total number of links.
void Document::remember(SnapshotPointer snapshot) {
    constexpr std::size_t mostLinks = 2'000'000, mostSnapshots = 64;
    m_recentLinks += snapshot->fabric->links.size();
    m_recent.push_back(std::move(snapshot));
    while ((m_recentLinks > mostLinks && m_recent.size() > 1) || m_recent.size() > mostSnapshots) {
        m_recentLinks -= m_recent.front()->fabric->links.size();
        m_recent.pop_front();
    }
}

// The cabling of the snapshot is that of the intact fabric: after failures cables are laid again in the places that are left.
static std::optional<BackgroundMetrics> analysed(const Fabric& degraded, const Snapshot& snapshot, unsigned changed,
                                                 BackgroundMetrics known, const std::stop_token& stop) {
    const TaskContext context{.threads = 2, .stop = stop};
    if (&degraded == snapshot.fabric.get()) return runAnalyses({degraded, *snapshot.cabling}, changed, std::move(known), context);
    return runAnalyses({degraded, cablingOf(degraded)}, changed, std::move(known), context);
}

void Document::keepAnswer() {
    constexpr std::size_t most = 16;
    m_answers.push_back({m_now, m_failures, *m_background});
    if (m_answers.size() > most) m_answers.pop_front();
}

bool Document::takeKnownAnswer() {
    const auto known = std::find_if(m_answers.rbegin(), m_answers.rend(),
                                    [&](const Answer& each) { return each.of.lock() == m_now && each.failures == m_failures; });
    if (known == m_answers.rend()) return false;
    m_background = known->metrics;
    m_changed = Analysis::Nothing;
    m_stopped = false;
    m_worker.request_stop(); // of what was being computed for another design
    return true;
}

// Only one run is active, and the window never waits for it. The result of an outdated run is dropped and the next run starts.
void Document::startBackground() {
    m_stopped = false;
    if (m_running) return void(m_worker.request_stop()); // the running computation is out of date
    stopWorker();
    m_running = true;
    const quint64 generation = m_generation;
    m_worker = std::jthread([this, degraded = m_degraded, snapshot = m_now, known = m_background.value_or(BackgroundMetrics()),
                             changed = m_changed, generation](const std::stop_token& stop) {
        auto result = std::make_shared<std::optional<BackgroundMetrics>>();
        try {
            *result = analysed(*degraded, *snapshot, changed, known, stop);
        } catch (...) {
            tellFailure(failureText(std::current_exception()));
            return runInGui(this, [this, generation] { giveUp(generation); });
        }
        runInGui(this, [this, result, generation] { deliver(*result, generation); });
    });
}

void Document::deliver(std::optional<BackgroundMetrics>& result, quint64 generation) {
    m_running = false;
    if (isComplete() || m_stopped) return; // waitForBackground() has already computed it, or it was stopped
    if (generation != m_generation || !result) return startBackground();
    m_background = std::move(result);
    m_changed = Analysis::Nothing;
    keepAnswer();
    emit backgroundChanged();
}

// As if the user had stopped the computation: it can be resumed, and starts again with the next edit.
void Document::giveUp(quint64 generation) {
    m_running = false;
    if (isComplete() || m_stopped) return;
    if (generation != m_generation) return startBackground();
    m_stopped = true;
    emit backgroundChanged();
}

void Document::stopBackground() {
    if (isComplete()) return;
    m_stopped = true;
    m_worker.request_stop();
    emit backgroundChanged();
}

void Document::resumeBackground() {
    if (isComplete() || !m_stopped) return;
    startBackground();
    emit backgroundChanged();
}

void Document::stopWorker() {
    m_worker.request_stop();
    if (m_worker.joinable()) m_worker.join();
}

void Document::waitForBackground() {
    if (isComplete()) return;
    m_stopped = false;
    m_background = analysed(*m_degraded, *m_now, m_changed, m_background.value_or(BackgroundMetrics()), {});
    m_changed = Analysis::Nothing;
    keepAnswer();
    emit backgroundChanged();
}

} // namespace railyard
