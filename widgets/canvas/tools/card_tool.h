#pragma once

#include "widgets/canvas/tools/tool.h"

namespace railyard {

// Presses on cards and lanes: a folded card unfolds, a lane is highlighted, and Ctrl with the head of a card adds an SU, with Shift
// too as an independent group.
class CardTool : public Tool {
public:
    using Tool::Tool;

    bool press(const Press& press) override;
    void move(QPointF at) override { m_lastAt = at; }
    void release(QPointF at, Qt::KeyboardModifiers keys) override;
    void cancel() override { m_card.reset(); }
    void paint(QPainter& painter) override;

private:
    Result<Edit> copyOfUnit(bool isFreeStanding) const;

    std::optional<std::size_t> m_card; // whose copy is dragged
    QPointF m_pressedAt, m_lastAt;
};

} // namespace railyard
