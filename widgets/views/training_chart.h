// The charts of the Training view: a choice, and the curves of what is chosen.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "widgets/document/latest_task.h"
#include "widgets/plots/curve_plot.h"
#include "widgets/plots/pipeline_plot.h"
#include "widgets/views/training_answer.h"

class QComboBox;
class QStackedWidget;

namespace railyard {

class TrainingChartPanel : public QWidget {
    Q_OBJECT

public:
    explicit TrainingChartPanel(QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void follow(const TrainingAnswer& answer); // what was estimated; without an estimate there is no chart
    void wait() { m_answers.wait(); }          // tests
    const PlotPage& plot() const;              // that is shown
    const TrainingChartAnswer& answer() const { return m_answer; }

signals:
    void pictureAsked();

private:
    void refresh();
    void take(TrainingChartAnswer answer);
    void draw();

    Tokens m_tokens;
    QComboBox* m_choice;
    QStackedWidget* m_plots;
    CurvePlot* m_curves;
    PipelinePlot* m_timeline;
    TrainingChartRequest m_asked;
    TrainingChartAnswer m_answer;
    LatestTask<TrainingChartAnswer> m_answers;
};

// What a chart says, as a sentence with its numbers, and its lines.
CurveData toCurves(const TrainingChartAnswer& answer);
PipelineData toTimeline(const TrainingChartAnswer& answer);

} // namespace railyard
