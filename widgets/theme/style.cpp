#include "widgets/theme/style.h"

namespace railyard {

QPalette paletteOf(const Tokens& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.panel);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.card);
    p.setColor(QPalette::AlternateBase, t.panel);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.text2);
    p.setColor(QPalette::Button, t.card);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.danger);
    p.setColor(QPalette::Highlight, t.selectFill);
    p.setColor(QPalette::HighlightedText, t.text);
    p.setColor(QPalette::ToolTipBase, t.tip);
    p.setColor(QPalette::ToolTipText, t.onTip);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::Light, t.card);
    p.setColor(QPalette::Midlight, t.window);
    p.setColor(QPalette::Mid, t.cardBorder);
    p.setColor(QPalette::Dark, t.controlBorder);
    p.setColor(QPalette::Shadow, t.controlBorder);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) p.setColor(QPalette::Disabled, role, t.textOff);
    return p;
}

QPalette fieldPaletteOf(const Tokens& t) {
    constexpr int darker = 140; // the factor by which the Fusion style darkens the window colour for frames
    QPalette p = paletteOf(t);
    p.setColor(QPalette::Window, t.controlBorder.lighter(darker));
    return p;
}

namespace {

constexpr char sheetWithTokens[] = R"(
QMainWindow, QDialog { background: @panel; }
QMainWindow::separator { background: @cardBorder; width: 1px; height: 1px; }
QMenuBar { background: @window; color: @text; padding: 2px 4px; }
QMenuBar::item { padding: 4px 9px; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: @selectFill; }
QMenu { background: @panel; color: @text; border: 1px solid @cardBorder; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 20px; border-radius: 4px; }
QMenu::item:selected { background: @selectFill; }
QMenu::item:disabled { color: @textOff; }
QMenu::separator { height: 1px; background: @cardBorder; margin: 4px 8px; }
QStatusBar { background: @panel; color: @text2; border-top: 1px solid @cardBorder; padding-left: 8px; }
QStatusBar::item { border: none; }
QToolTip { background: @tip; color: @onTip; border: none; padding: 4px 6px; }
QDockWidget { color: @text; font-weight: bold; }
QDockWidget::title { background: @window; padding: 6px 10px; border-bottom: 1px solid @cardBorder; }
QToolButton, QPushButton { background: @card; color: @text; border: 1px solid @controlBorder; border-radius: 4px; padding: 5px 12px; }
QToolButton:hover, QPushButton:hover { background: @selectFill; }
QToolButton:focus, QPushButton:focus { border: 2px solid @focus; padding: 4px 11px; }
QPushButton:disabled, QToolButton:disabled { color: @textOff; border-color: @cardBorder; }
QPushButton[primary="true"] { background: @accent; color: @onAccent; border-color: @accent; font-weight: bold; }
QPushButton[primary="true"]:disabled { background: @well; color: @textOff; border-color: @cardBorder; }
QPushButton[link="true"] { background: transparent; border: none; color: @accent; padding: 0px; text-align: left; }
QPushButton[figure="true"] { background: transparent; border: 1px solid transparent; color: @text; padding: 0px; text-align: left; min-height: 0px; }
QPushButton[figure="true"]:hover { color: @accent; text-decoration: underline; }
QPushButton[figure="true"]:focus { border: 1px solid @focus; }
QPushButton[link="true"]:focus { border: 1px solid @focus; }
QToolButton[view="true"] { background: transparent; border: none; border-radius: 6px; padding: 6px 14px; color: @text2; }
QToolButton[view="true"]:checked { background: @selectFill; color: @text; font-weight: bold; border-bottom: 2px solid @accent; }
QToolButton[view="true"]:focus { border: 2px solid @focus; padding: 4px 12px; }
QFileDialog QToolButton { padding: 2px; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QToolButton[segment="true"] { border-radius: 0px; padding: 5px 10px; margin-left: -1px; }
QToolButton[segment="true"]:checked { background: @accent; color: @onAccent; border-color: @accent; font-weight: bold; }
QPushButton[danger="true"] { color: @danger; border-color: @danger; font-weight: bold; }
QFrame[crumbs="true"] { background: @panel; border: none; border-bottom: 1px solid @cardBorder; }
QFrame[bar="true"] { background: @panel; border: none; border-top: 1px solid @cardBorder; }
QToolButton[flat="true"] { background: transparent; border: none; padding: 4px; }
QToolButton[flat="true"]:hover { background: @selectFill; }
QToolButton[flat="true"]:focus { border: 2px solid @focus; padding: 2px; }
QLineEdit { background: @card; color: @text; border: 1px solid @controlBorder; border-radius: 4px; padding: 3px 6px; min-height: 18px; }
QLineEdit[danger="true"] { border-color: @danger; }
QLineEdit:focus { border: 2px solid @focus; padding: 2px 5px; }
QAbstractSpinBox QLineEdit, QAbstractSpinBox QLineEdit:focus { background: transparent; border: none; padding: 0px 4px; min-height: 0px; }
QComboBox QAbstractItemView { background: @card; color: @text; selection-background-color: @selectFill; selection-color: @text; border: 1px solid @cardBorder; }
QTabBar::tab { background: @window; color: @text2; padding: 6px 14px; border: none; }
QTabBar::tab:selected { background: @panel; color: @text; font-weight: bold; border-top: 2px solid @accent; }
QTabBar::tab:focus { border: 1px solid @focus; }
QTabWidget::pane { border: none; }
QTableView, QListView { background: @card; color: @text; border: none; gridline-color: @cardBorder; selection-background-color: @selectFill; selection-color: @text; alternate-background-color: @panel; }
QTableView { outline: none; }
QTableView::item { padding: 0px 6px; }
QTableView::item:focus { border: 1px solid @focus; }
QHeaderView { background: @window; }
QHeaderView::section { background: @window; color: @text2; border: none; padding: 5px 8px; }
QTableCornerButton::section { background: @window; border: none; }
QScrollArea { border: none; background: transparent; }
QScrollBar:vertical { background: @panel; width: 10px; } QScrollBar:horizontal { background: @panel; height: 10px; }
QScrollBar::handle { background: @cardBorder; border-radius: 4px; min-height: 24px; min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0px; height: 0px; }
QLabel { color: @text; background: transparent; }
QLabel[dim="true"] { color: @text2; }
QLabel[danger="true"] { color: @danger; }
QCheckBox { color: @text; }
QFrame[card="true"] { background: @card; border: 1px solid @cardBorder; border-radius: 8px; }
QProgressBar { background: @well; border: none; max-height: 4px; } QProgressBar::chunk { background: @accent; }
)";

} // namespace

QString styleSheetOf(const Tokens& t) {
    QString sheet = QString::fromUtf8(sheetWithTokens);
    const std::pair<const char*, QColor> values[] = {{"@controlBorder", t.controlBorder},
                                                     {"@cardBorder", t.cardBorder},
                                                     {"@selectFill", t.selectFill},
                                                     {"@onAccent", t.onAccent},
                                                     {"@textOff", t.textOff},
                                                     {"@window", t.window},
                                                     {"@panel", t.panel},
                                                     {"@card", t.card},
                                                     {"@text2", t.text2},
                                                     {"@text", t.text},
                                                     {"@accent", t.accent},
                                                     {"@focus", t.focus},
                                                     {"@danger", t.danger},
                                                     {"@well", t.well},
                                                     {"@onTip", t.onTip},
                                                     {"@tip", t.tip}};
    for (const auto& [name, color] : values) sheet.replace(QLatin1String(name), color.name());
    return sheet;
}

} // namespace railyard
