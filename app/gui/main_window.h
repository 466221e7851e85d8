// The main window connects document, canvas, panels and views. It computes nothing and paints nothing.
#pragma once

#include "core/io/tables/bom.h"
#include "core/io/tables/compare.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QMainWindow>
#include <functional>
#include <memory>

class QActionGroup;
class QLabel;
class QMenu;
class QStackedWidget;

namespace railyard {

class Banner;
class Canvas;
class CompareView;
class DecideView;
class FailingBar;
class JobBar;
class LoadBar;
class PlayBar;
struct PictureOptions;
class FindingsPanel;
class FloorView;
class Gallery;
class InspectorPanel;
class Autosave;
class MetricsPanel;
class PalettePanel;
class TablesPanel;
class Toast;
class TrafficView;
class WhyPanel;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    bool openFile(const QString& path);                         // shows the reason if it cannot
    void openDesign(DesignPointer design, const QString& path); // of a file, a sample or an empty drawing
    void openNew(DesignPointer design);                         // a design that exists nowhere else, so that closing it asks first
    // At the end of the session: false if the user cancels. Where nothing may be asked, unsaved edits are kept for recovery.
    bool endSession(bool mayAsk);
    void setDark(bool dark);
    void restore(); // restores window, panels, theme and file of the last session
    enum View { DrawView, PlanView, LoadView, MapView, ComparisonView };
    void showView(int index); // index: a View
    Document& document() { return m_document; }
    Canvas& canvas() { return *m_canvas; }
    Autosave& autosave() { return *m_autosave; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeDocks();
    void makeMenus();
    void makeModes(QMenu& view);
    void explainPanels();
    void makeViewBar();
    void makeFileMenu();
    void makeEditMenu();
    void connectParts();
    void connectLoads();
    void connectPlay();
    void exportFrames();
    void announceOverrides();
    void addDock(const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area);
    void newFabric();
    void openDialog();
    bool save();
    bool saveAs();
    bool mayDiscard();
    void showOpened();
    Result<SnapshotPointer> load(const QString& path); // null if cancelled
    void exportAs(const QString& what);
    // Asks for a file beside the document; `suffix` follows the design's name. Empty where the user gives up.
    QString askExportPath(const QString& title, const QString& suffix, const QString& filters);
    Result<QStringList> writeExport(const QString& what, const QString& path); // the files written; none if the user cancels
    Result<QStringList> writeInWorker(const QString& path, std::function<Status()> write);
    Result<QStringList> writeComparison(const QString& path, const PictureOptions& options);
    void rememberFile(const QString& path);
    void fillRecent();
    void rememberScenarios() const; // stored for each file, not in the design
    void recallScenarios();
    void fillViews(QMenu& menu);
    void refreshTitle();
    void report(const Error& error, const QString& title);
    void locate(const std::string& path); // path of an element, a port or a rack
    void forgetPath();
    void showPath(DeviceId from, DeviceId to); // shows the path between two GPUs until something else is selected
    void openPalette(bool elementsOnly);
    void askCallout(Callout callout); // asks for its text or picture, then adds it
    void openCallout(int index);
    void remember() const;
    void say(const QString& text);
    void applyTokens();
    void showGallery();
    void openSample(const QString& path);

    Document m_document;
    BomOptions m_billOptions;             // as last exported
    std::unique_ptr<Autosave> m_autosave; // destroyed before the document
    Tokens m_tokens;
    bool m_isPathShown = false, m_isOpening = false;
    Banner* m_banner = nullptr;
    Toast* m_toast = nullptr;
    std::size_t m_overrideCount = 0; // number of overrides before the last edit
    FailingBar* m_failing = nullptr;
    JobBar* m_jobBar = nullptr;
    Detail m_detailBeforeJobs = Detail::Folded;
    LoadBar* m_load = nullptr;
    PlayBar* m_play = nullptr;
    QAction *m_loadAction = nullptr, *m_playAction = nullptr, *m_jobsAction = nullptr;
    Canvas* m_canvas = nullptr;
    PalettePanel* m_palette = nullptr;
    InspectorPanel* m_inspector = nullptr;
    MetricsPanel* m_metrics = nullptr;
    FindingsPanel* m_findings = nullptr;
    TablesPanel* m_tables = nullptr;
    WhyPanel* m_why = nullptr;
    FloorView* m_floor = nullptr;
    TrafficView* m_traffic = nullptr;
    DecideView* m_decide = nullptr;
    CompareView* m_compare = nullptr;
    Gallery* m_gallery = nullptr;
    QStackedWidget* m_stack = nullptr;
    QActionGroup* m_views = nullptr;
    QMenu* m_recent = nullptr;
    QAction *m_darkAction = nullptr, *m_failAction = nullptr;
    QLabel *m_drawnLabel = nullptr, *m_selectionLabel = nullptr, *m_savedLabel = nullptr;
    std::vector<QDockWidget*> m_drawDocks;
    std::vector<bool> m_dockWasVisible;
};

} // namespace railyard
