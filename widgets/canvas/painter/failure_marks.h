// What has failed, on the drawing: crosses over elements, marks on NICs, dashes along bundles that carry nothing.
#pragma once

#include "widgets/canvas/painter/cable_index.h"
#include "widgets/canvas/painter/painted_scene.h"

namespace railyard {

class FailureMarks {
public:
    // `gone`: by device of the intact fabric; empty: nothing has failed. False unless a failed element is hidden in a fold.
    bool take(const Scene& scene, const Fabric& fabric, const CableIndex& index, const std::vector<bool>& gone);
    void paintBundles(QPainter& painter, const PaintedScene& at) const;
    void paintElements(QPainter& painter, const PaintedScene& at) const;

private:
    struct Failed {
        std::size_t node = 0;
        int devices = 0, all = 0; // that have failed; in all
        std::vector<int> nics;    // of those that have failed, the NICs, from 1
        bool isWhole() const { return devices == all; }
        bool areOnlyNics() const { return static_cast<std::size_t>(devices) == nics.size(); }
    };
    void takeBundles(const Scene& scene, const Fabric& fabric, const std::vector<bool>& gone);
    void paintNics(QPainter& painter, const PaintedScene& at, const Failed& failed, const QRectF& box) const;

    std::vector<Failed> m_failed;
    std::vector<std::size_t> m_deadBundles;
    int m_nicsOfAServer = 1;
};

} // namespace railyard
