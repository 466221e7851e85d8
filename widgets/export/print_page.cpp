#include "widgets/export/print_page.h"

#include <QPainter>
#include <QPrinter>

namespace railyard {

Status printTopology(QPrinter& printer, const Fabric& fabric, PictureOptions options) {
    QPainter painter;
    if (!painter.begin(&printer))
        return Error::unbuildable("The printer cannot be used. Choose another one, or export the drawing as PDF.");
    // Text of the size that it has on screen: 96 units to an inch.
    const QRectF page = printer.pageRect(QPrinter::DevicePixel);
    const double scale = printer.resolution() / 96.0;
    options.size = (page.size() / scale).toSize();
    painter.scale(scale, scale);
    paintTopology(painter, fabric, options);
    painter.end();
    if (printer.printerState() == QPrinter::Error) return Error::unbuildable("The printer reported an error.");
    return Done{};
}

} // namespace railyard
