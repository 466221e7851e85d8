// Racks from the front, in the order in which they stand, page by page.
#pragma once

#include "core/floor/floor.h"
#include "widgets/export/pictures.h"

#include <QPainter>

namespace railyard {

Error noRacks(); // why a design without a floor has none, and what to do

class RackPages {
public:
    RackPages(const Fabric& fabric, const PictureOptions& options);
    int count() const; // pages
    void paint(QPainter& painter, int page) const;

private:
    static constexpr double width = 190, gap = 18, caption = 18, leastHeight = 560; // px

    const Fabric& m_fabric;
    const PictureOptions& m_options;
    Floor m_floor;
    std::vector<std::uint32_t> m_order; // of the racks
    QRectF m_area;
    std::size_t m_columns = 1, m_rows = 1; // racks on a page
};

} // namespace railyard
