#include "widgets/modes/play_bar.h"

#include "core/collective/steps.h"
#include "core/training/iteration_steps.h"
#include "widgets/modes/group_territories.h"
#include "widgets/modes/message_sizes.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

namespace railyard {

PlayBar::PlayBar(Document& document, QWidget* parent)
    : ModeBar(document, QStringLiteral("play-bar"), plainLabel(), parent),
      m_op(new QComboBox),
      m_size(new QComboBox),
      m_slider(new QSlider(Qt::Horizontal)),
      m_title(plainLabel()),
      m_answers([this] { return [wanted = request()] { return answerTo(wanted); }; }, [this](const Answer& answer) { take(answer); }) {
    m_title->setFont(fontFor(TextRole::BodyBold));
    m_title->setObjectName(QStringLiteral("play-title"));
    m_text->setObjectName(QStringLiteral("play-text"));
    m_title->setWordWrap(true);
    m_column->insertWidget(0, m_title);
    // Two lines are reserved, so that the bar keeps its height when a sentence wraps.
    m_text->setMinimumHeight(2 * m_text->fontMetrics().lineSpacing());
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    fillRow();
    m_timer.setInterval(1200);
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] { advance(); });
    for (QComboBox* box : {m_op, m_size}) connect(box, &QComboBox::activated, this, [this] { chooseAnew(); });
    connect(m_slider, &QSlider::valueChanged, this, [this] { ask(); });
    connect(m_slider, &QSlider::sliderPressed, this, [this] { play(false); });
}

void PlayBar::fillRow() {
    m_op->setObjectName(QStringLiteral("play-op"));
    m_op->setAccessibleName(tr("Operation"));
    for (int op = 0; op <= static_cast<int>(CollectiveOp::PointToPoint); ++op)
        m_op->addItem(QString::fromUtf8(toText(static_cast<CollectiveOp>(op)).data()), op);
    m_size->setObjectName(QStringLiteral("play-size"));
    m_size->setAccessibleName(tr("Message size"));
    fillWithMessageSizes(*m_size);
    m_row->addWidget(m_op);
    m_row->addWidget(m_size);
    m_back = addButton(QStringLiteral("◀"), tr("Previous step"), QStringLiteral("play-back"));
    m_play = addButton(tr("Play"), tr("Plays all steps."), QStringLiteral("play-run"));
    m_play->setCheckable(true);
    m_forward = addButton(QStringLiteral("▶"), tr("Next step"), QStringLiteral("play-forward"));
    m_slider->setObjectName(QStringLiteral("play-step"));
    m_slider->setAccessibleName(tr("Step"));
    m_slider->setPageStep(1);
    m_slider->setRange(0, 0);
    m_slider->setTickPosition(QSlider::TicksBelow);
    m_slider->setMinimumWidth(70);
    m_row->addWidget(m_slider, 1);
    addLocate(tr("Show busiest"), tr("Shows the busiest link of this step."), QStringLiteral("play-busiest"));
    m_frames =
        addButton(tr("Frames…"), tr("Exports one picture per step, or all steps as one animated SVG."), QStringLiteral("play-frames"));
    addLeave(tr("Stops playing and restores the rail colours."), QStringLiteral("play-leave"));
    connect(m_back, &QToolButton::clicked, this, [this] { goTo(step() - 1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { goTo(step() + 1); });
    connect(m_play, &QToolButton::toggled, this, [this](bool on) { play(on); });
    connect(m_frames, &QToolButton::clicked, this, &PlayBar::framesAsked);
}

int PlayBar::step() const { return m_slider->value(); }

void PlayBar::playIteration(const JobRequest& job, std::shared_ptr<const TrainingCalibration> calibration) {
    m_job = job;
    m_calibration = std::move(calibration);
    constexpr int iteration = -1;
    if (m_op->findData(iteration) < 0) m_op->addItem(tr("training iteration"), iteration);
    m_op->setCurrentIndex(m_op->findData(iteration));
    chooseAnew();
}

PlayedOn PlayBar::playedOn() const { return {m_document.now().fabric, m_document.degraded(), m_document.failed()}; }

void PlayBar::stop() {
    play(false);
    m_answers.drop();
    m_territories = {};
    emit territoriesChanged({});
    emit loadsChanged({});
    emit hopsChanged({});
}

void PlayBar::chooseAnew() {
    if (!isOn()) return;
    m_timer.stop(); // so that the first step is shown before the timer advances
    m_steps.reset();
    for (QToolButton* each : {m_back, m_play, m_forward, m_frames}) each->setEnabled(false);
    setPlace({});
    m_territories = {};
    emit territoriesChanged({});
    emit hopsChanged({});
    emit loadsChanged({}); // the old loads do not apply to the changed fabric
    const QSignalBlocker quiet(m_slider);
    m_slider->setRange(0, 0);
    ask();
}

void PlayBar::ask() {
    if (!isOn()) return;
    m_text->setEnabled(false); // the old text is out of date
    m_answers.ask();
}

PlayBar::Request PlayBar::request() const {
    const int op = m_op->currentData().toInt();
    return {
        m_steps,      playedOn(), step(), static_cast<CollectiveOp>(std::max(0, op)), messageSizeOf(*m_size), op < 0 ? m_job : std::nullopt,
        m_calibration};
}

PlayBar::Answer PlayBar::answerTo(const Request& request) {
    Answer answer;
    answer.steps = request.known;
    const auto refuse = [&](const Error& error) { answer.refusal = QString::fromStdString(toText(error)); };
    if (!request.known && request.job) {
        const auto placed = placedOn(*request.on.degraded, *request.job);
        auto steps = placed ? IterationSteps::create(*request.on.degraded, *placed, request.job->planned.plan,
                                                     request.calibration ? *request.calibration : shippedTrainingCalibration())
                            : Result<IterationSteps>(placed.errors());
        steps ? void(answer.steps = std::make_shared<const IterationSteps>(std::move(*steps))) : refuse(steps.error());
    } else if (!request.known) {
        auto steps = CollectiveSteps::create(*request.on.degraded, request.op, request.size);
        if (steps) steps->weighRounds(*request.on.degraded);
        steps ? void(answer.steps = std::make_shared<const CollectiveSteps>(std::move(*steps))) : refuse(steps.error());
    }
    if (!answer.steps || answer.steps->steps().empty()) return answer;
    const std::size_t step = std::min(static_cast<std::size_t>(request.step), answer.steps->steps().size() - 1);
    if (const auto* iteration = dynamic_cast<const IterationSteps*>(answer.steps.get()))
        answer.territories = groupTerritories(*request.on.degraded, *iteration, step);
    auto frame = frameOf(request.on, *answer.steps, step);
    frame ? void(answer.frame = std::move(*frame)) : refuse(frame.error());
    answer.ofLinks = std::make_shared<const std::vector<double>>(std::move(answer.frame.ofLinks));
    return answer;
}

void PlayBar::take(const Answer& answer) {
    if (m_territories != answer.territories) {
        m_territories = answer.territories;
        emit territoriesChanged(m_territories);
    }
    m_steps = answer.steps;
    const int steps = m_steps ? static_cast<int>(m_steps->steps().size()) : 0;
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, std::max(0, steps - 1));
    }
    m_slider->setEnabled(steps > 1);
    m_back->setEnabled(step() > 0);
    m_forward->setEnabled(step() + 1 < steps);
    m_play->setEnabled(steps > 1);
    m_frames->setEnabled(steps > 0);
    m_title->setText(m_steps ? text(m_steps->title()) : tr("Nothing to play"));
    m_size->setEnabled(m_op->currentData().toInt() >= 0);
    m_text->setEnabled(true);
    m_text->setText(!answer.refusal.isEmpty() ? answer.refusal
                    : steps == 0              ? tr("A single GPU has no peer to send to.")
                                              : answer.frame.words);
    setPlace(answer.frame.busiest);
    emit hopsChanged(answer.refusal.isEmpty() ? answer.frame.hops : Hops());
    emit loadsChanged(answer.refusal.isEmpty() ? answer.ofLinks : Utilisations());
    if (m_play->isChecked()) m_timer.start(); // the interval starts when the step is shown
}

void PlayBar::play(bool on) {
    const QSignalBlocker quiet(m_play);
    m_play->setChecked(on);
    m_play->setText(on ? tr("Pause") : tr("Play"));
    if (!on) return m_timer.stop();
    step() == m_slider->maximum() ? m_slider->setValue(0) : advance();
}

void PlayBar::advance() {
    if (step() == m_slider->maximum()) return play(false);
    m_slider->setValue(step() + 1);
}

void PlayBar::goTo(int step) {
    play(false);
    m_slider->setValue(step);
}

} // namespace railyard
