#include "widgets/canvas/painter/inside_painter.h"

#include "widgets/canvas/painter/inside_levels.h"
#include "widgets/theme/text.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

class InsidePainter {
public:
    InsidePainter(QPainter& painter, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room, const Tokens& tokens,
                  int rails)
        : m_pen{painter, tokens},
          m_painter(painter),
          m_fabric(fabric),
          m_inside(inside),
          m_room(room),
          m_tokens(tokens),
          m_rails(rails),
          m_upper(upperSwitchesOf(fabric, inside)) {}

    void paint() {
        if (!m_upper.empty()) {
            InsideLevels(m_pen, m_fabric, m_inside, m_room).paint();
            return sentence(true);
        }
        placeRows();
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

    void paintFailed(const Removal& removal) {
        if (!m_upper.empty()) return InsideLevels(m_pen, m_fabric, m_inside, m_room).paintFailed(removal);
        placeRows();
        for (const auto* links : {&m_inside.pcie, &m_inside.hb})
            for (const LinkId l : *links)
                if (removal.hasFailed(m_fabric, l)) failedLine(l);
        for (const DeviceId d : m_inside.gpus) failed(removal, d, QSizeF(gpuSize(), gpuSize()));
        for (const DeviceId d : m_inside.nics) failed(removal, d, QSizeF(nicWidth(), 14));
        for (const DeviceId d : m_inside.switches) failed(removal, d, switchSize());
    }

private:
    void placeRows() {
        place(m_inside.nics, m_room.top() + m_room.height() * 0.2);
        place(m_inside.gpus, m_room.top() + m_room.height() * 0.42);
        place(m_inside.switches, m_room.top() + m_room.height() * 0.78);
    }
    void failed(const Removal& removal, DeviceId device, QSizeF size) {
        if (const auto centre = at(device); centre && removal.hasFailed(device))
            m_pen.cross(QRectF(*centre - QPointF(size.width(), size.height()) / 2, size));
    }
    void failedLine(LinkId link) {
        const auto a = at(m_fabric.links.a[link]), b = at(m_fabric.links.b[link]);
        if (!a || !b) return;
        QPen dashes(m_tokens.danger, 1.6, Qt::CustomDashLine, Qt::FlatCap);
        dashes.setDashPattern({3, 3});
        m_painter.setPen(dashes);
        m_painter.setBrush(Qt::NoBrush);
        if (!m_fabric.devices.isGpu(m_fabric.links.a[link]) || !m_fabric.devices.isGpu(m_fabric.links.b[link]))
            return m_painter.drawLine(*a, *b);
        m_painter.drawPath(arc(*a, *b));
    }
    // From the lower edge of one GPU to that of another, the deeper the further apart they stand.
    QPainterPath arc(QPointF a, QPointF b) const {
        const double widest = std::max(1.0, std::abs(m_place.at(m_inside.gpus.front()).x() - m_place.at(m_inside.gpus.back()).x()));
        const double depth = m_room.height() * (0.08 + 0.34 * std::abs(a.x() - b.x()) / widest);
        const QPointF from = a + QPointF(0, gpuSize() / 2), to = b + QPointF(0, gpuSize() / 2);
        QPainterPath path(from);
        path.cubicTo(from + QPointF(0, depth * 1.33), to + QPointF(0, depth * 1.33), to);
        return path;
    }
    void place(const std::vector<DeviceId>& row, double y) {
        for (std::size_t i = 0; i < row.size(); ++i)
            m_place[row[i]] = QPointF(m_room.left() + m_room.width() * (static_cast<double>(i) + 0.5) / static_cast<double>(row.size()), y);
    }
    double gpuSize() const {
        const double pitch = m_room.width() / static_cast<double>(std::max<std::size_t>(1, m_inside.gpus.size()));
        return std::min(pitch * 0.7, m_room.height() * 0.13);
    }
    std::optional<QPointF> at(DeviceId device) const {
        const auto found = m_place.find(device);
        return found == m_place.end() ? std::nullopt : std::optional(found->second);
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
            m_pen.text(box,
                       box.width() > 90   ? insideText("PCIe switch %1").arg(number)
                       : box.width() > 44 ? insideText("PCIe %1").arg(number)
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
        double least = 1e18;
        for (const auto& [pair, own] : speed) least = std::min(least, own);
        for (const auto& [pair, own] : speed) {
            const auto a = at(DeviceId(pair.first)), b = at(DeviceId(pair.second));
            if (!a || !b) continue;
            const double multiple = own / least;
            const QPainterPath path = arc(*a, *b);
            m_painter.setPen(QPen(m_tokens.neutral, multiple > 1.5 ? 2.2 : 1));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawPath(path);
            if (multiple <= 1.5 || m_room.width() < 300) continue;
            const QRectF pill(path.pointAtPercent(0.5) - QPointF(12, 8), QSizeF(24, 16));
            m_painter.setBrush(m_tokens.card);
            m_painter.drawRoundedRect(pill, 8, 8);
            m_pen.text(pill, QStringLiteral("×%1").arg(std::lround(multiple)), 11, m_tokens.text, true);
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
            m_pen.text(QRectF(x + 16, y - 8, each - 22, 16), insideText("Ring %1").arg(r + 1), 11, m_tokens.text2);
        }
    }
    // Colours of their own, so that a ring is not taken for a rail.
    QColor ringColor(std::size_t ring) const { return m_tokens.jobs[ring % m_tokens.jobs.size()]; }
    double nicWidth() const {
        return std::clamp(m_room.width() / static_cast<double>(std::max<std::size_t>(1, m_inside.nics.size())) * 0.7, 4.0, 46.0);
    }
    void nics() {
        const double width = nicWidth();
        for (const DeviceId nic : m_inside.nics) {
            const int rail = static_cast<int>(m_fabric.devices.rail[nic]);
            const QColor color = rail > 0 ? m_tokens.rail(rail, m_rails) : m_tokens.neutral;
            const QRectF box(m_place[nic].x() - width / 2, m_place[nic].y() - 7, width, 14);
            m_painter.fillRect(box, color);
            const QString number = QString::number(m_fabric.devices.index[nic]);
            if (width > 8) m_pen.text(box, width > 40 ? insideText("NIC %1").arg(number) : number, 10.8, inkOn(color), true);
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
            if (size > 12) m_pen.text(box, size > 44 ? insideText("GPU %1").arg(number) : number, 11, m_tokens.text);
        }
    }
    QSizeF switchSize() const {
        const double size = std::min(22.0, m_room.width() / static_cast<double>(std::max<std::size_t>(1, m_inside.switches.size())) * 0.6);
        return {2 * size, size};
    }
    void switches() {
        const double size = switchSize().height();
        for (const DeviceId node : m_inside.switches) {
            const QPointF centre = m_place[node];
            m_painter.setPen(QPen(m_tokens.neutral, 1.3));
            m_painter.setBrush(m_tokens.card);
            m_painter.drawPolygon(QPolygonF(
                {centre + QPointF(0, -size / 2), centre + QPointF(size, 0), centre + QPointF(0, size / 2), centre + QPointF(-size, 0)}));
            if (size > 13)
                m_pen.text(QRectF(centre - QPointF(size, 8), QSizeF(2 * size, 16)), QString::number(m_fabric.devices.index[node]), 10.8,
                           m_tokens.text);
        }
    }
    // "4 HB switches · 450 GB/s per GPU", "28 direct links".
    void sentence(bool hasSwitches);

    InsidePen m_pen;
    QPainter& m_painter;
    const Fabric& m_fabric;
    const ServerInsides::Inside& m_inside;
    const QRectF m_room;
    const Tokens& m_tokens;
    const int m_rails;
    const std::vector<DeviceId> m_upper; // HB switches of the second level
    std::map<DeviceId, QPointF> m_place; // centres
};

void InsidePainter::sentence(bool hasSwitches) {
    std::map<std::uint32_t, double> perGpu;
    for (const LinkId l : m_inside.hb)
        for (const DeviceId end : {m_fabric.links.a[l], m_fabric.links.b[l]})
            if (m_fabric.devices.isGpu(end)) perGpu[end] += inGbytesPerSecond(m_fabric.speedOf(l));
    QStringList parts;
    if (m_inside.servers > 1) parts << insideText("%1 servers").arg(m_inside.servers);
    if (hasSwitches && m_inside.switches.empty())
        parts << insideText("HB links to the switches of its rack or domain");
    else if (hasSwitches)
        parts << counted(static_cast<std::int64_t>(m_inside.switches.size() - m_upper.size()), insideText("%1 HB switch"),
                         insideText("%1 HB switches"));
    else if (!m_inside.hb.empty())
        parts << counted(static_cast<std::int64_t>(m_inside.hb.size()), insideText("%1 direct HB link"), insideText("%1 direct HB links"));
    else
        parts << insideText("no HB links");
    if (!m_inside.pcieSwitches.empty())
        parts << counted(static_cast<std::int64_t>(m_inside.pcieSwitches.size()), insideText("%1 PCIe switch"),
                         insideText("%1 PCIe switches"));
    if (!m_inside.rings.empty())
        parts << counted(static_cast<std::int64_t>(m_inside.rings.size()), insideText("%1 ring in both directions"),
                         insideText("%1 rings in both directions"));
    if (!perGpu.empty())
        parts << insideText("%1 GB/s per GPU")
                     .arg(std::max_element(perGpu.begin(), perGpu.end(), [](const auto& x, const auto& y) { return x.second < y.second; })
                              ->second,
                          0, 'g', 4);
    if (!m_upper.empty()) {
        double out = 0;
        for (const LinkId l : m_inside.hb)
            if (m_fabric.devices.isHbSwitch(m_fabric.links.a[l])) out += inGbytesPerSecond(m_fabric.speedOf(l));
        parts << counted(static_cast<std::int64_t>(m_upper.size()), insideText("%1 HB switch joins them"),
                         insideText("%1 HB switches join them"));
        parts << insideText("%1 GB/s per GPU out of a server")
                     .arg(out / static_cast<double>(std::max<std::size_t>(1, m_inside.gpus.size())), 0, 'g', 4);
    }
    const QRectF box(m_room.left(), m_room.bottom() - std::max(18.0, m_room.height() * 0.1), m_room.width(), 16);
    QFont font = fontFor(TextRole::Caption);
    font.setPixelSize(11);
    const QString dot = QStringLiteral(" · ");
    while (parts.size() > 1 && QFontMetricsF(font).horizontalAdvance(parts.join(dot)) >= m_room.width()) parts.removeLast();
    m_pen.text(box, parts.join(dot), 11, m_tokens.text2);
}

} // namespace

PipRow pipsOf(const SceneNode& node, const QRectF& box, int nicsPerServer) {
    constexpr int most = 8; // of a server; a tray has a place for each of its NICs
    if (node.isTray && node.pipPitch > 0) {
        const double scale = box.width() / node.rect.width();
        const double pitch = node.pipPitch * scale;
        return {nicsPerServer, box.left() + node.pipAt * scale, pitch, std::min(12 * scale, pitch * 0.8), 5 * scale};
    }
    const int count = node.isTray ? nicsPerServer : std::min(most, nicsPerServer);
    const double pitch = box.width() / count, height = std::max(2.0, box.height() * 0.08);
    return {count, box.left() + pitch / 2, pitch, node.isTray ? pitch * 0.8 : pitch - 0.8, height};
}

QRectF insideRoom(const SceneNode& node, const QRectF& box, int nicsPerServer) {
    constexpr double leastHeight = 90, leastWidth = 110;
    if (!node.isTray) return box.width() > leastWidth ? box.adjusted(4, 0, -4, 0) : QRectF();
    const PipRow pips = pipsOf(node, box, nicsPerServer);
    return box.height() > leastHeight ? QRectF(pips.first - pips.pitch / 2, box.top(), pips.pitch * pips.count, box.height()) : QRectF();
}

void paintInside(QPainter& painter, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room, const Tokens& tokens,
                 int rails) {
    InsidePainter(painter, fabric, inside, room, tokens, rails).paint();
}

void paintFailedInside(QPainter& painter, const Fabric& fabric, const ServerInsides::Inside& inside, const QRectF& room,
                       const Tokens& tokens, const Removal& removal) {
    InsidePainter(painter, fabric, inside, room, tokens, 0).paintFailed(removal);
}

} // namespace railyard
