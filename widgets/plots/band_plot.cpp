#include "widgets/plots/band_plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <qcustomplot.h>

namespace railyard {
namespace {

// Steps of 1, 2, 5 and so on, eight of them at most: what is counted has no halves.
QSharedPointer<QCPAxisTicker> wholeTicks(double span) {
    double step = 1;
    for (const double factor : {2.0, 2.5, 2.0}) // 1, 2, 5, 10
        if (span / step > 8) step *= factor;
    while (span / step > 8) step *= 2;
    const QSharedPointer<QCPAxisTickerFixed> ticker(new QCPAxisTickerFixed);
    ticker->setTickStep(step);
    return ticker;
}

} // namespace

BandPlot::BandPlot(QWidget* parent) : PlotPage(parent) { m_plot->setAccessibleName(tr("Line chart with bands")); }

void BandPlot::show(const BandData& shown, const Tokens& tokens) {
    m_data = shown;
    setWords(m_data.title, m_data.subtitle, tokens);
    drawAxes();
    for (auto line = m_data.lines.rbegin(); line != m_data.lines.rend(); ++line) drawLine(*line); // the main one on top
    drawLegend();
    if (m_data.flag) drawFlag(*m_data.flag);
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

void BandPlot::drawLine(const BandData::Line& line) {
    const QColor color = colorOf(line);
    if (line.hasBand) {
        QCPGraph *low = m_plot->addGraph(), *high = m_plot->addGraph();
        QPen dashed(color, 1, Qt::CustomDashLine);
        dashed.setDashPattern({4, 3});
        for (QCPGraph* each : {low, high}) each->setPen(dashed);
        for (const BandPoint& point : line.points) low->addData(point.x, point.low), high->addData(point.x, point.high);
        if (line.isMain) {
            QColor fill = m_tokens.selectFill;
            fill.setAlpha(m_tokens.isDark ? 150 : 190);
            high->setBrush(fill);
            high->setChannelFillGraph(low);
        }
    }
    QCPGraph* graph = m_plot->addGraph();
    for (const BandPoint& point : line.points) graph->addData(point.x, point.y);
    graph->setPen(QPen(color, line.isMain ? 2.6 : 2.4));
}

// A dot, a line down to the axis and its words above, in head room that the axis keeps.
void BandPlot::drawFlag(const BandData::Flag& flag) {
    auto* drop = new QCPItemLine(m_plot);
    drop->start->setCoords(flag.x, flag.y);
    drop->end->setCoords(flag.x, m_data.least);
    QPen dashed(m_tokens.accent, 1, Qt::CustomDashLine);
    dashed.setDashPattern({3, 3});
    drop->setPen(dashed);
    QCPGraph* dot = m_plot->addGraph();
    dot->addData(flag.x, flag.y);
    dot->setLineStyle(QCPGraph::lsNone);
    dot->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, m_tokens.accent, m_tokens.accent, 10));
    auto* words = new QCPItemText(m_plot);
    words->position->setCoords(flag.x, m_data.most + (m_data.most - m_data.least) * 0.1);
    const double middle = m_plot->xAxis->range().center();
    words->setPositionAlignment((flag.x < middle * 0.5   ? Qt::AlignLeft
                                 : flag.x > middle * 1.5 ? Qt::AlignRight
                                                         : Qt::AlignHCenter) |
                                Qt::AlignVCenter);
    words->setPadding(QMargins(8, 4, 8, 4));
    words->setText(flag.text);
    words->setFont(fontFor(TextRole::BodyBold));
    words->setColor(m_tokens.onAccent);
    words->setBrush(m_tokens.accent);
}

// How much of the lines and their bands lies in a rectangle, in parts of width and height from the top left.
int BandPlot::pointsWithin(const QRectF& box) const {
    constexpr int steps = 40; // between two points
    const auto placeOf = [this](double x, double y) {
        const QCPRange &across = m_plot->xAxis->range(), &up = m_plot->yAxis->range();
        const auto scaled = [&](double value) { return m_data.isLogarithmic ? std::log(std::max(value, 1e-9)) : value; };
        const double width = scaled(across.upper) - scaled(across.lower);
        return QPointF((scaled(x) - scaled(across.lower)) / std::max(width, 1e-9), 1 - (y - up.lower) / up.size());
    };
    int within = 0;
    for (const BandData::Line& line : m_data.lines)
        for (std::size_t i = 0; i + 1 < line.points.size(); ++i)
            for (double BandPoint::*height : {&BandPoint::y, &BandPoint::low, &BandPoint::high}) {
                const BandPoint &from = line.points[i], &to = line.points[i + 1];
                const QPointF a = placeOf(from.x, from.*height), b = placeOf(to.x, to.*height);
                for (int step = 0; step <= steps; ++step) within += box.contains(a + (b - a) * step / steps) ? 1 : 0;
            }
    return within;
}

// In the corner that the lines leave free; a flag has the top.
void BandPlot::drawLegend() {
    constexpr double pitch = 0.08, width = 0.45;
    const double height = pitch * static_cast<double>(m_data.lines.size() + (m_data.bandName.isEmpty() ? 0 : 1));
    QRectF best;
    int fewest = std::numeric_limits<int>::max();
    for (const double top : {0.03, 0.97 - height})
        for (const double left : {0.97 - width, 0.03}) {
            const QRectF corner(left, m_data.flag ? std::max(top, 0.2) : top, width, height);
            if (const int within = pointsWithin(corner); within < fewest) fewest = within, best = corner;
        }
    const bool isRight = best.left() > 0.5 - width / 2;
    const auto place = [&](QCPItemText* words, double line) {
        words->position->setType(QCPItemPosition::ptAxisRectRatio);
        words->position->setCoords(isRight ? best.right() : best.left(), best.top() + pitch * (line + 0.5));
        words->setPositionAlignment((isRight ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    };
    double line = 0;
    for (const BandData::Line& each : m_data.lines) {
        auto* words = new QCPItemText(m_plot);
        place(words, line++);
        words->setText(each.note.isEmpty() ? each.name : each.name + QStringLiteral("  ") + each.note);
        QFont bold = fontFor(TextRole::Caption);
        bold.setBold(true);
        words->setFont(bold);
        words->setColor(colorOf(each));
        words->setPadding(QMargins(3, 1, 3, 1));
        words->setBrush(m_tokens.canvas);
    }
    if (m_data.bandName.isEmpty()) return;
    auto* words = new QCPItemText(m_plot);
    place(words, line);
    words->setText(QStringLiteral("- -  ") + m_data.bandName);
    words->setFont(fontFor(TextRole::Caption));
    words->setColor(m_tokens.text2);
}

void BandPlot::drawAxes() {
    double first = std::numeric_limits<double>::max(), last = 0;
    for (const BandData::Line& line : m_data.lines)
        if (!line.points.empty()) first = std::min(first, line.points.front().x), last = std::max(last, line.points.back().x);
    first = std::min(first, last);
    m_plot->xAxis->setScaleType(m_data.isLogarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (m_data.isLogarithmic)
        m_plot->xAxis->setTicker(QSharedPointer<QCPAxisTickerLog>(new QCPAxisTickerLog));
    else
        m_plot->xAxis->setTicker(wholeTicks(last - first));
    m_plot->xAxis->setRange(first, std::max(last, first + 1e-9));
    m_plot->yAxis->setRange(m_data.least, m_data.most + (m_data.flag ? 0.2 : 0.04) * (m_data.most - m_data.least));
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (int step = 0; step <= 4; ++step) {
        const double value = m_data.least + (m_data.most - m_data.least) * step / 4;
        ticker->addTick(value, m_data.isPercent ? tr("%1 %").arg(value * 100, 0, 'f', m_data.most - m_data.least < 0.04 ? 1 : 0)
                                                : QString::number(value, 'f', 2));
    }
    m_plot->yAxis->setTicker(ticker);
    m_plot->xAxis->setNumberFormat(QStringLiteral("f"));
    m_plot->xAxis->setNumberPrecision(0);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setLabel(axis == m_plot->xAxis ? m_data.xName : QString());
        styleAxis(*axis);
        axis->grid()->setPen(QPen(m_tokens.grid, 1));
        axis->grid()->setZeroLinePen(QPen(m_tokens.grid, 1));
    }
}

} // namespace railyard
