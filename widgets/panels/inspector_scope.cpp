// Whom an edit of the selection is meant for: how many that is, and what they cost.
#include "core/analysis/edit_effect.h"
#include "core/base/unit_text.h"
#include "widgets/panels/inspector_panel.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

namespace railyard {
namespace {

// "−$61.0 k"; "≥ $5.0 k less" where some of it has no price.
QString saving(const RemovalCost& cost) {
    const auto tr = [](const char* words) { return QCoreApplication::translate("railyard::InspectorPanel", words); };
    if (cost.isComplete) return QString::fromStdString(formatMoney(cost.change));
    return cost.change.inCents() == 0 ? tr("no known price")
                                      : tr("≥ %1 less").arg(QString::fromStdString(formatMoney(Money() - cost.change)));
}

} // namespace

// What it takes in glows on the drawing.
void InspectorPanel::addScope() {
    const Fabric& fabric = *m_document.now().fabric;
    const auto in = [&](EditScope scope) { return inScope(fabric, m_paths, scope); };
    const auto pod = in(EditScope::RankInPod), rank = in(EditScope::Rank), all = in(EditScope::All);
    if (all.size() <= m_paths.size()) return;
    m_choices = {{EditScope::This, tr("this:"), m_paths}};
    if (pod.size() != rank.size() || m_scope == EditScope::RankInPod) m_choices.push_back({EditScope::RankInPod, tr("pod:"), pod});
    m_choices.push_back({EditScope::Rank, tr("rank:"), rank});
    m_choices.push_back({EditScope::All, tr("all:"), all});
    auto* choice = new QComboBox;
    choice->setObjectName(QStringLiteral("edit-scope"));
    choice->setAccessibleName(tr("An edit changes"));
    for (const ScopeChoice& each : m_choices) {
        const auto count = static_cast<int>(each.paths.size());
        const QString words = each.scope == EditScope::This        ? (count == 1 ? tr("this one  (key 1)") : tr("these %1  (key 1)"))
                              : each.scope == EditScope::RankInPod ? tr("this rank in its pod: %1  (key 2)")
                              : each.scope == EditScope::Rank      ? tr("this rank everywhere: %1  (key 3)")
                                                                   : tr("all of the kind: %1  (key 4)");
        choice->addItem(words.contains(QStringLiteral("%1")) ? words.arg(count) : words, static_cast<int>(each.scope));
    }
    choice->setCurrentIndex(choice->findData(static_cast<int>(m_scope)));
    connect(choice, &QComboBox::activated, this, [this, choice](int index) {
        const auto scope = static_cast<EditScope>(choice->itemData(index).toInt());
        QMetaObject::invokeMethod(
            this, [this, scope] { setScope(scope); }, Qt::QueuedConnection);
    });
    m_form->addRow(tr("An edit changes"), choice);
    m_scopes = scopeWords();
    askForCosts();
}

QString InspectorPanel::scopeWords() const {
    QStringList words;
    for (const ScopeChoice& each : m_choices) {
        QString text = QStringLiteral("%1 %2 %3").arg(static_cast<int>(each.scope) + 1).arg(each.word).arg(each.paths.size());
        if (each.removing) text += tr(" (Del %1)").arg(saving(*each.removing));
        words << (each.scope == m_scope ? QStringLiteral("<b>%1</b>").arg(text) : text);
    }
    return words.join(QStringLiteral("  ·  "));
}

// What the design would cost less without them is worked out beside, once the selection rests.
void InspectorPanel::askForCosts() {
    constexpr int rest = 200; // ms
    const auto asked = m_costsAsked;
    QTimer::singleShot(rest, this, [this, asked] {
        if (*asked || asked != m_costsAsked) return;
        std::vector<std::vector<std::string>> paths;
        for (const ScopeChoice& each : m_choices) paths.push_back(each.paths);
        const QPointer<InspectorPanel> panel(this);
        QThreadPool::globalInstance()->start([panel, asked, paths, snapshot = m_document.snapshot()] {
            std::vector<std::optional<RemovalCost>> costs;
            for (const auto& each : paths)
                costs.push_back(*asked ? std::nullopt : costOfRemoving(*snapshot->design, snapshot->instant, each));
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [panel, asked, costs] {
                    if (panel && !*asked) panel->takeCosts(costs);
                },
                Qt::QueuedConnection);
        });
    });
}

void InspectorPanel::takeCosts(const std::vector<std::optional<RemovalCost>>& costs) {
    for (std::size_t i = 0; i < std::min(costs.size(), m_choices.size()); ++i) m_choices[i].removing = costs[i];
    m_scopes = scopeWords();
    emit scopesSaid(m_scopes);
}

} // namespace railyard
