#pragma once

#include "widgets/canvas/viewport/canvas_part.h"

namespace railyard {

struct PortGrid { // in px
    QPointF at;
    double pitch = 0;
    int columns = 1, count = 0;
    QRectF rectOf(int port) const; // from 1
};

// Switch ports, drawn when zoomed in: which are in use.
class PortsOverlay : public CanvasPart {
public:
    using CanvasPart::CanvasPart;

    std::optional<int> portAt(QPointF screen) const;
    QRectF rectOf(std::size_t node, int port) const;                      // px; empty if ports are too small to be drawn
    std::string endPath(std::size_t node, std::optional<int> port) const; // leaf[1] or leaf[1]:17
    std::set<int> takenPorts(std::size_t node) const;
    void paint(QPainter& painter) override;
    void mark(std::optional<std::pair<std::size_t, int>> port) { m_marked = port; } // outlined until another selection; node and port

private:
    std::optional<PortGrid> gridOf(std::size_t node) const;
    std::optional<std::pair<std::size_t, int>> m_marked;
};

} // namespace railyard
