// The candidates of "New fabric…" as a table: a picture and the settings of each, and the figures by which people choose (those of
// FigureDisplay::Candidate).
#pragma once

#include "core/analysis/figures/shown_figures.h"
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
    static constexpr QSize thumbnail{138, 86};

    explicit CandidateTable(const Tokens& tokens, QWidget* parent = nullptr);
    // One row for each name. The best value of a column is marked, and all that share it.
    void show(const QStringList& names, const std::vector<DrawnCandidate>& candidates);
    int columnOf(std::string_view key) const; // of a figure
    int reasonColumn() const;

private:
    void showRow(int row, const QString& name, const DrawnCandidate& candidate);
    void markBest(const std::vector<DrawnCandidate>& candidates);
    void mark(int row, int column, const FigureInfo& info);

    const Tokens& m_tokens;
    std::vector<std::string> m_keys; // of the figures, a column each
};

} // namespace railyard
