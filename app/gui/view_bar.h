// The bar below the menus: the views, undo and redo, fit, search, and what a customer meeting needs most.
#pragma once

#include "app/gui/view_table.h"
#include "widgets/theme/tokens.h"

#include <QToolBar>

class QActionGroup;
class QToolButton;
class QUndoStack;

namespace railyard {

class ViewBar : public QToolBar {
    Q_OBJECT

public:
    ViewBar(QUndoStack& undo, QWidget* parent);
    void setTokens(const Tokens& tokens);
    void showView(View view);

signals:
    void viewAsked(railyard::View view);
    void fitAsked();
    void searchAsked();
    void newFabricAsked();
    void exportAsked();

private:
    QToolButton* addIcon(QAction* action, const QString& name);

    QActionGroup* m_views;
    QAction *m_undo, *m_redo, *m_fit, *m_search;
};

} // namespace railyard
