#pragma once

#include "widgets/document/document.h"

#include <QMenu>

namespace railyard {

class Canvas;
class FailureBar;
class InspectorPanel;

class EditMenu : public QMenu {
    Q_OBJECT

public:
    EditMenu(Document& document, Canvas& canvas, InspectorPanel& inspector, FailureBar& failing, QWidget* parent);
    void removeSelection();
    void failSelection();
    QAction* failAction() const { return m_failAction; } // checked while failure mode is on

signals:
    void refused(const QString& reason);
    void drawingAsked();
    void paletteAsked(bool elementsOnly); // the command palette

private:
    void addHistory();
    void addSelection();
    void addArranging();
    void addCounts();
    void editSite();
    void editOpticalSwitches();
    void addFinding();
    void addModes();

    Document& m_document;
    Canvas& m_canvas;
    InspectorPanel& m_inspector;
    FailureBar& m_failing;
    QAction* m_failAction = nullptr;
};

} // namespace railyard
