#include "widgets/forms/parameter_form.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/theme/tokens.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>
#include <limits>

namespace railyard {
namespace {

QString words(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

// 300e9 rather than 300000000000.
QString shortNumber(const QString& number) {
    constexpr double billion = 1e9;
    const double value = number.toDouble();
    if (!(value >= billion)) return number;
    const QString inBillions = QString::number(value / billion, 'g', 12);
    return inBillions.contains(QLatin1Char('e')) ? number : inBillions + QStringLiteral("e9");
}

} // namespace

ParameterForm::ParameterForm(std::vector<ParameterInfo> rows, const QString& prefix, QWidget* parent)
    : QWidget(parent),
      m_rows(new QFormLayout(this)),
      m_problem(plainLabel()) {
    m_rows->setContentsMargins(0, 0, 12, 0);
    m_fields.reserve(rows.size()); // the fields refer to one another by place
    QString group;
    for (ParameterInfo& row : rows) {
        if (const QString own = words(row.group); own != group) {
            group = own;
            auto* heading = plainLabel(group);
            heading->setFont(fontFor(TextRole::BodyBold));
            heading->setContentsMargins(0, m_fields.empty() ? 0 : 8, 0, 0);
            m_rows->addRow(heading);
        }
        Field& field = m_fields.emplace_back();
        field.info = std::move(row);
        field.widget = addField(field);
        const QString label = words(field.info.label), unit = words(field.info.unit);
        field.widget->setObjectName(prefix + QLatin1Char('-') + words(field.info.option()).mid(2));
        field.widget->setAccessibleName(label);
        QString tip = words(field.info.help);
        if (!tip.isEmpty()) tip[0] = tip[0].toUpper();
        setToolTipOf(*field.widget, field.info.automatic.empty() ? tip : tr("%1. Default: %2").arg(tip, words(field.info.automatic)));
        m_rows->addRow(plainLabel(unit.isEmpty() ? label : QStringLiteral("%1, %2").arg(label, unit)), field.widget);
    }
    m_problem->setWordWrap(true);
    m_problem->setObjectName(prefix + QStringLiteral("-problem"));
    m_problem->hide();
    m_rows->addRow(m_problem);
}

QWidget* ParameterForm::addField(Field& field) {
    const bool isOneOf = !field.info.choices.empty();
    switch (field.info.kind) {
    case ParameterInfo::Kind::Whole: return numberField(field);
    case ParameterInfo::Kind::Switch: return switchField(field);
    case ParameterInfo::Kind::Choice: return choiceField(field);
    case ParameterInfo::Kind::Real:
    case ParameterInfo::Kind::Part:
    case ParameterInfo::Kind::Ratio: break;
    case ParameterInfo::Kind::Text:
        if (isOneOf) return choiceField(field);
        break;
    }
    return textField(field);
}

QWidget* ParameterForm::numberField(Field& field) {
    auto* box = new QSpinBox;
    const double most = std::numeric_limits<int>::max();
    box->setRange(static_cast<int>(field.info.low), static_cast<int>(std::min(field.info.high, most)));
    box->setKeyboardTracking(false); // not at every digit
    if (!field.info.automaticLabel.empty()) box->setSpecialValueText(words(field.info.automaticLabel));
    field.text = [box] { return QString::number(box->value()); };
    field.show = [box, most](const QString& text) { box->setValue(static_cast<int>(std::min(text.toDouble(), most))); };
    connect(box, &QSpinBox::valueChanged, this, &ParameterForm::takeEdit);
    return box;
}

QWidget* ParameterForm::choiceField(Field& field) {
    auto* box = new QComboBox;
    for (const ParameterChoice& choice : field.info.choices) box->addItem(words(choice.label), words(choice.value));
    field.text = [box] { return box->currentData().toString(); };
    field.show = [box](const QString& text) {
        if (box->findData(text) < 0) box->addItem(text, text);
        box->setCurrentIndex(box->findData(text));
    };
    connect(box, &QComboBox::currentIndexChanged, this, &ParameterForm::takeEdit);
    return box;
}

QWidget* ParameterForm::switchField(Field& field) {
    auto* box = new QCheckBox(tr("on"));
    field.text = [box] { return box->isChecked() ? QStringLiteral("on") : QStringLiteral("off"); };
    field.show = [box](const QString& text) { box->setChecked(text == QStringLiteral("on")); };
    connect(box, &QCheckBox::toggled, this, &ParameterForm::takeEdit);
    return box;
}

QWidget* ParameterForm::textField(Field& field) {
    auto* line = new QLineEdit;
    if (!field.info.automaticLabel.empty()) line->setPlaceholderText(words(field.info.automaticLabel));
    const bool isNumber = field.info.kind == ParameterInfo::Kind::Real;
    field.text = [line] { return line->text().trimmed(); };
    field.show = [line, isNumber](const QString& text) { line->setText(isNumber ? shortNumber(text) : text); };
    connect(line, &QLineEdit::editingFinished, this, &ParameterForm::takeEdit);
    return line;
}

void ParameterForm::nameChoice(const std::string& key, const QString& value, const QString& label) {
    for (const Field& field : m_fields)
        if (auto* box = qobject_cast<QComboBox*>(field.widget); box && field.info.key == key && box->findData(value) < 0) {
            const bool wasFilling = std::exchange(m_isFilling, true);
            box->addItem(label, value);
            m_isFilling = wasFilling;
        }
}

void ParameterForm::show(const ParameterTexts& texts) {
    for (Field& field : m_fields) field.given.reset();
    follow(texts);
}

void ParameterForm::follow(const ParameterTexts& texts) {
    m_isFilling = true;
    for (Field& field : m_fields)
        if (const auto text = texts.find(std::string(field.info.key)); text != texts.end()) {
            if (text->second == field.given && !field.problem().empty()) continue;
            field.show(QString::fromStdString(text->second));
            field.shown = field.text();
            field.given = text->second;
        }
    m_isFilling = false;
    check();
}

std::string ParameterForm::Field::problem() const {
    const QString now = text();
    return now == shown ? std::string() : info.problemOf(now.toStdString());
}

ParameterTexts ParameterForm::edits() const {
    ParameterTexts texts;
    for (const Field& field : m_fields)
        if (const QString text = field.text(); text != field.shown && field.problem().empty())
            texts[std::string(field.info.key)] = text.toStdString();
    return texts;
}

void ParameterForm::showProblem(const QString& sentence, const std::string& key) {
    const auto at = std::find_if(m_fields.begin(), m_fields.end(), [&](const Field& field) { return field.info.key == key; });
    const auto taken = m_rows->takeRow(m_problem);
    delete taken.fieldItem;
    delete taken.labelItem;
    int row = m_rows->rowCount();
    if (at != m_fields.end()) {
        QFormLayout::ItemRole role{};
        m_rows->getWidgetPosition(at->widget, &row, &role);
        ++row;
    }
    m_rows->insertRow(row, m_problem);
    m_problem->setText(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

bool ParameterForm::check() {
    for (const Field& field : m_fields)
        if (const std::string problem = field.problem(); !problem.empty()) {
            showProblem(QStringLiteral("%1 %2.").arg(words(field.info.label), QString::fromStdString(problem)),
                        std::string(field.info.key));
            return false;
        }
    showProblem({});
    return true;
}

void ParameterForm::takeEdit() {
    if (m_isFilling) return;
    check();
    if (!edits().empty()) emit edited();
}

} // namespace railyard
