// What a bill of materials is to hold, asked before its file is.
#pragma once

#include "core/io/tables/bom.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QDialogButtonBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;

namespace railyard {

class BillOptionsDialog : public QDialog {
    Q_OBJECT

public:
    explicit BillOptionsDialog(const BomOptions& before, QWidget* parent = nullptr);
    BomOptions options() const;

private:
    void check();
    Result<Currency> currency() const;

    QComboBox* m_layout = nullptr;
    QCheckBox *m_customer = nullptr, *m_hasSpares = nullptr;
    QDoubleSpinBox* m_confidence = nullptr; // percent
    QLineEdit* m_currency = nullptr;
    QLabel* m_problem = nullptr;
    QDialogButtonBox* m_buttons = nullptr;
};

} // namespace railyard
