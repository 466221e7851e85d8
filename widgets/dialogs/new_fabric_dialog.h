// The dialog "New fabric…": the user states what a fabric has to be, and sees the candidates ranked while typing.
#pragma once

#include "widgets/dialogs/candidate_table.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QDialog>

class QComboBox;
class QFrame;
class QLabel;
class QPushButton;

namespace railyard {

class RequirementForm;

class NewFabricDialog : public QDialog {
    Q_OBJECT

public:
    NewFabricDialog(CatalogPointer catalog, const Tokens& tokens, QWidget* parent = nullptr);
    RecipeCall call() const;                      // the recipe of the chosen candidate
    std::optional<NamedOptions> training() const; // the job by which it was chosen; empty: the usual one
    QString name() const;
    Result<Design> design() const;                 // of the chosen candidate, with the job and the name
    void waitForCandidates() { m_answers.wait(); } // tests

private:
    struct Answer {
        std::optional<Error> problem; // with the requirements
        std::vector<DrawnCandidate> rows;
        QString title, hint, model;
        std::optional<std::int64_t> smallerGpus;
    };
    QLayout* makeOrder();
    QFrame* makeHint();
    QLayout* makeFoot();
    LatestTask<Answer>::Work work() const;
    void refresh();
    void take(Answer answer);
    void showRows(const std::string& chosen);
    std::string chosenName() const; // of the chosen layout; empty: none
    void choose();
    const DrawnCandidate* chosenRow() const; // null if none can be
    const SizeCandidate* chosen() const;     // the same

    CatalogPointer m_catalog;
    const Tokens& m_tokens;
    Answer m_answer;
    bool m_isCurrent = false; // false while candidates are computed
    RequirementForm* m_form = nullptr;
    CandidateTable* m_candidates = nullptr;
    QComboBox* m_order = nullptr;         // data: the key of a figure
    std::vector<DrawnCandidate> m_ranked; // the rows of the answer, as they were ranked
    QLabel *m_title = nullptr, *m_problem = nullptr, *m_hint = nullptr;
    QFrame* m_hintBar = nullptr;
    QPushButton *m_create = nullptr, *m_useSmaller = nullptr;
    LatestTask<Answer> m_answers;
};

} // namespace railyard
