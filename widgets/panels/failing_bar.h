// The mode of failing things: what is taken to have failed, sets of it kept by name, and what is left. It shows while the
// mode is on; nothing of it enters the design.
#pragma once

#include "widgets/document/document.h"
#include "widgets/theme/tokens.h"

#include <QFrame>
#include <map>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace railyard {

class FailingBar : public QFrame {
    Q_OBJECT

public:
    using Scenarios = std::map<QString, Failures>;

    explicit FailingBar(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void setOn(bool on); // off: nothing is failed any more; on again: what was failed before
    // Fails what a selector names (su[1]/leaf[2], rail=3), or mends it if it was failed that way.
    void toggle(const std::string& selector);
    void failAll(const std::vector<std::string>& paths); // at once; mends them where all failed that way already
    void keep(const QString& name);                      // what is failed now
    void forget(const QString& name);
    const Scenarios& scenarios() const { return m_scenarios; }
    void setScenarios(Scenarios scenarios);

signals:
    void refused(const QString& reason);
    void leaveAsked();
    void scenariosChanged();

private:
    void setFailures(const Failures& failures);
    void typed();
    void askName();
    void refresh();
    void fillScenarios();
    QString words() const;

    Document& m_document;
    Failures m_failures; // of the mode, kept while it is off
    Scenarios m_scenarios;
    bool m_on = false;
    QLabel* m_text;
    QLineEdit* m_selector;
    QDoubleSpinBox* m_share;
    QComboBox* m_choice;
    QToolButton *m_keep, *m_forget, *m_mend;
};

} // namespace railyard
