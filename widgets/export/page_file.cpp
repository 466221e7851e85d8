#include "widgets/export/page_file.h"

#include "core/base/file.h"
#include "widgets/export/svg_text.h"

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

// Each returns the bytes of a file; empty if it cannot be made, for want of memory.
QByteArray pngOf(QSize size, double dpi, const Paint& paint, bool isTransparent) {
    const double scale = dpi / 96;
    QImage image(size * scale, isTransparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (image.isNull()) return {};
    if (isTransparent) image.fill(Qt::transparent);
    image.setDevicePixelRatio(scale);
    QCPPainter painter;
    if (!painter.begin(&image)) return {};
    paint(painter);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    return painter.end() && image.save(&buffer, "PNG") ? bytes : QByteArray();
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
    return paintVectors(svg, paint) ? withPortableText(bytes) : QByteArray();
}

// Qt writes the current time into every PDF, in as many letters as the time zone needs. A fixed time moves what stands behind it, so the
// table of positions at the end of the file is written again.
void removeDate(QByteArray& pdf) {
    const QByteArray key("/CreationDate ("), fixed("D:19700101000000Z"), table("\nxref\n"), start("startxref\n");
    const qsizetype at = pdf.indexOf(key) + key.size(), end = pdf.indexOf(')', at);
    qsizetype entry = pdf.lastIndexOf(table);
    if (at < key.size() || end < 0 || entry < 0) return;
    const qsizetype moved = fixed.size() - (end - at);
    pdf.replace(at, end - at, fixed);
    const auto shift = [&](qsizetype from, qsizetype digits) { // the position that is written here
        const qsizetype position = pdf.mid(from, digits).trimmed().toLongLong();
        if (position > at) pdf.replace(from, digits, QByteArray::number(position + moved).rightJustified(digits, '0'));
    };
    entry += moved + table.size();
    const qsizetype line = pdf.indexOf('\n', entry); // "0 COUNT"
    const qsizetype count = pdf.mid(entry, line - entry).split(' ').value(1).toLongLong();
    constexpr qsizetype entrySize = 20, positionSize = 10; // "0000000015 00000 n" and two letters
    for (qsizetype i = 0; i < count; ++i) shift(line + 1 + i * entrySize, positionSize);
    const qsizetype last = pdf.lastIndexOf(start) + start.size(), lineEnd = pdf.indexOf('\n', last);
    const qsizetype position = pdf.mid(last, lineEnd - last).toLongLong();
    pdf.replace(last, lineEnd - last, QByteArray::number(position + moved));
}

QByteArray pdfOf(QSize size, const QString& title, int pages, const PaintPage& paint) {
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
        const bool isPainted = paintVectors(pdf, [&](QCPPainter& painter) {
            for (int page = 0; page < pages; ++page) {
                if (page > 0) pdf.newPage();
                painter.save();
                paint(painter, page);
                painter.restore();
            }
        });
        if (!isPainted) return {};
    }
    removeDate(bytes);
    return bytes;
}

// The body of an SVG with renamed ids, so that several bodies can share one file.
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

// Shows the pages in an endless loop. Viewers without animation show the first page.
QByteArray movingSvgOf(QSize size, const QString& title, int pages, double secondsEach, const PaintPage& paint) {
    QByteArray file;
    for (int page = 0; page < pages; ++page) {
        const QByteArray svg = svgOf(size, title, [&](QCPPainter& painter) { paint(painter, page); });
        if (svg.isEmpty()) return {};
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
    return file + "</svg>\n";
}

QString formatOf(const QString& path) { return path.section(QLatin1Char('.'), -1).toLower(); }

Result<FileText> pageAt(const QString& path, QSize size, double dpi, const QString& title, const Paint& paint, bool isTransparent = false) {
    const QString format = formatOf(path);
    const std::string name = path.toStdString();
    if (format != QStringLiteral("png") && format != QStringLiteral("svg") && format != QStringLiteral("pdf"))
        return Error::usage("-o " + name + ": unsupported format. Use .png, .svg or .pdf; of the topology and of slides also .pptx.");
    const QByteArray bytes = pageBytes(format, size, dpi, title, paint, isTransparent);
    if (bytes.isEmpty()) return Error::file(name, "the picture cannot be created: out of memory; choose a smaller size");
    return FileText{name, bytes.toStdString()};
}

// "racks.png" and page 2 of 12 is "racks-02.png".
QString pageName(const QString& path, int page, int digits) {
    const qsizetype point = path.lastIndexOf(QLatin1Char('.'));
    const qsizetype dot = point > path.lastIndexOf(QLatin1Char('/')) ? point : -1;
    const QString number = QStringLiteral("-%1").arg(page + 1, digits, 10, QLatin1Char('0'));
    return dot < 0 ? path : path.left(dot) + number + path.mid(dot);
}

Status writeWhole(const QString& path, const QByteArray& bytes) {
    if (bytes.isEmpty()) return Error::file(path.toStdString(), "the picture cannot be created: out of memory; choose a smaller size");
    return writeFile(path.toStdString(), bytes.toStdString());
}

// All pages, or none.
Result<QStringList> writeEach(const QStringList& names, QSize size, double dpi, const QString& title, const PaintPage& paint) {
    std::vector<FileText> files;
    for (int page = 0; page < names.size(); ++page) {
        auto file = pageAt(names[page], size, dpi, title, [&](QCPPainter& painter) { paint(painter, page); });
        if (!file) return file.errors();
        files.push_back(std::move(*file));
    }
    if (Status done = writeFiles(files); !done) return done.errors();
    return names;
}

} // namespace

QByteArray pageBytes(const QString& format, QSize size, double dpi, const QString& title, const Paint& paint, bool isTransparent) {
    if (format == QStringLiteral("png")) return pngOf(size, dpi, paint, isTransparent);
    if (format == QStringLiteral("svg")) return svgOf(size, title, paint);
    return pdfOf(size, title, 1, [&](QCPPainter& painter, int) { paint(painter); });
}

Status writePage(const QString& path, QSize size, double dpi, const QString& title, const Paint& paint, bool isTransparent) {
    const auto file = pageAt(path, size, dpi, title, paint, isTransparent);
    return file ? writeFile(file->path, file->text) : Status(file.errors());
}

Result<QStringList> writeSheets(const QString& path, QSize size, double dpi, const QString& title, int pages, const PaintPage& paint) {
    if (formatOf(path) == QStringLiteral("pdf")) {
        const Status done = writeWhole(path, pdfOf(size, title, pages, paint));
        return done ? Result<QStringList>(QStringList{path}) : Result<QStringList>(done.errors());
    }
    QStringList names;
    const int digits = static_cast<int>(QString::number(pages).size());
    for (int page = 0; page < pages; ++page) names << (page == 0 ? path : pageName(path, page, digits));
    return writeEach(names, size, dpi, title, paint);
}

Status writePages(const QString& path, QSize size, double dpi, const QString& title, int pages, double secondsEach,
                  const PaintPage& paint) {
    if (formatOf(path) == QStringLiteral("svg")) return writeWhole(path, movingSvgOf(size, title, pages, secondsEach, paint));
    QStringList names;
    for (int page = 0; page < pages; ++page) names << pageName(path, page, 2);
    const auto written = writeEach(names, size, dpi, title, paint);
    return written ? Status(Done{}) : Status(written.errors());
}

} // namespace railyard
