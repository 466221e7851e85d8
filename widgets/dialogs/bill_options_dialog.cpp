#include "widgets/dialogs/bill_options_dialog.h"

#include "core/io/tables/bom_parameters.h"
#include "widgets/forms/parameter_form.h"

namespace railyard {

BillOptionsDialog::BillOptionsDialog(const BomOptions& before, QWidget* parent)
    : OptionDialog({tr("Export bill of materials"),
                    tr("Discounts and the margin stay in this session: they become part of the file that is written, never of the design."),
                    QStringLiteral("bill"), infosOf(bomParameters()), allTextsOf(bomParameters(), before),
                    allTextsOf(bomParameters(), BomOptions()),
                    [](const ParameterTexts& texts) {
                        const auto options = readBomOptions(texts);
                        return options ? Status(Done{}) : Status(options.errors());
                    },
                    tr("Choose file…")},
                   parent) {}

BomOptions BillOptionsDialog::options() const { return *readBomOptions(texts()); }

} // namespace railyard
