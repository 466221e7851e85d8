// The bar of the mode that plays a collective or a training iteration step by step over the drawing, on the fabric with its current
// failures. It is visible while the mode is on; the collective never becomes part of the design.
#pragma once

#include "widgets/document/document.h" // first, because moc cannot parse <memory> before <concepts>

#include "core/training/job_request.h"
#include "core/training/training.h"
#include "widgets/document/latest_task.h"
#include "widgets/modes/mode_bar.h"
#include "widgets/modes/play_frame.h"

#include <QTimer>
#include <memory>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QSlider;
class QToolButton;

namespace railyard {

class PlayBar : public ModeBar {
    Q_OBJECT

public:
    using Steps = std::shared_ptr<const PlayedSteps>;

    explicit PlayBar(Document& document, QWidget* parent = nullptr);
    int step() const;
    Steps steps() const { return m_steps; } // null until they are computed
    PlayedOn playedOn() const;
    // Offers one iteration of this job, and plays it. `calibration`: null for the shipped one.
    void playIteration(const JobRequest& job, std::shared_ptr<const TrainingCalibration> calibration = nullptr);
    void wait() { m_answers.wait(); } // tests

signals:
    void hopsChanged(const railyard::Hops& hops);
    void territoriesChanged(const railyard::Territories& territories); // groups of the job that is played
    void framesAsked();

private:
    void start() override { chooseAnew(); }
    void stop() override;
    void designChanged() override { chooseAnew(); }
    struct Answer {
        Steps steps;
        PlayFrame frame;
        Utilisations ofLinks;
        Territories territories;
        QString refusal;
    };
    struct Request {
        Steps known;
        PlayedOn on;
        int step = 0;
        CollectiveOp op = CollectiveOp::AllReduce;
        Bytes size;
        std::optional<JobRequest> job; // an iteration of it instead of a collective
        std::shared_ptr<const TrainingCalibration> calibration;
    };
    Request request() const;
    static Answer answerTo(const Request& request);
    void fillRow();
    void chooseAnew(); // starts at the first step of another collective or design
    void ask();
    void take(const Answer& answer);
    void play(bool on);
    void advance();
    void goTo(int step);

    QComboBox *m_op, *m_size;
    QSlider* m_slider;
    QLabel* m_title;
    QToolButton *m_back = nullptr, *m_play = nullptr, *m_forward = nullptr, *m_frames = nullptr;
    QTimer m_timer;
    std::optional<JobRequest> m_job;
    std::shared_ptr<const TrainingCalibration> m_calibration;
    Steps m_steps;
    Territories m_territories; // as last shown
    LatestTask<Answer> m_answers;
};

} // namespace railyard
