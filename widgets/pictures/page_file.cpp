#include "widgets/pictures/page_file.h"

#include "core/base/file.h"

#include <QBuffer>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <qcustomplot.h>

namespace railyard {
namespace {

using Paint = std::function<void(QCPPainter&)>;

bool writePng(const QString& path, QSize size, double dpi, const Paint& paint) {
    const double scale = dpi / 96;
    QImage image(size * scale, QImage::Format_RGB32);
    if (image.isNull()) return false;
    image.setDevicePixelRatio(scale);
    QCPPainter painter;
    if (!painter.begin(&image)) return false;
    paint(painter);
    return painter.end() && image.save(path, "PNG");
}

bool paintVectors(QPaintDevice& device, const Paint& paint) {
    QCPPainter painter;
    if (!painter.begin(&device)) return false;
    painter.setMode(QCPPainter::pmVectorized);
    paint(painter);
    return painter.end();
}

bool writeSvg(const QString& path, QSize size, const QString& title, const Paint& paint) {
    QSvgGenerator svg;
    svg.setFileName(path);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(0, 0), size));
    svg.setTitle(title);
    return paintVectors(svg, paint);
}

// Qt writes the time of day into every PDF; a fixed one of the same length leaves all offsets in the file right.
void removeDate(QByteArray& pdf) {
    const QByteArray key("/CreationDate (D:"), fixed("19700101000000");
    if (const qsizetype at = pdf.indexOf(key); at >= 0) pdf.replace(at + key.size(), fixed.size(), fixed);
}

bool writePdf(const QString& path, QSize size, const QString& title, const Paint& paint) {
    constexpr double pointsOfPixel = 72.0 / 96;
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter pdf(&buffer);
        pdf.setPageSize(QPageSize(QSizeF(size) * pointsOfPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
        pdf.setPageMargins({});
        pdf.setResolution(96);
        pdf.setTitle(title);
        pdf.setCreator(QStringLiteral("Railyard"));
        if (!paintVectors(pdf, paint)) return false;
    }
    removeDate(bytes);
    return static_cast<bool>(writeFile(path.toStdString(), bytes.toStdString()));
}

} // namespace

Status writePage(const QString& path, QSize size, double dpi, const QString& title, const Paint& paint) {
    const QString extension = path.section(QLatin1Char('.'), -1).toLower();
    const bool isPng = extension == QStringLiteral("png"), isSvg = extension == QStringLiteral("svg");
    if (!isPng && !isSvg && extension != QStringLiteral("pdf"))
        return Error::usage("-o " + path.toStdString() + ": this version draws .png, .svg and .pdf");
    // Writers need a path that ends in their own extension: name.part.png.
    const QString temporary = QString::fromStdString(temporaryBeside(path.toStdString())) + QLatin1Char('.') + extension;
    const bool done = isPng   ? writePng(temporary, size, dpi, paint)
                      : isSvg ? writeSvg(temporary, size, title, paint)
                              : writePdf(temporary, size, title, paint);
    if (!done) {
        std::remove(temporary.toLocal8Bit().constData());
        return Error::file(path.toStdString(), "cannot be written; choose another folder");
    }
    return moveIntoPlace(temporary.toStdString(), path.toStdString());
}

} // namespace railyard
