// The candidates of "New fabric…" as a table: a picture and the settings of each, and the figures in which they differ.
#pragma once

#include "core/analysis/sizing/candidates.h"
#include "widgets/theme/tokens.h"

#include <QImage>
#include <QTableWidget>

namespace railyard {

struct DrawnCandidate {
    SizeCandidate found;
    QImage picture; // null where the candidate was not elaborated
};

class CandidateTable : public QTableWidget {
    Q_OBJECT

public:
    enum Column { Layout, Gpus, Tiers, Switches, Cost, Power, BisectionShare, AllToAll, Step, Reason, columns };
    static constexpr QSize thumbnail{138, 86};

    explicit CandidateTable(const Tokens& tokens, QWidget* parent = nullptr);
    // One row for each name. The best value of a column is marked, and all that share it.
    void show(const QStringList& names, const std::vector<DrawnCandidate>& candidates);

private:
    void showRow(int row, const QString& name, const DrawnCandidate& candidate);
    void markBest(const std::vector<DrawnCandidate>& candidates);

    const Tokens& m_tokens;
};

} // namespace railyard
