#include "app/gui/edit_menu.h"

#include "core/analysis/option_sections.h"
#include "core/design/edits/edit_copy.h"
#include "core/design/edits/edit_elements.h"
#include "core/fabric/optical_switches.h"
#include "core/io/document/design_json.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/site_dialog.h"
#include "widgets/document/server_facts.h"
#include "widgets/export/clipboard_picture.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/modes/failure_bar.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/theme/plain_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>

namespace railyard {

EditMenu::EditMenu(Document& document, Canvas& canvas, InspectorPanel& inspector, FailureBar& failing, QWidget* parent)
    : QMenu(tr("&Edit"), parent),
      m_document(document),
      m_canvas(canvas),
      m_inspector(inspector),
      m_failing(failing) {
    addHistory();
    addSelection();
    addArranging();
    addCounts();
    addFinding();
    addModes();
}

void EditMenu::addHistory() {
    QAction* undo = m_document.undoStack().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    addAction(undo);
    addAction(redo);
    addSeparator();
}

void EditMenu::addSelection() {
    QAction* remove = addAction(tr("&Delete"));
    remove->setShortcut(QKeySequence::Delete);
    connect(remove, &QAction::triggered, this, &EditMenu::removeSelection);
    const auto ofCanvas = [&](const QString& text, const QKeySequence& keys,
                              auto slot) { // limited to the canvas, because tables have their own copy action
        QAction* action = addAction(text);
        action->setShortcut(keys);
        action->setShortcutContext(Qt::WidgetShortcut);
        m_canvas.addAction(action);
        connect(action, &QAction::triggered, &m_canvas, slot);
    };
    ofCanvas(tr("Cop&y"), QKeySequence::Copy, [this] { copy(); });
    ofCanvas(tr("&Paste"), QKeySequence::Paste, [this] { paste(); });
    ofCanvas(tr("Dup&licate"), Qt::CTRL | Qt::Key_D, &Canvas::duplicate);
    ofCanvas(tr("&Group"), Qt::CTRL | Qt::Key_G, &Canvas::group);
    ofCanvas(tr("Dissol&ve group or SU"), Qt::CTRL | Qt::SHIFT | Qt::Key_G, &Canvas::dissolve);
}

// The selection as elements, where they can be pasted, and as a picture for other programs; without a selection the whole drawing.
void EditMenu::copy() {
    const std::vector<std::string> paths = m_canvas.selectedPaths();
    const auto part = copyElements(*m_document.now().design, paths);
    if (part) m_canvas.copy(); // remembers where they stood
    PictureOptions options;
    options.size = QSize(1920, 1080);
    options.tokens = printTokens();
    options.detail = m_canvas.detail();
    auto* picture = new ClipboardPicture(m_document.now().fabric, options, paths, part ? *part : nullptr);
    m_copied = picture->data(QLatin1String(ClipboardPicture::elements));
    QApplication::clipboard()->setMimeData(picture);
    if (paths.empty())
        emit told(tr("The drawing was copied as a picture."));
    else if (part)
        emit told(tr("The selection was copied, also as a picture."));
    else
        emit told(tr("The selection was copied as a picture only. %1").arg(QString::fromStdString(part.error().text)));
}

// What another window has copied comes from its document.
void EditMenu::paste() {
    const QMimeData* there = QApplication::clipboard()->mimeData();
    const QByteArray bytes = there ? there->data(QLatin1String(ClipboardPicture::elements)) : QByteArray();
    if (bytes.isEmpty() || bytes == m_copied) return m_canvas.paste();
    const auto part = readDesign(bytes.toStdString(), "clipboard");
    if (!part) return emit told(QString::fromStdString(toText(part.error())));
    m_canvas.insertCopy(**part);
}

// The elements of the edit scope; in failure mode they fail instead.
void EditMenu::removeSelection() {
    if (!m_canvas.isVisible()) return; // the selection is visible only in the Draw view
    if (m_canvas.isFailing()) return m_failing.failAll(m_canvas.selectedPaths());
    if (m_canvas.isPortSelected()) return m_canvas.actOnCable(CableAct::Disconnect);
    if (areTraysOfRacks(*m_document.now().fabric, m_inspector.affected()))
        return emit told(tr("A tray is part of its rack: it can fail, not be deleted."));
    QString reason;
    if (!m_document.apply(removeElements(*m_document.now().design, m_inspector.affected()), &reason)) emit told(reason);
}

// Opens the failure mode with the elements of the edit scope as failed ones.
void EditMenu::failSelection() {
    const std::vector<std::string> paths = m_inspector.affected();
    m_failAction->setChecked(true);
    m_failing.failAll(paths);
}

void EditMenu::addArranging() {
    QMenu* align = addMenu(tr("Al&ign"));
    for (const auto& [text, how] :
         {std::pair(tr("In a &row"), Align::Row), std::pair(tr("In a &column"), Align::Column),
          std::pair(tr("Distribute &horizontally"), Align::SpreadAcross), std::pair(tr("Distribute &vertically"), Align::SpreadDown)})
        align->addAction(text, this, [this, how = how] { m_canvas.align(how); });
    QMenu* callouts = addMenu(tr("Add callou&t"));
    for (const auto& [text, kind] :
         {std::pair(tr("&Text"), Callout::Kind::Text), std::pair(tr("&Arrow to selection"), Callout::Kind::Arrow),
          std::pair(tr("&Bracket over selection"), Callout::Kind::Bracket), std::pair(tr("&Legend"), Callout::Kind::Legend),
          std::pair(tr("L&ogo…"), Callout::Kind::Logo)})
        callouts->addAction(text, this, [this, kind = kind] {
            emit drawingAsked();
            m_canvas.addCalloutOfSelection(kind);
        });
}

void EditMenu::addCounts() {
    QMenu* steps = addMenu(tr("Change c&ounts and parts"));
    for (const auto& [text, what, step] :
         {std::tuple(tr("More &spines"), TierStep::Spines, 1), std::tuple(tr("Fewer s&pines"), TierStep::Spines, -1),
          std::tuple(tr("Add one S&U"), TierStep::ScalableUnits, 1), std::tuple(tr("Remo&ve one SU"), TierStep::ScalableUnits, -1),
          std::tuple(tr("Next &larger leaf switch"), TierStep::LeafPart, 1),
          std::tuple(tr("Next s&maller leaf switch"), TierStep::LeafPart, -1),
          std::tuple(tr("Next larger spine s&witch"), TierStep::UpperPart, 1),
          std::tuple(tr("Next smaller spine sw&itch"), TierStep::UpperPart, -1)})
        steps->addAction(text, this, [this, what = what, step = step] {
            QString reason;
            if (!m_document.apply(stepTier(*m_document.now().design, what, step), &reason)) emit told(reason);
        });
    addAction(tr("Energy, &space and depreciation…"), this, &EditMenu::editSite);
    addAction(tr("Optical circuit switc&hes…"), this, &EditMenu::editOpticalSwitches);
    addSeparator();
}

void EditMenu::editSite() {
    const Site before = siteOf(*m_document.now().design);
    SiteDialog dialog(before, parentWidget());
    if (dialog.exec() != QDialog::Accepted) return;
    if (textsOf(siteParameters(), dialog.site(), before).empty()) return; // nothing to undo
    QString reason;
    if (!m_document.apply(setSite(*m_document.now().design, dialog.site()), &reason)) emit told(reason);
}

void EditMenu::editOpticalSwitches() {
    const Design& design = *m_document.now().design;
    const auto rows = opticalSwitchingParameters();
    const ParameterTexts usual = allTextsOf(rows, OpticalSwitching());
    OptionDialog dialog(
        {tr("Optical circuit switches"),
         tr("They hold the links of one tier, and join them anew between jobs or after a failure. The bill, the findings and the "
            "Failure view count them."),
         QStringLiteral("ocs"), infosOf(rows), allTextsOf(rows, opticalSwitchingOf(design)), usual,
         [](const ParameterTexts& texts) {
             const auto read = readOpticalSwitching(texts);
             return read ? Status(Done{}) : Status(read.errors());
         }},
        parentWidget());
    if (dialog.exec() != QDialog::Accepted) return;
    NamedOptions options = design.ocs.value_or(NamedOptions());
    options.options = textsOf(rows, *readOpticalSwitching(dialog.texts()), OpticalSwitching());
    const auto wanted = options == NamedOptions() ? std::nullopt : std::optional(options);
    if (wanted == design.ocs) return; // nothing to undo
    QString reason;
    if (!m_document.apply(setOptions(design, &Design::ocs, wanted, "Set optical circuit switches"), &reason)) emit told(reason);
}

void EditMenu::addFinding() {
    QAction* rename = addAction(tr("Re&name"));
    rename->setShortcut(Qt::Key_F2);
    connect(rename, &QAction::triggered, &m_inspector, &InspectorPanel::editName);
    QAction* all = addAction(tr("Select &all"));
    all->setShortcut(QKeySequence::SelectAll);
    connect(all, &QAction::triggered, &m_canvas, &Canvas::selectAll);
    addSeparator();
    QAction* find = addAction(tr("&Find element…"));
    find->setShortcut(QKeySequence::Find);
    connect(find, &QAction::triggered, this, [this] { emit paletteAsked(true); });
    QAction* palette = addAction(tr("Co&mmand palette…"));
    palette->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_P);
    connect(palette, &QAction::triggered, this, [this] { emit paletteAsked(false); });
    addSeparator();
}

void EditMenu::addModes() {
    QAction* connecting = addAction(tr("&Connect by dragging"));
    connecting->setCheckable(true);
    connecting->setShortcut(Qt::Key_C);
    connect(connecting, &QAction::toggled, &m_canvas, &Canvas::setConnecting);
    connect(&m_canvas, &Canvas::connectingChanged, connecting, &QAction::setChecked);
    m_failAction = addAction(tr("Failure mod&e"));
    m_failAction->setCheckable(true);
    m_failAction->setShortcut(Qt::Key_X);
    setToolTipOf(*m_failAction, tr("Fails elements and shows the degraded fabric. The design is not affected."));
}

} // namespace railyard
