// The dialog "New fabric…": the user states size and parts, and sees the candidate fabrics side by side while typing.
#pragma once

#include "core/analysis/sizing/best_fabric.h"
#include "core/analysis/sizing/sizing.h"
#include "core/bill/bill.h"
#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"

#include <QDialog>
#include <QImage>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QTableWidget;
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
    // One kind of fabric, the best of its kind; computed in the background.
    struct Candidate {
        std::optional<FabricChoice> best; // empty if none can be built
        std::string problem;
        QImage picture; // null if it is too large to be elaborated while typing; so is the bill
        std::optional<Bill> bill;
    };
    using Candidates = std::array<Candidate, 3>;
    struct Wish { // the request of the form; `limit` and `most` are set if the size follows from a power or a budget
        RecipeCall call;
        std::optional<SizeLimit> limit;
        double most = 0;
    };
    QFormLayout* makeForm();
    void makeTable();
    void followFields();
    Result<Wish> wishFor(const QString& recipe) const;
    static Candidate candidateOf(const Wish& wish, const CatalogPointer& catalog, const Tokens& tokens);
    std::function<Candidates()> work() const;
    void refresh();
    void take(Candidates candidates);
    void choose();
    int chosenRow() const;
    void fillRow(int row);

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
    QComboBox *m_basis = nullptr, *m_server = nullptr, *m_switch = nullptr;
    QTableWidget* m_candidates = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_create = nullptr;
    LatestTask<Candidates> m_answers;
};

} // namespace railyard
