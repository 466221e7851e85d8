#include "widgets/canvas/painter/failure_marks.h"

#include "widgets/canvas/painter/load_scale.h"
#include "widgets/canvas/scene/scene_racks.h"
#include "widgets/theme/text.h"

#include <QObject>
#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace railyard {

// Determines for every visible element whether it has failed completely or partly.
bool FailureMarks::take(const Scene& scene, const Fabric& fabric, const CableIndex& index, const Removal& removal,
                        const By<DeviceId, Impact>& impacts) {
    m_failed.clear();
    m_bundles.clear();
    m_cables.clear();
    m_hbSwitches.clear();
    m_hidden.clear();
    m_removal = {};
    m_nicsOfAServer = index.nicsOfAServer();
    if (impacts.empty()) return false;
    m_removal = removal;
    std::vector<Failed> failedOf(scene.nodes.size());
    std::set<DeviceId> inRacks;
    for (const SceneCard& card : scene.cards)
        for (const SceneRack& rack : card.racks)
            for (std::size_t s = 0; s < rack.hbSwitches.size(); ++s) {
                if (impacts[rack.hbSwitches[s]] != Impact::Failed) continue;
                inRacks.insert(rack.hbSwitches[s]);
                m_hbSwitches.push_back(hbSwitchRect(rack, s));
            }
    std::set<ServerId> hiddenServers;
    bool hidden = false;
    for (const DeviceId d : indices<DeviceId>(impacts.size())) {
        const std::uint32_t node = index.nodeOf(d);
        if (node == none && impacts[d] == Impact::Failed && !inRacks.contains(d)) {
            hidden = true;
            const ServerId server = fabric.devices.server[d];
            const bool isNew = server == none || hiddenServers.insert(server).second; // a server counts once
            if (isNew) ++m_hidden[fabric.devices.routes(d) ? shapeOf(fabric.devices.tier[d]) : Shape::Server];
        }
        if (node == none) continue;
        Failed& own = failedOf[node];
        ++own.all;
        own.gpus += fabric.devices.isGpu(d) ? 1 : 0;
        own.degraded += impacts[d] == Impact::Degraded ? 1 : 0;
        own.cutOff += impacts[d] == Impact::CutOff ? 1 : 0;
        if (impacts[d] != Impact::Failed) continue;
        ++own.devices;
        own.failedGpus += fabric.devices.isGpu(d) ? 1 : 0;
        own.failedHbSwitches += fabric.devices.isHbSwitch(d) ? 1 : 0;
        if (fabric.devices.isNic(d)) own.nics.push_back(static_cast<int>(fabric.devices.index[d]));
    }
    for (const LinkId l : indices<LinkId>(removal.links.size()))
        if (removal.links[l] && !fabric.isNetworkLink(l))
            if (const std::uint32_t node = index.nodeOf(fabric.links.a[l]); node != none) ++failedOf[node].failedLinks;
    for (std::size_t n = 0; n < failedOf.size(); ++n) {
        failedOf[n].node = n;
        if (failedOf[n].isAny()) m_failed.push_back(std::move(failedOf[n]));
    }
    takeBundles(scene, fabric, removal);
    return hidden;
}

void FailureMarks::takeBundles(const Scene& scene, const Fabric& fabric, const Removal& removal) {
    const std::vector<FailedShare> shares = failedOfBundles(scene, fabric, removal);
    std::map<double, std::set<double>> pills; // x by y
    for (const SceneBundle& bundle : scene.bundles)
        if (!bundle.pill.isEmpty()) pills[bundle.pillAt.y()].insert(bundle.pillAt.x());
    const auto roomAt = [&](QPointF pill) {
        const std::set<double>& row = pills.at(pill.y());
        const auto own = row.find(pill.x()), next = std::next(own);
        double room = std::numeric_limits<double>::infinity();
        if (own != row.begin()) room = pill.x() - *std::prev(own);
        if (next != row.end()) room = std::min(room, *next - pill.x());
        return room;
    };
    for (std::size_t b = 0; b < shares.size(); ++b)
        if (shares[b].failed > 0)
            m_bundles.push_back({b, shares[b], scene.bundles[b].pill.isEmpty() ? 0 : roomAt(scene.bundles[b].pillAt)});
    for (std::size_t c = 0; c < scene.cables.size(); ++c) {
        const std::vector<LinkId>& links = scene.cables[c].of;
        const auto failed = std::count_if(links.begin(), links.end(), [&](LinkId l) { return removal.hasFailed(fabric, l); });
        if (failed > 0) m_cables.push_back({c, {failed, static_cast<std::int64_t>(links.size())}});
    }
}

void FailureMarks::paintLine(QPainter& painter, const PaintedScene& at, const QPolygonF& world, double width) const {
    QPolygonF path;
    for (const QPointF& point : world) path << at.view.toScreen(point);
    if (!at.visible(path.boundingRect().adjusted(-4, -4, 4, 4))) return;
    QPen dashes(at.tokens.danger, 1.6, Qt::CustomDashLine, Qt::FlatCap);
    dashes.setDashPattern({3, 3});
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(at.tokens.canvas, std::max(2.0, width) + 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawPolyline(path);
    painter.setPen(dashes);
    painter.drawPolyline(path);
}

// "failed", or how many of the links have; shorter where the next pill is near.
void FailureMarks::paintShare(QPainter& painter, const PaintedScene& at, QPointF centre, const FailedShare& share, double room) const {
    const QString failed = QString::fromStdString(formatCount(share.failed)), all = QString::fromStdString(formatCount(share.all));
    const QFont font = fontFor(TextRole::Caption);
    const QFontMetricsF metrics(font);
    const auto widthOf = [&](const QString& said) { return metrics.horizontalAdvance(said) + 14; };
    QString said = share.isWhole() ? QObject::tr("failed") : QObject::tr("%1 of %2 failed").arg(failed, all);
    if (widthOf(said) > room - 3) said = share.isWhole() ? QStringLiteral("✕") : QStringLiteral("−%1").arg(failed);
    paintPill(painter, at, centre, said);
}

// Bundles of which no link works carry nothing. The others keep their colour, and say what they have lost where they say how many they are.
void FailureMarks::paintBundles(QPainter& painter, const PaintedScene& at, unsigned layers) const {
    const auto isShown = [&](Layer layer) { return (layers >> static_cast<unsigned>(layer) & 1U) != 0; };
    constexpr double leastScale = 0.3, leastScaleOfCables = 0.5; // below them pills are not drawn
    for (const FailedBundle& failed : m_bundles) {
        const SceneBundle& bundle = at.scene.bundles[failed.bundle];
        if (!isShown(bundle.layer)) continue;
        if (failed.share.isWhole()) paintLine(painter, at, bundle.path, bundleWidth(bundle.links) * std::min(1.0, at.view.scale));
        if (!bundle.pill.isEmpty() && at.view.scale >= leastScale)
            paintShare(painter, at, at.view.toScreen(bundle.pillAt), failed.share, failed.room * at.view.scale);
    }
    if (!isShown(Layer::HandDrawn)) return;
    for (const FailedCable& failed : m_cables) {
        const SceneCable& cable = at.scene.cables[failed.cable];
        if (failed.share.isWhole()) paintLine(painter, at, {cable.a, cable.b}, 2);
        if (failed.share.all > 1 && at.view.scale >= leastScaleOfCables)
            paintShare(painter, at, at.view.toScreen(cable.a + (cable.b - cable.a) * 0.3), failed.share,
                       std::numeric_limits<double>::infinity()); // where its pill is
    }
}

void FailureMarks::paintPill(QPainter& painter, const PaintedScene& at, QPointF centre, const QString& said) const {
    const QFont font = fontFor(TextRole::Caption);
    const double width = QFontMetricsF(font).horizontalAdvance(said) + 14;
    const QRectF pill(centre.x() - width / 2, centre.y() - 8, width, 16);
    if (!at.visible(pill)) return;
    painter.setPen(QPen(at.tokens.danger, 1.2));
    painter.setBrush(at.tokens.card);
    painter.drawRoundedRect(pill, 8, 8);
    painter.setFont(font);
    painter.drawText(pill, Qt::AlignCenter, said);
}

// What has failed among elements that are drawn once for many.
void FailureMarks::paintHidden(QPainter& painter, const PaintedScene& at) const {
    const auto hidden = [&](Shape shape) {
        const auto found = m_hidden.find(shape);
        return found == m_hidden.end() ? 0 : found->second;
    };
    const int inFolds = hidden(Shape::Server) + hidden(Shape::Leaf);
    for (const SceneCard& card : at.scene.cards) {
        if (card.folded <= 1 || inFolds == 0) continue;
        const QRectF box = at.view.toScreen(card.rect);
        paintPill(painter, at, {box.center().x(), box.top() + box.height() * 0.72},
                  counted(inFolds, QObject::tr("failures in %1 element"), QObject::tr("failures in %1 elements")));
    }
    for (const SceneBar& bar : at.scene.bars) {
        const bool isMany = bar.stacked > 1 || bar.lastNode == bar.firstNode; // drawn once, or as a count
        if (!isMany || bar.shape == Shape::Leaf || hidden(bar.shape) == 0) continue;
        const QRectF box = at.view.toScreen(bar.rect);
        paintPill(painter, at, {box.left() + 36, box.top() - 6},
                  QObject::tr("%1 failed").arg(hidden(bar.shape))); // counts of links stand in the middle
    }
}

void FailureMarks::paintCross(QPainter& painter, const PaintedScene& at, const QRectF& box) const {
    QColor fill = at.tokens.danger;
    fill.setAlphaF(0.3F);
    painter.fillRect(box, fill);
    if (box.width() < 5) return;
    painter.setPen(QPen(at.tokens.danger, 1.6));
    painter.drawLine(box.topLeft(), box.bottomRight());
    painter.drawLine(box.topRight(), box.bottomLeft());
}

// A server that has lost NICs and nothing else still computes: only its pips are marked.
void FailureMarks::paintNics(QPainter& painter, const PaintedScene& at, const Failed& failed, const QRectF& box) const {
    const PipRow pips = pipsOf(at.scene.nodes[failed.node], box, m_nicsOfAServer);
    const double height = std::max(3.0, pips.height + 2), width = pips.width;
    for (const int nic : failed.nics) {
        if (nic > pips.count) continue;
        const QRectF pip(pips.centreOf(nic - 1) - width / 2, box.top() - 1, width, height);
        painter.fillRect(pip, at.tokens.danger);
        if (width < 5) continue;
        painter.setPen(QPen(inkOn(at.tokens.danger), 1));
        painter.drawLine(pip.topLeft(), pip.bottomRight());
        painter.drawLine(pip.topRight(), pip.bottomLeft());
    }
}

// "1 GPU failed", or shorter where there is no room for it.
void FailureMarks::paintParts(QPainter& painter, const PaintedScene& at, const Failed& failed, const QRectF& box) const {
    QStringList parts;
    if (failed.failedGpus > 0) parts << counted(failed.failedGpus, QObject::tr("%1 GPU"), QObject::tr("%1 GPUs"));
    if (failed.failedHbSwitches > 0) parts << counted(failed.failedHbSwitches, QObject::tr("%1 HB switch"), QObject::tr("%1 HB switches"));
    if (failed.failedLinks > 0) parts << counted(failed.failedLinks, QObject::tr("%1 link"), QObject::tr("%1 links"));
    if (parts.isEmpty()) return;
    const QFont font = fontFor(TextRole::Caption);
    const QFontMetricsF metrics(font);
    const QString few = QStringLiteral("−%1").arg(failed.failedGpus + failed.failedHbSwitches + failed.failedLinks);
    for (const QString& said : {QObject::tr("%1 failed").arg(parts.join(QStringLiteral(", "))), few}) {
        const double width = metrics.horizontalAdvance(said) + 8;
        const bool isTray = at.scene.nodes[failed.node].isTray; // flat: at its end instead of at its foot
        if (width > box.width() * (isTray ? 0.3 : 1) || box.height() < (isTray ? 12 : 18)) continue;
        // At its foot, or below its NICs where its foot says how many GPUs it has.
        const double pips = pipsOf(at.scene.nodes[failed.node], box, m_nicsOfAServer).height;
        const double top = box.height() < 80 && box.width() > 46 ? box.top() + pips + 2 : box.bottom() - 17;
        const QRectF room(isTray ? box.right() - width - 2 : box.center().x() - width / 2, isTray ? box.center().y() - 6 : top, width,
                          isTray ? 12 : 15);
        painter.setPen(Qt::NoPen);
        painter.setBrush(at.tokens.card);
        painter.drawRect(room);
        painter.setPen(at.tokens.danger);
        painter.setFont(font);
        painter.drawText(room, Qt::AlignCenter, said);
        return;
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

void FailureMarks::paintElements(QPainter& painter, const PaintedScene& at, const Fabric& fabric, const ServerInsides* insides) const {
    const QPen frame(at.tokens.danger, 1.6);
    for (const Failed& failed : m_failed) {
        const SceneNode& node = at.scene.nodes[failed.node];
        const QRectF box = at.view.toScreen(node.rect);
        if (!at.visible(box)) continue;
        if (failed.degraded + failed.cutOff > 0) paintReach(painter, at, failed, box);
        if (failed.isWhole()) {
            paintCross(painter, at, box);
            continue;
        }
        const bool isServer = node.shape == Shape::Server || node.shape == Shape::HbDomain;
        const QRectF room = isServer && insides ? insideRoom(node, box, m_nicsOfAServer) : QRectF();
        if (!room.isEmpty()) {
            paintFailedInside(painter, fabric, insides->insideOf(fabric, node.scope), room, at.tokens, m_removal);
            continue;
        }
        if (isServer) paintNics(painter, at, failed, box);
        if (failed.devices + failed.failedLinks == static_cast<int>(failed.nics.size()) && isServer) continue;
        if (failed.devices + failed.failedLinks == 0) continue;
        painter.setPen(frame);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        if (isServer) paintParts(painter, at, failed, box);
    }
    paintHidden(painter, at);
    for (const QRectF& place : m_hbSwitches) {
        const QRectF box = at.view.toScreen(place);
        if (at.visible(box)) paintCross(painter, at, box);
    }
}

} // namespace railyard
