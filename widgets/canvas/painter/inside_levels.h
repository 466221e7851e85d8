// An HB domain with two levels of HB switches holds too much for single lines: its servers stand in a row, and the links that leave each
// of them are one bundle to the switches that join them.
#pragma once

#include "core/failure/removal.h"
#include "widgets/canvas/painter/inside_pen.h"
#include "widgets/canvas/painter/server_inside.h"

#include <map>
#include <vector>

namespace railyard {

// HB switches that have no GPUs, in a domain where others have: those of the second level.
std::vector<DeviceId> upperSwitchesOf(const Fabric& fabric, const ServerInsides::Inside& inside);

class InsideLevels {
public:
    InsideLevels(const InsidePen& pen, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room)
        : m_pen(pen),
          m_fabric(fabric),
          m_inside(inside),
          m_room(room),
          m_upper(upperSwitchesOf(fabric, inside)) {}
    void paint();
    void paintFailed(const Removal& removal);

private:
    struct OfServer {
        int gpus = 0, linksOut = 0;
        QRectF box;
    };
    std::map<ServerId, OfServer> servers() const;
    QRectF upperBar() const {
        return {m_room.left() + 4, m_room.top() + m_room.height() * 0.66, m_room.width() - 8, m_room.height() * 0.12};
    }
    double upperSize() const { return std::min(upperBar().height() * 0.7, upperBar().width() / static_cast<double>(m_upper.size()) * 0.7); }
    QPointF placeOf(std::size_t upper) const { // its centre
        const double step = upperBar().width() / static_cast<double>(m_upper.size());
        return {upperBar().left() + step * (static_cast<double>(upper) + 0.5), upperBar().center().y()};
    }

    InsidePen m_pen;
    const Fabric& m_fabric;
    const ServerInsides::Inside& m_inside;
    const QRectF m_room;
    const std::vector<DeviceId> m_upper;
};

} // namespace railyard
