#include "widgets/canvas/preview/scene_changes.h"

#include "core/base/unit_text.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/theme/text.h"

#include <map>

namespace railyard {
namespace {

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

} // namespace

std::vector<SceneChange> changesBetween(const Scene& before, const Scene& after) {
    std::vector<SceneChange> changes;
    addBars(before, after, changes);
    addCards(before, after, changes);
    return changes;
}

void paintChanges(QPainter& painter, const std::vector<SceneChange>& changes, const Tokens& tokens, const ViewState& view) {
    const QFont font = fontFor(TextRole::BodyBold);
    painter.setFont(font);
    for (const SceneChange& change : changes) {
        const QRectF box = view.toScreen(change.frame);
        const bool isLoss = change.by < 0;
        QPen pen(isLoss ? tokens.danger : tokens.ghost, 1.6, Qt::CustomDashLine);
        pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.setBrush(change.isGhost ? QBrush(tokens.ghostFill) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(box, 8, 8);
        const QString words =
            (isLoss ? QString() : QStringLiteral("+")) + text(formatCount(change.by)); // formatCount writes the minus sign
        const double width = QFontMetricsF(font).horizontalAdvance(words) + 14;
        const QRectF pill(box.left() + 0.75 * box.width() - width / 2, box.top() - 9, width, 18); // clear of titles at both ends
        painter.setPen(QPen(isLoss ? tokens.danger : tokens.ghost, 1.2));
        painter.setBrush(isLoss ? tokens.dangerBg : tokens.ghostFill);
        painter.drawRoundedRect(pill, 9, 9);
        painter.setPen(isLoss ? tokens.danger : tokens.text);
        painter.drawText(pill, Qt::AlignCenter, words);
    }
}

} // namespace railyard
