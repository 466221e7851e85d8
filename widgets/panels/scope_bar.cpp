#include "widgets/panels/scope_bar.h"

#include "core/analysis/cable_edits.h"
#include "core/base/unit_text.h"
#include "widgets/document/server_facts.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace railyard {
namespace {

std::string_view slugOf(std::string_view path) {
    if (isPort(path)) return "cable";
    std::string_view slug = path.substr(path.rfind('/') + 1);
    slug = slug.substr(0, slug.find('['));
    if (slug.ends_with("-extra")) slug.remove_suffix(6);
    return slug;
}

// "leaf", "leaves"
std::pair<QString, QString> kindOf(std::string_view slug) {
    const auto tr = [](const char* words) { return ScopeBar::tr(words); };
    if (slug == "cable") return {tr("cable"), tr("cables")};
    if (slug == "leaf") return {tr("leaf"), tr("leaves")};
    if (slug == "srv") return {tr("server"), tr("servers")};
    if (slug == "hb") return {tr("HB domain"), tr("HB domains")};
    if (slug == "spine") return {tr("spine"), tr("spines")};
    if (slug == "superspine") return {tr("superspine"), tr("superspines")};
    if (slug == "core") return {tr("core switch"), tr("core switches")};
    return {tr("element"), tr("elements")};
}

// How many of each kind, in the order of their first paths. Kinds without a name of their own are counted together.
std::vector<std::pair<std::pair<QString, QString>, std::int64_t>> kindsOf(const std::vector<std::string>& paths) {
    std::map<std::string_view, std::int64_t> counts;
    std::vector<std::string_view> slugs;
    for (const std::string& path : paths)
        if (counts[slugOf(path)]++ == 0) slugs.push_back(slugOf(path));
    std::vector<std::pair<std::pair<QString, QString>, std::int64_t>> kinds;
    for (const std::string_view slug : slugs) {
        const auto kind = kindOf(slug);
        const auto same = std::find_if(kinds.begin(), kinds.end(), [&](const auto& each) { return each.first == kind; });
        if (same != kinds.end())
            same->second += counts[slug];
        else
            kinds.emplace_back(kind, counts[slug]);
    }
    return kinds;
}

// The index that all paths end with; empty if they differ.
std::optional<QString> positionOf(const std::vector<std::string>& paths) {
    const auto index = [](std::string_view path) { return path.substr(std::min(path.rfind('['), path.size())); };
    for (const std::string& path : paths)
        if (index(path) != index(paths.front())) return std::nullopt;
    return QString::fromStdString(paths.front()).section(QLatin1Char('['), -1).section(QLatin1Char(']'), 0, 0);
}

// The block around an element, as its position is counted: "SU", "pod", or the name of a hand-drawn group.
QString blockOf(const std::string& path) {
    const QString block = QString::fromStdString(path).section(QLatin1Char('/'), -2, -2).section(QLatin1Char('['), 0, 0);
    return block == QStringLiteral("su") || block.isEmpty() ? ScopeBar::tr("SU") : block;
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
    m_lines = new QBoxLayout(QBoxLayout::LeftToRight, this);
    m_lines->setContentsMargins(12, 6, 12, 6);
    m_lines->setSpacing(6);
    m_lines->setSizeConstraint(QLayout::SetNoConstraint);
    auto* choices = new QHBoxLayout;
    choices->setSpacing(12);
    auto* title = plainLabel(tr("Scope"));
    title->setProperty("dim", true);
    choices->addWidget(title);
    m_segments->setSpacing(0);
    choices->addLayout(m_segments);
    choices->addStretch();
    m_lines->addLayout(choices);
    auto* row = new QHBoxLayout;
    row->setSpacing(12);
    m_lines->addLayout(row, 1);
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    QFont bold = font();
    bold.setBold(true);
    m_takes->setFont(bold);
    m_takes->setObjectName(QStringLiteral("scope-takes"));
    m_breaks->setObjectName(QStringLiteral("scope-breaks"));
    m_breaks->setProperty("danger", true);
    for (QLabel* label : {m_takes, m_breaks}) {
        label->setWordWrap(true); // all of it is shown, on more lines where the window is small
        label->setMinimumWidth(120);
    }
    words->addWidget(m_takes);
    words->addWidget(m_breaks);
    row->addLayout(words, 1);
    m_delete->setProperty("danger", true);
    m_delete->setObjectName(QStringLiteral("scope-delete"));
    setToolTipOf(*m_delete, tr("Deletes the elements of the scope (Del)."));
    row->addWidget(m_delete);
    connect(m_delete, &QPushButton::clicked, this, [this] { m_isOfTrays ? emit failAsked() : emit deleteAsked(); });
    connect(m_group, &QButtonGroup::idClicked, this, [this](int scope) {
        QMetaObject::invokeMethod( // queued, because the buttons are rebuilt
            this, [this, scope] { m_inspector.setScope(static_cast<EditScope>(scope)); }, Qt::QueuedConnection);
    });
    connect(&inspector, &InspectorPanel::scopesChanged, this, &ScopeBar::refresh);
    connect(&inspector.scopes(), &EditScopes::costsFound, this, &ScopeBar::showCost);
    refresh();
}

QString ScopeBar::nameOf(const ScopeChoice& choice) const {
    const auto kinds = kindsOf(choice.paths);
    const auto [one, many] = m_isOfTrays ? std::pair(tr("tray"), tr("trays")) : kinds.size() == 1 ? kinds.front().first : kindOf({});
    const auto size = static_cast<std::int64_t>(choice.paths.size());
    const QString count = text(formatCount(size));
    const auto position = positionOf(choice.paths);
    switch (choice.scope) {
    case EditScope::This: return size == 1 ? tr("This %1").arg(one) : tr("These %1 %2").arg(count, many);
    case EditScope::PositionInPod:
        return position ? tr("Position %1 in its pod (%2)").arg(*position, count) : tr("Same positions in their pods (%1)").arg(count);
    case EditScope::Position:
        if (m_isOfTrays && position) return tr("Tray %1 in every rack (%2)").arg(*position, count);
        return position ? tr("Position %1 in every %2 (%3)").arg(*position, blockOf(choice.paths.front()), count)
                        : tr("Same positions in every %1 (%2)").arg(blockOf(choice.paths.front()), count);
    case EditScope::All: break;
    }
    return kinds.size() == 1 ? tr("All %1 (%2)").arg(many, count) : tr("All of these kinds (%1)").arg(count);
}

// What a narrow bar says of the scope.
QString ScopeBar::shortNameOf(const ScopeChoice& choice) const {
    const QString count = text(formatCount(static_cast<std::int64_t>(choice.paths.size())));
    switch (choice.scope) {
    case EditScope::This: return tr("This");
    case EditScope::PositionInPod: return tr("In its pod (%1)").arg(count);
    case EditScope::Position:
        return m_isOfTrays ? tr("In each rack (%1)").arg(count) : tr("In each %1 (%2)").arg(blockOf(choice.paths.front()), count);
    case EditScope::All: break;
    }
    return tr("All (%1)").arg(count);
}

// Where words and choices have no room side by side, they stand in two lines.
void ScopeBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    layOut();
}

QSize ScopeBar::minimumSizeHint() const { return {240, QFrame::minimumSizeHint().height()}; }

void ScopeBar::layOut() {
    constexpr int leastWords = 330; // px
    const ScopeChoices& choices = m_inspector.scopes().choices();
    const QFontMetrics metrics(font());
    int full = 0;
    for (const ScopeChoice& each : choices) full += metrics.horizontalAdvance(nameOf(each)) + 48;
    const bool isOneLine = full + leastWords + 90 <= width(), isShort = full + 70 > width();
    m_lines->setDirection(isOneLine ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    for (const ScopeChoice& each : choices)
        if (QAbstractButton* button = m_group->button(static_cast<int>(each.scope)))
            button->setText(QStringLiteral("%1  %2").arg(static_cast<int>(each.scope) + 1).arg(isShort ? shortNameOf(each) : nameOf(each)));
}

void ScopeBar::setInView(bool drawing) {
    m_isInView = drawing;
    setVisible(m_isInView && !m_inspector.scopes().choices().empty());
}

void ScopeBar::refresh() {
    for (QAbstractButton* button : m_group->buttons()) delete button;
    const ScopeChoices& choices = m_inspector.scopes().choices();
    setVisible(m_isInView && !choices.empty());
    m_isOfTrays = !choices.empty() && areTraysOfRacks(*m_document.now().fabric, choices.front().paths);
    for (const ScopeChoice& each : choices) {
        auto* button = new QToolButton;
        button->setProperty("segment", true);
        button->setCheckable(true);
        button->setChecked(each.scope == m_inspector.scope());
        button->setAccessibleName(nameOf(each));
        setToolTipOf(*button, tr("Key %1").arg(static_cast<int>(each.scope) + 1));
        m_group->addButton(button, static_cast<int>(each.scope));
        m_segments->addWidget(button);
    }
    layOut();
    showCost();
}

// A tray is bought with its rack, so that nothing is saved without it.
void ScopeBar::showTrays(const ScopeChoice& choice) {
    m_delete->setText(tr("Mark as failed"));
    m_takes->setText(tr("A tray is part of its rack: it can fail, not be deleted."));
    m_breaks->setText(lossOfTrays(*m_document.now().fabric, choice.paths));
}

// What Delete takes, and what then no longer works: of the chosen scope.
void ScopeBar::showCost() {
    m_takes->clear();
    m_breaks->clear();
    const ScopeChoice* chosen = nullptr;
    for (const ScopeChoice& each : m_inspector.scopes().choices())
        if (each.scope == m_inspector.scope()) chosen = &each;
    m_delete->setEnabled(chosen != nullptr);
    if (chosen && m_isOfTrays) return showTrays(*chosen);
    m_delete->setText(chosen && isPort(chosen->paths.front()) ? tr("Disconnect") : tr("Delete"));
    if (!chosen || !chosen->removing) return;
    const RemovalCost& cost = *chosen->removing;
    QStringList takes;
    const auto add = [&](std::int64_t count, const QString& one, const QString& many) {
        if (count > 0) takes << counted(count, one, many);
    };
    for (const auto& [kind, count] : kindsOf(chosen->paths))
        if (!isPort(chosen->paths.front())) add(count, QStringLiteral("%1 ") + kind.first, QStringLiteral("%1 ") + kind.second);
    add(cost.cables, tr("%1 cable"), tr("%1 cables"));
    add(cost.modules, tr("%1 module"), tr("%1 modules"));
    QString words = tr("Delete: %1").arg(takes.join(QStringLiteral(", ")));
    if (cost.change && cost.change->inCents() < 0)
        words += tr(" · %1%2 less").arg(cost.isComplete ? QString() : QStringLiteral("≥ "), text(formatMoney(Money() - *cost.change)));
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
