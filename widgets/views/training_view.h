// The Training view: the estimate of the training job of the design, with current failures, and on the other layout. Its fields edit the
// job of the design, so that every figure of training is of the same job.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "widgets/document/latest_task.h"
#include "widgets/theme/tokens.h"
#include "widgets/views/training_chart.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace railyard {

class ParameterForm;
class StackedBars;

class TrainingView : public QWidget {
    Q_OBJECT

public:
    explicit TrainingView(Document& document, QWidget* parent = nullptr);
    void setTokens(const Tokens& tokens);
    void wait(); // tests
    // Measurements of the user, see core/training/measurements.h. A file that cannot be read says why and changes nothing.
    void addMeasurements(const QString& path);
    TrainingChartPanel& chart() { return *m_chart; }

signals:
    // With the measurements that the view uses; null: the shipped calibration.
    void playAsked(const railyard::JobRequest& job, const std::shared_ptr<const railyard::TrainingCalibration>& calibration);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void store(const JobRequest& job);
    void storeEdits();
    void refresh(bool isSearched = false);
    void stopSearch(); // what it has found so far arrives soon after
    QLayout* sideColumn();
    QWidget* measurements();
    void askForMeasurements();
    void take(TrainingAnswer answer);
    void showAnswer();

    Document& m_document;
    Tokens m_tokens;
    ParameterForm* m_form;
    QPushButton *m_best, *m_play;
    QLabel *m_headline, *m_note, *m_facts;
    StackedBars* m_bars;
    TrainingChartPanel* m_chart;
    QLabel* m_measured;
    QPushButton* m_forget;
    std::shared_ptr<const TrainingCalibration> m_calibration; // null: the shipped one
    TrainingRequest m_asked;
    TrainingAnswer m_answer;
    bool m_isStopped = false; // what is shown is what a stopped search had found
    LatestTask<TrainingAnswer> m_answers;
    struct Measured {
        std::shared_ptr<const TrainingCalibration> calibration; // null if the file cannot be used
        QString refusal;
    };
    void takeMeasured(const Measured& measured);
    QString m_path; // of the file that is being read
    LatestTask<Measured> m_reading;
};

} // namespace railyard
