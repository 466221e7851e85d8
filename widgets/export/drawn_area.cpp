#include "widgets/export/drawn_area.h"

#include <set>

namespace railyard {

QRectF drawnArea(const Fabric& fabric, const std::vector<std::string>& paths, Detail detail) {
    const std::set<std::string> wanted(paths.begin(), paths.end());
    const Scene scene = buildScene(fabric, detail);
    QRectF area;
    const auto take = [&](std::string own, const QRectF& rect) { // an element, or a block around it
        for (std::size_t end = own.size(); end != std::string::npos && end > 0; end = own.rfind('/')) {
            own.resize(end);
            if (wanted.contains(own)) {
                area = area.united(rect);
                return;
            }
        }
    };
    for (const SceneNode& node : scene.nodes)
        if (node.device != none || node.scope != none)
            take(node.device != none ? fabric.devicePath(node.device) : fabric.scopePath(node.scope), node.rect);
    for (const SceneCard& card : scene.cards)
        if (card.scope != none && card.folded <= 1) take(fabric.scopePath(card.scope), card.rect);
    return area;
}

} // namespace railyard
