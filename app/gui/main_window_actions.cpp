// The menus and actions of the window, and the file operations they start.
#include "app/gui/files.h"
#include "app/gui/main_window.h"
#include "app/session/autosave.h"
#include "core/catalog/price_book.h"
#include "core/io/document/design_json.h"
#include "core/io/results/results_json.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/new_fabric_dialog.h"
#include "widgets/dialogs/tour.h"
#include "widgets/document/document_folder.h"
#include "widgets/export/pictures.h"
#include "widgets/floor/floor_view.h"
#include "widgets/modes/failure_bar.h"
#include "widgets/modes/job_bar.h"
#include "widgets/modes/load_bar.h"
#include "widgets/modes/play_bar.h"
#include "widgets/panels/findings_panel.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/panels/palette_panel.h"
#include "widgets/panels/tables_panel.h"
#include "widgets/panels/why_panel.h"
#include "widgets/theme/plain_text.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/decide_view.h"
#include "widgets/views/traffic_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>
#include <QWhatsThis>

namespace railyard {

void MainWindow::explainPanels() {
    setHelpOf(
        *m_palette,
        tr("The building blocks of a fabric. Drag one onto the drawing; a preview shows what would change before you release it. Hold "
           "Alt to set any number of spines. Callouts add text, arrows, brackets, a legend or a logo to the drawing."));
    setHelpOf(
        *m_inspector,
        tr("Properties of the selection, or of the recipe if nothing is selected. Fields accept expressions: 96 + 32, *1.1, 50%. Keys "
           "1 to 4 set the edit scope: this element, the same position in its pod, the same position in every SU, or all of its kind."));
    setHelpOf(*m_metrics,
              tr("Metrics of the design, updated after every edit. Greyed values are still being computed. Click a name to see how the "
                 "metric is calculated. Pin saves the current metrics as a baseline to compare with."));
    setHelpOf(*m_findings,
              tr("Findings of the design rules. Locate shows the element on the drawing, Fix applies a suggested edit, Approve accepts the "
                 "finding with a reason."));
    setHelpOf(
        *m_tables,
        tr("Devices, links and the bill. Click a heading to sort. Names and switch parts can be edited in place. Ctrl+C copies cells for "
           "a spreadsheet. The selection is shared with the drawing."));
    setHelpOf(*m_why, tr("Formula, inputs, sources and confidence of a metric, and its target."));
    setHelpOf(*m_failing,
              tr("Metrics of the degraded fabric. Click elements or type a selector to fail them. The design itself is not affected."));
    setHelpOf(*m_load,
              tr("Load of every link when all GPUs send. Choose a traffic pattern and the load balancing. Colours run from idle to fully "
                 "utilised; red links are oversubscribed."));
    setHelpOf(*m_jobBar, tr("Concurrent jobs: the servers of each job, the link loads with all jobs running, and how much the jobs slow "
                            "each other."));
    setHelpOf(*m_play, tr("A collective of all GPUs, step by step: senders and receivers, link loads and duration of each step."));
    setHelpOf(
        *m_canvas,
        tr("The fabric as it will be cabled. Drag to build, Alt-drag to connect, use the wheel to zoom, Space to pan and F to fit. Blue "
           "handles change counts. Double-click to open a block."));
    setHelpOf(*m_floor, tr("Racks to scale. Drag a rack to move it; a preview shows the change in cable length and cost."));
    setHelpOf(*m_traffic, tr("Collective times over message size and number of servers, and other maps of the traffic in this design."));
    setHelpOf(*m_decide, tr("Rail-optimized or rail-only: switches saved for each cluster and HB domain size. Double-click a cell to "
                            "open that fabric."));
    setHelpOf(*m_compare, tr("The design next to its twin, with the difference of every metric."));
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
    add(tr("&Fit design"), Qt::Key_F, [this] { m_canvas->fit(); });
    add(tr("Fit &selection"), Qt::SHIFT | Qt::Key_F, [this] { m_canvas->fitSelection(); });
    add(tr("Zoom &in"), QKeySequence::ZoomIn, [this] { m_canvas->zoomBy(1.25); });
    add(tr("Zoom &out"), QKeySequence::ZoomOut, [this] { m_canvas->zoomBy(0.8); });
    QAction* unfold = view->addAction(tr("&Unfold identical SUs"));
    unfold->setCheckable(true);
    unfold->setShortcut(Qt::Key_U);
    QAction* elide = view->addAction(tr("&Elided style (1, 2 … last)"));
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
    const QString names[] = {tr("&Servers"), tr("&Host-leaf links"), tr("&Rails"), tr("Links &above spines"), tr("Hand-&drawn elements"),
                             tr("&Names"),   tr("&Callouts")};
    for (int layer = 0; layer < layerCount; ++layer) {
        QAction* shown = layers->addAction(names[layer]);
        shown->setCheckable(true);
        shown->setChecked(true);
        connect(shown, &QAction::toggled, this, [this, layer](bool on) { m_canvas->setLayer(static_cast<Layer>(layer), on); });
    }
    QMenu* rails = view->addMenu(tr("Highlight r&ail"));
    connect(rails, &QMenu::aboutToShow, this, [this, rails] {
        rails->clear();
        const auto count = static_cast<int>(std::min<std::int64_t>(m_document.now().instant.counts.rails, 64));
        for (int rail = 0; rail <= count; ++rail)
            rails->addAction(rail == 0 ? tr("None") : tr("Rail %1").arg(rail), this, [this, rail] { m_canvas->highlightRail(rail); });
    });
    view->addSeparator();
    m_darkAction = view->addAction(tr("&Dark theme"));
    m_darkAction->setCheckable(true);
    connect(m_darkAction, &QAction::toggled, this, &MainWindow::setDark);
    QAction* docks = add(tr("Hide pa&nels"), Qt::Key_F11, [this] {
        const bool any = std::any_of(m_drawDocks.begin(), m_drawDocks.end(), [](const QDockWidget* dock) { return dock->isVisible(); });
        for (QDockWidget* dock : m_drawDocks) dock->setVisible(!any);
    });
    setToolTipOf(*docks, tr("Shows only the drawing."));
    view->addSeparator();
    for (QDockWidget* dock : m_drawDocks) view->addAction(dock->toggleViewAction());
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Ten-minute tour"), this, [this] {
        auto* tour = new Tour(this);
        tour->setAttribute(Qt::WA_DeleteOnClose);
        connect(tour, &Tour::sampleAsked, this,
                [this](const QString& name) { openSample(sampleFile(name + QStringLiteral(".railyard"))); });
        tour->QDialog::show(); // not modal, because the user tries each step on the drawing
    });
    help->addAction(QWhatsThis::createAction(this)); // Shift+F1, then a click on a panel or view, shows its help
    help->addAction(tr("&About Railyard"), this, [this] {
        showMessage(this, QMessageBox::Information, tr("About Railyard"),
                    tr("Railyard %1 designs the networks of GPU clusters.\nParts catalogue as of %2. Works offline.\n\n"
                       "Railyard is free software under the GNU General Public License, version 3. It uses Qt (LGPL-3), "
                       "QCustomPlot (GPL-3), JSON for Modern C++ (MIT), {fmt} (MIT), CLI11 (BSD-3-Clause), Boost (BSL-1.0), "
                       "libxlsxwriter (BSD-2-Clause) and zlib (Zlib). THIRD_PARTY_NOTICES.md contains their licenses.")
                        .arg(QStringLiteral(RAILYARD_VERSION), QString::fromStdString(shippedCatalog()->asOf())));
    });
}

// The modes that colour the drawing; only one is active at a time.
void MainWindow::makeModes(QMenu& view) {
    const auto add = [&](const QString& text, const QKeySequence& keys, const QString& tip) {
        QAction* mode = view.addAction(text);
        mode->setCheckable(true);
        mode->setShortcut(keys);
        setToolTipOf(*mode, tip);
        return mode;
    };
    m_loadAction = add(tr("Lin&k loads"), Qt::Key_L, tr("Shows the load of every link under a traffic pattern."));
    m_playAction = add(tr("&Play collective"), Qt::SHIFT | Qt::Key_L, tr("Shows a collective step by step, with links coloured by load."));
    m_jobsAction = add(tr("Concurrent &jobs"), Qt::Key_J, tr("Shows the servers of each job and how much the jobs slow each other."));
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
        samples->addAction(asMenuText(QFileInfo(path).completeBaseName()), this, [this, path] { openSample(path); });
    }
    file->addSeparator();
    add(tr("&Save"), QKeySequence::Save, [this] { save(); });
    add(tr("Save &as…"), QKeySequence::SaveAs, [this] { saveAs(); });
    file->addSeparator();
    QMenu* out = file->addMenu(tr("&Export"));
    for (const auto& [text, what] :
         {std::pair(tr("&Bill of materials…"), "bom"), std::pair(tr("&Cable schedule…"), "cables"), std::pair(tr("Dra&wing…"), "topology"),
          std::pair(tr("&Floor plan…"), "floor"), std::pair(tr("&Rack elevations…"), "racks"),
          std::pair(tr("Collective-time &heat map…"), "heatmap:collective-time"), std::pair(tr("&Decision map…"), "heatmap:decision"),
          std::pair(tr("C&omparison with twin…"), "compare")})
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
        if (m_stack->currentIndex() != DrawView) return; // the selection is visible only in the Draw view
        if (m_canvas->isFailing()) return m_failing->failAll(m_canvas->selectedPaths());
        QString reason;
        if (!m_document.apply(removeElements(*m_document.now().design, m_inspector->affected()), &reason)) say(reason);
    });
    const auto ofCanvas = [&](const QString& text, const QKeySequence& keys,
                              auto slot) { // limited to the canvas, because tables have their own copy action
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
    ofCanvas(tr("Dissol&ve group or SU"), Qt::CTRL | Qt::SHIFT | Qt::Key_G, &Canvas::dissolve);
    QMenu* align = edit->addMenu(tr("Al&ign"));
    for (const auto& [text, how] :
         {std::pair(tr("In a &row"), Align::Row), std::pair(tr("In a &column"), Align::Column),
          std::pair(tr("Distribute &horizontally"), Align::SpreadAcross), std::pair(tr("Distribute &vertically"), Align::SpreadDown)})
        align->addAction(text, this, [this, how = how] { m_canvas->align(how); });
    QMenu* callouts = edit->addMenu(tr("Add callou&t"));
    for (const auto& [text, kind] :
         {std::pair(tr("&Text"), Callout::Kind::Text), std::pair(tr("&Arrow to selection"), Callout::Kind::Arrow),
          std::pair(tr("&Bracket over selection"), Callout::Kind::Bracket), std::pair(tr("&Legend"), Callout::Kind::Legend),
          std::pair(tr("L&ogo…"), Callout::Kind::Logo)})
        callouts->addAction(text, this, [this, kind = kind] {
            showView(DrawView);
            m_canvas->addCalloutOfSelection(kind);
        });
    QMenu* steps = edit->addMenu(tr("Change c&ounts and parts"));
    for (const auto& [text, what, step] :
         {std::tuple(tr("More &spines"), TierStep::Spines, 1), std::tuple(tr("Fewer s&pines"), TierStep::Spines, -1),
          std::tuple(tr("Add one S&U"), TierStep::ScalableUnits, 1), std::tuple(tr("Remo&ve one SU"), TierStep::ScalableUnits, -1),
          std::tuple(tr("Next &larger leaf switch"), TierStep::LeafPart, 1),
          std::tuple(tr("Next s&maller leaf switch"), TierStep::LeafPart, -1),
          std::tuple(tr("Next larger spine s&witch"), TierStep::UpperPart, 1),
          std::tuple(tr("Next smaller spine sw&itch"), TierStep::UpperPart, -1)})
        steps->addAction(text, this, [this, what = what, step = step] {
            QString reason;
            if (!m_document.apply(stepTier(*m_document.now().design, what, step), &reason)) say(reason);
        });
    QAction* rename = edit->addAction(tr("Re&name"));
    rename->setShortcut(Qt::Key_F2);
    connect(rename, &QAction::triggered, m_inspector, &InspectorPanel::editName);
    QAction* all = edit->addAction(tr("Select &all"));
    all->setShortcut(QKeySequence::SelectAll);
    connect(all, &QAction::triggered, m_canvas, &Canvas::selectAll);
    edit->addSeparator();
    QAction* find = edit->addAction(tr("&Find element…"));
    find->setShortcut(QKeySequence::Find);
    connect(find, &QAction::triggered, this, [this] { openPalette(true); });
    QAction* palette = edit->addAction(tr("Co&mmand palette…"));
    palette->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_P);
    connect(palette, &QAction::triggered, this, [this] { openPalette(false); });
    edit->addSeparator();
    QAction* connecting = edit->addAction(tr("&Connect by dragging"));
    connecting->setCheckable(true);
    connecting->setShortcut(Qt::Key_C);
    connect(connecting, &QAction::toggled, m_canvas, &Canvas::setConnecting);
    m_failAction = edit->addAction(tr("Failure mod&e"));
    m_failAction->setCheckable(true);
    m_failAction->setShortcut(Qt::Key_X);
    setToolTipOf(*m_failAction, tr("Fails elements and shows the degraded fabric. The design is not affected."));
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
    if (!design) return report(design.error(), tr("The fabric cannot be built"));
    openNew(std::make_shared<const Design>(std::move(*design)));
    showView(DrawView);
}

void MainWindow::openDialog() {
    if (!mayDiscard()) return;
    const QString path = QFileDialog::getOpenFileName(this, tr("Open design"), folderOf(m_document), tr("Railyard designs (*.railyard)"));
    if (!path.isEmpty()) openFile(path);
}

bool MainWindow::save() {
    if (m_document.path().isEmpty()) return saveAs();
    const Autosave::Answer answer = m_autosave->maySave();
    if (answer != Autosave::Answer::Save) return answer == Autosave::Answer::SaveAs && saveAs();
    const Status saved = m_document.save(m_document.path());
    if (!saved) report(saved.error(), tr("The design was not saved"));
    if (saved) m_autosave->followFile(), rememberScenarios();
    refreshTitle();
    return static_cast<bool>(saved);
}

bool MainWindow::saveAs() {
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save design"), m_document.path().isEmpty() ? fileNextTo(m_document, QStringLiteral(".railyard")) : m_document.path(),
        tr("Railyard designs (*.railyard)"), nullptr, QFileDialog::DontConfirmOverwrite); // Qt would ask in rich text
    if (path.isEmpty()) return false;
    if (!path.endsWith(QStringLiteral(".railyard"))) path += QStringLiteral(".railyard");
    if (QFileInfo::exists(path) && ask(this, tr("Replace the file?"), tr("%1 already exists.").arg(path),
                                       QMessageBox::Save | QMessageBox::Cancel) != QMessageBox::Save)
        return false;
    if (const QString held = m_autosave->whyHeld(path); !held.isEmpty()) {
        warn(this, tr("The design was not saved"), tr("%1 cannot be replaced. %2").arg(path, held));
        return false;
    }
    const Status saved = m_document.save(path);
    if (!saved) return report(saved.error(), tr("The design was not saved")), false;
    m_autosave->followFile();
    rememberScenarios();
    rememberFile(path);
    refreshTitle();
    return true;
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
        menu.addAction(asMenuText(QString::fromStdString(view.name)), this, [this, view] { showView(DrawView), m_canvas->showView(view); });
    if (!menu.isEmpty()) menu.addSeparator();
    menu.addAction(tr("&Save view…"), this, [this, apply] {
        const QString name = askText(this, tr("Save view"), tr("View name")).trimmed();
        if (!name.isEmpty()) apply(railyard::saveView(*m_document.now().design, m_canvas->savedView(name.toStdString())));
    });
    QMenu* forget = menu.addMenu(tr("&Delete view"));
    forget->setEnabled(!m_document.now().design->views.empty());
    for (const SavedView& view : m_document.now().design->views)
        forget->addAction(asMenuText(QString::fromStdString(view.name)), this,
                          [this, apply, name = view.name] { apply(forgetView(*m_document.now().design, name)); });
}

void MainWindow::fillRecent() {
    m_recent->clear();
    for (const QString& path : QSettings().value(QStringLiteral("recent")).toStringList())
        m_recent->addAction(asMenuText(path), this, [this, path] {
            if (mayDiscard()) openFile(path);
        });
    if (m_recent->isEmpty()) m_recent->addAction(tr("No recent files"))->setEnabled(false);
}

} // namespace railyard
