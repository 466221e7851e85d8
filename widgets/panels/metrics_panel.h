// The metrics of the design and their difference from the chosen baseline. Background values stay greyed until they are recomputed.
#pragma once

#include "core/analysis/figures/shown_figures.h"
#include "core/analysis/targets.h"
#include "widgets/modes/baseline_bar.h"
#include "widgets/theme/tokens.h"

#include <QWidget>
#include <map>

class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace railyard {

class ShareBar;

class MetricsPanel : public QWidget {
    Q_OBJECT

public:
    explicit MetricsPanel(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    BaselineBar& baselines() { return *m_baselines; }

signals:
    void whyAsked(const QString& key); // key of the metric, as in railyard-cli explain

private:
    struct Row {
        QPushButton* label = nullptr;
        QLabel *value = nullptr, *delta = nullptr;
        ShareBar* bar = nullptr;
    };
    struct Large {
        QLabel *value = nullptr, *delta = nullptr;
    };
    void refresh();
    void showRow(const FigureSource& now, const ShownFigure& figure, const QString& delta, bool isStale);
    void showSentence(const BackgroundMetrics* background);
    void set(const QString& key, const QString& value, const QString& delta = {}, const QString& why = {}, bool stale = false);
    void showTarget(const Row& row, const TargetState& state, bool stale);
    void addLarge(QGridLayout& grid, const ShownFigure& figure);
    void addRow(QGridLayout& grid, const FigureInfo& figure);

    Document& m_document;
    Tokens m_tokens;
    std::map<QString, Row> m_rows;    // by key of the figure
    std::map<QString, Large> m_large; // the same
    QLabel* m_sentence = nullptr;
    QProgressBar* m_busy = nullptr;
    BaselineBar* m_baselines = nullptr;
    std::vector<TargetState> m_targets;
};

} // namespace railyard
