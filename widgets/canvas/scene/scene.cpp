#include "widgets/canvas/scene/scene_builder.h"

#include <QCoreApplication>
#include <QLineF>
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
        if (kind == DeviceKind::Switch || kind == DeviceKind::Manager) m_freeDevices.push_back(device);
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
        if (devices.kind[d] == DeviceKind::Switch) {
            if (devices.tier[d] == SwitchTier::Leaf && su != none)
                unit(su).leaves.push_back(d);
            else {
                auto& groups = m_groups[devices.tier[d]];
                if (groups.empty() || groups.back().scope != devices.scope[d]) groups.push_back({devices.scope[d], devices.tier[d], {}});
                groups.back().devices.push_back(d);
            }
        } else if (devices.kind[d] == DeviceKind::Manager) {
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

// Draws the first and the last unit; identical units between them are folded into one card.
bool SceneBuilder::folds(std::size_t u) const {
    if (m_detail == Detail::Full || m_units.size() <= 5 || u == 0 || u + 1 == m_units.size() || m_units[u].changed) return false;
    return m_units[u].members.size() == m_units[1].members.size() && m_units[u].leaves.size() == m_units[1].leaves.size();
}

// Leaves of several planes need a wider card, so that their numbers do not overlap.
double SceneBuilder::cardWidthFor() const {
    constexpr double leafPitch = 29, widest = 2.5 * measure::cardWidth;
    std::size_t most = 0;
    for (const Unit& unit : m_units) most = std::max(most, unit.leaves.size());
    const double wanted = leafPitch * (static_cast<double>(most) + planeGap * static_cast<double>(m_counts.planes - 1));
    return wanted <= widest ? std::max(measure::cardWidth, wanted) : measure::cardWidth;
}

// Up to a dozen cards are placed in one row. More cards form rows of roughly screen shape, whose lanes join in a gutter.
std::size_t SceneBuilder::cardsInRow() const {
    constexpr std::size_t mostInOneRow = 12;
    constexpr double aspect = 1.7;
    std::size_t cards = 0;
    for (std::size_t u = 0; u < m_units.size(); ++cards)
        if (!folds(u))
            ++u;
        else
            while (u < m_units.size() && folds(u)) ++u;
    if (cards <= mostInOneRow) return cards;
    const double pitch = (m_cardTop - m_lanesTop + measure::cardHeight + measure::barGap) / (m_cardWidth + measure::cardGap);
    const double wanted = std::sqrt(static_cast<double>(cards) * pitch * aspect);
    return static_cast<std::size_t>(std::ceil(wanted / 4)) * 4;
}

void SceneBuilder::placeCards() {
    m_cardWidth = cardWidthFor();
    const std::size_t inRow = cardsInRow();
    const bool rows = inRow > 0 && inRow < m_units.size() && !folds(1);
    if (rows && m_lanes <= 24) m_left += m_lanes * measure::gutter + 12;
    double left = m_left;
    m_right = m_left + measure::cardWidth * 2;
    std::size_t placed = 0;
    for (std::size_t u = 0; u < m_units.size();) {
        if (placed > 0 && placed % inRow == 0) {
            m_rowShift += m_cardTop - m_lanesTop + measure::cardHeight + measure::barGap;
            left = m_left;
        }
        ++placed;
        std::size_t run = u;
        while (run < m_units.size() && folds(run)) ++run;
        SceneCard card;
        card.rect = QRectF(left, m_cardTop + m_rowShift, m_cardWidth, measure::cardHeight);
        const Unit& unit = m_units[u];
        card.firstSu = unit.su;
        card.scope = unit.scope;
        card.overridden = unit.scope != none && isOverridden([&] { return m_fabric.scopePath(unit.scope); });
        if (run > u + 1) {
            card.folded = static_cast<int>(run - u);
            card.title = QStringLiteral("su[%1–%2]").arg(unit.su).arg(m_units[run - 1].su);
            card.subtitle = membersOf(unit, card.folded);
            card.firstNode = card.lastNode = m_scene.nodes.size();
            m_scene.foldedSus += card.folded;
            u = run;
        } else {
            card.title = QStringLiteral("su[%1]").arg(unit.su);
            card.subtitle = membersOf(unit);
            placeMembers(unit, card);
            placeLeaves(unit, left);
            ++u;
        }
        m_scene.cards.push_back(card);
        m_right = std::max(m_right, left + m_cardWidth);
        left += m_cardWidth + measure::cardGap;
    }
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
    node.overridden = isOverridden([&] { return m_fabric.scopePath(node.scope); });
    return node;
}

// Eight by four for the usual 32 servers, with an aisle in the middle for the cables of a selected leaf. Larger units get a finer grid in
// the same card, wider cards more columns.
void SceneBuilder::placeMembers(const Unit& unit, SceneCard& card) {
    card.firstNode = m_scene.nodes.size();
    const int count = static_cast<int>(unit.members.size());
    const int wide = static_cast<int>(std::lround(m_cardWidth / measure::cardWidth));
    int columns = 8 * wide;
    while (columns * (columns / (2 * wide)) < count) columns += 4;
    const int rows = columns / (2 * wide);
    const double innerWidth = m_cardWidth - 2 * measure::cardPadding,
                 innerHeight = measure::cardHeight - measure::cardHeader - measure::cardPadding;
    const double aisle = measure::aisle, pitchX = (innerWidth - aisle) / columns, pitchY = innerHeight / rows;
    for (int i = 0; i < count; ++i) {
        const QRectF rect(card.rect.left() + measure::cardPadding + (i % columns) * pitchX + (i % columns >= columns / 2 ? aisle : 0),
                          card.rect.top() + measure::cardHeader + (i / columns) * pitchY, pitchX * 0.92, pitchY * 0.82);
        m_scene.nodes.push_back(memberNode(unit, static_cast<std::size_t>(i), rect));
    }
    card.lastNode = m_scene.nodes.size();
}

void SceneBuilder::placeLeaves(const Unit& unit, double left) {
    if (unit.leaves.empty()) return;
    const double leafTop = m_leafTop + m_rowShift, cardTop = m_cardTop + m_rowShift;
    const auto planeOf = [&](std::uint32_t leaf) { return static_cast<int>(m_fabric.devices.plane[leaf]); };
    const double gaps = unit.leaves.size() > 1 ? planeGap * (planeOf(unit.leaves.back()) - planeOf(unit.leaves.front())) : 0;
    const double pitch = (m_cardWidth - 2) / (static_cast<double>(unit.leaves.size()) + gaps);
    if (pitch < 9) { // too small to distinguish, so the row shows only a count
        SceneBar bar;
        bar.rect = QRectF(left, leafTop, m_cardWidth, measure::leafHeight);
        bar.title = sceneText("%1 leaves").arg(grouped(static_cast<std::int64_t>(unit.leaves.size())));
        bar.shape = Shape::Leaf;
        bar.count = static_cast<int>(unit.leaves.size());
        bar.firstNode = bar.lastNode = m_scene.nodes.size();
        m_scene.bars.push_back(bar);
        m_leafTops[0].push_back({QPointF(left + m_cardWidth / 2, leafTop), none, m_fabric.devices.scope[unit.leaves.front()]});
        SceneBundle down;
        down.layer = Layer::HostLinks;
        down.tier = LinkTier::HostLeaf;
        down.unit = m_fabric.devices.scope[unit.leaves.front()];
        down.path << QPointF(bar.rect.center().x(), bar.rect.bottom()) << QPointF(bar.rect.center().x(), cardTop);
        down.links = static_cast<int>(links(LinkTier::HostLeaf) / static_cast<std::int64_t>(std::max<std::size_t>(1, m_units.size())));
        m_scene.bundles.push_back(down);
        return;
    }
    for (std::size_t i = 0; i < unit.leaves.size(); ++i) {
        SceneNode node;
        const DeviceId device = unit.leaves[i];
        const double width = std::min(measure::leafWidth, pitch * 0.9);
        node.shape = Shape::Leaf;
        const double place = static_cast<double>(i) + planeGap * (planeOf(device) - planeOf(unit.leaves.front())) + 0.5;
        node.rect = QRectF(left + 1 + pitch * place - width / 2, leafTop, width, measure::leafHeight);
        node.device = device;
        node.rail = static_cast<int>(m_fabric.devices.rail[device]);
        node.number = static_cast<int>(m_fabric.devices.index[device]);
        node.largestOfRow = static_cast<int>(m_fabric.devices.index[unit.leaves.back()]);
        node.overridden = isOverridden([&] { return m_fabric.devicePath(device); });
        m_nodeOfDevice[device] = m_scene.nodes.size();
        m_scene.nodes.push_back(node);
        m_leafTops[m_lanes > 1 ? node.rail : 0].push_back({QPointF(node.rect.center().x(), leafTop), device, none});
        SceneBundle down;
        down.layer = Layer::HostLinks;
        down.tier = LinkTier::HostLeaf;
        down.upper = device;
        down.path << QPointF(node.rect.center().x(), leafTop + measure::leafHeight) << QPointF(node.rect.center().x(), cardTop);
        down.rail = node.rail;
        down.links =
            static_cast<int>(std::max<std::int64_t>(1, links(LinkTier::HostLeaf) / std::max<std::int64_t>(1, m_counts.switchesByTier[1])));
        m_scene.bundles.push_back(down);
    }
}

void SceneBuilder::addBar(const Group& group, QRectF rect, int stacked) {
    SceneBar bar;
    bar.rect = rect;
    bar.shape = shapeOf(group.tier);
    bar.stacked = stacked;
    bar.count = static_cast<int>(group.devices.size());
    bar.rail = static_cast<int>(m_fabric.devices.rail[group.devices.front()]);
    bar.firstNode = m_scene.nodes.size();
    const double captionHeight = bar.rail > 0 ? 6 : 20;
    const int perRow = std::max(1, static_cast<int>((rect.width() - 12) / (group.tier == SwitchTier::Spine ? 15 : 12)));
    const int rows = std::max(1, (bar.count + perRow - 1) / perRow);
    const int columns = (bar.count + rows - 1) / rows;
    const double pitchX = (rect.width() - 12) / columns, pitchY = (rect.height() - captionHeight - 6) / rows;
    if (pitchY >= 9) {
        for (int i = 0; i < bar.count; ++i) {
            SceneNode node;
            node.shape = bar.shape;
            const double width = std::min(pitchX * 0.92, group.tier == SwitchTier::Spine ? 53.0 : 24.0),
                         height = std::min(pitchY * 0.9, 27.0);
            const QPointF centre(rect.left() + 6 + pitchX * (i % columns + 0.5), rect.top() + captionHeight + pitchY * (i / columns + 0.5));
            node.rect = QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height);
            node.device = group.devices[static_cast<std::size_t>(i)];
            node.number = static_cast<int>(m_fabric.devices.index[node.device]);
            node.largestOfRow = static_cast<int>(m_fabric.devices.index[group.devices.back()]);
            node.rail = bar.rail;
            node.overridden = isOverridden([&] { return m_fabric.devicePath(node.device); });
            m_nodeOfDevice[node.device] = m_scene.nodes.size();
            m_scene.nodes.push_back(node);
        }
    }
    bar.lastNode = m_scene.nodes.size();
    m_scene.bars.push_back(bar);
}

// One box for each group: next to each other for rails, one stacked box for identical pods, one bar for shared switches.
void SceneBuilder::placeTier(SwitchTier tier, double top) {
    const auto found = m_groups.find(tier);
    if (found == m_groups.end()) return;
    m_tops[tier] = top;
    const std::vector<Group>& groups = found->second;
    const double width = m_right - m_left;
    const bool byRail = m_fabric.devices.rail[groups.front().devices.front()] > 0;
    std::map<std::uint32_t, std::vector<const Group*>> byScope; // rail number, or 0
    for (const Group& group : groups) byScope[m_fabric.devices.rail[group.devices.front()]].push_back(&group);
    const auto boxes = static_cast<double>(byScope.size());
    if (byRail && boxes > 24) { // too many rails to distinguish
        QRectF rect(m_left, top, width, measure::barHeight);
        SceneBar bar;
        bar.rect = rect;
        bar.title =
            sceneText("%1 rails with %2 switches each")
                .arg(grouped(static_cast<std::int64_t>(byScope.size())), grouped(static_cast<std::int64_t>(groups.front().devices.size())));
        bar.count = static_cast<int>(groups.size());
        bar.shape = shapeOf(tier);
        bar.stacked = 3;
        bar.firstNode = bar.lastNode = m_scene.nodes.size();
        m_scene.bars.push_back(bar);
        return;
    }
    double left = m_left;
    for (const auto& [rail, alike] : byScope) {
        const double own = (width - (boxes - 1) * 10) / boxes;
        addBar(*alike.front(), QRectF(left, top, own, measure::barHeight), static_cast<int>(alike.size()));
        SceneBar& bar = m_scene.bars.back();
        if (!byRail) {
            const auto planes = static_cast<std::size_t>(m_counts.planes);
            const QString what = planes < 2               ? sceneText("%1 pods").arg(grouped(static_cast<std::int64_t>(alike.size())))
                                 : alike.size() == planes ? sceneText("%1 planes").arg(planes)
                                                          : sceneText("%1 pods in %2 planes").arg(alike.size()).arg(planes);
            const QString many =
                alike.size() > 1 ? sceneText("%1 drawn as one, %2 switches each").arg(what).arg(alike.front()->devices.size()) : QString();
            bar.title = tier == SwitchTier::Spine
                            ? (many.isEmpty() ? sceneText("Shared by all rails") : many)
                            : counted(static_cast<std::int64_t>(m_groups[SwitchTier::Spine].size()),
                                      sceneText("Connects the %1 group below"), sceneText("Connects the %1 groups below"));
            if (m_lanes == 1 && many.isEmpty()) bar.title = tier == SwitchTier::Spine ? sceneText("Connects all leaves") : bar.title;
        }
        left += own + 10;
    }
}

void SceneBuilder::addLabel(double y, QString title, QString note, std::vector<TierStep> steps) {
    m_scene.labels.push_back({QPointF(8, y), std::move(title), std::move(note), std::move(steps)});
}

void SceneBuilder::buildFolded() {
    double y = 16;
    const auto tierLabel = [&](SwitchTier tier, const QString& title) {
        const auto count = m_counts.switchesByTier[static_cast<std::size_t>(tier)];
        addLabel(y + 12, title, grouped(count),
                 tier == SwitchTier::Spine ? std::vector{TierStep::Spines, TierStep::UpperPart} : std::vector{TierStep::UpperPart});
    };
    std::map<SwitchTier, double> tops;
    for (const auto& [tier, title] :
         {std::pair(SwitchTier::Core, sceneText("Core")), std::pair(SwitchTier::Superspine, sceneText("Superspine")),
          std::pair(SwitchTier::Spine, sceneText("Spine"))}) {
        if (!m_groups.contains(tier)) continue;
        tops[tier] = y;
        tierLabel(tier, title);
        y += measure::barHeight + measure::barGap;
    }
    if (m_groups.contains(SwitchTier::Spine)) {
        m_lanesTop = y;
        const int drawn = m_lanes > 24 ? 1 : m_lanes;
        addLabel(y - 8, m_lanes > 1 ? sceneText("Rails") : sceneText("Uplinks"),
                 sceneText("%1 links").arg(grouped(links(LinkTier::LeafSpine))));
        y += drawn * measure::laneSpacing + 20;
    }
    m_leafTop = y;
    if (!m_units.empty()) {
        addLabel(y, sceneText("Leaf"),
                 sceneText("%1\n%2 downlinks").arg(grouped(m_counts.switchesByTier[1]), grouped(links(LinkTier::HostLeaf))),
                 {TierStep::LeafPart});
    }
    m_cardTop = m_leafTop + measure::leafHeight + measure::leafGap;
    if (!m_units.empty()) addLabel(m_cardTop + 80, sceneText("Servers"), serversText(), {TierStep::ScalableUnits});
    placeCards();
    for (const auto& [tier, top] : tops) placeTier(tier, top);
    placeLanes();
    joinTiers(SwitchTier::Spine, SwitchTier::Superspine);
    joinTiers(SwitchTier::Superspine, SwitchTier::Core);
}

Scene SceneBuilder::build() {
    collect();
    m_detail == Detail::Elided ? buildElided() : buildFolded();
    placeFree();
    addCables();
    placeCallouts();
    QRectF bounds(0, 0, m_right + 16, m_cardTop + m_rowShift + 16);
    for (const SceneCard& card : m_scene.cards) bounds = bounds.united(card.rect.adjusted(0, 0, 16, 16));
    for (const SceneNode& node : m_scene.nodes) bounds = bounds.united(node.rect.adjusted(-16, -16, 16, 16));
    m_scene.bounds = bounds;
    return std::move(m_scene);
}

Scene buildScene(const Fabric& fabric, Detail detail) { return SceneBuilder(fabric, detail).build(); }

} // namespace railyard
