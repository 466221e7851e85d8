// Lanes: each rail is a horizontal line from which risers lead down to the leaves and up to the spines.
#include "widgets/canvas/scene/scene_builder.h"

#include <QCoreApplication>

#include <algorithm>

namespace railyard {
namespace {

constexpr double chamfer = 9; // size of the diagonal with which a riser joins its lane

const SceneBar* barOf(const Scene& scene, Shape shape, int rail) {
    for (const SceneBar& bar : scene.bars)
        if (bar.shape == shape && (bar.rail == rail || bar.rail == 0)) return &bar;
    return nullptr;
}

} // namespace

void SceneBuilder::placeLanes() {
    if (!m_groups.contains(SwitchTier::Spine) || m_leafTops.empty()) return;
    const std::int64_t all = links(LinkTier::LeafSpine);
    std::map<int, std::int64_t> linksOfLane; // actual link counts, which differ if a leaf was removed
    for (const LinkId l : m_fabric.links.ids())
        if (m_fabric.links.tier[l] == LinkTier::LeafSpine)
            ++linksOfLane[m_leafTops.size() > 1 ? static_cast<int>(m_fabric.devices.rail[m_fabric.links.a[l]]) : m_leafTops.begin()->first];
    const int pods = static_cast<int>(m_groups[SwitchTier::Spine].size());
    int lane = 0;
    const auto lanes = static_cast<double>(m_leafTops.size());
    for (const auto& [rail, tops] : m_leafTops) {
        const double y = m_lanesTop + lane * measure::laneSpacing + 8;
        const SceneBar* bar = barOf(m_scene, Shape::Spine, rail);
        if (!bar) continue;
        const bool own = bar->rail > 0;
        m_scene.railOnly = m_scene.railOnly || own;
        const double exit = own ? bar->rect.center().x() : bar->rect.left() + bar->rect.width() * (lane + 0.5) / lanes;
        const std::int64_t count = linksOfLane[rail];
        std::map<double, std::vector<LeafTop>> rows; // keyed by the y coordinate of the leaves' upper edge
        for (const LeafTop& top : tops) rows[top.at.y()].push_back(top);
        const double first = rows.begin()->first, gutter = m_left - 8 - (lanes - lane) * measure::gutter;
        SceneBundle track;
        for (const auto& [rowTop, leaves] : rows) {
            const double laneY = y + rowTop - first, exitHere = rowTop == first ? exit : gutter;
            for (const LeafTop& leaf : leaves) {
                const double x = leaf.at.x();
                SceneBundle riser;
                riser.tier = LinkTier::LeafSpine;
                riser.ofRail = rail;
                riser.lower = leaf.leaf;
                riser.unit = leaf.unit;
                riser.path << QPointF(x, rowTop) << QPointF(x, laneY + chamfer) << QPointF(x + (x < exitHere ? chamfer : -chamfer), laneY);
                riser.rail = rail;
                riser.links = static_cast<int>(count / static_cast<std::int64_t>(std::max<std::size_t>(1, m_units.size())));
                m_scene.bundles.push_back(riser);
            }
            track = SceneBundle();
            track.isLane = true;
            track.tier = LinkTier::LeafSpine;
            track.ofRail = rail;
            track.rail = rail;
            track.links = static_cast<int>(count);
            const double left = rows.size() > 1 ? gutter : std::min(leaves.front().at.x() + chamfer, exitHere);
            track.path << QPointF(left, laneY) << QPointF(std::max(leaves.back().at.x() - chamfer, exitHere), laneY);
            m_scene.bundles.push_back(track);
        }
        if (rows.size() > 1) {
            SceneBundle trunk = track;
            trunk.path.clear();
            trunk.path << QPointF(gutter, y) << QPointF(gutter, y + rows.rbegin()->first - first);
            m_scene.bundles.push_back(trunk);
        }
        SceneBundle up = track;
        up.path.clear();
        up.path << QPointF(exit, y) << QPointF(exit, bar->rect.bottom());
        const bool stacked = bar->stacked > 1 && !own;
        up.pill = stacked && count % pods == 0 ? QStringLiteral("%1 × %2").arg(pods).arg(grouped(count / pods)) : grouped(count);
        up.pillAt = QPointF(exit, bar->rect.bottom() + 18);
        m_scene.bundles.push_back(up);
        if (m_lanes > 1 && rail > 0) m_scene.badges.push_back({QPointF(measure::labelColumn - 14, y), rail});
        ++lane;
    }
    m_scene.bundledLinks += static_cast<int>(all);
}

void SceneBuilder::joinTiers(SwitchTier lower, SwitchTier upper) {
    if (!m_groups.contains(lower) || !m_groups.contains(upper)) return;
    const LinkTier tier = lower == SwitchTier::Spine ? LinkTier::SpineSuperspine : LinkTier::SuperspineCore;
    const Shape shape = lower == SwitchTier::Spine ? Shape::Spine : Shape::Superspine,
                above = upper == SwitchTier::Superspine ? Shape::Superspine : Shape::Core;
    std::vector<const SceneBar*> bars;
    for (const SceneBar& bar : m_scene.bars)
        if (bar.shape == shape) bars.push_back(&bar);
    for (const SceneBar* bar : bars) {
        const SceneBar* target = barOf(m_scene, above, bar->rail);
        if (!target) continue;
        const std::int64_t share = links(tier) / static_cast<std::int64_t>(bars.size());
        SceneBundle bundle;
        bundle.layer = Layer::UpperLinks;
        bundle.tier = tier;
        bundle.ofRail = bar->rail;
        const double x = bar->rect.center().x();
        bundle.path << QPointF(x, bar->rect.top()) << QPointF(x, target->rect.bottom());
        bundle.rail = target->rail;
        bundle.links = static_cast<int>(share);
        bundle.pill = bar->stacked > 1 ? QStringLiteral("%1 × %2").arg(bar->stacked).arg(grouped(share / bar->stacked)) : grouped(share);
        bundle.pillAt = QPointF(x, (bar->rect.top() + target->rect.bottom()) / 2);
        m_scene.bundles.push_back(bundle);
    }
    m_scene.bundledLinks += static_cast<int>(links(tier));
}

// Hand-drawn devices keep their saved position; without one they form a separate row on the right.
void SceneBuilder::placeFree() {
    double nextX = (m_units.empty() && m_groups.empty() ? 60 : m_right + 40);
    std::map<int, int> inRow;
    const auto placeAt = [&](std::optional<Point> at, Shape shape, double width, double height, double rowY) {
        const QPointF centre = at ? QPointF(at->x, at->y) : QPointF(nextX + 70 * inRow[static_cast<int>(shape)]++, rowY);
        return QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height);
    };
    std::map<std::string, std::optional<Point>> places;
    for (const DeviceRow& row : m_fabric.design->free->devices)
        for (int i = 0; i < row.count; ++i) places[row.slug + "[" + std::to_string(row.first + i) + "]"] = row.at;
    for (const Instance& row : m_fabric.design->free->instances)
        for (int i = 0; i < row.count; ++i) places[row.slug + "[" + std::to_string(row.first + i) + "]"] = row.at;
    for (const DeviceId device : m_freeDevices) {
        const SwitchTier tier = m_fabric.devices.tier[device];
        SceneNode node;
        node.shape = m_fabric.devices.kind[device] == DeviceKind::Manager ? Shape::Manager : shapeOf(tier);
        const double rowY = tier == SwitchTier::Leaf    ? std::max(m_leafTop, 300.0) + 12
                            : tier == SwitchTier::Spine ? std::max(m_tops[tier], 120.0) + 40
                                                        : 60;
        const std::string path = m_fabric.devicePath(device);
        node.rect = placeAt(places[path], node.shape, tier == SwitchTier::Spine ? 53 : 34, 30,
                            node.shape == Shape::Manager ? m_cardTop + 40 : rowY);
        node.device = device;
        node.number = static_cast<int>(m_fabric.devices.index[device]);
        node.rail = static_cast<int>(m_fabric.devices.rail[device]);
        node.handDrawn = node.shape != Shape::Manager;
        m_nodeOfDevice[device] = m_scene.nodes.size();
        m_scene.nodes.push_back(node);
    }
    for (const ScopeId scope : m_freeGroups) {
        SceneNode node;
        node.shape = Shape::Group;
        node.rect = placeAt(places[m_fabric.scopePath(scope)], node.shape, 132, 72, std::max(m_cardTop, 420.0) - 60);
        node.scope = scope;
        node.number = static_cast<int>(m_fabric.scopes[scope].index);
        node.handDrawn = true;
        node.overridden = isOverridden([&] { return m_fabric.scopePath(scope); });
        m_scene.groupNotes[scope] = contentsOf(scope);
        m_scene.nodes.push_back(node);
    }
    for (const ScopeId scope : m_freeServers) {
        SceneNode node;
        node.shape = m_fabric.scopes[scope].role == Instance::Role::HbDomain ? Shape::HbDomain : Shape::Server;
        node.rect = placeAt(places[m_fabric.scopePath(scope)], node.shape, 44, 60, std::max(m_cardTop, 420.0) + 60);
        node.scope = scope;
        node.number = static_cast<int>(m_fabric.scopes[scope].index);
        node.handDrawn = true;
        m_scene.nodes.push_back(node);
    }
}

// The contents of a group, such as "2 leaves · 8 servers", for its box.
QString SceneBuilder::contentsOf(ScopeId group) const {
    std::vector<bool> inside(m_fabric.scopes.size());
    inside[group] = true;
    std::int64_t servers = 0;
    for (std::uint32_t s = group + 1; s < inside.size(); ++s) {
        inside[s] = m_fabric.scopes[s].parent != none && inside[m_fabric.scopes[s].parent];
        servers += inside[s] && m_fabric.scopes[s].role == Instance::Role::Server ? 1 : 0;
    }
    std::int64_t leaves = 0, others = 0;
    for (const DeviceId d : m_fabric.devices.ids()) {
        if (m_fabric.devices.kind[d] != DeviceKind::Switch || !inside[m_fabric.devices.scope[d]]) continue;
        ++(m_fabric.devices.tier[d] == SwitchTier::Leaf ? leaves : others);
    }
    const auto tr = [](const char* words, std::int64_t n) { return QCoreApplication::translate("Scene", words).arg(grouped(n)); };
    QStringList parts;
    if (servers > 0) parts << (servers == 1 ? tr("%1 server", servers) : tr("%1 servers", servers));
    if (leaves > 0) parts << (leaves == 1 ? tr("%1 leaf", leaves) : tr("%1 leaves", leaves));
    if (others > 0) parts << (others == 1 ? tr("%1 upper switch", others) : tr("%1 upper switches", others));
    return parts.join(QStringLiteral(" · "));
}

void SceneBuilder::addCables() {
    if (m_fabric.design->free->links.empty()) return;
    std::map<std::uint32_t, std::size_t> serverNode;
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n)
        if (m_scene.nodes[n].scope != none) serverNode[m_scene.nodes[n].scope] = n;
    const auto place = [&](DeviceId device, bool top) -> std::optional<QPointF> {
        if (const auto own = m_nodeOfDevice.find(device); own != m_nodeOfDevice.end()) {
            const QRectF& r = m_scene.nodes[own->second].rect;
            return QPointF(r.center().x(), top ? r.top() : r.bottom());
        }
        auto server = serverNode.end();
        for (ScopeId scope = m_fabric.devices.scope[device]; scope != none && server == serverNode.end();
             scope = m_fabric.scopes[scope].parent)
            server = serverNode.find(scope);
        if (server == serverNode.end()) return {};
        const QRectF& r = m_scene.nodes[server->second].rect;
        if (m_scene.nodes[server->second].shape == Shape::Group) return QPointF(r.center().x(), top ? r.top() : r.bottom());
        const double share = (m_fabric.devices.index[device] - 0.5) / 8.0;
        return QPointF(r.left() + r.width() * std::min(1.0, share), r.top());
    };
    const std::size_t first = m_fabric.links.size() - std::min(m_fabric.links.size(), m_fabric.design->free->links.size());
    for (LinkId l(first); l < m_fabric.links.size(); ++l) {
        if (!m_fabric.isNetworkLink(l)) continue;
        const auto a = place(m_fabric.links.a[l], true), b = place(m_fabric.links.b[l], false);
        if (!a || !b) continue;
        const auto same = std::find_if(m_scene.cables.begin(), m_scene.cables.end(),
                                       [&](const SceneCable& cable) { return cable.a == *a && cable.b == *b; });
        const int rail = static_cast<int>(m_fabric.devices.rail[m_fabric.links.a[l]]);
        if (same == m_scene.cables.end()) {
            m_scene.cables.push_back({*a, *b, rail, 1, {l}});
            continue;
        }
        ++same->links;
        same->of.push_back(l);
        if (same->rail != rail) same->rail = 0; // cables of several rails
    }
}

} // namespace railyard
