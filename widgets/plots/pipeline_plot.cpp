#include "widgets/plots/pipeline_plot.h"

#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace railyard {
namespace {

using Passes = std::vector<PipelinePass>;

// Passes of a stage are together and in order of time.
std::pair<Passes::const_iterator, Passes::const_iterator> ofStage(const PipelineTimeline& timeline, std::int64_t stage) {
    const auto each = static_cast<std::ptrdiff_t>(timeline.passes.size() / static_cast<std::size_t>(timeline.stages));
    return {timeline.passes.begin() + stage * each, timeline.passes.begin() + (stage + 1) * each};
}

class PassesPlottable : public QCPAbstractPlottable {
public:
    PassesPlottable(QCPAxis* x, QCPAxis* y, std::shared_ptr<const PipelineTimeline> timeline, const Tokens& tokens)
        : QCPAbstractPlottable(x, y),
          m_timeline(std::move(timeline)),
          m_tokens(tokens) {}
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override { return found = true, QCPRange(0, m_timeline->length().value()); }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
        return found = true, QCPRange(0, static_cast<double>(m_timeline->stages) + 1);
    }

protected:
    // What is narrower than a pixel is left out beside what was drawn there, so that the time to paint does not depend on their number.
    void draw(QCPPainter* painter) override {
        painter->setAntialiasing(false);
        painter->setPen(Qt::NoPen);
        const QCPRange shown = mKeyAxis->range();
        for (std::int64_t stage = 0; stage < m_timeline->stages; ++stage) {
            const auto [first, last] = ofStage(*m_timeline, stage);
            auto pass = std::lower_bound(first, last, shown.lower, [](const PipelinePass& p, double at) { return p.end.value() < at; });
            while (pass != last && pass->begin.value() <= shown.upper) {
                const QRectF box = boxOf(static_cast<double>(stage), pass->begin.value(), pass->end.value());
                drawPass(*painter, *pass, box);
                if (box.width() >= 1) {
                    ++pass;
                    continue;
                }
                const double next = mKeyAxis->pixelToCoord(box.left() + 1);
                pass = std::lower_bound(pass + 1, last, next, [](const PipelinePass& p, double at) { return p.end.value() < at; });
            }
        }
        drawRest(*painter);
    }
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    QRectF boxOf(double row, double begin, double end) const {
        const double left = mKeyAxis->coordToPixel(begin), right = mKeyAxis->coordToPixel(end);
        // Whole pixels, or thin rows would have gaps of different heights; rows that are too thin for gaps have none.
        double top = std::round(mValueAxis->coordToPixel(row)), bottom = std::round(mValueAxis->coordToPixel(row + 1));
        if (bottom - top >= 6) top += std::round((bottom - top) * 0.08), bottom -= std::round((bottom - top) * 0.08);
        return {left, top, right - left, bottom - top};
    }
    void drawPass(QCPPainter& painter, const PipelinePass& pass, const QRectF& box) {
        const QColor& color = m_tokens.jobs[pass.isForward ? 0 : 1];
        const bool hasGap = box.width() > 4;
        painter.fillRect(hasGap ? box.adjusted(0, 0, -1, 0) : QRectF(box.left(), box.top(), std::max(1.0, box.width()), box.height()),
                         color);
        const QFont font = fontFor(TextRole::Caption);
        const QString number = QString::number(pass.microBatch + 1);
        const QFontMetricsF metrics(font);
        if (metrics.horizontalAdvance(number) + 6 > box.width() || metrics.height() - 4 > box.height()) return;
        painter.setFont(font);
        painter.setPen(inkOn(color));
        painter.drawText(box, Qt::AlignCenter, number);
        painter.setPen(Qt::NoPen);
    }
    // After the last pass: data parallelism and the optimizer on all stages; in the row below the stages, what the passes hide of the
    // former.
    void drawRest(QCPPainter& painter) {
        const double worked = m_timeline->worked.value(), exposed = worked + m_timeline->exposedData.value();
        const auto rows = static_cast<double>(m_timeline->stages);
        for (double row = 0; row < rows; ++row) {
            fill(painter, boxOf(row, worked, exposed), m_tokens.jobs[5]);
            fill(painter, boxOf(row, exposed, m_timeline->length().value()), m_tokens.neutral);
        }
        fill(painter, boxOf(rows, worked - m_timeline->hiddenData.value(), worked), m_tokens.jobs[5].lighter(m_tokens.isDark ? 70 : 160));
        fill(painter, boxOf(rows, worked, exposed), m_tokens.jobs[5]);
    }
    static void fill(QCPPainter& painter, QRectF box, const QColor& color) {
        if (box.width() <= 0) return;
        box.setWidth(std::max(1.0, box.width()));
        painter.fillRect(box, color);
    }

    std::shared_ptr<const PipelineTimeline> m_timeline;
    Tokens m_tokens;
};

} // namespace

PipelinePlot::PipelinePlot(QWidget* parent) : PlotPage(parent) {
    m_plot->setAccessibleName(tr("Timeline of the pipeline"));
    m_plot->setInteraction(QCP::iRangeDrag);
    m_plot->axisRect()->setRangeDrag(Qt::Horizontal);
    connect(m_plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] { keepInside(); });
    auto* legend = richLabel();
    legend->setObjectName(QStringLiteral("pipeline-legend"));
    addBelow(legend);
}

void PipelinePlot::show(const PipelineData& shown, const Tokens& tokens) {
    m_data = shown;
    setWords(shown.title, shown.subtitle, tokens);
    setHint(shown.timeline ? tr("Ctrl and the wheel zoom in to the micro-batches; a double click shows all.") : QString());
    auto* legend = findChild<QLabel*>(QStringLiteral("pipeline-legend"));
    legend->setVisible(shown.timeline != nullptr);
    m_plot->setVisible(shown.timeline != nullptr);
    if (!shown.timeline) return;
    RichText words;
    const auto entry = [&](const QColor& color, const QString& name) {
        words += RichText::markup(QStringLiteral("<span style='color:%1'>■</span> ").arg(color.name())) +
                 RichText::filled(QStringLiteral("%1&nbsp;&nbsp;&nbsp; "), name);
    };
    entry(tokens.jobs[0], tr("forward"));
    entry(tokens.jobs[1], tr("backward, with recomputation"));
    entry(tokens.jobs[5], tr("data parallel, exposed"));
    if (shown.timeline->hiddenData > Seconds()) entry(tokens.jobs[5].lighter(tokens.isDark ? 70 : 160), tr("data parallel, hidden"));
    entry(tokens.neutral, tr("optimizer"));
    setRichText(*legend, words);
    new PassesPlottable(m_plot->xAxis, m_plot->yAxis, shown.timeline, tokens); // of the plot
    drawAxes();
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

void PipelinePlot::drawAxes() {
    const PipelineTimeline& timeline = *m_data.timeline;
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const std::int64_t step = std::max<std::int64_t>(1, (timeline.stages + 15) / 16);
    for (std::int64_t stage = 0; stage < timeline.stages; stage += step)
        ticker->addTick(static_cast<double>(stage) + 0.5, tr("Stage %1").arg(stage + 1));
    ticker->addTick(static_cast<double>(timeline.stages) + 0.5, tr("DP"));
    m_plot->yAxis->setTicker(ticker);
    m_plot->yAxis->setRangeReversed(true);
    m_plot->yAxis->setRange(0, static_cast<double>(timeline.stages) + 1);
    m_plot->xAxis->setRange(0, timeline.length().value());
    m_plot->xAxis->setLabel(tr("seconds"));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        styleAxis(*axis);
        axis->grid()->setVisible(false);
    }
    m_plot->axisRect()->setBackground(m_tokens.well);
}

void PipelinePlot::keepInside() {
    if (!m_data.timeline) return;
    const double length = m_data.timeline->length().value();
    const QCPRange now = m_plot->xAxis->range();
    const double size = std::min(now.size(), length), lower = std::clamp(now.lower, 0.0, length - size);
    if (lower == now.lower && size == now.size()) return;
    const QSignalBlocker quiet(m_plot->xAxis);
    m_plot->xAxis->setRange(lower, lower + size);
}

void PipelinePlot::zoom(double factor, double at) {
    QCPRange range = m_plot->xAxis->range();
    const double size = std::max(range.size() * factor, m_data.timeline->length().value() * 1e-5);
    range.lower = at - (at - range.lower) * size / range.size();
    m_plot->xAxis->setRange(range.lower, range.lower + size);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PipelinePlot::showTip(const QPointF& pixel, const QPoint& global) {
    const PipelineTimeline& timeline = *m_data.timeline;
    const double time = m_plot->xAxis->pixelToCoord(pixel.x());
    const auto row = static_cast<std::int64_t>(std::floor(m_plot->yAxis->pixelToCoord(pixel.y())));
    RichText found;
    if (m_plot->axisRect()->rect().contains(pixel.toPoint()) && row >= 0 && row < timeline.stages) {
        const auto [first, last] = ofStage(timeline, row);
        const auto pass = std::lower_bound(first, last, time, [](const PipelinePass& p, double at) { return p.end.value() < at; });
        if (pass != last && pass->begin.value() <= time)
            found = RichText::filled(
                QStringLiteral("<b>%1</b><br>%2"),
                (pass->isForward ? tr("Forward pass of micro-batch %1") : tr("Backward pass of micro-batch %1")).arg(pass->microBatch + 1),
                (timeline.chunks > 1 ? tr("Stage %1, chunk %2: ").arg(row + 1).arg(pass->chunk + 1) : tr("Stage %1: ").arg(row + 1)) +
                    tr("%1 to %2").arg(text(formatSeconds(pass->begin)), text(formatSeconds(pass->end))));
        else if (time < timeline.worked.value())
            found = RichText::filled(QStringLiteral("%1"), tr("Stage %1 waits").arg(row + 1));
    }
    showToolTip(global + QPoint(14, 14), found, m_plot);
}

bool PipelinePlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot || !m_data.timeline) return PlotPage::eventFilter(watched, event);
    if (event->type() == QEvent::Wheel) {
        const auto* wheel = static_cast<QWheelEvent*>(event);
        if (!wheel->modifiers().testFlag(Qt::ControlModifier)) return PlotPage::eventFilter(watched, event);
        zoom(std::pow(0.8, wheel->angleDelta().y() / 120.0), m_plot->xAxis->pixelToCoord(wheel->position().x()));
        return true;
    }
    if (event->type() == QEvent::MouseButtonDblClick) {
        m_plot->xAxis->setRange(0, m_data.timeline->length().value());
        m_plot->replot(QCustomPlot::rpQueuedReplot);
        return true;
    }
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->buttons() == Qt::NoButton) showTip(mouse->position(), mouse->globalPosition().toPoint());
    }
    return PlotPage::eventFilter(watched, event);
}

} // namespace railyard
