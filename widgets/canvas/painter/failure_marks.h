// What has failed and its blast radius, on the drawing: crosses over elements and what stands inside them, marks on NICs, dashes along
// bundles that carry nothing; servers that are cut off, and those with degraded GPUs.
#pragma once

#include "core/failure/impact.h"
#include "widgets/canvas/painter/cable_index.h"
#include "widgets/canvas/painter/inside_painter.h"
#include "widgets/canvas/painter/painted_scene.h"
#include "widgets/canvas/scene/scene_failures.h"

#include <map>

namespace railyard {

class FailureMarks {
public:
    // `removal` and `impacts` are of the intact fabric; empty: nothing has failed. False unless a failed element is hidden in a fold.
    bool take(const Scene& scene, const Fabric& fabric, const CableIndex& index, const Removal& removal,
              const By<DeviceId, Impact>& impacts);
    void paintBundles(QPainter& painter, const PaintedScene& at, unsigned layers = ~0U) const; // layers: bits of Layer
    // `insides` of servers that are drawn open; null: none is.
    void paintElements(QPainter& painter, const PaintedScene& at, const Fabric& fabric, const ServerInsides* insides) const;

private:
    struct Failed {
        std::size_t node = 0;
        int devices = 0, all = 0; // that have failed; in all
        int gpus = 0, degraded = 0, cutOff = 0;
        int failedGpus = 0, failedHbSwitches = 0;
        int failedLinks = 0;   // inside it, of devices that work
        std::vector<int> nics; // of those that have failed, the NICs, from 1
        bool isWhole() const { return devices > 0 && devices == all; }
        bool isAny() const { return devices + degraded + cutOff + failedLinks > 0; }
    };
    struct FailedBundle {
        std::size_t bundle = 0;
        FailedShare share;
        double room = 0; // from its pill to the next one beside it, in the scene
    };
    struct FailedCable {
        std::size_t cable = 0;
        FailedShare share;
    };
    void takeBundles(const Scene& scene, const Fabric& fabric, const Removal& removal);
    void paintLine(QPainter& painter, const PaintedScene& at, const QPolygonF& world, double width) const;
    void paintShare(QPainter& painter, const PaintedScene& at, QPointF centre, const FailedShare& share, double room) const; // px
    void paintCross(QPainter& painter, const PaintedScene& at, const QRectF& box) const;
    void paintHidden(QPainter& painter, const PaintedScene& at) const;
    void paintPill(QPainter& painter, const PaintedScene& at, QPointF centre, const QString& said) const;
    void paintReach(QPainter& painter, const PaintedScene& at, const Failed& reached, const QRectF& box) const;
    void paintNics(QPainter& painter, const PaintedScene& at, const Failed& failed, const QRectF& box) const;
    void paintParts(QPainter& painter, const PaintedScene& at, const Failed& failed, const QRectF& box) const;

    std::vector<Failed> m_failed;
    std::vector<FailedBundle> m_bundles;
    std::vector<FailedCable> m_cables;
    std::vector<QRectF> m_hbSwitches; // of racks, where they stand in the scene
    std::map<Shape, int>
        m_hidden; // what has failed and is not drawn one by one: switches by shape, servers and other parts as Shape::Server
    Removal m_removal;
    int m_nicsOfAServer = 1;
};

} // namespace railyard
