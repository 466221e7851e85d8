#include "widgets/dialogs/requirement_form.h"

#include "core/base/unit_text.h"
#include "core/design/edits/edit_tiers.h"
#include "core/training/job_parameters.h"
#include "core/workload/models_json.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>
#include <set>

namespace railyard {
namespace {

constexpr double tokensOfUnit = 1e9;

// "DGX H100 · 8 × 400 Gb/s"
QString serverText(const Part& part) {
    const ServerPart& details = *part.as<ServerPart>();
    const QString name = text(part.name);
    if (details.nics == 0) return name;
    return QStringLiteral("%1 · %2 × %3").arg(name, QString::number(details.nics), text(formatBandwidth(details.nicBandwidth)));
}

QComboBox* choiceOf(const QString& usual) {
    auto* choice = new QComboBox;
    if (!usual.isEmpty()) choice->addItem(usual);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // long names do not widen the dialog
    choice->setMinimumContentsLength(22);
    return choice;
}

template <class Detail, class Text>
void addParts(QComboBox& choice, const Catalog& catalog, Text words) {
    for (const auto& [id, part] : catalog.parts())
        if (part.template as<Detail>()) choice.addItem(words(part), text(id));
}

QLineEdit* limitField(const char* name) {
    auto* field = new QLineEdit;
    field->setObjectName(QLatin1String(name));
    field->setPlaceholderText(RequirementForm::tr("any"));
    field->setFixedWidth(84);
    return field;
}

// Empty text: no limit. Errors: no number above 0, or a number that is too large.
Result<std::optional<double>> limitOf(const QLineEdit& field, const char* problem) {
    const QString typed = QString(field.text()).remove(QLatin1Char(',')).trimmed();
    if (typed.isEmpty()) return std::optional<double>();
    bool isNumber = false;
    const double value = typed.toDouble(&isNumber);
    constexpr double most = 1e9; // beyond any cluster in every unit
    if (isNumber && value > most)
        return Error::usage(RequirementForm::tr("%1 is too large; the maximum is 1,000,000,000.").arg(typed).toStdString());
    if (!isNumber || !(value > 0)) return Error::usage(RequirementForm::tr(problem).toStdString());
    return std::optional(value);
}

QLabel* captionOf(const QString& words, QWidget* field) {
    auto* label = plainLabel(words);
    label->setBuddy(field);
    return label;
}

} // namespace

RequirementForm::RequirementForm(const Catalog& catalog, QWidget* parent) : QWidget(parent) {
    m_name = new QLineEdit(tr("New fabric"));
    m_server = choiceOf({});
    addParts<ServerPart>(*m_server, catalog, serverText);
    m_server->setCurrentIndex(m_server->findData(QLatin1String("srv-dgx-h100")));
    m_switch = choiceOf(tr("Any that fits"));
    addParts<SwitchPart>(*m_switch, catalog, [](const Part& part) { return text(switchText(part)); });
    m_switch->setObjectName(QStringLiteral("new-switch"));
    m_server->setObjectName(QStringLiteral("new-server"));
    m_model = choiceOf({});
    m_model->setObjectName(QStringLiteral("new-model"));
    for (const TransformerModel& model : shippedModels())
        if (model.unknown.empty()) m_model->addItem(text(model.name), text(model.id));
    m_model->setCurrentIndex(m_model->findData(text(usualRequest().model)));
    auto* form = new QGridLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(12);
    form->setVerticalSpacing(8);
    const auto put = [&](int row, int column, const QString& words, QWidget* field) {
        form->addWidget(captionOf(words, field), row, column);
        form->addWidget(field, row, column + 1);
    };
    QBoxLayout* size = sizeFields();
    form->addWidget(captionOf(tr("&Size"), m_size), 0, 0);
    form->addLayout(size, 0, 1, 1, 3);
    put(0, 4, tr("&Name"), m_name);
    put(1, 0, tr("S&erver"), m_server);
    put(1, 2, tr("S&witch"), m_switch);
    put(1, 4, tr("Mo&del"), m_model);
    form->addWidget(plainLabel(tr("Limits")), 2, 0);
    form->addLayout(limitFields(), 2, 1, 1, 5);
    form->addLayout(partLimitFields(catalog), 3, 1, 1, 5);
    form->addWidget(plainLabel(tr("Networks")), 4, 0);
    form->addLayout(networkFields(), 4, 1, 1, 5);
    for (const int column : {1, 3, 5}) form->setColumnStretch(column, 1);
    followFields();
    m_size->setFocus();
    m_size->selectAll();
}

QBoxLayout* RequirementForm::sizeFields() {
    m_size = new QLineEdit(QStringLiteral("1024"));
    m_size->setObjectName(QStringLiteral("new-gpus"));
    m_size->setAlignment(Qt::AlignRight);
    m_size->setFixedWidth(100);
    m_basis = new QButtonGroup(this);
    auto* size = new QHBoxLayout;
    size->setSpacing(0);
    size->addWidget(m_size);
    size->addSpacing(8);
    const QString units[] = {tr("GPUs"), tr("MW facility"), tr("M USD network"), tr("Days of the model")};
    for (int unit = Gpus; unit <= Days; ++unit) {
        auto* button = new QToolButton;
        button->setText(units[unit]);
        button->setObjectName(QStringLiteral("new-basis-%1").arg(unit));
        button->setAccessibleName(tr("Size in %1").arg(units[unit]));
        button->setProperty("segment", true);
        button->setCheckable(true);
        button->setChecked(unit == Gpus);
        m_basis->addButton(button, unit);
        size->addWidget(button);
    }
    m_tokens = new QLineEdit(QString::number(usualRequest().planned.plan.tokens / tokensOfUnit));
    m_tokens->setObjectName(QStringLiteral("new-tokens"));
    m_tokens->setFixedWidth(84);
    m_tokensCaption = captionOf(tr("billion to&kens"), m_tokens);
    size->addSpacing(12);
    for (QWidget* each : std::initializer_list<QWidget*>{m_tokens, m_tokensCaption}) {
        each->hide(); // until the size is asked for in days
        size->addWidget(each);
        size->addSpacing(8);
    }
    m_sizeNote = plainLabel();
    m_sizeNote->setProperty("dim", true);
    size->addWidget(m_sizeNote, 1);
    return size;
}

QBoxLayout* RequirementForm::limitFields() {
    m_bisection = limitField("new-bisection");
    setToolTipOf(*m_bisection, tr("As a share of half the injection bandwidth: 1 is full bisection. An HB domain counts as one server."));
    m_oversubscription = limitField("new-oversubscription");
    m_power = limitField("new-power");
    m_domain = limitField("new-domain");
    m_domain->setPlaceholderText(tr("as built"));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (const auto& [words, field] :
         {std::pair(tr("&Bisection between servers ≥"), m_bisection), std::pair(tr("&Oversubscription ≤"), m_oversubscription),
          std::pair(tr("Facility &power ≤ MW"), m_power), std::pair(tr("GPUs per &HB domain ="), m_domain)}) {
        row->addWidget(captionOf(words, field));
        row->addWidget(field);
        row->addSpacing(16);
    }
    row->addStretch();
    return row;
}

// Of switches, links and the failures of parts.
QBoxLayout* RequirementForm::partLimitFields(const Catalog& catalog) {
    m_vendor = choiceOf(tr("any"));
    m_vendor->setObjectName(QStringLiteral("new-vendor"));
    m_vendor->setMinimumContentsLength(12);
    std::set<std::string> vendors;
    for (const auto& [id, part] : catalog.parts())
        if (part.as<SwitchPart>()) vendors.insert(part.vendor);
    for (const std::string& vendor : vendors) m_vendor->addItem(text(vendor), text(vendor));
    m_link = limitField("new-link");
    m_interval = limitField("new-interval");
    setToolTipOf(*m_interval, tr("Mean time between interruptions of a job on all GPUs, with the usual failure rates."));
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    for (const auto& [words, field] : {std::pair<QString, QWidget*>(tr("Switch &vendor ="), m_vendor),
                                       {tr("&Link speed ≤ Gb/s"), m_link},
                                       {tr("Hours between interruptions ≥"), m_interval}}) {
        row->addWidget(captionOf(words, field));
        row->addWidget(field);
        row->addSpacing(16);
    }
    row->addStretch();
    return row;
}

QBoxLayout* RequirementForm::networkFields() {
    auto* row = new QHBoxLayout;
    auto* compute = new QCheckBox(tr("Compute"));
    compute->setChecked(true);
    compute->setEnabled(false); // always part of it
    row->addWidget(compute);
    for (const auto& [words, key, value] :
         {std::tuple(tr("Fabric &managers"), "manager_ports", "2"), std::tuple(tr("S&torage"), "storage", "on"),
          std::tuple(tr("&In-band"), "in_band", "on"), std::tuple(tr("O&ut-of-band"), "out_of_band", "on"),
          std::tuple(tr("&Racks and cable lengths"), "racks", "auto")}) {
        auto* box = new QCheckBox(words);
        box->setObjectName(QString::fromLatin1(key));
        row->addWidget(box);
        m_extras.push_back({box, key, value});
    }
    row->addStretch();
    return row;
}

// A field that holds anything other than a number above 0 turns red, in addition to the sentence at the foot of the window.
static void markProblem(QLineEdit& field) {
    field.setProperty("danger", !limitOf(field, ""));
    field.style()->unpolish(&field); // takes the property
    field.style()->polish(&field);
}

void RequirementForm::followFields() {
    for (QLineEdit* field : {m_size, m_tokens, m_bisection, m_power, m_link, m_interval})
        connect(field, &QLineEdit::textChanged, this, [field] { markProblem(*field); });
    for (QLineEdit* field : {m_size, m_tokens, m_bisection, m_oversubscription, m_power, m_domain, m_link, m_interval})
        connect(field, &QLineEdit::textChanged, this, &RequirementForm::changed);
    const auto followSwitch = [this] { m_vendor->setEnabled(m_switch->currentIndex() == 0); }; // a switch has its vendor
    connect(m_switch, &QComboBox::currentIndexChanged, this, followSwitch);
    for (QComboBox* field : {m_server, m_switch, m_vendor, m_model})
        connect(field, &QComboBox::currentIndexChanged, this, &RequirementForm::changed);
    for (const Extra& extra : m_extras) connect(extra.box, &QCheckBox::toggled, this, &RequirementForm::changed);
    connect(m_basis, &QButtonGroup::idToggled, this, [this](int basis, bool isOn) {
        if (!isOn) return;
        for (QWidget* each : std::initializer_list<QWidget*>{m_tokensCaption, m_tokens}) each->setVisible(basis == Days);
        const QString usual[] = {QStringLiteral("1024"), QStringLiteral("4"), QStringLiteral("10"), QStringLiteral("30")};
        if (!m_size->isModified()) { // what was typed is kept
            const QSignalBlocker quiet(m_size);
            m_size->setText(usual[basis]);
        }
        emit changed();
    });
}

Result<Requirements> RequirementForm::requirements() const {
    Requirements asked;
    const auto size = limitOf(*m_size, QT_TR_NOOP("Enter a size above 0, such as 1024 or 12.5."));
    if (!size) return size.errors();
    if (!*size) return Error::usage(tr("Enter a size, such as 1024 GPUs.").toStdString());
    const auto bisection = limitOf(*m_bisection, QT_TR_NOOP("Enter a bisection above 0, such as 0.5, or nothing."));
    if (!bisection) return bisection.errors();
    const auto megawatts = limitOf(*m_power, QT_TR_NOOP("Enter a power in MW above 0, such as 4, or nothing."));
    if (!megawatts) return megawatts.errors();
    const auto link = limitOf(*m_link, QT_TR_NOOP("Enter a link speed in Gb/s above 0, such as 400, or nothing."));
    if (!link) return link.errors();
    const auto interval = limitOf(*m_interval, QT_TR_NOOP("Enter the hours between interruptions, such as 24, or nothing."));
    if (!interval) return interval.errors();
    if (*link) asked.link = Bandwidth(**link * 1e9);
    asked.intervalHours = *interval;
    if (m_vendor->isEnabled()) asked.vendor = m_vendor->currentData().toString().toStdString();
    asked.bisection = *bisection;
    if (*megawatts) asked.power = Watts(**megawatts * 1e6);
    switch (m_basis->checkedId()) {
    case Gpus:
        if (**size != static_cast<double>(static_cast<std::int64_t>(**size)))
            return Error::usage(tr("Enter a whole number of GPUs, such as 1024.").toStdString());
        asked.gpus = static_cast<std::int64_t>(**size);
        break;
    case Megawatts: asked.power = Watts(std::min(**size, megawatts->value_or(**size)) * 1e6); break;
    case Millions: asked.budget = Money::dollars(**size * 1e6); break;
    case Days: {
        const auto tokens = limitOf(*m_tokens, QT_TR_NOOP("Enter the tokens of the training run in billions, such as 300."));
        if (!tokens) return tokens.errors();
        if (*tokens) asked.training["tokens"] = parameterText(**tokens * tokensOfUnit);
        asked.days = **size;
        break;
    }
    }
    asked.training["model"] = m_model->currentData().toString().toStdString();
    asked.server = m_server->currentData().toString().toStdString();
    asked.switchId = m_switch->currentData().toString().toStdString();
    asked.oversubscription = m_oversubscription->text().trimmed().toStdString();
    if (const QString domain = m_domain->text().trimmed(); !domain.isEmpty()) asked.settings["hb_domain_gpus"] = domain.toStdString();
    for (const Extra& extra : m_extras)
        if (extra.box->isChecked()) asked.settings[extra.key] = extra.value;
    return asked;
}

QString RequirementForm::name() const {
    return m_name->text().trimmed().isEmpty() ? tr("New fabric") : typedText(m_name->text().trimmed());
}

QString RequirementForm::modelName() const { return m_model->currentText(); }

void RequirementForm::setGpus(std::int64_t gpus) {
    m_basis->button(Gpus)->setChecked(true);
    m_size->setText(QString::number(gpus));
}

void RequirementForm::setSizeNote(const QString& words) { m_sizeNote->setText(words); }

} // namespace railyard
