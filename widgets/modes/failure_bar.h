// The bar of failure mode: the failed elements, named scenarios and the effect on the fabric. It is visible while the mode is on;
// failures never become part of the design.
#pragma once

#include "widgets/document/document.h"
#include "widgets/theme/plain_text.h"
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
    void setOn(bool on); // off restores everything; on applies the previous failures again
    // Fails the elements of a selector (su[1]/leaf[2], rail=3), or restores them if that selector has already failed.
    void toggle(const std::string& selector);
    void failAll(const std::vector<std::string>& paths); // in one step; restores them if all have already failed
    void keep(const QString& name);                      // saves the current failures as a scenario
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
    RichText words() const;

    Document& m_document;
    Failures m_failures; // remembered while the mode is off
    Scenarios m_scenarios;
    bool m_on = false;
    QLabel* m_text;
    QLineEdit* m_selector;
    QDoubleSpinBox* m_share;
    QComboBox* m_choice;
    QToolButton *m_keep, *m_forget, *m_mend;
};

} // namespace railyard
