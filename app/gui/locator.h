// Shows elements where they stand, and the path that two GPUs use.
#pragma once

#include "widgets/document/document.h"

#include <QObject>

namespace railyard {

class Canvas;
class FloorPlanWidget;

class Locator : public QObject {
    Q_OBJECT

public:
    Locator(Document& document, Canvas& canvas, FloorPlanWidget& plan) : m_document(document), m_canvas(canvas), m_plan(plan) {}
    void locate(const std::string& path);      // of an element, a port or a rack
    void showPath(DeviceId from, DeviceId to); // until something else is selected
    void forgetPath();

signals:
    void drawingAsked();
    void floorAsked();
    void linksAsked();               // modes that colour the links give way
    void told(const QString& words); // about the path; empty when it is gone
    void refused(const QString& reason);

private:
    Document& m_document;
    Canvas& m_canvas;
    FloorPlanWidget& m_plan;
    bool m_isPathShown = false;
};

} // namespace railyard
