#include "widgets/panels/why_panel.h"

#include "core/analysis/figures/explain.h"
#include "core/analysis/targets.h"
#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QCompleter>
#include <QLabel>
#include <QLineEdit>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>

namespace railyard {
namespace {

QString number(std::optional<double> value, const std::string& unit) {
    if (!value) return WhyPanel::tr("unknown");
    const QString digits = *value == std::floor(*value) && std::abs(*value) < 1e15
                               ? QString::fromStdString(formatCount(static_cast<std::int64_t>(*value)))
                               : QString::number(*value, 'g', 6);
    return unit.empty() ? digits : digits + QLatin1Char(' ') + text(unit);
}

QString confidenceInWords(const std::string& confidence) { return text(confidence).replace(QLatin1Char('-'), QLatin1Char(' ')); }

// Another figure by its title, "Switch cost"; everything else as it stands.
QString sourceInWords(const std::string& source) {
    const FigureInfo* figure = figureNamed(source);
    if (!figure || figure->title.empty()) return text(source);
    const std::string member = source.substr(source.rfind('.') + 1);
    return text(std::string(figure->title)).replace(QStringLiteral("{}"), text(member).replace(QLatin1Char('_'), QLatin1Char(' ')));
}

RichText richTextOf(const Explanation& why) {
    const FigureInfo* figure = figureNamed(why.key);
    const QString title = figure && !figure->title.empty() ? text(std::string(figure->title)) : text(why.key);
    RichText words = RichText::filled(QStringLiteral("<p><b>%1</b><br>%2</p><p><code>= %3</code></p>"), title, number(why.value, why.unit),
                                      text(why.origin.formula));
    if (!why.origin.note.empty()) words += RichText::filled(QStringLiteral("<p>%1</p>"), text(why.origin.note));
    for (const ExplainedInput& input : why.origin.inputs)
        words += RichText::filled(QStringLiteral("<p><code>%1</code> = %2<br><small>%3 · %4</small></p>"), text(input.name),
                                  number(input.value, input.unit), confidenceInWords(input.confidence), sourceInWords(input.source));
    return words + RichText::filled(WhyPanel::tr("<p>Confidence: <b>%1</b></p>"), confidenceInWords(why.confidence())) +
           RichText::filled(WhyPanel::tr("<p><small>Key: <code>%1</code></small></p>"), text(why.key));
}

} // namespace

WhyPanel::WhyPanel(Document& document, QWidget* parent) : QWidget(parent), m_document(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    m_keys = new QComboBox;
    m_keys->setEditable(true);
    m_keys->setInsertPolicy(QComboBox::NoInsert);
    m_keys->setAccessibleName(tr("Metric"));
    m_keys->completer()->setFilterMode(Qt::MatchContains);
    m_keys->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_keys->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(m_keys, &QComboBox::textActivated, this, &WhyPanel::explain);
    m_text = new QTextBrowser;
    m_text->setObjectName(QStringLiteral("why-text"));
    m_text->setAccessibleName(tr("Formula, inputs and sources of the metric"));
    m_text->setOpenLinks(false);
    layout->addWidget(m_keys);
    layout->addWidget(m_text);
    m_bound = new QComboBox;
    m_bound->addItems({tr("No target"), tr("At most"), tr("At least")});
    m_bound->setObjectName(QStringLiteral("target-bound"));
    m_bound->setAccessibleName(tr("Target"));
    m_wanted = new QLineEdit;
    m_wanted->setObjectName(QStringLiteral("target-value"));
    m_wanted->setAccessibleName(tr("Target value"));
    m_unit = plainLabel();
    auto* target = new QHBoxLayout;
    target->addWidget(m_bound);
    target->addWidget(m_wanted, 1);
    target->addWidget(m_unit);
    layout->addLayout(target);
    connect(m_bound, &QComboBox::activated, this, [this](int bound) {
        if (bound > 0 && m_wanted->text().isEmpty()) return m_wanted->setFocus(); // wait for the number
        applyTarget();
    });
    connect(m_wanted, &QLineEdit::editingFinished, this, [this] {
        if (m_wanted->isModified() && m_bound->currentIndex() > 0) applyTarget();
    });
    const auto outdated = [this] {
        m_isCurrent = false;
        if (isVisible()) refresh();
    };
    connect(&document, &Document::changed, this, outdated);
    connect(&document, &Document::backgroundChanged, this, outdated);
}

void WhyPanel::explain(const QString& key) {
    m_key = QString::fromStdString(stableKey(key.toStdString()));
    m_isCurrent = false;
    if (isVisible()) refresh();
    emit explained(key);
}

QString WhyPanel::words() const { return m_text->toPlainText(); }

void WhyPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

// Only some metrics can have a target.
void WhyPanel::showTarget() {
    const FigureInfo* figure = figureNamed(m_key.toStdString());
    const bool mayHave = figure && figure->mayHaveTarget;
    for (QWidget* widget : std::initializer_list<QWidget*>{m_bound, m_wanted, m_unit}) widget->setEnabled(mayHave);
    m_unit->setText(mayHave ? QString::fromStdString(std::string(figure->storedUnit)) : QString());
    m_bound->setCurrentIndex(0);
    m_wanted->clear();
    for (const Target& target : m_document.now().design->targets) {
        if (target.figure != m_key.toStdString()) continue;
        m_bound->setCurrentIndex(target.atMost ? 1 : 2);
        m_wanted->setText(QString::number(target.value, 'g', 12));
    }
}

void WhyPanel::applyTarget() {
    const bool isNone = m_bound->currentIndex() == 0;
    bool isNumber = false;
    const double value = m_wanted->text().toDouble(&isNumber);
    if (!isNone && !isNumber) return emit refused(tr("A target must be a number, such as 4000000 or 0.5."));
    const auto& targets = m_document.now().design->targets;
    const Target wanted{m_key.toStdString(), m_bound->currentIndex() == 1, value};
    if (!isNone && std::find(targets.begin(), targets.end(), wanted) != targets.end()) return;
    QString reason;
    if (!m_document.apply(setTarget(*m_document.now().design, wanted.figure, wanted.atMost, isNone ? std::nullopt : std::optional(value)),
                          &reason))
        emit refused(reason);
}

// Only while the panel is visible.
void WhyPanel::refresh() {
    if (m_isCurrent) return;
    const Snapshot& now = m_document.now();
    if (!m_document.background()) return setRichText(*m_text, RichText::markup(tr("<p>The metrics are being computed.</p>")));
    m_isCurrent = true;
    const FigureSource source{now.instant, m_document.background()};
    const std::vector<FigureValue> figures = figuresOf(source);
    if (m_keys->count() != static_cast<int>(figures.size())) {
        m_keys->clear();
        for (const FigureValue& each : figures) m_keys->addItem(QString::fromStdString(each.key()));
    }
    m_keys->setCurrentText(m_key);
    showTarget();
    if (const auto found = railyard::explain(*now.fabric, source, m_key.toStdString()))
        setRichText(*m_text, richTextOf(*found));
    else
        setRichText(*m_text, m_key.isEmpty() ? RichText::markup(tr("<p>Click a metric in the Metrics panel, or choose one above.</p>"))
                                             : RichText::filled(tr("<p>This design has no metric %1.</p>"), m_key));
}

} // namespace railyard
