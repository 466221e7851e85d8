#include "widgets/canvas/scene/scene_elided.h"

#include "core/design/model/element_names.h"
#include <algorithm>
#include <set>
#include <tuple>

namespace railyard {
namespace {

constexpr double serverWidth = 58, serverHeight = 66, serverTop = 26, leafWide = 42, leafHigh = 32, upperWidth = 88, upperHeight = 38;
constexpr double gap = 9, dotsGap = 44, blockGap = 26, riser = 10;

// The first `lead` elements and the last one, or all if only one would be left out.
std::vector<std::size_t> firstAndLast(std::size_t count, std::size_t lead) {
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < count; ++i)
        if (count <= lead + 2 || i < lead || i + 1 == count) shown.push_back(i);
    return shown;
}

// A row of shapes with dots for the ones left out: their left edges, starting at 0, and the total width.
struct Row {
    std::vector<double> left, dots;
    double width = 0;
};
Row rowOf(const std::vector<std::size_t>& shown, double each, double between, double overDots = dotsGap) {
    Row row;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0 && shown[i] != shown[i - 1] + 1) {
            row.dots.push_back(row.width + overDots / 2);
            row.width += overDots;
        } else if (i > 0) {
            row.width += between;
        }
        row.left.push_back(row.width);
        row.width += each;
    }
    return row;
}

} // namespace

SceneNode& ElidedScene::addElidedSwitch(DeviceId device, QRectF rect) {
    SceneNode node;
    node.shape = shapeOf(m_fabric.devices.tier[device]);
    node.rect = rect;
    node.device = device;
    node.rail = static_cast<int>(m_fabric.devices.rail[device]);
    node.number = node.largestOfRow = static_cast<int>(m_fabric.devices.index[device]);
    markOverride(node, [&] { return m_fabric.devicePath(device); });
    m_nodeOfDevice[device] = m_scene.nodes.size();
    return m_scene.nodes.emplace_back(node);
}

// Places the servers in a card with their leaves above it. Returns the width of both.
double ElidedScene::placeElidedUnit(const Unit& unit, double left) {
    const auto servers = firstAndLast(unit.members.size(), 2), leaves = firstAndLast(unit.leaves.size(), 3);
    const Row below = rowOf(servers, serverWidth, gap), above = rowOf(leaves, leafWide, gap);
    const double width = std::max({below.width + 2 * measure::cardPadding, above.width, 150.0});
    SceneCard card;
    card.rect = QRectF(left, m_cardTop, width, serverTop + serverHeight + measure::cardHeader);
    card.firstSu = unit.su;
    card.scope = unit.scope;
    card.overridden = unit.scope != none && isOverridden([&] { return m_fabric.scopePath(unit.scope); });
    card.title = unit.scope == none ? QStringLiteral("su[%1]").arg(unit.su)
                                    : QString::fromStdString(ElementNames(*m_fabric.design).nameOf(m_fabric.scopePath(unit.scope)));
    card.subtitle = membersOf(unit);
    card.firstNode = m_scene.nodes.size();
    const double x = left + (width - below.width) / 2, y = m_cardTop + serverTop;
    for (std::size_t i = 0; i < servers.size(); ++i)
        m_scene.nodes.push_back(memberNode(unit, servers[i], QRectF(x + below.left[i], y, serverWidth, serverHeight)));
    card.lastNode = m_scene.nodes.size();
    m_scene.cards.push_back(card);
    for (const double dots : below.dots) m_scene.dots.emplace_back(x + dots, y + serverHeight / 2);
    const double leafX = left + (width - above.width) / 2;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        addElidedSwitch(unit.leaves[leaves[i]], QRectF(leafX + above.left[i], m_leafTop, leafWide, leafHigh));
    for (const double dots : above.dots) m_scene.dots.emplace_back(leafX + dots, m_leafTop + leafHigh / 2);
    return width;
}

// The groups of a tier (pods, planes, or rails) that a drawn switch of the tier below connects to.
std::vector<const ElidedScene::Group*> ElidedScene::elidedGroups(SwitchTier tier) const {
    std::set<std::uint32_t> joined;
    for (const LinkId l : m_fabric.links.ids())
        if (m_fabric.isNetworkLink(l) && m_nodeOfDevice.contains(m_fabric.links.a[l]))
            joined.insert(m_fabric.devices.scope[m_fabric.links.b[l]]);
    std::vector<const Group*> candidates, shown;
    for (const Group& group : m_groups.at(tier))
        if (joined.contains(group.scope)) candidates.push_back(&group);
    if (candidates.empty())
        for (const Group& group : m_groups.at(tier)) candidates.push_back(&group);
    for (const std::size_t i : firstAndLast(candidates.size(), 3)) shown.push_back(candidates[i]);
    return shown;
}

void ElidedScene::placeElidedTier(SwitchTier tier, double top) {
    const auto groups = elidedGroups(tier);
    const std::size_t lead = groups.size() > 1 ? 1 : 3;
    constexpr double margin = 10;
    const double caption = groups.size() > 1 ? 20 : 0;
    std::vector<Row> rows;
    double width = 0;
    for (const Group* group : groups) {
        const double wide = std::clamp((m_right - m_left) / 5 - upperWidth, 3 * gap, 2 * upperWidth);
        rows.push_back(rowOf(firstAndLast(group->devices.size(), lead), upperWidth, groups.size() > 1 ? gap : wide,
                             groups.size() > 1 ? dotsGap : std::max(dotsGap, wide)));
        width += rows.back().width + 2 * margin;
    }
    const double space = m_right - m_left - width;
    const double between = groups.size() > 1 ? std::max(1.4 * dotsGap, space / static_cast<double>(groups.size())) : 0;
    double left = std::max(m_left, m_left + (m_right - m_left - width - between * static_cast<double>(groups.size() - 1)) / 2);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const auto& devices = groups[g]->devices;
        const auto shown = firstAndLast(devices.size(), lead);
        SceneBar bar;
        bar.rect = QRectF(left, top, rows[g].width + 2 * margin, caption + upperHeight + margin);
        bar.title = QString::fromStdString(m_fabric.scopePath(groups[g]->scope));
        bar.shape = shapeOf(tier);
        bar.count = static_cast<int>(devices.size());
        bar.rail = static_cast<int>(m_fabric.devices.rail[devices.front()]);
        const auto ofRail = std::count_if(groups.begin(), groups.end(), [&](const Group* group) {
            return static_cast<int>(m_fabric.devices.rail[group->devices.front()]) == bar.rail;
        });
        if (bar.rail > 0)
            bar.title = ofRail > 1 ? sceneText("%1, rail %2").arg(bar.title).arg(bar.rail) : sceneText("rail %1").arg(bar.rail);
        bar.firstNode = m_scene.nodes.size();
        for (std::size_t i = 0; i < shown.size(); ++i)
            addElidedSwitch(devices[shown[i]],
                            QRectF(left + margin + rows[g].left[i], top + caption + margin / 2 - 1, upperWidth, upperHeight));
        bar.lastNode = m_scene.nodes.size();
        for (const double dots : rows[g].dots)
            m_scene.dots.emplace_back(left + margin + dots, bar.rect.bottom() - margin / 2 - upperHeight / 2);
        if (groups.size() > 1) m_scene.bars.push_back(bar);
        m_right = std::max(m_right, bar.rect.right());
        left += bar.rect.width() + between;
        if (g + 1 < groups.size() && groups[g + 1] != groups[g] + 1) m_scene.dots.emplace_back(left - between / 2, bar.rect.center().y());
    }
}

// Collects the links whose two ends are drawn, and the nodes with links to elements that are not drawn.
ElidedScene::ElidedLinks ElidedScene::elidedLinks() const {
    std::map<std::uint32_t, std::size_t> nodeOfScope;
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n)
        if (m_scene.nodes[n].scope != none) nodeOfScope[m_scene.nodes[n].scope] = n;
    const auto nodeOf = [&](DeviceId device) {
        if (const auto own = m_nodeOfDevice.find(device); own != m_nodeOfDevice.end()) return std::optional(own->second);
        const DomainId domain = m_fabric.devices.hbDomain[device];
        const auto member = domain == none ? nodeOfScope.end() : nodeOfScope.find(m_fabric.hbDomains[domain]);
        return member == nodeOfScope.end() ? std::optional<std::size_t>() : std::optional(member->second);
    };
    const std::vector<ScopeId> handDrawn = freeTops(); // placed later and cabled individually
    ElidedLinks found;
    std::map<std::size_t, LinkTier> up, down;
    for (const LinkId l : m_fabric.links.ids()) {
        if (!m_fabric.isNetworkLink(l)) continue;
        const DeviceId low = m_fabric.links.a[l], high = m_fabric.links.b[l];
        if (handDrawn[m_fabric.devices.scope[low]] != none || handDrawn[m_fabric.devices.scope[high]] != none) continue;
        const auto a = nodeOf(low), b = nodeOf(high);
        const bool fromServer = a && m_scene.nodes[*a].scope != none;
        if (a && b) {
            const auto [line, isNew] = found.lines.try_emplace({*a, *b, fromServer ? static_cast<int>(m_fabric.devices.index[low]) : 0},
                                                               ElidedLine{low, high, m_fabric.links.tier[l], 0});
            if (!isNew && line->second.lower != low) line->second.lower = none; // represents several servers of an HB domain
            ++line->second.links;
        }
        if (a && !b && !fromServer) up[*a] = m_fabric.links.tier[l];
        if (b && !a) down[*b] = m_fabric.links.tier[l];
    }
    for (const auto& [ends, line] : found.lines) {
        up.erase(std::get<0>(ends));
        down.erase(std::get<1>(ends));
    }
    for (const auto& [node, tier] : up) found.stubs.push_back({node, tier, true});
    for (const auto& [node, tier] : down) found.stubs.push_back({node, tier, false});
    return found;
}

// Draws the links as straight lines; links to switches that are not drawn become stubs.
void ElidedScene::drawElidedLinks() {
    const ElidedLinks found = elidedLinks();
    int pips = 0; // number of NIC pips that a server shows
    for (const DeviceId d : m_fabric.devices.ids()) pips += m_fabric.devices.isNic(d) && m_fabric.devices.server[d] == 0;
    pips = std::clamp(pips, 1, 8);
    const auto bundle = [&](LinkTier tier, QPolygonF path, int rail, DeviceId lower, DeviceId upper) {
        SceneBundle line;
        line.tier = tier;
        line.layer = tier == LinkTier::LeafSpine ? Layer::RailLinks : tier < LinkTier::LeafSpine ? Layer::HostLinks : Layer::UpperLinks;
        line.lower = lower;
        line.upper = upper;
        line.links = 1;
        line.path = std::move(path);
        line.rail = rail;
        m_scene.bundles.push_back(line);
    };
    for (const auto& [ends, line] : found.lines) {
        const auto& [a, b, nic] = ends;
        const SceneNode &lower = m_scene.nodes[a], &upper = m_scene.nodes[b];
        const QPointF head(upper.rect.center().x(), upper.rect.bottom()), foot(lower.rect.center().x(), lower.rect.top());
        const int rail = upper.rail == 0 && lower.shape == Shape::Leaf ? lower.rail : upper.rail;
        if (lower.scope == none) {
            bundle(line.tier, {foot, head}, rail, line.lower, line.upper);
            continue;
        }
        const double x = lower.rect.left() + lower.rect.width() * ((nic - 1) % pips + 0.5) / pips;
        bundle(line.tier, {QPointF(x, foot.y()), QPointF(x, foot.y() - riser), head + QPointF(0, riser), head}, rail, line.lower,
               line.upper);
    }
    constexpr double stubLength = 16;
    for (const auto& [n, tier, isUp] : found.stubs) {
        const SceneNode& node = m_scene.nodes[n];
        const double from = isUp ? node.rect.top() : node.rect.bottom(), to = isUp ? from - stubLength : from + stubLength;
        bundle(tier, {QPointF(node.rect.center().x(), from), QPointF(node.rect.center().x(), to)}, node.rail, isUp ? node.device : none,
               isUp ? none : node.device);
    }
    sayLinksPerPair(found);
}

// Adds the links per pair below the link count of a tier, if all pairs have the same number.
void ElidedScene::sayLinksPerPair(const ElidedLinks& found) {
    std::map<std::pair<std::size_t, std::size_t>, int> ofPair; // keyed by the two nodes
    for (const auto& [ends, line] : found.lines) ofPair[{std::get<0>(ends), std::get<1>(ends)}] += line.links;
    std::map<Shape, std::set<int>> perPair; // keyed by the shape of the lower end
    for (const auto& [ends, links] : ofPair) {
        const Shape shape = m_scene.nodes[ends.first].shape;
        perPair[shape == Shape::HbDomain ? Shape::Server : shape].insert(links);
    }
    for (const auto& [shape, label] : m_linkLabels)
        if (perPair[shape].size() == 1)
            m_scene.labels[label].note += QLatin1Char('\n') + sceneText("%1 per pair").arg(*perPair[shape].begin());
}

// Draws the first two groups and the last, and the first few that differ from the others.
std::vector<std::size_t> ElidedScene::elidedUnits() const {
    constexpr std::size_t mostApart = 3;
    std::vector<std::size_t> shown = firstAndLast(m_units.size(), 2);
    std::size_t apart = 0;
    for (std::size_t u = 0; u < m_units.size() && apart < mostApart; ++u) {
        const bool isShort = u + 1 < m_units.size() && (m_units[u].members.size() != m_units[0].members.size() ||
                                                        m_units[u].leaves.size() != m_units[0].leaves.size());
        if ((!m_units[u].changed && !isShort) || std::find(shown.begin(), shown.end(), u) != shown.end()) continue;
        shown.push_back(u);
        ++apart;
    }
    std::sort(shown.begin(), shown.end());
    return shown;
}

QString ElidedScene::switchesOf(SwitchTier tier) const {
    const std::int64_t count = m_counts.switchesByTier[static_cast<std::size_t>(tier)];
    return count == 1 ? sceneText("1 switch") : sceneText("%1 switches").arg(grouped(count));
}

void ElidedScene::layOut() {
    const double tierGap = m_groups.size() > 1 ? 124 : 176,
                 hostGap = m_groups.size() > 1 ? 104 : 136; // gives roughly the shape of a screen
    m_scene.isElided = true;
    double y = 16;
    std::map<SwitchTier, double> tops;
    const auto linkLabel = [&](LinkTier tier, Shape lower, double at) {
        m_linkLabels[lower] = m_scene.labels.size();
        addLabel(at, sceneText("Links"), grouped(links(tier)));
    };
    for (const SwitchTier tier : {SwitchTier::Core, SwitchTier::Superspine, SwitchTier::Spine}) {
        if (!m_groups.contains(tier)) continue;
        tops[tier] = y;
        const QString name = tier == SwitchTier::Core         ? sceneText("Core")
                             : tier == SwitchTier::Superspine ? sceneText("Superspine")
                                                              : sceneText("Spine");
        addLabel(y, name, switchesOf(tier));
        const double at = y + upperHeight + 20 + tierGap / 2 - 24;
        if (tier == SwitchTier::Core) linkLabel(LinkTier::SuperspineCore, Shape::Superspine, at);
        if (tier == SwitchTier::Superspine) linkLabel(LinkTier::SpineSuperspine, Shape::Spine, at);
        if (tier == SwitchTier::Spine) linkLabel(LinkTier::LeafSpine, Shape::Leaf, at);
        y += upperHeight + 20 + tierGap;
    }
    m_leafTop = y;
    m_cardTop = m_leafTop + leafHigh + hostGap;
    if (!m_units.empty()) {
        addLabel(m_leafTop, sceneText("Leaf"), switchesOf(SwitchTier::Leaf));
        linkLabel(LinkTier::HostLeaf, Shape::Server, m_leafTop + leafHigh + hostGap / 2 - 24);
        addLabel(m_cardTop + measure::cardHeader, sceneText("Servers"), serversText());
    }
    const auto shown = elidedUnits();
    double left = m_left;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0 && shown[i] != shown[i - 1] + 1) {
            for (const double at : {m_leafTop + leafHigh / 2, m_cardTop + serverTop + serverHeight / 2})
                m_scene.dots.emplace_back(left + dotsGap / 2 - blockGap / 2, at);
            m_elidedUnits = QRectF(left - blockGap / 2, m_cardTop, dotsGap, serverTop + serverHeight);
            left += dotsGap;
        }
        left += placeElidedUnit(m_units[shown[i]], left) + blockGap;
    }
    m_right = std::max(left - blockGap, m_left + 2 * measure::cardWidth);
    m_scene.foldedSus = static_cast<int>(m_units.size() - shown.size());
    for (const SwitchTier tier : {SwitchTier::Spine, SwitchTier::Superspine, SwitchTier::Core})
        if (tops.contains(tier)) placeElidedTier(tier, tops[tier]);
    drawElidedLinks();
}

} // namespace railyard
