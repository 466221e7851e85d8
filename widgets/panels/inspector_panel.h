// What is selected: its facts, and its parameters to change. With nothing selected: the recipe of the design.
#pragma once

#include "core/analysis/edit_effect.h"
#include "core/fabric/edit_scope.h"
#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QWidget>
#include <atomic>
#include <functional>
#include <memory>

class QFormLayout;
class QLabel;
class QLineEdit;

namespace railyard {

class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);
    void showSelection(const std::vector<std::string>& paths);
    void setScope(EditScope scope);
    void editName();
    const std::vector<std::string>& affected() const { return m_affected; } // by the next edit of the selection

signals:
    void refused(const QString& reason);
    void dissolveAsked(const std::string& path); // the drawing knows where to put what was in it
    void scopesSaid(const QString& words);       // whom an edit of the selection can be meant for; empty where there is no choice
    void affectedChanged(const std::vector<std::string>& paths); // beyond the selection itself; empty without a scope

private:
    void refresh();
    void showRecipe();
    void showDevices();
    void showCallout(std::size_t index);
    void addFact(const QString& name, const QString& value);
    void addNumber(const QString& name, const QString& key, int value, const QString& unit);
    void addPartChoice(const QString& current);
    void addRackPlace();
    void addScope();
    QString scopeWords() const;
    void askForCosts();
    void takeCosts(const std::vector<std::optional<RemovalCost>>& costs);
    void addNames();
    void addBlockActions();
    void addBlockRows();
    // A field whose text goes to `edit` when it has changed; what is refused stays in it, with the reason below.
    using FieldEdit = std::function<Result<Edit>(const std::string& text)>;
    QLineEdit* addField(const QString& name, const QString& object, const QString& value, FieldEdit edit);
    void addButton(const QString& words, std::function<Result<Edit>()> edit);
    void addAction(const QString& words, std::function<void()> act);
    void apply(const Result<Edit>& edit);

    Document& m_document;
    std::vector<std::string> m_paths, m_affected;
    EditScope m_scope = EditScope::This;
    struct ScopeChoice {
        EditScope scope;
        QString word;
        std::vector<std::string> paths;
        std::optional<RemovalCost> removing = {}; // unknown until worked out
    };
    std::vector<ScopeChoice> m_choices;
    std::shared_ptr<std::atomic<bool>> m_costsAsked; // true: no longer
    QString m_scopes;
    QLabel *m_title = nullptr, *m_subtitle = nullptr, *m_error = nullptr;
    QFormLayout* m_form = nullptr;
    QWidget* m_body = nullptr;
};

} // namespace railyard
