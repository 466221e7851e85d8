#include "widgets/panels/scope_bar.h"

#include "core/base/unit_text.h"
#include "core/fabric/path_finder.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace railyard {
namespace {

// "leaf", "leaves": what the paths are called, by the last slug.
std::pair<QString, QString> kindOf(const std::string& path) {
    std::string slug = path.substr(path.rfind('/') + 1);
    slug = slug.substr(0, slug.find('['));
    if (slug.ends_with("-extra")) slug.resize(slug.size() - 6);
    const auto tr = [](const char* words) { return ScopeBar::tr(words); };
    if (slug == "leaf") return {tr("leaf"), tr("leaves")};
    if (slug == "srv") return {tr("server"), tr("servers")};
    if (slug == "hb") return {tr("HB domain"), tr("HB domains")};
    if (slug == "spine") return {tr("spine"), tr("spines")};
    if (slug == "superspine") return {tr("superspine"), tr("superspines")};
    if (slug == "core") return {tr("core switch"), tr("core switches")};
    return {tr("element"), tr("elements")};
}

} // namespace

ScopeBar::ScopeBar(Document& document, InspectorPanel& inspector, QWidget* parent)
    : QFrame(parent),
      m_document(document),
      m_inspector(inspector),
      m_segments(new QHBoxLayout),
      m_group(new QButtonGroup(this)),
      m_takes(plainLabel()),
      m_breaks(plainLabel()),
      m_delete(new QPushButton(tr("Delete"))) {
    setObjectName(QStringLiteral("scope-bar"));
    setProperty("bar", true);
    setAccessibleName(tr("Edit scope"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(12);
    auto* title = plainLabel(tr("Scope"));
    title->setProperty("dim", true);
    row->addWidget(title);
    m_segments->setSpacing(0);
    row->addLayout(m_segments);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    QFont bold = font();
    bold.setBold(true);
    m_takes->setFont(bold);
    m_takes->setObjectName(QStringLiteral("scope-takes"));
    m_breaks->setObjectName(QStringLiteral("scope-breaks"));
    m_breaks->setProperty("danger", true);
    m_takes->setMinimumWidth(1); // gives way where the window is small
    m_breaks->setMinimumWidth(1);
    words->addWidget(m_takes);
    words->addWidget(m_breaks);
    row->addLayout(words, 1);
    m_delete->setProperty("danger", true);
    m_delete->setObjectName(QStringLiteral("scope-delete"));
    setToolTipOf(*m_delete, tr("Deletes the elements of the scope (Del)."));
    row->addWidget(m_delete);
    connect(m_delete, &QPushButton::clicked, this, &ScopeBar::deleteAsked);
    connect(m_group, &QButtonGroup::idClicked, this, [this](int scope) {
        QMetaObject::invokeMethod( // queued, because the buttons are rebuilt
            this, [this, scope] { m_inspector.setScope(static_cast<EditScope>(scope)); }, Qt::QueuedConnection);
    });
    connect(&inspector, &InspectorPanel::scopesChanged, this, &ScopeBar::refresh);
    connect(&inspector.scopes(), &EditScopes::costsFound, this, &ScopeBar::showCost);
    refresh();
}

QString ScopeBar::nameOf(const ScopeChoice& choice) const {
    const std::string& path = choice.paths.front();
    const auto [one, many] = kindOf(path);
    const auto count = static_cast<std::int64_t>(choice.paths.size());
    const QString number = QString::fromStdString(path).section(QLatin1Char('['), -1).section(QLatin1Char(']'), 0, 0);
    switch (choice.scope) {
    case EditScope::This: return count == 1 ? tr("This %1").arg(one) : tr("These %1 %2").arg(text(formatCount(count)), many);
    case EditScope::PositionInPod: return tr("Position %1 in its pod (%2)").arg(number, text(formatCount(count)));
    case EditScope::Position: return tr("Position %1 in every SU (%2)").arg(number, text(formatCount(count)));
    case EditScope::All: break;
    }
    return tr("All %1 (%2)").arg(many, text(formatCount(count)));
}

void ScopeBar::setInView(bool drawing) {
    m_isInView = drawing;
    setVisible(m_isInView && !m_inspector.scopes().choices().empty());
}

void ScopeBar::refresh() {
    for (QAbstractButton* button : m_group->buttons()) delete button;
    const ScopeChoices& choices = m_inspector.scopes().choices();
    setVisible(m_isInView && !choices.empty());
    for (const ScopeChoice& each : choices) {
        auto* button = new QToolButton;
        button->setText(QStringLiteral("%1  %2").arg(static_cast<int>(each.scope) + 1).arg(nameOf(each)));
        button->setProperty("segment", true);
        button->setCheckable(true);
        button->setChecked(each.scope == m_inspector.scope());
        button->setAccessibleName(nameOf(each));
        setToolTipOf(*button, tr("Key %1").arg(static_cast<int>(each.scope) + 1));
        m_group->addButton(button, static_cast<int>(each.scope));
        m_segments->addWidget(button);
    }
    showCost();
}

// What Delete takes, and what then no longer works: of the chosen scope.
void ScopeBar::showCost() {
    m_takes->clear();
    m_breaks->clear();
    const ScopeChoice* chosen = nullptr;
    for (const ScopeChoice& each : m_inspector.scopes().choices())
        if (each.scope == m_inspector.scope()) chosen = &each;
    m_delete->setEnabled(chosen != nullptr);
    if (!chosen || !chosen->removing) return;
    const RemovalCost& cost = *chosen->removing;
    QStringList takes;
    const auto add = [&](std::int64_t count, const QString& one, const QString& many) {
        if (count > 0) takes << counted(count, one, many);
    };
    const auto [one, many] = kindOf(chosen->paths.front());
    add(static_cast<std::int64_t>(chosen->paths.size()), QStringLiteral("%1 ") + one, QStringLiteral("%1 ") + many);
    add(cost.cables, tr("%1 cable"), tr("%1 cables"));
    add(cost.modules, tr("%1 module"), tr("%1 modules"));
    QString words = tr("Delete: %1").arg(takes.join(QStringLiteral(", ")));
    if (cost.change.inCents() < 0)
        words += tr(" · %1%2 less").arg(cost.isComplete ? QString() : QStringLiteral("≥ "), text(formatMoney(Money() - cost.change)));
    m_takes->setText(words);
    QStringList breaks;
    if (cost.gpusCutOff > 0) breaks << counted(cost.gpusCutOff, tr("%1 GPU loses its NIC"), tr("%1 GPUs lose their NIC"));
    const BackgroundMetrics* now = m_document.background();
    if (now && cost.bisectionGbps) {
        const double before = now->bisection[static_cast<std::size_t>(BisectionKey::GpuNetworkOnly)].upperGbps;
        if (*cost.bisectionGbps < before)
            breaks << tr("bisection %1 to %2")
                          .arg(text(formatBandwidth(gigabitsPerSecond(before))),
                               text(formatBandwidth(gigabitsPerSecond(*cost.bisectionGbps))));
    }
    m_breaks->setText(breaks.join(QStringLiteral(" · ")));
}

} // namespace railyard
