#include "widgets/plots/curve_plot.h"

#include "core/base/unit_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text.h"

#include <QEvent>
#include <QMouseEvent>
#include <cmath>
#include <qcustomplot.h>

namespace railyard {

CurvePlot::CurvePlot(QWidget* parent) : PlotPage(parent) { m_plot->setAccessibleName(tr("Line chart")); }

void CurvePlot::show(const CurveData& curves, const Tokens& tokens) {
    m_data = curves;
    setWords(curves.title, curves.subtitle, tokens);
    double most = curves.least + 0.5;
    for (const CurveData::Line& line : curves.lines)
        for (const auto& [x, y] : line.points) most = std::max(most, y);
    drawAxes(most);
    drawLines();
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

// The colours are safe for colour-blind readers, and each line carries its label, so that colour is not the only sign.
void CurvePlot::drawLines() {
    static constexpr int colors[] = {6, 1, 4, 8, 3, 7, 5, 2};
    for (std::size_t i = 0; i < m_data.lines.size(); ++i) {
        const QColor color = m_tokens.rail(colors[i % std::size(colors)], 8);
        QCPGraph* graph = m_plot->addGraph();
        for (const auto& [x, y] : m_data.lines[i].points) graph->addData(x, y);
        graph->setPen(QPen(color, 2.2));
        graph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, color, m_tokens.canvas, 7));
        if (m_data.lines[i].points.empty()) continue;
        auto* name = new QCPItemText(m_plot);
        // At a different point for each line, because lines may coincide. The name of a line that falls stands above it; of those that
        // rise, the highest has it above, before its point, and the others have it below, behind it.
        const auto& points = m_data.lines[i].points;
        const bool rises = points.back().second > points.front().second;
        const bool isHighest = std::all_of(m_data.lines.begin(), m_data.lines.end(), [&](const CurveData::Line& other) {
            return other.points.empty() || other.points.back().second <= points.back().second;
        });
        const std::size_t last = points.size() - 1, place = std::min(i, last);
        const auto& [x, y] = points[rises ? std::max<std::size_t>(1, last) - std::min(place + 1, last) : place];
        name->position->setCoords(x, y);
        const bool isBefore = rises && isHighest, isBelow = rises && !isHighest;
        name->setPositionAlignment((isBefore ? Qt::AlignRight : Qt::AlignLeft) | (isBelow ? Qt::AlignTop : Qt::AlignBottom));
        name->setPadding(isBelow ? QMargins(6, 6, 0, 0) : isBefore ? QMargins(0, 0, 6, 6) : QMargins(6, 0, 0, 6));
        name->setText(m_data.lines[i].name);
        name->setFont(fontFor(TextRole::BodyBold));
        name->setColor(color);
    }
}

void CurvePlot::drawAxes(double most) {
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (const double tick : m_data.ticks)
        ticker->addTick(tick, tick < 1000 ? QString::number(tick) : text(formatCount(std::llround(tick))));
    m_plot->xAxis->setTicker(ticker);
    m_plot->xAxis->setScaleType(QCPAxis::stLogarithmic);
    m_plot->xAxis->setRange(m_data.ticks.empty() ? 1 : m_data.ticks.front() / 1.15, m_data.ticks.empty() ? 2 : m_data.ticks.back() * 1.3);
    m_plot->yAxis->setRange(m_data.least, m_data.least + (most - m_data.least) * 1.12 + 1e-9);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setLabel(axis == m_plot->xAxis ? m_data.xName : m_data.yName);
        styleAxis(*axis);
        axis->grid()->setPen(QPen(m_tokens.grid, 1));
        axis->grid()->setZeroLinePen(QPen(m_tokens.grid, 1));
    }
}

bool CurvePlot::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        constexpr double reach = 14; // px
        RichText found;
        for (const CurveData::Line& line : m_data.lines)
            for (const auto& [x, y] : line.points) {
                const QPointF at(m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y));
                if (std::hypot(at.x() - mouse->position().x(), at.y() - mouse->position().y()) <= reach)
                    found += (found.isEmpty() ? RichText() : RichText::markup(QStringLiteral("<hr>"))) +
                             RichText::filled(QStringLiteral("<b>%1</b><br>%2 %3<br>%4 %5"), line.name, m_data.xName, QString::number(x),
                                              m_data.yName, QString::number(y, 'f', 2));
            }
        showToolTip(mouse->globalPosition().toPoint() + QPoint(14, 14), found, m_plot);
    }
    return PlotPage::eventFilter(watched, event);
}

} // namespace railyard
