// The line at the bottom of the window: what is drawn and selected, what was done or refused, and whether metrics are being computed.
#pragma once

#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QStatusBar>

class QLabel;

namespace railyard {

class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    explicit StatusLine(Document& document, QWidget* parent = nullptr);
    void say(const QString& text);  // a refusal, until an edit succeeds
    void tell(const QString& text); // what was done
    void keep(const QString& text); // until it is replaced; empty: nothing
    void forgetRefusal();           // an edit has succeeded since
    void showDrawn(const QString& text);
    void showSelection(const QString& text);
    void showSaved(const QString& text);
    void setTokens(const Tokens& tokens) { m_tokens = tokens; }

private:
    void addProgress();

    Document& m_document;
    Tokens m_tokens;
    QLabel *m_drawn, *m_selection, *m_saved;
    bool m_isRefusalShown = false;
};

} // namespace railyard
