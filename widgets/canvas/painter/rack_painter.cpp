#include "widgets/canvas/painter/rack_painter.h"

#include "widgets/canvas/painter/load_scale.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/canvas/scene/scene_measure.h"
#include "widgets/canvas/scene/scene_racks.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

void paintSwitchTrays(QPainter& painter, const PaintedScene& at, const SceneRack& rack) {
    if (rack.switches.isEmpty()) return;
    const QRectF block = at.view.toScreen(rack.switches);
    painter.setPen(QPen(at.tokens.neutral, 1));
    painter.drawLine(QPointF(block.right(), block.center().y()), at.view.toScreen(QPointF(rack.hbX, rack.switches.center().y())));
    painter.setPen(QPen(at.tokens.neutral, 1.3));
    painter.setBrush(at.tokens.neutralFill);
    painter.drawRoundedRect(block, 4, 4);
    const double title = 20 * at.view.scale;
    const double size = std::min(12 * at.view.scale, largestTextPx);
    if (size >= smallestTextPx * 0.8) {
        constexpr double letterWidth = 0.56; // of the height
        QString words = counted(rack.switchTrays, sceneText("%1 NVLink switch tray"), sceneText("%1 NVLink switch trays"));
        if (static_cast<double>(words.size()) * letterWidth * std::max(size, smallestTextPx) > block.width())
            words = counted(rack.switchTrays, sceneText("%1 switch tray"), sceneText("%1 switch trays"));
        paintText(painter, QRectF(block.left(), block.top(), block.width(), title), Qt::AlignCenter, words, std::max(size, smallestTextPx),
                  at.tokens.text);
    }
    for (int tray = 0; tray < rack.switchTrays; ++tray) {
        painter.setPen(QPen(at.tokens.neutral, 0.8));
        painter.setBrush(at.tokens.card);
        painter.drawRect(at.view.toScreen(switchTrayRect(rack, tray)));
    }
    painter.setBrush(at.tokens.neutralFill);
    for (std::size_t s = 0; s < rack.hbSwitches.size(); ++s)
        painter.drawPath(silhouette(Shape::Spine, at.view.toScreen(hbSwitchRect(rack, s))));
}

} // namespace

void paintRack(QPainter& painter, const PaintedScene& at, const SceneRack& rack, const RailColor& colorOf, bool showsRails) {
    QRectF plate = at.view.toScreen(rack.rect).adjusted(3, 3, -3, 0);
    plate.setHeight(measure::cardHeader * at.view.scale - 3);
    painter.fillRect(plate, at.tokens.well);
    const QRectF frame = at.view.toScreen(rack.rect).adjusted(3, 3, -3, -3); // a double edge: what is inside is one HB domain
    painter.setPen(QPen(at.tokens.cardBorder, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(frame, 6, 6);
    if (!rack.title.isEmpty() && at.view.scale > 0.5) {
        const double size = std::min(std::max(12 * at.view.scale, smallestTextPx), largestTextPx);
        const QRectF words = plate.adjusted(6 * at.view.scale, 0, -6 * at.view.scale, 0);
        paintText(painter, words, Qt::AlignLeft | Qt::AlignVCenter, rack.title, size, at.tokens.text, true);
        paintText(painter, words, Qt::AlignRight | Qt::AlignVCenter, rack.note, size, at.tokens.text2);
    }
    const std::size_t trays = rack.lastNode - rack.firstNode;
    const auto trayAt = [&](std::size_t n) { return at.scene.nodes[rack.firstNode + n].rect; };
    // Rails get thinner as trays take their links.
    for (const SceneRack::Rail& rail : rack.rails) {
        double from = rack.rect.top() + measure::cardHeader;
        for (std::size_t n = 0; n < trays; ++n) {
            const auto left = static_cast<int>(
                std::lround(at.scene.bundles[rail.down].links * (1 - static_cast<double>(n) / static_cast<double>(trays))));
            painter.setPen(QPen(colorOf(rail.down), std::max(1.6, bundleWidth(left)) * std::min(1.0, std::max(0.35, at.view.scale)),
                                Qt::SolidLine, Qt::FlatCap));
            if (showsRails) painter.drawLine(at.view.toScreen(QPointF(rail.x, from)), at.view.toScreen(QPointF(rail.x, trayAt(n).top())));
            from = trayAt(n).top();
        }
    }
    QPen dotted(at.tokens.neutral, 1);
    dotted.setDashPattern({1, 2});
    for (std::size_t n = 0; n < trays; ++n) {
        const QRectF tray = trayAt(n);
        painter.setPen(dotted);
        painter.drawLine(at.view.toScreen(QPointF(tray.right(), tray.center().y())),
                         at.view.toScreen(QPointF(rack.hbX, tray.center().y())));
        const double size = std::min(9.5 * at.view.scale, largestTextPx);
        if (size >= smallestTextPx * 0.8)
            paintText(painter,
                      at.view.toScreen(QRectF(rack.rect.left(), tray.top() - 2, tray.left() - rack.rect.left() - 4, tray.height() + 4)),
                      Qt::AlignRight | Qt::AlignVCenter, QString::number(at.scene.nodes[rack.firstNode + n].number),
                      std::max(size, smallestTextPx), at.tokens.text2);
    }
    painter.setPen(dotted);
    painter.drawLine(at.view.toScreen(QPointF(rack.hbX, trayAt(0).center().y())),
                     at.view.toScreen(QPointF(rack.hbX, trayAt(trays - 1).center().y())));
    paintSwitchTrays(painter, at, rack);
}

} // namespace railyard
