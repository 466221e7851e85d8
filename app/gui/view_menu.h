#pragma once

#include "widgets/document/document.h"

#include <QMenu>

namespace railyard {

class Canvas;
class LinkModes;

class ViewMenu : public QMenu {
    Q_OBJECT

public:
    ViewMenu(Document& document, Canvas& canvas, LinkModes& modes, QWidget* parent); // the panels are added by the window
    void setDark(bool dark) { m_darkAction->setChecked(dark); }

signals:
    void darkAsked(bool dark);
    void panelsAsked(); // hides all panels, or shows them
    void drawingAsked();
    void refused(const QString& reason);

private:
    void addZoom();
    void addDetail();
    void addSaved();
    void addLayers();
    void fillViews(QMenu& menu);

    Document& m_document;
    Canvas& m_canvas;
    QAction* m_darkAction = nullptr;
};

} // namespace railyard
