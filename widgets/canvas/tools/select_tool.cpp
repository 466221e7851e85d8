#include "widgets/canvas/tools/select_tool.h"

#include "core/design/edits/edit_copy.h"
#include "core/design/edits/edit_elements.h"
#include "core/design/edits/edit_tiers.h"
#include "widgets/canvas/scene/free_place.h"

#include <QApplication>
#include <cmath>

namespace railyard {

bool SelectTool::press(const Press& press) {
    if (press.button != Qt::LeftButton) return false;
    m_pressedAt = m_lastAt = press.at;
    m_held = press.node;
    m_toggleOnRelease = false;
    const bool isAdding = press.isWith(Qt::ControlModifier);
    if (press.node < 0) {
        if (!isAdding) m_port.select({});
        m_gesture = Gesture::Rubber;
        return true;
    }
    m_gesture = Gesture::Press;
    const auto node = static_cast<std::size_t>(press.node);
    std::set<std::size_t> selected = m_port.selected();
    if (isAdding && selected.contains(node)) {
        m_toggleOnRelease = true;
    } else if (isAdding) {
        selected.insert(node);
        m_port.select(std::move(selected));
    } else if (!selected.contains(node)) {
        m_port.select({node});
    }
    return true;
}

void SelectTool::move(QPointF at) {
    m_lastAt = at;
    if (m_gesture == Gesture::Press && !m_port.isFailing() && (at - m_pressedAt).manhattanLength() >= QApplication::startDragDistance())
        m_gesture = Gesture::Move;
}

void SelectTool::release(QPointF at, Qt::KeyboardModifiers keys) {
    m_lastAt = at;
    const Gesture gesture = std::exchange(m_gesture, Gesture::None);
    if (gesture == Gesture::Rubber) selectInside(keys & Qt::ControlModifier);
    if (gesture == Gesture::Press && m_toggleOnRelease) {
        std::set<std::size_t> selected = m_port.selected();
        selected.erase(static_cast<std::size_t>(m_held));
        m_port.select(std::move(selected));
    }
    if (gesture == Gesture::Move) finish(snapped(m_port, m_held, m_lastAt - m_pressedAt), keys & Qt::ControlModifier);
}

void SelectTool::cancel() {
    m_gesture = Gesture::None;
    m_held = -1;
}

void SelectTool::selectInside(bool isAdding) {
    const QRectF area = QRectF(view().toWorld(m_pressedAt), view().toWorld(m_lastAt)).normalized();
    if (area.width() <= 1 && area.height() <= 1) return;
    std::set<std::size_t> inside = isAdding ? m_port.selected() : std::set<std::size_t>();
    for (std::size_t n = 0; n < scene().nodes.size(); ++n)
        if (area.intersects(scene().nodes[n].rect) && m_port.isReachable(scene().nodes[n])) inside.insert(n);
    m_port.select(std::move(inside));
}

void SelectTool::nudge(QPointF steps) {
    constexpr double step = 12; // half the grid
    finish({steps * step, {}, {}}, false);
}

// Only hand-drawn elements have their own position; recipe elements keep their row and column.
void SelectTool::finish(const Snap& snap, bool isCopy) {
    const QPointF by = snap.by;
    if (isCopy && copiesOfRecipe() > 0) {
        return m_port.apply(stepTier(design(), TierStep::Servers, copiesOfRecipe()));
    }
    if (isCopy) {
        const auto part = copyElements(design(), {m_port.selectedPaths().begin(), m_port.selectedPaths().end()});
        if (!part) return m_port.refuse(QString::fromStdString(part.error().text));
        return m_arranging.insert(**part, {std::round(by.x() / 12) * 12, std::round(by.y() / 12) * 12});
    }
    std::map<std::string, Point> places;
    std::size_t movable = 0;
    for (const std::size_t n : m_port.selected()) movable += scene().nodes[n].handDrawn && scene().nodes[n].shape != Shape::Callout ? 1 : 0;
    for (const std::size_t n : m_port.selected()) {
        const SceneNode& node = scene().nodes[n];
        if (!node.handDrawn) continue;
        if (node.shape == Shape::Callout && scene().callouts[node.callout].isParked) continue;
        if (node.shape == Shape::Callout) { // relative to the elements it is attached to
            const Callout::Kind kind = design().callouts[node.callout].kind;
            places[m_port.pathOf(node)] = m_callouts.spotOf(kind, scene().callouts[node.callout].about, node.rect.translated(by));
            continue;
        }
        const QPointF centre = node.rect.center() + by;
        constexpr double step = 12; // half the grid
        QPointF place(snap.column ? centre.x() : std::round(centre.x() / step) * step,
                      snap.row ? centre.y() : std::round(centre.y() / step) * step);
        if (movable == 1) place = freePlace(scene(), place, node.rect.size(), {n}); // several keep their places among one another
        places[m_port.pathOf(node)] = {place.x(), place.y()};
    }
    if (places.empty()) return m_port.refuse(QObject::tr("Recipe elements cannot be moved. Drag a count handle, or change a parameter."));
    m_port.apply(moveElements(design(), places));
}

// If only recipe servers are selected, copying them raises the server count.
int SelectTool::copiesOfRecipe() const {
    int servers = 0;
    for (const std::size_t n : m_port.selected()) {
        const SceneNode& node = scene().nodes[n];
        if (node.handDrawn || node.scope == none) return 0;
        ++servers;
    }
    return servers;
}

void SelectTool::paint(QPainter& painter) {
    QPen pen(tokens().ghost, 1.4, Qt::CustomDashLine);
    pen.setDashPattern({3, 2.5});
    painter.setBrush(Qt::NoBrush);
    if (m_gesture == Gesture::Rubber) {
        painter.setPen(pen);
        painter.drawRect(QRectF(m_pressedAt, m_lastAt).normalized());
    }
    if (m_gesture != Gesture::Move) return;
    const Snap snap = snapped(m_port, m_held, m_lastAt - m_pressedAt);
    paintGuides(painter, m_port, snap);
    painter.setPen(QPen(tokens().ghost, 1));
    for (const std::size_t n : m_port.selected()) { // cables follow
        if (!scene().nodes[n].handDrawn) continue;
        const QRectF box = scene().nodes[n].rect.adjusted(-1, -1, 1, 1);
        for (const SceneCable& cable : scene().cables) {
            if (!box.contains(cable.a) && !box.contains(cable.b)) continue;
            painter.drawLine(view().toScreen(box.contains(cable.a) ? cable.a + snap.by : cable.a),
                             view().toScreen(box.contains(cable.b) ? cable.b + snap.by : cable.b));
        }
    }
    painter.setPen(pen);
    for (const std::size_t n : m_port.selected()) { // only what can be moved
        const QRectF ghost = view().toScreen(scene().nodes[n].rect.translated(snap.by));
        if (scene().nodes[n].handDrawn && m_port.isInSight(ghost)) painter.drawRoundedRect(ghost, 4, 4);
    }
}

} // namespace railyard
