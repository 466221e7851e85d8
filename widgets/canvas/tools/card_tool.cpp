#include "widgets/canvas/tools/card_tool.h"

#include "core/design/edits/edit_copy.h"
#include "core/design/edits/edit_tiers.h"
#include "widgets/canvas/overlays/tip.h"

#include <QApplication>

namespace railyard {

bool CardTool::press(const Press& press) {
    if (press.button != Qt::LeftButton || press.node >= 0) return false;
    const QPointF world = view().toWorld(press.at);
    const SceneCard* card = scene().cardAt(world);
    if (card && card->folded > 1) {
        m_port.setDetail(Detail::Full);
        return true;
    }
    if (card && !m_port.isFailing() && press.isWith(Qt::ControlModifier) && Viewport::isHead(*card, world)) {
        m_card = static_cast<std::size_t>(card - scene().cards.data());
        m_pressedAt = m_lastAt = press.at;
        return true;
    }
    const int rail = scene().railAt(world, 6 / view().scale);
    if (rail > 0) m_port.highlightRail(rail == m_port.highlight().rail ? 0 : rail);
    return rail > 0;
}

void CardTool::release(QPointF at, Qt::KeyboardModifiers keys) {
    m_lastAt = at;
    if (!m_card || (at - m_pressedAt).manhattanLength() < QApplication::startDragDistance()) return m_card.reset();
    const auto copy = copyOfUnit(keys & Qt::ShiftModifier);
    m_card.reset();
    m_port.apply(copy);
}

Result<Edit> CardTool::copyOfUnit(bool isFreeStanding) const {
    if (!isFreeStanding) return stepTier(design(), TierStep::ScalableUnits, 1);
    const QPointF world = view().toWorld(m_lastAt);
    return copyBlock(design(), fabric().scopePath(scene().cards[*m_card].scope), {world.x(), world.y()});
}

void CardTool::paint(QPainter& painter) {
    if (!m_card || m_lastAt == m_pressedAt) return;
    QPen pen(tokens().ghost, 1.4, Qt::CustomDashLine);
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(view().toScreen(scene().cards[*m_card].rect).translated(m_lastAt - m_pressedAt), 8, 8);
    paintTip(painter, tokens(), m_port.area(), m_lastAt,
             {QObject::tr("Add one SU"), QObject::tr("Shift: independent copy outside the recipe")}, false);
}

} // namespace railyard
