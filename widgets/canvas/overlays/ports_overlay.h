#pragma once

#include "widgets/canvas/painter/port_face.h"
#include "widgets/canvas/viewport/canvas_part.h"

namespace railyard {

struct PortGrid { // in px
    QPointF at;
    double pitch = 0;
    int columns = 1, count = 0;
    QRectF rectOf(int port) const; // from 1
};

// Switch ports, drawn when zoomed in: in rows inside the switch, and on its edges with their cables from the port level on.
class PortsOverlay : public CanvasPart {
public:
    using CanvasPart::CanvasPart;

    std::optional<int> portAt(QPointF screen) const;
    QRectF rectOf(std::size_t node, int port) const;                      // px; empty if ports are too small to be drawn
    std::string endPath(std::size_t node, std::optional<int> port) const; // leaf[1] or leaf[1]:17
    std::set<int> takenPorts(std::size_t node) const;
    void paint(QPainter& painter) override;
    // Of the switches in sight that are at the port level: the cable at this place, and what is docked there.
    bool isAtPortLevel() const { return !faces().empty(); }
    std::optional<LinkId> linkAt(QPointF screen) const;
    DeviceId farEndAt(QPointF screen) const;                                 // none if nothing is docked there
    bool paintHighlighted(QPainter& painter, LinkId link) const;             // false if no switch at the port level has it
    void outlineInstead(QPainter& painter, SceneHighlight& highlight) const; // of switches at the port level, only the body is outlined
    QString text() const; // what is drawn singly, for the status bar; empty below the port level
    void showLoads(std::shared_ptr<const std::vector<double>> ofLink) { m_loads = std::move(ofLink); }
    void mark(std::optional<std::pair<std::size_t, int>> port) { m_marked = port; } // outlined until another selection; node and port

private:
    std::optional<PortGrid> gridOf(std::size_t node) const;
    // Kept for the present scene and view.
    const std::map<std::size_t, PortFace>& faces() const;
    const PortFace* faceOf(std::size_t node) const;
    const PortFace* faceAt(QPointF screen) const;
    void paintLegend(QPainter& painter) const;

    std::optional<std::pair<std::size_t, int>> m_marked;
    std::shared_ptr<const std::vector<double>> m_loads; // null: cables have the colours of their rails
    mutable std::map<std::size_t, PortFace> m_faces;    // by node
    mutable std::optional<std::tuple<quint64, double, QPointF, QSizeF>> m_facesOf;
};

} // namespace railyard
