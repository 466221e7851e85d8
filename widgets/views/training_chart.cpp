#include "widgets/views/training_chart.h"

#include "core/base/unit_text.h"
#include "widgets/document/busy_line.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"
#include "widgets/views/training_words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

enum class Chart { Timeline, MfuOverGpus, DaysOverGpus, MfuOverBatch, SpeedUp, Exposed, HbDomain }; // as in trainingCharts

double valueOf(Chart chart, const TrainingEstimate& estimate, const TrainingEstimate* reference) {
    switch (chart) {
    case Chart::Timeline: break;
    case Chart::MfuOverGpus:
    case Chart::MfuOverBatch: return estimate.modelShare() * 100;
    case Chart::DaysOverGpus: return estimate.days();
    case Chart::SpeedUp: return reference ? reference->iteration / estimate.iteration : 1;
    case Chart::Exposed: return estimate.breakdown.exposed() / estimate.iteration * 100;
    case Chart::HbDomain: return reference ? estimate.iteration / reference->iteration : 1;
    }
    return 0;
}

// The estimate that the others are divided by: at the speed of the design, or with all GPUs in one HB domain.
const TrainingEstimate* referenceOf(Chart chart, const TrainingCurve& curve) {
    const TrainingEstimate* last = nullptr;
    for (const TrainingPoint& point : curve.points) {
        if (!point.estimate) continue;
        if (chart == Chart::SpeedUp && point.x == 1) return &*point.estimate;
        last = &*point.estimate;
    }
    return chart == Chart::HbDomain ? last : nullptr;
}

std::optional<double> at(const CurveData::Line& line, double x) {
    const auto found = std::find_if(line.points.begin(), line.points.end(), [&](const auto& point) { return point.first == x; });
    return found == line.points.end() ? std::nullopt : std::optional(found->second);
}

QString count(double value) { return text(formatCount(std::llround(value))); }

QString titleOf(Chart chart, const std::vector<CurveData::Line>& lines) {
    const CurveData::Line& line = lines.front();
    const auto& [firstX, first] = line.points.front();
    const auto& [lastX, last] = line.points.back();
    const bool isOne = line.points.size() == 1;
    switch (chart) {
    case Chart::Timeline: break;
    case Chart::MfuOverGpus:
        if (isOne) return trainingWords("MFU is %1 % on %2 GPUs").arg(inDecimals(last, 1), count(lastX));
        return trainingWords("MFU is %1 % on %2 GPUs and %3 % on %4")
            .arg(inDecimals(first, 1), count(firstX), inDecimals(last, 1), count(lastX));
    case Chart::DaysOverGpus:
        if (isOne) return trainingWords("%1 days on %2 GPUs").arg(QString::number(last, 'g', 3), count(lastX));
        return trainingWords("%1 days on %2 GPUs, %3 days on %4")
            .arg(QString::number(first, 'g', 3), count(firstX), QString::number(last, 'g', 3), count(lastX));
    case Chart::MfuOverBatch:
        return trainingWords("MFU is %1 % with a global batch of %2 and %3 % with %4")
            .arg(inDecimals(first, 1), count(firstX), inDecimals(last, 1), count(lastX));
    case Chart::SpeedUp: {
        const auto network = at(lines.front(), 4), hb = at(lines.back(), 4);
        if (!network || !hb || lines.size() < 2) return trainingWords("Speed-up over bandwidth");
        return trainingWords("Four times the network bandwidth: %1 % faster. Four times the HB bandwidth: %2 % faster.")
            .arg(inDecimals((*network - 1) * 100, 1), inDecimals((*hb - 1) * 100, 1));
    }
    case Chart::Exposed: return trainingWords("Communication takes %1 % of an iteration").arg(inDecimals(at(line, 1).value_or(last), 1));
    case Chart::HbDomain:
        return trainingWords("With HB domains of %1 GPUs, an iteration takes %2 times as long as with all GPUs in one")
            .arg(count(firstX), inDecimals(first, 2));
    }
    return {};
}

} // namespace

CurveData toCurves(const TrainingChartAnswer& answer) {
    const auto chart = static_cast<Chart>(answer.chart);
    CurveData data;
    bool isAnyTooLarge = false;
    for (const TrainingChartAnswer::Line& line : answer.lines) {
        CurveData::Line own{line.name, {}};
        const TrainingEstimate* reference = referenceOf(chart, line.curve);
        for (const TrainingPoint& point : line.curve.points) {
            if (!point.estimate) continue;
            own.points.emplace_back(point.x, valueOf(chart, *point.estimate, reference));
            isAnyTooLarge = isAnyTooLarge || !point.estimate->isFeasible();
            if (std::find(data.ticks.begin(), data.ticks.end(), point.x) == data.ticks.end()) data.ticks.push_back(point.x);
        }
        if (!own.points.empty()) data.lines.push_back(std::move(own));
    }
    std::sort(data.ticks.begin(), data.ticks.end());
    const auto axis = answer.lines.empty() ? TrainingAxis::Gpus : answer.lines.front().curve.axis;
    data.xName = axis == TrainingAxis::Gpus       ? trainingWords("GPUs of this design, the first ones")
                 : axis == TrainingAxis::Batch    ? trainingWords("global batch, sequences")
                 : axis == TrainingAxis::HbDomain ? trainingWords("GPUs of an HB domain")
                                                  : trainingWords("bandwidth / that of the design");
    data.yName = chart == Chart::DaysOverGpus ? trainingWords("days")
                 : chart == Chart::SpeedUp    ? trainingWords("speed / that of the design")
                 : chart == Chart::HbDomain   ? trainingWords("iteration / with one HB domain")
                 : chart == Chart::Exposed    ? trainingWords("% of the iteration, exposed")
                                              : trainingWords("MFU, %");
    if (data.lines.empty()) {
        data.title = answer.refusal.isEmpty() ? trainingWords("This job runs at none of these points") : answer.refusal;
        return data;
    }
    data.title = titleOf(chart, data.lines);
    data.subtitle = axis == TrainingAxis::Gpus    ? trainingWords("The global batch and the division stay; only the replicas change.")
                    : axis == TrainingAxis::Batch ? trainingWords("The division stays.")
                    : axis == TrainingAxis::HbDomain
                        ? trainingWords("The recipe is built again for each size; the division stays.")
                        : trainingWords("Switches, ports and cables stay; only the speed of the links changes.");
    if (isAnyTooLarge) data.subtitle += QLatin1Char(' ') + trainingWords("Some of these do not fit in memory.");
    return data;
}

PipelineData toTimeline(const TrainingChartAnswer& answer) {
    if (!answer.timeline) return {trainingWords("There is no timeline of this job"), answer.refusal, nullptr};
    const PipelineTimeline& timeline = *answer.timeline;
    PipelineData data{{}, {}, answer.timeline};
    const QString batches = counted(timeline.microBatches, trainingWords("%1 micro-batch"), trainingWords("%1 micro-batches"));
    data.title = timeline.stages == 1 ? trainingWords("One stage works on %1 without waiting").arg(batches)
                                      : trainingWords("The %1 stages wait %2 % of the time until the last pass ends")
                                            .arg(count(static_cast<double>(timeline.stages)), inDecimals(timeline.idleShare * 100, 1));
    data.subtitle = timeline.chunks > 1 ? trainingWords("Interleaved, %1 chunks per stage, %2.").arg(timeline.chunks).arg(batches)
                                        : trainingWords("1F1B, %1.").arg(batches);
    const Seconds messages = timeline.hiddenData + timeline.exposedData;
    if (messages > Seconds())
        data.subtitle += QLatin1Char(' ') + trainingWords("Data parallelism takes %1, of which %2 are hidden.")
                                                .arg(text(formatSeconds(messages)), text(formatSeconds(timeline.hiddenData)));
    return data;
}

TrainingChartPanel::TrainingChartPanel(QWidget* parent)
    : QWidget(parent),
      m_tokens(lightTokens()),
      m_choice(new QComboBox),
      m_plots(new QStackedWidget),
      m_curves(new CurvePlot),
      m_timeline(new PipelinePlot),
      m_answers([this] { return [wanted = m_asked](const TaskContext& context) { return trainingChart(wanted, context); }; },
                [this](TrainingChartAnswer answer) { take(std::move(answer)); }) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    auto* row = new QHBoxLayout;
    row->addWidget(plainLabel(tr("Chart")));
    for (const TrainingChart& chart : trainingCharts()) m_choice->addItem(chart.name);
    m_choice->setObjectName(QStringLiteral("training-chart"));
    m_choice->setAccessibleName(tr("Chart"));
    row->addWidget(m_choice);
    row->addStretch();
    auto* save = new QPushButton(tr("Save picture…"));
    save->setObjectName(QStringLiteral("training-save-picture"));
    connect(save, &QPushButton::clicked, this, &TrainingChartPanel::pictureAsked);
    row->addWidget(save);
    column->addLayout(row);
    m_plots->addWidget(m_curves);
    m_plots->addWidget(m_timeline);
    m_plots->setMinimumHeight(360);
    column->addWidget(m_plots);
    column->addWidget(new BusyLine(m_answers, tr("Computing the chart…"), [this] { m_answers.ask(); }));
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] { refresh(); });
}

void TrainingChartPanel::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    draw();
}

void TrainingChartPanel::follow(const TrainingAnswer& answer) {
    setVisible(answer.own.has_value());
    if (!answer.own) return;
    m_asked = {answer.to.degraded, answer.other, answer.found.value_or(answer.to.asked), answer.isRailOnly, 0, answer.to.calibration};
    refresh();
}

void TrainingChartPanel::refresh() {
    m_asked.chart = m_choice->currentIndex();
    if (m_asked.fabric) m_answers.ask();
}

void TrainingChartPanel::take(TrainingChartAnswer answer) {
    m_answer = std::move(answer);
    draw();
}

const PlotPage& TrainingChartPanel::plot() const { return m_answer.isTimeline() ? static_cast<const PlotPage&>(*m_timeline) : *m_curves; }

void TrainingChartPanel::draw() {
    if (m_answer.isTimeline())
        m_timeline->show(toTimeline(m_answer), m_tokens);
    else
        m_curves->show(toCurves(m_answer), m_tokens);
    m_plots->setCurrentWidget(m_answer.isTimeline() ? static_cast<QWidget*>(m_timeline) : m_curves);
}

} // namespace railyard
