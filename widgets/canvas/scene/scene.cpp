#include "widgets/canvas/scene/scene.h"

#include "widgets/canvas/scene/scene_elided.h"
#include "widgets/canvas/scene/scene_folded.h"

#include <QLineF>
#include <algorithm>
#include <cmath>

namespace railyard {

Shape shapeOf(SwitchTier tier) {
    switch (tier) {
    case SwitchTier::Leaf: return Shape::Leaf;
    case SwitchTier::Superspine: return Shape::Superspine;
    case SwitchTier::Core: return Shape::Core;
    default: return Shape::Spine;
    }
}

Detail detailOf(const SavedView& view) { return view.unfolded ? Detail::Full : view.elided ? Detail::Elided : Detail::Folded; }

const SceneNode* Scene::nodeAt(QPointF world, const std::function<bool(const SceneNode&)>& counts) const {
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it)
        if (it->rect.contains(world) && (!counts || counts(*it))) return &*it;
    return nullptr;
}

const SceneCard* Scene::cardAt(QPointF world) const {
    for (const SceneCard& card : cards)
        if (card.rect.contains(world)) return &card;
    return nullptr;
}

static double distance(QPointF at, QPointF from, QPointF end) {
    const QPointF along = end - from, to = at - from;
    const double length = QPointF::dotProduct(along, along);
    const double part = length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0;
    return QLineF(at, from + along * part).length();
}

const SceneCable* Scene::cableAt(QPointF world, double reach) const {
    const SceneCable* nearest = nullptr;
    for (const SceneCable& cable : cables)
        if (const double away = distance(world, cable.a, cable.b); away < reach) reach = away, nearest = &cable;
    return nearest;
}

const SceneBundle* Scene::bundleAt(QPointF world, double reach) const {
    const SceneBundle* nearest = nullptr;
    for (const SceneBundle& bundle : bundles)
        for (qsizetype p = 1; p < bundle.path.size(); ++p)
            if (const double away = distance(world, bundle.path[p - 1], bundle.path[p]); away < reach) reach = away, nearest = &bundle;
    return nearest;
}

int Scene::railAt(QPointF world, double reach) const {
    for (const RowBadge& badge : badges)
        if (QLineF(badge.at, world).length() <= std::max(reach, 8.0)) return badge.rail;
    for (const SceneBundle& bundle : bundles) {
        if (!bundle.isLane || bundle.path.size() != 2 || bundle.path[0].y() != bundle.path[1].y()) continue;
        const double left = std::min(bundle.path[0].x(), bundle.path[1].x()), right = std::max(bundle.path[0].x(), bundle.path[1].x());
        if (world.x() >= left && world.x() <= right && std::abs(world.y() - bundle.path[0].y()) <= reach) return bundle.rail;
    }
    return 0;
}

Scene buildScene(const Fabric& fabric, Detail detail) {
    return detail == Detail::Elided ? ElidedScene(fabric).build() : FoldedScene(fabric, detail).build();
}

} // namespace railyard
