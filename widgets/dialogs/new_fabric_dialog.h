// The dialog "New fabric…": the user states size and parts, and sees the candidate fabrics side by side while typing.
#pragma once

#include "widgets/dialogs/candidate_table.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QButtonGroup;
class QFrame;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace railyard {

class NewFabricDialog : public QDialog {
    Q_OBJECT

public:
    NewFabricDialog(CatalogPointer catalog, const Tokens& tokens, QWidget* parent = nullptr);
    RecipeCall call() const; // the recipe of the chosen candidate
    QString name() const;
    void waitForCandidates() { m_answers.wait(); } // tests

private:
    using Candidates = std::vector<DrawnCandidate>; // the best fabric of each kind, found in the background
    QGridLayout* makeForm();
    QHBoxLayout* makeNetworks();
    QFrame* makeHint();
    void followFields();
    Result<SizeWish> wishFor(const QString& recipe) const;
    LatestTask<Candidates>::Work work() const;
    void refresh();
    void take(Candidates candidates);
    void choose();
    void showHint();
    QString verdict() const; // what the candidates have in common, or what the cheapest saves
    int chosenRow() const;
    int basis() const;

    struct Extra {
        QCheckBox* box;
        std::string key, value; // the recipe parameter that is set while the box is checked
    };

    CatalogPointer m_catalog;
    const Tokens& m_tokens;
    Candidates m_rows;
    bool m_isCurrent = false; // false while candidates are computed
    std::vector<Extra> m_extras;
    QLineEdit *m_name = nullptr, *m_gpus = nullptr, *m_oversubscription = nullptr, *m_domain = nullptr;
    QComboBox *m_server = nullptr, *m_switch = nullptr;
    QButtonGroup* m_basis = nullptr;
    CandidateTable* m_candidates = nullptr;
    QLabel *m_title = nullptr, *m_problem = nullptr, *m_hint = nullptr;
    QFrame* m_hintBar = nullptr;
    QPushButton *m_create = nullptr, *m_useSmaller = nullptr;
    LatestTask<Candidates> m_answers;
};

} // namespace railyard
