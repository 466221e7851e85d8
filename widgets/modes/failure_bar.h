// The bar of failure mode: the failed elements, named scenarios and the effect on the fabric. It is visible while the mode is on;
// failures never become part of the design.
#pragma once

#include "widgets/document/document.h"
#include "widgets/modes/mode_bar.h"
#include "widgets/theme/plain_text.h"

#include <map>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace railyard {

// Turned off, it restores everything; turned on, it applies the previous failures again.
class FailureBar : public ModeBar {
    Q_OBJECT

public:
    using Scenarios = std::map<QString, Failures>;

    explicit FailureBar(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens) override;
    // Fails the elements of a selector (su[1]/leaf[2], rail=3), or restores them if that selector has already failed.
    void toggle(const std::string& selector);
    void failAll(const std::vector<std::string>& paths); // in one step; restores them if all have already failed
    void keep(const QString& name);                      // saves the current failures as a scenario
    void forget(const QString& name);
    const Scenarios& scenarios() const { return m_scenarios; }
    void setScenarios(Scenarios scenarios);

signals:
    void scenariosChanged();

private:
    void start() override { applyFailures(m_failures); }
    void stop() override { applyFailures({}); }
    void designChanged() override { refresh(); }
    void applyFailures(const Failures& failures);
    void setFailures(const Failures& failures);
    void typed();
    void askName();
    void refresh();
    void fillScenarios();
    RichText words() const;

    Failures m_failures; // remembered while the mode is off
    Scenarios m_scenarios;
    QLineEdit* m_selector;
    QDoubleSpinBox* m_share;
    QComboBox* m_choice;
    QToolButton *m_keep, *m_forget, *m_restore;
};

} // namespace railyard
