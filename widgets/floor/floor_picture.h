// The floor plan to scale, with the power use of each rack, and the elevation of a single rack. The same painter is used for the
// screen and for files.
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
    // The dragged rack and its new position.
    void paintGhost(QPainter& painter, const Tokens& tokens, std::uint32_t rack, RackSpot spot) const;

    std::uint32_t rackAt(const QPointF& point) const; // none if there is no rack
    std::uint32_t rackOn(RackSpot spot) const;
    // Also returns free rows and positions just outside the hall, because racks may be moved there.
    std::optional<RackSpot> spotAt(const QPointF& point) const;
    QRectF rectOf(RackSpot spot) const;

private:
    bool isInConflict(const Rack& rack) const; // exceeds its power limit, or shares its tile with another rack
    void paintRack(QPainter& painter, const Tokens& tokens, const Rack& rack, bool selected) const;
    void paintScale(QPainter& painter, const Tokens& tokens) const;

    const Floor& m_floor;
    QPointF m_origin;
    double m_left = 0, m_right = 0; // of the area
    double m_scale = 1;             // pixels per metre
    int m_positions = 0;
    std::map<RackSpot, int> m_racksOn;
};

// Draws every device with its path, from the top unit down.
void paintElevation(QPainter& painter, const Tokens& tokens, const Fabric& fabric, const Floor& floor, std::uint32_t rack,
                    const QRectF& area);

QString floorSentence(const Floor& floor);              // "37 racks in 4 rows, 6.0 × 8.4 m"
QString fullestRack(const std::optional<Watts>& power); // " · highest rack power 40.8 kW"
QString contentOf(const Rack& rack);                    // "4 servers", "8 switches"

} // namespace railyard
