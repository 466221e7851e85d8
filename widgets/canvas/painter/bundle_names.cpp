#include "widgets/canvas/painter/bundle_names.h"

#include "core/design/model/element_names.h"
#include "widgets/canvas/painter/pair_fans.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

// "su[1]/leaf[4] · 32 links": the lower device, or the SU and rail, or the rail.
QString nameOf(const SceneBundle& bundle, const Fabric& fabric, const ElementNames& names) {
    QString who;
    if (bundle.lower != none)
        who = QString::fromStdString(names.nameOf(fabric.devicePath(bundle.lower)));
    else if (bundle.upper != none)
        who = QString::fromStdString(names.nameOf(fabric.devicePath(bundle.upper)));
    else if (bundle.rail > 0)
        who = sceneText("Rail %1").arg(bundle.rail);
    const QString links = counted(bundle.links, sceneText("%1 link"), sceneText("%1 links"));
    return who.isEmpty() ? links : who + QStringLiteral(" · ") + links;
}

// The longest part of the path that is in sight.
QLineF longestInSight(const QPolygonF& path, const ViewState& view, const QRectF& screen) {
    QLineF longest;
    for (qsizetype i = 1; i < path.size(); ++i) {
        const QPointF from = view.toScreen(path[i - 1]), to = view.toScreen(path[i]);
        const auto clamped = [&](QPointF at) {
            return QPointF(std::clamp(at.x(), screen.left(), screen.right()), std::clamp(at.y(), screen.top(), screen.bottom()));
        };
        const bool isStraight = std::abs(from.x() - to.x()) < 0.5 || std::abs(from.y() - to.y()) < 0.5;
        if (!isStraight || !QRectF(from, to).normalized().adjusted(-0.5, -0.5, 0.5, 0.5).intersects(screen)) continue;
        if (const QLineF seen(clamped(from), clamped(to)); seen.length() > longest.length()) longest = seen;
    }
    return longest;
}

} // namespace

void paintBundleNames(QPainter& painter, const PaintedScene& painted, const Fabric& fabric, unsigned shown) {
    if (!PairFans::isLevel(painted.view)) return;
    const QFontMetricsF metrics(fontFor(TextRole::Caption));
    const ElementNames names(*fabric.design);
    QList<QRectF> taken;
    for (const SceneNode& node : painted.scene.nodes)
        if (const QRectF box = painted.view.toScreen(node.rect); painted.visible(box)) taken.append(box.adjusted(-4, -66, 4, 66));
    for (const SceneBundle& bundle : painted.scene.bundles) {
        if ((shown >> static_cast<unsigned>(bundle.layer) & 1U) == 0) continue;
        if (!bundle.pill.isEmpty() && painted.screen.contains(painted.view.toScreen(bundle.pillAt))) continue; // its count is in sight
        const QLineF seen = longestInSight(bundle.path, painted.view, painted.screen);
        if (seen.length() < 60) continue;
        const QString name = nameOf(bundle, fabric, names);
        const QRectF box(seen.center() - QPointF(metrics.horizontalAdvance(name) / 2 + 8, 9),
                         QSizeF(metrics.horizontalAdvance(name) + 16, 18));
        const bool isLevel = std::abs(seen.dx()) > std::abs(seen.dy());
        if ((isLevel && seen.length() < 1.5 * box.width()) || !painted.screen.contains(box)) continue;
        if (std::any_of(taken.begin(), taken.end(), [&](const QRectF& other) { return other.intersects(box); })) continue;
        taken.append(box.adjusted(-4, -2, 4, 2));
        painter.setPen(QPen(painted.tokens.rail(bundle.rail, painted.scene.rails), 1.2));
        if (bundle.rail == 0) painter.setPen(QPen(painted.tokens.neutral, 1.2));
        painter.setBrush(painted.tokens.card);
        painter.drawRoundedRect(box, 9, 9);
        paintText(painter, box, Qt::AlignCenter, name, 11, painted.tokens.text);
    }
}

} // namespace railyard
