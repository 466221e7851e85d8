#include "widgets/canvas/preview/scene_changes.h"

#include "core/base/unit_text.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/theme/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>

namespace railyard {
namespace {

std::string pathOf(const SceneNode& node, const Fabric& fabric) {
    return node.device != none ? fabric.devicePath(node.device) : fabric.scopePath(node.scope);
}

// A bar is known by its tier, its rail, and its place among those.
using BarKey = std::tuple<Shape, int, int>;

std::map<BarKey, const SceneBar*> barsOf(const Scene& scene) {
    std::map<BarKey, const SceneBar*> bars;
    std::map<std::pair<Shape, int>, int> next;
    for (const SceneBar& bar : scene.bars) bars[{bar.shape, bar.rail, next[{bar.shape, bar.rail}]++}] = &bar;
    return bars;
}

using Units = std::map<int, std::int64_t>; // servers of every SU

Units unitsOf(const Fabric& fabric) {
    Units units;
    std::vector<bool> isSeen(fabric.servers.size());
    for (const DeviceId d : fabric.devices.ids()) {
        const ServerId server = fabric.devices.server[d];
        if (server == none || isSeen[server]) continue;
        isSeen[server] = true;
        ++units[static_cast<int>(fabric.devices.su[d])];
    }
    return units;
}

void addBars(const Scene& before, const Scene& after, std::vector<SceneChange>& changes) {
    const auto now = barsOf(before), then = barsOf(after);
    for (const auto& [key, bar] : now) {
        const auto found = then.find(key);
        const std::int64_t count = found == then.end() ? 0 : std::int64_t{found->second->count} * found->second->stacked;
        const std::int64_t by = count - std::int64_t{bar->count} * bar->stacked;
        if (by != 0) changes.push_back({bar->rect, by, false});
    }
    for (const auto& [key, bar] : then)
        if (!now.contains(key)) changes.push_back({bar->rect, std::int64_t{bar->count} * bar->stacked, true});
}

// SUs stay where a fold hides them: they are counted in the fabric, not in the cards that are drawn.
void addCards(const Scene& before, const Units& now, const Scene& after, const Units& then, std::vector<SceneChange>& changes) {
    const auto serversIn = [](const SceneCard& card, const Units& units) {
        std::int64_t sum = 0;
        for (auto unit = units.lower_bound(card.firstSu); unit != units.end() && unit->first < card.firstSu + card.folded; ++unit)
            sum += unit->second;
        return sum;
    };
    for (const SceneCard& card : before.cards)
        if (const std::int64_t by = serversIn(card, then) - serversIn(card, now); by != 0) changes.push_back({card.rect, by, false});
    Units fresh = then;
    for (const auto& [su, servers] : now) fresh.erase(su);
    for (const SceneCard& card : after.cards)
        if (const std::int64_t by = serversIn(card, fresh); by != 0) changes.push_back({card.rect, by, !now.contains(card.firstSu)});
}

// A tier more moves all others: what stays keeps its place in the present drawing, and what comes stands beside it.
void alignTo(const Scene& before, const Units& now, Scene& after) {
    std::optional<QPointF> shift;
    for (const SceneCard& card : before.cards)
        for (const SceneCard& own : after.cards)
            if (!shift && own.firstSu == card.firstSu) shift = card.rect.topLeft() - own.rect.topLeft();
    const auto bars = barsOf(before);
    for (const auto& [key, bar] : barsOf(after))
        if (const auto found = bars.find(key); !shift && found != bars.end()) shift = found->second->rect.topLeft() - bar->rect.topLeft();
    if (!shift) return;
    for (SceneBar& bar : after.bars) bar.rect.translate(*shift);
    for (SceneNode& node : after.nodes) node.rect.translate(*shift);
    constexpr double gap = 14; // between SUs
    double right = 0;
    for (const SceneCard& card : before.cards) right = std::max(right, card.rect.right());
    for (SceneCard& card : after.cards) {
        card.rect.translate(*shift);
        const bool isCovered =
            std::any_of(before.cards.begin(), before.cards.end(), [&](const SceneCard& own) { return own.rect.intersects(card.rect); });
        if (now.contains(card.firstSu) || !isCovered) continue; // where an SU stands that a fold will hide
        const QPointF aside(right + gap - card.rect.left(), 0);
        card.rect.translate(aside);
        right = card.rect.right();
        for (std::size_t n = card.firstNode; n < card.lastNode; ++n) after.nodes[n].rect.translate(aside);
    }
}

// Switches of a tier, other devices, servers and other blocks.
using Kind = std::pair<int, int>;
Kind kindOf(const Fabric& fabric, DeviceId device) {
    const DeviceKind kind = fabric.devices.kind[device];
    return {static_cast<int>(kind), infoOf(kind).routes ? static_cast<int>(fabric.devices.tier[device]) : -1};
}

// Of the whole fabric, in its order.
std::map<Kind, std::vector<std::string>> elementsOf(const Fabric& fabric) {
    std::map<Kind, std::vector<std::string>> elements;
    for (const DeviceId d : fabric.devices.ids()) {
        const DeviceKind kind = fabric.devices.kind[d];
        if (!infoOf(kind).inDomain) elements[kindOf(fabric, d)].push_back(fabric.devicePath(d));
    }
    for (const ScopeId scope : indices<ScopeId>(fabric.scopes.size()))
        elements[{-1, static_cast<int>(fabric.scopes[scope].role)}].push_back(fabric.scopePath(scope));
    return elements;
}

struct Difference {
    std::set<std::string> come, gone;
};

Difference differenceOf(const Fabric& now, const Fabric& then) {
    const auto before = elementsOf(now), after = elementsOf(then);
    std::set<Kind> kinds;
    for (const auto* each : {&before, &after})
        for (const auto& [kind, paths] : *each) kinds.insert(kind);
    const auto of = [](const auto& elements, const Kind& kind) {
        const auto found = elements.find(kind);
        return found == elements.end() ? std::vector<std::string>() : found->second;
    };
    const auto without = [](std::vector<std::string> paths, const std::vector<std::string>& others) {
        const std::unordered_set<std::string> known(others.begin(), others.end());
        std::erase_if(paths, [&](const std::string& path) { return known.contains(path); });
        return paths;
    };
    Difference difference;
    for (const Kind& kind : kinds) {
        const std::vector<std::string> old = of(before, kind), fresh = of(after, kind);
        const std::vector<std::string> onlyOld = without(old, fresh), onlyFresh = without(fresh, old);
        const auto renamed = static_cast<std::ptrdiff_t>(std::min(onlyOld.size(), onlyFresh.size()));
        difference.gone.insert(onlyOld.begin() + renamed, onlyOld.end());
        difference.come.insert(onlyFresh.begin() + renamed, onlyFresh.end());
    }
    return difference;
}

constexpr std::size_t mostGhosts = 4000;

// What would come stands where nothing stands now: in a row that is drawn closer afterwards, the count of the row says enough.
void addGhosts(const Scene& before, const Fabric& now, const Scene& after, const Fabric& then, std::vector<SceneGhost>& ghosts) {
    const Difference difference = differenceOf(now, then);
    std::map<double, std::map<double, QRectF>> rows; // present elements by their upper edge and left edge
    for (const SceneNode& node : before.nodes) rows[node.rect.top()][node.rect.left()] = node.rect;
    const auto isFree = [&](const QRectF& rect) {
        constexpr double tallest = 80; // of an element
        for (auto row = rows.lower_bound(rect.top() - tallest); row != rows.end() && row->first < rect.bottom(); ++row) {
            auto at = row->second.lower_bound(rect.right());
            if (at != row->second.begin() && (--at)->second.intersects(rect)) return false;
        }
        return true;
    };
    for (const SceneNode& node : after.nodes)
        if (ghosts.size() < mostGhosts && node.shape != Shape::Callout && difference.come.contains(pathOf(node, then)) && isFree(node.rect))
            ghosts.push_back({node.rect, node.shape, false});
    for (const SceneNode& node : before.nodes)
        if (ghosts.size() < mostGhosts && node.shape != Shape::Callout && difference.gone.contains(pathOf(node, now)))
            ghosts.push_back({node.rect, node.shape, true});
}

} // namespace

SceneChanges changesBetween(const Scene& before, const Fabric& now, Scene after, const Fabric& then) {
    SceneChanges changes;
    const Units units = unitsOf(now);
    alignTo(before, units, after);
    addBars(before, after, changes.counts);
    addCards(before, units, after, unitsOf(then), changes.counts);
    addGhosts(before, now, after, then, changes.ghosts);
    return changes;
}

namespace {

// What would come above the upper edge shows there as a strip, with its count.
QRectF onScreen(const SceneChange& change, const ViewState& view) {
    constexpr double edge = 12, strip = 14;
    QRectF box = view.toScreen(change.frame);
    if (change.isGhost && box.top() < edge) box.setTop(edge);
    if (change.isGhost && box.top() <= edge && box.height() < strip) box.setHeight(strip);
    return box;
}

void paintFrame(QPainter& painter, const SceneChange& change, const Tokens& tokens, const ViewState& view) {
    QPen pen(change.by < 0 ? tokens.danger : tokens.ghost, 1.6, Qt::CustomDashLine);
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.setBrush(change.isGhost ? QBrush(tokens.ghostFill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(onScreen(change, view), 8, 8);
}

void paintCount(QPainter& painter, const SceneChange& change, const Tokens& tokens, const ViewState& view) {
    const bool isLoss = change.by < 0;
    const QRectF box = onScreen(change, view);
    const QString words = (isLoss ? QString() : QStringLiteral("+")) + text(formatCount(change.by)); // formatCount writes the minus sign
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(words) + 14;
    const double at = change.isGhost ? 0.5 : 0.75; // clear of titles at both ends, and of the bar that a new one stands on
    const QRectF pill(box.left() + at * box.width() - width / 2, box.top() - 9, width, 18);
    painter.setPen(QPen(isLoss ? tokens.danger : tokens.ghost, 1.2));
    painter.setBrush(isLoss ? tokens.dangerBg : tokens.ghostFill);
    painter.drawRoundedRect(pill, 9, 9);
    painter.setPen(isLoss ? tokens.danger : tokens.text);
    painter.drawText(pill, Qt::AlignCenter, words);
}

void paintGhosts(QPainter& painter, const std::vector<SceneGhost>& ghosts, const Tokens& tokens, const ViewState& view) {
    for (const SceneGhost& ghost : ghosts) {
        const QRectF box = view.toScreen(ghost.rect);
        QPen pen(ghost.isLoss ? tokens.danger : tokens.ghost, 1.2, Qt::CustomDashLine);
        pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.setBrush(ghost.isLoss ? QBrush(Qt::NoBrush) : QBrush(tokens.ghostFill));
        painter.drawPath(silhouette(ghost.shape, box));
        if (!ghost.isLoss || box.width() < 6) continue;
        painter.setPen(QPen(tokens.danger, 1.4));
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.topRight(), box.bottomLeft());
    }
}

} // namespace

void paintChanges(QPainter& painter, const SceneChanges& changes, const Tokens& tokens, const ViewState& view) {
    const QFont font = fontFor(TextRole::BodyBold);
    painter.setFont(font);
    for (const bool isFrame : {true, false}) { // ghosts stand on the frames, counts above them
        for (const SceneChange& change : changes.counts)
            isFrame ? paintFrame(painter, change, tokens, view) : paintCount(painter, change, tokens, view);
        if (isFrame) paintGhosts(painter, changes.ghosts, tokens, view);
    }
}

} // namespace railyard
