#pragma once

#include "widgets/canvas/overlays/ports_overlay.h"
#include "widgets/canvas/painter/selection_marks.h"
#include "widgets/canvas/tools/tool.h"
#include "widgets/document/cable_facts.h"
#include "widgets/document/latest_task.h"

namespace railyard {

// Single cables: the cable under the pointer is highlighted, and a tip shows its ends, length and modules. A click selects it; the selected
// one stays highlighted, and both its ends are outlined. A click on a far end that is docked beside a switch goes there. A cable that is
// being moved keeps one end; the next click says where the other one goes.
class CableTool : public Tool {
public:
    CableTool(Viewport& port, const PortsOverlay& ports);

    bool press(const Press& press) override;
    void cancel() override; // a new scene
    void paint(QPainter& painter) override;
    std::optional<Control> controlAt(QPointF at) const override;
    void takeSelection();
    // Also in a bundle, of the selection. Where a line stands for several cables, a second click selects the next of them.
    std::optional<LinkId> cableAt(QPointF at) const;
    void disconnectSelected(); // in the background, as are the next two
    void startMoving();        // of the selected cable, whose selected end stays
    void cancelMoving() { m_staying.clear(); }
    bool isMoving() const { return !m_staying.empty(); }
    void goToOtherEnd();
    void showThreads(const SelectionMarks* marks) { m_threads = marks; } // cables of the selection in bundles; null while none are shown
    std::optional<LinkId> hovered() const { return m_hovered; }
    QStringList wordsOf(LinkId link) const; // ends; ID, speed and rail; length and cable; modules
    void wait() { m_edits.wait(); }         // for tests

private:
    std::vector<LinkId> cablesAt(QPointF at) const;
    void highlight(QPainter& painter, LinkId link) const;
    void work(std::function<Result<Edit>(const Fabric&)> edit);
    void outlineEnds(QPainter& painter, LinkId link) const;

    const PortsOverlay& m_ports;
    const SelectionMarks* m_threads = nullptr;
    mutable std::optional<SelectionMarks::Thread> m_thread; // below the pointer
    mutable std::optional<LinkId> m_hovered;
    mutable QPointF m_at;
    SelectionMarks m_own;         // of the switch that has the selected cable
    mutable std::size_t m_of = 1; // cables that the line below the pointer stands for
    std::string m_staying;        // the port that a cable being moved keeps
    std::function<Result<Edit>(const Fabric&)> m_edit;
    LatestTask<std::shared_ptr<const Result<Edit>>> m_edits;
};

} // namespace railyard
