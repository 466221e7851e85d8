// Callouts on the canvas: dropped beside what they are about, moved, and tied to something else.
#include "widgets/canvas/canvas.h"

namespace railyard {

static constexpr char calloutPrefix[] = "callout-";

// What a drop of callout-arrow here makes: about the element or SU under the pointer, a little aside.
std::optional<Callout> Canvas::calloutFor(const std::string& name, QPointF screen) const {
    const auto kind = name.starts_with(calloutPrefix) ? calloutKindFrom(name.substr(sizeof calloutPrefix - 1)) : std::nullopt;
    if (!kind) return {};
    const QPointF world = m_view.toWorld(screen);
    Callout callout{.kind = *kind, .at = {std::round(world.x()), std::round(world.y())}};
    QRectF about;
    const std::ptrdiff_t node = nodeAt(screen);
    const SceneCard* card = m_scene.cardAt(world);
    const bool isApart = *kind == Callout::Kind::Legend || *kind == Callout::Kind::Logo;
    if (isApart || (node >= 0 && m_scene.nodes[static_cast<std::size_t>(node)].shape == Shape::Callout)) return callout;
    if (node >= 0) {
        about = m_scene.nodes[static_cast<std::size_t>(node)].rect;
        callout.of = {pathOf(m_scene.nodes[static_cast<std::size_t>(node)])};
    } else if (card && card->scope != none) {
        about = card->rect;
        callout.of = {m_document.now().fabric->scopePath(card->scope)};
    }
    if (!callout.of.empty()) callout.at = asideOf(*kind, about);
    return callout;
}

// About all that is selected; at the centre of what is seen where nothing is.
Callout Canvas::calloutOfSelection(const Callout& wanted) const {
    Callout callout = wanted;
    QRectF about;
    for (const std::size_t n : m_highlight.selected) {
        if (m_scene.nodes[n].shape == Shape::Callout) continue;
        about = about.united(m_scene.nodes[n].rect);
        callout.of.push_back(pathOf(m_scene.nodes[n]));
    }
    constexpr std::size_t most = 64; // paths that a person would list
    if (callout.of.empty() || callout.of.size() > most) {
        callout.of.clear();
        return callout;
    }
    callout.at = asideOf(callout.kind, about);
    return callout;
}

Point Canvas::asideOf(Callout::Kind kind, const QRectF& about) const {
    const double unit = std::max(1.0, m_scene.calloutUnit);
    if (kind == Callout::Kind::Bracket) return {0, std::round(-4 * unit)};
    return {std::round(about.width() / 2 + 60 * unit), std::round(-about.height() / 2 - 40 * unit)};
}

void Canvas::addCalloutOfSelection(Callout::Kind kind) {
    const double unit = std::max(1.0, m_scene.calloutUnit);
    QPointF at = m_view.toWorld(QRectF(rect()).center());
    if (kind == Callout::Kind::Legend || kind == Callout::Kind::Logo) { // beside the drawing, about all of it
        at = m_scene.bounds.topRight() + QPointF(170, kind == Callout::Kind::Legend ? 150 : 40) * unit;
        return askForCallout({.kind = kind, .at = {std::round(at.x()), std::round(at.y())}});
    }
    askForCallout(calloutOfSelection({.kind = kind, .at = {std::round(at.x()), std::round(at.y())}}));
}

// A legend says itself what it says; the words or the picture of the others have to be asked for.
void Canvas::askForCallout(const Callout& callout) {
    if (callout.kind != Callout::Kind::Legend) return emit calloutWanted(callout);
    QString reason;
    if (!m_document.apply(addCallout(*m_document.now().design, callout), &reason)) emit refused(reason);
}

// In a callout's own coordinates, of where it is to stand on the drawing.
Point Canvas::spotOf(Callout::Kind kind, const QRectF& about, const QRectF& rect) const {
    const bool below = rect.center().y() > about.center().y();
    QPointF at = rect.center() - calloutOrigin(kind, about, below);
    if (kind == Callout::Kind::Bracket && !about.isEmpty()) // outside, on its side
        at.setY(below ? std::max(1.0, rect.top() - about.bottom()) : std::min(0.0, rect.bottom() - about.top()));
    return {std::round(at.x()), std::round(at.y())};
}

// A drag from a callout to an element makes it be about that.
Result<Edit> Canvas::tieCallout(const SceneNode& from, const SceneNode& to) const {
    const Design& design = *m_document.now().design;
    if (to.shape == Shape::Callout) return Error::unbuildable("A callout is about elements, not about another callout.");
    Callout callout = design.callouts[from.callout];
    callout.of = {pathOf(to)};
    callout.at = spotOf(callout.kind, to.rect, from.rect); // it stays where it is
    return changeCallout(design, from.callout, callout);
}

} // namespace railyard
