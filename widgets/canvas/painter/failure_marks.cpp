#include "widgets/canvas/painter/failure_marks.h"

#include "widgets/canvas/painter/load_scale.h"

#include <QObject>
#include <algorithm>
#include <map>

namespace railyard {

// Determines for every visible element whether it has failed completely or partly.
bool FailureMarks::take(const Scene& scene, const Fabric& fabric, const CableIndex& index, const By<DeviceId, Impact>& impacts) {
    m_failed.clear();
    m_deadBundles.clear();
    m_nicsOfAServer = index.nicsOfAServer();
    if (impacts.empty()) return false;
    std::vector<Failed> failedOf(scene.nodes.size());
    bool hidden = false;
    for (const DeviceId d : indices<DeviceId>(impacts.size())) {
        const std::uint32_t node = index.nodeOf(d);
        hidden = hidden || (node == none && impacts[d] == Impact::Failed);
        if (node == none) continue;
        Failed& own = failedOf[node];
        ++own.all;
        own.gpus += fabric.devices.isGpu(d) ? 1 : 0;
        own.degraded += impacts[d] == Impact::Degraded ? 1 : 0;
        own.cutOff += impacts[d] == Impact::CutOff ? 1 : 0;
        if (impacts[d] != Impact::Failed) continue;
        ++own.devices;
        if (fabric.devices.isNic(d)) own.nics.push_back(static_cast<int>(fabric.devices.index[d]));
    }
    for (std::size_t n = 0; n < failedOf.size(); ++n) {
        failedOf[n].node = n;
        if (failedOf[n].devices + failedOf[n].degraded + failedOf[n].cutOff > 0) m_failed.push_back(std::move(failedOf[n]));
    }
    takeBundles(scene, fabric, impacts);
    return hidden;
}

// Bundles of a failed switch, and the lanes of a rail of which no leaf is left: they carry nothing.
void FailureMarks::takeBundles(const Scene& scene, const Fabric& fabric, const By<DeviceId, Impact>& impacts) {
    const DeviceTable& devices = fabric.devices;
    const auto isGone = [&](DeviceId device) { return device != none && impacts[device] == Impact::Failed; };
    std::map<int, bool> isRailDead;
    for (const DeviceId d : devices.ids()) {
        if (!devices.routes(d) || devices.tier[d] != SwitchTier::Leaf || devices.rail[d] == 0) continue;
        const auto rail = isRailDead.try_emplace(static_cast<int>(devices.rail[d]), true).first;
        rail->second = rail->second && isGone(d);
    }
    for (std::size_t b = 0; b < scene.bundles.size(); ++b) {
        const SceneBundle& bundle = scene.bundles[b];
        const auto rail = isRailDead.find(bundle.ofRail);
        const bool isOfDeadRail = bundle.lower == none && bundle.upper == none && rail != isRailDead.end() && rail->second;
        if (isGone(bundle.lower) || isGone(bundle.upper) || isOfDeadRail) m_deadBundles.push_back(b);
    }
}

void FailureMarks::paintBundles(QPainter& painter, const PaintedScene& at) const {
    painter.setBrush(Qt::NoBrush);
    QPen dashes(at.tokens.danger, 1.6, Qt::CustomDashLine, Qt::FlatCap);
    dashes.setDashPattern({3, 3});
    for (const std::size_t b : m_deadBundles) {
        const SceneBundle& bundle = at.scene.bundles[b];
        QPolygonF path;
        for (const QPointF& point : bundle.path) path << at.view.toScreen(point);
        if (!at.visible(path.boundingRect().adjusted(-4, -4, 4, 4))) continue;
        painter.setPen(QPen(at.tokens.canvas, std::max(2.0, bundleWidth(bundle.links) * std::min(1.0, at.view.scale)) + 1, Qt::SolidLine,
                            Qt::FlatCap));
        painter.drawPolyline(path);
        painter.setPen(dashes);
        painter.drawPolyline(path);
        if (bundle.pill.isEmpty() || at.view.scale < 0.3) continue;
        const QPointF centre = at.view.toScreen(bundle.pillAt);
        const QRectF pill(centre.x() - 24, centre.y() - 8, 48, 16);
        painter.setPen(QPen(at.tokens.danger, 1.2));
        painter.setBrush(at.tokens.card);
        painter.drawRoundedRect(pill, 8, 8);
        painter.setFont(fontFor(TextRole::Caption));
        painter.drawText(pill, Qt::AlignCenter, QObject::tr("failed"));
        painter.setBrush(Qt::NoBrush);
    }
}

// A server that has lost NICs and nothing else still computes: only its pips are marked.
void FailureMarks::paintNics(QPainter& painter, const PaintedScene& at, const Failed& failed, const QRectF& box) const {
    constexpr int mostPips = 8; // as servers are drawn
    const int pips = std::min(mostPips, m_nicsOfAServer);
    const double width = box.width() / pips, height = std::max(3.0, box.height() * 0.1);
    for (const int nic : failed.nics) {
        if (nic > pips) continue;
        const QRectF pip(box.left() + (nic - 1) * width, box.top() - 1, width, height);
        painter.fillRect(pip, at.tokens.danger);
        if (width < 5) continue;
        painter.setPen(QPen(inkOn(at.tokens.danger), 1));
        painter.drawLine(pip.topLeft(), pip.bottomRight());
        painter.drawLine(pip.topRight(), pip.bottomLeft());
    }
}

// Amber: the worst-case bandwidth of its GPUs falls. Red without a cross: it works, and nothing reaches it.
void FailureMarks::paintReach(QPainter& painter, const PaintedScene& at, const Failed& reached, const QRectF& box) const {
    const QColor colour = reached.cutOff > 0 ? at.tokens.danger : at.tokens.warn;
    const int hit = reached.cutOff + reached.degraded;
    QColor fill = colour; // the more of its GPUs, the stronger
    fill.setAlphaF(0.1F + 0.16F * static_cast<float>(hit) / static_cast<float>(reached.gpus));
    painter.setPen(hit == reached.gpus ? QPen(colour, box.width() < 5 ? 0.5 : 1.4) : QPen(Qt::NoPen));
    painter.setBrush(fill);
    painter.drawRect(box);
}

void FailureMarks::paintElements(QPainter& painter, const PaintedScene& at) const {
    QColor fill = at.tokens.danger;
    fill.setAlphaF(0.3F);
    const QPen cross(at.tokens.danger, 1.6);
    for (const Failed& failed : m_failed) {
        const QRectF box = at.view.toScreen(at.scene.nodes[failed.node].rect);
        if (!at.visible(box)) continue;
        if (failed.degraded + failed.cutOff > 0) paintReach(painter, at, failed, box);
        if (failed.devices == 0) continue;
        const bool whole = failed.isWhole();
        if (!whole && failed.areOnlyNics() && at.scene.nodes[failed.node].shape == Shape::Server) {
            paintNics(painter, at, failed, box);
            continue;
        }
        painter.setPen(whole ? QPen(Qt::NoPen) : cross);
        painter.setBrush(whole ? QBrush(fill) : QBrush(Qt::NoBrush));
        painter.drawRect(box);
        if (!whole || box.width() < 5) continue;
        painter.setPen(cross);
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.topRight(), box.bottomLeft());
    }
}

} // namespace railyard
