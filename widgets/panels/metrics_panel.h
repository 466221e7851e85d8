// The metrics of the design and their difference from the chosen baseline. Background values stay greyed until they are recomputed.
#pragma once

#include "core/analysis/targets.h"
#include "widgets/modes/baseline_bar.h"
#include "widgets/theme/tokens.h"

#include <QWidget>
#include <map>

class QGridLayout;
class QLabel;
class QProgressBar;

namespace railyard {

class BisectionBar;

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
        QLabel *value = nullptr, *delta = nullptr;
    };
    void refresh();
    void refreshInstant();
    void refreshBackground();
    void refreshTraining(const BackgroundMetrics& background, const BackgroundMetrics* was, bool stale);
    void set(const QString& key, const QString& value, const QString& delta = {}, const QString& why = {}, bool stale = false);
    void showTarget(const Row& row, const TargetState& state, bool stale);
    Row& addRow(QGridLayout& grid, const QString& key, const QString& name);

    Document& m_document;
    Tokens m_tokens;
    std::map<QString, Row> m_rows;
    std::map<QString, QLabel*> m_large, m_largeDelta;
    BisectionBar *m_fabricBar = nullptr, *m_hbBar = nullptr;
    QLabel* m_sentence = nullptr;
    QProgressBar* m_busy = nullptr;
    BaselineBar* m_baselines = nullptr;
    std::vector<TargetState> m_targets;
};

} // namespace railyard
