// What the site charges for energy and space, and how long what was bought is written off.
#pragma once

#include "widgets/dialogs/option_dialog.h"

#include "core/bill/site.h"

namespace railyard {

class SiteDialog : public OptionDialog {
public:
    explicit SiteDialog(const Site& before, QWidget* parent = nullptr);
    Site site() const; // of the fields, once the dialog is accepted
};

} // namespace railyard
