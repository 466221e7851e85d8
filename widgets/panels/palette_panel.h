// What can be dragged onto the drawing; Enter adds the item at the centre.
#pragma once

#include "core/design/edit.h"
#include "widgets/theme/tokens.h"

#include <QToolButton>
#include <QWidget>
#include <vector>

namespace railyard {

class PaletteButton : public QToolButton {
    Q_OBJECT

public:
    PaletteButton(PaletteItem item, const QString& text, QWidget* parent = nullptr);
    PaletteItem item() const { return m_item; }

signals:
    void added(PaletteItem item);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    PaletteItem m_item;
    QPoint m_pressedAt;
    bool m_dragging = false;
};

class PalettePanel : public QWidget {
    Q_OBJECT

public:
    explicit PalettePanel(QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);

signals:
    void added(PaletteItem item);

private:
    std::vector<PaletteButton*> m_buttons;
};

} // namespace railyard
