#include "widgets/plots/parallel_plot.h"

#include <QEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <limits>
#include <qcustomplot.h>

namespace railyard {

namespace {

// A name in lines that fit side by side: one that would be cut off is not drawn at all.
QString inLines(const QString& name) {
    constexpr qsizetype most = 13; // characters, but for longer words
    QString lines;
    qsizetype length = 0;
    for (const QString& word : name.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const bool isNew = length > 0 && length + 1 + word.size() > most;
        if (!lines.isEmpty()) lines += QLatin1Char(isNew ? '\n' : ' ');
        length = isNew ? word.size() : length + word.size() + 1;
        lines += word;
    }
    return lines;
}

} // namespace

ParallelPlot::ParallelPlot(QWidget* parent) : PlotPage(parent) { m_plot->setAccessibleName(tr("Parallel coordinates")); }

void ParallelPlot::show(const ParallelData& shown, const Tokens& tokens) {
    m_data = shown;
    setWords(m_data.title, m_data.subtitle, tokens);
    setHint(m_data.hint);
    m_highlight = nullptr;
    drawAxes();
    addLines(false);
    addLines(true);
    m_highlight = new QCPCurve(m_plot->xAxis, m_plot->yAxis);
    m_highlight->setPen(QPen(m_tokens.text, 2.6));
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

// One curve with gaps for all of them: thousands of plottables would be slow.
void ParallelPlot::addLines(bool areMarked) {
    auto* curve = new QCPCurve(m_plot->xAxis, m_plot->yAxis);
    QColor color = areMarked ? m_tokens.accent : m_tokens.neutral;
    if (!areMarked) color.setAlpha(m_data.lines.size() > 200 ? 60 : 120);
    curve->setAntialiased(m_data.lines.size() <= 200); // which takes seconds with thousands
    curve->setPen(QPen(color, areMarked ? 2 : 1.2));
    double order = 0;
    for (const ParallelData::Line& line : m_data.lines) {
        if (line.isMarked != areMarked) continue;
        for (std::size_t a = 0; a < line.heights.size(); ++a)
            curve->addData(order++, static_cast<double>(a), line.heights[a].value_or(std::numeric_limits<double>::quiet_NaN()));
        curve->addData(order++, 0, std::numeric_limits<double>::quiet_NaN());
    }
}

void ParallelPlot::drawAxes() {
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (std::size_t a = 0; a < m_data.axes.size(); ++a) {
        names->addTick(static_cast<double>(a), inLines(m_data.axes[a].name));
        auto* upright = new QCPItemStraightLine(m_plot);
        upright->point1->setCoords(static_cast<double>(a), 0);
        upright->point2->setCoords(static_cast<double>(a), 1);
        upright->setPen(QPen(m_tokens.controlBorder, 1));
        for (const auto& [height, words] : m_data.axes[a].labels) {
            auto* label = new QCPItemText(m_plot);
            label->position->setCoords(static_cast<double>(a), height);
            label->setPositionAlignment((a + 1 == m_data.axes.size() ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
            label->setPadding(QMargins(5, 1, 5, 1));
            label->setText(words);
            label->setFont(fontFor(TextRole::Caption));
            label->setColor(m_tokens.text);
            QColor ground = m_tokens.canvas;
            ground.setAlpha(200);
            label->setBrush(ground);
            label->setLayer(QStringLiteral("overlay")); // above the lines
        }
    }
    m_plot->xAxis->setTicker(names);
    constexpr double room = 0.45; // for the names of the first and the last axis
    m_plot->xAxis->setRange(-room, std::max<double>(1, static_cast<double>(m_data.axes.size()) - 1) + room);
    m_plot->yAxis->setRange(-0.05, 1.05);
    m_plot->yAxis->setTicks(false);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        styleAxis(*axis);
        axis->grid()->setVisible(false);
        axis->setBasePen(QPen(Qt::NoPen));
    }
}

std::optional<std::size_t> ParallelPlot::lineAt(QPoint position) const {
    constexpr double reach = 8; // px
    std::optional<std::size_t> nearest;
    double least = reach;
    const double x = m_plot->xAxis->pixelToCoord(position.x());
    if (x < 0) return {};
    const auto left = static_cast<std::size_t>(x);
    for (std::size_t i = 0; i < m_data.lines.size(); ++i) {
        const auto& heights = m_data.lines[i].heights;
        if (left + 1 >= heights.size() || !heights[left] || !heights[left + 1]) continue;
        const double height = *heights[left] + (*heights[left + 1] - *heights[left]) * (x - static_cast<double>(left));
        const double away = std::abs(m_plot->yAxis->coordToPixel(height) - position.y());
        if (away <= least) nearest = i, least = away;
    }
    return nearest;
}

void ParallelPlot::highlight(std::optional<std::size_t> line) {
    if (!m_highlight) return;
    m_highlighted = line;
    m_highlight->data()->clear();
    if (line)
        for (std::size_t a = 0; a < m_data.axes.size(); ++a)
            if (const auto height = m_data.lines[*line].heights[a])
                m_highlight->addData(static_cast<double>(a), static_cast<double>(a), *height);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool ParallelPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_plot && (event->type() == QEvent::MouseMove || event->type() == QEvent::MouseButtonDblClick)) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const auto line = lineAt(mouse->pos());
        if (event->type() == QEvent::MouseMove) {
            if (line != m_highlighted) highlight(line);
            showToolTip(mouse->globalPosition().toPoint() + QPoint(14, 14), line ? m_data.tip(m_data.lines[*line].row) : RichText(),
                        m_plot);
        } else if (line)
            emit chosen(m_data.lines[*line].row);
    }
    return PlotPage::eventFilter(watched, event);
}

} // namespace railyard
