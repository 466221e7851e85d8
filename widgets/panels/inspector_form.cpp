#include "widgets/panels/inspector_form.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>

namespace railyard {

QString inspectorText(const char* words) { return QCoreApplication::translate("railyard::InspectorPanel", words); }

InspectorForm::InspectorForm(Apply apply, QWidget* parent) : QWidget(parent), m_apply(std::move(apply)), m_rows(new QFormLayout(this)) {
    m_rows->setContentsMargins(0, 4, 0, 0);
    m_rows->setSpacing(5);
}

void InspectorForm::addHeading(const QString& words) {
    auto* heading = plainLabel(words);
    heading->setFont(fontFor(TextRole::ObjectName));
    m_rows->addRow(heading);
}

void InspectorForm::addControl(const QString& name, QWidget* control) {
    QLabel* label = plainLabel(name);
    label->setBuddy(control);
    m_rows->addRow(label, control);
}

void InspectorForm::addWide(QWidget* widget) { m_rows->addRow(widget); }

void InspectorForm::addNote(const QString& words) {
    QLabel* note = plainLabel(words);
    note->setProperty("dim", true);
    note->setWordWrap(true);
    m_rows->addRow(note);
}

QLineEdit* InspectorForm::addField(const QString& name, const QString& object, const QString& value, FieldEdit edit) {
    auto* field = new QLineEdit(value);
    field->setAccessibleName(name);
    field->setObjectName(object);
    field->setAlignment(Qt::AlignRight);
    connect(field, &QLineEdit::editingFinished, this, [this, field, value, edit = std::move(edit)] {
        const QString text = typedText(field->text().trimmed());
        const QVariant before = field->property("refused");
        if (text == value || (before.isValid() && text == before.toString())) return;
        const auto tried = edit(text.toStdString());
        if (tried) // the edit rebuilds the field, so it is applied after the field's signal has returned
            return void(QMetaObject::invokeMethod(
                this, [this, tried] { m_apply(tried); }, Qt::QueuedConnection));
        field->setProperty("refused", text);
        field->setProperty("danger", true);
        field->style()->polish(field);
        emit refused(QString::fromStdString(tried.error().text));
    });
    QLabel* label = plainLabel(name); // the form itself would guess at rich text
    label->setBuddy(field);
    m_rows->addRow(label, field);
    return field;
}

void InspectorForm::addButton(const QString& words, std::function<Result<Edit>()> edit) {
    addAction(words, [this, edit = std::move(edit)] { m_apply(edit()); });
}

// Queued, because the action may rebuild the panel that contains the button.
void InspectorForm::addAction(const QString& words, std::function<void()> act) {
    auto* button = new QPushButton(words);
    connect(button, &QPushButton::clicked, this,
            [this, act = std::move(act)] { QMetaObject::invokeMethod(this, act, Qt::QueuedConnection); });
    m_rows->addRow(button);
}

void InspectorForm::addFact(const QString& name, const QString& value) {
    auto* label = plainLabel(value);
    label->setAlignment(Qt::AlignRight);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_rows->addRow(plainLabel(name), label);
}

} // namespace railyard
