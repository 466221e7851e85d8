#include "widgets/canvas/painter/server_inside.h"

#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace railyard {

template <class Item, class KeyOf>
ServerInsides::Lists<Item> ServerInsides::listed(std::size_t lists, std::size_t count, KeyOf keyOf) {
    Lists<Item> result;
    result.first.assign(lists + 1, 0);
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t key = keyOf(Item(i)); key != none) ++result.first[key + 1];
    for (std::size_t k = 0; k < lists; ++k) result.first[k + 1] += result.first[k];
    result.items.resize(result.first.back());
    std::vector<std::uint32_t> at(result.first.begin(), result.first.end() - 1);
    for (std::size_t i = 0; i < count; ++i)
        if (const std::uint32_t key = keyOf(Item(i)); key != none) result.items[at[key]++] = Item(i);
    return result;
}

ServerInsides::ServerInsides(const Fabric& fabric) : m_server(fabric.scopes.size(), none), m_domain(fabric.scopes.size(), none) {
    for (std::uint32_t s = 0; s < fabric.servers.size(); ++s) m_server[fabric.servers[s]] = s;
    for (std::uint32_t d = 0; d < fabric.hbDomains.size(); ++d) m_domain[fabric.hbDomains[d]] = d;
    const DeviceTable& devices = fabric.devices;
    const LinkTable& links = fabric.links;
    const auto isInside = [&](LinkId l) { return links.tier[l] == LinkTier::Hb || links.tier[l] == LinkTier::Pcie; };
    m_devicesOfServer =
        listed<DeviceId>(fabric.servers.size(), devices.size(), [&](DeviceId d) { return std::uint32_t{devices.server[d]}; });
    m_devicesOfDomain =
        listed<DeviceId>(fabric.hbDomains.size(), devices.size(), [&](DeviceId d) { return std::uint32_t{devices.hbDomain[d]}; });
    m_linksOfServer = listed<LinkId>(fabric.servers.size(), links.size(),
                                     [&](LinkId l) { return isInside(l) ? std::uint32_t{devices.server[links.a[l]]} : NoIndex::number; });
    m_linksOfDomain = listed<LinkId>(fabric.hbDomains.size(), links.size(),
                                     [&](LinkId l) { return isInside(l) ? std::uint32_t{devices.hbDomain[links.a[l]]} : NoIndex::number; });
    findRings(fabric);
}

// Only where GPUs are joined by direct links, and not each to each: there every GPU is on as many rings as it has links to another GPU.
void ServerInsides::findRings(const Fabric& fabric) {
    for (const ScopeId domain : fabric.hbDomains) {
        const Inside inside = insideOf(fabric, domain);
        if (inside.hb.empty() || !inside.switches.empty()) continue;
        Speeds speeds = directSpeeds(fabric, inside.gpus, inside.hb);
        if (isComplete(speeds) || m_rings.contains(speeds)) continue;
        auto rings = ringsBothWays(linkUnitsOf(speeds).links);
        m_rings.emplace(std::move(speeds), std::move(rings));
    }
}

namespace {

// The part states how many; GPUs and NICs stand behind them in order. A server of other counts, or one whose NICs are used across them, is
// wired in a way that the part does not describe.
std::vector<ServerInsides::PcieSwitch> pcieSwitchesOf(const Fabric& fabric, ServerId server, const ServerInsides::Inside& inside) {
    const Part* part = fabric.parts[fabric.serverParts[server]];
    const ServerPart* facts = part ? std::get_if<ServerPart>(&part->detail) : nullptr;
    const std::size_t count = facts ? static_cast<std::size_t>(facts->pcieSwitches) : 0;
    if (count == 0 || inside.gpus.size() != static_cast<std::size_t>(facts->gpus) || inside.gpus.size() % count != 0 ||
        inside.nics.empty() || inside.nics.size() % count != 0)
        return {};
    std::vector<ServerInsides::PcieSwitch> result(count);
    std::map<DeviceId, std::size_t> behind;
    const auto spread = [&](const std::vector<DeviceId>& devices, std::vector<DeviceId> ServerInsides::PcieSwitch::*list) {
        for (std::size_t i = 0; i < devices.size(); ++i) {
            const std::size_t k = i / (devices.size() / count);
            (result[k].*list).push_back(devices[i]);
            behind[devices[i]] = k;
        }
    };
    spread(inside.gpus, &ServerInsides::PcieSwitch::gpus);
    spread(inside.nics, &ServerInsides::PcieSwitch::nics);
    for (const LinkId l : inside.pcie)
        if (behind.at(fabric.links.a[l]) != behind.at(fabric.links.b[l])) return {};
    return result;
}

} // namespace

ServerInsides::Inside ServerInsides::insideOf(const Fabric& fabric, ScopeId scope) const {
    Inside inside;
    const std::uint32_t server = m_server[scope], domain = m_domain[scope];
    if (server == none && domain == none) return inside;
    const bool isServer = server != none;
    std::vector<ServerId> servers;
    for (const DeviceId d : isServer ? m_devicesOfServer.list(server) : m_devicesOfDomain.list(domain)) {
        const DeviceKind kind = fabric.devices.kind[d];
        (kind == DeviceKind::Gpu ? inside.gpus : kind == DeviceKind::Nic ? inside.nics : inside.switches).push_back(d);
        if (fabric.devices.server[d] != none) servers.push_back(fabric.devices.server[d]); // switches of the domain stand in none
    }
    std::sort(servers.begin(), servers.end());
    inside.servers = static_cast<int>(std::unique(servers.begin(), servers.end()) - servers.begin());
    for (const LinkId l : isServer ? m_linksOfServer.list(server) : m_linksOfDomain.list(domain))
        (fabric.links.tier[l] == LinkTier::Hb ? inside.hb : inside.pcie).push_back(l);
    if (inside.servers == 1) inside.pcieSwitches = pcieSwitchesOf(fabric, servers.front(), inside);
    if (m_rings.empty() || !inside.switches.empty()) return inside;
    if (const auto found = m_rings.find(directSpeeds(fabric, inside.gpus, inside.hb)); found != m_rings.end())
        for (const HbRing& ring : found->second) {
            std::vector<DeviceId>& members = inside.rings.emplace_back();
            for (const std::size_t member : ring) members.push_back(inside.gpus[member]);
        }
    return inside;
}

namespace {

QString words(const char* text) { return QCoreApplication::translate("Scene", text); }

class InsidePainter {
public:
    InsidePainter(QPainter& painter, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room, const Tokens& tokens,
                  int rails)
        : m_painter(painter),
          m_fabric(fabric),
          m_inside(inside),
          m_room(room),
          m_tokens(tokens),
          m_rails(rails) {}

    void paint() {
        findUpperSwitches();
        if (!m_upper.empty()) {
            twoLevels();
            return sentence(true);
        }
        place(m_inside.nics, m_room.top() + m_room.height() * 0.2);
        place(m_inside.gpus, m_room.top() + m_room.height() * 0.42);
        place(m_inside.switches, m_room.top() + m_room.height() * 0.78);
        pcieLinks();
        const bool hasSwitches =
            std::any_of(m_inside.hb.begin(), m_inside.hb.end(), [&](LinkId l) { return !m_fabric.devices.isGpu(m_fabric.links.b[l]); });
        if (hasSwitches)
            switchedLinks();
        else
            m_inside.rings.empty() ? directLinks() : rings();
        pcieSwitches();
        nics();
        gpus();
        switches();
        sentence(hasSwitches);
    }

private:
    void place(const std::vector<DeviceId>& row, double y) {
        for (std::size_t i = 0; i < row.size(); ++i)
            m_place[row[i]] = QPointF(m_room.left() + m_room.width() * (static_cast<double>(i) + 0.5) / static_cast<double>(row.size()), y);
    }
    // Those that have no GPUs, in a domain where others have.
    void findUpperSwitches() {
        std::set<DeviceId> lower;
        bool areJoined = false;
        for (const LinkId l : m_inside.hb) {
            const bool isFromGpu = m_fabric.devices.isGpu(m_fabric.links.a[l]);
            if (isFromGpu) lower.insert(m_fabric.links.b[l]);
            areJoined = areJoined || !isFromGpu;
        }
        for (const DeviceId each : m_inside.switches)
            if (areJoined && !lower.contains(each)) m_upper.push_back(each);
    }
    // A domain with two levels holds too much for single lines: its servers stand in a row, and the links that leave each of them are one
    // bundle to the switches that join them.
    void twoLevels();
    void pill(QPointF centre, const QString& said) {
        QFont font = fontFor(TextRole::Caption);
        font.setPixelSize(11);
        font.setBold(true);
        const double width = QFontMetricsF(font).horizontalAdvance(said) + 14;
        const QRectF box(centre.x() - width / 2, centre.y() - 8, width, 16);
        m_painter.setPen(QPen(m_tokens.neutral, 1.2));
        m_painter.setBrush(m_tokens.card);
        m_painter.drawRoundedRect(box, 8, 8);
        text(box, said, 11, m_tokens.text, true);
    }
    double gpuSize() const {
        const double pitch = m_room.width() / static_cast<double>(std::max<std::size_t>(1, m_inside.gpus.size()));
        return std::min(pitch * 0.7, m_room.height() * 0.13);
    }
    std::optional<QPointF> at(DeviceId device) const {
        const auto found = m_place.find(device);
        return found == m_place.end() ? std::nullopt : std::optional(found->second);
    }
    void text(const QRectF& box, const QString& said, double size, const QColor& color, bool bold = false) {
        if (size < 10.7) return; // 8 pt
        QFont font = fontFor(TextRole::Caption);
        font.setPixelSize(static_cast<int>(std::lround(size)));
        font.setBold(bold);
        m_painter.setFont(font);
        m_painter.setPen(color);
        m_painter.drawText(box, Qt::AlignCenter, said);
    }
    void line(LinkId link, const QPen& pen, double fromBelow) {
        const auto a = at(m_fabric.links.a[link]), b = at(m_fabric.links.b[link]);
        if (!a || !b) return;
        m_painter.setPen(pen);
        m_painter.drawLine(*a + QPointF(0, fromBelow), *b + QPointF(0, fromBelow > 0 ? -6 : 6));
    }
    // A bar between the NICs and the GPUs behind it, over the links that run through it.
    void pcieSwitches() {
        const double height = std::min(16.0, m_room.height() * 0.06), y = m_room.top() + m_room.height() * 0.29;
        for (std::size_t k = 0; k < m_inside.pcieSwitches.size(); ++k) {
            const auto& [gpus, nics] = m_inside.pcieSwitches[k];
            const auto [left, right] =
                std::minmax({at(gpus.front())->x(), at(gpus.back())->x(), at(nics.front())->x(), at(nics.back())->x()});
            const QRectF box(left - gpuSize() / 2, y - height / 2, right - left + gpuSize(), height);
            m_painter.setPen(QPen(m_tokens.neutral, 1.2));
            m_painter.setBrush(m_tokens.card);
            m_painter.drawRoundedRect(box, 3, 3);
            if (height < 13) continue;
            const QString number = QString::number(k + 1);
            text(box,
                 box.width() > 90   ? words("PCIe switch %1").arg(number)
                 : box.width() > 44 ? words("PCIe %1").arg(number)
                                    : number,
                 10.8, m_tokens.text2);
        }
    }
    void pcieLinks() {
        for (const LinkId l : m_inside.pcie) line(l, QPen(m_tokens.neutral, 1), -gpuSize() / 2);
    }
    void switchedLinks() {
        QPen pen(m_tokens.neutral, 1, Qt::CustomDashLine);
        pen.setDashPattern({1, 2});
        for (const LinkId l : m_inside.hb) line(l, pen, gpuSize() / 2);
    }
    // Arcs below the GPUs, the deeper the further apart their ends stand; a pair with a multiple of the slowest link says so.
    void directLinks() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, double> speed;
        for (const LinkId l : m_inside.hb)
            speed[std::minmax(std::uint32_t{m_fabric.links.a[l]}, std::uint32_t{m_fabric.links.b[l]})] +=
                inGbytesPerSecond(m_fabric.speedOf(l));
        double least = 1e18, widest = 1;
        for (const auto& [pair, own] : speed) least = std::min(least, own);
        for (const auto& [pair, own] : speed)
            if (const auto a = at(DeviceId(pair.first)), b = at(DeviceId(pair.second)); a && b)
                widest = std::max(widest, std::abs(a->x() - b->x()));
        for (const auto& [pair, own] : speed) {
            const auto a = at(DeviceId(pair.first)), b = at(DeviceId(pair.second));
            if (!a || !b) continue;
            const double multiple = own / least, depth = m_room.height() * (0.08 + 0.34 * std::abs(a->x() - b->x()) / widest);
            const QPointF from = *a + QPointF(0, gpuSize() / 2), to = *b + QPointF(0, gpuSize() / 2);
            QPainterPath arc(from);
            arc.cubicTo(from + QPointF(0, depth * 1.33), to + QPointF(0, depth * 1.33), to);
            m_painter.setPen(QPen(m_tokens.neutral, multiple > 1.5 ? 2.2 : 1));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawPath(arc);
            if (multiple <= 1.5 || m_room.width() < 300) continue;
            const QRectF pill((from.x() + to.x()) / 2 - 12, from.y() + depth - 8, 24, 16);
            m_painter.setBrush(m_tokens.card);
            m_painter.drawRoundedRect(pill, 8, 8);
            text(pill, QStringLiteral("×%1").arg(std::lround(multiple)), 11, m_tokens.text, true);
        }
    }
    // The same arcs, one for every ring that uses the pair, in the colour of the ring.
    void rings() {
        double widest = 1;
        const auto below = [&](DeviceId gpu) { return m_place[gpu] + QPointF(0, gpuSize() / 2); };
        for (const auto& ring : m_inside.rings)
            for (std::size_t i = 0; i < ring.size(); ++i)
                widest = std::max(widest, std::abs(below(ring[i]).x() - below(ring[(i + 1) % ring.size()]).x()));
        m_painter.setBrush(Qt::NoBrush);
        for (std::size_t r = 0; r < m_inside.rings.size(); ++r) {
            const auto& ring = m_inside.rings[r];
            const double aside = (static_cast<double>(r) - static_cast<double>(m_inside.rings.size() - 1) / 2) * gpuSize() * 0.24;
            m_painter.setPen(QPen(ringColor(r), 1.8));
            for (std::size_t i = 0; i < ring.size(); ++i) {
                const QPointF from = below(ring[i]) + QPointF(aside, 0), to = below(ring[(i + 1) % ring.size()]) + QPointF(aside, 0);
                const double depth = m_room.height() * (0.07 + 0.28 * std::abs(from.x() - to.x()) / widest);
                QPainterPath arc(from);
                arc.cubicTo(from + QPointF(0, depth * 1.33), to + QPointF(0, depth * 1.33), to);
                m_painter.drawPath(arc);
            }
        }
        ringLegend();
    }
    // A line of the ring's colour before its number, in a row above the sentence.
    void ringLegend() {
        const double each = 66, width = each * static_cast<double>(m_inside.rings.size());
        if (m_room.width() < std::max(width, 200.0)) return;
        double x = m_room.center().x() - width / 2;
        const double y = m_room.bottom() - m_room.height() * 0.1 - 10;
        for (std::size_t r = 0; r < m_inside.rings.size(); ++r, x += each) {
            m_painter.setPen(QPen(ringColor(r), 2.4));
            m_painter.drawLine(QPointF(x, y), QPointF(x + 14, y));
            text(QRectF(x + 16, y - 8, each - 22, 16), words("Ring %1").arg(r + 1), 11, m_tokens.text2);
        }
    }
    // Colours of their own, so that a ring is not taken for a rail.
    QColor ringColor(std::size_t ring) const { return m_tokens.jobs[ring % m_tokens.jobs.size()]; }
    void nics() {
        const double width =
            std::clamp(m_room.width() / static_cast<double>(std::max<std::size_t>(1, m_inside.nics.size())) * 0.7, 4.0, 46.0);
        for (const DeviceId nic : m_inside.nics) {
            const int rail = static_cast<int>(m_fabric.devices.rail[nic]);
            const QColor color = rail > 0 ? m_tokens.rail(rail, m_rails) : m_tokens.neutral;
            const QRectF box(m_place[nic].x() - width / 2, m_place[nic].y() - 7, width, 14);
            m_painter.fillRect(box, color);
            const QString number = QString::number(m_fabric.devices.index[nic]);
            if (width > 8) text(box, width > 40 ? words("NIC %1").arg(number) : number, 10.8, inkOn(color), true);
        }
    }
    void gpus() {
        const double size = gpuSize();
        for (const DeviceId gpu : m_inside.gpus) {
            const QRectF box(m_place[gpu] - QPointF(size / 2, size / 2), QSizeF(size, size));
            m_painter.setPen(QPen(m_tokens.neutral, 1.3));
            m_painter.setBrush(m_tokens.neutralFill);
            m_painter.drawRect(box);
            const QString number = QString::number(m_fabric.devices.index[gpu]);
            if (size > 12) text(box, size > 44 ? words("GPU %1").arg(number) : number, 11, m_tokens.text);
        }
    }
    void switches() {
        const double size = std::min(22.0, m_room.width() / static_cast<double>(std::max<std::size_t>(1, m_inside.switches.size())) * 0.6);
        for (const DeviceId node : m_inside.switches) {
            const QPointF centre = m_place[node];
            m_painter.setPen(QPen(m_tokens.neutral, 1.3));
            m_painter.setBrush(m_tokens.card);
            m_painter.drawPolygon(QPolygonF(
                {centre + QPointF(0, -size / 2), centre + QPointF(size, 0), centre + QPointF(0, size / 2), centre + QPointF(-size, 0)}));
            if (size > 13)
                text(QRectF(centre - QPointF(size, 8), QSizeF(2 * size, 16)), QString::number(m_fabric.devices.index[node]), 10.8,
                     m_tokens.text);
        }
    }
    // "4 HB switches · 450 GB/s per GPU", "28 direct links".
    void sentence(bool hasSwitches);

    QPainter& m_painter;
    const Fabric& m_fabric;
    const ServerInsides::Inside& m_inside;
    const QRectF m_room;
    const Tokens& m_tokens;
    const int m_rails;
    std::map<DeviceId, QPointF> m_place; // centres
    std::vector<DeviceId> m_upper;       // HB switches of the second level
};

void InsidePainter::twoLevels() {
    std::map<ServerId, std::pair<int, int>> servers; // GPUs, links that leave it
    for (const DeviceId gpu : m_inside.gpus) ++servers[m_fabric.devices.server[gpu]].first;
    for (const LinkId l : m_inside.hb) {
        const ServerId a = m_fabric.devices.server[m_fabric.links.a[l]], b = m_fabric.devices.server[m_fabric.links.b[l]];
        if (a != b) ++servers[a != none ? a : b].second;
    }
    const double pitch = m_room.width() / static_cast<double>(std::max<std::size_t>(1, servers.size()));
    const double top = m_room.top() + m_room.height() * 0.24, bottom = m_room.top() + m_room.height() * 0.46;
    const QRectF bar(m_room.left() + 4, m_room.top() + m_room.height() * 0.66, m_room.width() - 8, m_room.height() * 0.12);
    double x = m_room.left() + pitch / 2;
    for (const auto& [server, counts] : servers) {
        m_painter.setPen(QPen(m_tokens.neutral, std::clamp(pitch * 0.12, 1.0, 6.0)));
        m_painter.drawLine(QPointF(x, bottom), QPointF(x, bar.top()));
        const QRectF box(x - pitch * 0.4, top, pitch * 0.8, bottom - top);
        m_painter.setPen(QPen(m_tokens.controlBorder, 1));
        m_painter.setBrush(m_tokens.card);
        m_painter.drawRect(box);
        if (server != none && pitch > 20)
            text(box, QString::number(m_fabric.scopes[m_fabric.servers[server]].index), 11, m_tokens.text, true);
        if (pitch > 60) text(box.adjusted(0, box.height() * 0.55, 0, 0), words("%1 GPUs").arg(counts.first), 11, m_tokens.text2);
        if (pitch > 34) pill(QPointF(x, (bottom + bar.top()) / 2), QString::number(counts.second));
        x += pitch;
    }
    if (pitch <= 34 && !servers.empty())
        pill(QPointF(m_room.center().x(), (bottom + bar.top()) / 2),
             QStringLiteral("%1 × %2").arg(servers.size()).arg(servers.begin()->second.second));
    m_painter.setPen(QPen(m_tokens.cardBorder, 1.2));
    m_painter.setBrush(m_tokens.card);
    m_painter.drawRoundedRect(bar, 6, 6);
    const double step = bar.width() / static_cast<double>(m_upper.size()), size = std::min(bar.height() * 0.7, step * 0.7);
    for (std::size_t i = 0; i < m_upper.size(); ++i) {
        const QPointF at(bar.left() + step * (static_cast<double>(i) + 0.5), bar.center().y());
        m_painter.setPen(QPen(m_tokens.neutral, 1.3));
        m_painter.setBrush(m_tokens.neutralFill);
        m_painter.drawPolygon(
            QPolygonF({at + QPointF(0, -size / 2), at + QPointF(size / 2, 0), at + QPointF(0, size / 2), at + QPointF(-size / 2, 0)}));
        if (size > 20)
            text(QRectF(at.x() - 14, at.y() - 8, 28, 16), QString::number(m_fabric.devices.index[m_upper[i]]), 11, m_tokens.text);
    }
}

void InsidePainter::sentence(bool hasSwitches) {
    std::map<std::uint32_t, double> perGpu;
    for (const LinkId l : m_inside.hb)
        for (const DeviceId end : {m_fabric.links.a[l], m_fabric.links.b[l]})
            if (m_fabric.devices.isGpu(end)) perGpu[end] += inGbytesPerSecond(m_fabric.speedOf(l));
    QStringList parts;
    if (m_inside.servers > 1) parts << words("%1 servers").arg(m_inside.servers);
    if (hasSwitches && m_inside.switches.empty())
        parts << words("HB links to the switches of its rack or domain");
    else if (hasSwitches)
        parts << counted(static_cast<std::int64_t>(m_inside.switches.size() - m_upper.size()), words("%1 HB switch"),
                         words("%1 HB switches"));
    else if (!m_inside.hb.empty())
        parts << counted(static_cast<std::int64_t>(m_inside.hb.size()), words("%1 direct HB link"), words("%1 direct HB links"));
    else
        parts << words("no HB links");
    if (!m_inside.pcieSwitches.empty())
        parts << counted(static_cast<std::int64_t>(m_inside.pcieSwitches.size()), words("%1 PCIe switch"), words("%1 PCIe switches"));
    if (!m_inside.rings.empty())
        parts << counted(static_cast<std::int64_t>(m_inside.rings.size()), words("%1 ring in both directions"),
                         words("%1 rings in both directions"));
    if (!perGpu.empty())
        parts << words("%1 GB/s per GPU")
                     .arg(std::max_element(perGpu.begin(), perGpu.end(), [](const auto& x, const auto& y) { return x.second < y.second; })
                              ->second,
                          0, 'g', 4);
    if (!m_upper.empty()) {
        double out = 0;
        for (const LinkId l : m_inside.hb)
            if (m_fabric.devices.isHbSwitch(m_fabric.links.a[l])) out += inGbytesPerSecond(m_fabric.speedOf(l));
        parts << counted(static_cast<std::int64_t>(m_upper.size()), words("%1 HB switch joins them"), words("%1 HB switches join them"));
        parts << words("%1 GB/s per GPU out of a server")
                     .arg(out / static_cast<double>(std::max<std::size_t>(1, m_inside.gpus.size())), 0, 'g', 4);
    }
    const QRectF box(m_room.left(), m_room.bottom() - m_room.height() * 0.1, m_room.width(), 16);
    QFont font = fontFor(TextRole::Caption);
    font.setPixelSize(11);
    const QString dot = QStringLiteral(" · ");
    while (parts.size() > 1 && QFontMetricsF(font).horizontalAdvance(parts.join(dot)) >= m_room.width()) parts.removeLast();
    text(box, parts.join(dot), 11, m_tokens.text2);
}

} // namespace

void paintInside(QPainter& painter, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room, const Tokens& tokens,
                 int rails) {
    InsidePainter(painter, fabric, inside, room, tokens, rails).paint();
}

} // namespace railyard
