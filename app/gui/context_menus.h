// Opens the context menus of the drawing and the tables, and does what is chosen.
#pragma once

#include <QObject>
#include <QPoint>
#include <string>
#include <vector>

class QWidget;

namespace railyard {

class Canvas;
class Document;
class EditMenu;
class FailureBar;
class TablesPanel;
struct SceneBundle;

class ContextMenus : public QObject {
    Q_OBJECT

public:
    ContextMenus(Document& document, Canvas& canvas, TablesPanel& tables, EditMenu& edits, FailureBar& failing, QWidget* window);

signals:
    void refused(const QString& reason);
    void drawingAsked();

private:
    void showForElements(const std::vector<std::string>& paths, QPoint at);
    void showForBundle(const SceneBundle& bundle, QPoint at);
    void fail(const std::string& selector);

    Document& m_document;
    Canvas& m_canvas;
    EditMenu& m_edits;
    FailureBar& m_failing;
    QWidget* m_window;
};

} // namespace railyard
