// One page as a file: PNG, SVG or PDF by the extension of its name.
#pragma once

#include "core/base/result.h"

#include <QSize>
#include <QString>
#include <functional>

class QCPPainter;

namespace railyard {

// Written beside and moved into its place. Size in pixels at 96 dpi; a higher dpi gives a bitmap more of them. The same page
// gives the same bytes.
Status writePage(const QString& path, QSize size, double dpi, const QString& title, const std::function<void(QCPPainter&)>& paint);

// Pages one after the other, so long each: one SVG that moves, or numbered files, name-01.png and so on.
Status writePages(const QString& path, QSize size, double dpi, const QString& title, int pages, double secondsEach,
                  const std::function<void(QCPPainter&, int)>& paint);

} // namespace railyard
