#include "widgets/modes/failure_bar.h"

#include "core/base/unit_text.h"
#include "core/failure/failure_parameters.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>
#include <set>

namespace railyard {
FailureBar::FailureBar(Document& document, QWidget* parent)
    : ModeBar(document, QStringLiteral("failing-bar"), richLabel(), parent),
      m_selector(new QLineEdit),
      m_share(new QDoubleSpinBox),
      m_choice(new QComboBox),
      m_keep(new QToolButton),
      m_forget(new QToolButton),
      m_restore(new QToolButton) {
    m_selector->setObjectName(QStringLiteral("fail-selector"));
    m_selector->setPlaceholderText(tr("Or type a selector: rail=3, tier=spine, su[1]/leaf[2]:17"));
    setToolTipOf(*m_selector, tr("Selector as in railyard-cli --fail: su[1]/leaf[2], su[*]/leaf[4], rail=3, tier=spine, su[1]/leaf[2]:17"));
    m_selector->setAccessibleName(tr("Elements to fail"));
    m_share->setObjectName(QStringLiteral("fail-links"));
    const ParameterInfo& share = parameterNamed(failureParameters(), "fail_links")->info;
    m_share->setRange(share.low, share.high);
    m_share->setDecimals(2);
    m_share->setSuffix(tr(" % of links"));
    m_share->setKeyboardTracking(false);
    setToolTipOf(*m_share, tr("Percentage of network links that fail at random (seed 1), as in railyard-cli --fail-links"));
    m_share->setAccessibleName(text(share.label));
    m_choice->setObjectName(QStringLiteral("fail-scenario"));
    m_choice->setAccessibleName(tr("Scenario"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_keep->setText(tr("Save scenario…"));
    m_forget->setText(tr("Delete scenario"));
    m_restore->setText(tr("Restore all"));
    m_row->addWidget(m_selector, 1);
    for (QWidget* each : std::initializer_list<QWidget*>{m_share, m_choice, m_keep, m_forget, m_restore}) m_row->addWidget(each);
    addLeave(tr("Exits failure mode and restores everything. The failures are remembered for the next time."));
    connect(&document, &Document::impactsChanged, this, [this] {
        if (isOn()) refresh();
    });
    connect(m_selector, &QLineEdit::returnPressed, this, [this] { typed(); });
    connect(m_share, &QDoubleSpinBox::valueChanged, this, [this](double percent) {
        Failures next = m_failures;
        next.linkShare = percent / 100;
        setFailures(next);
    });
    connect(m_choice, &QComboBox::activated, this, [this](int index) {
        if (index > 0) setFailures(m_scenarios.at(m_choice->itemText(index)));
    });
    connect(m_keep, &QToolButton::clicked, this, [this] { askName(); });
    connect(m_forget, &QToolButton::clicked, this, [this] { forget(m_choice->currentText()); });
    connect(m_restore, &QToolButton::clicked, this, [this] { setFailures({}); });
    fillScenarios();
}

void FailureBar::setTokens(const Tokens& tokens) {
    setStyleSheet(
        QStringLiteral("QFrame#failing-bar { background: %1; border-bottom: 2px solid %2 } QFrame#failing-bar > QLabel { color: %2 }")
            .arg(tokens.dangerBg.name(), tokens.danger.name()));
}

void FailureBar::applyFailures(const Failures& failures) {
    m_document.setFailures(failures);
    refresh();
}

void FailureBar::setFailures(const Failures& failures) {
    m_failures = failures;
    if (isOn()) m_document.setFailures(failures);
    refresh();
}

void FailureBar::toggle(const std::string& selector) {
    Failures next = m_failures;
    const auto known = std::find(next.selectors.begin(), next.selectors.end(), selector);
    if (known != next.selectors.end())
        next.selectors.erase(known);
    else if (const auto found = select(*m_document.now().fabric, selector); !found)
        return emit refused(QString::fromStdString(found.error().text));
    else
        next.selectors.push_back(selector);
    setFailures(next);
}

void FailureBar::failAll(const std::vector<std::string>& paths) {
    Failures next = m_failures;
    const std::set<std::string> before(next.selectors.begin(), next.selectors.end());
    for (const std::string& path : paths)
        if (!before.contains(path) && !path.starts_with("callout[")) next.selectors.push_back(path);
    if (next.selectors.size() == before.size()) {
        const std::set<std::string> mended(paths.begin(), paths.end());
        std::erase_if(next.selectors, [&](const std::string& selector) { return mended.contains(selector); });
    }
    setFailures(next);
}

void FailureBar::typed() {
    const std::string selector = m_selector->text().trimmed().toStdString();
    if (selector.empty()) return;
    const Failures before = m_failures;
    toggle(selector);
    if (!(before == m_failures)) m_selector->clear();
}

void FailureBar::askName() {
    const QString suggestion = tr("Scenario %1").arg(m_scenarios.size() + 1);
    const QString name = askText(this, tr("Save scenario"), tr("Scenario name"), suggestion).trimmed();
    if (!name.isEmpty()) keep(name);
}

void FailureBar::keep(const QString& name) {
    m_scenarios[name] = m_failures;
    fillScenarios();
    refresh();
    emit scenariosChanged();
}

void FailureBar::forget(const QString& name) {
    if (m_scenarios.erase(name) == 0) return;
    fillScenarios();
    refresh();
    emit scenariosChanged();
}

void FailureBar::setScenarios(Scenarios scenarios) {
    m_scenarios = std::move(scenarios);
    fillScenarios();
    setFailures({}); // the failures belonged to another design
}

void FailureBar::fillScenarios() {
    m_choice->clear();
    m_choice->addItem(m_scenarios.empty() ? tr("No scenarios yet") : tr("Scenario…"));
    for (const auto& [name, failures] : m_scenarios) m_choice->addItem(name);
}

RichText FailureBar::words() const {
    const auto selectors = static_cast<std::ptrdiff_t>(m_failures.selectors.size());
    if (m_failures.isEmpty())
        return RichText::markup(
            tr("<b>Failure mode.</b> Click an element to fail it; Delete fails the selection. The design and its bill are not affected."));
    const Fabric& intact = *m_document.now().fabric;
    const Fabric& degraded = *m_document.degraded();
    QString what;
    for (std::ptrdiff_t s = 0; s < std::min<std::ptrdiff_t>(selectors, 3); ++s)
        what += (s > 0 ? tr(", ") : QString()) + QString::fromStdString(m_failures.selectors[static_cast<std::size_t>(s)]);
    if (selectors > 3) what += tr(" and %1 more").arg(selectors - 3);
    if (m_failures.linkShare > 0) what += (what.isEmpty() ? QString() : tr(", ")) + tr("%1 % of links").arg(m_failures.linkShare * 100);
    const auto gone = [](std::size_t before, std::size_t after, const QString& one, const QString& many) {
        return counted(static_cast<std::int64_t>(before - after), one, many);
    };
    const Impacts& impacts = m_document.impacts();
    QString reach;
    if (impacts.cutOff > 0) reach += tr(" %1 cut off.").arg(counted(impacts.cutOff, tr("%1 GPU"), tr("%1 GPUs")));
    if (impacts.degraded > 0) reach += tr(" %1 degraded.").arg(counted(impacts.degraded, tr("%1 GPU"), tr("%1 GPUs")));
    return RichText::filled(tr("<b>Failed:</b> %1 (%2, %3).%4 Bisection, collectives and interrupt rate are for the degraded "
                               "fabric. The design and its bill are not affected."),
                            what, gone(intact.devices.size(), degraded.devices.size(), tr("%1 device"), tr("%1 devices")),
                            gone(intact.links.size(), degraded.links.size(), tr("%1 link"), tr("%1 links")), reach);
}

void FailureBar::refresh() {
    setRichText(*m_text, words());
    const QSignalBlocker quiet(m_share);
    m_share->setValue(m_failures.linkShare * 100);
    int chosen = 0;
    for (int i = 1; i < m_choice->count(); ++i)
        if (m_scenarios.at(m_choice->itemText(i)) == m_failures) chosen = i;
    m_choice->setCurrentIndex(chosen);
    m_keep->setEnabled(!m_failures.isEmpty());
    m_restore->setEnabled(!m_failures.isEmpty());
    m_forget->setEnabled(chosen > 0);
}

} // namespace railyard
