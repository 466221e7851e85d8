#include "widgets/canvas/tools/drop_tool.h"

#include "core/design/edits/edit_elements.h"
#include "core/design/edits/edit_palette.h"
#include "core/design/recipes/recipe.h"
#include "widgets/canvas/overlays/tip.h"
#include "widgets/canvas/scene/free_place.h"
#include "widgets/theme/tokens.h"

#include <algorithm>
#include <utility>

namespace railyard {

DropTool::DropTool(Viewport& port, CalloutPlacing& callouts)
    : CanvasPart(port),
      m_callouts(callouts),
      m_preview(port.document(),
                [this] {
                    m_comparing.ask();
                    announce();
                }),
      m_comparing(
          [this] {
              return [before = std::make_shared<const Scene>(scene()), now = m_port.document().now().fabric, then = m_preview.fabric(),
                      detail = m_port.detail()] {
                  return then ? changesBetween(*before, *now, buildScene(*then, detail), *then) : SceneChanges();
              };
          },
          [this](SceneChanges found) {
              m_changes = std::move(found);
              emit m_port.changed();
          }),
      m_measuring([this] { return [own = m_port.document().now().design] {
                               return Measured{spineOptions(own), loneSpine(own)};
                           }; },
                  [this](Measured found) {
                      m_ladder = std::move(found);
                      emit m_port.changed();
                  }) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(restTime);
    QObject::connect(&m_rest, &QTimer::timeout, &m_port, [this] { m_rested = m_at; });
}

void DropTool::announce() {
    emit m_port.announced(m_item.isEmpty() ? Announcement() : m_preview.announcement());
    emit m_port.changed();
}

void DropTool::show(const QByteArray& item, QPointF at, DropReach reach) {
    if (item != m_item) m_rested.reset(), m_preview.clear();
    if (!m_rested && (item != m_item || at != m_at)) m_rest.start();
    m_item = item;
    m_at = at;
    m_reach = reach;
    m_tried = editAt(item.toStdString(), at);
    const bool isSpine = paletteItemFrom(item.toStdString()) == PaletteItem::Spine;
    if (isSpine && !std::exchange(m_areOptionsAsked, true)) m_measuring.ask();
    const QString before = m_preview.announcement().words;
    m_chosenSpines = isSpine ? chosenSpines() : 0;
    m_preview.show(*m_tried, isSpine && *m_tried ? spineWords(design(), *(*m_tried)->design) : QStringList());
    if (before != m_preview.announcement().words) m_changes = {}, m_comparing.drop();
    announce();
}

void DropTool::cancel() {
    m_preview.clear();
    m_tried.reset();
    m_changes = {};
    m_comparing.drop();
    m_measuring.drop();
    m_ladder = {};
    m_areOptionsAsked = false;
    emit m_port.announced({});
}

void DropTool::leave() {
    m_item.clear();
    m_rest.stop();
    m_tried.reset();
    m_preview.clear();
    m_changes = {};
    m_comparing.drop();
    announce();
}

int DropTool::chosenSpines() const {
    if (!m_tried || !*m_tried || !(*m_tried)->design->recipe) return 0;
    const auto settings = resolve(*(*m_tried)->design->recipe, *design().catalog);
    const auto then = settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    return then ? then->spinesPerPod : 0;
}

void DropTool::drop(const std::string& item, QPointF at, DropReach reach) {
    m_reach = reach;
    const std::optional<Result<Edit>> announced = std::exchange(m_tried, std::nullopt);
    leave();
    if (const auto callout = m_callouts.calloutFor(item, at))
        return void(QMetaObject::invokeMethod( // after the drag has ended
            &m_port, [this, callout = *callout] { m_callouts.ask(callout); }, Qt::QueuedConnection));
    const Point place = placeFor(item, at);
    const bool isHandDrawn = !paletteItemFrom(item) || m_reach != DropReach::Recipe || !design().recipe;
    m_port.apply(announced ? *announced : editAt(item, at)); // what the preview has shown, wherever the pointer has gone since
    if (isHandDrawn) m_port.reveal(QRectF(place.x - 40, place.y - 40, 80, 80));
}

// The edit of a drop at this position. A spine sets the next count that divides the uplinks evenly; to the right of where the pointer first
// rested it sets a higher one, to the left a lower one. The way from the palette to the drawing does not count. With Alt a spine sets any
// count, and other switches stay unwired.
Result<Edit> DropTool::editAt(const std::string& name, QPointF at) const {
    constexpr double pixelsToTheNextRung = 70, pixelsToTheNextCount = 30;
    const Design& own = design();
    if (auto callout = m_callouts.calloutFor(name, at)) {
        if (callout->kind != Callout::Kind::Legend) callout->text = "…"; // the text is entered after the drop
        if (callout->kind == Callout::Kind::Logo) callout->picture = SharedText("iVBORw0KGgo=");
        return addCallout(own, *callout);
    }
    const Point world = placeFor(name, at);
    const auto item = paletteItemFrom(name);
    if (item && m_reach == DropReach::One) return dropOne(own, *item, world);
    if (item && m_reach == DropReach::AnyCount) {
        const double further = std::max(0.0, (at.x() - m_rested.value_or(at).x()) / pixelsToTheNextCount);
        return dropOffRung(own, *item, 1 + static_cast<int>(further), world);
    }
    if (item == PaletteItem::Leaf && own.recipe && isOnUnit(at)) return dropLeafOnUnit(own);
    const double rungs = (at.x() - m_rested.value_or(at).x()) / pixelsToTheNextRung;
    const auto spines =
        item == PaletteItem::Spine ? spinesOnRung(own, static_cast<int>(rungs < 0 ? std::ceil(rungs) : rungs), rungs <= -1) : std::nullopt;
    if (spines) return setParameters(own, keepingRails(own, {{"spines", std::to_string(*spines)}}));
    return dropNamed(own, name, world);
}

// The next higher count and those above it, or the lower ones. None if there is none that way.
std::optional<int> DropTool::spinesOnRung(const Design& own, int further, bool isFewer) {
    const std::vector<SpineRung> counts = spineCounts(own), above = spineLadder(own);
    const auto now = static_cast<int>(counts.size()) - static_cast<int>(above.size()) - 1, last = static_cast<int>(counts.size()) - 1;
    if (now < 0 || (isFewer ? now == 0 : above.empty())) return {};
    const int place = std::clamp(isFewer ? now + further : now + 1 + further, 0, last);
    return counts[static_cast<std::size_t>(place)].spines;
}

bool DropTool::isOnUnit(QPointF at) const {
    const QPointF world = view().toWorld(at);
    constexpr double leafRow = 140; // from the leaves of a card to its upper edge
    return std::any_of(scene().cards.begin(), scene().cards.end(),
                       [&](const SceneCard& card) { return card.rect.adjusted(0, -leafRow, 0, 0).contains(world); });
}

// What is drawn by hand stands on the nearest free place: switches of a recipe in the row of their tier.
Point DropTool::placeFor(const std::string& name, QPointF at) const {
    QPointF world = view().toWorld(at);
    const auto item = paletteItemFrom(name);
    const Shape shape = item == PaletteItem::Leaf         ? Shape::Leaf
                        : item == PaletteItem::Spine      ? Shape::Spine
                        : item == PaletteItem::Superspine ? Shape::Superspine
                        : item                            ? Shape::Server
                                                          : Shape::Group;
    if (const auto row = shape == Shape::Group ? std::nullopt : rowOf(scene(), shape, world.y())) world.setY(*row);
    if (shape == Shape::Group && !scene().cards.empty()) world.setX(scene().bounds.right()); // a block of its own, right of the drawing
    const QPointF place = freePlace(scene(), world, sizeOfHandDrawn(shape));
    return {place.x(), place.y()};
}

// Describes the links per leaf with the new spine count, and the counts that divide the uplinks evenly.
QStringList DropTool::spineWords(const Design& before, const Design& after) const {
    const auto planOf = [](const Design& design) {
        const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
        return settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    };
    QStringList words;
    const auto then = planOf(after);
    if (then && then->networks > 1) words << QObject::tr("×%1, once in each separate network").arg(then->networks);
    if (then && then->tiers > 1 && then->spinesPerPod > 0 && then->leafUp % then->spinesPerPod == 0)
        words << QObject::tr("%1 links from each leaf to each of %2 spines").arg(then->leafUp / then->spinesPerPod).arg(then->spinesPerPod);
    QStringList rungs;
    for (const SpineRung& rung : spineLadder(before)) rungs << QString::number(rung.spines);
    const QString even = rungs.join(QStringLiteral(" · "));
    if (m_reach == DropReach::AnyCount && !rungs.isEmpty()) words << QObject::tr("Counts that divide the uplinks evenly: %1").arg(even);
    if (m_reach == DropReach::Recipe && rungs.size() > 1)
        words << QObject::tr("Counts that divide the uplinks evenly: %1. Drop further right for more, or left for fewer.").arg(even);
    if (m_reach == DropReach::Recipe)
        words << (then && planOf(before) && planOf(before)->tiers < 2
                      ? QObject::tr("Shift or Alt: just one, unconnected")
                      : QObject::tr("Shift or Alt: any count. Ctrl: just one, unconnected"));
    return words;
}

// The segments below the ladder: one switch, or as many as the recipe needs for the chosen count.
std::vector<LadderReach> DropTool::reaches() const {
    const std::vector<SpineOption>& options = m_ladder.options;
    const auto now = std::find_if(options.begin(), options.end(), [](const SpineOption& option) { return option.isNow; });
    const auto chosen =
        std::find_if(options.begin(), options.end(), [&](const SpineOption& option) { return option.spines == m_chosenSpines; });
    if (now == options.end()) return {};
    std::vector<LadderReach> found;
    if (m_ladder.lone)
        found.push_back({QObject::tr("Just one, unconnected (Ctrl)"), 1, m_ladder.lone->networkCost, m_reach == DropReach::One});
    const QString every = m_port.document().now().instant.counts.switchesByTier[static_cast<std::size_t>(SwitchTier::Superspine)] > 0
                              ? QObject::tr("Every pod")
                              : QObject::tr("All leaves");
    if (chosen != options.end())
        found.push_back({every, chosen->switches - now->switches, chosen->costAbove(*now), m_reach == DropReach::Recipe});
    return found;
}

void DropTool::paint(QPainter& painter) {
    if (m_item.isEmpty()) return;
    paintChanges(painter, m_changes, tokens(), view());
    QPen pen(m_preview.isRefused() ? tokens().danger : tokens().ghost, 1.6, Qt::CustomDashLine);
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.setBrush(m_preview.isRefused() ? tokens().dangerBg : tokens().ghostFill);
    painter.drawRoundedRect(QRectF(m_at - QPointF(34, 15), QSizeF(68, 30)), 5, 5);
    painter.setPen(m_preview.isRefused() ? tokens().danger : tokens().ghost);
    painter.setFont(fontFor(TextRole::Caption));
    painter.drawText(QRectF(m_at - QPointF(40, 15), QSizeF(80, 30)), Qt::AlignCenter,
                     QString::fromLatin1(m_item).section(QStringLiteral("callout-"), -1));
    const bool isLadder = !m_ladder.options.empty() && m_reach != DropReach::AnyCount && !m_preview.isRefused() &&
                          paletteItemFrom(m_item.toStdString()) == PaletteItem::Spine;
    if (!isLadder) return paintTip(painter, tokens(), m_port.area(), m_at, m_preview.lines(), m_preview.isRefused());
    QStringList notes{QObject::tr("Drop further right for more, or left for fewer. Shift or Alt: any count.")};
    if (std::any_of(m_ladder.options.begin(), m_ladder.options.end(), [](const SpineOption& option) { return !option.isCostComplete; }))
        notes << QObject::tr("Costs exclude parts without a price.");
    paintLadder(painter, tokens(), m_port.area(), m_at,
                {m_preview.announcement().words, m_ladder.options, m_reach == DropReach::One ? 0 : m_chosenSpines, notes, reaches()});
}

} // namespace railyard
