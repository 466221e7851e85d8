#include "widgets/canvas/preview/scene_changes.h"

#include "core/base/unit_text.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/theme/text.h"

#include <map>
#include <set>
#include <string>
#include <tuple>

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

std::int64_t serversOf(const SceneCard& card) { return static_cast<std::int64_t>(card.lastNode - card.firstNode) * card.folded; }

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

// Cards are compared while they are drawn one by one; folded ones move their limits.
void addCards(const Scene& before, const Scene& after, std::vector<SceneChange>& changes) {
    std::map<int, const SceneCard*> now, then;
    for (const SceneCard& card : before.cards) now[card.firstSu] = &card;
    for (const SceneCard& card : after.cards) then[card.firstSu] = &card;
    for (const auto& [su, card] : now) {
        const auto found = then.find(su);
        const std::int64_t by = (found == then.end() ? 0 : serversOf(*found->second)) - serversOf(*card);
        if (by != 0) changes.push_back({card->rect, by, false});
    }
    for (const auto& [su, card] : then)
        if (!now.contains(su)) changes.push_back({card->rect, serversOf(*card), true});
}

std::set<std::string> pathsOf(const Scene& scene, const Fabric& fabric) {
    std::set<std::string> paths;
    for (const SceneNode& node : scene.nodes)
        if (node.shape != Shape::Callout) paths.insert(pathOf(node, fabric));
    return paths;
}

constexpr std::size_t mostGhosts = 4000;

// What would come stands where nothing stands now: in a row that is drawn closer afterwards, the count of the row says enough.
void addGhosts(const Scene& before, const Fabric& now, const Scene& after, const Fabric& then, std::vector<SceneGhost>& ghosts) {
    const std::set<std::string> old = pathsOf(before, now), fresh = pathsOf(after, then);
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
        if (ghosts.size() < mostGhosts && node.shape != Shape::Callout && !old.contains(pathOf(node, then)) && isFree(node.rect))
            ghosts.push_back({node.rect, node.shape, false});
    for (const SceneNode& node : before.nodes)
        if (ghosts.size() < mostGhosts && node.shape != Shape::Callout && !fresh.contains(pathOf(node, now)))
            ghosts.push_back({node.rect, node.shape, true});
}

} // namespace

SceneChanges changesBetween(const Scene& before, const Fabric& now, const Scene& after, const Fabric& then) {
    SceneChanges changes;
    addBars(before, after, changes.counts);
    addCards(before, after, changes.counts);
    addGhosts(before, now, after, then, changes.ghosts);
    return changes;
}

namespace {

void paintFrame(QPainter& painter, const SceneChange& change, const Tokens& tokens, const ViewState& view) {
    QPen pen(change.by < 0 ? tokens.danger : tokens.ghost, 1.6, Qt::CustomDashLine);
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.setBrush(change.isGhost ? QBrush(tokens.ghostFill) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(view.toScreen(change.frame), 8, 8);
}

void paintCount(QPainter& painter, const SceneChange& change, const Tokens& tokens, const ViewState& view) {
    const bool isLoss = change.by < 0;
    const QRectF box = view.toScreen(change.frame);
    const QString words = (isLoss ? QString() : QStringLiteral("+")) + text(formatCount(change.by)); // formatCount writes the minus sign
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(words) + 14;
    const QRectF pill(box.left() + 0.75 * box.width() - width / 2, box.top() - 9, width, 18); // clear of titles at both ends
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
