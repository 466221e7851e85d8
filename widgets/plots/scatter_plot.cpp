#include "widgets/plots/scatter_plot.h"

#include <QEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace railyard {
namespace {

// Ticks at the places that QCustomPlot chooses, in the words of the quantity.
class WordedTicker : public QCPAxisTicker {
public:
    using Words = std::function<QString(const ScatterData::Tick&)>;
    explicit WordedTicker(Words words) : m_words(std::move(words)) {}

protected:
    double getTickStep(const QCPRange& range) override {
        m_tick.largest = std::max(std::abs(range.lower), std::abs(range.upper));
        return m_tick.step = QCPAxisTicker::getTickStep(range);
    }
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override {
        m_tick.value = tick;
        return m_words ? m_words(m_tick) : QCPAxisTicker::getTickLabel(tick, locale, format, precision);
    }

private:
    Words m_words;
    ScatterData::Tick m_tick;
};

} // namespace

ScatterPlot::ScatterPlot(QWidget* parent) : PlotPage(parent) { m_plot->setAccessibleName(tr("Scatter plot")); }

void ScatterPlot::show(const ScatterData& shown, const Tokens& tokens) {
    m_data = shown;
    setWords(m_data.title, m_data.subtitle, tokens);
    setHint(m_data.hint);
    drawAxes();
    drawPoints();
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

void ScatterPlot::drawPoints() {
    const auto graphOf = [&](const QColor& color, double size) {
        QCPGraph* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, color, color, size));
        return graph;
    };
    QColor faint = m_tokens.neutral;
    faint.setAlpha(150);
    QCPGraph* all = graphOf(faint, 6);
    for (const ScatterData::Point& point : m_data.points) all->addData(point.x, point.y);
    // The step between two of the best is what is better than neither.
    auto* line = new QCPCurve(m_plot->xAxis, m_plot->yAxis);
    line->setPen(QPen(m_tokens.accent, 2));
    double order = 0;
    for (std::size_t i = 0; i < m_data.front.size(); ++i) {
        const ScatterData::Point& here = m_data.points[m_data.front[i]];
        if (i > 0) {
            const ScatterData::Point& before = m_data.points[m_data.front[i - 1]];
            // The corner lies on the worse side of both.
            const bool isFirstBefore = m_data.isLessBetter[0];
            line->addData(order++, isFirstBefore ? here.x : before.x, isFirstBefore ? before.y : here.y);
        }
        line->addData(order++, here.x, here.y);
    }
    QCPGraph* best = graphOf(m_tokens.accent, 9);
    for (const std::size_t point : m_data.front) best->addData(m_data.points[point].x, m_data.points[point].y);
}

void ScatterPlot::drawAxes() {
    QCPRange x(0, 1), y(0, 1);
    if (!m_data.points.empty()) {
        const auto rangeOf = [&](auto value) {
            const auto [low, high] = std::minmax_element(m_data.points.begin(), m_data.points.end(),
                                                         [&](const auto& a, const auto& b) { return value(a) < value(b); });
            const double least = value(*low), most = value(*high),
                         margin = (most > least ? most - least : std::max(std::abs(most), 1.0)) * 0.06;
            return QCPRange(least - margin, most + margin);
        };
        x = rangeOf([](const ScatterData::Point& point) { return point.x; });
        y = rangeOf([](const ScatterData::Point& point) { return point.y; });
    }
    m_plot->xAxis->setRange(x);
    m_plot->yAxis->setRange(y);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        const bool isX = axis == m_plot->xAxis;
        axis->setLabel(isX ? m_data.xName : m_data.yName);
        styleAxis(*axis);
        axis->grid()->setPen(QPen(m_tokens.grid, 1));
        axis->grid()->setZeroLinePen(QPen(m_tokens.grid, 1));
        axis->setTicker(QSharedPointer<QCPAxisTicker>(new WordedTicker(isX ? m_data.xText : m_data.yText)));
    }
}

std::optional<std::size_t> ScatterPlot::pointAt(QPoint position) const {
    constexpr double reach = 12; // px
    std::optional<std::size_t> nearest;
    double least = reach;
    for (std::size_t i = 0; i < m_data.points.size(); ++i) {
        const double away = std::hypot(m_plot->xAxis->coordToPixel(m_data.points[i].x) - position.x(),
                                       m_plot->yAxis->coordToPixel(m_data.points[i].y) - position.y());
        if (away <= least) nearest = i, least = away;
    }
    return nearest;
}

bool ScatterPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonDblClick)) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto point = pointAt(mouse->pos());
        if (event->type() == QEvent::MouseMove)
            showToolTip(mouse->globalPosition().toPoint() + QPoint(14, 14), point ? m_data.tip(m_data.points[*point].row) : RichText(),
                        m_plot);
        else if (point)
            emit chosen(m_data.points[*point].row);
    }
    return PlotPage::eventFilter(watched, event);
}

} // namespace railyard
