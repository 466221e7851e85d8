#include "widgets/dialogs/site_dialog.h"

#include "widgets/document/error_words.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/theme/plain_text.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {

SiteDialog::SiteDialog(const Site& before, QWidget* parent) : QDialog(parent), m_site(before) {
    setWindowTitle(tr("Energy, space and depreciation"));
    constexpr int width = 420;
    setMinimumWidth(width);
    auto* column = new QVBoxLayout(this);
    auto* purpose = plainLabel(
        tr("These values set the yearly cost of energy and space, and what a training run costs. They are saved with the design."));
    purpose->setWordWrap(true);
    column->addWidget(purpose);
    m_form = new ParameterForm(infosOf(siteParameters()), QStringLiteral("site"));
    m_form->show(allTextsOf(siteParameters(), before));
    column->addWidget(m_form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
    buttons->button(QDialogButtonBox::RestoreDefaults)->setText(tr("Restore &defaults"));
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &SiteDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        m_site = Site();
        m_form->show(allTextsOf(siteParameters(), m_site));
    });
}

void SiteDialog::accept() {
    if (!m_form->check()) return;
    const auto site = withTexts(siteParameters(), m_site, m_form->edits(), "the site");
    if (!site) return m_form->showProblem(wordsOf(site.error()));
    m_site = *site;
    QDialog::accept();
}

} // namespace railyard
