// The palette of items that can be dragged onto the drawing. Enter adds the focused item at the centre.
#pragma once

#include "core/design/edits/edit.h"
#include "widgets/theme/tokens.h"

#include <QToolButton>
#include <QWidget>
#include <string>
#include <vector>

class QHBoxLayout;

namespace railyard {

class PaletteButton : public QToolButton {
    Q_OBJECT

public:
    PaletteButton(std::string name, const QString& text, QWidget* parent = nullptr);
    const std::string& name() const { return m_name; } // the name that dropNamed() takes

signals:
    void added(const std::string& name);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    std::string m_name;
    QPoint m_pressedAt;
    bool m_dragging = false;
};

class PalettePanel : public QWidget {
    Q_OBJECT

public:
    explicit PalettePanel(QWidget* parent = nullptr);
    void setCompact(bool on); // icons without words, where the window is narrow
    void setTokens(const Tokens& tokens);
    void setTemplates(const std::vector<Template>& templates);

signals:
    void added(const std::string& name);

private:
    PaletteButton* makeButton(const std::string& name, const QString& text);

    Tokens m_tokens;
    QWidget* m_templateBox;
    QHBoxLayout* m_callouts = nullptr;
    bool m_isCompact = false;
    std::vector<Template> m_templates;
};

inline bool operator==(const Template& a, const Template& b) { return a.name == b.name; }

} // namespace railyard
