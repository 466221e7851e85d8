#include "widgets/panels/edit_scopes.h"

#include "core/analysis/cable_edits.h"
#include "widgets/document/failure.h"
#include "widgets/document/hand_over.h"

#include <QCoreApplication>
#include <QPointer>
#include <QTimer>

namespace railyard {

EditScopes::EditScopes(Document& document, QObject* parent) : QObject(parent), m_document(document) {}

EditScopes::~EditScopes() {
    if (m_isCancelled) *m_isCancelled = true;
}

void EditScopes::select(const std::vector<std::string>& paths, EditScope chosen) {
    m_choices.clear();
    if (m_isCancelled) *m_isCancelled = true;
    m_isCancelled = std::make_shared<std::atomic<bool>>(false);
    const bool isFreePort = paths.size() == 1 && isPort(paths.front()) && !cableAt(*m_document.now().fabric, paths.front());
    if (paths.empty() || isFreePort) return;
    const auto in = [&](EditScope scope) { return inScope(*m_document.now().fabric, paths, scope); };
    const auto pod = in(EditScope::PositionInPod), position = in(EditScope::Position), all = in(EditScope::All);
    m_choices = {{EditScope::This, paths}};
    if (all.size() <= paths.size()) return askForCosts();
    if (pod.size() != position.size() || chosen == EditScope::PositionInPod) m_choices.push_back({EditScope::PositionInPod, pod});
    if (position.size() > paths.size() || chosen == EditScope::Position) m_choices.push_back({EditScope::Position, position});
    m_choices.push_back({EditScope::All, all});
    askForCosts();
}

// Computes in the background what removing the elements would save, once the selection has stayed the same for a moment.
void EditScopes::askForCosts() {
    constexpr int rest = 200; // ms
    const auto isCancelled = m_isCancelled;
    QTimer::singleShot(rest, this, [this, isCancelled] {
        if (*isCancelled || isCancelled != m_isCancelled) return;
        std::vector<std::vector<std::string>> paths;
        for (const ScopeChoice& each : m_choices) paths.push_back(each.paths);
        const QPointer<EditScopes> scopes(this);
        runInPool([scopes, isCancelled, paths, snapshot = m_document.snapshot()] {
            std::vector<std::optional<RemovalCost>> costs;
            try {
                const std::int64_t gpus = gpusOnFabric(*snapshot->fabric);
                for (const auto& each : paths)
                    costs.push_back(*isCancelled ? std::nullopt : costOfRemoving(*snapshot->fabric, snapshot->instant, gpus, each));
            } catch (...) {
                return tellFailure(failureText(std::current_exception()));
            }
            runInGui(QCoreApplication::instance(), [scopes, isCancelled, costs] {
                if (scopes && !*isCancelled) scopes->takeCosts(costs);
            });
        });
    });
}

void EditScopes::takeCosts(const std::vector<std::optional<RemovalCost>>& costs) {
    for (std::size_t i = 0; i < std::min(costs.size(), m_choices.size()); ++i) m_choices[i].removing = costs[i];
    emit costsFound();
}

} // namespace railyard
