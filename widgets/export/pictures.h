// Pictures of designs as PNG, SVG and PDF, drawn by the same painter as the screen.
#pragma once

#include "core/base/result.h"
#include "core/collective/collective.h"
#include "core/fabric/fabric.h"
#include "core/io/presentation/slide_content.h"
#include "core/json/json_view.h"
#include "core/reliability/reliability.h"
#include "widgets/canvas/scene/scene.h"
#include "widgets/plots/band_plot.h"
#include "widgets/plots/cell_map.h"
#include "widgets/theme/tokens.h"
#include "widgets/views/map_table.h"
#include "widgets/views/sweep_charts.h"
#include "widgets/views/training_chart.h"

#include <QRectF>
#include <QSize>
#include <QString>

namespace railyard {

struct PictureOptions {
    QSize size{1600, 1000};
    double dpi = 96; // values above 96 give the same picture more pixels
    Tokens tokens = lightTokens();
    Detail detail = Detail::Folded;
    QRectF area;                               // area of the drawing; empty: all
    CollectiveOp op = CollectiveOp::AllReduce; // collective of the time maps
    FabricPointer other;                       // of a comparison
    Bytes message{std::int64_t{1} << 30};      // of a played collective
    std::optional<JobRequest> job;             // of the traffic matrix and message dots; empty: the job of the design
    bool isByKind = false;                     // colours of the traffic matrix: the parallelism instead of the volume
    bool title = true;
    bool carriesDesign = true;                  // the file holds the document, so that opening it opens the design; not without prices
    StatedFigures* stated = nullptr;            // takes the figures that the picture states
    const std::vector<double>* loads = nullptr; // link colours instead of rail colours, indexed by link
    const Hops* hops = nullptr;                 // arrows between senders and receivers
    Removal removal;                            // failures on the drawing
    By<DeviceId, Impact> impacts;               // of these; empty: nothing has failed
    bool isTransparent() const { return tokens.canvas.alpha() < 255; }
    QString heading;    // shown next to the name of the design
    SlideOptions slide; // title block
    QString sentence;   // shown below the title; empty: the counts of the design
};

// The part of the drawing that shows this element or block, for PictureOptions::area; an error if it does not exist or is not drawn.
Result<QRectF> areaOf(const Fabric& fabric, const std::string& path, Detail detail);
Status drawTopology(const Fabric& fabric, const QString& path, const PictureOptions& options); // .png, .svg, .pdf
// Draws the same picture with a given painter, for animation frames.
void paintTopology(QPainter& painter, const Fabric& fabric, const PictureOptions& options);
void paintFloor(QPainter& painter, const Fabric& fabric, const PictureOptions& options);    // of placed racks
Status drawFloor(const Fabric& fabric, const QString& path, const PictureOptions& options); // floor plan
// Elevations of all racks, on as many pages as needed. Returns the files written, see writeSheets().
Result<QStringList> drawRacks(const Fabric& fabric, const QString& path, const PictureOptions& options);
// Every saved view of the design on a page of its own. Returns the files written; errors: it has none.
Result<QStringList> drawViews(const Fabric& fabric, const QString& path, const PictureOptions& options);
// Title and sentence at the head of a page.
void paintHead(QPainter& painter, const QString& title, const QString& sentence, const PictureOptions& options);
constexpr double headHeight = 64;
// kind: of mapTable
Status drawHeatMap(const Fabric& fabric, const QString& kind, const QString& path, const PictureOptions& options);
Status drawCells(const CellMapData& cells, const QString& path, const PictureOptions& options);
Status drawFailureChart(const BandData& data, const QString& path, const PictureOptions& options);
Status drawFailureTable(const Reliability& reliability, const QString& path, const PictureOptions& options);
Status drawSweepChart(const SweepChart& chart, const QString& path, const PictureOptions& options);
Status drawTrainingChart(const TrainingChartAnswer& chart, const QString& path, const PictureOptions& options);

// Reads a picture file, scales it down to logo size, and returns it as base64-encoded PNG.
Result<std::string> pictureAsText(const QString& path);

} // namespace railyard
