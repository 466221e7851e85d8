#include "widgets/canvas/scene/free_place.h"

#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

constexpr double toDevices = 8, toCards = 14, toBars = 24;

std::vector<QRectF> obstaclesOf(const Scene& scene, const std::set<std::size_t>& ignored) {
    std::vector<QRectF> all;
    const auto add = [&](const QRectF& rect, double distance) { all.push_back(rect.adjusted(-distance, -distance, distance, distance)); };
    for (const SceneCard& card : scene.cards) add(card.rect, toCards);
    for (const SceneBar& bar : scene.bars) add(bar.rect, toBars);
    for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        const bool isInCard = node.shape == Shape::Server && !node.handDrawn; // its card stands there
        if (node.shape != Shape::Callout && !isInCard && !ignored.contains(n)) add(node.rect, toDevices);
    }
    return all;
}

} // namespace

QSizeF sizeOfHandDrawn(Shape shape) {
    switch (shape) {
    case Shape::Server:
    case Shape::HbDomain: return {44, 60};
    case Shape::Group: return {132, 72};
    case Shape::Spine: return {53, 30};
    default: return {40, 30};
    }
}

std::optional<double> rowOf(const Scene& scene, Shape shape, double y) {
    std::optional<double> nearest;
    for (const SceneNode& node : scene.nodes) {
        const double own = node.rect.center().y();
        if (node.shape == shape && !node.handDrawn && (!nearest || std::abs(own - y) < std::abs(*nearest - y))) nearest = own;
    }
    return nearest;
}

QPointF freePlace(const Scene& scene, QPointF centre, QSizeF size, const std::set<std::size_t>& ignored) {
    constexpr double step = 12; // half the grid
    constexpr int mostRows = 200;
    const std::vector<QRectF> obstacles = obstaclesOf(scene, ignored);
    const auto rectAt = [&](QPointF at) { return QRectF(at - QPointF(size.width() / 2, size.height() / 2), size); };
    const double reach = std::max(scene.bounds.width(), 600.0) + size.width();
    // In one row, the place that is nearest: `centre` itself, or just beside one of the obstacles of the row.
    const auto placeInRow = [&](double y) -> std::optional<QPointF> {
        std::vector<QRectF> row;
        std::vector<double> candidates{centre.x()};
        for (const QRectF& each : obstacles) {
            const QRectF here = rectAt({each.center().x(), y});
            if (each.bottom() <= here.top() || each.top() >= here.bottom()) continue;
            row.push_back(each);
            candidates.push_back(std::ceil((each.right() + size.width() / 2) / step) * step);
            candidates.push_back(std::floor((each.left() - size.width() / 2) / step) * step);
        }
        std::sort(candidates.begin(), candidates.end(),
                  [&](double a, double b) { return std::abs(a - centre.x()) < std::abs(b - centre.x()); });
        for (const double x : candidates) {
            const QRectF here = rectAt({x, y});
            const auto isHit = [&](const QRectF& each) { return each.intersects(here); };
            if (std::abs(x - centre.x()) <= reach && std::none_of(row.begin(), row.end(), isHit)) return QPointF(x, y);
        }
        return {};
    };
    const double pitch = std::ceil((size.height() + toDevices) / step) * step;
    for (int row = 0; row < mostRows; ++row)
        for (const double side : {1.0, -1.0})
            if (const auto found = placeInRow(centre.y() + side * row * pitch)) return *found;
    return centre;
}

} // namespace railyard
