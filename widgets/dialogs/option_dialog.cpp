#include "widgets/dialogs/option_dialog.h"

#include "widgets/document/error_words.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/theme/plain_text.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace railyard {

OptionDialog::OptionDialog(Content content, QWidget* parent) : QDialog(parent), m_content(std::move(content)), m_texts(m_content.before) {
    setWindowTitle(m_content.title);
    constexpr int width = 420;
    setMinimumWidth(width);
    auto* column = new QVBoxLayout(this);
    auto* purpose = plainLabel(m_content.purpose);
    purpose->setWordWrap(true);
    column->addWidget(purpose);
    m_form = new ParameterForm(m_content.rows, m_content.prefix);
    m_form->show(m_texts);
    column->addWidget(m_form);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
    buttons->button(QDialogButtonBox::RestoreDefaults)->setText(tr("Restore &defaults"));
    if (!m_content.done.isEmpty()) buttons->button(QDialogButtonBox::Ok)->setText(m_content.done);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &OptionDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        m_texts = m_content.usual;
        m_form->show(m_texts);
    });
}

void OptionDialog::accept() {
    if (!m_form->check()) return;
    ParameterTexts texts = m_texts;
    for (const auto& [key, value] : m_form->edits()) texts[key] = value;
    if (const Status good = m_content.check(texts); !good) return m_form->showProblem(wordsOf(good.error()), good.error().field);
    m_texts = std::move(texts);
    QDialog::accept();
}

} // namespace railyard
