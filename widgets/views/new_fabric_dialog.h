// "New fabric…": one page where one says what is wanted and sees the candidates side by side while typing.
#pragma once

#include "core/design/recipe.h"
#include "widgets/theme/tokens.h"

#include <QDialog>
#include <QTimer>

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
    RecipeCall call() const; // of the chosen candidate
    QString name() const;

private:
    QFormLayout* makeForm();
    void makeTable();
    void followFields();
    Result<RecipeCall> callFor(const QString& recipe) const;
    void refresh();
    void choose();
    int chosenRow() const;
    void fillRow(int row, const Result<RecipeCall>& call);

    struct Row {
        std::optional<RecipeCall> call; // nothing where it cannot be built
        QString problem;
    };
    struct Extra {
        QCheckBox* box;
        std::string key, value; // of the recipe, where it is ticked
    };

    CatalogPointer m_catalog;
    const Tokens& m_tokens;
    QTimer m_wait;             // while somebody types, where the answer takes a moment
    std::array<Row, 3> m_rows; // by candidate
    std::vector<Extra> m_extras;
    QLineEdit *m_name = nullptr, *m_gpus = nullptr, *m_oversubscription = nullptr, *m_domain = nullptr;
    QComboBox *m_basis = nullptr, *m_server = nullptr, *m_switch = nullptr;
    QTableWidget* m_candidates = nullptr;
    QLabel* m_problem = nullptr;
    QPushButton* m_create = nullptr;
};

} // namespace railyard
