#include "widgets/views/matrix_map.h"

#include "widgets/views/color_ramp.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QToolTip>
#include <cmath>
#include <qcustomplot.h>

namespace railyard {
namespace {

QString gbytes(double bytes) {
    const double value = bytes / 1e9;
    return value >= 100 ? QObject::tr("%1 GB").arg(QLocale::c().toString(value, 'f', 0)) : QObject::tr("%1 GB").arg(value, 0, 'g', 3);
}

constexpr double decades = 4; // of the colour scale, below the largest cell

QColor inkOf(Parallel kind, const Tokens& tokens) {
    static constexpr int rails[] = {6, 1, 4, 8, 3}; // by Parallel; colours that everybody can tell apart
    return tokens.rail(rails[static_cast<std::size_t>(kind)], 8);
}

// The cells themselves. Where several fall on a pixel the largest is seen.
class CellLayer : public QCPAbstractItem {
public:
    CellLayer(QCustomPlot* plot, std::shared_ptr<const TrafficMatrix> matrix, const Tokens& tokens)
        : QCPAbstractItem(plot),
          m_matrix(std::move(matrix)),
          m_tokens(tokens),
          m_most(m_matrix->most()) {}
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    static constexpr int dot = 3; // px, the least that is seen well

protected:
    void draw(QCPPainter* painter) override {
        const QRect area = mParentPlot->axisRect()->rect();
        painter->save();
        painter->setClipRect(area);
        painter->setAntialiasing(false);
        const double pixels = std::abs(x(1) - x(0));
        pixels < dot ? drawDots(painter, area) : drawRectangles(painter, pixels);
        drawDomains(painter, pixels);
        painter->restore();
    }

private:
    double x(double column) const { return mParentPlot->xAxis->coordToPixel(column + 1); } // counted from 1, as in paths
    double y(double row) const { return mParentPlot->yAxis->coordToPixel(row + 1); }
    QColor colorOf(double bytes) const { return rampAt(viridis(), 1 + std::log10(std::max(bytes / m_most, 1e-30)) / decades); }

    void drawDots(QCPPainter* painter, const QRect& area) {
        const int columns = area.width() / dot + 1, rows = area.height() / dot + 1;
        std::vector<double> most(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
        for (const TrafficMatrix::Cell& cell : m_matrix->cells) {
            const double column = (x(cell.column) - area.left()) / dot, row = (y(cell.row) - area.top()) / dot;
            if (column < 0 || row < 0 || column >= columns || row >= rows) continue;
            double& at = most[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
            at = std::max(at, cell.total());
        }
        for (std::size_t i = 0; i < most.size(); ++i) {
            const auto column = static_cast<int>(i % static_cast<std::size_t>(columns)),
                       row = static_cast<int>(i / static_cast<std::size_t>(columns));
            if (most[i] > 0) painter->fillRect(QRect(area.left() + column * dot, area.top() + row * dot, dot, dot), colorOf(most[i]));
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
            painter->fillRect(rectangle, colorOf(cell.total()));
            // A mark by kind in the corner, so that the colour of the volume is not the only sign.
            if (pixels < 7) continue;
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

    static constexpr std::uint32_t noDomain = 0xffffffff;
    std::shared_ptr<const TrafficMatrix> m_matrix;
    const Tokens m_tokens;
    const double m_most;
};

} // namespace

MatrixMap::MatrixMap(QWidget* parent) : PlotPage(parent) {
    m_plot->setAccessibleName(tr("Traffic, GPU by GPU"));
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->xAxis2->setVisible(true);
    m_plot->xAxis->setVisible(false);
    m_plot->axisRect()->setAutoMargins(QCP::msLeft | QCP::msTop);
    connect(m_plot->xAxis, QOverload<const QCPRange&>::of(&QCPAxis::rangeChanged), this, [this] { keepInside(); });
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] {
        keepSquare();
        setSubtitle(subtitle());
    });
    m_legend = new QLabel;
    m_legend->setWordWrap(true);
    addBeside(m_legend);
}

void MatrixMap::show(const MatrixMapData& shown, const Tokens& tokens) {
    const bool isNew = shown.matrix != m_data.matrix;
    m_data = shown;
    setWords(shown.title, subtitle(), tokens);
    m_plot->setVisible(shown.matrix != nullptr);
    m_legend->setVisible(shown.matrix != nullptr);
    if (!shown.matrix) return;
    if (isNew) {
        const double rows = static_cast<double>(shown.matrix->names.size());
        m_plot->xAxis->setRange(0.5, rows + 0.5);
        m_plot->yAxis->setRange(0.5, rows + 0.5);
    }
    new CellLayer(m_plot, shown.matrix, m_tokens); // the plot owns it
    drawAxes();
    m_legend->setText(legend());
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
}

double MatrixMap::rowsPerPixel() const {
    const int pixels = std::max(1, std::min(m_plot->axisRect()->width(), m_plot->axisRect()->height()));
    return m_plot->xAxis->range().size() / pixels;
}

QString MatrixMap::subtitle() const {
    const int pairs = static_cast<int>(std::ceil(CellLayer::dot * rowsPerPixel()));
    if (!m_data.matrix || rowsPerPixel() * CellLayer::dot <= 1) return m_data.subtitle;
    return m_data.subtitle + tr(" A dot is the largest of %1 × %1 pairs; zoom in for each.").arg(pairs);
}

// The axes leave a square, whatever room there is; left and top margins follow the labels.
void MatrixMap::keepSquare() {
    constexpr int least = 12;
    QCPAxisRect* axes = m_plot->axisRect();
    const QMargins now = axes->margins();
    const QSize room = axes->outerRect().size() - QSize(now.left(), now.top());
    const int side = std::max(1, std::min(room.width(), room.height()) - least);
    axes->setMargins({now.left(), now.top(), room.width() - side, room.height() - side});
}

// No further out than the whole.
void MatrixMap::keepInside() {
    if (!m_data.matrix) return;
    const double rows = static_cast<double>(m_data.matrix->names.size());
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        const QCPRange range = axis->range();
        const double size = std::clamp(range.size(), std::min(4.0, rows), rows), lower = std::clamp(range.lower, 0.5, rows + 0.5 - size);
        if (size != range.size() || lower != range.lower) axis->setRange(lower, lower + size);
    }
    m_plot->xAxis2->setRange(m_plot->xAxis->range());
}

void MatrixMap::drawAxes() {
    const bool isGpu = m_data.what == QStringLiteral("GPU");
    const auto count = QLocale::c().toString(static_cast<qlonglong>(m_data.matrix->names.size()));
    for (QCPAxis* axis : {m_plot->xAxis2, m_plot->yAxis}) {
        const QSharedPointer<QCPAxisTicker> ticker(new QCPAxisTicker);
        ticker->setTickStepStrategy(QCPAxisTicker::tssReadability);
        axis->setTicker(ticker);
        axis->setNumberFormat(QStringLiteral("f"));
        axis->setNumberPrecision(0);
        axis->setTickLabelFont(fontFor(TextRole::Caption));
        axis->setLabelFont(fontFor(TextRole::Caption));
        axis->setTickLabelColor(m_tokens.text);
        axis->setLabelColor(m_tokens.text2);
        axis->setBasePen(QPen(m_tokens.controlBorder, 1));
        axis->setTickPen(QPen(m_tokens.controlBorder, 1));
        axis->setSubTickPen(QPen(Qt::NoPen));
        axis->grid()->setVisible(false);
    }
    m_plot->yAxis->setRangeReversed(true);
    m_plot->xAxis2->setRange(m_plot->xAxis->range());
    m_plot->xAxis2->setLabel(isGpu ? tr("receives: GPU 1 … %1, by path").arg(count)
                                   : tr("receives: %1 1 … %2, by path").arg(m_data.what, count));
    m_plot->yAxis->setLabel(isGpu ? tr("sends: GPU") : tr("sends: %1").arg(m_data.what));
    m_plot->axisRect()->setBackground(m_tokens.well);
}

QString MatrixMap::legend() const {
    const TrafficMatrix& matrix = *m_data.matrix;
    double total = 0;
    for (const double bytes : matrix.bytes) total += bytes;
    static const QString names[] = {tr("tensor"), tr("context"), tr("expert"), tr("data"), tr("pipeline")};
    QString words = tr("<b>Bytes of one iteration</b><br>"), bar;
    for (const Parallel kind : allParallel) {
        const double bytes = matrix.bytes[static_cast<std::size_t>(kind)];
        if (bytes <= 0) continue;
        const QString color = inkOf(kind, m_tokens).name(), name = QString::fromUtf8(toText(kind).data()).toUpper();
        double most = 0;
        for (const TrafficMatrix::Cell& cell : matrix.cells) most = std::max(most, cell.bytes[static_cast<std::size_t>(kind)]);
        words += QStringLiteral("<br><span style='color:%1'>■</span> <b>%2</b> %3 %4&nbsp;%<br>&nbsp;&nbsp;&nbsp; ")
                     .arg(color, name, names[static_cast<std::size_t>(kind)])
                     .arg(bytes / total * 100, 0, 'f', bytes / total < 0.01 ? 2 : 1) +
                 tr("up to %1 a pair").arg(gbytes(most)) + QStringLiteral("<br>");
        const int width = std::max(1, static_cast<int>(std::lround(bytes / total * 40)));
        bar += QStringLiteral("<span style='background-color:%1'>%2</span>").arg(color, QStringLiteral("&nbsp;").repeated(width));
    }
    QString scale;
    for (int i = 0; i <= 16; ++i)
        scale += QStringLiteral("<span style='background-color:%1'>&nbsp;&nbsp;</span>").arg(rampAt(viridis(), i / 16.0).name());
    return words + QStringLiteral("<br>%1<br>").arg(bar) + tr("share of all bytes<br><br>A pair, log scale:") +
           QStringLiteral("<br>%1 %2 %3<br>").arg(gbytes(matrix.most() / std::pow(10, decades)), scale, gbytes(matrix.most())) +
           tr("empty: nothing sent<br>outlined: HB domains");
}

QString MatrixMap::tipAt(QPoint position) const {
    if (!m_data.matrix) return {};
    const TrafficMatrix& matrix = *m_data.matrix;
    const double reach = std::max(0.0, rowsPerPixel() - 1);
    const double column = m_plot->xAxis->pixelToCoord(position.x()) - 1, row = m_plot->yAxis->pixelToCoord(position.y()) - 1;
    const TrafficMatrix::Cell* found = nullptr;
    const auto from = std::lower_bound(matrix.cells.begin(), matrix.cells.end(), std::max(0.0, std::round(row - reach)),
                                       [](const TrafficMatrix::Cell& cell, double at) { return cell.row < at; });
    for (auto cell = from; cell != matrix.cells.end() && cell->row <= row + reach + 0.5; ++cell)
        if (std::abs(cell->column - column) <= reach + 0.5 && (!found || cell->total() > found->total())) found = &*cell;
    if (!found) return {};
    QString text = QStringLiteral("<b>%1 → %2</b>")
                       .arg(QString::fromStdString(matrix.names[found->row]), QString::fromStdString(matrix.names[found->column]));
    for (const Parallel kind : allParallel)
        if (const double bytes = found->bytes[static_cast<std::size_t>(kind)]; bytes > 0)
            text += QStringLiteral("<br>%1 %2").arg(QString::fromUtf8(toText(kind).data()).toUpper(), gbytes(bytes));
    return text;
}

bool MatrixMap::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const QString tip = mouse->buttons() ? QString() : tipAt(mouse->pos());
        tip.isEmpty() ? QToolTip::hideText() : QToolTip::showText(mouse->globalPosition().toPoint() + QPoint(14, 14), tip, m_plot);
    }
    return PlotPage::eventFilter(watched, event);
}

} // namespace railyard
