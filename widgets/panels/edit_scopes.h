// The edit scopes of a selection: the elements in each, and, once computed, what removing them would save.
#pragma once

#include "core/analysis/edit_effect.h"
#include "core/fabric/edit_scope.h"
#include "widgets/document/document.h"

#include <QObject>
#include <atomic>
#include <memory>
#include <optional>

namespace railyard {

struct ScopeChoice {
    EditScope scope = EditScope::This;
    std::vector<std::string> paths;
    std::optional<RemovalCost> removing = {}; // empty until computed
};
using ScopeChoices = std::vector<ScopeChoice>;

class EditScopes : public QObject {
    Q_OBJECT

public:
    explicit EditScopes(Document& document, QObject* parent = nullptr);
    ~EditScopes() override;

    // The scopes of these paths: only the paths themselves if no scope adds to them. `chosen` is one of them even where it adds nothing.
    void select(const std::vector<std::string>& paths, EditScope chosen);
    const ScopeChoices& choices() const { return m_choices; }

signals:
    void costsFound();

private:
    void askForCosts();
    void takeCosts(const std::vector<std::optional<RemovalCost>>& costs);

    Document& m_document;
    ScopeChoices m_choices;
    std::shared_ptr<std::atomic<bool>> m_isCancelled; // of the computation that is under way
};

} // namespace railyard
