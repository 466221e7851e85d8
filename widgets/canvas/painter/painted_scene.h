// What every part of the drawing is painted with: scene, colours, scale, and the part that is visible.
#pragma once

#include "widgets/canvas/scene/scene.h"
#include "widgets/theme/tokens.h"

#include <QPainter>

namespace railyard {

struct ViewState {
    double scale = 1;
    QPointF offset; // screen = world * scale + offset
    QPointF toScreen(QPointF world) const { return world * scale + offset; }
    QPointF toWorld(QPointF screen) const { return (screen - offset) / scale; }
    QRectF toScreen(const QRectF& world) const { return {toScreen(world.topLeft()), world.size() * scale}; }
    static ViewState fitting(const QRectF& world, const QRectF& screen);
};

struct PaintedScene {
    const Scene& scene;
    const Tokens& tokens;
    ViewState view;
    QRectF screen;
    double serverWidth = 0; // px; determines the level of detail
    bool isPlan() const { return serverWidth < 6; }
    bool visible(const QRectF& onScreen) const { return onScreen.intersects(screen); }
};

inline constexpr double smallestTextPx = 10.7; // px (8 pt); below this size a lower level of detail is drawn
inline constexpr double largestTextPx = 20;    // px; words do not grow with the drawing beyond it
// Text that is left out where it would be too small to read.
void paintText(QPainter& painter, const QRectF& rect, int flags, const QString& text, double size, const QColor& color, bool bold = false);

} // namespace railyard
