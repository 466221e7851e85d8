// What the design rules found; "Locate" selects the element.
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

private:
    void refresh();

    Document& m_document;
    Tokens m_tokens;
    QVBoxLayout* m_list = nullptr;
};

} // namespace railyard
