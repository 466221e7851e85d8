#include "widgets/canvas/painter/selection_marks.h"

#include "widgets/canvas/painter/pair_fans.h"
#include "widgets/canvas/scene/bundle_keys.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

constexpr std::size_t mostBranches = 8; // elements whose branches are drawn; beyond that they would cover one another

// The links of the selection, each once.
std::vector<LinkId> linksOf(const CableIndex& index, const std::set<std::size_t>& selected) {
    std::vector<LinkId> links;
    for (const std::size_t node : selected) {
        const auto own = index.linksOf(node);
        links.insert(links.end(), own.begin(), own.end());
        if (links.size() > SelectionMarks::mostLinks) return {};
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

std::map<std::size_t, int> countOfBundles(const Scene& scene, const Fabric& fabric, const std::vector<LinkId>& links) {
    std::map<BundleKey, int> count;
    for (const LinkId link : links)
        for (const BundleKey& key : keysOf(fabric, link)) ++count[key];
    std::map<std::size_t, int> ofBundle;
    for (std::size_t b = 0; b < scene.bundles.size(); ++b) {
        if (!scene.bundles[b].tier) continue;
        if (const auto found = count.find(keyOf(scene.bundles[b])); found != count.end()) ofBundle[b] = found->second;
    }
    return ofBundle;
}

bool isLevel(const QPolygonF& path) { return path.size() == 2 && std::abs(path[0].y() - path[1].y()) < 0.5; }

} // namespace

SelectionMarks::SelectionMarks(const Scene& scene, const Fabric& fabric, const CableIndex& index, const std::set<std::size_t>& selected)
    : m_rails(scene.rails) {
    const std::vector<LinkId> links = linksOf(index, selected);
    if (links.empty()) return;
    m_cables = static_cast<std::int64_t>(links.size());
    for (const LinkId link : links)
        if (index.nodeOf(fabric.links.a[link]) == none || index.nodeOf(fabric.links.b[link]) == none) ++m_hidden;
    takeBundles(scene, countOfBundles(scene, fabric, links));
    for (const SceneCable& cable : scene.cables) { // drawn by hand
        const auto isOwn = [&](LinkId link) { return std::binary_search(links.begin(), links.end(), link); };
        const auto own = static_cast<int>(std::count_if(cable.of.begin(), cable.of.end(), isOwn));
        if (own > 0) m_accents.push_back({QPolygonF({cable.a, cable.b}), cable.rail, own, false, {}, {}});
    }
    bool isOneRailEach = true;
    for (const std::size_t n : selected) {
        const SceneNode& node = scene.nodes[n];
        isOneRailEach = isOneRailEach && node.rail > 0;
        m_litRails.insert(node.rail);
        if (selected.size() > mostBranches) continue;
        Count count{node.rect, node.rail, 0, 0};
        for (const LinkId link : index.linksOf(n)) ++(index.nodeOf(fabric.links.a[link]) == n ? count.up : count.down);
        if (node.device != none) m_counts.push_back(count);
    }
    if (!isOneRailEach || m_litRails.size() >= static_cast<std::size_t>(std::max(1, scene.rails))) m_litRails.clear();
    if (selected.size() <= mostBranches) takeBranches(scene, fabric, index, selected);
}

void SelectionMarks::takeBundles(const Scene& scene, const std::map<std::size_t, int>& linksOfBundle) {
    std::map<int, std::vector<QPointF>> joints; // by rail: where marked risers and exits end
    for (const auto& [b, links] : linksOfBundle)
        if (const SceneBundle& bundle = scene.bundles[b]; !isLevel(bundle.path))
            for (const QPointF& end : {bundle.path.first(), bundle.path.last()}) joints[bundle.rail].push_back(end);
    for (const auto& [b, links] : linksOfBundle) {
        const SceneBundle& bundle = scene.bundles[b];
        Accent accent{bundle.path, bundle.rail, links, bundle.isLane && isLevel(bundle.path), {}, bundle.pillAt};
        if (bundle.isLane && isLevel(bundle.path)) { // of a lane, only the part between those that join it
            double left = 1e18, right = -1e18;
            for (const QPointF& at : joints[bundle.rail])
                if (std::abs(at.y() - bundle.path[0].y()) < 1) left = std::min(left, at.x()), right = std::max(right, at.x());
            if (left >= right) continue;
            accent.path = QPolygonF({QPointF(left, bundle.path[0].y()), QPointF(right, bundle.path[0].y())});
        }
        if (!bundle.pill.isEmpty())
            accent.pill = links < bundle.links ? QCoreApplication::translate("Scene", "%1 of %2").arg(links).arg(bundle.links)
                                               : QString::number(links);
        m_accents.push_back(std::move(accent));
    }
}

void SelectionMarks::takeBranches(const Scene& scene, const Fabric& fabric, const CableIndex& index,
                                  const std::set<std::size_t>& selected) {
    for (const std::size_t n : selected) {
        if (scene.nodes[n].shape != Shape::Leaf || scene.nodes[n].handDrawn || scene.isElided) continue;
        branchIntoCards(scene, fabric, index, n);
        branchIntoBars(scene, fabric, index, n);
    }
}

// Down the aisle of the card, and from there above every row of servers to the NICs.
void SelectionMarks::branchIntoCards(const Scene& scene, const Fabric& fabric, const CableIndex& index, std::size_t leaf) {
    const SceneNode& from = scene.nodes[leaf];
    std::map<double, std::vector<std::pair<std::uint32_t, LinkId>>> rows; // by the upper edge of the servers
    for (const LinkId link : index.linksOf(leaf)) {
        const std::uint32_t server = index.nodeOf(fabric.links.a[link]);
        if (server == none || server == leaf || fabric.links.tier[link] != LinkTier::HostLeaf || scene.nodes[server].handDrawn) continue;
        rows[scene.nodes[server].rect.top()].emplace_back(server, link);
    }
    if (rows.empty()) return;
    const SceneCard* card = scene.cardAt(scene.nodes[rows.begin()->second.front().first].rect.center());
    if (!card || card->folded > 1) return;
    const double aisle = card->rect.center().x(), top = card->rect.top(), x = from.rect.center().x();
    const double turn = top - 10, cut = std::min(8.0, std::abs(aisle - x) / 2), way = aisle > x ? 1 : -1;
    QPolygonF trunk({QPointF(x, from.rect.bottom())});
    if (cut > 0.5)
        trunk << QPointF(x, turn - cut) << QPointF(x + way * cut, turn) << QPointF(aisle - way * cut, turn) << QPointF(aisle, turn + cut);
    for (const auto& [rowTop, servers] : rows) {
        if (!card->rect.contains(scene.nodes[servers.front().first].rect.center())) continue;
        Rake rake{rowTop - 5, aisle, aisle, aisle, from.rail, true, {}, trunk};
        rake.way << QPointF(aisle, rake.y);
        for (const auto& [server, link] : servers) {
            const QRectF& box = scene.nodes[server].rect;
            const double nics = index.nicsOfAServer(), slot = static_cast<double>(fabric.devices.index[fabric.links.a[link]]) - 0.5;
            const double nic = box.left() + box.width() * std::min(slot, nics) / nics;
            rake.ticks.push_back({nic, rowTop, 1, {link}, server});
            rake.left = std::min(rake.left, nic);
            rake.right = std::max(rake.right, nic);
        }
        m_rakes.push_back(std::move(rake));
    }
    trunk << QPointF(aisle, rows.rbegin()->first - 5);
    m_trunks.push_back({trunk, from.rail});
    // The trunk takes the place of the bundle from leaf to card.
    std::erase_if(m_accents, [&](const Accent& accent) {
        return accent.path.size() == 2 && accent.path[0] == QPointF(x, from.rect.bottom()) && std::abs(accent.path[1].y() - top) < 1;
    });
}

// Along the lower edge of the bar, and from there up to every switch.
void SelectionMarks::branchIntoBars(const Scene& scene, const Fabric& fabric, const CableIndex& index, std::size_t leaf) {
    std::map<std::uint32_t, std::vector<LinkId>> linksOf; // by upper node
    for (const LinkId link : index.linksOf(leaf))
        if (const std::uint32_t upper = index.nodeOf(fabric.links.b[link]); upper != none && upper != leaf) linksOf[upper].push_back(link);
    QPolygonF riser; // from the leaf to its lane
    for (const Accent& accent : m_accents)
        if (accent.rail == scene.nodes[leaf].rail && !accent.path.isEmpty() && !isLevel(accent.path))
            for (const bool isReversed : {false, true}) {
                QPolygonF path = accent.path;
                if (isReversed) std::reverse(path.begin(), path.end());
                const QPointF top(scene.nodes[leaf].rect.center().x(), scene.nodes[leaf].rect.top());
                if (std::abs(path.first().x() - top.x()) < 1 && std::abs(path.first().y() - top.y()) < 1) riser = path;
            }
    for (const SceneBar& bar : scene.bars) {
        if (bar.shape != Shape::Spine) continue;
        Rake rake{bar.rect.bottom() - 4, 1e18, -1e18, 0, scene.nodes[leaf].rail, false, {}, riser};
        for (const auto& [upper, links] : linksOf) {
            if (upper < bar.firstNode || upper >= bar.lastNode) continue;
            const QRectF& box = scene.nodes[upper].rect;
            rake.ticks.push_back({box.center().x(), box.bottom(), static_cast<int>(links.size()), links, upper});
            rake.left = std::min(rake.left, box.center().x());
            rake.right = std::max(rake.right, box.center().x());
        }
        if (rake.ticks.empty()) continue;
        for (const Accent& accent : m_accents) // where the lane enters the bar
            if (accent.rail == rake.rail && accent.path.size() == 2 && std::abs(accent.path.last().y() - bar.rect.bottom()) < 1) {
                rake.trunk = accent.path.last().x();
                rake.left = std::min(rake.left, rake.trunk);
                rake.right = std::max(rake.right, rake.trunk);
            }
        if (!riser.isEmpty()) rake.way << QPointF(rake.trunk, riser.last().y()) << QPointF(rake.trunk, rake.y);
        m_rakes.push_back(std::move(rake));
    }
}

void SelectionMarks::paint(QPainter& painter, const Tokens& tokens, const ViewState& view) const {
    const double part = std::clamp(view.scale, 0.3, 1.0);
    const auto onScreen = [&](const QPolygonF& path) {
        QPolygonF result;
        for (const QPointF& at : path) result << view.toScreen(at);
        return result;
    };
    const auto draw = [&](const QPolygonF& path, int rail, double width, bool isCased) {
        const QPolygonF line = onScreen(path);
        if (isCased) {
            painter.setPen(QPen(tokens.select, width + 2.8, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
            painter.drawPolyline(line);
        }
        painter.setPen(QPen(tokens.rail(rail, m_rails), width, Qt::SolidLine, isCased ? Qt::FlatCap : Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(line);
    };
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto widthOf = [&](const Accent& accent) { return std::min(9.5, 3 + 1.3 * std::log2(accent.links + 1)) * part; };
    const auto penOf = [&](const Accent& accent, const QColor& color, double more) {
        return QPen(color, widthOf(accent) + more, Qt::SolidLine, accent.isJoined ? Qt::SquareCap : Qt::FlatCap, Qt::RoundJoin);
    };
    constexpr double trunkWidth = 7.6;
    // All casings first, so that none strikes through a line that it joins.
    for (const Accent& accent : m_accents) {
        painter.setPen(penOf(accent, tokens.select, 2.8));
        painter.drawPolyline(onScreen(accent.path));
    }
    for (const Trunk& trunk : m_trunks) draw(trunk.path, trunk.rail, trunkWidth * part, true);
    for (const Accent& accent : m_accents) {
        painter.setPen(penOf(accent, tokens.rail(accent.rail, m_rails), 0));
        painter.drawPolyline(onScreen(accent.path));
    }
    for (const Rake& rake : m_rakes) {
        const double y = view.toScreen(QPointF(0, rake.y)).y();
        draw(QPolygonF({QPointF(rake.left, rake.y), QPointF(rake.right, rake.y)}), rake.rail, rake.isDown ? 2.6 * part : 4 * part, false);
        painter.setPen(QPen(tokens.rail(rake.rail, m_rails), 1.6 * std::max(part, 0.6)));
        for (const Tick& tick : rake.ticks) {
            const QPointF end = view.toScreen(QPointF(tick.x, tick.end));
            for (int s = 0; s < tick.strokes(); ++s) {
                const double x = view.toScreen(QPointF(tick.strokeX(s), 0)).x();
                painter.drawLine(QPointF(x, y), QPointF(x, end.y()));
            }
            if (rake.isDown && view.scale > 0.5)
                painter.fillRect(QRectF(end.x() - 2.2 * part, end.y(), 4.4 * part, 8 * part), tokens.rail(rake.rail, m_rails));
        }
    }
    paintCounts(painter, tokens, view);
}

std::optional<SelectionMarks::Thread> SelectionMarks::threadAt(QPointF screen, const ViewState& view) const {
    constexpr double leastScale = 0.5, reach = 5; // px; smaller branches cannot be told apart
    if (view.scale < leastScale) return {};
    const Rake* rake = nullptr;
    const Tick* tick = nullptr;
    int stroke = 0;
    double least = std::min(reach, 6.0 * view.scale);
    for (const Rake& each : m_rakes) {
        if (each.way.size() < 2) continue;
        const double start = view.toScreen(QPointF(0, each.y)).y();
        for (const Tick& own : each.ticks) {
            const double end = view.toScreen(QPointF(0, own.end + (each.isDown ? 8 : 0))).y(); // with the port itself
            if (screen.y() < std::min(start, end) - 1 || screen.y() > std::max(start, end) + 1) continue;
            for (int s = 0; s < own.strokes(); ++s)
                if (const double away = std::abs(screen.x() - view.toScreen(QPointF(own.strokeX(s), 0)).x()); away < least)
                    least = away, rake = &each, tick = &own, stroke = s;
        }
    }
    return tick ? std::optional(threadOf(*rake, *tick, stroke)) : std::nullopt;
}

SelectionMarks::Thread SelectionMarks::threadOf(const Rake& rake, const Tick& tick, int stroke) const {
    Thread thread{tick.of[static_cast<std::size_t>(stroke)], rake.way, tick.farNode, rake.rail};
    thread.path << QPointF(tick.strokeX(stroke), rake.y) << QPointF(tick.strokeX(stroke), tick.end);
    return thread;
}

std::optional<SelectionMarks::Thread> SelectionMarks::threadOf(LinkId link) const {
    for (const Rake& rake : m_rakes)
        for (const Tick& tick : rake.ticks) {
            const auto found = std::find(tick.of.begin(), tick.of.end(), link);
            if (found == tick.of.end() || rake.way.size() < 2) continue;
            Thread thread = threadOf(rake, tick, std::min(static_cast<int>(found - tick.of.begin()), tick.strokes() - 1));
            thread.link = link;
            return thread;
        }
    return {};
}

QString SelectionMarks::text() const {
    if (m_cables == 0) return {};
    const QString all = counted(m_cables, sceneText("%1 cable"), sceneText("%1 cables"));
    return m_hidden > 0 ? sceneText("%1, %2 of them to folded SUs").arg(all, grouped(m_hidden)) : all;
}

void SelectionMarks::paintThread(QPainter& painter, const Thread& thread, bool isSelected, const Scene& scene, const Tokens& tokens,
                                 const ViewState& view) const {
    QPolygonF line;
    for (const QPointF& at : thread.path) line << view.toScreen(at);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const QColor rail = tokens.rail(thread.rail, m_rails);
    if (isSelected) {
        painter.setPen(QPen(tokens.select, 7, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter.drawPolyline(line);
    }
    painter.setPen(QPen(isSelected ? rail : inkOn(rail), isSelected ? 3 : 1.8, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    painter.setPen(QPen(tokens.text, 2));
    if (thread.farNode < scene.nodes.size())
        painter.drawRoundedRect(view.toScreen(scene.nodes[thread.farNode].rect).adjusted(-2, -2, 2, 2), 4, 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.text);
    for (const QPointF& port : {line.first(), line.last()}) painter.drawEllipse(port, 3.4, 3.4);
    if (!isSelected) paintCounts(painter, tokens, view);
}

void SelectionMarks::paintCounts(QPainter& painter, const Tokens& tokens, const ViewState& view) const {
    if (view.scale < 0.3) return;
    QFont font = fontFor(TextRole::Caption);
    font.setBold(true);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    std::vector<QRectF> drawn;                                               // a pill that would cover another is left out
    const auto pill = [&](QPointF centre, const QString& words, int arrow) { // arrow: -1 up, 1 down, 0 none
        const double arrowWidth = arrow != 0 ? 11 : 0, width = metrics.horizontalAdvance(words) + 14 + arrowWidth;
        const QRectF box(centre.x() - width / 2, centre.y() - 9, width, 18);
        if (std::any_of(drawn.begin(), drawn.end(), [&](const QRectF& other) { return other.adjusted(-2, -2, 2, 2).intersects(box); }))
            return;
        drawn.push_back(box);
        painter.setPen(QPen(tokens.select, 1.4));
        painter.setBrush(tokens.card);
        painter.drawRoundedRect(box, 9, 9);
        painter.setPen(QPen(tokens.text, 1.4));
        painter.drawText(box.adjusted(arrowWidth, 0, 0, 0), Qt::AlignCenter, words);
        if (arrow == 0) return;
        const QPointF at(box.left() + 12, centre.y());
        painter.drawLine(at - QPointF(0, 4), at + QPointF(0, 4));
        for (const double side : {-3.0, 3.0}) painter.drawLine(at + QPointF(0, 4 * arrow), at + QPointF(side, 1 * arrow));
    };
    for (const Accent& accent : m_accents)
        if (!accent.pill.isEmpty()) pill(view.toScreen(accent.pillAt), accent.pill, 0);
    if (PairFans::isLevel(view)) return; // there the lines at the element say it
    constexpr double distance = 24;      // from the element to the middle of its count
    for (const Count& count : m_counts) {
        const QRectF box = view.toScreen(count.node);
        if (count.up > 0) pill({box.center().x(), box.top() - distance}, QString::number(count.up), -1);
        if (count.down > 0) pill({box.center().x(), box.bottom() + distance}, QString::number(count.down), 1);
    }
}

} // namespace railyard
