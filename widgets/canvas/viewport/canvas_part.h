// Base of all tools and overlays of the canvas.
#pragma once

#include "widgets/canvas/viewport/viewport.h"

#include <QPainter>

namespace railyard {

class CanvasPart {
public:
    explicit CanvasPart(Viewport& port) : m_port(port) {}
    virtual ~CanvasPart() = default;
    CanvasPart(const CanvasPart&) = delete;
    CanvasPart& operator=(const CanvasPart&) = delete;

    virtual void paint(QPainter&) {} // computes nothing

protected:
    const Scene& scene() const { return m_port.scene(); }
    const ViewState& view() const { return m_port.view(); }
    const Tokens& tokens() const { return m_port.tokens(); }
    const Fabric& fabric() const { return m_port.fabric(); }
    const Design& design() const { return m_port.design(); }

    Viewport& m_port;
};

} // namespace railyard
