#include "widgets/canvas/scene/scene_networks.h"

#include "widgets/canvas/scene/scene_measure.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr double networkHeight = 34, betweenNetworks = 12, fromCards = 30;

std::pair<QString, Layer> titleOf(const std::string& name) {
    if (name == "storage") return {sceneText("Storage network"), Layer::Storage};
    if (name == "in-band") return {sceneText("In-band network"), Layer::InBand};
    return {sceneText("Out-of-band network"), Layer::OutOfBand};
}

} // namespace

void addNetworks(Scene& scene, const std::vector<NetworkFigures>& networks) {
    if (networks.empty() || scene.cards.empty() || scene.isElided) return;
    double bottom = 0, left = scene.cards.front().rect.left(), right = left;
    for (const SceneCard& card : scene.cards) {
        bottom = std::max(bottom, card.rect.bottom());
        left = std::min(left, card.rect.left());
        right = std::max(right, card.rect.right());
    }
    double top = bottom + fromCards;
    std::size_t lane = 0;
    for (const NetworkFigures& network : networks) {
        const auto [title, layer] = titleOf(network.name);
        SceneNetwork bar;
        bar.rect = QRectF(left, top, right - left, networkHeight);
        bar.layer = layer;
        bar.title = title;
        bar.note = sceneText("%1, %2, %3")
                       .arg(counted(network.switches, sceneText("%1 switch"), sceneText("%1 switches")),
                            counted(network.links, sceneText("%1 link"), sceneText("%1 links")),
                            counted(network.cables, sceneText("%1 cable"), sceneText("%1 cables")));
        // A line from every card of the lowest row; each network has its own place below the card, so that lines do not cover one another.
        for (const SceneCard& card : scene.cards) {
            if (card.rect.bottom() < bottom - 1) continue;
            const double x = card.rect.center().x() + (static_cast<double>(lane) - (static_cast<double>(networks.size()) - 1) / 2) * 22;
            SceneBundle line;
            line.layer = layer;
            line.links = std::max(1, static_cast<int>(network.links / static_cast<std::int64_t>(scene.cards.size())));
            line.path << QPointF(x, card.rect.bottom()) << QPointF(x, top);
            scene.bundles.push_back(line);
        }
        scene.networks.push_back(bar);
        scene.labels.push_back({QPointF(8, top + 6), titleOf(network.name).first.section(QLatin1Char(' '), 0, 0), {}, {}});
        top += networkHeight + betweenNetworks;
        ++lane;
    }
    scene.bounds = scene.bounds.united(QRectF(left, bottom, right - left + 16, top - bottom + 8));
}

} // namespace railyard
