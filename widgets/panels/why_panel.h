// Where a figure comes from: its formula, the inputs with their sources, how far to trust it. Asked from the metrics.
#pragma once

#include "widgets/document/document.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QTextBrowser;

namespace railyard {

class WhyPanel : public QWidget {
    Q_OBJECT

public:
    explicit WhyPanel(Document& document, QWidget* parent = nullptr);
    void explain(const QString& key); // dotted, as in railyard-cli explain
    QString key() const { return m_key; }
    QString words() const;

signals:
    void refused(const QString& reason);
    void explained(const QString& key); // to be shown on the drawing

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showTarget();
    void applyTarget();

    Document& m_document;
    QString m_key;
    bool m_isCurrent = false;
    QComboBox *m_keys = nullptr, *m_bound = nullptr;
    QLineEdit* m_wanted = nullptr;
    QLabel* m_unit = nullptr;
    QTextBrowser* m_text = nullptr;
};

} // namespace railyard
