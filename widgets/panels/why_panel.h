// The Why panel: formula, inputs, sources and confidence of one metric, and its target. Opened from the Metrics panel.
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
    void explain(const QString& key); // dotted key, as in railyard-cli explain
    QString key() const { return m_key; }
    QString words() const;

signals:
    void refused(const QString& reason);
    void explained(const QString& key); // asks the drawing to highlight what the metric counts

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
