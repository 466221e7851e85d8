#pragma once

#include "widgets/canvas/tools/tool.h"

#include <QPixmap>

namespace railyard {

// The minimap: while zoomed in, it shows the whole drawing in a corner with the part in view, and goes there on a click.
class MinimapTool : public Tool {
public:
    explicit MinimapTool(Viewport& port);

    bool press(const Press& press) override;
    void move(QPointF at) override { centreOn(at); }
    std::optional<Control> controlAt(QPointF at) const override;
    void paint(QPainter& painter) override;

private:
    QRectF place() const; // px; empty if nearly the whole drawing is visible
    void centreOn(QPointF at);

    QPixmap m_overview; // the whole drawing, built on first use
};

} // namespace railyard
