#include "widgets/canvas/scene/scene_folded.h"

#include "core/design/model/element_names.h"
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

QString traysOf(const std::vector<const RackContent*>& racks, int units) {
    std::int64_t trays = 0;
    for (const RackContent* rack : racks) trays += static_cast<std::int64_t>(rack->trays.size());
    return counted(trays * units, sceneText("%1 tray"), sceneText("%1 trays"));
}

constexpr double chamfer = 9; // size of the diagonal with which a riser joins its lane

const SceneBar* barOf(const Scene& scene, Shape shape, int rail) {
    for (const SceneBar& bar : scene.bars)
        if (bar.shape == shape && (bar.rail == rail || bar.rail == 0)) return &bar;
    return nullptr;
}

} // namespace

// Draws the first and the last unit; identical units between them are folded into one card. Of racks the first two, so that it is seen what
// stands beside one.
bool FoldedScene::folds(std::size_t u) const {
    if (u == 1 && m_detail != Detail::Elided && racksOf(m_racks, m_units[u].members).size() == 1) return false;
    if (m_detail == Detail::Full || m_units.size() <= 5 || u == 0 || u + 1 == m_units.size() || m_units[u].changed) return false;
    return m_units[u].members.size() == m_units[1].members.size() && m_units[u].leaves.size() == m_units[1].leaves.size();
}

// Leaves of several planes need a wider card, so that their numbers do not overlap.
double FoldedScene::cardWidthFor() const {
    constexpr double leafPitch = 29, widest = 2.5 * measure::cardWidth;
    std::size_t most = 0;
    for (const Unit& unit : m_units) most = std::max(most, unit.leaves.size());
    const double wanted = leafPitch * (static_cast<double>(most) + planeGap * static_cast<double>(m_counts.planes - 1));
    return wanted <= widest ? std::max(measure::cardWidth, wanted) : measure::cardWidth;
}

std::size_t FoldedScene::cardCount() const {
    std::size_t cards = 0;
    for (std::size_t u = 0; u < m_units.size(); ++cards)
        if (!folds(u))
            ++u;
        else
            while (u < m_units.size() && folds(u)) ++u;
    return cards;
}

// Up to a dozen cards are placed in one row. More cards form rows of roughly screen shape, whose lanes join in a gutter.
std::size_t FoldedScene::cardsInRow(std::size_t cards) const {
    constexpr std::size_t mostInOneRow = 12;
    constexpr double aspect = 1.7;
    if (cards <= mostInOneRow) return cards;
    const double pitch = (m_cardTop - m_lanesTop + m_cardHeight + measure::barGap) / (m_cardWidth + measure::cardGap);
    const double wanted = std::sqrt(static_cast<double>(cards) * pitch * aspect);
    return static_cast<std::size_t>(std::ceil(wanted / 4)) * 4;
}

void FoldedScene::placeCards() {
    m_cardWidth = cardWidthFor();
    for (const Unit& unit : m_units) {
        const auto racks = racksOf(m_racks, unit.members);
        m_cardWidth = std::max(m_cardWidth, widthOfRacks(racks.size()));
        for (const RackContent* rack : racks)
            m_cardHeight = std::max(m_cardHeight, rackHeight(*rack) + (racks.size() > 1 ? measure::cardHeader + measure::cardPadding : 0));
    }
    const std::size_t cards = cardCount(), inRow = cardsInRow(cards);
    const bool rows = inRow < cards;
    if (rows && m_lanes <= 24) m_left += m_lanes * measure::gutter + 12;
    double left = m_left;
    m_right = m_left + measure::cardWidth * 2;
    std::size_t placed = 0;
    for (std::size_t u = 0; u < m_units.size();) {
        if (placed > 0 && placed % inRow == 0) {
            m_rowShift += m_cardTop - m_lanesTop + m_cardHeight + measure::barGap;
            left = m_left;
        }
        ++placed;
        std::size_t run = u;
        while (run < m_units.size() && folds(run)) ++run;
        SceneCard card;
        card.rect = QRectF(left, m_cardTop + m_rowShift, m_cardWidth, m_cardHeight);
        const Unit& unit = m_units[u];
        card.firstSu = unit.su;
        card.scope = unit.scope;
        card.overridden = unit.scope != none && isOverridden([&] { return m_fabric.scopePath(unit.scope); });
        if (run > u + 1) {
            card.folded = static_cast<int>(run - u);
            const auto racks = racksOf(m_racks, unit.members);
            card.title =
                (racks.size() == 1 ? sceneText("Racks %1 to %2") : QStringLiteral("su[%1–%2]")).arg(unit.su).arg(m_units[run - 1].su);
            card.subtitle = racks.empty() ? membersOf(unit, card.folded) : traysOf(racks, card.folded);
            card.firstNode = card.lastNode = m_scene.nodes.size();
            m_scene.foldedSus += card.folded;
            u = run;
        } else {
            card.title = unit.scope == none ? QStringLiteral("su[%1]").arg(unit.su)
                                            : QString::fromStdString(ElementNames(*m_fabric.design).nameOf(m_fabric.scopePath(unit.scope)));
            card.subtitle = membersOf(unit);
            const auto racks = racksOf(m_racks, unit.members);
            racks.empty() ? placeMembers(unit, card) : placeRacks(unit, racks, card);
            const std::size_t firstBundle = m_scene.bundles.size();
            placeLeaves(unit, left);
            joinRails(firstBundle, card);
            ++u;
        }
        m_scene.cards.push_back(card);
        m_right = std::max(m_right, left + m_cardWidth);
        left += m_cardWidth + measure::cardGap;
    }
}

// Eight by four for the usual 32 servers, with an aisle in the middle for the cables of a selected leaf. Larger units get a finer grid in
// the same card, wider cards more columns.
void FoldedScene::placeMembers(const Unit& unit, SceneCard& card) {
    card.firstNode = m_scene.nodes.size();
    const int count = static_cast<int>(unit.members.size());
    const int wide = static_cast<int>(std::lround(m_cardWidth / measure::cardWidth));
    int columns = 8 * wide;
    while (columns * (columns / (2 * wide)) < count) columns += 4;
    const int rows = columns / (2 * wide);
    const double innerWidth = m_cardWidth - 2 * measure::cardPadding,
                 innerHeight = m_cardHeight - measure::cardHeader - measure::cardPadding;
    const double aisle = measure::aisle, pitchX = (innerWidth - aisle) / columns, pitchY = innerHeight / rows;
    for (int i = 0; i < count; ++i) {
        const QRectF rect(card.rect.left() + measure::cardPadding + (i % columns) * pitchX + (i % columns >= columns / 2 ? aisle : 0),
                          card.rect.top() + measure::cardHeader + (i / columns) * pitchY, pitchX * 0.92, pitchY * 0.82);
        m_scene.nodes.push_back(memberNode(unit, static_cast<std::size_t>(i), rect));
    }
    card.lastNode = m_scene.nodes.size();
}

// One rack is the card itself, its trays below its leaves; several stand side by side in it.
void FoldedScene::placeRacks(const Unit& unit, const std::vector<const RackContent*>& racks, SceneCard& card) {
    const auto gpusOf = [](const RackContent& rack) { return counted(rack.gpus, sceneText("%1 GPU"), sceneText("%1 GPUs")); };
    const bool isAlone = racks.size() == 1;
    // A leaf for every NIC of a tray, in one plane: then both stand in the same columns.
    const bool hasColumns = isAlone && m_counts.planes < 2 && unit.leaves.size() == racks.front()->nicsOfTray;
    const double columns = hasColumns ? (m_cardWidth - 2) / static_cast<double>(unit.leaves.size()) : 0;
    card.firstNode = m_scene.nodes.size();
    for (std::size_t r = 0; r < racks.size(); ++r) {
        auto [rack, trays] =
            layOutRack(m_fabric, *racks[r], isAlone ? card.rect : placeInCard(card.rect, *racks[r], r, racks.size()), columns);
        rack.firstNode = m_scene.nodes.size();
        for (SceneNode& tray : trays) {
            markOverride(tray, [&] { return m_fabric.scopePath(tray.scope); });
            m_scene.nodes.push_back(std::move(tray));
        }
        rack.lastNode = m_scene.nodes.size();
        if (!isAlone) {
            rack.title = sceneText("hb[%1]").arg(m_fabric.scopes[unit.members[r]].index);
            rack.note = gpusOf(*racks[r]);
        }
        card.racks.push_back(std::move(rack));
    }
    card.lastNode = m_scene.nodes.size();
    if (isAlone && card.title.startsWith(QLatin1String("su["))) card.title = sceneText("Rack %1").arg(unit.su); // it has no name
    QString name = QString::fromStdString(racks.front()->part->name);
    if (name.endsWith(QLatin1String(" rack"))) name.chop(5);
    card.subtitle = isAlone ? sceneText("%1 · %2").arg(gpusOf(*racks.front()), name)
                            : counted(static_cast<std::int64_t>(racks.size()), sceneText("%1 rack"), sceneText("%1 racks"));
}

// Rails run on down through the trays of a rack that is alone below its leaves.
void FoldedScene::joinRails(std::size_t firstBundle, SceneCard& card) const {
    if (card.racks.size() != 1 || m_scene.nodes[card.firstNode].pipPitch <= 0) return;
    for (std::size_t b = firstBundle; b < m_scene.bundles.size(); ++b)
        if (m_scene.bundles[b].tier == LinkTier::HostLeaf && m_scene.bundles[b].upper != none)
            card.racks.front().rails.push_back({m_scene.bundles[b].path.back().x(), b});
}

QString FoldedScene::racksText() const {
    std::size_t racks = 0;
    for (const Unit& unit : m_units) racks += unit.members.size();
    return counted(static_cast<std::int64_t>(racks), sceneText("%1 rack"), sceneText("%1 racks")) + QLatin1Char('\n') +
           counted(m_counts.servers, sceneText("%1 tray"), sceneText("%1 trays"));
}

void FoldedScene::placeLeaves(const Unit& unit, double left) {
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
        markOverride(node, [&] { return m_fabric.devicePath(device); });
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

void FoldedScene::addBar(const Group& group, QRectF rect, int stacked) {
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
            const double height = std::min(pitchY * (rows > 2 ? 0.8 : 0.9), 27.0);
            const double width = group.tier == SwitchTier::Spine ? std::min(pitchX * 0.92, 53.0) : std::min(pitchX * 0.88, height * 1.1);
            const QPointF centre(rect.left() + 6 + pitchX * (i % columns + 0.5), rect.top() + captionHeight + pitchY * (i / columns + 0.5));
            node.rect = QRectF(centre.x() - width / 2, centre.y() - height / 2, width, height);
            node.device = group.devices[static_cast<std::size_t>(i)];
            node.number = static_cast<int>(m_fabric.devices.index[node.device]);
            node.largestOfRow = static_cast<int>(m_fabric.devices.index[group.devices.back()]);
            node.rail = bar.rail;
            markOverride(node, [&] { return m_fabric.devicePath(node.device); });
            m_nodeOfDevice[node.device] = m_scene.nodes.size();
            m_scene.nodes.push_back(node);
        }
    }
    bar.lastNode = m_scene.nodes.size();
    m_scene.bars.push_back(bar);
}

// What the switches of a tier above the spines connect: pods, of each plane, or the groups of superspines below the core.
QString FoldedScene::connectedBy(SwitchTier tier) const {
    const SwitchTier lower =
        tier == SwitchTier::Core && m_groups.contains(SwitchTier::Superspine) ? SwitchTier::Superspine : SwitchTier::Spine;
    const auto found = m_groups.find(lower);
    const auto groups = static_cast<std::int64_t>(found == m_groups.end() ? 0 : found->second.size());
    const auto planes = std::max<std::int64_t>(1, m_counts.planes);
    if (lower == SwitchTier::Superspine)
        return counted(groups, sceneText("Connects the superspines of %1 group"), sceneText("Connects the superspines of %1 groups"));
    if (planes > 1 && groups % planes == 0)
        return sceneText("Connects the pods of each plane: %1 pods in %2 planes").arg(grouped(groups), grouped(planes));
    return counted(groups, sceneText("Connects the only pod"), sceneText("Connects the %1 pods"));
}

// One box for each group: next to each other for rails, one stacked box for identical pods, one bar for shared switches.
void FoldedScene::placeTier(SwitchTier tier, double top) {
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
    for (const auto& [rail, sameRail] : byScope) {
        const double own = (width - (boxes - 1) * 10) / boxes;
        addBar(*sameRail.front(), QRectF(left, top, own, measure::barHeight), static_cast<int>(sameRail.size()));
        SceneBar& bar = m_scene.bars.back();
        if (!byRail) {
            const auto planes = static_cast<std::size_t>(m_counts.planes);
            const QString what = planes < 2                  ? sceneText("%1 pods").arg(grouped(static_cast<std::int64_t>(sameRail.size())))
                                 : sameRail.size() == planes ? sceneText("%1 planes").arg(planes)
                                                             : sceneText("%1 pods in %2 planes").arg(sameRail.size()).arg(planes);
            const QString many = sameRail.size() > 1
                                     ? sceneText("%1 drawn as one, %2 switches each").arg(what).arg(sameRail.front()->devices.size())
                                     : QString();
            bar.title = tier == SwitchTier::Spine ? (many.isEmpty() ? sceneText("Shared by all rails") : many) : connectedBy(tier);
            if (m_lanes == 1 && many.isEmpty()) bar.title = tier == SwitchTier::Spine ? sceneText("Connects all leaves") : bar.title;
        }
        left += own + 10;
    }
}

void FoldedScene::placeLanes() {
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

void FoldedScene::joinTiers(SwitchTier lower, SwitchTier upper) {
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

void FoldedScene::layOut() {
    m_racks = rackContents(m_fabric);
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
    const bool areRacks = !m_units.empty() && !racksOf(m_racks, m_units.front().members).empty();
    if (!m_units.empty())
        addLabel(m_cardTop + 80, areRacks ? sceneText("Racks") : sceneText("Servers"), areRacks ? racksText() : serversText(),
                 {TierStep::ScalableUnits});
    placeCards();
    for (const auto& [tier, top] : tops) placeTier(tier, top);
    placeLanes();
    joinTiers(SwitchTier::Spine, SwitchTier::Superspine);
    joinTiers(SwitchTier::Superspine, SwitchTier::Core);
}

} // namespace railyard
