// The Decide view: shows for which cluster sizes a rail-only fabric saves switches, and how much it slows all-to-all.
#pragma once

#include "core/analysis/maps/decision.h"
#include "widgets/document/document.h"
#include "widgets/document/latest_task.h"
#include "widgets/plots/cell_map.h"

#include <optional>

class QLabel;
class QPushButton;

namespace railyard {

class DecideView : public QWidget {
    Q_OBJECT

public:
    explicit DecideView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    CellMap& map() { return *m_map; }
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
    void showMap();
    void describe(const DecisionCell& cell, bool own);

    Document& m_document;
    Tokens m_tokens;
    CellMap* m_map = nullptr;
    QLabel *m_where = nullptr, *m_verdict = nullptr, *m_table = nullptr;
    DecisionMap m_cells;
    SnapshotPointer m_shown;
    bool m_isCurrent = false;
    LatestTask<DecisionMap> m_maps;
};

} // namespace railyard
