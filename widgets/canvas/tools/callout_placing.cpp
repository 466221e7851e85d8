#include "widgets/canvas/tools/callout_placing.h"

#include "widgets/canvas/scene/callout_layout.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {
constexpr char calloutPrefix[] = "callout-";
}

CalloutPlacing::CalloutPlacing(Viewport& port, std::function<void(const Callout&)> wanted)
    : CanvasPart(port),
      m_wanted(std::move(wanted)) {}

// The callout that a drop creates: attached to the element or SU under the pointer, and placed a little to its side.
std::optional<Callout> CalloutPlacing::calloutFor(const std::string& name, QPointF screen) const {
    const auto kind = name.starts_with(calloutPrefix) ? calloutKindFrom(name.substr(sizeof calloutPrefix - 1)) : std::nullopt;
    if (!kind) return {};
    const QPointF world = view().toWorld(screen);
    Callout callout{.kind = *kind, .at = {std::round(world.x()), std::round(world.y())}};
    QRectF about;
    const std::ptrdiff_t node = m_port.nodeAt(screen);
    const SceneCard* card = scene().cardAt(world);
    const bool isFreeStanding = *kind == Callout::Kind::Legend || *kind == Callout::Kind::Logo;
    if (isFreeStanding || (node >= 0 && scene().nodes[static_cast<std::size_t>(node)].shape == Shape::Callout)) return callout;
    if (node >= 0) {
        about = scene().nodes[static_cast<std::size_t>(node)].rect;
        callout.of = {m_port.pathOf(scene().nodes[static_cast<std::size_t>(node)])};
    } else if (card && card->scope != none) {
        about = card->rect;
        callout.of = {fabric().scopePath(card->scope)};
    }
    if (!callout.of.empty()) callout.at = asideOf(*kind, about);
    return callout;
}

// A callout for the whole selection, or at the centre of the view if nothing is selected.
Callout CalloutPlacing::ofSelection(const Callout& wanted) const {
    Callout callout = wanted;
    QRectF about;
    for (const std::size_t n : m_port.selected()) {
        if (scene().nodes[n].shape == Shape::Callout) continue;
        about = about.united(scene().nodes[n].rect);
        callout.of.push_back(m_port.pathOf(n));
    }
    constexpr std::size_t most = 64; // more elements than a user would list
    if (callout.of.empty() || callout.of.size() > most) {
        callout.of.clear();
        return callout;
    }
    callout.at = asideOf(callout.kind, about);
    return callout;
}

Point CalloutPlacing::asideOf(Callout::Kind kind, const QRectF& about) const {
    const double unit = std::max(1.0, scene().calloutUnit);
    if (kind == Callout::Kind::Bracket) return {0, std::round(-4 * unit)};
    return {std::round(about.width() / 2 + 60 * unit), std::round(-about.height() / 2 - 40 * unit)};
}

void CalloutPlacing::addOfSelection(Callout::Kind kind) {
    const double unit = std::max(1.0, scene().calloutUnit);
    QPointF at = view().toWorld(m_port.area().center());
    if (kind == Callout::Kind::Legend || kind == Callout::Kind::Logo) { // placed next to the drawing and attached to all of it
        at = scene().bounds.topRight() + QPointF(170, kind == Callout::Kind::Legend ? 150 : 40) * unit;
        return ask({.kind = kind, .at = {std::round(at.x()), std::round(at.y())}});
    }
    ask(ofSelection({.kind = kind, .at = {std::round(at.x()), std::round(at.y())}}));
}

// A legend creates its own content. The user has to enter the text or the picture of other callouts.
void CalloutPlacing::ask(const Callout& callout) {
    if (callout.kind != Callout::Kind::Legend) return m_wanted(callout);
    m_port.apply(addCallout(design(), callout));
}

// Converts a position on the drawing to the callout's own coordinates.
Point CalloutPlacing::spotOf(Callout::Kind kind, const QRectF& about, const QRectF& rect) const {
    const bool below = rect.center().y() > about.center().y();
    QPointF at = rect.center() - calloutOrigin(kind, about, below);
    if (kind == Callout::Kind::Bracket && !about.isEmpty()) // outside the bracketed elements, on the bracket's side
        at.setY(below ? std::max(1.0, rect.top() - about.bottom()) : std::min(0.0, rect.bottom() - about.top()));
    return {std::round(at.x()), std::round(at.y())};
}

// Dragging from a callout to an element attaches it to that element.
Result<Edit> CalloutPlacing::tie(const SceneNode& from, const SceneNode& to) const {
    if (to.shape == Shape::Callout) return Error::unbuildable("A callout can only be attached to elements, not to another callout.");
    Callout callout = design().callouts[from.callout];
    callout.of = {m_port.pathOf(to)};
    callout.at = spotOf(callout.kind, to.rect, from.rect); // keeps its position
    return changeCallout(design(), from.callout, callout);
}

} // namespace railyard
