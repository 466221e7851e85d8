#include "app/gui/draw_panels.h"

#include "widgets/panels/findings_panel.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/panels/palette_panel.h"
#include "widgets/panels/panel_scroll.h"
#include "widgets/panels/preview_panel.h"
#include "widgets/panels/tables_panel.h"
#include "widgets/panels/why_panel.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QMenu>
#include <QUndoView>
#include <QVBoxLayout>
#include <algorithm>

namespace railyard {
namespace {

constexpr int paletteWidth = 186, compactWidth = 88; // px
constexpr int rightWidth = 352;                      // wide enough for its content; leaves 820 of 1366 px to the drawing

} // namespace

DrawPanels::DrawPanels(Document& document, QMainWindow& window)
    : QObject(&window),
      palette(new PalettePanel),
      inspector(new InspectorPanel(document)),
      preview(new PreviewPanel),
      metrics(new MetricsPanel(document)),
      findings(new FindingsPanel(document)),
      tables(new TablesPanel(document)),
      why(new WhyPanel(document)),
      m_window(window) {
    window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    window.setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_paletteScroll = new PanelScroll(palette, paletteWidth);
    auto* figures = new QWidget; // one of the two is shown
    auto* both = new QVBoxLayout(figures);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(metrics);
    both->addWidget(preview);
    auto* history = new QUndoView(&document.undoStack());
    history->setEmptyLabel(tr("Design as opened"));
    history->setAccessibleName(tr("Edit history"));
    m_paletteDock = add(tr("Palette"), QStringLiteral("palette"), m_paletteScroll, Qt::LeftDockWidgetArea);
    m_inspectorDock = add(tr("Inspector"), QStringLiteral("inspector"), new PanelScroll(inspector, rightWidth), Qt::RightDockWidgetArea);
    m_metricsDock = add(tr("Metrics"), QStringLiteral("metrics"), new PanelScroll(figures, rightWidth), Qt::RightDockWidgetArea);
    m_findingsDock = add(tr("Findings"), QStringLiteral("findings"), new PanelScroll(findings, rightWidth), Qt::RightDockWidgetArea);
    m_tablesDock = add(tr("Tables"), QStringLiteral("tables"), tables, Qt::BottomDockWidgetArea);
    m_historyDock = add(tr("History"), QStringLiteral("history"), history, Qt::RightDockWidgetArea);
    m_whyDock = add(tr("Why"), QStringLiteral("why"), why, Qt::RightDockWidgetArea);
    arrange();
    connect(findings, &FindingsPanel::titleChanged, m_findingsDock, &QWidget::setWindowTitle);
    connect(preview, &PreviewPanel::shownChanged, this, [this](bool isShown) {
        metrics->setVisible(!isShown);
        if (isShown) m_metricsDock->raise();
        m_metricsDock->setWindowTitle(isShown ? tr("Preview") : tr("Metrics"));
    });
}

QDockWidget* DrawPanels::add(const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(content);
    m_window.addDockWidget(area, dock);
    m_docks.push_back(dock);
    return dock;
}

void DrawPanels::arrange() {
    for (QDockWidget* dock : {m_findingsDock, m_whyDock}) m_window.tabifyDockWidget(m_metricsDock, dock); // all concern the whole design
    m_window.setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    for (QDockWidget* dock : {m_historyDock, m_whyDock}) dock->hide();
    m_metricsDock->raise();
    m_window.resizeDocks({m_paletteDock, m_inspectorDock}, {188, m_window.width() < 1500 ? rightWidth : 360}, Qt::Horizontal);
    m_window.resizeDocks({m_inspectorDock, m_metricsDock}, {300, 620}, Qt::Vertical);
    m_window.resizeDocks({m_tablesDock}, {190}, Qt::Vertical);
}

void DrawPanels::addActionsTo(QMenu& menu) const {
    for (QDockWidget* dock : m_docks) menu.addAction(dock->toggleViewAction());
}

void DrawPanels::setCompact(bool isCompact) {
    palette->setCompact(isCompact);
    m_paletteScroll->setLeast(isCompact ? compactWidth : paletteWidth);
}

void DrawPanels::hideOrShowAll() {
    const bool any = std::any_of(m_docks.begin(), m_docks.end(), [](const QDockWidget* dock) { return dock->isVisible(); });
    for (QDockWidget* dock : m_docks) dock->setVisible(!any);
}

void DrawPanels::leaveDrawing() {
    m_wasShown.clear();
    for (const QDockWidget* dock : m_docks) m_wasShown.push_back(dock->isVisible() || !m_window.isVisible());
    m_sizes = m_window.saveState();
    for (QDockWidget* dock : m_docks) dock->hide();
}

void DrawPanels::returnToDrawing() {
    for (std::size_t i = 0; i < m_wasShown.size(); ++i) m_docks[i]->setVisible(m_wasShown[i]);
    if (!m_sizes.isEmpty()) m_window.restoreState(m_sizes);
}

void DrawPanels::explain(const QString& figure) {
    m_whyDock->show();
    m_whyDock->raise();
    why->explain(figure);
}

void DrawPanels::setTokens(const Tokens& tokens) {
    palette->setTokens(tokens);
    inspector->setTokens(tokens);
    metrics->setTokens(tokens);
    findings->setTokens(tokens);
    tables->setTokens(tokens);
}

} // namespace railyard
