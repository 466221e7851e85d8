#include "app/gui/main_window.h"

#include "app/gui/callout_dialogs.h"
#include "app/gui/context_menus.h"
#include "app/gui/document_files.h"
#include "app/gui/edit_menu.h"
#include "app/gui/exports.h"
#include "app/gui/file_menu.h"
#include "app/gui/files.h"
#include "app/gui/help_menu.h"
#include "app/gui/link_modes.h"
#include "app/gui/locator.h"
#include "app/gui/panel_help.h"
#include "app/gui/start_gallery.h"
#include "app/gui/view_bar.h"
#include "app/gui/view_menu.h"
#include "app/session/autosave.h"
#include "app/session/scenario_store.h"
#include "core/base/unit_text.h"
#include "core/catalog/price_book.h"
#include "core/fabric/search.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/command_palette.h"
#include "widgets/dialogs/new_fabric_dialog.h"
#include "widgets/floor/floor_view.h"
#include "widgets/modes/failure_bar.h"
#include "widgets/modes/job_bar.h"
#include "widgets/modes/load_bar.h"
#include "widgets/modes/play_bar.h"
#include "widgets/panels/banner.h"
#include "widgets/panels/breadcrumb.h"
#include "widgets/panels/findings_panel.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/panels/palette_panel.h"
#include "widgets/panels/panel_scroll.h"
#include "widgets/panels/preview_panel.h"
#include "widgets/panels/scope_bar.h"
#include "widgets/panels/tables_panel.h"
#include "widgets/panels/toast.h"
#include "widgets/panels/why_panel.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/style.h"
#include "widgets/theme/undo_keys.h"
#include "widgets/theme/wheel_guard.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/decide_view.h"
#include "widgets/views/traffic_view.h"
#include "widgets/views/training_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QProgressBar>
#include <QScreen>
#include <QSettings>
#include <QStatusBar>
#include <QToolButton>
#include <QUndoView>
#include <QVBoxLayout>

namespace railyard {

static constexpr int paletteWidth = 186; // px

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_tokens(lightTokens()) {
    fitToScreen();
    setDockNestingEnabled(true);
    setAcceptDrops(true);
    makeCentre();
    new WheelGuard(this);
    new UndoKeys(this);
    m_autosave = std::make_unique<Autosave>(m_document, *m_banner, *this);
    m_callouts = new CalloutDialogs(m_document, *this);
    m_files = new DocumentFiles(m_document, *m_autosave, *this);
    m_exports = new Exports(m_document, *m_canvas, m_views->get<TrafficView>(View::Traffic), *this);
    m_exports->follow(m_views->get<TrainingView>(View::Training));
    m_modes = new LinkModes(*m_canvas, *m_load, *m_jobBar, *m_play);
    m_modes->follow(m_views->get<TrainingView>(View::Training));
    m_gallery = new StartGallery(m_document, *m_canvas, this);
    connect(m_gallery, &StartGallery::newFabricAsked, this, &MainWindow::newFabric);
    connect(m_gallery, &StartGallery::sampleAsked, m_files, &DocumentFiles::openSample);
    m_locator = new Locator(m_document, *m_canvas, m_views->get<FloorView>(View::Floor).plan());
    for (QObject* part : std::initializer_list<QObject*>{m_callouts, m_files, m_exports, m_modes, m_locator}) part->setParent(this);
    makeDocks();
    adaptTo(width());
    makeMenus();
    makeViewBar();
    makeStatusBar();
    connectPanels();
    connectCanvas();
    connectModes();
    connectViews();
    connectFiles();
    m_document.setAskLarge([this](std::int64_t devices) {
        return ask(this, tr("Very large design"),
                   tr("This will create %1 devices and may take a while. Continue?").arg(QString::fromStdString(formatCount(devices))),
                   QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Yes;
    });
    installEventFilter(this);
    setDark(palette().color(QPalette::Window).lightness() < 128);
    refreshTitle();
}

MainWindow::~MainWindow() = default;

// At first start the whole window is on the screen, its frame too.
void MainWindow::fitToScreen() {
    constexpr QSize wanted(1600, 1000), frame(16, 48);
    const QSize room = screen() ? screen()->availableGeometry().size() - frame : wanted;
    resize(wanted.boundedTo(room));
}

void MainWindow::makeCentre() {
    m_views = new ViewStack(m_document);
    m_canvas = &m_views->get<Canvas>(View::Draw);
    m_toast = new Toast(m_canvas);
    m_banner = new Banner;
    m_failing = new FailureBar(m_document);
    m_jobBar = new JobBar(m_document);
    m_load = new LoadBar(m_document);
    m_play = new PlayBar(m_document);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (QWidget* bar : std::initializer_list<QWidget*>{m_banner, m_failing, m_jobBar, m_load, m_play}) column->addWidget(bar);
    m_breadcrumb = new Breadcrumb(m_document);
    column->addWidget(m_breadcrumb);
    column->addWidget(m_views, 1);
    m_centre = column;
    setCentralWidget(centre);
}

void MainWindow::addDock(const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_drawDocks.push_back(dock);
}

// A narrow window (960 px at 200 %) keeps all of its panels: the palette shrinks to icons and the drawing takes the rest.
void MainWindow::adaptTo(int width) {
    constexpr int narrow = 1280, compactWidth = 88, leastDrawing = 700, leastNarrow = 440, leastHeight = 320;
    const bool isNarrow = width < narrow;
    m_palette->setCompact(isNarrow);
    m_paletteScroll->setLeast(isNarrow ? compactWidth : paletteWidth);
    m_views->setMinimumSize(isNarrow ? leastNarrow : leastDrawing, leastHeight); // the other views have the window to themselves
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    adaptTo(event->size().width());
    QMainWindow::resizeEvent(event);
}

void MainWindow::makeDocks() {
    constexpr int rightWidth = 352; // wide enough for its content; leaves 820 of 1366 px to the drawing
    m_palette = new PalettePanel;
    m_inspector = new InspectorPanel(m_document);
    m_metrics = new MetricsPanel(m_document);
    m_findings = new FindingsPanel(m_document);
    m_tables = new TablesPanel(m_document);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    m_paletteScroll = new PanelScroll(m_palette, paletteWidth);
    addDock(tr("Palette"), QStringLiteral("palette"), m_paletteScroll, Qt::LeftDockWidgetArea);
    addDock(tr("Inspector"), QStringLiteral("inspector"), new PanelScroll(m_inspector, rightWidth), Qt::RightDockWidgetArea);
    m_preview = new PreviewPanel;
    auto* figures = new QWidget; // one of the two is shown
    auto* both = new QVBoxLayout(figures);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(m_metrics);
    both->addWidget(m_preview);
    addDock(tr("Metrics"), QStringLiteral("metrics"), new PanelScroll(figures, rightWidth), Qt::RightDockWidgetArea);
    connect(m_preview, &PreviewPanel::shownChanged, this, [this, dock = m_drawDocks.back()](bool isShown) {
        m_metrics->setVisible(!isShown);
        if (isShown) dock->raise();
        dock->setWindowTitle(isShown ? tr("Preview") : tr("Metrics"));
    });
    addDock(tr("Findings"), QStringLiteral("findings"), new PanelScroll(m_findings, rightWidth), Qt::RightDockWidgetArea);
    addDock(tr("Tables"), QStringLiteral("tables"), m_tables, Qt::BottomDockWidgetArea);
    auto* history = new QUndoView(&m_document.undoStack());
    history->setEmptyLabel(tr("Design as opened"));
    history->setAccessibleName(tr("Edit history"));
    addDock(tr("History"), QStringLiteral("history"), history, Qt::RightDockWidgetArea);
    m_drawDocks.back()->hide();
    m_scopeBar = new ScopeBar(m_document, *m_inspector);
    m_centre->addWidget(m_scopeBar);
    m_why = new WhyPanel(m_document);
    addDock(tr("Why"), QStringLiteral("why"), m_why, Qt::RightDockWidgetArea);
    for (QDockWidget* dock : {m_drawDocks[3], m_drawDocks.back()}) tabifyDockWidget(m_drawDocks[2], dock); // all concern the whole design
    setTabPosition(Qt::RightDockWidgetArea, QTabWidget::North);
    m_drawDocks.back()->hide();
    m_drawDocks[2]->raise();
    connect(m_findings, &FindingsPanel::titleChanged, m_drawDocks[3], &QWidget::setWindowTitle);
    resizeDocks({m_drawDocks[0], m_drawDocks[1]}, {188, width() < 1500 ? rightWidth : 360}, Qt::Horizontal);
    resizeDocks({m_drawDocks[1], m_drawDocks[2]}, {300, 620}, Qt::Vertical);
    resizeDocks({m_drawDocks[4]}, {190}, Qt::Vertical);
}

void MainWindow::makeMenus() {
    explainPanels({m_palette, m_inspector, m_metrics, m_findings, m_tables, m_why, m_failing, m_load, m_jobBar, m_play});
    auto* file = new FileMenu(*m_files, *m_exports, this);
    m_editMenu = new EditMenu(m_document, *m_canvas, *m_inspector, *m_failing, this);
    m_viewMenu = new ViewMenu(m_document, *m_canvas, *m_modes, this);
    auto* help = new HelpMenu(this);
    for (QMenu* menu : std::initializer_list<QMenu*>{file, m_editMenu, m_viewMenu, help}) menuBar()->addMenu(menu);
    for (QDockWidget* dock : m_drawDocks) m_viewMenu->addAction(dock->toggleViewAction());
    const auto showDrawing = [this] { showView(View::Draw); };
    connect(file, &FileMenu::newFabricAsked, this, &MainWindow::newFabric);
    connect(file, &FileMenu::quitAsked, this, &MainWindow::close);
    connect(m_editMenu, &EditMenu::refused, this, &MainWindow::say);
    connect(m_editMenu, &EditMenu::drawingAsked, this, showDrawing);
    connect(m_editMenu, &EditMenu::paletteAsked, this, &MainWindow::openPalette);
    connect(m_viewMenu, &ViewMenu::refused, this, &MainWindow::say);
    connect(m_viewMenu, &ViewMenu::drawingAsked, this, showDrawing);
    connect(m_viewMenu, &ViewMenu::darkAsked, this, &MainWindow::setDark);
    connect(m_viewMenu, &ViewMenu::panelsAsked, this, &MainWindow::hidePanels);
    connect(help, &HelpMenu::sampleAsked, m_files, &DocumentFiles::openSample);
}

void MainWindow::hidePanels() {
    const bool any = std::any_of(m_drawDocks.begin(), m_drawDocks.end(), [](const QDockWidget* dock) { return dock->isVisible(); });
    for (QDockWidget* dock : m_drawDocks) dock->setVisible(!any);
}

void MainWindow::makeViewBar() {
    m_viewBar = new ViewBar(m_document.undoStack(), this);
    addToolBar(m_viewBar);
    connect(m_viewBar, &ViewBar::viewAsked, this, &MainWindow::showView);
    connect(m_viewBar, &ViewBar::fitAsked, this, [this] { showView(View::Draw), m_canvas->fit(); });
    connect(m_viewBar, &ViewBar::searchAsked, this, [this] { openPalette(true); });
    connect(m_viewBar, &ViewBar::newFabricAsked, this, &MainWindow::newFabric);
    connect(m_viewBar, &ViewBar::exportAsked, this, [this] { m_exports->exportAs(QStringLiteral("bom")); });
}

void MainWindow::makeStatusBar() {
    m_drawnLabel = plainLabel();
    m_selectionLabel = plainLabel();
    m_savedLabel = plainLabel();
    statusBar()->addWidget(m_drawnLabel);
    statusBar()->addWidget(m_selectionLabel, 1);
    auto* busy = new QProgressBar; // background metrics of a large design take a while
    busy->setRange(0, 0);
    busy->setFixedWidth(90);
    busy->setAccessibleName(tr("Computing"));
    setToolTipOf(*busy, tr("Bisection, interrupt rate and collectives are being computed. Greyed values are from before the last edit."));
    busy->hide();
    statusBar()->addPermanentWidget(busy);
    auto* stop = new QToolButton;
    stop->setObjectName(QStringLiteral("stop-background"));
    stop->hide();
    statusBar()->addPermanentWidget(stop);
    connect(stop, &QToolButton::clicked, this,
            [this] { m_document.isBackgroundStopped() ? m_document.resumeBackground() : m_document.stopBackground(); });
    const auto follow = [this, busy, stop] {
        const bool stopped = m_document.isBackgroundStopped();
        busy->setVisible(!m_document.background() && !stopped);
        stop->setVisible(!m_document.background());
        stop->setText(stopped ? tr("Resume computing") : tr("Stop computing"));
    };
    connect(&m_document, &Document::changed, busy, follow);
    connect(&m_document, &Document::backgroundChanged, busy, follow);
    statusBar()->addPermanentWidget(m_savedLabel);
}

void MainWindow::connectPanels() {
    connect(m_palette, &PalettePanel::added, m_canvas, &Canvas::addFromPalette);
    const auto offer = [this] { m_palette->setTemplates(templatesOf(*m_document.now().design)); };
    connect(&m_document, &Document::changed, m_palette, offer);
    offer();
    connect(m_tables, &TablesPanel::selected, this, [this](const std::vector<std::string>& paths) { m_canvas->selectPaths(paths); });
    connect(m_tables, &TablesPanel::refused, this, &MainWindow::say);
    connect(m_inspector, &InspectorPanel::affectedChanged, m_canvas, &Canvas::showAffected);
    connect(m_inspector, &InspectorPanel::dissolveAsked, m_canvas, &Canvas::dissolveBlock);
    connect(m_inspector, &InspectorPanel::cableAsked, m_canvas, &Canvas::actOnCable);
    connect(m_inspector, &InspectorPanel::refused, this, &MainWindow::say);
    connect(m_metrics, &MetricsPanel::whyAsked, this, [this](const QString& key) {
        for (QDockWidget* dock : m_drawDocks)
            if (dock->widget() == m_why) dock->show(), dock->raise();
        m_why->explain(key);
    });
    connect(m_why, &WhyPanel::refused, this, &MainWindow::say);
    connect(m_why, &WhyPanel::explained, m_canvas, &Canvas::showFigure);
    connect(m_scopeBar, &ScopeBar::deleteAsked, m_editMenu, &EditMenu::removeSelection);
    connect(m_breadcrumb, &Breadcrumb::asked, this,
            [this](const std::string& path) { path.empty() ? m_canvas->selectPaths({}) : m_locator->locate(path); });
    connect(m_findings, &FindingsPanel::locate, this, [this](const QString& path) { m_locator->locate(path.toStdString()); });
    connect(m_findings, &FindingsPanel::refused, this, &MainWindow::say);
}

void MainWindow::connectCanvas() {
    connect(m_canvas, &Canvas::selectionChanged, this, [this] {
        m_locator->forgetPath();
        const auto paths = m_canvas->selectedPaths();
        m_inspector->showSelection(paths);
        m_tables->showSelection(paths);
        m_breadcrumb->showSelection(paths);
        QString words = paths.empty()       ? QString()
                        : paths.size() == 1 ? tr("Selected: %1").arg(QString::fromStdString(paths.front()))
                                            : tr("Selected: %1 elements").arg(paths.size());
        if (const QString cables = m_canvas->cablesText(); !cables.isEmpty()) words += tr("  |  %1").arg(cables);
        m_selectionLabel->setText(words);
    });
    auto* menus = new ContextMenus(m_document, *m_canvas, *m_tables, *m_editMenu, *m_failing, this);
    connect(menus, &ContextMenus::refused, this, &MainWindow::say);
    connect(menus, &ContextMenus::drawingAsked, this, [this] { showView(View::Draw); });
    connect(m_tables, &TablesPanel::usersAsked, this, &MainWindow::selectUsersOf);
    connect(m_canvas, &Canvas::scopeAsked, this, [this](int scope) { m_inspector->setScope(static_cast<EditScope>(scope)); });
    connect(m_canvas, &Canvas::said, m_drawnLabel, &QLabel::setText);
    connect(m_canvas, &Canvas::refused, this, &MainWindow::say);
    connect(m_canvas, &Canvas::announced, m_preview, &PreviewPanel::showAnnouncement);
    connect(m_canvas, &Canvas::calloutWanted, m_callouts, &CalloutDialogs::ask);
    connect(m_canvas, &Canvas::calloutOpened, m_callouts, &CalloutDialogs::open);
    connect(m_callouts, &CalloutDialogs::refused, this, &MainWindow::say);
    connect(&m_document, &Document::changed, this, [this] {
        if (m_isRefusalShown) statusBar()->clearMessage(); // an edit has succeeded since
        refreshTitle();
        QMetaObject::invokeMethod( // queued until the step is on the undo stack
            this, [this] { announceOverrides(); }, Qt::QueuedConnection);
        m_tables->showSelection(m_canvas->selectedPaths()); // the models have been reset by then
    });
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, [this] { refreshTitle(); });
}

void MainWindow::connectModes() {
    QAction* fail = m_editMenu->failAction();
    connect(m_canvas, &Canvas::failAsked, m_failing, &FailureBar::toggle);
    connect(m_failing, &FailureBar::refused, this, &MainWindow::say);
    connect(m_failing, &FailureBar::leaveAsked, fail, [fail] { fail->setChecked(false); });
    connect(m_failing, &FailureBar::scenariosChanged, this, [this] { storeScenarios(m_document.path(), m_failing->scenarios()); });
    connect(fail, &QAction::toggled, this, [this](bool on) {
        if (on) showView(View::Draw);
        m_failing->setOn(on);
        m_canvas->setFailing(on);
    });
    connect(m_modes, &LinkModes::entered, this, [this] { m_locator->forgetPath(), showView(View::Draw); });
    connect(m_modes, &LinkModes::refused, this, &MainWindow::say);
    connect(m_modes, &LinkModes::locateAsked, this, [this](const QString& path) { m_locator->locate(path.toStdString()); });
    connect(m_play, &PlayBar::framesAsked, this, [this] { m_exports->exportFrames(*m_play); });
    connect(m_locator, &Locator::drawingAsked, this, [this] { showView(View::Draw); });
    connect(m_locator, &Locator::floorAsked, this, [this] { showView(View::Floor); });
    connect(m_locator, &Locator::linksAsked, m_modes, &LinkModes::leave);
    connect(m_locator, &Locator::refused, this, &MainWindow::say);
    connect(m_locator, &Locator::told, this, [this](const QString& words) {
        statusBar()->setStyleSheet({});
        words.isEmpty() ? statusBar()->clearMessage() : statusBar()->showMessage(words);
    });
}

void MainWindow::connectViews() {
    const auto exports = [this](const QString& what) { return [this, what] { m_exports->exportAs(what); }; };
    auto& floor = m_views->get<FloorView>(View::Floor);
    auto& traffic = m_views->get<TrafficView>(View::Traffic);
    auto& decide = m_views->get<DecideView>(View::Decide);
    auto& compare = m_views->get<CompareView>(View::Compare);
    connect(&floor, &FloorView::refused, this, &MainWindow::say);
    connect(&floor, &FloorView::exportAsked, this, exports(QStringLiteral("floor")));
    connect(&traffic, &TrafficView::exportAsked, this, [this, &traffic] { m_exports->exportAs(traffic.picture()); });
    connect(&traffic, &TrafficView::jobAsked, this, [this] { showView(View::Training); });
    connect(&traffic, &TrafficView::pairChosen, m_locator, &Locator::showPath);
    connect(&decide, &DecideView::exportAsked, this, exports(QStringLiteral("heatmap:decision")));
    connect(&decide, &DecideView::compareAsked, this, [this] { showView(View::Compare); });
    connect(&decide, &DecideView::openAsked, this, [this](const RecipeCall& call, const QString& name) {
        auto design = build(call, name.toStdString(), m_document.now().design->catalog);
        if (!design) return say(QString::fromStdString(design.error().text));
        if (m_files->mayDiscard()) openNew(std::make_shared<const Design>(std::move(*design))), showView(View::Draw);
    });
    connect(&compare, &CompareView::exportAsked, this, exports(QStringLiteral("compare")));
    connect(&compare, &CompareView::openOtherAsked, this, [this, &compare] {
        const DesignPointer other = compare.other();
        if (other && m_files->mayDiscard()) openNew(other), showView(View::Draw);
    });
}

void MainWindow::connectFiles() {
    connect(m_autosave.get(), &Autosave::saveAsAsked, m_files, &DocumentFiles::saveAs);
    connect(m_autosave.get(), &Autosave::reloadAsked, m_files, &DocumentFiles::open);
    connect(m_files, &DocumentFiles::opened, this, [this] {
        m_editMenu->failAction()->setChecked(false);
        m_modes->leaveJobs();
        m_failing->setScenarios(storedScenarios(m_document.path()));
        m_canvas->setUnfolded(false);
        m_canvas->fit();
        refreshTitle();
    });
    connect(m_files, &DocumentFiles::saved, this, [this] {
        storeScenarios(m_document.path(), m_failing->scenarios());
        refreshTitle();
    });
    connect(m_files, &DocumentFiles::told, this, &MainWindow::say);
    connect(m_exports, &Exports::written, this, &MainWindow::tell);
    connect(m_exports, &Exports::coloursChanged, this, &MainWindow::applyTokens);
}

bool MainWindow::openFile(const QString& path) { return m_files->open(path); }
void MainWindow::openDesign(DesignPointer design) { m_files->openDesign(std::move(design)); }
void MainWindow::openNew(DesignPointer design) { m_files->openNew(std::move(design)); }

// An edit that no recipe parameter can express becomes an override. The toast says so and offers to revert it.
void MainWindow::announceOverrides() {
    const std::size_t before =
        std::exchange(m_overrideCount, m_document.now().design->recipe ? m_document.now().design->overrides.size() : 0);
    if (m_document.undoStack().count() == 0 || m_overrideCount < before) return m_toast->hide();
    if (m_overrideCount == before) return;
    m_toast->say(m_overrideCount == 1 ? tr("1 override of the recipe") : tr("%1 overrides of the recipe").arg(m_overrideCount),
                 tr("Revert"), [this] { m_document.undoStack().undo(); });
}

void MainWindow::say(const QString& text) {
    statusBar()->setStyleSheet(QStringLiteral("QStatusBar { color: %1 }").arg(m_tokens.danger.name()));
    statusBar()->showMessage(text, 8000);
    m_isRefusalShown = true;
}

void MainWindow::tell(const QString& text) {
    m_isRefusalShown = false;
    statusBar()->setStyleSheet({});
    statusBar()->showMessage(text, 8000);
}

void MainWindow::showView(View view) {
    m_viewBar->showView(view);
    if (m_views->shown() == view) return;
    const bool drawing = view == View::Draw;
    if (!drawing) m_editMenu->failAction()->setChecked(false); // the other views show the intact design
    if (m_views->shown() == View::Draw) {
        m_dockWasVisible.clear();
        for (const QDockWidget* dock : m_drawDocks) m_dockWasVisible.push_back(dock->isVisible() || !isVisible());
        m_docksOfDrawing = saveState();
    }
    m_views->show(view);
    m_breadcrumb->setVisible(drawing);
    m_scopeBar->setInView(drawing);
    for (std::size_t i = 0; i < m_drawDocks.size(); ++i) m_drawDocks[i]->setVisible(drawing && m_dockWasVisible[i]);
    if (drawing && !m_docksOfDrawing.isEmpty()) restoreState(m_docksOfDrawing); // their sizes, which hiding forgets
}

void MainWindow::refreshTitle() {
    const QString name =
        m_document.path().isEmpty() ? QString::fromStdString(m_document.now().design->name) : QFileInfo(m_document.path()).fileName();
    setWindowTitle(QStringLiteral("%1[*] — Railyard").arg(name));
    setWindowModified(m_document.isModified());
    m_savedLabel->setText(m_document.isModified() ? tr("Not saved") : m_document.path().isEmpty() ? QString() : tr("Saved"));
}

void MainWindow::setDark(bool dark) {
    m_tokens = dark ? darkTokens() : lightTokens();
    m_viewMenu->setDark(dark);
    applyTokens();
}

void MainWindow::applyTokens() {
    qApp->setPalette(paletteOf(m_tokens));
    for (const char* field : {"QAbstractSpinBox", "QComboBox"}) QApplication::setPalette(fieldPaletteOf(m_tokens), field);
    qApp->setStyleSheet(styleSheetOf(m_tokens));
    m_gallery->setTokens(m_tokens);
    m_viewBar->setTokens(m_tokens);
    m_banner->setTokens(m_tokens);
    m_toast->setTokens(m_tokens);
    m_failing->setTokens(m_tokens);
    m_jobBar->setTokens(m_tokens);
    m_load->setTokens(m_tokens);
    m_play->setTokens(m_tokens);
    m_palette->setTokens(m_tokens);
    m_metrics->setTokens(m_tokens);
    m_findings->setTokens(m_tokens);
    m_tables->setTokens(m_tokens);
    m_views->setTokens(m_tokens);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == this && event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        for (ModeBar* bar : std::initializer_list<ModeBar*>{m_failing, m_load, m_jobBar, m_play}) // nothing else has used the key
            if (bar->isVisible()) emit bar->leaveAsked();
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::newFabric() {
    NewFabricDialog dialog(pricedCatalog(), m_tokens, this);
    if (dialog.exec() != QDialog::Accepted || !m_files->mayDiscard()) return;
    auto design = build(dialog.call(), dialog.name().toStdString(), pricedCatalog());
    if (!design) return warn(this, tr("The fabric cannot be built"), QString::fromStdString(toText(design.error())));
    openNew(std::make_shared<const Design>(std::move(*design)));
    showView(View::Draw);
}

void MainWindow::openPalette(bool elementsOnly) {
    CommandPalette palette(menuBar()->actions(), m_document.now().fabric, elementsOnly, this);
    palette.move(geometry().center().x() - palette.width() / 2, geometry().top() + 90);
    if (palette.exec() != QDialog::Accepted) return;
    if (palette.action()) return palette.action()->trigger();
    if (!palette.path().isEmpty()) return m_locator->locate(palette.path().toStdString());
    selectUsersOf(palette.partId());
}

void MainWindow::selectUsersOf(const QString& partId) {
    const auto users = elementsWithPart(*m_document.now().fabric, partId.toStdString());
    if (users.empty()) return say(tr("No element of this design uses %1.").arg(partId));
    showView(View::Draw);
    m_canvas->selectPaths(users);
}

void MainWindow::remember() const {
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/panels"), saveState());
    settings.setValue(QStringLiteral("window/dark"), m_tokens.isDark);
    settings.setValue(QStringLiteral("session/file"), m_document.path());
}

void MainWindow::restore(bool isFileToo) {
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/panels")).toByteArray());
    if (const QVariant dark = settings.value(QStringLiteral("window/dark")); dark.isValid()) setDark(dark.toBool());
    if (!isFileToo) return;
    const QString last = settings.value(QStringLiteral("session/file")).toString();
    if (m_document.path().isEmpty() && QFileInfo::exists(last)) openFile(last);
}

bool MainWindow::endSession(bool mayAsk) {
    if (!mayAsk) return m_autosave->journal().writeNow(), true;
    if (m_files->isOpening() || !m_files->mayDiscard()) return false;
    m_autosave->journal().forget(); // saved or given up
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_files->isOpening() || !m_files->mayDiscard()) return event->ignore();
    if (m_views->shown() != View::Draw) showView(View::Draw); // the panels belong to the Draw view
    remember();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> files = event->mimeData()->urls();
    if (files.size() == 1 && files.front().toLocalFile().endsWith(QStringLiteral(".railyard"))) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().front().toLocalFile();
    event->acceptProposedAction();
    QMetaObject::invokeMethod( // after the drag has ended, because a dialog may open
        this,
        [this, path] {
            if (m_files->mayDiscard()) m_files->open(path);
        },
        Qt::QueuedConnection);
}

} // namespace railyard
