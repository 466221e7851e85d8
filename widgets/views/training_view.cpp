#include "widgets/views/training_view.h"

#include "core/base/unit_text.h"
#include "widgets/document/document_folder.h"
#include "widgets/document/error_words.h"
#include "widgets/forms/parameter_form.h"
#include "widgets/plots/stacked_bars.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/views/training_words.h"

#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <cmath>

namespace railyard {
namespace {

StackedBar timeBar(const QString& title, const TrainingEstimate& of, const Tokens& tokens) {
    const TrainingBreakdown& b = of.breakdown;
    StackedBar bar{title, text(formatSeconds(of.iteration)), {}, 0, 0};
    const auto add = [&](const QString& name, Seconds time, const QColor& color) {
        bar.parts.push_back({name, text(formatSeconds(time)), time.value(), color});
    };
    add(trainingWords("Forward"), b.forward, tokens.jobs[0]);
    add(trainingWords("Backward"), b.backward, tokens.jobs[1]);
    add(trainingWords("Recomputation"), b.recompute, tokens.jobs[2]);
    add(trainingWords("Tensor parallel"), b.tensor, tokens.jobs[3]);
    add(trainingWords("Pipeline parallel"), b.pipeline, tokens.jobs[4]);
    add(trainingWords("Data parallel"), b.data, tokens.jobs[5]);
    add(trainingWords("Context parallel"), b.context, tokens.jobs[6]);
    add(trainingWords("Expert parallel"), b.expert, tokens.jobs[7]);
    add(trainingWords("Bubble"), b.bubble, tokens.controlBorder);
    add(trainingWords("Optimizer"), b.optimizer + b.offload, tokens.neutral);
    return bar;
}

StackedBar memoryBar(const TrainingMemory& memory, const Tokens& tokens) {
    StackedBar stored{trainingWords("Memory of the fullest GPU"),
                      memory.capacity > 0
                          ? trainingWords("needs %1 GiB, has %2 GiB").arg(inDecimals(memory.total(), 1), inDecimals(memory.capacity, 0))
                          : trainingWords("%1 GiB, capacity not known").arg(inDecimals(memory.total(), 1)),
                      {},
                      memory.capacity,
                      1};
    if (memory.host > 0)
        stored.total += memory.hostCapacity > 0
                            ? trainingWords("; host: %1 of %2 GiB").arg(inDecimals(memory.host, 1), inDecimals(memory.hostCapacity, 0))
                            : trainingWords("; host: %1 GiB").arg(inDecimals(memory.host, 1));
    const auto keep = [&](const QString& name, double gib, const QColor& color) {
        stored.parts.push_back({name, trainingWords("%1 GiB").arg(inDecimals(gib, 1)), gib, color});
    };
    keep(trainingWords("Parameters"), memory.parameters, tokens.jobs[0]);
    keep(trainingWords("Gradients"), memory.gradients, tokens.jobs[1]);
    keep(trainingWords("Optimizer"), memory.optimizer, tokens.jobs[2]);
    keep(trainingWords("Activations"), memory.activations, tokens.jobs[3]);
    keep(trainingWords("Workspace"), memory.workspace, tokens.controlBorder);
    return stored;
}

// A table of two columns.
RichText factsOf(const TrainingEstimate& own, const RunCost& cost, const QString& otherLayout) {
    RichText rows = RichText::markup(QStringLiteral("<table cellspacing='0' cellpadding='4'>"));
    const auto row = [&](const QString& name, const QString& value) {
        rows += RichText::filled(QStringLiteral("<tr><td>%1&nbsp;&nbsp;&nbsp;</td><td align='right'><b>%2</b></td></tr>"), name, value);
    };
    row(trainingWords("Model FLOP utilisation (MFU)"), trainingWords("%1 %").arg(inDecimals(own.modelShare() * 100, 1)));
    row(trainingWords("Hardware FLOP utilisation (HFU)"), trainingWords("%1 %").arg(inDecimals(own.hardwareShare() * 100, 1)));
    row(trainingWords("Tokens per second"), text(formatCount(std::llround(own.tokensPerSecond()))));
    row(trainingWords("Days for %1 billion tokens").arg(inDecimals(own.plan.tokens / 1e9, 0)),
        inDecimals(own.days(), own.days() < 10 ? 2 : 1));
    row(trainingWords("Energy of the run, with cooling"),
        !cost.energyKwh         ? trainingWords("not known")
        : *cost.energyKwh < 1e6 ? trainingWords("%1 MWh").arg(QString::number(*cost.energyKwh / 1000, 'g', 3))
                                : trainingWords("%1 MWh").arg(text(formatCount(std::llround(*cost.energyKwh / 1000)))));
    const auto total = cost.totalUsd();
    row(trainingWords("Cost of the run: share of hardware, energy, space"),
        total ? (cost.unpricedLines > 0 ? QStringLiteral("≥ ") : QString()) + text(formatMoney(Money::dollars(*total)))
              : trainingWords("not known"));
    row(trainingWords("Longest sequence that fits"),
        own.longestSequence > 0 ? trainingWords("%1 tokens").arg(text(formatCount(own.longestSequence))) : trainingWords("none"));
    if (!otherLayout.isEmpty()) row(trainingWords("Other layout"), otherLayout);
    return rows + RichText::markup(QStringLiteral("</table>"));
}

} // namespace

TrainingView::TrainingView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_answers([this] { return [wanted = m_asked](const TaskContext& context) { return trainingAnswer(wanted, context); }; },
                [this](TrainingAnswer answer) { take(std::move(answer)); }),
      m_reading(
          [this] {
              return [path = m_path.toStdString(), calibration = m_calibration] {
                  TrainingCalibration added = calibration ? *calibration : shippedTrainingCalibration();
                  const Status done = addCalibrationFile(path, added);
                  return done ? Measured{std::make_shared<const TrainingCalibration>(std::move(added)), {}}
                              : Measured{nullptr, wordsOf(done.error())};
              };
          },
          [this](const Measured& measured) { takeMeasured(measured); }) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(18, 16, 18, 16);
    layout->setSpacing(24);
    m_form = new ParameterForm(infosOf(jobParameters()), QStringLiteral("training"));
    m_form->setFixedWidth(292);
    m_best = new QPushButton(tr("Find the fastest"));
    m_best->setObjectName(QStringLiteral("training-best"));
    m_best->setProperty("primary", true);
    setToolTipOf(
        *m_best,
        tr("Tries every division of the GPUs that leaves 5 % of their memory free, and sets the fields to the fastest. Stop takes the "
           "fastest of those tried so far."));
    m_play = new QPushButton(tr("Play on the drawing"));
    m_play->setObjectName(QStringLiteral("training-play"));
    setToolTipOf(*m_play, tr("Shows the communication of one iteration kind by kind, with links coloured by load."));
    connect(m_play, &QPushButton::clicked, this, [this] {
        if (m_answer.own) emit playAsked(m_answer.found.value_or(m_answer.to.asked), m_answer.to.calibration);
    });
    m_form->rows().addRow(measurements());
    layout->addLayout(sideColumn());
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 12, 0);
    column->setSpacing(12);
    m_headline = plainLabel();
    m_headline->setFont(fontFor(TextRole::ChartTitle));
    m_headline->setWordWrap(true);
    m_headline->setObjectName(QStringLiteral("training-headline"));
    m_note = plainLabel();
    m_note->setWordWrap(true);
    m_note->setObjectName(QStringLiteral("training-note"));
    m_bars = new StackedBars;
    m_facts = richLabel();
    m_facts->setObjectName(QStringLiteral("training-facts"));
    m_chart = new TrainingChartPanel;
    m_chart->hide(); // until there is an estimate
    for (QWidget* each : std::initializer_list<QWidget*>{m_headline, m_note, m_bars, m_facts, m_chart}) column->addWidget(each);
    column->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    layout->addWidget(scroll, 1);
    connect(m_form, &ParameterForm::edited, this, &TrainingView::storeEdits);
    connect(m_best, &QPushButton::clicked, this, [this] { m_asked.isSearched ? stopSearch() : refresh(true); });
    const auto follow = [this] {
        m_isStopped = false;
        if (isVisible())
            refresh();
        else
            m_answers.stop(); // what a search would find is of another design
    };
    connect(&document, &Document::changed, this, follow);
    connect(&document, &Document::failuresChanged, this, follow);
}

void TrainingView::store(const JobRequest& job) {
    const Design& design = *m_document.now().design;
    const NamedOptions call = toCall(job, design.training.value_or(NamedOptions()));
    const bool isUsual = call == NamedOptions();
    const auto training = isUsual ? std::nullopt : std::optional(call);
    if (training != design.training) m_document.apply(setTraining(design, training));
}

// The fields, and above them what they are for, because they need to be scrolled.
QLayout* TrainingView::sideColumn() {
    constexpr int sideWidth = 308;
    auto* fields = new QScrollArea;
    fields->setWidget(m_form);
    fields->setWidgetResizable(true);
    fields->setFrameShape(QFrame::NoFrame);
    fields->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    fields->setFixedWidth(sideWidth);
    auto* side = new QVBoxLayout;
    auto* actions = new QHBoxLayout;
    actions->setContentsMargins(0, 0, 16, 8);
    actions->addWidget(m_best, 1);
    actions->addWidget(m_play, 1);
    side->addLayout(actions);
    side->addWidget(fields, 1);
    return side;
}

void TrainingView::storeEdits() {
    ParameterTexts edits = m_form->edits();
    auto job = withTexts(jobParameters(), m_asked.asked, edits, "a training job");
    if (job) return store(*job);
    const std::vector<Error> errors = job.errors();
    for (const Error& error : errors) edits.erase(error.field);
    if (job = withTexts(jobParameters(), m_asked.asked, edits, "a training job"); job) store(*job);
    m_form->showProblem(wordsOf(errors.front()), errors.front().field);
}

QWidget* TrainingView::measurements() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 8, 0, 0);
    auto* add = new QPushButton(tr("Add measurements…"));
    add->setObjectName(QStringLiteral("training-add-measurements"));
    setToolTipOf(
        *add, tr("Measured times of operations (CSV: operation,shape,us) or the output of nccl-tests, in place of the built-in curves."));
    m_forget = new QPushButton(tr("Use the built-in curves"));
    m_forget->setObjectName(QStringLiteral("training-forget-measurements"));
    m_forget->hide();
    m_measured = plainLabel();
    m_measured->setObjectName(QStringLiteral("training-measured"));
    m_measured->setWordWrap(true);
    for (QWidget* each : std::initializer_list<QWidget*>{add, m_measured, m_forget}) column->addWidget(each);
    connect(add, &QPushButton::clicked, this, [this] { askForMeasurements(); });
    connect(m_forget, &QPushButton::clicked, this, [this] {
        m_calibration = nullptr;
        m_measured->clear();
        m_forget->hide();
        refresh();
    });
    return box;
}

void TrainingView::askForMeasurements() {
    const QString path = QFileDialog::getOpenFileName(this, tr("Add measurements"), folderOf(m_document),
                                                      tr("Measurements (*.csv *.txt *.log *.out *.json);;All files (*)"));
    if (!path.isEmpty()) addMeasurements(path);
}

void TrainingView::addMeasurements(const QString& path) {
    m_path = path;
    m_measured->setText(tr("Reading…"));
    m_reading.ask();
}

void TrainingView::takeMeasured(const Measured& measured) {
    if (!measured.calibration) return m_measured->setText(measured.refusal);
    m_calibration = measured.calibration;
    m_forget->show();
    refresh();
}

void TrainingView::wait() {
    m_reading.wait();
    m_answers.wait();
    m_chart->wait();
}

void TrainingView::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    m_chart->setTokens(tokens);
    showAnswer();
}

void TrainingView::showEvent(QShowEvent*) {
    if (m_asked.shown != m_document.snapshot() || m_asked.degraded != m_document.degraded()) refresh();
}

void TrainingView::refresh(bool isSearched) {
    const auto job = jobOf(*m_document.now().design);
    const JobRequest asked = job ? *job : usualRequest();                               // a document with another job is not opened
    m_form->nameChoice("model", text(asked.model), text(asked.planned.job.model.name)); // of a file
    m_form->follow(allTextsOf(jobParameters(), asked));
    m_asked = {m_document.snapshot(), m_document.degraded(), asked, isSearched, m_calibration};
    m_best->setText(isSearched ? tr("Stop") : tr("Find the fastest"));
    m_best->setEnabled(true);  // a search supersedes what is being computed
    m_play->setEnabled(false); // until it would play this job
    m_note->setText(isSearched ? tr("Trying every division of the GPUs…") : tr("Computing…"));
    m_answers.ask();
}

void TrainingView::stopSearch() {
    m_answers.stop();
    m_best->setEnabled(false);
    m_note->setText(tr("Stopping…"));
}

void TrainingView::take(TrainingAnswer answer) {
    m_asked.isSearched = false;
    m_best->setText(tr("Find the fastest"));
    m_best->setEnabled(true);
    m_answer = std::move(answer);
    if (m_answer.to.isSearched) m_isStopped = m_answer.isStopped && m_answer.found;
    m_play->setEnabled(m_answer.own.has_value());
    m_chart->follow(m_answer);
    showAnswer();
    // One step that can be undone. The design may be another by now, if the view was left during the search.
    const bool isCurrent = m_answer.to.shown == m_document.snapshot() && m_answer.to.degraded == m_document.degraded();
    if (!m_answer.found || !isCurrent) return;
    const bool isStopped = m_isStopped; // which stays so when the found job is shown
    store(*m_answer.found);
    m_isStopped = isStopped;
}

void TrainingView::showAnswer() {
    if (m_answer.to.calibration) {
        QStringList off;
        for (const CalibrationCheck& each : m_answer.checks)
            off << tr("Mean error of the built-in curves: %1 % (%2). Largest: %3 % (%4).")
                       .arg(inDecimals(each.meanError * 100, 1), text(each.what), inDecimals(each.worstError * 100, 1), text(each.worst));
        m_measured->setText(off.isEmpty() ? text(m_answer.to.calibration->name) : off.join(QLatin1Char('\n')));
    }
    if (!m_answer.own) {
        m_headline->setText(m_answer.refusal.isEmpty() ? QString() : tr("This job cannot run like this"));
        m_note->setText(m_answer.refusal);
        m_bars->show({}, m_tokens);
        return setRichText(*m_facts, RichText());
    }
    const TrainingEstimate& own = *m_answer.own;
    const TrainingJob& job = own.job;
    m_headline->setText(tr("%1 on %2 GPUs: %3 per iteration; exposed communication: network %4 %, inside HB domains %5 %")
                            .arg(text(job.model.name), text(formatCount(job.gpus())), text(formatSeconds(own.iteration)),
                                 inDecimals(own.exposedOnNetwork() / own.iteration * 100, 1),
                                 inDecimals(own.exposedInDomains() / own.iteration * 100, 1)));
    QStringList notes{(job.isExpertFolded() ? tr("TP %1 · PP %2 · DP %3 · CP %4 · EP %5, folded · global batch %6")
                                            : tr("TP %1 · PP %2 · DP %3 · CP %4 · EP %5 · global batch %6"))
                          .arg(job.by(Parallel::Tensor))
                          .arg(job.by(Parallel::Pipeline))
                          .arg(job.by(Parallel::Data))
                          .arg(job.by(Parallel::Context))
                          .arg(job.expertRanks())
                          .arg(text(formatCount(job.globalBatch)))};
    const bool isMeasured = m_answer.to.calibration && m_answer.to.calibration->measured;
    notes << (isMeasured         ? tr("Interval %1; with measured operations (%2).")
              : own.isCalibrated ? tr("Interval %1; constants fitted to measured runs (%2).")
                                 : tr("Interval %1; constants not calibrated for these GPUs (%2)."))
                 .arg(text(formatInterval(formatSeconds(own.low), formatSeconds(own.high))), text(own.calibration));
    if (own.expectedSlowdown > 1)
        notes.back() +=
            QLatin1Char(' ') + tr("Expected stragglers add %1 % to the compute time.").arg(inDecimals((own.expectedSlowdown - 1) * 100, 1));
    if (own.percentile99 > own.median)
        notes.back() +=
            QLatin1Char(' ') +
            tr("The iteration takes %1 at P50 and %2 at P99.").arg(text(formatSeconds(own.median)), text(formatSeconds(own.percentile99)));
    if (m_answer.isStopped && !m_answer.found)
        notes << tr("The search was stopped before it found anything.");
    else if (m_isStopped)
        notes << tr("The search was stopped. This is the fastest of the configurations that it had tried.");
    if (!own.isFeasible()) notes << tr("Does not fit: %1.").arg(text(own.reasons.front()));
    if (own.isFeasible() && own.memory.capacity > 0 && own.memory.total() > 0.95 * own.memory.capacity)
        notes << tr("The fullest GPU needs %1 of its %2 GiB, which leaves less than 5 % for the framework.")
                     .arg(inDecimals(own.memory.total(), 1), inDecimals(own.memory.capacity, 1));
    m_note->setText(notes.join(QLatin1Char('\n')));
    std::vector<StackedBar> bars{
        timeBar(m_answer.to.hasFailures() ? tr("Iteration, with current failures") : tr("Iteration, this design"), own, m_tokens)};
    if (m_answer.intact)
        bars.push_back(timeBar(tr("Without the failures (%1)").arg(text(formatPercent(m_answer.intact->iteration / own.iteration - 1))),
                               *m_answer.intact, m_tokens));
    if (m_answer.serial && m_answer.serial->iteration > own.iteration)
        bars.push_back(timeBar(tr("Without overlap of communication and computing (%1)")
                                   .arg(text(formatPercent(m_answer.serial->iteration / own.iteration - 1))),
                               *m_answer.serial, m_tokens));
    if (m_answer.twin) {
        const QString more = text(formatPercent(m_answer.twin->iteration / own.iteration - 1));
        const auto& cost = m_answer.moreForTwin;
        const QString network = !cost                  ? tr("network costs not comparable")
                                : cost->inCents() == 0 ? tr("network at the same cost")
                                : cost->inCents() > 0  ? tr("network %1 more").arg(text(formatMoney(*cost)))
                                                       : tr("network %1 less").arg(text(formatMoney(Money() - *cost)));
        bars.push_back(timeBar(m_answer.isRailOnly ? tr("The same job, rail-optimized (%1, %2)").arg(more, network)
                                                   : tr("The same job, rail-only (%1, %2)").arg(more, network),
                               *m_answer.twin, m_tokens));
    }
    bars.push_back(memoryBar(own.memory, m_tokens));
    m_bars->show(std::move(bars), m_tokens);
    setRichText(*m_facts, factsOf(own, m_answer.cost, m_answer.twin ? QString() : m_answer.twinRefusal));
}

} // namespace railyard
