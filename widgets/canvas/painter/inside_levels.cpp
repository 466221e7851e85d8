#include "widgets/canvas/painter/inside_levels.h"

#include <algorithm>
#include <set>

namespace railyard {

std::vector<DeviceId> upperSwitchesOf(const Fabric& fabric, const ServerInsides::Inside& inside) {
    std::set<DeviceId> lower;
    bool areJoined = false;
    for (const LinkId l : inside.hb) {
        const bool isFromGpu = fabric.devices.isGpu(fabric.links.a[l]);
        if (isFromGpu) lower.insert(fabric.links.b[l]);
        areJoined = areJoined || !isFromGpu;
    }
    std::vector<DeviceId> upper;
    for (const DeviceId each : inside.switches)
        if (areJoined && !lower.contains(each)) upper.push_back(each);
    return upper;
}

std::map<ServerId, InsideLevels::OfServer> InsideLevels::servers() const {
    std::map<ServerId, OfServer> servers;
    for (const DeviceId gpu : m_inside.gpus) ++servers[m_fabric.devices.server[gpu]].gpus;
    for (const LinkId l : m_inside.hb) {
        const ServerId a = m_fabric.devices.server[m_fabric.links.a[l]], b = m_fabric.devices.server[m_fabric.links.b[l]];
        if (a != b) ++servers[a != none ? a : b].linksOut;
    }
    const double pitch = m_room.width() / static_cast<double>(std::max<std::size_t>(1, servers.size()));
    double left = m_room.left() + pitch * 0.1;
    for (auto& [server, own] : servers) {
        own.box = QRectF(left, m_room.top() + m_room.height() * 0.24, pitch * 0.8, m_room.height() * 0.22);
        left += pitch;
    }
    return servers;
}

void InsideLevels::paint() {
    const std::map<ServerId, OfServer> servers = this->servers();
    const double pitch = m_room.width() / static_cast<double>(std::max<std::size_t>(1, servers.size()));
    const QRectF bar = upperBar();
    double middle = bar.top();
    for (const auto& [server, own] : servers) {
        const double x = own.box.center().x(), bottom = own.box.bottom();
        middle = (bottom + bar.top()) / 2;
        m_pen.painter.setPen(QPen(m_pen.tokens.neutral, std::clamp(pitch * 0.12, 1.0, 6.0)));
        m_pen.painter.drawLine(QPointF(x, bottom), QPointF(x, bar.top()));
        m_pen.painter.setPen(QPen(m_pen.tokens.controlBorder, 1));
        m_pen.painter.setBrush(m_pen.tokens.card);
        m_pen.painter.drawRect(own.box);
        if (server != none && pitch > 20)
            m_pen.text(own.box, QString::number(m_fabric.scopes[m_fabric.servers[server]].index), 11, m_pen.tokens.text, true);
        if (pitch > 60)
            m_pen.text(own.box.adjusted(0, own.box.height() * 0.55, 0, 0), insideText("%1 GPUs").arg(own.gpus), 11, m_pen.tokens.text2);
        if (pitch > 34) m_pen.pill(QPointF(x, middle), QString::number(own.linksOut));
    }
    if (pitch <= 34 && !servers.empty())
        m_pen.pill(QPointF(m_room.center().x(), middle),
                   QStringLiteral("%1 × %2").arg(servers.size()).arg(servers.begin()->second.linksOut));
    m_pen.painter.setPen(QPen(m_pen.tokens.cardBorder, 1.2));
    m_pen.painter.setBrush(m_pen.tokens.card);
    m_pen.painter.drawRoundedRect(bar, 6, 6);
    const double size = upperSize();
    for (std::size_t i = 0; i < m_upper.size(); ++i) {
        const QPointF at = placeOf(i);
        m_pen.painter.setPen(QPen(m_pen.tokens.neutral, 1.3));
        m_pen.painter.setBrush(m_pen.tokens.neutralFill);
        m_pen.painter.drawPolygon(
            QPolygonF({at + QPointF(0, -size / 2), at + QPointF(size / 2, 0), at + QPointF(0, size / 2), at + QPointF(-size / 2, 0)}));
        if (size > 20)
            m_pen.text(QRectF(at.x() - 14, at.y() - 8, 28, 16), QString::number(m_fabric.devices.index[m_upper[i]]), 11, m_pen.tokens.text);
    }
}

// A server of which some GPUs or lower HB switches have failed says how many; one that has lost all is crossed out.
void InsideLevels::paintFailed(const Removal& removal) {
    const QSizeF size(upperSize(), upperSize());
    for (std::size_t i = 0; i < m_upper.size(); ++i)
        if (removal.hasFailed(m_upper[i])) m_pen.cross(QRectF(placeOf(i) - QPointF(size.width(), size.height()) / 2, size));
    std::map<ServerId, std::pair<int, int>> failed; // GPUs, HB switches
    for (const DeviceId gpu : m_inside.gpus) failed[m_fabric.devices.server[gpu]].first += removal.hasFailed(gpu) ? 1 : 0;
    for (const DeviceId node : m_inside.switches)
        if (const ServerId server = m_fabric.devices.server[node]; server != none) failed[server].second += removal.hasFailed(node) ? 1 : 0;
    for (const auto& [server, own] : servers()) {
        const auto [gpus, switches] = failed[server];
        if (gpus + switches == 0) continue;
        m_pen.painter.setPen(QPen(m_pen.tokens.danger, 1.8));
        m_pen.painter.setBrush(Qt::NoBrush);
        m_pen.painter.drawRect(own.box);
        if (gpus == own.gpus) m_pen.cross(own.box);
        const QRectF under(own.box.center().x() - 20, own.box.bottom() - 8, 40, 16);
        if (own.box.width() > 16 && gpus < own.gpus)
            m_pen.text(under, QStringLiteral("−%1").arg(gpus + switches), 11, m_pen.tokens.danger, true);
    }
}

} // namespace railyard
