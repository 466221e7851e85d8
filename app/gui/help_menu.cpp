#include "app/gui/help_menu.h"

#include "app/gui/files.h"
#include "core/catalog/catalog.h"
#include "widgets/dialogs/tour.h"
#include "widgets/theme/plain_text.h"

#include <QWhatsThis>

namespace railyard {

HelpMenu::HelpMenu(QWidget* parent) : QMenu(tr("&Help"), parent) {
    addAction(tr("&Ten-minute tour"), this, [this] {
        auto* tour = new Tour(parentWidget());
        tour->setAttribute(Qt::WA_DeleteOnClose);
        connect(tour, &Tour::sampleAsked, this,
                [this](const QString& name) { emit sampleAsked(sampleFile(name + QStringLiteral(".railyard"))); });
        tour->QDialog::show(); // not modal, because the user tries each step on the drawing
    });
    addAction(QWhatsThis::createAction(this)); // Shift+F1, then a click on a panel or view, shows its help
    addAction(tr("&About Railyard"), this, [this] {
        showMessage(parentWidget(), QMessageBox::Information, tr("About Railyard"),
                    tr("Railyard %1 designs the networks of GPU clusters.\nParts catalogue as of %2. Works offline.\n\n"
                       "Railyard is free software under the GNU General Public License, version 3. It uses Qt (LGPL-3), "
                       "QCustomPlot (GPL-3), JSON for Modern C++ (MIT), {fmt} (MIT), CLI11 (BSD-3-Clause), Boost (BSL-1.0), "
                       "libxlsxwriter (BSD-2-Clause) and zlib (Zlib). THIRD_PARTY_NOTICES.md contains their licenses.")
                        .arg(QStringLiteral(RAILYARD_VERSION), QString::fromStdString(shippedCatalog()->asOf())));
    });
}

} // namespace railyard
