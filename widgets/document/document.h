// The open design: one immutable snapshot, an undo stack of snapshots, and results that follow every edit.
// Instant figures are there when `changed` fires; the rest arrives from a worker, and is stale until then.
#pragma once

#include "core/analysis/design_rules.h"
#include "core/analysis/metrics.h"
#include "core/design/edit.h"
#include "core/fabric/elaborate.h"

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
    Floor floor; // without racks where none are placed
    // The design rules are looked at by a thread of their own, beside the drawing; who asks waits for them.
    const std::vector<Diagnostic>& findings() const { return foundLater.get(); }
    std::shared_future<std::vector<Diagnostic>> foundLater;
};
using SnapshotPointer = std::shared_ptr<const Snapshot>;

SnapshotPointer takeSnapshot(DesignPointer design);

class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);
    ~Document() override;

    const Snapshot& now() const { return *m_now; }
    SnapshotPointer snapshot() const { return m_now; }
    // Bisection, failure and collectives of the present snapshot; nothing while they are computed.
    const BackgroundMetrics* background() const { return m_background ? &*m_background : nullptr; }
    const BackgroundMetrics* lastBackground() const { return m_lastBackground ? &*m_lastBackground : nullptr; }

    QUndoStack& undoStack() { return m_undo; }
    QString path() const { return m_path; }
    bool isModified() const { return !m_undo.isClean(); }

    // One undo step; false with `reason` where the edit is refused.
    bool apply(const Result<Edit>& edit, QString* reason = nullptr);
    // Asked before an edit that makes so many devices; without it such edits are refused with a reason.
    void setAskLarge(std::function<bool(std::int64_t devices)> ask) { m_askLarge = std::move(ask); }
    static constexpr std::int64_t largeDevices = 1'000'000;
    void open(DesignPointer design, QString path);
    void openRecovered(DesignPointer design, QString path); // counts as not saved
    Status save(const QString& path);
    void waitForBackground(); // tests and exports
    // What is taken to have failed: the background figures are then of what is left, beside the whole. It is no edit: counts,
    // bill, findings and what is saved stay those of the whole. Selectors that name nothing (any more) are passed over.
    void setFailures(Failures failures);
    const Failures& failures() const { return m_failures; }
    const Removal& failed() const { return m_failed; }   // of the present fabric; empty masks: nothing failed
    const FabricPointer& left() const { return m_left; } // the present fabric itself where nothing failed
    // Gives up the figures that are being computed, until they are asked for again or the next edit.
    void stopBackground();
    void resumeBackground();
    bool isBackgroundStopped() const { return m_stopped; }

signals:
    void changed();           // another snapshot
    void backgroundChanged(); // bisection, failure, collectives are up to date, or were given up
    void failuresChanged();   // before the background figures follow

private:
    friend class SnapshotCommand;
    void show(SnapshotPointer snapshot);
    void remember(SnapshotPointer snapshot);
    void startBackground();
    void takeFailures();
    void dropBackground();
    void stopWorker();
    void deliver(std::optional<BackgroundMetrics>& result, quint64 generation);

    std::function<bool(std::int64_t)> m_askLarge;
    QUndoStack m_undo;
    QString m_path;
    SnapshotPointer m_now;
    Failures m_failures;
    Removal m_failed;
    FabricPointer m_left;
    std::deque<SnapshotPointer> m_recent; // for undo, bounded
    std::size_t m_recentLinks = 0;
    std::optional<BackgroundMetrics> m_background, m_lastBackground;
    std::jthread m_worker;
    quint64 m_generation = 0;
    bool m_running = false, m_stopped = false;
};

} // namespace railyard
