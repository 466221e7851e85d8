#pragma once

#include "widgets/canvas/painter/pair_fans.h"
#include "widgets/canvas/painter/port_face.h"
#include "widgets/canvas/viewport/canvas_part.h"

namespace railyard {

// What stands at the edges of the switches in sight: one line for each device at the other end where a leaf is at least 110 px wide, and
// ports with their cables where it is at least 400 px wide.
class PortsOverlay : public CanvasPart {
public:
    using CanvasPart::CanvasPart;

    std::optional<int> portAt(QPointF screen) const;
    QRectF rectOf(std::size_t node, int port) const;                      // px; empty if ports are too small to be drawn
    std::string endPath(std::size_t node, std::optional<int> port) const; // leaf[1] or leaf[1]:17
    std::set<int> takenPorts(std::size_t node) const;
    void paint(QPainter& painter) override;
    bool isAtPortLevel() const { return !faces().empty(); }
    std::set<std::size_t> nodesAtPortLevel() const; // painted here over the whole of their rectangles
    // At this place: one at the port level, otherwise all that a line stands for.
    std::vector<LinkId> cablesAt(QPointF screen) const;
    DeviceId farEndAt(QPointF screen) const;                                 // docked beside ports; none if nothing is docked there
    bool paintHighlighted(QPainter& painter, LinkId link) const;             // false if no switch at the port level has it
    void outlineInstead(QPainter& painter, SceneHighlight& highlight) const; // of switches at the port level, only the body is outlined
    QString text() const; // what is drawn of single cables, for the status bar; empty where only bundles are drawn
    void showLoads(std::shared_ptr<const std::vector<double>> ofLink) { m_loads = std::move(ofLink); }
    void mark(std::optional<std::pair<std::size_t, int>> port) { m_marked = port; } // outlined until another selection; node and port

private:
    void take() const; // what is in sight, for the present scene and view
    const std::map<std::size_t, PortFace>& faces() const { return take(), m_faces; }
    const PairFans& fans() const { return take(), m_fans; }
    const PortFace* faceOf(std::size_t node) const;
    const PortFace* faceAt(QPointF screen) const;
    void paintLegend(QPainter& painter) const;

    std::optional<std::pair<std::size_t, int>> m_marked;
    std::shared_ptr<const std::vector<double>> m_loads; // null: cables have the colours of their rails
    mutable std::map<std::size_t, PortFace> m_faces;    // by node
    mutable PairFans m_fans;
    mutable std::optional<std::tuple<quint64, double, QPointF, QSizeF>> m_facesOf;
};

} // namespace railyard
