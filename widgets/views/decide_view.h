// The Decide view: for which cluster sizes a rail-only fabric needs fewer switches, less money or less time than a rail-optimized one.
#pragma once

#include "core/analysis/maps/decision.h"
#include "core/analysis/maps/objective_map.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/plots/cell_map.h"

#include <optional>

class QComboBox;
class QLabel;
class QLayout;
class QPushButton;

namespace railyard {

class DecideView : public QWidget {
    Q_OBJECT

public:
    explicit DecideView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    CellMap& map() { return *m_map; }
    const CellMapData& shownCells() const { return m_shownCells; }
    void refresh();                                // computes in the background
    void waitForMap() { m_maps.wait(); }           // tests
    bool isCurrent() const { return m_isCurrent; } // false while a map is being computed

signals:
    void exportAsked();
    void compareAsked();
    void openAsked(const RecipeCall& call, const QString& name);

protected:
    void showEvent(QShowEvent* event) override;

private:
    // By switches and HB domain the map also knows the slowdown of all-to-all; by anything else it is an objective map. That is computed
    // coarsely first, with every third size.
    struct Answer {
        std::optional<DecisionMap> switches;
        std::optional<ObjectiveMap> objective;
        QString refusal;
        bool isCoarse = false;
    };
    QLayout* choices();
    LatestTask<Answer>::Work work() const;
    void take(Answer answer);
    void showMap();
    void describe(const DecisionCell& cell, bool own);
    void describe(const ObjectiveCell& cell, bool own);
    void describeAt(int x, int y);
    void openAt(int x, int y);

    Document& m_document;
    Tokens m_tokens;
    CellMap* m_map = nullptr;
    QLabel *m_where = nullptr, *m_verdict = nullptr, *m_table = nullptr;
    QComboBox *m_objective = nullptr, *m_axis = nullptr;
    Answer m_answer;
    CellMapData m_shownCells;
    bool m_isCoarse = true; // what is asked for next
    SnapshotPointer m_shown;
    bool m_isCurrent = false;
    LatestTask<Answer> m_maps;
};

} // namespace railyard
