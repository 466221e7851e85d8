// The inspector: properties and editable parameters of the selection, or of the recipe if nothing is selected.
#pragma once

#include "core/analysis/edit_effect.h"
#include "core/fabric/edit_scope.h"
#include "widgets/document/document.h"
#include "widgets/theme/plain_text.h"
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
    const std::vector<std::string>& affected() const { return m_affected; } // the elements that the next edit would change

signals:
    void refused(const QString& reason);
    void dissolveAsked(const std::string& path);                 // handled by the canvas, which knows where to place the contents
    void scopesSaid(const RichText& words);                      // the possible edit scopes; empty if there is only one
    void affectedChanged(const std::vector<std::string>& paths); // the elements of the edit scope; empty if only the selection is edited

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
    RichText scopeWords() const;
    void askForCosts();
    void takeCosts(const std::vector<std::optional<RemovalCost>>& costs);
    void addNames();
    void addBlockActions();
    void addBlockRows();
    // Adds a field that passes changed text to `edit`. Refused text stays in the field, and the reason is shown below.
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
        std::optional<RemovalCost> removing = {}; // empty until computed
    };
    std::vector<ScopeChoice> m_choices;
    std::shared_ptr<std::atomic<bool>> m_costsAsked; // set to true to cancel the computation
    RichText m_scopes;
    QLabel *m_title = nullptr, *m_subtitle = nullptr, *m_error = nullptr;
    QFormLayout* m_form = nullptr;
    QWidget* m_body = nullptr;
};

} // namespace railyard
