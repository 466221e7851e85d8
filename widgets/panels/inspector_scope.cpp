// The part of the inspector that shows the edit scopes: the number of elements in each, and the cost of removing them.
#include "core/analysis/edit_effect.h"
#include "core/base/unit_text.h"
#include "widgets/document/failure.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/theme/plain_text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QFormLayout>
#include <QPointer>
#include <QThreadPool>
#include <QTimer>

namespace railyard {
namespace {

// "−$61.0 k", or "saves ≥ $5.0 k" if some of the removed parts have no price.
QString saving(const RemovalCost& cost) {
    const auto tr = [](const char* words) { return QCoreApplication::translate("railyard::InspectorPanel", words); };
    if (cost.isComplete) return QString::fromStdString(formatMoney(cost.change));
    return cost.change.inCents() == 0 ? tr("unpriced") : tr("saves ≥ %1").arg(QString::fromStdString(formatMoney(Money() - cost.change)));
}

} // namespace

// Offers the edit scopes. The elements of the chosen scope are outlined on the drawing.
void InspectorPanel::addScope() {
    const Fabric& fabric = *m_document.now().fabric;
    const auto in = [&](EditScope scope) { return inScope(fabric, m_paths, scope); };
    const auto pod = in(EditScope::PositionInPod), rank = in(EditScope::Position), all = in(EditScope::All);
    if (all.size() <= m_paths.size()) return;
    m_choices = {{EditScope::This, tr("This:"), m_paths}};
    if (pod.size() != rank.size() || m_scope == EditScope::PositionInPod)
        m_choices.push_back({EditScope::PositionInPod, tr("Same in pod:"), pod});
    m_choices.push_back({EditScope::Position, tr("Same in every SU:"), rank});
    m_choices.push_back({EditScope::All, tr("All:"), all});
    auto* choice = new QComboBox;
    choice->setObjectName(QStringLiteral("edit-scope"));
    choice->setAccessibleName(tr("Edit scope"));
    for (const ScopeChoice& each : m_choices) {
        const auto count = static_cast<int>(each.paths.size());
        const QString words = each.scope == EditScope::This ? (count == 1 ? tr("This element (key 1)") : tr("These %1 elements (key 1)"))
                              : each.scope == EditScope::PositionInPod ? tr("Same position in its pod: %1 (key 2)")
                              : each.scope == EditScope::Position      ? tr("Same position in every SU: %1 (key 3)")
                                                                       : tr("All of this kind: %1 (key 4)");
        choice->addItem(words.contains(QStringLiteral("%1")) ? words.arg(count) : words, static_cast<int>(each.scope));
    }
    choice->setCurrentIndex(choice->findData(static_cast<int>(m_scope)));
    connect(choice, &QComboBox::activated, this, [this, choice](int index) {
        const auto scope = static_cast<EditScope>(choice->itemData(index).toInt());
        QMetaObject::invokeMethod(
            this, [this, scope] { setScope(scope); }, Qt::QueuedConnection);
    });
    m_form->addRow(tr("Edit scope"), choice);
    m_scopes = scopeWords();
    askForCosts();
}

RichText InspectorPanel::scopeWords() const {
    RichText words;
    for (const ScopeChoice& each : m_choices) {
        QString text = QStringLiteral("%1 %2 %3").arg(static_cast<int>(each.scope) + 1).arg(each.word).arg(each.paths.size());
        if (each.removing) text += tr(" (Del %1)").arg(saving(*each.removing));
        if (!words.isEmpty()) words += RichText::plain(QStringLiteral("  ·  "));
        words += each.scope == m_scope ? RichText::filled(QStringLiteral("<b>%1</b>"), text) : RichText::plain(text);
    }
    return words;
}

// Computes in the background what removing the elements would save, once the selection has stayed the same for a moment.
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
            try {
                for (const auto& each : paths)
                    costs.push_back(*asked ? std::nullopt : costOfRemoving(*snapshot->design, snapshot->instant, each));
            } catch (...) {
                return tellFailure(failureText(std::current_exception()));
            }
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
