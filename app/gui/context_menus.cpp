#include "app/gui/context_menus.h"

#include "app/gui/edit_menu.h"
#include "widgets/canvas/canvas.h"
#include "widgets/modes/failure_bar.h"
#include "widgets/panels/bundle_menu.h"
#include "widgets/panels/element_menu.h"
#include "widgets/panels/tables_panel.h"

#include <QAction>

namespace railyard {

ContextMenus::ContextMenus(Document& document, Canvas& canvas, TablesPanel& tables, EditMenu& edits, FailureBar& failing, QWidget* window)
    : QObject(window),
      m_document(document),
      m_canvas(canvas),
      m_edits(edits),
      m_failing(failing),
      m_window(window) {
    connect(&canvas, &Canvas::menuAsked, this, [this](QPoint at) { showForElements(m_canvas.selectedPaths(), at); });
    connect(&canvas, &Canvas::bundleMenuAsked, this, &ContextMenus::showForBundle);
    connect(&tables, &TablesPanel::menuAsked, this, &ContextMenus::showForElements);
}

void ContextMenus::showForElements(const std::vector<std::string>& paths, QPoint at) {
    auto* menu = new ElementMenu(m_document, paths, m_canvas.isFailing(), m_window);
    connect(menu, &ElementMenu::fitAsked, &m_canvas, &Canvas::fitSelection);
    connect(menu, &ElementMenu::selectAsked, &m_canvas, &Canvas::selectPaths);
    connect(menu, &ElementMenu::connectAsked, this, [this] { emit drawingAsked(), m_canvas.setConnecting(true); });
    connect(menu, &ElementMenu::failAsked, this, &ContextMenus::fail);
    connect(menu, &ElementMenu::cableAsked, &m_canvas, &Canvas::actOnCable);
    connect(menu, &ElementMenu::deleteAsked, &m_edits, &EditMenu::removeSelection);
    connect(menu, &ElementMenu::pasteAsked, &m_canvas, &Canvas::paste);
    connect(menu, &ElementMenu::selectAllAsked, &m_canvas, &Canvas::selectAll);
    connect(menu, &ElementMenu::refused, this, &ContextMenus::refused);
    menu->popup(at);
}

void ContextMenus::showForBundle(const SceneBundle& bundle, QPoint at) {
    auto* menu = new BundleMenu(*m_document.now().fabric, bundle, m_canvas.highlightedRail(), m_canvas.isFailing(), m_window);
    connect(menu, &BundleMenu::selectAsked, &m_canvas, &Canvas::selectPaths);
    connect(menu, &BundleMenu::highlightAsked, &m_canvas, &Canvas::highlightRail);
    connect(menu, &BundleMenu::failAsked, this, &ContextMenus::fail);
    menu->popup(at);
}

void ContextMenus::fail(const std::string& selector) {
    m_edits.failAction()->setChecked(true);
    m_failing.toggle(selector);
}

} // namespace railyard
