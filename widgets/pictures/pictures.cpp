#include "widgets/pictures/pictures.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "widgets/canvas/scene_painter.h"
#include "widgets/theme/style.h"
#include "widgets/views/heat_maps.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>
#include <functional>

namespace railyard {
namespace {

// Writers need a path that ends in their own extension: name.part.png.
Status replacePicture(const QString& path, const std::function<bool(const QString&)>& write) {
    const QString extension = path.section(QLatin1Char('.'), -1).toLower();
    if (extension != QStringLiteral("png") && extension != QStringLiteral("svg"))
        return Error::usage("-o " + path.toStdString() + ": this version draws .png and .svg");
    const QString temporary = QString::fromStdString(temporaryBeside(path.toStdString())) + QLatin1Char('.') + extension;
    if (!write(temporary)) {
        std::remove(temporary.toLocal8Bit().constData());
        return Error::file(path.toStdString(), "cannot be written; choose another folder");
    }
    return moveIntoPlace(temporary.toStdString(), path.toStdString());
}

void paintTopology(QPainter& painter, const Fabric& fabric, const PictureOptions& options) {
    const QRectF page(QPointF(0, 0), QSizeF(options.size));
    painter.fillRect(page, options.tokens.canvas);
    const Scene scene = buildScene(fabric, options.unfold);
    const double head = options.title ? 64 : 0;
    const ViewState view = ViewState::fitting(scene.bounds, page.adjusted(16, head, -16, -16));
    ScenePainter(scene, fabric, options.tokens, view, page).paint(painter);
    if (!options.title) return;
    const FabricCounts counts = countsOf(fabric);
    painter.setPen(options.tokens.text);
    painter.setFont(fontFor(TextRole::Verdict));
    painter.drawText(QRectF(24, 14, page.width() - 48, 28), Qt::AlignLeft | Qt::AlignVCenter, QString::fromStdString(fabric.design->name));
    painter.setPen(options.tokens.text2);
    painter.setFont(fontFor(TextRole::Body));
    painter.drawText(QRectF(24, 40, page.width() - 48, 20), Qt::AlignLeft | Qt::AlignVCenter,
                     QObject::tr("%1 GPUs · %2 servers · %3 switches in %4 tiers · %5 links")
                         .arg(QString::fromStdString(formatCount(counts.gpus)), QString::fromStdString(formatCount(counts.servers)),
                              QString::fromStdString(formatCount(counts.switches)))
                         .arg(counts.tiers)
                         .arg(QString::fromStdString(formatCount(counts.links))));
}

} // namespace

Status drawTopology(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    return replacePicture(path, [&](const QString& temporary) {
        if (temporary.endsWith(QStringLiteral(".svg"))) {
            QSvgGenerator svg;
            svg.setFileName(temporary);
            svg.setSize(options.size);
            svg.setViewBox(QRect(QPoint(0, 0), options.size));
            svg.setTitle(QString::fromStdString(fabric.design->name));
            QPainter painter;
            if (!painter.begin(&svg)) return false;
            paintTopology(painter, fabric, options);
            return painter.end();
        }
        const double scale = options.dpi / 96;
        QImage image(options.size * scale, QImage::Format_RGB32);
        if (image.isNull()) return false;
        image.setDevicePixelRatio(scale);
        QPainter painter(&image);
        paintTopology(painter, fabric, options);
        painter.end();
        return image.save(temporary, "PNG");
    });
}

Status drawHeatMap(const Fabric& fabric, const QString& view, const QString& path, const PictureOptions& options) {
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
    } else {
        return Error::usage("--view heatmap:" + view.toStdString() + ": this version draws heatmap:collective-time and heatmap:decision");
    }
    qApp->setPalette(paletteOf(options.tokens));
    qApp->setStyleSheet(styleSheetOf(options.tokens));
    CellMap map;
    map.setAttribute(Qt::WA_DontShowOnScreen);
    map.resize(options.size);
    map.show(data, options.tokens);
    return replacePicture(path, [&](const QString& temporary) {
        return map.savePicture(temporary, options.size.width(), options.size.height(), options.dpi / 96);
    });
}

} // namespace railyard
