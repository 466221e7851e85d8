#include "app/gui/main_window.h"

#include "app/gui/callout_dialogs.h"
#include "app/gui/context_menus.h"
#include "app/gui/document_files.h"
#include "app/gui/draw_panels.h"
#include "app/gui/edit_menu.h"
#include "app/gui/exports.h"
#include "app/gui/file_menu.h"
#include "app/gui/files.h"
#include "app/gui/help_menu.h"
#include "app/gui/link_modes.h"
#include "app/gui/locator.h"
#include "app/gui/panel_help.h"
#include "app/gui/start_gallery.h"
#include "app/gui/status_line.h"
#include "app/gui/sweep_files.h"
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
#include "widgets/views/failure_view.h"
#include "widgets/views/sweep_view.h"
#include "widgets/views/traffic_view.h"
#include "widgets/views/training_view.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QVBoxLayout>

namespace railyard {

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
    m_exports->follow(m_views->get<DecideView>(View::Decide));
    m_exports->follow(m_views->get<SweepView>(View::Sweep));
    m_modes = new LinkModes(*m_canvas, *m_load, *m_jobBar, *m_play);
    m_modes->follow(m_views->get<TrainingView>(View::Training));
    m_gallery = new StartGallery(m_document, *m_canvas, this);
    connect(m_gallery, &StartGallery::newFabricAsked, this, &MainWindow::newFabric);
    connect(m_gallery, &StartGallery::sampleAsked, m_files, &DocumentFiles::openSample);
    m_locator = new Locator(m_document, *m_canvas, m_views->get<FloorView>(View::Floor).plan());
    for (QObject* part : std::initializer_list<QObject*>{m_callouts, m_files, m_exports, m_modes, m_locator}) part->setParent(this);
    m_panels = new DrawPanels(m_document, *this);
    m_scopeBar = new ScopeBar(m_document, *m_panels->inspector);
    m_centre->addWidget(m_scopeBar);
    m_status = new StatusLine(m_document, this);
    setStatusBar(m_status);
    adaptTo(width());
    makeMenus();
    makeViewBar();
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

// A narrow window (960 px at 200 %) keeps all of its panels: the palette shrinks to icons and the drawing takes the rest.
void MainWindow::adaptTo(int width) {
    constexpr int narrow = 1280, leastDrawing = 700, leastNarrow = 440, leastHeight = 320;
    const bool isNarrow = width < narrow;
    m_panels->setCompact(isNarrow);
    m_views->setMinimumSize(isNarrow ? leastNarrow : leastDrawing, leastHeight); // the other views have the window to themselves
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    adaptTo(event->size().width());
    QMainWindow::resizeEvent(event);
}

void MainWindow::makeMenus() {
    explainPanels({m_panels->palette, m_panels->inspector, m_panels->metrics, m_panels->findings, m_panels->tables, m_panels->why,
                   m_failing, m_load, m_jobBar, m_play});
    auto* file = new FileMenu(*m_files, *m_exports, this);
    m_editMenu = new EditMenu(m_document, *m_canvas, *m_panels->inspector, *m_failing, this);
    m_viewMenu = new ViewMenu(m_document, *m_canvas, *m_modes, this);
    auto* help = new HelpMenu(this);
    for (QMenu* menu : std::initializer_list<QMenu*>{file, m_editMenu, m_viewMenu, help}) menuBar()->addMenu(menu);
    m_panels->addActionsTo(*m_viewMenu);
    const auto showDrawing = [this] { showView(View::Draw); };
    connect(file, &FileMenu::newFabricAsked, this, &MainWindow::newFabric);
    connect(file, &FileMenu::quitAsked, this, &MainWindow::close);
    connect(m_editMenu, &EditMenu::told, m_status, &StatusLine::say);
    connect(m_editMenu, &EditMenu::drawingAsked, this, showDrawing);
    connect(m_editMenu, &EditMenu::paletteAsked, this, &MainWindow::openPalette);
    connect(m_viewMenu, &ViewMenu::refused, m_status, &StatusLine::say);
    connect(m_viewMenu, &ViewMenu::drawingAsked, this, showDrawing);
    connect(m_viewMenu, &ViewMenu::darkAsked, this, &MainWindow::setDark);
    connect(m_viewMenu, &ViewMenu::panelsAsked, m_panels, &DrawPanels::hideOrShowAll);
    connect(help, &HelpMenu::sampleAsked, m_files, &DocumentFiles::openSample);
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

void MainWindow::connectPanels() {
    connect(m_panels->palette, &PalettePanel::added, m_canvas, &Canvas::addFromPalette);
    const auto offer = [this] { m_panels->palette->setTemplates(templatesOf(*m_document.now().design)); };
    connect(&m_document, &Document::changed, m_panels->palette, offer);
    offer();
    connect(m_panels->tables, &TablesPanel::selected, this,
            [this](const std::vector<std::string>& paths) { m_canvas->selectPaths(paths); });
    connect(m_panels->tables, &TablesPanel::refused, m_status, &StatusLine::say);
    connect(m_panels->inspector, &InspectorPanel::affectedChanged, m_canvas, &Canvas::showAffected);
    connect(m_panels->inspector, &InspectorPanel::dissolveAsked, m_canvas, &Canvas::dissolveBlock);
    connect(m_panels->inspector, &InspectorPanel::cableAsked, m_canvas, &Canvas::actOnCable);
    connect(m_panels->inspector, &InspectorPanel::refused, m_status, &StatusLine::say);
    connect(m_panels->inspector, &InspectorPanel::locateAsked, this,
            [this](const QString& path) { m_locator->locate(path.toStdString()); });
    connect(m_panels->metrics, &MetricsPanel::whyAsked, m_panels, &DrawPanels::explain);
    connect(m_panels->why, &WhyPanel::refused, m_status, &StatusLine::say);
    connect(m_panels->why, &WhyPanel::explained, m_canvas, &Canvas::showFigure);
    connect(m_scopeBar, &ScopeBar::deleteAsked, m_editMenu, &EditMenu::removeSelection);
    connect(m_scopeBar, &ScopeBar::failAsked, m_editMenu, &EditMenu::failSelection);
    connect(m_breadcrumb, &Breadcrumb::asked, this,
            [this](const std::string& path) { path.empty() ? m_canvas->selectPaths({}) : m_locator->locate(path); });
    connect(m_panels->findings, &FindingsPanel::locate, this, [this](const QString& path) { m_locator->locate(path.toStdString()); });
    connect(m_panels->findings, &FindingsPanel::refused, m_status, &StatusLine::say);
}

void MainWindow::connectCanvas() {
    connect(m_canvas, &Canvas::selectionChanged, this, [this] {
        m_locator->forgetPath();
        const auto paths = m_canvas->selectedPaths();
        m_panels->inspector->showSelection(paths);
        m_panels->tables->showSelection(paths);
        m_breadcrumb->showSelection(paths);
        QString words = paths.empty()       ? QString()
                        : paths.size() == 1 ? tr("Selected: %1").arg(QString::fromStdString(paths.front()))
                                            : tr("Selected: %1 elements").arg(paths.size());
        if (const QString cables = m_canvas->cablesText(); !cables.isEmpty()) words += tr("  |  %1").arg(cables);
        m_status->showSelection(words);
    });
    auto* menus = new ContextMenus(m_document, *m_canvas, *m_panels->tables, *m_editMenu, *m_failing, this);
    connect(menus, &ContextMenus::refused, m_status, &StatusLine::say);
    connect(menus, &ContextMenus::drawingAsked, this, [this] { showView(View::Draw); });
    connect(m_panels->tables, &TablesPanel::usersAsked, this, &MainWindow::selectUsersOf);
    connect(m_canvas, &Canvas::scopeAsked, this, [this](int scope) { m_panels->inspector->setScope(static_cast<EditScope>(scope)); });
    connect(m_canvas, &Canvas::said, m_status, &StatusLine::showDrawn);
    connect(m_canvas, &Canvas::refused, m_status, &StatusLine::say);
    connect(m_canvas, &Canvas::announced, m_panels->preview, &PreviewPanel::showAnnouncement);
    connect(m_canvas, &Canvas::calloutWanted, m_callouts, &CalloutDialogs::ask);
    connect(m_canvas, &Canvas::calloutOpened, m_callouts, &CalloutDialogs::open);
    connect(m_callouts, &CalloutDialogs::refused, m_status, &StatusLine::say);
    connect(&m_document, &Document::changed, this, [this] {
        m_status->forgetRefusal();
        refreshTitle();
        QMetaObject::invokeMethod( // queued until the step is on the undo stack
            this, [this] { announceOverrides(); }, Qt::QueuedConnection);
        m_panels->tables->showSelection(m_canvas->selectedPaths()); // the models have been reset by then
    });
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, [this] { refreshTitle(); });
}

void MainWindow::connectModes() {
    QAction* fail = m_editMenu->failAction();
    connect(m_canvas, &Canvas::failAsked, m_failing, &FailureBar::toggle);
    connect(m_failing, &FailureBar::refused, m_status, &StatusLine::say);
    connect(m_failing, &FailureBar::leaveAsked, fail, [fail] { fail->setChecked(false); });
    connect(m_failing, &FailureBar::scenariosChanged, this, [this] { storeScenarios(m_document.path(), m_failing->scenarios()); });
    connect(fail, &QAction::toggled, this, [this](bool on) {
        if (on) showView(View::Draw);
        m_failing->setOn(on);
        m_canvas->setFailing(on);
    });
    connect(m_modes, &LinkModes::entered, this, [this] { m_locator->forgetPath(), showView(View::Draw); });
    connect(m_modes, &LinkModes::refused, m_status, &StatusLine::say);
    connect(m_modes, &LinkModes::locateAsked, this, [this](const QString& path) { m_locator->locate(path.toStdString()); });
    connect(m_play, &PlayBar::framesAsked, this, [this] { m_exports->exportFrames(*m_play); });
    connect(m_locator, &Locator::drawingAsked, this, [this] { showView(View::Draw); });
    connect(m_locator, &Locator::floorAsked, this, [this] { showView(View::Floor); });
    connect(m_locator, &Locator::linksAsked, m_modes, &LinkModes::leave);
    connect(m_locator, &Locator::refused, m_status, &StatusLine::say);
    connect(m_locator, &Locator::told, m_status, &StatusLine::keep);
}

void MainWindow::connectViews() {
    const auto exports = [this](const QString& what) { return [this, what] { m_exports->exportAs(what); }; };
    const auto open = [this](const DesignPointer& design) {
        if (design && m_files->mayDiscard()) openNew(design), showView(View::Draw);
    };
    auto& floor = m_views->get<FloorView>(View::Floor);
    auto& traffic = m_views->get<TrafficView>(View::Traffic);
    auto& decide = m_views->get<DecideView>(View::Decide);
    auto& compare = m_views->get<CompareView>(View::Compare);
    connect(&floor, &FloorView::refused, m_status, &StatusLine::say);
    connect(&floor, &FloorView::exportAsked, this, exports(QStringLiteral("floor")));
    auto& failure = m_views->get<FailureView>(View::Failure);
    connect(&failure, &FailureView::locateAsked, this, [this](const QString& path) { m_locator->locate(path.toStdString()); });
    connect(&failure, &FailureView::failAsked, this, [this] { m_editMenu->failAction()->setChecked(true); });
    connect(&traffic, &TrafficView::exportAsked, this, [this, &traffic] { m_exports->exportAs(traffic.picture()); });
    connect(&traffic, &TrafficView::jobAsked, this, [this] { showView(View::Training); });
    connect(&traffic, &TrafficView::pairChosen, m_locator, &Locator::showPath);
    connect(&decide, &DecideView::compareAsked, this, [this] { showView(View::Compare); });
    connect(&decide, &DecideView::openAsked, this, [this, open](const RecipeCall& call, const QString& name) {
        auto design = build(call, name.toStdString(), m_document.now().design->catalog);
        if (!design) return m_status->say(QString::fromStdString(design.error().text));
        open(std::make_shared<const Design>(std::move(*design)));
    });
    connect(&compare, &CompareView::exportAsked, this, exports(QStringLiteral("compare")));
    connect(&compare, &CompareView::openOtherAsked, this, [&compare, open] { open(compare.other()); });
    connect(new SweepFiles(m_document, *m_views, *m_status, *this), &SweepFiles::openAsked, this, open);
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
    connect(m_files, &DocumentFiles::told, m_status, &StatusLine::say);
    connect(m_exports, &Exports::written, m_status, &StatusLine::tell);
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

void MainWindow::showView(View view) {
    m_viewBar->showView(view);
    if (m_views->shown() == view) return;
    const bool drawing = view == View::Draw;
    if (!drawing) m_editMenu->failAction()->setChecked(false); // the other views show the intact design
    if (m_views->shown() == View::Draw) m_panels->leaveDrawing();
    m_views->show(view);
    m_breadcrumb->setVisible(drawing);
    m_scopeBar->setInView(drawing);
    if (drawing) m_panels->returnToDrawing();
}

void MainWindow::refreshTitle() {
    const QString name =
        m_document.path().isEmpty() ? QString::fromStdString(m_document.now().design->name) : QFileInfo(m_document.path()).fileName();
    setWindowTitle(QStringLiteral("%1[*] — Railyard").arg(name));
    setWindowModified(m_document.isModified());
    m_status->showSaved(m_document.isModified() ? tr("Not saved") : m_document.path().isEmpty() ? QString() : tr("Saved"));
}

void MainWindow::setDark(bool dark) {
    m_tokens = dark ? darkTokens() : lightTokens();
    m_viewMenu->setDark(dark);
    applyTokens();
}

void MainWindow::applyTokens() {
    qApp->setPalette(paletteOf(m_tokens));
    for (const char* field : {"QAbstractSpinBox", "QComboBox", "QCheckBox", "QRadioButton"})
        QApplication::setPalette(fieldPaletteOf(m_tokens), field);
    qApp->setStyleSheet(styleSheetOf(m_tokens));
    m_gallery->setTokens(m_tokens);
    m_viewBar->setTokens(m_tokens);
    m_banner->setTokens(m_tokens);
    m_toast->setTokens(m_tokens);
    m_failing->setTokens(m_tokens);
    m_jobBar->setTokens(m_tokens);
    m_load->setTokens(m_tokens);
    m_play->setTokens(m_tokens);
    m_panels->setTokens(m_tokens);
    m_status->setTokens(m_tokens);
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
    auto design = dialog.design();
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
    if (users.empty()) return m_status->say(tr("No element of this design uses %1.").arg(partId));
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
    const QList<QUrl> files = event->mimeData()->urls(); // of any name, as in Open; also the folder of a flat fabric
    if (files.size() == 1 && files.front().isLocalFile()) event->acceptProposedAction();
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
