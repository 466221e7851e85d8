#include "app/gui/file_menu.h"

#include "app/gui/document_files.h"
#include "app/gui/exports.h"
#include "app/gui/files.h"
#include "core/catalog/price_book.h"
#include "widgets/theme/plain_text.h"

#include <QFileInfo>

namespace railyard {

FileMenu::FileMenu(DocumentFiles& files, Exports& exports, QWidget* parent) : QMenu(tr("&File"), parent) {
    const auto add = [&](const QString& text, const QKeySequence& keys, auto slot) {
        QAction* action = addAction(text);
        action->setShortcut(keys);
        connect(action, &QAction::triggered, this, slot);
    };
    add(tr("&New fabric…"), QKeySequence::New, [this] { emit newFabricAsked(); });
    add(tr("New &empty drawing"), {}, [&files] {
        if (files.mayDiscard()) files.openDesign(emptyDesign(pricedCatalog()));
    });
    add(tr("&Open…"), QKeySequence::Open, [&files] { files.openDialog(); });
    QMenu* recent = addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, &files, [&files, recent] { files.fillRecent(*recent); });
    QMenu* samples = addMenu(tr("&Samples"));
    for (const QString& path : sampleFiles()) {
        samples->addAction(asMenuText(QFileInfo(path).completeBaseName()), this, [&files, path] { files.openSample(path); });
    }
    addSeparator();
    add(tr("&Save"), QKeySequence::Save, [&files] { files.save(); });
    add(tr("Save &as…"), QKeySequence::SaveAs, [&files] { files.saveAs(); });
    addSeparator();
    QMenu* out = addMenu(tr("&Export"));
    const QString pages = tr("As PDF to print, or as a picture.");
    for (const auto& [text, what, tip] :
         {std::tuple(tr("&Bill of materials…"), "bom", tr("Parts, quantities and prices, as a workbook or a table.")),
          std::tuple(tr("&Cable schedule…"), "cables", tr("Every cable with its ends, length and part, as a workbook or a table.")),
          std::tuple(tr("F&lat fabric…"), "csv",
                     tr("Every device and every link as devices.csv and links.csv, from which all metrics can be recomputed.")),
          std::tuple(tr("&Slide…"), "slide",
                     tr("One page for a presentation: drawing, figures and the comparison with the twin; as .pptx with shapes to edit.")),
          std::tuple(tr("Off&er…"), "report",
                     tr("A document for a customer or a manager: answer, drawing, bill, power, failures, training and assumptions.")),
          std::tuple(tr("Dra&wing…"), "topology", tr("As a picture for slides, or as PDF to print.")),
          std::tuple(tr("Sa&ved views…"), "views", tr("Every saved view on a page of its own.")),
          std::tuple(tr("&Floor plan…"), "floor", pages), std::tuple(tr("&Rack elevations…"), "racks", pages),
          std::tuple(tr("Collective-time &heat map…"), "heatmap:collective-time", pages),
          std::tuple(tr("&Decision map…"), "heatmap:decision", pages), std::tuple(tr("C&omparison with twin…"), "compare", pages)}) {
        QAction* action = out->addAction(text, this, [&exports, what = QString::fromLatin1(what)] { exports.exportAs(what); });
        action->setStatusTip(tip); // also searched by the command palette
    }
    add(tr("Prin&t drawing…"), QKeySequence::Print, [&exports] { exports.print(); });
    add(tr("Pre&sent"), Qt::Key_F5, [&exports] { exports.present(); });
    add(tr("&Price book…"), {}, [&files] { files.editPriceBook(); });
    addSeparator();
    add(tr("&Quit"), QKeySequence::Quit, [this] { emit quitAsked(); });
}

} // namespace railyard
