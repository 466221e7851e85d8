// Between the level of bundles and that of ports: at a switch, one line for each device that it is connected to. The lines lead from the
// edge of the switch to a rake, where the bundle of the drawing begins. The distance between lines decides: below 3 px the bundle remains.
// All places are in px on screen.
#pragma once

#include "widgets/canvas/painter/cable_index.h"
#include "widgets/canvas/painter/painted_scene.h"

#include <functional>

namespace railyard {

class PairFans {
public:
    static constexpr double leastLeafWidth = 110;
    static bool isLevel(const ViewState& view);

    struct Pair { // a switch and one device, or a server with all its NICs
        double x = 0;
        int number = 0, rail = 0; // of the far end; from 1
        std::vector<LinkId> links;
    };
    struct Fan {
        std::uint32_t node = none;
        bool isUp = false;
        double edge = 0, rake = 0, trunk = 0; // trunk: where the bundle begins
        std::optional<double> frame;          // the edge of a tier bar, to which the trunk leads
        int rail = 0;
        QString words; // "16 spines, 2 links each"
        std::vector<Pair> pairs;
        double pitch() const { return pairs.size() < 2 ? 1e9 : pairs[1].x - pairs[0].x; }
    };

    PairFans() = default;
    // Of the switches in `area` but for those that are drawn with their ports.
    PairFans(const Scene& scene, const Fabric& fabric, const CableIndex& index, const ViewState& view, const QRectF& area,
             const std::function<bool(std::size_t)>& hasPorts);

    const std::vector<Fan>& fans() const { return m_fans; }
    const Pair* pairAt(QPointF at) const;
    void paint(QPainter& painter, const Tokens& tokens, const std::vector<double>* loads) const; // loads: by link of the fabric
    void paintHighlighted(QPainter& painter, LinkId link, const Tokens& tokens) const;

private:
    void take(const Scene& scene, const Fabric& fabric, const CableIndex& index, const ViewState& view, std::uint32_t node, bool isUp);

    std::vector<Fan> m_fans;
    int m_rails = 0;
};

} // namespace railyard
