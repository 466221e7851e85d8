// Menus and what they do with files; the table of actions of the window.
#include "app/files.h"
#include "app/keeping/keeper.h"
#include "app/main_window.h"
#include "core/catalog/price_book.h"
#include "core/io/deliverables.h"
#include "core/io/design_json.h"
#include "core/io/results_json.h"
#include "widgets/canvas/canvas.h"
#include "widgets/floor/floor_view.h"
#include "widgets/panels/failing_bar.h"
#include "widgets/panels/findings_panel.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/panels/job_bar.h"
#include "widgets/panels/load_bar.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/panels/palette_panel.h"
#include "widgets/panels/play_bar.h"
#include "widgets/panels/tables_panel.h"
#include "widgets/panels/tour.h"
#include "widgets/panels/why_panel.h"
#include "widgets/pictures/pictures.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/decide_view.h"
#include "widgets/views/new_fabric_dialog.h"
#include "widgets/views/traffic_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QWhatsThis>

namespace railyard {

void MainWindow::explainPanels() {
    m_palette->setWhatsThis(
        tr("What a fabric is made of. Drag onto the drawing: before release the pointer says what changes. With Alt a spine "
           "lands on any count. The row For slides puts words, arrows, brackets, a legend or a logo on the drawing."));
    m_inspector->setWhatsThis(
        tr("What is selected, or the recipe where nothing is. Fields take expressions: 96 + 32, *1.1, 50%. An edit changes "
           "this one, its rank in the pod, its rank everywhere, or all of its kind: keys 1 to 4."));
    m_metrics->setWhatsThis(
        tr("Figures of the design, after every edit; grey ones are still being computed. A click on a name asks why. Pin keeps "
           "them under a name to measure against."));
    m_findings->setWhatsThis(
        tr("What the design rules found. Locate shows it on the drawing, Fix mends it where that is possible, Approve keeps it "
           "with a reason."));
    m_tables->setWhatsThis(
        tr("Devices, links and the bill. Click a heading to sort; names and switches can be typed; Ctrl+C copies cells for a "
           "spreadsheet. The selection is that of the drawing."));
    m_why->setWhatsThis(tr("Formula, inputs, sources and confidence of a figure; below, what it is to reach."));
    m_failing->setWhatsThis(
        tr("Figures of what is left when something fails. Click elements, or type what fails; the design itself stays whole."));
    m_load->setWhatsThis(
        tr("What every link carries when all GPUs send: choose a pattern and how switches divide it. Colours run from idle to full; "
           "red links are asked for more than they carry."));
    m_jobBar->setWhatsThis(tr("Jobs beside each other: which servers each has, what links carry with all of them, and how much slower the "
                              "slowest is than alone."));
    m_play->setWhatsThis(tr("An operation of all GPUs, step by step: who sends, what links carry meanwhile, how long it lasts."));
    m_canvas->setWhatsThis(
        tr("The fabric as it will be cabled. Drag to build, Alt-drag to connect, wheel to zoom, Space to pan, F to fit. Blue "
           "handles change counts; a double click shows the block."));
    m_floor->setWhatsThis(tr("Racks to scale. Drag one to another place; what that costs in cable is said before release."));
    m_traffic->setWhatsThis(tr("Time of a collective over message size and number of servers."));
    m_decide->setWhatsThis(
        tr("Rail-optimized or rail-only: what each size and HB domain saves or costs. Double-click a cell to open that fabric."));
    m_compare->setWhatsThis(tr("The design beside another, every figure with difference and percent."));
}

void MainWindow::makeMenus() {
    explainPanels();
    makeFileMenu();
    makeEditMenu();
    QMenu* view = menuBar()->addMenu(tr("&View"));
    const auto add = [&](const QString& text, const QKeySequence& keys, auto slot) {
        QAction* action = view->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    add(tr("&Fit the design"), Qt::Key_F, [this] { m_canvas->fit(); });
    add(tr("Fit the &selection"), Qt::SHIFT | Qt::Key_F, [this] { m_canvas->fitSelection(); });
    add(tr("Zoom &in"), QKeySequence::ZoomIn, [this] { m_canvas->zoomBy(1.25); });
    add(tr("Zoom &out"), QKeySequence::ZoomOut, [this] { m_canvas->zoomBy(0.8); });
    QAction* unfold = view->addAction(tr("&Unfold identical SUs"));
    unfold->setCheckable(true);
    unfold->setShortcut(Qt::Key_U);
    QAction* elide = view->addAction(tr("&Elide: 1, 2 … last"));
    elide->setCheckable(true);
    elide->setShortcut(Qt::SHIFT | Qt::Key_U);
    connect(unfold, &QAction::triggered, m_canvas, [this](bool on) { m_canvas->setDetail(on ? Detail::Full : Detail::Folded); });
    connect(elide, &QAction::triggered, m_canvas, [this](bool on) { m_canvas->setDetail(on ? Detail::Elided : Detail::Folded); });
    connect(m_canvas, &Canvas::detailChanged, this, [unfold, elide](Detail detail) {
        unfold->setChecked(detail == Detail::Full);
        elide->setChecked(detail == Detail::Elided);
    });
    makeModes(*view);
    QMenu* saved = view->addMenu(tr("Saved &views"));
    connect(saved, &QMenu::aboutToShow, this, [this, saved] { fillViews(*saved); });
    QMenu* layers = view->addMenu(tr("&Layers"));
    const QString names[] = {
        tr("&Servers"), tr("Links to the &leaves"), tr("&Rails"), tr("Links &above the spines"), tr("&Drawn by hand"), tr("&Names"),
        tr("&Callouts")};
    for (int layer = 0; layer < layerCount; ++layer) {
        QAction* shown = layers->addAction(names[layer]);
        shown->setCheckable(true);
        shown->setChecked(true);
        connect(shown, &QAction::toggled, this, [this, layer](bool on) { m_canvas->setLayer(static_cast<Layer>(layer), on); });
    }
    QMenu* rails = view->addMenu(tr("Highlight a r&ail"));
    connect(rails, &QMenu::aboutToShow, this, [this, rails] {
        rails->clear();
        const auto count = static_cast<int>(std::min<std::int64_t>(m_document.now().instant.counts.rails, 64));
        for (int rail = 0; rail <= count; ++rail)
            rails->addAction(rail == 0 ? tr("None") : tr("Rail %1").arg(rail), this, [this, rail] { m_canvas->highlightRail(rail); });
    });
    view->addSeparator();
    m_darkAction = view->addAction(tr("&Dark colours"));
    m_darkAction->setCheckable(true);
    connect(m_darkAction, &QAction::toggled, this, &MainWindow::setDark);
    QAction* docks = add(tr("Hide the &panels"), Qt::Key_F11, [this] {
        const bool any = std::any_of(m_drawDocks.begin(), m_drawDocks.end(), [](const QDockWidget* dock) { return dock->isVisible(); });
        for (QDockWidget* dock : m_drawDocks) dock->setVisible(!any);
    });
    docks->setToolTip(tr("Shows only the drawing"));
    view->addSeparator();
    for (QDockWidget* dock : m_drawDocks) view->addAction(dock->toggleViewAction());
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Ten-minute tour"), this, [this] {
        auto* tour = new Tour(this);
        tour->setAttribute(Qt::WA_DeleteOnClose);
        connect(tour, &Tour::sampleAsked, this,
                [this](const QString& name) { openSample(sampleFile(name + QStringLiteral(".railyard"))); });
        tour->QDialog::show(); // one tries each step on the drawing beside it
    });
    help->addAction(QWhatsThis::createAction(this)); // Shift+F1, then a click on a panel or view
    help->addAction(tr("&About Railyard"), this, [this] {
        QMessageBox::about(this, tr("About Railyard"),
                           tr("Railyard %1 designs the networks of GPU clusters.\nCatalogue of %2. Works offline.")
                               .arg(QStringLiteral(RAILYARD_VERSION), QString::fromStdString(shippedCatalog()->asOf())));
    });
}

// What is shown over the drawing, one at a time.
void MainWindow::makeModes(QMenu& view) {
    const auto add = [&](const QString& text, const QKeySequence& keys, const QString& tip) {
        QAction* mode = view.addAction(text);
        mode->setCheckable(true);
        mode->setShortcut(keys);
        mode->setToolTip(tip);
        return mode;
    };
    m_loadAction = add(tr("Loa&d of links"), Qt::Key_L, tr("What every link carries under a traffic pattern"));
    m_playAction =
        add(tr("&Play a collective"), Qt::SHIFT | Qt::Key_L, tr("Its steps over the drawing, links in the colour of what they carry"));
    m_jobsAction = add(tr("Several &jobs"), Qt::Key_J, tr("Which servers jobs have, and how much they slow each other"));
}

void MainWindow::makeFileMenu() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    const auto add = [&](const QString& text, const QKeySequence& keys, auto slot) {
        QAction* action = file->addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, slot);
    };
    add(tr("&New fabric…"), QKeySequence::New, [this] { newFabric(); });
    add(tr("New &empty drawing"), {}, [this] {
        if (mayDiscard()) openDesign(emptyDesign(pricedCatalog()), {});
    });
    add(tr("&Open…"), QKeySequence::Open, [this] { openDialog(); });
    m_recent = file->addMenu(tr("Open &recent"));
    connect(m_recent, &QMenu::aboutToShow, this, [this] { fillRecent(); });
    QMenu* samples = file->addMenu(tr("&Samples"));
    for (const QString& path : sampleFiles()) {
        samples->addAction(QFileInfo(path).completeBaseName(), this, [this, path] { openSample(path); });
    }
    file->addSeparator();
    add(tr("&Save"), QKeySequence::Save, [this] { save(); });
    add(tr("Save &as…"), QKeySequence::SaveAs, [this] { saveAs(); });
    file->addSeparator();
    QMenu* out = file->addMenu(tr("&Export"));
    for (const auto& [text, what] :
         {std::pair(tr("&Bill of materials…"), "bom"), std::pair(tr("&Cable list…"), "cables"),
          std::pair(tr("&Picture of the drawing…"), "topology"), std::pair(tr("&Floor plan…"), "floor"),
          std::pair(tr("&Racks from the front…"), "racks"), std::pair(tr("&Heat map of collective times…"), "heatmap:collective-time"),
          std::pair(tr("&Decision map…"), "heatmap:decision"), std::pair(tr("C&omparison with the twin…"), "compare")})
        out->addAction(text, this, [this, what = QString::fromLatin1(what)] { exportAs(what); });
    file->addSeparator();
    add(tr("&Quit"), QKeySequence::Quit, [this] { close(); });
}

void MainWindow::makeEditMenu() {
    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_document.undoStack().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    edit->addAction(undo);
    edit->addAction(redo);
    edit->addSeparator();
    QAction* remove = edit->addAction(tr("&Delete"));
    remove->setShortcut(QKeySequence::Delete);
    connect(remove, &QAction::triggered, this, [this] {
        if (m_stack->currentIndex() != DrawView) return; // only what can be seen
        if (m_canvas->isFailing()) return m_failing->failAll(m_canvas->selectedPaths());
        QString reason;
        if (!m_document.apply(removeElements(*m_document.now().design, m_inspector->affected()), &reason)) say(reason);
    });
    const auto ofCanvas = [&](const QString& text, const QKeySequence& keys, auto slot) { // tables copy cells of their own
        QAction* action = edit->addAction(text);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_canvas->addAction(action);
        connect(action, &QAction::triggered, m_canvas, slot);
    };
    ofCanvas(tr("Cop&y"), QKeySequence::Copy, &Canvas::copy);
    ofCanvas(tr("&Paste"), QKeySequence::Paste, &Canvas::paste);
    ofCanvas(tr("Dup&licate"), Qt::CTRL | Qt::Key_D, &Canvas::duplicate);
    ofCanvas(tr("&Group"), Qt::CTRL | Qt::Key_G, &Canvas::group);
    ofCanvas(tr("Dissol&ve the group or SU"), Qt::CTRL | Qt::SHIFT | Qt::Key_G, &Canvas::dissolve);
    QMenu* align = edit->addMenu(tr("Ali&gn"));
    for (const auto& [text, how] :
         {std::pair(tr("In a &row"), Canvas::Align::Row), std::pair(tr("In a &column"), Canvas::Align::Column),
          std::pair(tr("Spread &across"), Canvas::Align::SpreadAcross), std::pair(tr("Spread &down"), Canvas::Align::SpreadDown)})
        align->addAction(text, this, [this, how = how] { m_canvas->align(how); });
    QMenu* callouts = edit->addMenu(tr("Call&outs for slides"));
    for (const auto& [text, kind] :
         {std::pair(tr("&Text"), Callout::Kind::Text), std::pair(tr("&Arrow to what is selected"), Callout::Kind::Arrow),
          std::pair(tr("&Bracket over what is selected"), Callout::Kind::Bracket), std::pair(tr("&Legend"), Callout::Kind::Legend),
          std::pair(tr("L&ogo…"), Callout::Kind::Logo)})
        callouts->addAction(text, this, [this, kind = kind] {
            showView(DrawView);
            m_canvas->addCalloutOfSelection(kind);
        });
    QMenu* steps = edit->addMenu(tr("&One step"));
    for (const auto& [text, what, step] :
         {std::tuple(tr("More &spines"), TierStep::Spines, 1), std::tuple(tr("Fewer s&pines"), TierStep::Spines, -1),
          std::tuple(tr("One S&U more"), TierStep::ScalableUnits, 1), std::tuple(tr("One SU &fewer"), TierStep::ScalableUnits, -1),
          std::tuple(tr("Next &larger leaf switch"), TierStep::LeafPart, 1),
          std::tuple(tr("Next s&maller leaf switch"), TierStep::LeafPart, -1),
          std::tuple(tr("Next larger spine s&witch"), TierStep::UpperPart, 1),
          std::tuple(tr("Next smaller spine sw&itch"), TierStep::UpperPart, -1)})
        steps->addAction(text, this, [this, what = what, step = step] {
            QString reason;
            if (!m_document.apply(stepTier(*m_document.now().design, what, step), &reason)) say(reason);
        });
    QAction* rename = edit->addAction(tr("Na&me"));
    rename->setShortcut(Qt::Key_F2);
    connect(rename, &QAction::triggered, m_inspector, &InspectorPanel::editName);
    QAction* all = edit->addAction(tr("Select &all"));
    all->setShortcut(QKeySequence::SelectAll);
    connect(all, &QAction::triggered, m_canvas, &Canvas::selectAll);
    edit->addSeparator();
    QAction* find = edit->addAction(tr("&Find an element…"));
    find->setShortcut(QKeySequence::Find);
    connect(find, &QAction::triggered, this, [this] { openPalette(true); });
    QAction* palette = edit->addAction(tr("Command &palette…"));
    palette->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_P);
    connect(palette, &QAction::triggered, this, [this] { openPalette(false); });
    edit->addSeparator();
    QAction* connecting = edit->addAction(tr("&Connect by dragging"));
    connecting->setCheckable(true);
    connecting->setShortcut(Qt::Key_C);
    connect(connecting, &QAction::toggled, m_canvas, &Canvas::setConnecting);
    m_failAction = edit->addAction(tr("Fail t&hings"));
    m_failAction->setCheckable(true);
    m_failAction->setShortcut(Qt::Key_X);
    m_failAction->setToolTip(tr("What is left when something fails; the design itself stays whole"));
}

void MainWindow::makeViewBar() {
    auto* bar = addToolBar(tr("Views"));
    bar->setObjectName(QStringLiteral("views"));
    bar->setMovable(false);
    bar->setFloatable(false);
    m_views = new QActionGroup(this);
    int index = 0;
    for (const QString& name : {tr("Draw"), tr("Floor"), tr("Traffic"), tr("Decide"), tr("Compare")}) {
        QAction* action = m_views->addAction(name);
        action->setCheckable(true);
        action->setShortcut(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + index));
        connect(action, &QAction::triggered, this, [this, index] { showView(index); });
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setProperty("view", true);
        button->setAccessibleName(name);
        bar->addWidget(button);
        ++index;
    }
    m_views->actions().first()->setChecked(true);
    auto* spacer = new QWidget;
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(spacer);
    auto* fresh = new QToolButton;
    fresh->setText(tr("New fabric…"));
    connect(fresh, &QToolButton::clicked, this, [this] { newFabric(); });
    bar->addWidget(fresh);
    auto* out = new QToolButton;
    out->setText(tr("Export bill…"));
    connect(out, &QToolButton::clicked, this, [this] { exportAs(QStringLiteral("bom")); });
    bar->addWidget(out);
}

void MainWindow::newFabric() {
    NewFabricDialog dialog(pricedCatalog(), m_tokens, this);
    if (dialog.exec() != QDialog::Accepted || !mayDiscard()) return;
    auto design = build(dialog.call(), dialog.name().toStdString(), pricedCatalog());
    if (!design) return report(design.error(), tr("This fabric cannot be built"));
    openDesign(std::make_shared<const Design>(std::move(*design)), {});
    showView(DrawView);
}

void MainWindow::openDialog() {
    if (!mayDiscard()) return;
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a design"), {}, tr("Railyard designs (*.railyard)"));
    if (!path.isEmpty()) openFile(path);
}

bool MainWindow::save() {
    if (m_document.path().isEmpty()) return saveAs();
    const Keeper::Answer answer = m_keeper->maySave();
    if (answer != Keeper::Answer::Save) return answer == Keeper::Answer::SaveAs && saveAs();
    const Status saved = m_document.save(m_document.path());
    if (!saved) report(saved.error(), tr("The design is not saved"));
    if (saved) m_keeper->followFile(), rememberScenarios();
    refreshTitle();
    return static_cast<bool>(saved);
}

bool MainWindow::saveAs() {
    QString path = QFileDialog::getSaveFileName(this, tr("Save the design"),
                                                QString::fromStdString(m_document.now().design->name) + QStringLiteral(".railyard"),
                                                tr("Railyard designs (*.railyard)"));
    if (path.isEmpty()) return false;
    if (!path.endsWith(QStringLiteral(".railyard"))) {
        path += QStringLiteral(".railyard");
        if (QFileInfo::exists(path) && QMessageBox::question(this, tr("Replace the file?"), tr("%1 is there already.").arg(path),
                                                             QMessageBox::Save | QMessageBox::Cancel) != QMessageBox::Save)
            return false;
    }
    if (const QString held = m_keeper->whyHeld(path); !held.isEmpty()) {
        QMessageBox::warning(this, tr("The design is not saved"), tr("%1 cannot be replaced. %2").arg(path, held));
        return false;
    }
    const Status saved = m_document.save(path);
    if (!saved) return report(saved.error(), tr("The design is not saved")), false;
    m_keeper->followFile();
    rememberScenarios();
    rememberFile(path);
    refreshTitle();
    return true;
}

void MainWindow::exportAs(const QString& what) {
    const bool table = what == QStringLiteral("bom") || what == QStringLiteral("cables") || what == QStringLiteral("compare");
    const QString filter = what == QStringLiteral("bom")      ? tr("Workbook (*.xlsx);;CSV (*.csv);;JSON (*.json)")
                           : what == QStringLiteral("cables") ? tr("Workbook (*.xlsx);;CSV (*.csv)")
                           : table                            ? tr("Workbook (*.xlsx);;Markdown (*.md);;CSV (*.csv);;JSON (*.json)")
                                                              : tr("PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf)");
    QString kind = what.section(QLatin1Char(':'), -1);
    QString chosenFilter;
    QString path = QFileDialog::getSaveFileName(this, tr("Export"),
                                                QString::fromStdString(m_document.now().design->name) + QLatin1Char('-') + kind +
                                                    (table ? QStringLiteral(".xlsx") : QStringLiteral(".png")),
                                                filter, &chosenFilter);
    if (path.isEmpty()) return;
    if (!QFileInfo(path).fileName().contains(QLatin1Char('.'))) // as the chosen kind says: "CSV (*.csv)"
        path += chosenFilter.section(QLatin1Char('*'), -1).section(QLatin1Char(')'), 0, 0);
    const Fabric& fabric = *m_document.now().fabric;
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    options.tokens.scale = m_traffic->scale();
    options.op = m_traffic->op();
    options.job = m_traffic->job();
    options.detail = m_canvas->detail();
    Status done = Done{};
    if (what == QStringLiteral("bom"))
        done = writeBom(fabric, metricsOf(fabric, fabric), path.toStdString());
    else if (what == QStringLiteral("cables"))
        done = writeCables(fabric, path.toStdString());
    else if (what == QStringLiteral("topology"))
        done = drawTopology(fabric, path, options);
    else if (what == QStringLiteral("floor") || what == QStringLiteral("racks"))
        done = drawFloor(fabric, what, path, options);
    else if (what == QStringLiteral("compare")) {
        m_compare->compareWithTwin();
        if (!m_compare->hasOther())
            return report(Error::unbuildable("A design drawn by hand has no twin to compare with."), tr("Nothing was exported"));
        std::vector<Json> all;
        for (const Metrics& metrics : m_compare->metrics()) all.push_back(toJson(metrics));
        done = writeComparison(all, path.toStdString());
    } else
        done = drawHeatMap(fabric, kind, path, options);
    if (what.startsWith(QStringLiteral("heatmap"))) applyTokens(); // the picture was drawn in print colours
    if (!done) return report(done.error(), tr("Nothing was exported"));
    statusBar()->setStyleSheet({});
    statusBar()->showMessage(tr("Written: %1").arg(path), 8000);
}

void MainWindow::rememberFile(const QString& path) {
    QSettings settings;
    QStringList files = settings.value(QStringLiteral("recent")).toStringList();
    const QString whole = QFileInfo(path).absoluteFilePath();
    files.removeAll(whole);
    files.prepend(whole);
    settings.setValue(QStringLiteral("recent"), files.mid(0, 10));
}

void MainWindow::fillViews(QMenu& menu) {
    menu.clear();
    const auto apply = [this](const Result<Edit>& edit) {
        QString reason;
        if (!m_document.apply(edit, &reason)) say(reason);
    };
    for (const SavedView& view : m_document.now().design->views)
        menu.addAction(QString::fromStdString(view.name), this, [this, view] { showView(DrawView), m_canvas->showView(view); });
    if (!menu.isEmpty()) menu.addSeparator();
    menu.addAction(tr("&Save this view…"), this, [this, apply] {
        const QString name = QInputDialog::getText(this, tr("Save this view"), tr("Name of the view")).trimmed();
        if (!name.isEmpty()) apply(railyard::saveView(*m_document.now().design, m_canvas->savedView(name.toStdString())));
    });
    QMenu* forget = menu.addMenu(tr("&Forget"));
    forget->setEnabled(!m_document.now().design->views.empty());
    for (const SavedView& view : m_document.now().design->views)
        forget->addAction(QString::fromStdString(view.name), this,
                          [this, apply, name = view.name] { apply(forgetView(*m_document.now().design, name)); });
}

void MainWindow::fillRecent() {
    m_recent->clear();
    for (const QString& path : QSettings().value(QStringLiteral("recent")).toStringList())
        m_recent->addAction(path, this, [this, path] {
            if (mayDiscard()) openFile(path);
        });
    if (m_recent->isEmpty()) m_recent->addAction(tr("No files yet"))->setEnabled(false);
}

} // namespace railyard
