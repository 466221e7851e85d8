// The hall from above, to scale: rows of racks with their use of power; and one rack from the front. The same painter for
// the screen and for files.
#pragma once

#include "core/floor/floor.h"
#include "widgets/theme/tokens.h"

#include <QPainter>
#include <map>
#include <optional>

namespace railyard {

class FloorPicture {
public:
    FloorPicture(const Floor& floor, const QRectF& area);

    void paint(QPainter& painter, const Tokens& tokens, std::uint32_t selected = none) const;
    // A rack that is being dragged, and where it would stand.
    void paintGhost(QPainter& painter, const Tokens& tokens, std::uint32_t rack, RackSpot spot) const;

    std::uint32_t rackAt(const QPointF& point) const; // none where there is none
    std::uint32_t rackOn(RackSpot spot) const;
    // Free rows and positions just outside the hall count: racks may be moved there.
    std::optional<RackSpot> spotAt(const QPointF& point) const;
    QRectF rectOf(RackSpot spot) const;

private:
    bool isInConflict(const Rack& rack) const; // more power than it has, or another rack on its tile
    void paintRack(QPainter& painter, const Tokens& tokens, const Rack& rack, bool selected) const;
    void paintScale(QPainter& painter, const Tokens& tokens) const;

    const Floor& m_floor;
    QPointF m_origin;
    double m_scale = 1; // pixels a metre
    int m_positions = 0;
    std::map<RackSpot, int> m_racksOn;
};

// From the top unit down, every device by its path.
void paintElevation(QPainter& painter, const Tokens& tokens, const Fabric& fabric, const Floor& floor, std::uint32_t rack,
                    const QRectF& area);

QString floorSentence(const Floor& floor);              // "37 racks in 4 rows, 6.0 × 8.4 m"
QString fullestRack(const std::optional<Watts>& power); // " · fullest rack 40.8 kW"
QString contentOf(const Rack& rack);                    // "4 servers", "8 switches"

} // namespace railyard
