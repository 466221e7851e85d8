#include "widgets/canvas/painter/callout_painter.h"

#include "widgets/canvas/painter/shapes.h"
#include "widgets/canvas/scene/callout_layout.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <QLineF>
#include <algorithm>

namespace railyard {
namespace {

constexpr double smallestCallout = 12.2; // px; legend text is a tenth smaller

// An arrow from the box to the nearest edge of its element, or straight down if it is not attached.
void pointer(QPainter& painter, const PaintedScene& at, const QRectF& from, double unit, const QRectF& to) {
    const double head = std::clamp(9 * unit, 5.0, 16.0);
    const QPointF start = from.center();
    QPointF tip(start.x(), from.bottom() + 60 * unit);
    if (!to.isEmpty())
        tip = {std::clamp(start.x(), to.left() + std::min(4.0, to.width() / 2), to.right() - std::min(4.0, to.width() / 2)),
               std::clamp(start.y(), to.top(), to.bottom())};
    const QLineF line(start, tip);
    if (from.contains(tip) || line.length() < head) return; // the box covers the target
    painter.setPen(QPen(at.tokens.accent, std::clamp(1.8 * unit, 1.2, 4.0)));
    painter.drawLine(start, line.pointAt(1 - 0.8 * head / line.length()));
    const QLineF back = QLineF(tip, start).unitVector();
    const QPointF along(back.dx() * head, back.dy() * head), across(-along.y() * 0.45, along.x() * 0.45);
    painter.setPen(Qt::NoPen);
    painter.setBrush(at.tokens.accent);
    painter.drawPolygon(QPolygonF({tip, tip + along + across, tip + along - across}));
}

// The open side of a bracket faces its elements; the text is on the other side.
void bracket(QPainter& painter, const PaintedScene& at, const Callout& callout, const SceneCallout& place, const QRectF& rect,
             double unit) {
    const double depth = callout::bracketDepth * at.view.scale * calloutUnitOf(at.scene);
    const double open = place.bracketBelow ? rect.top() : rect.bottom(), spine = place.bracketBelow ? open + depth : open - depth;
    painter.setPen(QPen(at.tokens.accent, std::clamp(1.8 * unit, 1.2, 4.0), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    const double half = place.span * at.view.scale / 2, left = rect.center().x() - half, right = rect.center().x() + half;
    painter.drawPolyline(QPolygonF({QPointF(left, open), QPointF(left, spine), QPointF(right, spine), QPointF(right, open)}));
    const QRectF label = place.bracketBelow ? QRectF(rect.left(), spine, rect.width(), rect.bottom() - spine)
                                            : QRectF(rect.left(), rect.top(), rect.width(), spine - rect.top());
    paintText(painter, label, Qt::AlignCenter | Qt::TextDontClip | Qt::TextWordWrap, wordsOf(callout), callout::fontSize * unit,
              at.tokens.text, true);
}

void legend(QPainter& painter, const PaintedScene& at, const SceneCallout& place, const QRectF& rect, double unit) {
    painter.setPen(QPen(at.tokens.cardBorder, 1));
    painter.setBrush(at.tokens.card);
    painter.drawRoundedRect(rect, 4 * unit, 4 * unit);
    double y = rect.top() + callout::padding * unit;
    for (const SceneLegendRow& row : place.legend) {
        const QRectF sign(rect.left() + callout::padding * unit, y + 4 * unit, 40 * unit, 14 * unit);
        const int colours = std::min(row.rail, 16);
        for (int rail = 1; rail <= colours; ++rail)
            painter.fillRect(QRectF(sign.left() + sign.width() * (rail - 1) / colours, sign.top(), sign.width() / colours, sign.height()),
                             at.tokens.rail(rail, at.scene.rails));
        if (row.rail == 0) {
            painter.setPen(QPen(at.tokens.neutral, 1.2));
            painter.setBrush(row.shape == Shape::Leaf || row.shape == Shape::Server ? at.tokens.card : at.tokens.neutralFill);
            painter.drawPath(silhouette(row.shape, QRectF(sign.center().x() - 11 * unit, sign.top(), 22 * unit, sign.height())));
        }
        paintText(painter, QRectF(sign.right() + 10 * unit, y, rect.right() - sign.right() - 10 * unit, callout::legendRow * unit),
                  Qt::AlignVCenter | Qt::AlignLeft, row.words, callout::fontSize * 0.9 * unit, at.tokens.text);
        y += callout::legendRow * unit;
    }
}

// When zoomed out, the box grows so that its text stays readable, up to a limit.
void drawCallout(QPainter& painter, const PaintedScene& at, const Callout& callout, const SceneCallout& place, const QRectF& box) {
    constexpr double mostGrowth = 2.5;
    const double asked = callout::fontSize * at.view.scale * calloutUnitOf(at.scene), size = std::max(asked, smallestCallout);
    if (callout.kind != Callout::Kind::Logo && size > asked * mostGrowth) return;
    const double unit = size / callout::fontSize;
    const bool grows = callout.kind != Callout::Kind::Logo && callout.kind != Callout::Kind::Bracket;
    const QSizeF grown = grows ? box.size() * (size / asked) : box.size();
    const QRectF rect(box.center() - QPointF(grown.width(), grown.height()) / 2, grown);
    switch (callout.kind) {
    case Callout::Kind::Logo:
        if (place.picture.isNull()) {
            painter.setPen(QPen(at.tokens.controlBorder, 1, Qt::DashLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect);
            return paintText(painter, rect, Qt::AlignCenter | Qt::TextWordWrap, sceneText("The picture cannot be read"), size * 0.8,
                             at.tokens.text2);
        }
        painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
        return painter.drawImage(rect, place.picture);
    case Callout::Kind::Legend: return legend(painter, at, place, rect, unit);
    case Callout::Kind::Bracket: return bracket(painter, at, callout, place, rect, unit);
    case Callout::Kind::Arrow:
        if (!place.isParked) pointer(painter, at, rect, unit, place.about.isEmpty() ? QRectF() : at.view.toScreen(place.about));
        [[fallthrough]];
    case Callout::Kind::Text:
        painter.setPen(QPen(at.tokens.accent, callout.kind == Callout::Kind::Arrow ? 1.6 : 1));
        painter.setBrush(at.tokens.card);
        painter.drawRoundedRect(rect, 4 * unit, 4 * unit);
        paintText(painter, rect.adjusted(callout::padding * unit, 0, -callout::padding * unit, 0),
                  Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap, wordsOf(callout), size, at.tokens.text);
    }
}

} // namespace

void paintCallouts(QPainter& painter, const PaintedScene& at, const std::vector<Callout>& callouts) {
    for (const SceneNode& node : at.scene.nodes) {
        if (node.shape != Shape::Callout) continue;
        const SceneCallout& place = at.scene.callouts[node.callout];
        const QRectF rect = at.view.toScreen(node.rect);
        if (at.visible(rect) || (!place.about.isEmpty() && at.visible(rect.united(at.view.toScreen(place.about)))))
            drawCallout(painter, at, callouts[node.callout], place, rect);
    }
}

} // namespace railyard
