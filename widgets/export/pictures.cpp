#include "widgets/export/pictures.h"

#include "core/analysis/metrics/metrics.h"
#include "core/base/unit_text.h"
#include "widgets/canvas/painter/failure_marks.h"
#include "widgets/canvas/painter/load_scale.h"
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/scene/scene_loads.h"
#include "widgets/canvas/scene/scene_networks.h"
#include "widgets/export/drawn_area.h"
#include "widgets/export/logo_file.h"
#include "widgets/export/page_file.h"
#include "widgets/export/rack_pages.h"
#include "widgets/floor/floor_picture.h"
#include "widgets/theme/style.h"
#include "widgets/theme/text.h"
#include "widgets/views/failure_answer.h"
#include "widgets/views/failure_table.h"
#include "widgets/views/heat_maps.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>
#include <QImageReader>
#include <QPainter>
#include <functional>
#include <qcustomplot.h>

namespace railyard {
namespace {

void paintHead(QPainter& painter, const Fabric& fabric, const PictureOptions& options, const QString& sentence) {
    const QString name = QString::fromStdString(fabric.design->name);
    paintHead(painter, options.heading.isEmpty() ? name : name + QStringLiteral(" · ") + options.heading, sentence, options);
}

Status drawPage(const Fabric& fabric, const QString& path, const PictureOptions& options,
                void (*paint)(QPainter&, const Fabric&, const PictureOptions&)) {
    return writePage(
        path, options.size, options.dpi, QString::fromStdString(fabric.design->name),
        [&](QCPPainter& painter) { paint(painter, fabric, options); }, options.isTransparent());
}

} // namespace

void paintHead(QPainter& painter, const QString& title, const QString& sentence, const PictureOptions& options) {
    const double width = options.size.width() - 48;
    painter.setPen(options.tokens.text);
    const double beside = options.loads ? loadScaleSize.width() + 16 : 0;
    QFont large = fontFor(TextRole::Verdict);
    constexpr int leastPx = 13; // smaller on a narrow page, rather than cut
    while (large.pixelSize() > leastPx && QFontMetricsF(large).horizontalAdvance(title) > width - beside)
        large.setPixelSize(large.pixelSize() - 1);
    painter.setFont(large);
    painter.drawText(QRectF(24, 12, width - beside, 26), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(large).elidedText(title, Qt::ElideRight, width - beside));
    if (options.loads) paintLoadScale(painter, QPointF(options.size.width() - 24 - loadScaleSize.width(), 18), options.tokens);
    painter.setPen(options.tokens.text2);
    painter.setFont(fontFor(TextRole::Body));
    if (QFontMetricsF(painter.font()).horizontalAdvance(sentence) <= width)
        return painter.drawText(QRectF(24, 40, width, 20), Qt::AlignLeft | Qt::AlignVCenter, sentence);
    QFont small = fontFor(TextRole::Caption); // in two lines, where one does not hold it
    small.setPixelSize(11);
    painter.setFont(small);
    const double both = 1.9 * width; // lines end between words
    painter.drawText(QRectF(24, 39, width, 28), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap,
                     QFontMetricsF(small).elidedText(sentence, Qt::ElideRight, both));
}

void paintTopology(QPainter& painter, const Fabric& fabric, const PictureOptions& options) {
    const QRectF page(QPointF(0, 0), QSizeF(options.size));
    painter.fillRect(page, options.tokens.canvas);
    // Beyond the size of a slide everything grows with the page: text of 11 px cannot be read on a page of 3840 × 2160.
    constexpr double slideWidth = 1920, slideHeight = 1080, little = 1.01;
    const double zoom = std::min(page.width() / slideWidth, page.height() / slideHeight);
    if (zoom > little) {
        PictureOptions own = options;
        own.size = (page.size() / zoom).toSize();
        painter.save();
        painter.scale(zoom, zoom);
        paintTopology(painter, fabric, own);
        return painter.restore();
    }
    Scene scene = buildScene(fabric, options.detail);
    FailureMarks marks;
    if (!options.impacts.empty()) {
        // As in the window: what has failed inside a fold is shown, if the picture can hold that.
        constexpr int mostUnfolded = 64; // SUs
        const bool isHidden = marks.take(scene, fabric, CableIndex(scene, fabric), options.removal, options.impacts);
        if (isHidden && options.area.isEmpty() && scene.foldedSus > 0 && scene.foldedSus <= mostUnfolded) {
            scene = buildScene(fabric, Detail::Full);
            marks.take(scene, fabric, CableIndex(scene, fabric), options.removal, options.impacts);
        }
    }
    if (!fabric.design->networks.empty()) addNetworks(scene, instantMetrics(fabric).networks);
    const double head = options.title ? headHeight : 0;
    const QRectF sheet = page.adjusted(16, head, -16, -16);
    ViewState view = ViewState::fitting(scene.bounds, sheet);
    if (!scene.bounds.isEmpty()) { // larger than on screen, where a page has room
        constexpr double most = 2.5;
        view.scale = std::max(view.scale, std::min({most, sheet.width() / scene.bounds.width(), sheet.height() / scene.bounds.height()}));
        view.offset = sheet.center() - scene.bounds.center() * view.scale;
    }
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
    if (!options.impacts.empty()) {
        const PaintedScene at{scene, options.tokens, view, page};
        marks.paintBundles(painter, at);
        marks.paintElements(painter, at, fabric, scenePainter.insides());
    }
    painter.setClipping(false);
    if (!options.title) return;
    if (!options.sentence.isEmpty()) return paintHead(painter, fabric, options, options.sentence);
    const FabricCounts counts = countsOf(fabric);
    paintHead(painter, fabric, options,
              QObject::tr("%1 · %2 · %3 in %4 · %5")
                  .arg(counted(counts.gpus, QObject::tr("%1 GPU"), QObject::tr("%1 GPUs")),
                       counted(counts.servers, QObject::tr("%1 server"), QObject::tr("%1 servers")),
                       counted(counts.switches, QObject::tr("%1 switch"), QObject::tr("%1 switches")),
                       counted(counts.tiers, QObject::tr("%1 tier"), QObject::tr("%1 tiers")),
                       counted(counts.links, QObject::tr("%1 link"), QObject::tr("%1 links"))));
}

Result<QRectF> areaOf(const Fabric& fabric, const std::string& path, Detail detail) {
    const QRectF area = drawnArea(fabric, {path}, detail);
    if (area.isEmpty())
        return Error::usage(
            path + " is not drawn. Name an element or a block, such as su[1] or su[1]/leaf[2]; --detail full draws those that are folded");
    const double margin = std::max(6.0, 0.06 * std::max(area.width(), area.height()));
    return area.adjusted(-margin, -margin, margin, margin);
}

Status drawTopology(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    return drawPage(fabric, path, options, paintTopology);
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

Result<QStringList> drawViews(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    const std::vector<SavedView>& views = fabric.design->views;
    if (views.empty())
        return Error::unbuildable("The design has no saved views. Save one in the window with View › Saved views › Save view.");
    return writeSheets(path, options.size, options.dpi, QString::fromStdString(fabric.design->name), static_cast<int>(views.size()),
                       [&](QCPPainter& painter, int page) {
                           const SavedView& view = views[static_cast<std::size_t>(page)];
                           PictureOptions own = options;
                           own.area = QRectF(view.x, view.y, view.width, view.height);
                           own.detail = detailOf(view);
                           own.heading = QString::fromStdString(view.name);
                           paintTopology(painter, fabric, own);
                       });
}

Status drawFloor(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    if (!floorOf(fabric).isPlaced()) return noRacks();
    return drawPage(fabric, path, options, paintFloor);
}

template <class Plot>
static Status drawPlot(const QString& path, const PictureOptions& options, const std::function<void(Plot&)>& fill) {
    qApp->setPalette(paletteOf(options.tokens));
    qApp->setStyleSheet(styleSheetOf(options.tokens));
    Plot plot;
    plot.setAttribute(Qt::WA_DontShowOnScreen);
    plot.resize(options.size);
    fill(plot);
    return writePage(
        path, options.size, options.dpi, plot.title(), [&](QCPPainter& painter) { plot.paintOn(painter, options.size); },
        options.isTransparent());
}

Status drawCells(const CellMapData& cells, const QString& path, const PictureOptions& options) {
    return drawPlot<CellMap>(path, options, [&](CellMap& map) { map.show(cells, options.tokens); });
}

Status drawHeatMap(const Fabric& fabric, const QString& kind, const QString& path, const PictureOptions& options) {
    const MapInfo* row = mapNamed(kind.toStdString());
    if (!row) return Error::usage("--view heatmap:" + kind.toStdString() + ": unknown heat map. Use one of " + mapPictures() + ".");
    const auto job = options.job ? Result<JobRequest>(*options.job) : jobOf(*fabric.design);
    if (!job) return job.errors();
    const auto content = row->content({fabric, options.op, *job, options.isByKind});
    if (!content) return content.errors();
    if (const auto* curves = std::get_if<CurveData>(&*content))
        return drawPlot<CurvePlot>(path, options, [&](CurvePlot& plot) { plot.show(*curves, options.tokens); });
    if (const auto* matrix = std::get_if<MatrixMapData>(&*content))
        return drawPlot<MatrixMap>(path, options, [&](MatrixMap& map) { map.show(*matrix, options.tokens); });
    return drawCells(std::get<CellMapData>(*content), path, options);
}

Status drawFailureChart(const BandData& data, const QString& path, const PictureOptions& options) {
    return drawPlot<BandPlot>(path, options, [&](BandPlot& plot) { plot.show(data, options.tokens); });
}

Status drawFailureTable(const Reliability& reliability, const QString& path, const PictureOptions& options) {
    FailureTable table;
    table.show(reliability, options.tokens);
    const QString title = failureHeadline(reliability);
    return writePage(path, options.size, options.dpi, title, [&](QCPPainter& painter) {
        painter.fillRect(QRectF(QPointF(), options.size), options.tokens.canvas);
        paintHead(painter, title, failureSubtitle(reliability), options);
        // As large as the page allows.
        const QSizeF size = table.sizeHint();
        const QRectF room(24, headHeight + 12, options.size.width() - 48.0, options.size.height() - headHeight - 36.0);
        const double scale = std::min(room.height() / size.height(), room.width() / std::max(size.width(), 900.0));
        painter.translate(room.topLeft());
        painter.scale(scale, scale);
        table.paintOn(painter, QRectF(0, 0, room.width() / scale, size.height()));
    });
}

Status drawSweepChart(const SweepChart& chart, const QString& path, const PictureOptions& options) {
    if (const auto* cells = std::get_if<CellMapData>(&chart)) return drawCells(*cells, path, options);
    if (const auto* points = std::get_if<ScatterData>(&chart))
        return drawPlot<ScatterPlot>(path, options, [&](ScatterPlot& plot) { plot.show(*points, options.tokens); });
    if (const auto* lines = std::get_if<ParallelData>(&chart))
        return drawPlot<ParallelPlot>(path, options, [&](ParallelPlot& plot) { plot.show(*lines, options.tokens); });
    return Error::unbuildable("No chart is shown.");
}

Status drawTrainingChart(const TrainingChartAnswer& chart, const QString& path, const PictureOptions& options) {
    if (chart.isTimeline()) {
        const PipelineData timeline = toTimeline(chart);
        if (!timeline.timeline) return Error::unbuildable(timeline.subtitle.toStdString());
        return drawPlot<PipelinePlot>(path, options, [&](PipelinePlot& plot) { plot.show(timeline, options.tokens); });
    }
    const CurveData curves = toCurves(chart);
    if (curves.lines.empty()) return Error::unbuildable(curves.title.toStdString());
    return drawPlot<CurvePlot>(path, options, [&](CurvePlot& plot) { plot.show(curves, options.tokens); });
}

Result<std::string> pictureAsText(const QString& path) {
    constexpr int most = 800; // px
    auto content = logoContent(path);
    if (!content) return content.errors();
    QBuffer source(&*content);
    source.open(QIODevice::ReadOnly);
    QImageReader reader(&source);
    reader.setAutoTransform(true);
    if (reader.format() == "svg" && reader.size().isValid()) // a vector image is rendered at the largest logo size
        reader.setScaledSize(reader.size().scaled(most, most, Qt::KeepAspectRatio));
    const QImage image = reader.read().convertToFormat(QImage::Format_ARGB32);
    if (image.isNull())
        return Error::file(path.toStdString(),
                           "cannot be read as a picture (" + reader.errorString().toStdString() + "). Use PNG, JPEG or SVG.");
    const bool large = image.width() > most || image.height() > most;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    (large ? image.scaled(most, most, Qt::KeepAspectRatio, Qt::SmoothTransformation) : image).save(&buffer, "PNG");
    return bytes.toBase64().toStdString();
}

} // namespace railyard
