#pragma once

#include "core/bill/cabling.h"
#include "widgets/canvas/overlays/ports_overlay.h"
#include "widgets/canvas/painter/selection_marks.h"
#include "widgets/canvas/tools/tool.h"
#include "widgets/document/latest_task.h"

namespace railyard {

// Single cables: the cable under the pointer is highlighted, and a tip shows its ends, length and modules. A click selects its ends and
// keeps it highlighted until the selection changes. A click on a far end that is docked beside a switch goes there.
class CableTool : public Tool {
public:
    CableTool(Viewport& port, const PortsOverlay& ports);

    void show(LinkOverlay cables) { m_cables = std::move(cables); } // those that are drawn one by one in the present view
    bool press(const Press& press) override;
    void cancel() override; // a new scene
    void paint(QPainter& painter) override;
    std::optional<Control> controlAt(QPointF at) const override;
    void letGo() { m_kept = {}, m_thread = {}; }                         // another selection
    void showThreads(const SelectionMarks* marks) { m_threads = marks; } // cables of the selection in bundles; null while others are drawn
    std::optional<LinkId> hovered() const { return m_hovered; }
    QStringList wordsOf(LinkId link) const; // ends; ID, speed and rail; length and cable; modules
    void wait() { m_cablings.wait(); }      // for tests

private:
    std::optional<LinkId> linkAt(QPointF at) const;

    const PortsOverlay& m_ports;
    LinkOverlay m_cables;
    const SelectionMarks* m_threads = nullptr;
    mutable std::optional<SelectionMarks::Thread> m_thread; // below the pointer
    mutable std::optional<LinkId> m_hovered;
    mutable QPointF m_at;
    std::optional<LinkId> m_kept;
    std::shared_ptr<const Cabling> m_cabling; // of the present fabric, once it is known
    mutable LatestTask<std::shared_ptr<const Cabling>> m_cablings;
    mutable bool m_isAsked = false;
};

} // namespace railyard
