// Mouse, keyboard and drop events of the canvas.
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/scene/scene_builder.h"
#include "widgets/theme/plain_text.h"

#include <QApplication>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>

namespace railyard {

bool Canvas::isHead(const SceneCard& card, QPointF world) { return world.y() < card.rect.top() + measure::cardHeader; }

void Canvas::mousePressEvent(QMouseEvent* event) {
    if (m_gesture != Gesture::None) return; // a second button does not interrupt the current gesture
    m_pressedAt = m_lastAt = event->position();
    m_pressedNode = nodeAt(m_pressedAt);
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld)) {
        m_gesture = Gesture::Pan;
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton) return;
    if (minimap().contains(m_pressedAt)) {
        m_gesture = Gesture::Minimap;
        return centreOn(m_pressedAt);
    }
    if (m_failing && !(event->modifiers() & Qt::ControlModifier) && pressToFail(m_pressedAt)) return void(m_pressedNode = -1);
    const std::vector<Chip> all = chips();
    if (const Chip* chip = chipAt(all, m_pressedAt); chip && !m_failing)
        return turn(*chip, m_pressedAt.x() < chip->rect.center().x() ? -1 : 1);
    const std::vector<CountHandle> handles = countHandles();
    if (const CountHandle* handle = m_failing ? nullptr : countHandleAt(handles, m_pressedAt)) {
        m_gesture = Gesture::Count;
        m_count = *handle;
        m_countSteps = 0;
        m_preview.clear();
        return;
    }
    if (m_pressedNode < 0) {
        const SceneCard* card = m_scene.cardAt(m_view.toWorld(m_pressedAt));
        if (card && card->folded > 1) return setUnfolded(true);
        if (card && !m_failing && (event->modifiers() & Qt::ControlModifier) && isHead(*card, m_view.toWorld(m_pressedAt))) {
            m_gesture = Gesture::CopyUnit;
            m_pressedCard = static_cast<std::size_t>(card - m_scene.cards.data());
            return;
        }
        if (const int rail = m_scene.railAt(m_view.toWorld(m_pressedAt), 6 / m_view.scale); rail > 0)
            return highlightRail(rail == m_highlight.rail ? 0 : rail);
        if (!(event->modifiers() & Qt::ControlModifier)) setSelection({});
        m_gesture = Gesture::Rubber;
        return;
    }
    const auto node = static_cast<std::size_t>(m_pressedNode);
    m_pressedPort = m_failing || (event->modifiers() & Qt::ControlModifier) ? std::nullopt : portAt(m_pressedAt);
    if (m_pressedPort) {
        setSelection({node});
        m_gesture = Gesture::Connect;
        return;
    }
    if (!m_failing && (m_connecting || (event->modifiers() & Qt::AltModifier))) {
        m_gesture = Gesture::Connect;
        return;
    }
    std::set<std::size_t> selected = m_highlight.selected;
    m_toggleOnRelease = -1;
    if ((event->modifiers() & Qt::ControlModifier) && selected.contains(node)) {
        m_toggleOnRelease = m_pressedNode;
    } else if (event->modifiers() & Qt::ControlModifier) {
        selected.insert(node);
        setSelection(std::move(selected));
    } else if (!selected.contains(node)) {
        setSelection({node});
    }
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    const QPointF at = event->position();
    if (m_gesture == Gesture::Pan) {
        panBy(at - m_lastAt);
    } else if (m_gesture == Gesture::Minimap) {
        centreOn(at);
    } else if (m_gesture == Gesture::Count) {
        const QPointF by = at - m_pressedAt;
        const int steps = qRound((m_count.down ? by.y() : by.x()) / m_count.pitch);
        if (std::exchange(m_countSteps, steps) != steps && steps != 0) m_preview.show(countEdit(steps));
    } else if (m_gesture == Gesture::None && (event->buttons() & Qt::LeftButton) && m_pressedNode >= 0 && !m_failing &&
               (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
        m_gesture = Gesture::Move;
    } else if (m_gesture == Gesture::None) {
        const std::ptrdiff_t hovered = nodeAt(at);
        if (hovered != m_highlight.hovered) m_highlight.hovered = hovered;
        const std::vector<Chip> all = chips();
        const Chip* chip = chipAt(all, at);
        if (!m_connecting && chip) setCursor(Qt::PointingHandCursor);
        const std::vector<CountHandle> handles = countHandles();
        const CountHandle* handle = countHandleAt(handles, at);
        setToolTipOf(*this, chip ? chip->hint : handle ? handle->hint : QString());
        if (!m_connecting && !chip) setCursor(!handle ? Qt::ArrowCursor : handle->down ? Qt::SizeVerCursor : Qt::SizeHorCursor);
    }
    m_lastAt = at;
    update();
}

// Opens the SU of the card, or the block that contains the element.
void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const std::vector<CountHandle> handles = countHandles();
    const std::vector<Chip> all = chips();
    const bool isControl =
        chipAt(all, event->position()) || minimap().contains(event->position()) || countHandleAt(handles, event->position());
    mousePressEvent(event); // a double click also counts as a press
    if (isControl || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) || m_connecting) return;
    const std::ptrdiff_t node = nodeAt(event->position());
    const SceneCard* card = m_scene.cardAt(m_view.toWorld(event->position()));
    if (event->button() == Qt::LeftButton && !m_failing && node >= 0 &&
        m_scene.nodes[static_cast<std::size_t>(node)].shape == Shape::Callout)
        return emit calloutOpened(static_cast<int>(m_scene.nodes[static_cast<std::size_t>(node)].callout));
    if (event->button() != Qt::LeftButton || (node < 0 && (!card || card->folded > 1 || card->scope == none))) return;
    const std::string path =
        node >= 0 ? pathOf(m_scene.nodes[static_cast<std::size_t>(node)]) : m_document.now().fabric->scopePath(card->scope);
    emit blockAsked(node < 0 ? path : path.substr(0, path.rfind('/')));
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    const bool panning = m_gesture == Gesture::Pan;
    if (event->button() != Qt::LeftButton && !panning) return;
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    m_lastAt = event->position();
    if (gesture == Gesture::Pan) setCursor(m_connecting ? Qt::CrossCursor : Qt::ArrowCursor);
    if (gesture == Gesture::Rubber) {
        const QRectF area = QRectF(m_view.toWorld(m_pressedAt), m_view.toWorld(m_lastAt)).normalized();
        std::set<std::size_t> inside = (event->modifiers() & Qt::ControlModifier) ? m_highlight.selected : std::set<std::size_t>();
        for (std::size_t n = 0; n < m_scene.nodes.size(); ++n)
            if (area.intersects(m_scene.nodes[n].rect) && isShown(m_scene.nodes[n])) inside.insert(n);
        if (area.width() > 1 || area.height() > 1) setSelection(std::move(inside));
    }
    if (gesture == Gesture::Move) finishMove(event->modifiers() & Qt::ControlModifier);
    if (gesture == Gesture::None && m_toggleOnRelease >= 0) {
        std::set<std::size_t> selected = m_highlight.selected;
        selected.erase(static_cast<std::size_t>(m_toggleOnRelease));
        setSelection(std::move(selected));
    }
    m_toggleOnRelease = -1;
    if (gesture == Gesture::Connect) finishConnect(m_lastAt);
    if (gesture == Gesture::CopyUnit && (m_lastAt - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
        QString reason;
        if (!m_document.apply(copyOfUnit(event->modifiers() & Qt::ShiftModifier), &reason)) emit refused(reason);
    }
    const int steps = std::exchange(m_countSteps, 0);
    if (gesture == Gesture::Count && steps != 0) {
        QString reason;
        if (!m_document.apply(countEdit(steps), &reason)) emit refused(reason);
    }
    update();
}

// Only hand-drawn elements have their own position; recipe elements keep their row and column.
void Canvas::finishMove(bool copying) {
    const Snap snapped = snap();
    const QPointF by = snapped.by;
    if (copying && copiesOfRecipe() > 0) {
        QString reason;
        if (!m_document.apply(stepTier(*m_document.now().design, TierStep::Servers, copiesOfRecipe()), &reason)) emit refused(reason);
        return;
    }
    if (copying) {
        const auto part = copyElements(*m_document.now().design, selectedPaths());
        if (!part) return emit refused(QString::fromStdString(part.error().text));
        return insert(**part, {std::round(by.x() / 12) * 12, std::round(by.y() / 12) * 12});
    }
    std::map<std::string, Point> places;
    for (const std::size_t n : m_highlight.selected) {
        const SceneNode& node = m_scene.nodes[n];
        if (!node.handDrawn) continue;
        if (node.shape == Shape::Callout && m_scene.callouts[node.callout].isParked) continue;
        if (node.shape == Shape::Callout) { // relative to the elements it is attached to
            const Callout::Kind kind = m_document.now().design->callouts[node.callout].kind;
            places[pathOf(node)] = spotOf(kind, m_scene.callouts[node.callout].about, node.rect.translated(by));
            continue;
        }
        const QPointF centre = node.rect.center() + by;
        constexpr double step = 12; // half the grid
        places[pathOf(node)] = {snapped.column ? centre.x() : std::round(centre.x() / step) * step,
                                snapped.row ? centre.y() : std::round(centre.y() / step) * step};
    }
    if (places.empty()) return emit refused(tr("Recipe elements cannot be moved. Drag a count handle, or change a parameter."));
    QString reason;
    if (!m_document.apply(moveElements(*m_document.now().design, places), &reason)) emit refused(reason);
}

// If only recipe servers are selected, copying them raises the server count.
int Canvas::copiesOfRecipe() const {
    int servers = 0;
    for (const std::size_t n : m_highlight.selected) {
        const SceneNode& node = m_scene.nodes[n];
        if (node.handDrawn || node.scope == none) return 0;
        ++servers;
    }
    return servers;
}

// Adds one SU to the recipe. If `apart` is set, its contents are copied as an independent group at the pointer.
Result<Edit> Canvas::copyOfUnit(bool apart) const {
    const Design& design = *m_document.now().design;
    if (!apart) return stepTier(design, TierStep::ScalableUnits, 1);
    const QPointF world = m_view.toWorld(m_lastAt);
    return copyBlock(design, m_document.now().fabric->scopePath(m_scene.cards[m_pressedCard].scope), {world.x(), world.y()});
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    const auto step = [this](int by) {
        if (m_scene.nodes.empty()) return;
        const auto count = static_cast<std::ptrdiff_t>(m_scene.nodes.size());
        const std::ptrdiff_t now =
            m_highlight.selected.empty() ? (by > 0 ? -1 : 0) : static_cast<std::ptrdiff_t>(*m_highlight.selected.begin());
        setSelection({static_cast<std::size_t>((now + by + count) % count)});
    };
    const bool nudge = event->modifiers() & Qt::ControlModifier;
    const auto nudgeBy = [this](double x, double y) {
        m_pressedNode = -1; // disables the guides
        m_pressedAt = QPointF(0, 0);
        m_lastAt = QPointF(x, y) * 12 * m_view.scale;
        finishMove();
    };
    switch (event->key()) {
    case Qt::Key_Space:
        m_spaceHeld = true;
        setCursor(Qt::OpenHandCursor);
        break;
    case Qt::Key_Left: nudge ? nudgeBy(-1, 0) : step(-1); break;
    case Qt::Key_Right: nudge ? nudgeBy(1, 0) : step(1); break;
    case Qt::Key_Up: nudge ? nudgeBy(0, -1) : panBy({0, 60}); break;
    case Qt::Key_Down: nudge ? nudgeBy(0, 1) : panBy({0, -60}); break;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
    case Qt::Key_4: emit scopeAsked(event->key() - Qt::Key_1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!m_selected.empty()) emit blockAsked(m_selected.begin()->substr(0, m_selected.begin()->rfind('/')));
        break;
    case Qt::Key_Escape:
        m_gesture = Gesture::None;
        highlightRail(0);
        showFigure({});
        setSelection({});
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void Canvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
    m_spaceHeld = false;
    setCursor(m_connecting ? Qt::CrossCursor : Qt::ArrowCursor);
}

void Canvas::dragEnterEvent(QDragEnterEvent* event) {
    if (!event->mimeData()->hasFormat(QLatin1String(paletteMimeType))) return;
    event->acceptProposedAction();
    m_dropOffRung = event->modifiers() & Qt::AltModifier;
    previewDrop(event->mimeData()->data(QLatin1String(paletteMimeType)), event->position());
}

void Canvas::dragMoveEvent(QDragMoveEvent* event) {
    m_dropOffRung = event->modifiers() & Qt::AltModifier;
    previewDrop(event->mimeData()->data(QLatin1String(paletteMimeType)), event->position());
    event->acceptProposedAction();
}

void Canvas::dragLeaveEvent(QDragLeaveEvent*) {
    m_dropItem.clear();
    update();
}

// The edit of a drop at this position. A spine sets the next count that divides the uplinks evenly; further to the right sets a
// higher one. With Alt a spine sets any count, and other switches stay unwired.
Result<Edit> Canvas::dropAt(const std::string& name, QPointF at) const {
    constexpr double pixelsToTheNextRung = 70, pixelsToTheNextCount = 30;
    const Design& design = *m_document.now().design;
    if (auto callout = calloutFor(name, at)) {
        if (callout->kind != Callout::Kind::Legend) callout->text = "…"; // the text is entered after the drop
        if (callout->kind == Callout::Kind::Logo) callout->picture = SharedText("iVBORw0KGgo=");
        return addCallout(design, *callout);
    }
    if (const auto item = paletteItemFrom(name); item && m_dropOffRung) {
        const QPointF world = m_view.toWorld(at);
        const double further = std::max(0.0, (at.x() - m_dropEntered.x()) / pixelsToTheNextCount);
        return dropOffRung(design, *item, 1 + static_cast<int>(further), {world.x(), world.y()});
    }
    const std::vector<SpineRung> ladder = paletteItemFrom(name) == PaletteItem::Spine ? spineLadder(design) : std::vector<SpineRung>();
    const auto rung = static_cast<std::size_t>(std::max(0.0, (at.x() - m_dropEntered.x()) / pixelsToTheNextRung));
    if (ladder.size() > 1)
        return setParameters(design, keepingRails(design, {{"spines", std::to_string(ladder[std::min(rung, ladder.size() - 1)].spines)}}));
    const QPointF world = m_view.toWorld(at);
    return dropNamed(design, name, {world.x(), world.y()});
}

// Computes the edit while dragging and shows its effect at the pointer before the drop.
void Canvas::previewDrop(const QByteArray& name, QPointF at) {
    if (name != m_dropItem) m_dropEntered = at, m_preview.clear();
    m_dropItem = name;
    m_dropAt = at;
    update();
    const auto tried = dropAt(name.toStdString(), at);
    const bool isSpine = tried && paletteItemFrom(name.toStdString()) == PaletteItem::Spine;
    m_preview.show(tried, isSpine ? spineWords(*m_document.now().design, *tried->design) : QStringList());
}

// Describes the links per leaf with the new spine count, and the counts that divide the uplinks evenly.
QStringList Canvas::spineWords(const Design& before, const Design& after) const {
    const auto planOf = [](const Design& design) {
        const auto settings = design.recipe ? resolve(*design.recipe, *design.catalog) : Result<RecipeSettings>(Error::usage(""));
        return settings ? plan(*settings) : Result<ClosPlan>(Error::usage(""));
    };
    QStringList words;
    const auto then = planOf(after);
    if (then && then->networks > 1) words << tr("×%1, once in each separate network").arg(then->networks);
    if (then && then->tiers > 1 && then->spinesPerPod > 0 && then->leafUp % then->spinesPerPod == 0)
        words << tr("%1 links from each leaf to each of %2 spines").arg(then->leafUp / then->spinesPerPod).arg(then->spinesPerPod);
    QStringList rungs;
    for (const SpineRung& rung : spineLadder(before)) rungs << QString::number(rung.spines);
    const QString even = rungs.join(QStringLiteral(" · "));
    if (m_dropOffRung && !rungs.isEmpty()) words << tr("Counts that divide the uplinks evenly: %1").arg(even);
    if (!m_dropOffRung && rungs.size() > 1)
        words << tr("Counts that divide the uplinks evenly: %1. Drop further right for more.").arg(even);
    if (!m_dropOffRung) words << tr("Alt: any count");
    return words;
}

void Canvas::dropEvent(QDropEvent* event) {
    const std::string name = event->mimeData()->data(QLatin1String(paletteMimeType)).toStdString();
    m_dropItem.clear();
    m_dropOffRung = event->modifiers() & Qt::AltModifier;
    update();
    event->acceptProposedAction();
    if (const auto callout = calloutFor(name, event->position()))
        return void(QMetaObject::invokeMethod( // after the drag has ended
            this, [this, callout = *callout] { askForCallout(callout); }, Qt::QueuedConnection));
    QString reason;
    if (!m_document.apply(dropAt(name, event->position()), &reason)) emit refused(reason);
}

} // namespace railyard
