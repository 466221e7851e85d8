// The Findings panel. "Locate" selects the element, "Fix" resolves the finding by an edit, "Approve" accepts it with a reason.
#pragma once

#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QWidget>

class QVBoxLayout;

namespace railyard {

class FindingsPanel : public QWidget {
    Q_OBJECT

public:
    explicit FindingsPanel(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);

signals:
    void locate(const QString& path);
    void refused(const QString& reason);
    void titleChanged(const QString& title); // "Findings · 2 warnings": the most severe, as the panel may stand behind another

private:
    void refresh();
    QWidget* actionsOf(const Diagnostic& finding);
    void apply(const Result<Edit>& edit);
    void askToApprove(const Diagnostic& finding);
    void withdraw(const Diagnostic& finding);

    Document& m_document;
    Tokens m_tokens;
    QVBoxLayout* m_list = nullptr;
};

} // namespace railyard
