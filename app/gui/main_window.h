// The main window connects document, canvas, panels and views. It computes nothing and paints nothing.
#pragma once

#include "app/gui/view_table.h"
#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QMainWindow>
#include <memory>

class QVBoxLayout;

namespace railyard {

class Autosave;
class Banner;
class Breadcrumb;
class CalloutDialogs;
class Canvas;
class DocumentFiles;
class DrawPanels;
class EditMenu;
class Exports;
class FailureBar;
class StartGallery;
class JobBar;
class LinkModes;
class LoadBar;
class Locator;
class PlayBar;
class ScopeBar;
class StatusLine;
class Toast;
class ViewBar;
class ViewMenu;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    bool openFile(const QString& path);    // shows the reason if it cannot
    void openDesign(DesignPointer design); // of an empty drawing, which no file holds and nobody misses
    void openNew(DesignPointer design);    // a design that exists nowhere else, so that closing it asks first
    // At the end of the session: false if the user cancels. Where nothing may be asked, unsaved edits are kept for recovery.
    bool endSession(bool mayAsk);
    void setDark(bool dark);
    void restore(bool isFileToo); // window, panels and theme of the last session, and its file
    void showView(View view);
    Document& document() { return m_document; }
    Canvas& canvas() { return *m_canvas; }
    Autosave& autosave() { return *m_autosave; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeCentre();
    void makeMenus();
    void makeViewBar();
    void connectPanels();
    void connectCanvas();
    void connectModes();
    void connectViews();
    void connectFiles();
    void fitToScreen();
    void adaptTo(int width);
    void selectUsersOf(const QString& partId);
    void announceOverrides();
    void newFabric();
    void refreshTitle();
    void openPalette(bool elementsOnly);
    void remember() const;
    void applyTokens();

    Document m_document;
    std::unique_ptr<Autosave> m_autosave; // destroyed before the document
    Tokens m_tokens;
    std::size_t m_overrideCount = 0; // before the last edit
    Banner* m_banner = nullptr;
    Toast* m_toast = nullptr;
    FailureBar* m_failing = nullptr;
    JobBar* m_jobBar = nullptr;
    LoadBar* m_load = nullptr;
    PlayBar* m_play = nullptr;
    Canvas* m_canvas = nullptr;
    DrawPanels* m_panels = nullptr;
    StatusLine* m_status = nullptr;
    StartGallery* m_gallery = nullptr;
    ViewStack* m_views = nullptr;
    ViewBar* m_viewBar = nullptr;
    Breadcrumb* m_breadcrumb = nullptr;
    ScopeBar* m_scopeBar = nullptr;
    QVBoxLayout* m_centre = nullptr;
    CalloutDialogs* m_callouts = nullptr;
    DocumentFiles* m_files = nullptr;
    Exports* m_exports = nullptr;
    LinkModes* m_modes = nullptr;
    Locator* m_locator = nullptr;
    EditMenu* m_editMenu = nullptr;
    ViewMenu* m_viewMenu = nullptr;
};

} // namespace railyard
