// The inspector: properties and editable parameters of the selection, or of the recipe if nothing is selected.
#pragma once

#include "widgets/document/cable_facts.h"
#include "widgets/panels/edit_scopes.h"
#include "widgets/panels/inspector_form.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/tokens.h"

#include <QWidget>

class QLabel;

namespace railyard {

class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void showSelection(const std::vector<std::string>& paths);
    void setScope(EditScope scope);
    EditScope scope() const { return m_scope; }
    const EditScopes& scopes() const { return *m_scopes; }
    void editName();
    const std::vector<std::string>& affected() const { return m_affected; } // the elements that the next edit would change

signals:
    void refused(const QString& reason);
    void dissolveAsked(const std::string& path);                 // handled by the canvas, which knows where to place the contents
    void cableAsked(CableAct act);                               // of the cable in the selected port
    void locateAsked(const QString& path);                       // of a port
    void scopesChanged();                                        // the possible edit scopes, or the chosen one
    void affectedChanged(const std::vector<std::string>& paths); // the elements of the edit scope; empty if only the selection is edited

private:
    void refresh();
    void showRecipe();
    void showDevices();
    void showPort();
    void addNumber(const QString& name, const QString& key, int value, const QString& unit);
    void addPartChoice(const QString& current);
    void addRackPlace();
    void addNames();
    void addServer();
    void apply(const Result<Edit>& edit);

    Document& m_document;
    Tokens m_tokens;
    std::vector<std::string> m_paths, m_affected;
    EditScope m_scope = EditScope::This;
    EditScopes* m_scopes;
    QLabel *m_title = nullptr, *m_subtitle = nullptr, *m_error = nullptr;
    InspectorForm* m_body = nullptr;
};

} // namespace railyard
