#include "widgets/pictures/pictures.h"

#include "core/analysis/metrics.h"
#include "core/base/unit_text.h"
#include "widgets/canvas/scene_painter.h"
#include "widgets/floor/floor_picture.h"
#include "widgets/pictures/page_file.h"
#include "widgets/theme/style.h"
#include "widgets/views/heat_maps.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>
#include <QImageReader>
#include <QPainter>
#include <functional>
#include <numeric>
#include <qcustomplot.h>

namespace railyard {
namespace {

constexpr double headHeight = 64;

void paintHead(QPainter& painter, const Fabric& fabric, const PictureOptions& options, const QString& sentence) {
    const double width = options.size.width() - 48;
    painter.setPen(options.tokens.text);
    painter.setFont(fontFor(TextRole::Verdict));
    const QString name = QString::fromStdString(fabric.design->name);
    const QString title = options.heading.isEmpty() ? name : name + QStringLiteral(" · ") + options.heading;
    const double beside = options.loads ? loadScaleSize.width() + 16 : 0;
    painter.drawText(QRectF(24, 14, width - beside, 28), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(title, Qt::ElideRight, width - beside));
    if (options.loads) paintLoadScale(painter, QPointF(options.size.width() - 24 - loadScaleSize.width(), 18), options.tokens);
    painter.setPen(options.tokens.text2);
    painter.setFont(fontFor(TextRole::Body));
    painter.drawText(QRectF(24, 40, width, 20), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(sentence, Qt::ElideRight, width));
}

void paintFloor(QPainter& painter, const Fabric& fabric, const PictureOptions& options) {
    const QRectF page(QPointF(0, 0), QSizeF(options.size));
    painter.fillRect(page, options.tokens.canvas);
    const Cabling cabling = cablingOf(fabric);
    FloorPicture(cabling.floor, page.adjusted(16, headHeight + 8, -16, -12)).paint(painter, options.tokens);
    const auto figures = instantMetrics(fabric, cabling).floor;
    paintHead(painter, fabric, options,
              QObject::tr("%1 · %2 m of cable%3")
                  .arg(floorSentence(cabling.floor), QString::fromStdString(formatCount(static_cast<std::int64_t>(figures->cable.value()))),
                       fullestRack(figures->mostRackPower)));
}

// Racks from the front, in the order in which they stand; as many as can be read.
void paintRacks(QPainter& painter, const Fabric& fabric, const PictureOptions& options) {
    constexpr double width = 190, gap = 18, caption = 18, leastHeight = 560;
    const QRectF page(QPointF(0, 0), QSizeF(options.size));
    painter.fillRect(page, options.tokens.canvas);
    const Floor floor = floorOf(fabric);
    std::vector<std::uint32_t> order(floor.racks.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return floor.racks[a].spot < floor.racks[b].spot; });
    const QRectF area = page.adjusted(16, headHeight + 8, -16, -16);
    const auto columns = std::max(std::size_t{1}, static_cast<std::size_t>((area.width() + gap) / (width + gap)));
    const auto mostRows = std::max(std::size_t{1}, static_cast<std::size_t>((area.height() + gap) / (leastHeight + gap)));
    const std::size_t rows = std::min(mostRows, (order.size() + columns - 1) / columns), shown = std::min(order.size(), rows * columns);
    const double height = (area.height() + gap) / static_cast<double>(rows) - gap;
    for (std::size_t i = 0; i < shown; ++i) {
        const Rack& rack = floor.racks[order[i]];
        const QPointF at(area.left() + static_cast<double>(i % columns) * (width + gap),
                         area.top() + static_cast<double>(i / columns) * (height + gap));
        painter.setPen(options.tokens.text);
        painter.setFont(fontFor(TextRole::BodyBold));
        painter.drawText(QRectF(at.x() + 24, at.y(), width - 24, caption), Qt::AlignLeft | Qt::AlignTop,
                         QStringLiteral("%1  %2").arg(QString::fromStdString(rack.label), contentOf(rack)));
        paintElevation(painter, options.tokens, fabric, floor, order[i], QRectF(at.x(), at.y() + caption, width, height - caption));
    }
    paintHead(painter, fabric, options,
              shown == order.size()
                  ? floorSentence(floor)
                  : QObject::tr("%1; the first %2 are drawn, a larger picture holds more").arg(floorSentence(floor)).arg(shown));
}

Status drawPage(const Fabric& fabric, const QString& path, const PictureOptions& options,
                void (*paint)(QPainter&, const Fabric&, const PictureOptions&)) {
    return writePage(path, options.size, options.dpi, QString::fromStdString(fabric.design->name),
                     [&](QCPPainter& painter) { paint(painter, fabric, options); });
}

} // namespace

void paintTopology(QPainter& painter, const Fabric& fabric, const PictureOptions& options) {
    const QRectF page(QPointF(0, 0), QSizeF(options.size));
    painter.fillRect(page, options.tokens.canvas);
    const Scene scene = buildScene(fabric, options.detail);
    const double head = options.title ? headHeight : 0;
    const QRectF sheet = page.adjusted(16, head, -16, -16);
    ViewState view = ViewState::fitting(scene.bounds, sheet);
    if (!options.area.isEmpty()) {
        view.scale = std::min(sheet.width() / options.area.width(), sheet.height() / options.area.height());
        view.offset = sheet.center() - options.area.center() * view.scale;
        painter.setClipRect(sheet);
    }
    ScenePainter scenePainter(scene, fabric, options.tokens, view, page);
    const std::vector<double> ofBundles = options.loads ? largestOfBundles(scene, fabric, *options.loads) : std::vector<double>(),
                              ofNodes = options.loads ? largestInside(scene, fabric, *options.loads) : std::vector<double>();
    if (options.loads) scenePainter.showLoads(ofBundles, ofNodes, *options.loads);
    if (options.hops) scenePainter.showHops(*options.hops);
    scenePainter.paint(painter);
    painter.setClipping(false);
    if (!options.title) return;
    if (!options.sentence.isEmpty()) return paintHead(painter, fabric, options, options.sentence);
    const FabricCounts counts = countsOf(fabric);
    paintHead(painter, fabric, options,
              QObject::tr("%1 GPUs · %2 servers · %3 switches in %4 tiers · %5 links")
                  .arg(QString::fromStdString(formatCount(counts.gpus)), QString::fromStdString(formatCount(counts.servers)),
                       QString::fromStdString(formatCount(counts.switches)))
                  .arg(counts.tiers)
                  .arg(QString::fromStdString(formatCount(counts.links))));
}

Status drawTopology(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    return drawPage(fabric, path, options, paintTopology);
}

Status drawFloor(const Fabric& fabric, const QString& view, const QString& path, const PictureOptions& options) {
    if (!floorOf(fabric).isPlaced())
        return Error::unbuildable(
            "no racks are placed; make the design with --set racks=auto, or `railyard-cli edit FILE --set racks=auto`");
    return drawPage(fabric, path, options, view == QStringLiteral("racks") ? paintRacks : paintFloor);
}

template <class Plot>
static Status drawPlot(const QString& path, const PictureOptions& options, const std::function<void(Plot&)>& fill) {
    qApp->setPalette(paletteOf(options.tokens));
    qApp->setStyleSheet(styleSheetOf(options.tokens));
    Plot plot;
    plot.setAttribute(Qt::WA_DontShowOnScreen);
    plot.resize(options.size);
    fill(plot);
    return writePage(path, options.size, options.dpi, plot.title(), [&](QCPPainter& painter) { plot.paintOn(painter, options.size); });
}

Status drawHeatMap(const Fabric& fabric, const QString& view, const QString& path, const PictureOptions& options) {
    if (view == QStringLiteral("collisions")) {
        const CurveData curves = collisionCurves(fabric);
        return drawPlot<CurvePlot>(path, options, [&](CurvePlot& plot) { plot.show(curves, options.tokens); });
    }
    if (view == QStringLiteral("jobs")) {
        const CurveData curves = jobCurves(fabric, options.op, Bytes(std::int64_t{256} << 20));
        if (curves.lines.empty()) return Error::unbuildable((curves.title + QStringLiteral(": ") + curves.subtitle).toStdString());
        return drawPlot<CurvePlot>(path, options, [&](CurvePlot& plot) { plot.show(curves, options.tokens); });
    }
    if (view == QStringLiteral("traffic")) {
        const MatrixMapData traffic = jobTrafficMap(fabric, options.job);
        if (!traffic.matrix) return Error::unbuildable((traffic.title + QStringLiteral(": ") + traffic.subtitle).toStdString());
        return drawPlot<MatrixMap>(path, options, [&](MatrixMap& map) { map.show(traffic, options.tokens); });
    }
    CellMapData data;
    const Design& design = *fabric.design;
    if (view == QStringLiteral("decision")) {
        if (!design.recipe) return Error::unbuildable("the decision map builds a recipe anew; this design is drawn by hand");
        const auto settings = resolve(*design.recipe, *design.catalog);
        if (!settings) return settings.errors();
        data = decisionCells(usualDecisionMap(*design.recipe, *design.catalog), settings->gpus(), settings->hbDomainGpus);
    } else if (view == QStringLiteral("collective-time")) {
        const auto grid = collectiveTimeGrid(fabric, options.op, usualSizes(), usualServerCounts(fabric));
        if (!grid) return grid.errors();
        data = collectiveTimeCells(*grid, options.op, static_cast<double>(countsOf(fabric).servers));
        addMessageDots(fabric, options.job, options.op, usualSizes(), usualServerCounts(fabric), data);
    } else if (view == QStringLiteral("difference") || view == QStringLiteral("tcp")) {
        auto cells = differenceCells(fabric, view, options.op, usualServerCounts(fabric));
        if (!cells) return cells.errors();
        data = std::move(*cells);
        addMessageDots(fabric, options.job, options.op, usualSizes(), usualServerCounts(fabric), data);
    } else if (view == QStringLiteral("hb-nic")) {
        const Bytes size(std::int64_t{256} << 20);
        const auto grid = hbNicGrid(fabric, options.op, size, {});
        if (!grid) return grid.errors();
        data = hbNicCells(*grid, options.op, size, ownBandwidths(fabric));
    } else {
        return Error::usage("--view heatmap:" + view.toStdString() +
                            ": this version draws heatmap:collective-time, heatmap:hb-nic, heatmap:traffic, heatmap:difference, "
                            "heatmap:tcp, heatmap:collisions, heatmap:jobs and heatmap:decision");
    }
    return drawPlot<CellMap>(path, options, [&](CellMap& map) { map.show(data, options.tokens); });
}

Result<std::string> pictureAsText(const QString& path) {
    constexpr int most = 800; // px
    QImageReader reader(path);
    reader.setAutoTransform(true);
    if (reader.format() == "svg" && reader.size().isValid()) // lines are drawn as large as a logo may be
        reader.setScaledSize(reader.size().scaled(most, most, Qt::KeepAspectRatio));
    const QImage image = reader.read().convertToFormat(QImage::Format_ARGB32);
    if (image.isNull())
        return Error::file(path.toStdString(),
                           "is no picture that can be read (" + reader.errorString().toStdString() + "); PNG, JPEG and SVG can");
    const bool large = image.width() > most || image.height() > most;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    (large ? image.scaled(most, most, Qt::KeepAspectRatio, Qt::SmoothTransformation) : image).save(&buffer, "PNG");
    return bytes.toBase64().toStdString();
}

} // namespace railyard
