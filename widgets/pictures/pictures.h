// Pictures of designs: PNG, SVG and PDF through the same painter as the screen.
#pragma once

#include "core/base/result.h"
#include "core/collective/collective.h"
#include "core/fabric/fabric.h"
#include "widgets/canvas/scene.h"
#include "widgets/theme/tokens.h"
#include "widgets/views/heat_maps.h"

#include <QRectF>
#include <QSize>
#include <QString>

namespace railyard {

struct PictureOptions {
    QSize size{1600, 1000};
    double dpi = 96; // above 96 the same picture with more pixels
    Tokens tokens = lightTokens();
    Detail detail = Detail::Folded;
    QRectF area;                               // of the drawing; empty: all
    CollectiveOp op = CollectiveOp::AllReduce; // of the map of collective times
    JobChoice job;                             // of the map of traffic
    bool title = true;
    const std::vector<double>* loads = nullptr; // by link: their colours instead of the rails'
    const Hops* hops = nullptr;                 // drawn from one to the other
    QString heading;                            // beside the name of the design
    QString sentence;                           // below the title; empty: what the design holds
};

Status drawTopology(const Fabric& fabric, const QString& path, const PictureOptions& options); // .png, .svg, .pdf
// The same on a page of its own, for frames.
void paintTopology(QPainter& painter, const Fabric& fabric, const PictureOptions& options);
// view: floor (the hall from above) or racks (from the front)
Status drawFloor(const Fabric& fabric, const QString& view, const QString& path, const PictureOptions& options);
// view: collective-time or decision
Status drawHeatMap(const Fabric& fabric, const QString& view, const QString& path, const PictureOptions& options);

// A picture from a file, no larger than a logo needs, as PNG in base64.
Result<std::string> pictureAsText(const QString& path);

} // namespace railyard
