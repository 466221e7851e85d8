#include "widgets/dialogs/bill_options_dialog.h"

#include "widgets/theme/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace railyard {

BillOptionsDialog::BillOptionsDialog(const BomOptions& before, QWidget* parent) : QDialog(parent) {
    setWindowTitle(tr("Export bill of materials"));
    auto* form = new QFormLayout(this);
    m_layout = new QComboBox;
    m_layout->addItems({tr("One list for the design"), tr("By block: what one block needs, and how many there are")});
    m_layout->setCurrentIndex(before.byBlock ? 1 : 0);
    form->addRow(tr("&Layout"), m_layout);
    m_hasSpares = new QCheckBox(tr("Include s&pares"));
    m_hasSpares->setObjectName(QStringLiteral("bill-spares"));
    m_hasSpares->setChecked(before.sparesConfidence.has_value());
    setToolTipOf(*m_hasSpares, tr("Spares by the failure rate of each kind of part and a lead time of six weeks."));
    form->addRow(QString(), m_hasSpares);
    m_confidence = new QDoubleSpinBox;
    m_confidence->setObjectName(QStringLiteral("bill-confidence"));
    m_confidence->setRange(50, 99.9);
    m_confidence->setDecimals(1);
    m_confidence->setSuffix(tr(" %"));
    m_confidence->setValue(before.sparesConfidence.value_or(0.95) * 100);
    setToolTipOf(*m_confidence, tr("Probability that the spares last until replacements arrive."));
    form->addRow(tr("Service le&vel"), m_confidence);
    m_currency = new QLineEdit(QString::fromStdString(before.currency.code));
    if (before.currency.code != "USD")
        m_currency->setText(QStringLiteral("%1=%2").arg(QString::fromStdString(before.currency.code)).arg(before.currency.perDollar));
    m_currency->setObjectName(QStringLiteral("bill-currency"));
    setToolTipOf(*m_currency, tr("USD, or another currency with its rate to the US dollar: EUR=0.92"));
    form->addRow(tr("&Currency"), m_currency);
    m_customer = new QCheckBox(tr("Copy for the c&ustomer, without prices"));
    m_customer->setObjectName(QStringLiteral("bill-customer"));
    m_customer->setChecked(before.isCustomer);
    setToolTipOf(*m_customer, tr("No price, total or source of a price is anywhere in the file."));
    form->addRow(QString(), m_customer);
    m_problem = plainLabel();
    m_problem->setWordWrap(true);
    form->addRow(m_problem);
    m_buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_buttons->addButton(tr("Choose file…"), QDialogButtonBox::AcceptRole);
    form->addRow(m_buttons);
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_hasSpares, &QCheckBox::toggled, this, &BillOptionsDialog::check);
    connect(m_currency, &QLineEdit::textChanged, this, &BillOptionsDialog::check);
    check();
}

Result<Currency> BillOptionsDialog::currency() const { return parseCurrency(m_currency->text().trimmed().toUpper().toStdString()); }

void BillOptionsDialog::check() {
    m_confidence->setEnabled(m_hasSpares->isChecked());
    const bool isGood = static_cast<bool>(currency());
    m_problem->setText(isGood ? QString()
                              : tr("The currency is not understood. Enter a code and its rate to the US dollar, like EUR=0.92, or USD."));
    m_problem->setVisible(!isGood);
    for (QAbstractButton* button : m_buttons->buttons())
        if (m_buttons->buttonRole(button) == QDialogButtonBox::AcceptRole) button->setEnabled(isGood);
}

BomOptions BillOptionsDialog::options() const {
    BomOptions options;
    options.byBlock = m_layout->currentIndex() == 1;
    if (m_hasSpares->isChecked()) options.sparesConfidence = m_confidence->value() / 100;
    if (const auto known = currency()) options.currency = *known;
    options.isCustomer = m_customer->isChecked();
    return options;
}

} // namespace railyard
