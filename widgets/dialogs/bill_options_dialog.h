// What a bill of materials is to hold, asked before its file is.
#pragma once

#include "widgets/dialogs/option_dialog.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/io/tables/bom.h"

namespace railyard {

class BillOptionsDialog : public OptionDialog {
    Q_OBJECT

public:
    explicit BillOptionsDialog(const BomOptions& before, QWidget* parent = nullptr);
    BomOptions options() const;
};

} // namespace railyard
