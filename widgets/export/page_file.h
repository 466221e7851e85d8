// Writes a page as PNG, SVG or PDF, according to the file extension.
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QSize>
#include <QString>
#include <QStringList>
#include <functional>

class QCPPainter;

namespace railyard {

// A page as png, svg or pdf. Empty if it cannot be made, for want of memory.
QByteArray pageBytes(const QString& format, QSize size, double dpi, const QString& title, const std::function<void(QCPPainter&)>& paint,
                     bool isTransparent = false);

// Transparent: what the page does not paint shows through a PNG; vector pictures have no ground of their own.
// Replaces the file when the picture is whole. Size in pixels at 96 dpi; a higher dpi gives a bitmap more pixels. The same page gives
// the same bytes.
Status writePage(const QString& path, QSize size, double dpi, const QString& title, const std::function<void(QCPPainter&)>& paint,
                 bool isTransparent = false);

// Writes a document of several pages: one PDF with all of them. For PNG and SVG, the first page is the given file and the others
// are numbered: racks.png, racks-2.png, racks-3.png. Returns the files written.
Result<QStringList> writeSheets(const QString& path, QSize size, double dpi, const QString& title, int pages,
                                const std::function<void(QCPPainter&, int)>& paint);

// Writes several pages as one animated SVG, or as numbered files (name-01.png and so on).
Status writePages(const QString& path, QSize size, double dpi, const QString& title, int pages, double secondsEach,
                  const std::function<void(QCPPainter&, int)>& paint);

} // namespace railyard
