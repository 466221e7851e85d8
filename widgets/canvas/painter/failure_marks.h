// What has failed and its blast radius, on the drawing: crosses over elements, marks on NICs, dashes along bundles that carry nothing;
// servers that are cut off, and those with degraded GPUs.
#pragma once

#include "core/failure/impact.h"
#include "widgets/canvas/painter/cable_index.h"
#include "widgets/canvas/painter/painted_scene.h"

namespace railyard {

class FailureMarks {
public:
    // `impacts` of devices of the intact fabric; empty: nothing has failed. False unless a failed element is hidden in a fold.
    bool take(const Scene& scene, const Fabric& fabric, const CableIndex& index, const By<DeviceId, Impact>& impacts);
    void paintBundles(QPainter& painter, const PaintedScene& at) const;
    void paintElements(QPainter& painter, const PaintedScene& at) const;

private:
    struct Failed {
        std::size_t node = 0;
        int devices = 0, all = 0; // that have failed; in all
        int gpus = 0, degraded = 0, cutOff = 0;
        std::vector<int> nics; // of those that have failed, the NICs, from 1
        bool isWhole() const { return devices == all; }
        bool areOnlyNics() const { return static_cast<std::size_t>(devices) == nics.size(); }
    };
    void takeBundles(const Scene& scene, const Fabric& fabric, const By<DeviceId, Impact>& impacts);
    void paintReach(QPainter& painter, const PaintedScene& at, const Failed& reached, const QRectF& box) const;
    void paintNics(QPainter& painter, const PaintedScene& at, const Failed& failed, const QRectF& box) const;

    std::vector<Failed> m_failed;
    std::vector<std::size_t> m_deadBundles;
    int m_nicsOfAServer = 1;
};

} // namespace railyard
