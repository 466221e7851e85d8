#include "app/gui/view_bar.h"

#include "widgets/theme/icons.h"
#include "widgets/theme/plain_text.h"

#include <QActionGroup>
#include <QToolButton>
#include <QUndoStack>

namespace railyard {

ViewBar::ViewBar(QUndoStack& undo, QWidget* parent)
    : QToolBar(tr("Views"), parent),
      m_views(new QActionGroup(this)),
      m_undo(undo.createUndoAction(this, tr("Undo"))),
      m_redo(undo.createRedoAction(this, tr("Redo"))),
      m_fit(new QAction(tr("Fit design (F)"), this)),
      m_search(new QAction(tr("Find element (Ctrl+F)"), this)) {
    setObjectName(QStringLiteral("views"));
    setMovable(false);
    setFloatable(false);
    for (const ViewInfo& info : viewTable()) {
        QAction* action = m_views->addAction(info.title());
        action->setCheckable(true);
        action->setShortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(info.view)));
        connect(action, &QAction::triggered, this, [this, view = info.view] { emit viewAsked(view); });
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setProperty("view", true);
        button->setAccessibleName(info.title());
        addWidget(button);
    }
    m_views->actions().first()->setChecked(true);
    addSeparator();
    addIcon(m_undo, tr("Undo"));
    addIcon(m_redo, tr("Redo"));
    addIcon(m_fit, tr("Fit design"));
    addIcon(m_search, tr("Find element"));
    connect(m_fit, &QAction::triggered, this, &ViewBar::fitAsked);
    connect(m_search, &QAction::triggered, this, &ViewBar::searchAsked);
    auto* spacer = new QWidget;
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(spacer);
    auto* fresh = new QToolButton;
    fresh->setText(tr("New fabric…"));
    connect(fresh, &QToolButton::clicked, this, &ViewBar::newFabricAsked);
    addWidget(fresh);
    auto* out = new QToolButton;
    out->setText(tr("Export bill…"));
    connect(out, &QToolButton::clicked, this, &ViewBar::exportAsked);
    addWidget(out);
}

QToolButton* ViewBar::addIcon(QAction* action, const QString& name) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setProperty("flat", true);
    button->setAccessibleName(name);
    addWidget(button);
    return button;
}

void ViewBar::setTokens(const Tokens& tokens) {
    const auto set = [&](QAction* action, Icon icon) { action->setIcon(iconOf(icon, tokens.text2, tokens.cardBorder)); };
    set(m_undo, Icon::Undo);
    set(m_redo, Icon::Redo);
    set(m_fit, Icon::Fit);
    set(m_search, Icon::Search);
}

void ViewBar::showView(View view) { m_views->actions()[static_cast<int>(view)]->setChecked(true); }

} // namespace railyard
