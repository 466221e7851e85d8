#include "widgets/plots/matrix_map.h"

#include "core/base/unit_text.h"
#include "core/routing/pair_path.h"
#include "widgets/plots/color_ramp.h"
#include "widgets/theme/plain_text.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace railyard {
namespace {

QString gbytes(double bytes) {
    if (bytes < 1e8) return QObject::tr("%1 MB").arg(bytes / 1e6, 0, 'g', 3);
    const double value = bytes / 1e9;
    return value >= 100 ? QObject::tr("%1 GB").arg(QLocale::c().toString(value, 'f', 0)) : QObject::tr("%1 GB").arg(value, 0, 'g', 3);
}

constexpr double decades = 4; // range of the colour scale below the largest cell

QColor inkOf(Parallel kind, const Tokens& tokens) {
    static constexpr int rails[] = {6, 1, 4, 8, 3}; // indexed by Parallel; safe for colour-blind readers
    return tokens.rail(rails[static_cast<std::size_t>(kind)], 8);
}

// From a faint tint (level 0) to the full colour (level 1).
QColor kindColor(Parallel kind, double level, const Tokens& tokens) {
    const QColor ink = inkOf(kind, tokens), ground = tokens.well;
    const double part = 0.3 + 0.7 * std::clamp(level, 0.0, 1.0);
    const auto mixed = [&](int from, int to) { return static_cast<int>(std::lround(from + (to - from) * part)); };
    return {mixed(ground.red(), ink.red()), mixed(ground.green(), ink.green()), mixed(ground.blue(), ink.blue())};
}

// Draws the cells. If several fall on one pixel, the largest is shown.
class CellLayer : public QCPAbstractItem {
public:
    CellLayer(QCustomPlot* plot, const MatrixMapData& data, const Tokens& tokens)
        : QCPAbstractItem(plot),
          m_matrix(data.matrix),
          m_tokens(tokens),
          m_isByKind(data.isByKind),
          m_most(m_matrix->most()) {}
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    static constexpr int dot = 3; // px, the smallest dot that is easy to see

protected:
    void draw(QCPPainter* painter) override {
        const QRect area = mParentPlot->axisRect()->rect();
        painter->save();
        painter->setClipRect(area);
        painter->setAntialiasing(false);
        const double pixels = std::abs(x(1) - x(0));
        pixels < dot ? drawDots(painter, area) : drawRectangles(painter, pixels);
        drawDomains(painter, pixels);
        if (pixels > 4) drawRails(painter);
        painter->restore();
    }

private:
    double x(double column) const { return mParentPlot->xAxis->coordToPixel(column + 1); } // indices count from 1, as in paths
    double y(double row) const { return mParentPlot->yAxis->coordToPixel(row + 1); }
    QColor colorOf(const TrafficMatrix::Cell& cell) const {
        const double level = 1 + std::log10(std::max(cell.total() / m_most, 1e-30)) / decades;
        return m_isByKind ? kindColor(cell.kind(), level, m_tokens) : rampAt(sequential(m_tokens.scale), level);
    }

    void drawDots(QCPPainter* painter, const QRect& area) {
        const int columns = area.width() / dot + 1, rows = area.height() / dot + 1;
        std::vector<const TrafficMatrix::Cell*> most(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
        for (const TrafficMatrix::Cell& cell : m_matrix->cells) {
            const double column = (x(cell.column) - area.left()) / dot, row = (y(cell.row) - area.top()) / dot;
            if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
            auto& at = most[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
            if (!at || cell.total() > at->total()) at = &cell;
        }
        for (std::size_t i = 0; i < most.size(); ++i) {
            const auto column = static_cast<int>(i % static_cast<std::size_t>(columns)),
                       row = static_cast<int>(i / static_cast<std::size_t>(columns));
            if (most[i]) painter->fillRect(QRect(area.left() + column * dot, area.top() + row * dot, dot, dot), colorOf(*most[i]));
        }
    }
    void drawRectangles(QCPPainter* painter, double pixels) {
        const QCPRange columns = mParentPlot->xAxis->range(), rows = mParentPlot->yAxis->range();
        for (const TrafficMatrix::Cell& cell : m_matrix->cells) {
            if (cell.row + 2 < rows.lower || cell.row > rows.upper || cell.column + 2 < columns.lower || cell.column > columns.upper)
                continue;
            const double gap = pixels > 6 ? 1 : 0;
            const QRectF rectangle(QPointF(x(cell.column - 0.5), y(cell.row - 0.5)),
                                   QPointF(x(cell.column + 0.5) - gap, y(cell.row + 0.5) - gap));
            painter->fillRect(rectangle, colorOf(cell));
            // Each kind has its own mark in the corner, so that colour is not the only sign.
            if (pixels < 7 || m_isByKind) continue;
            const double side = std::min(pixels / 2.2, 10.0);
            painter->fillRect(QRectF(rectangle.topLeft(), QSizeF(side, side)), m_tokens.canvas);
            painter->fillRect(QRectF(rectangle.topLeft(), QSizeF(side - 1, side - 1)), inkOf(cell.kind(), m_tokens));
        }
    }
    void drawDomains(QCPPainter* painter, double pixels) {
        const auto& domains = m_matrix->domains;
        painter->setBrush(Qt::NoBrush);
        painter->setPen(QPen(m_tokens.text, 1));
        for (std::size_t first = 0, next; first < domains.size(); first = next) {
            for (next = first + 1; next < domains.size() && domains[next] == domains[first] && domains[first] != noDomain;) ++next;
            if (next - first < 2 || pixels * static_cast<double>(next - first) < 5) continue;
            const double low = static_cast<double>(first) - 0.5, high = static_cast<double>(next) - 0.5;
            painter->drawRect(QRectF(QPointF(x(low), y(low)), QPointF(x(high) - 1, y(high) - 1)));
        }
    }

    // Cells of one rail lie on the diagonal between two domains; those of pipeline traffic are dashed.
    void drawRails(QCPPainter* painter) {
        const QPen solid(m_tokens.text, 1), dashed(m_tokens.text, 1, Qt::DashLine);
        const QCPRange columns = mParentPlot->xAxis->range(), rows = mParentPlot->yAxis->range();
        painter->setAntialiasing(true);
        for (const TrafficMatrix::Cell& cell : m_matrix->cells) {
            if (!cell.isAlongRail || cell.row + 2 < rows.lower || cell.row > rows.upper || cell.column + 2 < columns.lower ||
                cell.column > columns.upper)
                continue;
            painter->setPen(cell.kind() == Parallel::Pipeline ? dashed : solid);
            painter->drawLine(QPointF(x(cell.column), y(cell.row - 1.0)), QPointF(x(cell.column + 1.0), y(cell.row)));
            painter->drawLine(QPointF(x(cell.column - 1.0), y(cell.row)), QPointF(x(cell.column), y(cell.row + 1.0)));
        }
        painter->setAntialiasing(false);
    }

    static constexpr std::uint32_t noDomain = 0xffffffff;
    std::shared_ptr<const TrafficMatrix> m_matrix;
    const Tokens m_tokens;
    const bool m_isByKind;
    const double m_most;
};

} // namespace

MatrixMap::MatrixMap(QWidget* parent) : PlotPage(parent) {
    m_plot->setAccessibleName(tr("GPU-to-GPU traffic matrix"));
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->xAxis2->setVisible(true);
    m_plot->xAxis->setVisible(false);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msTop);
    connect(m_plot, &QCustomPlot::beforeReplot, this, [this] { keepInside(); });
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
        keepSquare();
        setSubtitle(subtitle());
        setHint(hint());
    });
    m_legend = richLabel();
    m_legend->setWordWrap(true);
    addLegend(m_legend);
}

void MatrixMap::show(const MatrixMapData& shown, const Tokens& tokens) {
    const bool isNew = shown.matrix != m_data.matrix;
    m_data = shown;
    m_cross = {}; // the plot deletes them with its old items
    setWords(shown.title, subtitle(), tokens);
    m_plot->setVisible(shown.matrix != nullptr);
    m_legend->setVisible(shown.matrix != nullptr);
    if (!shown.matrix) return;
    if (isNew) {
        const double rows = static_cast<double>(shown.matrix->names.size());
        m_plot->xAxis->setRange(0.5, rows + 0.5);
        m_plot->yAxis->setRange(0.5, rows + 0.5);
    }
    new CellLayer(m_plot, shown, m_tokens); // the plot owns it
    for (auto*& band : m_cross) {
        band = new QCPItemRect(m_plot);
        band->setPen(QPen(m_tokens.accent, 1));
        band->setVisible(false);
    }
    drawAxes();
    setRichText(*m_legend, legend());
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

double MatrixMap::rowsPerPixel() const {
    const int pixels = std::max(1, std::min(m_plot->axisRect()->width(), m_plot->axisRect()->height()));
    return m_plot->xAxis->range().size() / pixels;
}

QString MatrixMap::subtitle() const {
    const int pairs = static_cast<int>(std::ceil(CellLayer::dot * rowsPerPixel()));
    if (!m_data.matrix || rowsPerPixel() * CellLayer::dot <= 1) return m_data.subtitle;
    return m_data.subtitle + tr(" Each dot shows the largest of %1 × %1 pairs.").arg(pairs);
}

QString MatrixMap::hint() const {
    return m_data.matrix && rowsPerPixel() * CellLayer::dot > 1 ? tr("Zoom in to see single pairs.") : QString();
}

// Keeps the plot square in any window; the left and top margins follow the labels.
void MatrixMap::keepSquare() {
    constexpr int least = 12;
    QCPAxisRect* axes = m_plot->axisRect();
    const QMargins now = axes->margins();
    const QSize room = axes->outerRect().size() - QSize(now.left(), now.top());
    const int side = std::max(1, std::min(room.width(), room.height()) - least);
    axes->setMargins({now.left(), now.top(), room.width() - side, room.height() - side});
    const int wanted = axes->outerRect().height() - now.top() + now.left(); // the legend stands beside the square, not beside empty room
    if (m_plot->maximumWidth() != wanted) m_plot->setMaximumWidth(std::max(m_plot->minimumWidth(), wanted));
}

// Limits zoom and pan to the matrix and keeps the axes equal. Runs before each replot, when both axes have moved.
void MatrixMap::keepInside() {
    if (!m_data.matrix) return;
    const double rows = static_cast<double>(m_data.matrix->names.size());
    const double most = std::max(m_plot->xAxis->range().size(), m_plot->yAxis->range().size());
    const double size = std::clamp(most, std::min(4.0, rows), rows);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        const double lower = std::clamp(axis->range().center() - size / 2, 0.5, rows + 0.5 - size);
        axis->setRange(lower, lower + size);
    }
    m_plot->xAxis2->setRange(m_plot->xAxis->range());
}

void MatrixMap::drawAxes() {
    const bool isGpu = m_data.what == QStringLiteral("GPU");
    const QString count = QString::fromStdString(formatCount(static_cast<std::int64_t>(m_data.matrix->names.size())));
    for (QCPAxis* axis : {m_plot->xAxis2, m_plot->yAxis}) {
        const QSharedPointer<QCPAxisTicker> ticker(new QCPAxisTicker);
        ticker->setTickStepStrategy(QCPAxisTicker::tssReadability);
        axis->setTicker(ticker);
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(0);
        styleAxis(*axis);
        axis->grid()->setVisible(false);
    }
    m_plot->yAxis->setRangeReversed(true);
    m_plot->xAxis2->setRange(m_plot->xAxis->range());
    m_plot->xAxis2->setLabel(isGpu ? tr("Receiver: GPU 1 … %1, in path order").arg(count)
                                   : tr("Receiver: %1 1 … %2, in path order").arg(m_data.what, count));
    m_plot->yAxis->setLabel(isGpu ? tr("Sender: GPU") : tr("Sender: %1").arg(m_data.what));
    m_plot->axisRect()->setBackground(m_tokens.well);
}

RichText MatrixMap::legend() const {
    const TrafficMatrix& matrix = *m_data.matrix;
    double total = 0;
    for (const double bytes : matrix.bytes) total += bytes;
    const QString names[] = {tr("tensor"), tr("context"), tr("expert"), tr("data"), tr("pipeline")};
    RichText words = RichText::markup(tr("<b>Bytes per iteration</b><br>")), bar;
    for (const Parallel kind : allParallel) {
        const double bytes = matrix.bytes[static_cast<std::size_t>(kind)];
        if (bytes <= 0) continue;
        const QString color = inkOf(kind, m_tokens).name(), name = QString::fromUtf8(toText(kind).data()).toUpper();
        double most = 0;
        for (const TrafficMatrix::Cell& cell : matrix.cells) most = std::max(most, cell.bytes[static_cast<std::size_t>(kind)]);
        words += RichText::filled(QStringLiteral("<br><span style='color:%1'>■</span> <b>%2</b> %3 %4&nbsp;%<br>&nbsp;&nbsp;&nbsp; %5<br>"),
                                  color, name, names[static_cast<std::size_t>(kind)],
                                  QString::number(bytes / total * 100, 'f', bytes / total < 0.01 ? 2 : 1),
                                  tr("up to %1 per pair").arg(gbytes(most)));
        const int width = std::max(1, static_cast<int>(std::lround(bytes / total * 40)));
        bar += RichText::filled(QStringLiteral("<span style='background-color:%1'>%2</span>"), color,
                                RichText::markup(QStringLiteral("&nbsp;").repeated(width)));
    }
    const auto scaleOf = [](const auto& colorAt) {
        RichText scale;
        for (int i = 0; i <= 16; ++i)
            scale += RichText::filled(QStringLiteral("<span style='background-color:%1'>&nbsp;&nbsp;</span>"), colorAt(i / 16.0).name());
        return scale;
    };
    const Parallel most = static_cast<Parallel>(std::max_element(matrix.bytes.begin(), matrix.bytes.end()) - matrix.bytes.begin());
    const RichText scale = m_data.isByKind ? scaleOf([&](double level) { return kindColor(most, level, m_tokens); })
                                           : scaleOf([&](double level) { return rampAt(sequential(m_tokens.scale), level); });
    return words +
           RichText::filled(tr("<br>%1<br>Share of all bytes<br><br>Bytes per pair (log scale):<br>%2 %3 %4<br>"), bar,
                            gbytes(matrix.most() / std::pow(10, decades)), scale, gbytes(matrix.most())) +
           RichText::markup((m_data.isByKind ? tr("Colour: kind with the most bytes<br>") : QString()) +
                            tr("Empty: no traffic<br>Outlined: HB domains") +
                            (matrix.onRails > 0 ? tr("<br>Diagonal lines: same rail") : QString()));
}

// The largest of the cells that the dot under the pointer stands for.
const TrafficMatrix::Cell* MatrixMap::cellBelow(QPoint position) const {
    if (!m_data.matrix) return nullptr;
    const TrafficMatrix& matrix = *m_data.matrix;
    const QRect area = m_plot->axisRect()->rect();
    if (!area.contains(position)) return nullptr;
    // The cells under the pointer: a single one, or all cells of a dot.
    const bool isDot = rowsPerPixel() * CellLayer::dot > 1;
    const auto span = [&](QCPAxis* axis, int at, int start) {
        const int first = start + (at - start) / CellLayer::dot * CellLayer::dot;
        if (isDot) return std::pair(axis->pixelToCoord(first) - 1, axis->pixelToCoord(first + CellLayer::dot) - 1);
        const double cell = std::round(axis->pixelToCoord(at) - 1);
        return std::pair(cell, cell + 0.5);
    };
    const auto [left, right] = span(m_plot->xAxis, position.x(), area.left());
    const auto [top, bottom] = span(m_plot->yAxis, position.y(), area.top());
    const TrafficMatrix::Cell* found = nullptr;
    auto cell = std::lower_bound(matrix.cells.begin(), matrix.cells.end(), std::max(0.0, std::ceil(top)),
                                 [](const TrafficMatrix::Cell& each, double at) { return each.row < at; });
    for (; cell != matrix.cells.end() && cell->row < bottom; ++cell)
        if (cell->column >= left && cell->column < right && (!found || cell->total() > found->total())) found = &*cell;
    return found;
}

RichText MatrixMap::tipAt(QPoint position) const {
    const TrafficMatrix::Cell* found = cellBelow(position);
    if (!found) return {};
    const TrafficMatrix& matrix = *m_data.matrix;
    RichText text = RichText::filled(QStringLiteral("<b>%1 → %2</b>"), QString::fromStdString(matrix.names[found->row]),
                                     QString::fromStdString(matrix.names[found->column]));
    for (const Parallel kind : allParallel)
        if (const double bytes = found->bytes[static_cast<std::size_t>(kind)]; bytes > 0)
            text += RichText::filled(QStringLiteral("<br>%1 %2"), QString::fromUtf8(toText(kind).data()).toUpper(), gbytes(bytes));
    constexpr std::size_t mostLinks = 100'000; // a path search on more links is too slow while the pointer moves
    if (!m_data.fabric || m_data.fabric->links.size() > mostLinks) return text;
    if (const auto path = pathBetween(*m_data.fabric, matrix.gpus[found->row], matrix.gpus[found->column]))
        text += RichText::filled(QStringLiteral("<br>%1%2"), QString::fromStdString(path->words),
                                 path->isForwarded ? tr(" (forwarded)") : QString());
    return text + RichText::markup(tr("<br>Double-click to show the pair on the drawing."));
}

// Frames the row and the column of the pair under the pointer.
void MatrixMap::moveCross(const TrafficMatrix::Cell* cell) {
    if (!m_data.matrix || !m_cross[0] || (!cell && !m_cross[0]->visible())) return;
    const double rows = static_cast<double>(m_data.matrix->names.size());
    for (QCPItemRect* band : m_cross) band->setVisible(cell != nullptr);
    if (cell) {
        const double row = cell->row + 1.0, column = cell->column + 1.0;
        m_cross[0]->topLeft->setCoords(0.5, row - 0.5);
        m_cross[0]->bottomRight->setCoords(rows + 0.5, row + 0.5);
        m_cross[1]->topLeft->setCoords(column - 0.5, 0.5);
        m_cross[1]->bottomRight->setCoords(column + 0.5, rows + 0.5);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

bool MatrixMap::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const RichText tip = mouse->buttons() ? RichText() : tipAt(mouse->pos());
        moveCross(mouse->buttons() ? nullptr : cellBelow(mouse->pos()));
        showToolTip(mouse->globalPosition().toPoint() + QPoint(14, 14), tip, m_plot);
    }
    if (event->type() == QEvent::Leave) moveCross(nullptr);
    if (event->type() == QEvent::MouseButtonDblClick)
        if (const TrafficMatrix::Cell* cell = cellBelow(static_cast<QMouseEvent*>(event)->pos()))
            emit pairChosen(m_data.matrix->gpus[cell->row], m_data.matrix->gpus[cell->column]);
    return PlotPage::eventFilter(watched, event);
}

} // namespace railyard
