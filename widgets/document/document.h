// The open design: an immutable snapshot, an undo stack of changes, and metrics that are updated after every edit.
// Instant metrics are ready when `changed` is emitted. The others come from a worker thread and are stale until then.
#pragma once

#include "widgets/document/latest_task.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/analysis/metrics/analysis_table.h"
#include "core/analysis/rules/design_rules.h"
#include "core/design/edits/edit.h"
#include "core/fabric/elaborate.h"
#include "core/failure/impact.h"

#include <QObject>
#include <QUndoStack>
#include <deque>
#include <functional>
#include <future>
#include <optional>
#include <thread>

namespace railyard {

struct Snapshot {
    DesignPointer design;
    FabricPointer fabric;
    InstantMetrics instant;
    std::shared_ptr<const Cabling> cabling;
    const Floor& floor() const { return cabling->floor; } // without racks if none are placed
    // The design rules run in their own thread while the design is being drawn; this call waits for them.
    const std::vector<Diagnostic>& findings() const { return foundLater.get(); }
    std::shared_future<std::vector<Diagnostic>> foundLater;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;

// What the design has in common with `before` is taken from there: a change of the training job builds no fabric.
SnapshotPointer takeSnapshot(DesignPointer design, const Snapshot* before = nullptr);

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const Snapshot& now() const { return *m_now; }
    SnapshotPointer snapshot() const { return m_now; }
    // Bisection, failure and collectives of the current snapshot; null while they are being computed.
    const BackgroundMetrics* background() const { return m_background ? &*m_background : nullptr; }
    const BackgroundMetrics* lastBackground() const { return m_lastBackground ? &*m_lastBackground : nullptr; }

    QUndoStack& undoStack() { return m_undo; }
    QString path() const { return m_path; } // absolute, so that it names the same file from every folder; empty for none
    bool isModified() const { return !m_undo.isClean(); }

    // Applies an edit as one undo step. Returns false and sets `reason` if the edit is refused.
    bool apply(const Result<Edit>& edit, QString* reason = nullptr);
    // Confirms edits that create a very large number of devices. Without it, such edits are refused.
    void setAskLarge(std::function<bool(std::int64_t devices)> ask) { m_askLarge = std::move(ask); }
    static constexpr std::int64_t largeDevices = 1'000'000;
    // The limit of the memory for undo steps; beyond it the oldest steps are forgotten.
    static constexpr std::size_t usualHistoryBytes = std::size_t{256} << 20;
    void setMostHistoryBytes(std::size_t bytes) { m_mostHistoryBytes = bytes; } // from the next edit on
    void open(DesignPointer design, const QString& path);
    void open(SnapshotPointer snapshot, const QString& path); // of a snapshot that another thread has taken
    // A design that no file holds, such as a new one or a recovered one: it counts as modified until it is saved.
    void openUnsaved(DesignPointer design, const QString& path = {});
    void openUnsaved(SnapshotPointer snapshot, const QString& path = {});
    // The mark of what was written. With `knownMark`, only a file that still has this content is replaced (core/base/file.h).
    Result<std::string> save(const QString& path, std::optional<std::string> knownMark = {});
    void waitForBackground(); // for tests and exports
    // Sets the failed elements. The background metrics are then those of the degraded fabric. Failures are not an edit: counts, bill,
    // findings and the saved file remain those of the intact design. Selectors without a match are ignored.
    void setFailures(Failures failures);
    const Failures& failures() const { return m_failures; }
    const Removal& failed() const { return m_failed; } // masks of the current fabric; empty if nothing has failed
    // Of the same failures; until impactsChanged() only what has failed itself is known.
    const Impacts& impacts() const { return m_impacts; }
    void waitForImpacts() { m_impacting.wait(); }                // for tests
    const FabricPointer& degraded() const { return m_degraded; } // the degraded fabric; the current fabric itself if nothing has failed
    // Stops computing the background metrics until they are resumed or the design is edited.
    void stopBackground();
    void resumeBackground();
    bool isBackgroundStopped() const { return m_stopped; }

signals:
    void changed();           // a new snapshot is current
    void backgroundChanged(); // the background metrics are up to date or were stopped
    void failuresChanged();   // emitted before the background metrics are updated
    void impactsChanged();

private:
    friend class SnapshotCommand;
    void show(SnapshotPointer snapshot);
    void remember(SnapshotPointer snapshot);
    // Background metrics that were computed for this snapshot and these failures before: undoing an edit shows them at once.
    struct Answer {
        std::weak_ptr<const Snapshot> of;
        Failures failures;
        BackgroundMetrics metrics;
    };
    void startBackground();
    void keepAnswer();
    bool takeKnownAnswer(); // false: there is none
    void takeFailures();
    void dropBackground();
    bool isComplete() const { return m_background && m_changed == Analysis::Nothing; }
    void stopWorker();
    void pushStep(const Edit& edit, const SnapshotPointer& after); // as an undo step; forgets the oldest steps beyond the limit
    void giveUp(quint64 generation);
    void deliver(std::optional<BackgroundMetrics>& result, quint64 generation);

    std::function<bool(std::int64_t)> m_askLarge;
    QUndoStack m_undo;
    QString m_path;
    SnapshotPointer m_now;
    Failures m_failures;
    Removal m_failed;
    Impacts m_impacts;
    LatestTask<Impacts> m_impacting;
    FabricPointer m_degraded;
    std::deque<SnapshotPointer> m_recent; // keeps recent fabrics for undo, bounded by size
    std::size_t m_recentLinks = 0;
    std::optional<BackgroundMetrics> m_background, m_lastBackground;
    std::deque<Answer> m_answers;
    std::jthread m_worker;
    quint64 m_generation = 0;
    std::size_t m_mostHistoryBytes = usualHistoryBytes;
    unsigned m_changed = Analysis::Nothing; // inputs of analyses that have to run again
    bool m_running = false, m_stopped = false;
};

} // namespace railyard
