// The candidates of "New fabric…" as a table: a picture and the settings of each, the figures by which people choose (those of
// FigureDisplay::Candidate), and what each is best at; last the nearest miss, which cannot be chosen.
#pragma once

#include "core/analysis/figures/shown_figures.h"
#include "core/analysis/sizing/requirements.h"
#include "widgets/theme/tokens.h"

#include <QImage>
#include <QTableWidget>

namespace railyard {

struct DrawnCandidate {
    RankedCandidate ranked;
    QImage picture;            // null where the candidate was not elaborated
    ParameterTexts training{}; // options of its job; none: the usual one

    bool isMiss() const { return !ranked.misses.empty(); }
};

// By a figure of FigureDisplay::Candidate, the best first; unknown values and the nearest miss last. Without a key as they are ranked.
std::vector<DrawnCandidate> sortedCandidates(std::vector<DrawnCandidate> ranked, std::string_view key);

class CandidateTable : public QTableWidget {
    Q_OBJECT

public:
    static constexpr QSize thumbnail{138, 86};

    explicit CandidateTable(const Tokens& tokens, QWidget* parent = nullptr);
    // A row each. The best value of a column is marked, and all that share it. `model`: of the training step.
    void show(const std::vector<DrawnCandidate>& candidates, const QString& model);
    int columnOf(std::string_view key) const; // of a figure
    int reasonColumn() const;

private:
    void setHeadings(const QString& model);
    void showRow(int row, const DrawnCandidate& candidate);
    void showMiss(int row);
    void markBest(const std::vector<DrawnCandidate>& candidates);

    const Tokens& m_tokens;
    std::vector<std::string> m_keys; // of the figures, a column each
};

} // namespace railyard
