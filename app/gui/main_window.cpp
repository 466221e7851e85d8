#include "app/gui/main_window.h"

#include "app/gui/files.h"
#include "app/session/autosave.h"
#include "core/base/unit_text.h"
#include "core/io/document/design_json.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/gallery.h"
#include "widgets/floor/floor_view.h"
#include "widgets/modes/failure_bar.h"
#include "widgets/modes/job_bar.h"
#include "widgets/modes/load_bar.h"
#include "widgets/modes/play_bar.h"
#include "widgets/panels/banner.h"
#include "widgets/panels/findings_panel.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/panels/palette_panel.h"
#include "widgets/panels/panel_scroll.h"
#include "widgets/panels/tables_panel.h"
#include "widgets/panels/toast.h"
#include "widgets/panels/why_panel.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/style.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/decide_view.h"
#include "widgets/views/traffic_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUndoView>
#include <QVBoxLayout>

namespace railyard {

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_tokens(lightTokens()) {
    resize(1600, 1000);
    setDockNestingEnabled(true);
    setAcceptDrops(true);
    m_stack = new QStackedWidget;
    m_stack->setMinimumSize(700, 320); // the other views have the window to themselves
    m_canvas = new Canvas(m_document);
    m_toast = new Toast(m_canvas);
    m_floor = new FloorView(m_document);
    m_traffic = new TrafficView(m_document);
    m_decide = new DecideView(m_document);
    m_compare = new CompareView(m_document);
    for (QWidget* view : std::initializer_list<QWidget*>{m_canvas, m_floor, m_traffic, m_decide, m_compare}) m_stack->addWidget(view);
    m_banner = new Banner;
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_failing = new FailingBar(m_document);
    column->addWidget(m_banner);
    column->addWidget(m_failing);
    m_jobBar = new JobBar(m_document);
    column->addWidget(m_jobBar);
    m_load = new LoadBar(m_document);
    column->addWidget(m_load);
    m_play = new PlayBar(m_document);
    column->addWidget(m_play);
    column->addWidget(m_stack, 1);
    setCentralWidget(centre);
    m_autosave = std::make_unique<Autosave>(m_document, *m_banner, *this);
    makeDocks();
    makeMenus();
    makeViewBar();
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
    connectParts();
    m_document.setAskLarge([this](std::int64_t devices) {
        return ask(this, tr("Very large design"),
                   tr("This will create %1 devices and may take a while. Continue?").arg(QString::fromStdString(formatCount(devices))),
                   QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel) == QMessageBox::Yes;
    });
    setDark(palette().color(QPalette::Window).lightness() < 128);
    refreshTitle();
}

MainWindow::~MainWindow() = default;

void MainWindow::addDock(const QString& title, const QString& name, QWidget* content, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title);
    dock->setObjectName(name);
    dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetClosable);
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_drawDocks.push_back(dock);
}

void MainWindow::makeDocks() {
    constexpr int paletteWidth = 186, rightWidth = 352; // wide enough for their content; leaves 820 of 1366 px to the drawing
    m_palette = new PalettePanel;
    m_inspector = new InspectorPanel(m_document);
    m_metrics = new MetricsPanel(m_document);
    m_findings = new FindingsPanel(m_document);
    m_tables = new TablesPanel(m_document);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    addDock(tr("Palette"), QStringLiteral("palette"), new PanelScroll(m_palette, paletteWidth), Qt::LeftDockWidgetArea);
    addDock(tr("Inspector"), QStringLiteral("inspector"), new PanelScroll(m_inspector, rightWidth), Qt::RightDockWidgetArea);
    addDock(tr("Metrics"), QStringLiteral("metrics"), new PanelScroll(m_metrics, rightWidth), Qt::RightDockWidgetArea);
    addDock(tr("Findings"), QStringLiteral("findings"), new PanelScroll(m_findings, rightWidth), Qt::RightDockWidgetArea);
    addDock(tr("Tables"), QStringLiteral("tables"), m_tables, Qt::BottomDockWidgetArea);
    auto* history = new QUndoView(&m_document.undoStack());
    history->setEmptyLabel(tr("Design as opened"));
    history->setAccessibleName(tr("Edit history"));
    addDock(tr("History"), QStringLiteral("history"), history, Qt::RightDockWidgetArea);
    m_drawDocks.back()->hide();
    m_why = new WhyPanel(m_document);
    addDock(tr("Why"), QStringLiteral("why"), m_why, Qt::RightDockWidgetArea);
    tabifyDockWidget(m_drawDocks[3], m_drawDocks.back()); // shares a dock with Findings, because both concern the whole design
    m_drawDocks.back()->hide();
    const int right = width() < 1500 ? rightWidth : 360;
    resizeDocks({m_drawDocks[0], m_drawDocks[1]}, {188, right}, Qt::Horizontal);
    resizeDocks({m_drawDocks[1], m_drawDocks[2], m_drawDocks[3]}, {270, 430, 220}, Qt::Vertical);
    resizeDocks({m_drawDocks[4]}, {190}, Qt::Vertical);
}

void MainWindow::connectParts() {
    connect(m_palette, &PalettePanel::added, m_canvas, &Canvas::addFromPalette);
    const auto offer = [this] { m_palette->setTemplates(templatesOf(*m_document.now().design)); };
    connect(&m_document, &Document::changed, m_palette, offer);
    offer();
    connect(m_canvas, &Canvas::selectionChanged, this, [this] {
        const auto paths = m_canvas->selectedPaths();
        m_inspector->showSelection(paths);
        m_tables->showSelection(paths);
        QString words = paths.empty()       ? QString()
                        : paths.size() == 1 ? tr("Selected: %1").arg(QString::fromStdString(paths.front()))
                                            : tr("Selected: %1 elements").arg(paths.size());
        if (const QString cables = m_canvas->cablesText(); !cables.isEmpty()) words += tr("  |  %1").arg(cables);
        m_selectionLabel->setText(words);
    });
    connect(m_tables, &TablesPanel::selected, this, [this](const std::vector<std::string>& paths) { m_canvas->selectPaths(paths); });
    connect(m_inspector, &InspectorPanel::affectedChanged, m_canvas, &Canvas::showAffected);
    connect(m_inspector, &InspectorPanel::scopesSaid, m_canvas, &Canvas::showScopes);
    connect(m_inspector, &InspectorPanel::dissolveAsked, m_canvas, &Canvas::dissolveBlock);
    connect(m_metrics, &MetricsPanel::whyAsked, this, [this](const QString& key) {
        for (QDockWidget* dock : m_drawDocks)
            if (dock->widget() == m_why) dock->show(), dock->raise();
        m_why->explain(key);
    });
    connect(m_why, &WhyPanel::refused, this, &MainWindow::say);
    connect(m_why, &WhyPanel::explained, m_canvas, &Canvas::showFigure);
    connect(m_canvas, &Canvas::blockAsked, this, [this](const std::string& path) { m_inspector->showSelection({path}); });
    connect(m_canvas, &Canvas::calloutWanted, this, &MainWindow::askCallout);
    connect(m_canvas, &Canvas::calloutOpened, this, &MainWindow::openCallout);
    connect(m_canvas, &Canvas::failAsked, m_failing, &FailingBar::toggle);
    connect(m_failing, &FailingBar::refused, this, &MainWindow::say);
    connect(m_failing, &FailingBar::leaveAsked, m_failAction, [this] { m_failAction->setChecked(false); });
    connect(m_failing, &FailingBar::scenariosChanged, this, &MainWindow::rememberScenarios);
    connect(m_failAction, &QAction::toggled, this, [this](bool on) {
        if (on) showView(DrawView);
        m_failing->setOn(on);
        m_canvas->setFailing(on);
    });
    connectLoads();
    connect(m_canvas, &Canvas::scopeAsked, this, [this](int scope) { m_inspector->setScope(static_cast<EditScope>(scope)); });
    connect(m_tables, &TablesPanel::refused, this, &MainWindow::say);
    connect(m_findings, &FindingsPanel::locate, this, [this](const QString& path) { locate(path.toStdString()); });
    connect(m_findings, &FindingsPanel::refused, this, &MainWindow::say);
    connect(m_canvas, &Canvas::said, m_drawnLabel, &QLabel::setText);
    connect(m_canvas, &Canvas::refused, this, &MainWindow::say);
    connect(m_inspector, &InspectorPanel::refused, this, &MainWindow::say);
    connect(&m_document, &Document::changed, this, [this] {
        refreshTitle();
        showGallery();
        QMetaObject::invokeMethod( // queued until the step is on the undo stack
            this, [this] { announceOverrides(); }, Qt::QueuedConnection);
        m_tables->showSelection(m_canvas->selectedPaths()); // the models have been reset by then
    });
    installEventFilter(this);
    m_canvas->installEventFilter(this);
    connect(&m_document.undoStack(), &QUndoStack::cleanChanged, this, [this] { refreshTitle(); });
    connect(m_autosave.get(), &Autosave::saveAsAsked, this, [this] { saveAs(); });
    connect(m_autosave.get(), &Autosave::reloadAsked, this, [this](const QString& path) { openFile(path); });
    connect(m_floor, &FloorView::refused, this, &MainWindow::say);
    connect(m_floor, &FloorView::exportAsked, this, [this] { exportAs(QStringLiteral("floor")); });
    connect(m_traffic, &TrafficView::exportAsked, this, [this] { exportAs(m_traffic->picture()); });
    connect(m_traffic, &TrafficView::pairChosen, this, &MainWindow::showPath);
    connect(m_canvas, &Canvas::selectionChanged, this, [this] { forgetPath(); });
    connect(m_decide, &DecideView::exportAsked, this, [this] { exportAs(QStringLiteral("heatmap:decision")); });
    connect(m_decide, &DecideView::compareAsked, this, [this] { showView(ComparisonView); });
    connect(m_compare, &CompareView::exportAsked, this, [this] { exportAs(QStringLiteral("compare")); });
    connect(m_compare, &CompareView::openOtherAsked, this, [this] {
        const DesignPointer other = m_compare->other();
        if (other && mayDiscard()) openNew(other), showView(DrawView);
    });
    connect(m_decide, &DecideView::openAsked, this, [this](const RecipeCall& call, const QString& name) {
        auto design = build(call, name.toStdString(), m_document.now().design->catalog);
        if (!design) return say(QString::fromStdString(design.error().text));
        if (mayDiscard()) openNew(std::make_shared<const Design>(std::move(*design))), showView(DrawView);
    });
}

// An edit that no recipe parameter can express becomes an override. The toast says so and offers to revert it.
void MainWindow::announceOverrides() {
    const std::size_t before =
        std::exchange(m_overrideCount, m_document.now().design->recipe ? m_document.now().design->overrides.size() : 0);
    if (m_document.undoStack().count() == 0 || m_overrideCount < before) return m_toast->hide();
    if (m_overrideCount == before) return;
    m_toast->say(m_overrideCount == 1 ? tr("1 override of the recipe") : tr("%1 overrides of the recipe").arg(m_overrideCount),
                 tr("Revert"), [this] { m_document.undoStack().undo(); });
}

void MainWindow::connectLoads() {
    connect(m_load, &LoadBar::loadsChanged, m_canvas, &Canvas::showLoads);
    connect(m_load, &LoadBar::refused, this, &MainWindow::say);
    connect(m_load, &LoadBar::locateAsked, this, [this](const QString& path) { locate(path.toStdString()); });
    connect(m_load, &LoadBar::leaveAsked, m_loadAction, [this] { m_loadAction->setChecked(false); });
    connect(m_loadAction, &QAction::toggled, this, [this](bool on) {
        if (on)
            forgetPath(), showView(DrawView), m_playAction->setChecked(false),
                m_jobsAction->setChecked(false); // only one mode can colour the links
        m_load->setOn(on);
    });
    connect(m_jobBar, &JobBar::loadsChanged, m_canvas, &Canvas::showLoads);
    connect(m_jobBar, &JobBar::territoriesChanged, m_canvas, &Canvas::showTerritories);
    connect(m_jobBar, &JobBar::locateAsked, this, [this](const QString& path) { locate(path.toStdString()); });
    connect(m_jobBar, &JobBar::leaveAsked, m_jobsAction, [this] { m_jobsAction->setChecked(false); });
    connect(m_jobsAction, &QAction::toggled, this, [this](bool on) {
        if (on) {
            forgetPath(), showView(DrawView), m_loadAction->setChecked(false), m_playAction->setChecked(false);
            m_detailBeforeJobs = m_canvas->detail();
            m_canvas->setUnfolded(true); // in a fold, one server would represent servers of several jobs
        } else if (m_canvas->isUnfolded()) {
            m_canvas->setDetail(m_detailBeforeJobs);
        }
        m_jobBar->setOn(on);
    });
    connectPlay();
}

void MainWindow::say(const QString& text) {
    statusBar()->setStyleSheet(QStringLiteral("QStatusBar { color: %1 }").arg(m_tokens.danger.name()));
    statusBar()->showMessage(text, 8000);
}

void MainWindow::showView(int index) {
    m_views->actions()[index]->setChecked(true);
    if (m_stack->currentIndex() == index) return;
    const bool drawing = index == DrawView;
    if (!drawing) m_failAction->setChecked(false); // the other views show the intact design
    if (m_stack->currentIndex() == DrawView) {
        m_dockWasVisible.clear();
        for (const QDockWidget* dock : m_drawDocks) m_dockWasVisible.push_back(dock->isVisible() || !isVisible());
    }
    m_stack->setCurrentIndex(index);
    for (std::size_t i = 0; i < m_drawDocks.size(); ++i) m_drawDocks[i]->setVisible(drawing && m_dockWasVisible[i]);
}

void MainWindow::report(const Error& error, const QString& title) { warn(this, title, QString::fromStdString(toText(error))); }

void MainWindow::refreshTitle() {
    const QString name =
        m_document.path().isEmpty() ? QString::fromStdString(m_document.now().design->name) : QFileInfo(m_document.path()).fileName();
    setWindowTitle(QStringLiteral("%1[*] — Railyard").arg(name));
    setWindowModified(m_document.isModified());
    m_savedLabel->setText(m_document.isModified() ? tr("Not saved") : m_document.path().isEmpty() ? QString() : tr("Saved"));
}

void MainWindow::setDark(bool dark) {
    m_tokens = dark ? darkTokens() : lightTokens();
    m_darkAction->setChecked(dark);
    applyTokens();
}

void MainWindow::applyTokens() {
    qApp->setPalette(paletteOf(m_tokens));
    for (const char* field : {"QAbstractSpinBox", "QComboBox"}) QApplication::setPalette(fieldPaletteOf(m_tokens), field);
    qApp->setStyleSheet(styleSheetOf(m_tokens));
    m_banner->setTokens(m_tokens);
    m_toast->setTokens(m_tokens);
    m_failing->setTokens(m_tokens);
    m_jobBar->setTokens(m_tokens);
    m_load->setTokens(m_tokens);
    m_play->setTokens(m_tokens);
    m_canvas->setTokens(m_tokens);
    m_palette->setTokens(m_tokens);
    m_metrics->setTokens(m_tokens);
    m_findings->setTokens(m_tokens);
    m_tables->setTokens(m_tokens);
    m_floor->setTokens(m_tokens);
    m_traffic->setTokens(m_tokens);
    m_decide->setTokens(m_tokens);
    m_compare->setTokens(m_tokens);
}

// An empty drawing shows the gallery of samples, which is hidden by the first element.
void MainWindow::showGallery() {
    const bool wanted = isEmpty(*m_document.now().design) && isVisible();
    if (!wanted) {
        delete m_gallery;
        m_gallery = nullptr;
        return;
    }
    if (m_gallery) return;
    const QStringList names{QStringLiteral("superpod-h100-4su"), QStringLiteral("superpod-h100-16su"),
                            QStringLiteral("rail-only-h100-16su"), QStringLiteral("hand-drawn")};
    std::vector<DesignPointer> samples;
    QStringList paths;
    for (const QString& name : names) {
        const QString path = sampleFile(name + QStringLiteral(".railyard"));
        const auto design = path.isEmpty() ? Result<DesignPointer>(Error::file("", "")) : loadDesign(path.toStdString());
        if (!design) continue;
        samples.push_back(*design);
        paths << path;
    }
    m_gallery = new Gallery(samples, m_tokens, m_canvas);
    connect(m_gallery, &Gallery::chosen, this, [this, paths](int entry) {
        QMetaObject::invokeMethod(
            this, [this, path = paths[entry]] { openSample(path); }, Qt::QueuedConnection);
    });
    connect(
        m_gallery, &Gallery::newFabricAsked, this, [this] { newFabric(); },
        Qt::QueuedConnection); // queued, because the gallery is deleted meanwhile
    m_gallery->adjustSize();
    m_gallery->move((m_canvas->width() - m_gallery->width()) / 2, std::max(8, (m_canvas->height() - m_gallery->height()) / 2));
    m_gallery->show();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_canvas && event->type() == QEvent::Resize && m_gallery)
        m_gallery->move((m_canvas->width() - m_gallery->width()) / 2, std::max(8, (m_canvas->height() - m_gallery->height()) / 2));
    if (watched == this && event->type() == QEvent::Show)
        QMetaObject::invokeMethod(
            this, [this] { showGallery(); }, Qt::QueuedConnection);
    return QMainWindow::eventFilter(watched, event);
}

// A sample is opened without a path, so that saving asks for a file name.
} // namespace railyard
