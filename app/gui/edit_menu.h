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
    void told(const QString& text); // what was done, or why not
    void drawingAsked();
    void paletteAsked(bool elementsOnly); // the command palette

private:
    void copy();
    void paste();
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
    QByteArray m_copied; // the elements that the canvas has copied
    QAction* m_failAction = nullptr;
};

} // namespace railyard
