#include "widgets/export/rack_pages.h"

#include "widgets/export/page_file.h"
#include "widgets/floor/floor_picture.h"

#include <algorithm>
#include <numeric>
#include <qcustomplot.h>

namespace railyard {

Error noRacks() {
    return Error::unbuildable("No racks are placed. Place racks in the Floor view, or run `railyard-cli edit FILE --set racks=auto`.");
}

RackPages::RackPages(const Fabric& fabric, const PictureOptions& options)
    : m_fabric(fabric),
      m_options(options),
      m_floor(cablingOf(fabric).floor),
      m_order(m_floor.racks.size()),
      m_area(QRectF(QPointF(0, 0), QSizeF(options.size)).adjusted(16, headHeight + 8, -16, -16)) {
    std::iota(m_order.begin(), m_order.end(), 0U);
    std::stable_sort(m_order.begin(), m_order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return m_floor.racks[a].spot < m_floor.racks[b].spot; });
    m_columns = std::max(std::size_t{1}, static_cast<std::size_t>((m_area.width() + gap) / (width + gap)));
    const auto mostRows = std::max(std::size_t{1}, static_cast<std::size_t>((m_area.height() + gap) / (leastHeight + gap)));
    m_rows = std::max(std::size_t{1}, std::min(mostRows, (m_order.size() + m_columns - 1) / m_columns));
}

int RackPages::count() const {
    const std::size_t onPage = m_columns * m_rows;
    return std::max(1, static_cast<int>((m_order.size() + onPage - 1) / onPage));
}

void RackPages::paint(QPainter& painter, int page) const {
    painter.fillRect(QRectF(QPointF(0, 0), QSizeF(m_options.size)), m_options.tokens.canvas);
    const std::size_t first = static_cast<std::size_t>(page) * m_columns * m_rows,
                      last = std::min(m_order.size(), first + m_columns * m_rows);
    const double height = (m_area.height() + gap) / static_cast<double>(m_rows) - gap;
    for (std::size_t i = first; i < last; ++i) {
        const Rack& rack = m_floor.racks[m_order[i]];
        const QPointF at(m_area.left() + static_cast<double>((i - first) % m_columns) * (width + gap),
                         m_area.top() + static_cast<double>((i - first) / m_columns) * (height + gap));
        painter.setPen(m_options.tokens.text);
        painter.setFont(fontFor(TextRole::BodyBold));
        painter.drawText(QRectF(at.x() + 24, at.y(), width - 24, caption), Qt::AlignLeft | Qt::AlignTop,
                         QStringLiteral("%1  %2").arg(QString::fromStdString(rack.label), contentOf(rack)));
        paintElevation(painter, m_options.tokens, m_fabric, m_floor, m_order[i], QRectF(at.x(), at.y() + caption, width, height - caption));
    }
    QString sentence = floorSentence(m_floor);
    if (count() > 1 && last > first)
        sentence += QObject::tr(" · racks %1 to %2, page %3 of %4")
                        .arg(QString::fromStdString(m_floor.racks[m_order[first]].label),
                             QString::fromStdString(m_floor.racks[m_order[last - 1]].label))
                        .arg(page + 1)
                        .arg(count());
    paintHead(painter, QString::fromStdString(m_fabric.design->name), sentence, m_options);
}

Result<QStringList> drawRacks(const Fabric& fabric, const QString& path, const PictureOptions& options) {
    const RackPages pages(fabric, options);
    if (!floorOf(fabric).isPlaced()) return noRacks();
    return writeSheets(path, options.size, options.dpi, QString::fromStdString(fabric.design->name), pages.count(),
                       [&](QCPPainter& painter, int page) { pages.paint(painter, page); });
}

} // namespace railyard
