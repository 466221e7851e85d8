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
using PaintPage = std::function<void(QCPPainter&, int)>;

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

QByteArray svgOf(QSize size, const QString& title, const Paint& paint) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(0, 0), size));
    svg.setTitle(title);
    return paintVectors(svg, paint) ? bytes : QByteArray();
}

bool write(const QString& path, const QByteArray& bytes) {
    return !bytes.isEmpty() && static_cast<bool>(writeFile(path.toStdString(), bytes.toStdString()));
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
    return write(path, bytes);
}

// What stands between the head of an SVG and its end, with names of its own so that several share a file.
QByteArray contentOf(const QByteArray& svg, int page) {
    const qsizetype start = svg.indexOf("<defs>"), end = svg.lastIndexOf("</svg>");
    if (start < 0 || end < start) return {};
    QByteArray content = svg.mid(start, end - start);
    const QByteArray own = "p" + QByteArray::number(page) + "-";
    content.replace(" id=\"", " id=\"" + own);
    content.replace("url(#", "url(#" + own);
    content.replace("xlink:href=\"#", "xlink:href=\"#" + own);
    return content;
}

// One after the other, without end; where nothing moves the first is seen.
bool writeMovingSvg(const QString& path, QSize size, const QString& title, int pages, double secondsEach, const PaintPage& paint) {
    QByteArray file;
    for (int page = 0; page < pages; ++page) {
        const QByteArray svg = svgOf(size, title, [&](QCPPainter& painter) { paint(painter, page); });
        if (page == 0) file = svg.left(svg.indexOf("<defs>"));
        file += "<g visibility=\"" + QByteArray(page == 0 ? "visible" : "hidden") + "\">\n";
        if (pages > 1) {
            const QByteArray from = QByteArray::number(static_cast<double>(page) / pages),
                             to = QByteArray::number(static_cast<double>(page + 1) / pages);
            const bool isFirst = page == 0, isLast = page + 1 == pages;
            file += "<animate attributeName=\"visibility\" calcMode=\"discrete\" repeatCount=\"indefinite\" dur=\"" +
                    QByteArray::number(secondsEach * pages) + "s\" values=\"" + (isFirst ? "" : "hidden;") + "visible" +
                    (isLast ? "" : ";hidden") + "\" keyTimes=\"0" + (isFirst ? "" : ";" + from) + (isLast ? "" : ";" + to) + "\"/>\n";
        }
        file += contentOf(svg, page) + "</g>\n";
    }
    return write(path, file + "</svg>\n");
}

} // namespace

// Written beside and moved into its place; writers need a path that ends in their own extension: name.part.png.
static Status replaceFile(const QString& path, const std::function<bool(const QString&, const QString&)>& writeAs) {
    const QString extension = path.section(QLatin1Char('.'), -1).toLower();
    if (extension != QStringLiteral("png") && extension != QStringLiteral("svg") && extension != QStringLiteral("pdf"))
        return Error::usage("-o " + path.toStdString() + ": this version draws .png, .svg and .pdf");
    const QString temporary = QString::fromStdString(temporaryBeside(path.toStdString())) + QLatin1Char('.') + extension;
    if (!writeAs(temporary, extension)) {
        std::remove(temporary.toLocal8Bit().constData());
        return Error::file(path.toStdString(), "cannot be written; choose another folder");
    }
    return moveIntoPlace(temporary.toStdString(), path.toStdString());
}

Status writePage(const QString& path, QSize size, double dpi, const QString& title, const Paint& paint) {
    return replaceFile(path, [&](const QString& temporary, const QString& extension) {
        if (extension == QStringLiteral("png")) return writePng(temporary, size, dpi, paint);
        if (extension == QStringLiteral("pdf")) return writePdf(temporary, size, title, paint);
        return write(temporary, svgOf(size, title, paint));
    });
}

Status writePages(const QString& path, QSize size, double dpi, const QString& title, int pages, double secondsEach,
                  const PaintPage& paint) {
    if (path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive))
        return replaceFile(path, [&](const QString& temporary, const QString&) {
            return writeMovingSvg(temporary, size, title, pages, secondsEach, paint);
        });
    const qsizetype dot = path.lastIndexOf(QLatin1Char('.')) > path.lastIndexOf(QLatin1Char('/')) ? path.lastIndexOf(QLatin1Char('.')) : -1;
    for (int page = 0; page < pages; ++page) {
        const QString number = QStringLiteral("-%1").arg(page + 1, 2, 10, QLatin1Char('0'));
        const QString name = dot < 0 ? path : path.left(dot) + number + path.mid(dot);
        Status done = writePage(name, size, dpi, title, [&](QCPPainter& painter) { paint(painter, page); });
        if (!done) return done;
    }
    return Done{};
}

} // namespace railyard
