// Asks for the texts and pictures of callouts.
#pragma once

#include "widgets/document/document.h"

#include <QWidget>

namespace railyard {

class CalloutDialogs : public QObject {
    Q_OBJECT

public:
    CalloutDialogs(Document& document, QWidget& window) : m_document(document), m_window(window) {}
    void ask(Callout callout); // for its text or picture, then adds it
    void open(int index);

signals:
    void refused(const QString& reason);

private:
    Document& m_document;
    QWidget& m_window;
};

} // namespace railyard
