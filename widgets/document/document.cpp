#include "widgets/document/document.h"

#include "core/base/unit_text.h"
#include "core/catalog/price_book.h"
#include "core/design/size.h"
#include "core/fabric/elaborate.h"
#include "core/io/design_json.h"

#include <QUndoCommand>

namespace railyard {

// The only undo command: a design before and after. It holds values, so it cannot go stale.
class SnapshotCommand : public QUndoCommand {
public:
    SnapshotCommand(Document& document, SnapshotPointer before, SnapshotPointer after, const QString& label)
        : QUndoCommand(label),
          m_document(document),
          m_before(std::move(before)),
          m_after(std::move(after)) {}
    void undo() override { m_document.show(m_before.get()); }
    void redo() override { m_document.show(m_after.get()); }

private:
    // A design is small, its fabric is not: the document keeps those of the last edits, older ones are made anew.
    struct Step {
        explicit Step(SnapshotPointer snapshot) : m_design(snapshot->design), m_snapshot(std::move(snapshot)) {}
        SnapshotPointer get() {
            SnapshotPointer snapshot = m_snapshot.lock();
            if (!snapshot) m_snapshot = snapshot = takeSnapshot(m_design);
            return snapshot;
        }
        DesignPointer m_design;
        std::weak_ptr<const Snapshot> m_snapshot;
    };
    Document& m_document;
    Step m_before, m_after;
};

SnapshotPointer takeSnapshot(DesignPointer design) {
    const std::shared_ptr<Snapshot> snapshot(new Snapshot); // not make_shared: weak pointers of undo steps must not hold its memory
    snapshot->design = design;
    snapshot->fabric = elaborate(std::move(design));
    const auto cabling = std::make_shared<const Cabling>(cablingOf(*snapshot->fabric));
    snapshot->instant = instantMetrics(*snapshot->fabric, *cabling);
    snapshot->floor = cabling->floor;
    // By value what it needs, not the snapshot: whoever drops the last reference to that waits for this thread.
    snapshot->foundLater = std::async(std::launch::async, [fabric = snapshot->fabric, cabling, bill = snapshot->instant.bill] {
                               return checkDesign(*fabric, *cabling, bill);
                           }).share();
    return snapshot;
}

Document::Document(QObject* parent) : QObject(parent), m_now(takeSnapshot(emptyDesign(pricedCatalog()))) {
    m_left = m_now->fabric;
    m_background = backgroundMetrics(*m_left, *m_now->fabric);
}

Document::~Document() {
    m_undo.disconnect(); // its last signals would reach a window half destroyed
    stopWorker();
}

bool Document::apply(const Result<Edit>& edit, QString* reason) {
    if (!edit) {
        if (reason) *reason = QString::fromStdString(edit.error().text);
        return false;
    }
    const std::int64_t devices = deviceCount(*edit->design);
    if (devices > largeDevices && devices > deviceCount(*m_now->design) && !(m_askLarge && m_askLarge(devices))) {
        if (reason) *reason = tr("This would make %1 devices; nothing was changed.").arg(QString::fromStdString(formatCount(devices)));
        return false;
    }
    const SnapshotPointer after = takeSnapshot(edit->design); // held until it is shown: the step itself keeps only the design
    m_undo.push(new SnapshotCommand(*this, m_now, after, QString::fromStdString(edit->label)));
    return true;
}

void Document::open(DesignPointer design, QString path) {
    m_undo.clear();
    m_path = std::move(path);
    m_background.reset();
    m_lastBackground.reset();
    m_recent.clear();
    m_recentLinks = 0;
    m_failures = {};
    show(takeSnapshot(std::move(design)));
    m_undo.setClean();
}

void Document::openRecovered(DesignPointer design, QString path) {
    open(std::move(design), std::move(path));
    m_undo.resetClean();
}

Status Document::save(const QString& path) {
    Status saved = saveDesign(*m_now->design, path.toStdString());
    if (!saved) return saved;
    m_path = path;
    m_undo.setClean();
    return saved;
}

void Document::show(SnapshotPointer snapshot) {
    // A moved rack, a name, a place on the drawing: what took long to find still holds.
    remember(m_now);
    const bool holds = m_background && isSameNetwork(*m_now->fabric, *snapshot->fabric);
    m_now = std::move(snapshot);
    takeFailures();
    if (!holds) dropBackground();
    ++m_generation;
    emit changed();
    if (holds)
        emit backgroundChanged();
    else
        startBackground();
}

void Document::setFailures(Failures failures) {
    if (failures == m_failures) return;
    m_failures = std::move(failures);
    takeFailures();
    dropBackground();
    ++m_generation;
    emit failuresChanged();
    emit backgroundChanged();
    startBackground();
}

void Document::takeFailures() {
    m_failed = {};
    m_left = m_now->fabric;
    if (m_failures.isEmpty()) return;
    m_failed = removalOfKnown(*m_now->fabric, m_failures);
    m_left = without(m_now->fabric, m_failed.devices, m_failed.links);
}

void Document::dropBackground() {
    if (m_background) m_lastBackground = std::move(m_background);
    m_background.reset();
    m_stopped = false; // the next figures are wanted
}

// The last snapshots, as far as they are small.
void Document::remember(SnapshotPointer snapshot) {
    constexpr std::size_t mostLinks = 2'000'000, mostSnapshots = 64;
    m_recentLinks += snapshot->fabric->links.size();
    m_recent.push_back(std::move(snapshot));
    while ((m_recentLinks > mostLinks && m_recent.size() > 1) || m_recent.size() > mostSnapshots) {
        m_recentLinks -= m_recent.front()->fabric->links.size();
        m_recent.pop_front();
    }
}

// One run at a time, and the window never waits for it: a run that comes back outdated is dropped and the next one starts.
void Document::startBackground() {
    m_stopped = false;
    if (m_running) return void(m_worker.request_stop()); // what it computes is of before
    stopWorker();
    m_running = true;
    const quint64 generation = m_generation;
    m_worker = std::jthread([this, left = m_left, intact = m_now->fabric, generation](const std::stop_token& stop) {
        auto result = std::make_shared<std::optional<BackgroundMetrics>>(backgroundMetrics(*left, *intact, stop));
        QMetaObject::invokeMethod(
            this, [this, result, generation] { deliver(*result, generation); }, Qt::QueuedConnection);
    });
}

void Document::deliver(std::optional<BackgroundMetrics>& result, quint64 generation) {
    m_running = false;
    if (m_background || m_stopped) return; // waitForBackground() was faster, or nobody wants it
    if (generation != m_generation || !result) return startBackground();
    m_background = std::move(result);
    emit backgroundChanged();
}

void Document::stopBackground() {
    if (m_background) return;
    m_stopped = true;
    m_worker.request_stop();
    emit backgroundChanged();
}

void Document::resumeBackground() {
    if (m_background || !m_stopped) return;
    startBackground();
    emit backgroundChanged();
}

void Document::stopWorker() {
    m_worker.request_stop();
    if (m_worker.joinable()) m_worker.join();
}

void Document::waitForBackground() {
    if (m_background) return;
    m_stopped = false;
    m_background = backgroundMetrics(*m_left, *m_now->fabric);
    emit backgroundChanged();
}

} // namespace railyard
