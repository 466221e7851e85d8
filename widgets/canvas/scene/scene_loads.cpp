// Aggregates link loads to the bundles and servers that represent the links.
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/scene/bundle_keys.h"

#include <QObject>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace railyard {

std::vector<double> largestOfBundles(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink) {
    std::map<BundleKey, double> largest;
    for (const SceneBundle& bundle : scene.bundles)
        if (bundle.tier) largest[keyOf(bundle)] = -1;
    for (const LinkId l : indices<LinkId>(std::min(fabric.links.size(), ofLink.size()))) {
        if (!fabric.isNetworkLink(l) || ofLink[l] < 0) continue;
        for (const BundleKey& key : keysOf(fabric, l))
            if (const auto own = largest.find(key); own != largest.end()) own->second = std::max(own->second, ofLink[l]);
    }
    std::vector<double> result;
    for (const SceneBundle& bundle : scene.bundles) result.push_back(bundle.tier ? largest.at(keyOf(bundle)) : -1);
    return result;
}

// Eight colours; beyond that the job number distinguishes jobs.
void ScenePainter::territories(QPainter& painter) const {
    std::vector<bool> isFolded(m_scene.nodes.size()); // nodes that represent servers of several SUs
    for (const SceneCard& card : m_scene.cards)
        for (std::size_t n = card.firstNode; card.folded > 1 && n < card.lastNode; ++n) isFolded[n] = true;
    for (const SceneNode& node : m_scene.nodes) {
        if (isFolded[static_cast<std::size_t>(&node - m_scene.nodes.data())]) continue;
        if (node.scope == none || (node.shape != Shape::Server && node.shape != Shape::HbDomain)) continue;
        const int job = m_territories->ofScope[node.scope];
        const QRectF rect = m_view.toScreen(node.rect);
        if (job < 0 || !visible(rect)) continue;
        const QColor ink = m_tokens.jobs[static_cast<std::size_t>(job) % m_tokens.jobs.size()];
        QColor fill = ink;
        fill.setAlphaF(0.3F);
        painter.fillRect(rect, rect.width() < 10 ? ink : fill);
        if (rect.width() < 10) continue;
        painter.setPen(QPen(ink, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(1, 1, -1, -1));
        if (rect.width() < 20 || node.shape != Shape::Server) continue;
        const double height = std::min(rect.height() * 0.28, 16.0);
        const QRectF tag(rect.left() + 2, rect.bottom() - height - 2, rect.width() - 4, height);
        painter.fillRect(tag, ink);
        text(painter, tag, Qt::AlignCenter, QObject::tr("Job %1").arg(job + 1), height * 0.72, inkOn(ink), true);
    }
}

// Slightly curved, so that the two directions can be distinguished; with an arrowhead if there is room.
void ScenePainter::hops(QPainter& painter) const {
    if (isPlan()) return;
    std::unordered_map<std::uint32_t, QRectF> places;
    for (const SceneNode& node : m_scene.nodes)
        if (node.scope != none && (node.shape == Shape::Server || node.shape == Shape::HbDomain))
            places[node.scope] = m_view.toScreen(node.rect);
    QColor ink = m_tokens.text;
    const bool isSmall = m_serverWidth < 16; // little room for many arrows
    ink.setAlphaF(isSmall ? 0.5F : 0.75F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const auto& [from, to] : *m_hops) {
        const auto a = places.find(from), b = places.find(to);
        if (a == places.end() || b == places.end()) continue;
        const auto belowNumber = [](const QRectF& rect) { return rect.center() + QPointF(0, rect.height() * 0.3); };
        const QPointF start = belowNumber(a->second), end = belowNumber(b->second), along = end - start;
        if (!visible(QRectF(start, end).normalized().adjusted(-1, -1, 1, 1))) continue;
        const double length = std::hypot(along.x(), along.y());
        if (length < 4) continue;
        const QPointF unit = along / length, across(-unit.y(), unit.x());
        const QPointF bend = (start + end) / 2 + across * std::min(length * 0.2, 70.0);
        QPainterPath path(start);
        path.quadTo(bend, end);
        painter.setPen(QPen(ink, isSmall ? 0.7 : 1.3));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(path);
        if (isSmall || length < 20) continue;
        const QPointF tip = path.pointAtPercent(0.62), back = path.pointAtPercent(0.55), way = tip - back;
        const double step = std::hypot(way.x(), way.y());
        const QPointF ahead = way / step, aside(-ahead.y(), ahead.x());
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawPolygon(QPolygonF{tip, tip - ahead * 7 + aside * 3.5, tip - ahead * 7 - aside * 3.5});
    }
    painter.restore();
}

void paintLoadScale(QPainter& painter, QPointF at, const Tokens& tokens) {
    constexpr int width = 120, height = 12;
    for (int x = 0; x < width; ++x) painter.fillRect(QRectF(at.x() + x, at.y() + 3, 1, height), loadColor(x / double{width - 1}, tokens));
    painter.fillRect(QRectF(at.x() + width + 2, at.y() + 3, 14, height), tokens.danger);
    painter.setPen(tokens.text2);
    painter.setFont(fontFor(TextRole::Caption));
    painter.drawText(QRectF(at.x() + width + 20, at.y(), loadScaleSize.width() - width - 20, loadScaleSize.height()),
                     Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("> 100 %"));
}

std::vector<double> largestInside(const Scene& scene, const Fabric& fabric, const std::vector<double>& ofLink) {
    std::vector<double> ofScope(fabric.scopes.size(), -1);
    const auto raise = [&](ScopeId scope, double load) { ofScope[scope] = std::max(ofScope[scope], load); };
    for (std::size_t l = 0; l < std::min(fabric.links.size(), ofLink.size()); ++l) {
        if (fabric.links.tier[l] != LinkTier::Hb || ofLink[l] < 0) continue;
        const DeviceId gpu = fabric.links.a[l];
        const ServerId server = fabric.devices.server[gpu];
        const DomainId domain = fabric.devices.hbDomain[gpu];
        if (server != none) raise(fabric.servers[server], ofLink[l]);
        if (domain != none) raise(fabric.hbDomains[domain], ofLink[l]);
    }
    std::vector<double> result;
    for (const SceneNode& node : scene.nodes) result.push_back(node.scope == none ? -1 : ofScope[node.scope]);
    return result;
}

} // namespace railyard
