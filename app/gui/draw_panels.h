// The panels beside the drawing, each in a dock of the window. The other views have the window to themselves.
#pragma once

#include "widgets/document/document.h"

#include <QByteArray>
#include <QObject>
#include <vector>

class QDockWidget;
class QMainWindow;
class QMenu;

namespace railyard {

class FindingsPanel;
class InspectorPanel;
class MetricsPanel;
class PalettePanel;
class PanelScroll;
class PreviewPanel;
class TablesPanel;
class WhyPanel;
struct Tokens;

class DrawPanels : public QObject {
    Q_OBJECT

public:
    DrawPanels(Document& document, QMainWindow& window);

    PalettePanel* const palette;
    InspectorPanel* const inspector;
    PreviewPanel* const preview; // in the place of the metrics during a drag
    MetricsPanel* const metrics;
    FindingsPanel* const findings;
    TablesPanel* const tables;
    WhyPanel* const why;

    void addActionsTo(QMenu& menu) const; // one for each dock, to show and hide it
    void setCompact(bool isCompact);      // a narrow window: the palette shows icons only
    void hideOrShowAll();                 // shows all if all are hidden
    void leaveDrawing();                  // hides all and remembers which were shown, and their sizes
    void returnToDrawing();
    void explain(const QString& figure); // in the Why panel
    void setTokens(const Tokens& tokens);

private:
    QDockWidget* add(const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area);
    void arrange();

    QMainWindow& m_window;
    PanelScroll* m_paletteScroll = nullptr;
    QDockWidget *m_paletteDock = nullptr, *m_inspectorDock = nullptr, *m_metricsDock = nullptr, *m_findingsDock = nullptr,
                *m_tablesDock = nullptr, *m_historyDock = nullptr, *m_whyDock = nullptr;
    std::vector<QDockWidget*> m_docks;
    std::vector<bool> m_wasShown; // by dock, in the drawing
    QByteArray m_sizes;           // in the drawing: hiding forgets them
};

} // namespace railyard
