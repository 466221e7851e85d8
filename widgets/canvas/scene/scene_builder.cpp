#include "widgets/canvas/scene/scene_builder.h"

#include "widgets/canvas/scene/callout_layout.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

ScopeId ancestorSu(const Fabric& fabric, ScopeId scope) {
    for (; scope != none; scope = fabric.scopes[scope].parent)
        if (fabric.scopes[scope].role == Instance::Role::ScalableUnit) return scope;
    return none;
}

} // namespace

SceneBuilder::SceneBuilder(const Fabric& fabric, Detail detail) : m_fabric(fabric), m_detail(detail), m_counts(countsOf(fabric)) {}

// Maps every hand-drawn scope to its topmost ancestor below the root: a server, a group, or the scope itself.
std::vector<ScopeId> SceneBuilder::freeTops() const {
    std::vector<ScopeId> top(m_fabric.scopes.size(), none);
    for (ScopeId s(1); s < top.size(); ++s) { // a scope precedes the scopes inside it
        const ScopeId parent = m_fabric.scopes[s].parent;
        const bool isRoot = parent == none, isBelowRoot = !isRoot && parent != 0 && m_fabric.scopes[parent].parent == none;
        top[s] = isRoot || isBelowRoot ? s : top[parent];
    }
    return top;
}

void SceneBuilder::collectFree(DeviceId device, ScopeId top) {
    const DeviceKind kind = m_fabric.devices.kind[device];
    if (m_fabric.scopes[top].parent == none) {
        if (infoOf(kind).routes || kind == DeviceKind::Manager) m_freeDevices.push_back(device);
        return;
    }
    const Instance::Role role = m_fabric.scopes[top].role;
    const bool isServer = role == Instance::Role::Server || role == Instance::Role::HbDomain;
    if (isServer && (m_freeServers.empty() || m_freeServers.back() != top)) m_freeServers.push_back(top); // side by side
}

void SceneBuilder::collect() {
    const DeviceTable& devices = m_fabric.devices;
    std::map<ScopeId, std::size_t> unitOf;
    const auto unit = [&](ScopeId su) -> Unit& {
        const auto [it, fresh] = unitOf.emplace(su, m_units.size());
        if (fresh) m_units.push_back({su, static_cast<int>(m_fabric.scopes[su].index), {}, {}, false});
        return m_units[it->second];
    };
    ScopeId lastMember;
    const std::vector<ScopeId> tops = freeTops();
    for (ScopeId s(0); s < tops.size(); ++s) { // empty groups are drawn too
        const Instance::Role role = m_fabric.scopes[s].role;
        if (tops[s] == s && m_fabric.scopes[s].parent != none && role != Instance::Role::Server && role != Instance::Role::HbDomain)
            m_freeGroups.push_back(s);
    }
    for (const DeviceId d : devices.ids()) {
        if (const ScopeId top = tops[devices.scope[d]]; top != none) {
            collectFree(d, top);
            continue;
        }
        const ScopeId su = ancestorSu(m_fabric, devices.scope[d]);
        if (devices.routes(d)) {
            if (devices.tier[d] == SwitchTier::Leaf && su != none)
                unit(su).leaves.push_back(d);
            else {
                auto& groups = m_groups[devices.tier[d]];
                if (groups.empty() || groups.back().scope != devices.scope[d]) groups.push_back({devices.scope[d], devices.tier[d], {}});
                groups.back().devices.push_back(d);
            }
        } else if (devices.isManager(d)) {
            m_freeDevices.push_back(d);
        } else if (devices.hbDomain[d] != none) {
            const ScopeId member = memberOf(d);
            if (member == none || member == lastMember) continue;
            lastMember = member;
            if (su != none) {
                auto& members = unit(su).members;
                if (std::find(members.begin(), members.end(), member) == members.end()) members.push_back(member);
            } else if (std::find(m_freeServers.begin(), m_freeServers.end(), member) == m_freeServers.end()) {
                m_freeServers.push_back(member);
            }
        }
    }
    for (const auto& [path, change] : m_fabric.design->overrides)
        for (Unit& own : m_units)
            if (path.starts_with("su[" + std::to_string(own.su) + "]")) own.changed = true;
    m_lanes = railCount();
    m_scene.rails = static_cast<int>(m_counts.rails);
}

// What a device of an HB domain is drawn in: the domain, or its server where the domain spans several SUs.
ScopeId SceneBuilder::memberOf(DeviceId device) const {
    const ScopeId domain = m_fabric.hbDomains[m_fabric.devices.hbDomain[device]];
    const ServerId server = m_fabric.devices.server[device];
    ScopeId scope = m_fabric.devices.scope[device];
    if (scope == domain && server == none) { // an HB switch: drawn with the servers of its domain, if those are here
        const bool holdsServers = std::any_of(m_fabric.servers.begin(), m_fabric.servers.end(),
                                              [&](ScopeId each) { return m_fabric.scopes[each].parent == domain; });
        return holdsServers ? domain : ScopeId();
    }
    while (scope != none && scope != domain) scope = m_fabric.scopes[scope].parent;
    return scope == domain || server == none ? domain : m_fabric.servers[server];
}

int SceneBuilder::railCount() const {
    bool byRail = false;
    for (const Unit& unit : m_units)
        for (const auto leaf : unit.leaves) byRail = byRail || m_fabric.devices.rail[leaf] > 0;
    return byRail ? static_cast<int>(std::max<std::int64_t>(1, m_counts.rails)) : 1;
}

// In the margin; on two lines where one would run into the first card.
QString SceneBuilder::serversText() const {
    constexpr qsizetype mostOnALine = 14;
    const QString servers = grouped(m_counts.servers),
                  sus = counted(static_cast<std::int64_t>(m_units.size()), sceneText("in %1 SU"), sceneText("in %1 SUs"));
    return servers + (servers.size() + sus.size() > mostOnALine ? QLatin1Char('\n') : QLatin1Char(' ')) + sus;
}

QString SceneBuilder::membersOf(const Unit& unit, int units) const {
    const bool domains = !unit.members.empty() && m_fabric.scopes[unit.members[0]].role == Instance::Role::HbDomain;
    const std::int64_t count = static_cast<std::int64_t>(unit.members.size()) * units;
    return domains ? counted(count, sceneText("%1 HB domain"), sceneText("%1 HB domains"))
                   : counted(count, sceneText("%1 server"), sceneText("%1 servers"));
}

SceneNode SceneBuilder::memberNode(const Unit& unit, std::size_t member, QRectF rect) const {
    SceneNode node;
    const Scope& scope = m_fabric.scopes[unit.members[member]];
    node.shape = scope.role == Instance::Role::HbDomain ? Shape::HbDomain : Shape::Server;
    node.rect = rect;
    node.scope = unit.members[member];
    node.number = static_cast<int>(scope.index);
    node.largestOfRow = static_cast<int>(m_fabric.scopes[unit.members.back()].index);
    markOverride(node, [&] { return m_fabric.scopePath(node.scope); });
    return node;
}

void SceneBuilder::addLabel(double y, QString title, QString note, std::vector<TierStep> steps) {
    m_scene.labels.push_back({QPointF(8, y), std::move(title), std::move(note), std::move(steps)});
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
        node.shape = m_fabric.devices.isManager(device) ? Shape::Manager : shapeOf(tier);
        const double rowY = tier == SwitchTier::Leaf    ? std::max(m_leafTop, 300.0) + 12
                            : tier == SwitchTier::Spine ? std::max(m_tops[tier], 120.0) + 40
                                                        : 60;
        const std::string path = m_fabric.devicePath(device);
        node.rect = placeAt(places[path], node.shape, tier == SwitchTier::Spine ? 53 : 40, 30,
                            node.shape == Shape::Manager ? m_cardTop + 40 : rowY);
        node.device = device;
        node.number = static_cast<int>(m_fabric.devices.index[device]);
        node.rail = static_cast<int>(m_fabric.devices.rail[device]);
        node.handDrawn = node.shape != Shape::Manager;
        node.label = nameOf(path);
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
        markOverride(node, [&] { return m_fabric.scopePath(scope); });
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
        node.label = nameOf(m_fabric.scopePath(scope));
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
        if (!m_fabric.devices.routes(d) || !inside[m_fabric.devices.scope[d]]) continue;
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

// The area of a block that is not a node itself: the union of everything drawn of it, or the one drawn pod of identical pods.
QRectF SceneBuilder::placeOfBlock(ScopeId block) const {
    const auto isInside = [&](ScopeId scope) {
        while (scope != none && scope != block) scope = m_fabric.scopes[scope].parent;
        return scope != none;
    };
    QRectF all;
    for (const SceneNode& node : m_scene.nodes)
        if (isInside(node.device != none ? m_fabric.devices.scope[node.device] : node.scope)) all = all.united(node.rect);
    for (const SceneCard& card : m_scene.cards)
        if (isInside(card.scope)) all = all.united(card.rect);
    for (DeviceId d(0); all.isEmpty() && d < m_fabric.devices.size(); ++d)
        if (m_fabric.devices.routes(d) && isInside(m_fabric.devices.scope[d]))
            for (const SceneBar& bar : m_scene.bars)
                if (bar.shape == shapeOf(m_fabric.devices.tier[d])) all = bar.rect;
    return all;
}

// An element hidden in a fold is placed at the card of the fold.
QRectF SceneBuilder::placeOf(const PathFinder& finder, const std::string& path) const {
    const auto device = finder.device(path);
    if (const auto own = device ? m_nodeOfDevice.find(*device) : m_nodeOfDevice.end(); own != m_nodeOfDevice.end())
        return m_scene.nodes[own->second].rect;
    if (const auto block = device ? std::nullopt : finder.scope(path))
        if (const QRectF all = placeOfBlock(*block); !all.isEmpty()) return all;
    ScopeId scope = device ? m_fabric.devices.scope[*device] : finder.scope(path).value_or(none);
    for (; scope != none; scope = m_fabric.scopes[scope].parent) {
        for (const SceneNode& node : m_scene.nodes)
            if (node.device == none && node.scope == scope) return node.rect; // an element inside a server
        for (const SceneCard& card : m_scene.cards) {
            const auto unit = std::find_if(m_units.begin(), m_units.end(), [&](const Unit& each) { return each.scope == scope; });
            const bool inside = unit != m_units.end() && unit->su >= card.firstSu && unit->su < card.firstSu + card.folded;
            if (card.scope == scope || inside) return card.rect;
        }
        const bool isUnit = std::any_of(m_units.begin(), m_units.end(), [&](const Unit& each) { return each.scope == scope; });
        if (isUnit && m_detail == Detail::Elided) return m_elidedUnits;
    }
    return {};
}

std::vector<SceneLegendRow> SceneBuilder::legendRows() const {
    std::vector<SceneLegendRow> rows;
    if (m_scene.rails > 1) rows.push_back({Shape::Leaf, m_scene.rails, sceneText("Rails 1 to %1").arg(m_scene.rails)});
    std::map<SwitchTier, std::map<std::string, std::int64_t>> parts;
    for (const DeviceId d : m_fabric.devices.ids())
        if (m_fabric.devices.routes(d)) {
            const Part* part = m_fabric.partOf(d);
            ++parts[m_fabric.devices.tier[d]][part ? part->name : std::string()];
        }
    const std::pair<SwitchTier, QString> tiers[] = {{SwitchTier::Core, sceneText("core")},
                                                    {SwitchTier::Superspine, sceneText("superspine")},
                                                    {SwitchTier::Spine, sceneText("spine")},
                                                    {SwitchTier::Leaf, sceneText("leaf")}};
    for (const auto& [tier, name] : tiers)
        for (const auto& [part, count] : parts[tier])
            rows.push_back({shapeOf(tier), 0, sceneText("%1 × %2 · %3").arg(grouped(count), name, QString::fromStdString(part))});
    if (m_counts.servers > 0)
        rows.push_back({Shape::Server, 0, sceneText("%1 × server · %2 GPUs").arg(grouped(m_counts.servers), grouped(m_counts.gpus))});
    return rows;
}

// The position of a callout in drawing units.
QRectF SceneBuilder::placeCallout(const PathFinder& finder, const Callout& callout, SceneCallout& into) const {
    const double unit = calloutUnitOf(m_scene);
    const bool isBracket = callout.kind == Callout::Kind::Bracket;
    for (const std::string& path : callout.of) into.about = into.about.united(placeOf(finder, path));
    const QPointF middle = calloutOrigin(callout.kind, into.about, callout.at.y > 0) + QPointF(callout.at.x, callout.at.y);
    QSizeF size = calloutSize(wordsOf(callout), callout.width > 0 ? callout.width / unit : callout::widest) * unit;
    if (callout.kind == Callout::Kind::Legend) {
        into.legend = m_legend;
        double longest = 0;
        for (const SceneLegendRow& row : into.legend) longest = std::max(longest, calloutSize(row.words, 1e4).width());
        size = QSizeF(longest + 58, static_cast<double>(into.legend.size()) * callout::legendRow + 2 * callout::padding) * unit;
    }
    if (callout.kind == Callout::Kind::Logo) {
        into.picture = pictureOf(callout.picture);
        const double width = callout.width > 0 ? callout.width : callout::logoWidth * unit;
        const double shape = into.picture.isNull() ? 0.4 : 1.0 * into.picture.height() / std::max(1, into.picture.width());
        size = QSizeF(width, width * shape);
    }
    if (isBracket) { // as wide as the bracketed elements
        into.bracketBelow = callout.at.y > 0;
        into.span = !into.about.isEmpty() ? into.about.width() : callout.width > 0 ? callout.width : 200 * unit;
        size.setWidth(std::max(size.width(), into.span));
        size.setHeight(size.height() + callout::bracketDepth * unit);
    }
    QRectF rect(middle - QPointF(size.width(), size.height()) / 2, size);
    if (isBracket && !into.about.isEmpty()) into.bracketBelow ? rect.moveTop(middle.y()) : rect.moveBottom(middle.y());
    return rect;
}

void SceneBuilder::placeCallouts() {
    const std::vector<Callout>& all = m_fabric.design->callouts;
    QRectF drawn(0, 0, m_right, m_cardTop + m_rowShift + m_cardHeight);
    for (const SceneNode& node : m_scene.nodes) drawn = drawn.united(node.rect);
    double parkedAt = drawn.bottom() + 24;
    m_scene.calloutUnit = std::max(drawn.width() / 1000, drawn.height() / 650);
    if (all.empty()) return;
    const PathFinder finder(m_fabric);
    m_legend = legendRows();
    for (std::size_t c = 0; c < all.size(); ++c) {
        SceneNode node;
        node.shape = Shape::Callout;
        node.callout = c;
        node.handDrawn = true;
        m_scene.callouts.emplace_back();
        SceneCallout& placed = m_scene.callouts.back();
        node.rect = placeCallout(finder, all[c], placed);
        placed.isParked = !all[c].of.empty() && placed.about.isEmpty();
        if (placed.isParked) { // its elements do not exist: it is placed below the drawing until they return or it is attached to others
            node.rect.moveTopLeft({m_left, parkedAt});
            parkedAt = node.rect.bottom() + 10;
        }
        m_scene.nodes.push_back(node);
    }
}

Scene SceneBuilder::build() {
    collect();
    layOut();
    placeFree();
    addCables();
    placeCallouts();
    QRectF bounds(0, 0, m_right + 16, m_cardTop + m_rowShift + 16);
    for (const SceneCard& card : m_scene.cards) bounds = bounds.united(card.rect.adjusted(0, 0, 16, 16));
    for (const SceneNode& node : m_scene.nodes) bounds = bounds.united(node.rect.adjusted(-16, -16, 16, 16));
    m_scene.bounds = bounds;
    return std::move(m_scene);
}

} // namespace railyard
