#include "widgets/dialogs/site_dialog.h"

#include "widgets/forms/parameter_form.h"

namespace railyard {

SiteDialog::SiteDialog(const Site& before, QWidget* parent)
    : OptionDialog(
          {tr("Energy, space and depreciation"),
           tr("These values set the yearly cost of energy and space, and what a training run costs. They are saved with the design."),
           QStringLiteral("site"), infosOf(siteParameters()), allTextsOf(siteParameters(), before), allTextsOf(siteParameters(), Site()),
           [](const ParameterTexts& texts) {
               const auto site = readSite(texts);
               return site ? Status(Done{}) : Status(site.errors());
           }},
          parent) {}

Site SiteDialog::site() const { return *readSite(texts()); }

} // namespace railyard
