#include "widgets/canvas/painter/port_face.h"
#include "widgets/canvas/painter/load_scale.h"

#include "core/base/unit_text.h"
#include "core/bill/cabling.h"
#include "core/design/model/element_names.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace railyard {
namespace {

constexpr double bodyHeight = 164, gap = 70, dockHeight = 66, slope = 16; // px, at full height
constexpr double portWidth = 17, portHeight = 20, outOfEdge = 6;          // px, before a row is fitted to its edge
constexpr double cagePadding = 2.5, cageGap = 5, groupGap = 12, cagesOfGroup = 8;
constexpr double leastPortWidth = 4;

QString said(const char* words) { return QCoreApplication::translate("PortFace", words); }

// Free ports stand beside the used port before them.
std::vector<bool> upPorts(const std::vector<PortFace::Port>& ports) {
    std::vector<bool> isUp(ports.size());
    const auto firstUsed = std::find_if(ports.begin(), ports.end(), [](const PortFace::Port& port) { return port.isUsed(); });
    bool last = firstUsed != ports.end() && firstUsed->isUp;
    for (std::size_t p = 0; p < ports.size(); ++p) {
        if (ports[p].isUsed()) last = ports[p].isUp;
        isUp[p] = last;
    }
    return isUp;
}

QPainterPath bodyOf(Shape shape, const QRectF& box) {
    const double top = slope, middle = shape == Shape::Leaf ? 0 : box.height() / 2; // a leaf is narrow above, other tiers at both edges
    QPolygonF outline({box.topLeft() + QPointF(top, 0), box.topRight() - QPointF(top, 0)});
    if (middle > 0)
        outline << QPointF(box.right(), box.center().y()) << box.bottomRight() - QPointF(slope, 0) << box.bottomLeft() + QPointF(slope, 0)
                << QPointF(box.left(), box.center().y());
    else
        outline << box.bottomRight() << box.bottomLeft();
    QPainterPath path;
    path.addPolygon(outline);
    path.closeSubpath();
    return path;
}

// Where the far ends stand right above or below their ports, cables are straight.
QLineF cableOf(const PortFace::Port& port) {
    return port.isUp ? QLineF(port.box.center().x(), port.box.top(), port.far.center().x(), port.far.bottom())
                     : QLineF(port.box.center().x(), port.box.bottom(), port.far.center().x(), port.far.top());
}

} // namespace

std::optional<PortFace> PortFace::create(const Fabric& fabric, const SceneNode& node, std::span<const LinkId> links, const QRectF& screen) {
    if (node.device == none || !fabric.devices.routes(node.device) || !isLargeEnough(screen)) return {};
    PortFace face;
    face.m_shape = node.shape;
    face.m_device = node.device;
    face.m_rail = node.rail;
    face.m_isInBar = node.shape != Shape::Leaf && !node.handDrawn;
    face.m_ports.resize(static_cast<std::size_t>(fabric.portCount(node.device)));
    for (std::size_t p = 0; p < face.m_ports.size(); ++p) face.m_ports[p].number = static_cast<int>(p) + 1;
    for (const LinkId link : links)
        for (const bool isLower : {true, false}) {
            if ((isLower ? fabric.links.a : fabric.links.b)[link] != node.device) continue;
            const std::uint32_t port = (isLower ? fabric.links.aPort : fabric.links.bPort)[link];
            if (port < 1 || port > face.m_ports.size()) continue;
            Port& own = face.m_ports[port - 1];
            own.link = link;
            own.isUp = isLower;
            own.rail = static_cast<int>(std::max(fabric.devices.rail[fabric.links.a[link]], fabric.devices.rail[fabric.links.b[link]]));
        }
    const std::vector<bool> isUp = upPorts(face.m_ports);
    const std::vector<std::uint32_t> cages = cagesOfPorts(fabric, node.device);
    const double part = std::clamp(screen.height() / (bodyHeight + 2 * (gap + dockHeight)), 0.6, 1.0);
    face.m_body = QRectF(screen.left(), screen.center().y() - bodyHeight * part / 2, screen.width(), bodyHeight * part);
    face.m_area = face.m_body.adjusted(-1, -(gap + dockHeight) * part, 1, (gap + dockHeight) * part).united(screen).adjusted(-2, -2, 2, 2);
    std::vector<std::size_t> above, below;
    for (std::size_t p = 0; p < face.m_ports.size(); ++p) {
        face.m_ports[p].isUp = isUp[p];
        (isUp[p] ? above : below).push_back(p);
    }
    face.m_portWidth = portWidth;
    face.placeRow(std::move(above), cages, face.m_body.top());
    face.placeRow(std::move(below), cages, face.m_body.bottom());
    if (face.m_portWidth < leastPortWidth) return {};
    face.dock(fabric, true, face.m_body.top() - (gap + dockHeight) * part);
    face.dock(fabric, false, face.m_body.bottom() + (gap + dockHeight) * part);
    return face;
}

// One row of cages on an edge, fitted to its width.
void PortFace::placeRow(std::vector<std::size_t> ports, const std::vector<std::uint32_t>& cages, double y) {
    struct Place {
        double left;
        std::size_t port;
        bool opensCage;
    };
    std::vector<Place> places;
    double x = 0;
    int inGroup = 0;
    for (std::size_t i = 0; i < ports.size(); ++i) {
        const bool opens = i == 0 || cages[ports[i]] != cages[ports[i - 1]];
        if (opens && i > 0) {
            x += 2 * cagePadding + cageGap;
            if (++inGroup == cagesOfGroup) inGroup = 0, x += groupGap;
        }
        places.push_back({x, ports[i], opens});
        x += portWidth + 1;
    }
    if (places.empty()) return;
    const double room = m_body.width() - 2 * (slope + 8), most = 1.4, part = std::min(most, room / x);
    m_portWidth = std::min(m_portWidth, portWidth * part);
    const double left = m_body.center().x() - x * part / 2, top = y - portHeight / 2;
    const bool isTop = y == m_body.top();
    for (const Place& place : places) {
        Port& port = m_ports[place.port];
        port.box = QRectF(left + place.left * part, top + (isTop ? -outOfEdge : outOfEdge) / 2, portWidth * part, portHeight);
        const QRectF around = port.box.adjusted(-cagePadding * part, -3, cagePadding * part, 3);
        if (place.opensCage) m_cages.push_back({around, false});
        m_cages.back().box = m_cages.back().box.united(around);
        m_cages.back().hasModule = m_cages.back().hasModule || port.isUsed();
    }
    for (const Place& place : places) // a module serves all ports of its cage
        for (const Cage& cage : m_cages)
            if (cage.box.contains(m_ports[place.port].box.center())) m_ports[place.port].hasModule = cage.hasModule;
}

void PortFace::dock(const Fabric& fabric, bool isUp, double outer) {
    const double inner = isUp ? outer + dockHeight : outer - dockHeight;
    std::uint32_t lastOwner = none;
    QRectF all;
    int cables = 0;
    const std::size_t first = m_farEnds.size();
    for (Port& port : m_ports) {
        if (port.isUp != isUp || !port.isUsed()) continue;
        const LinkId link = port.link;
        const bool isLower = fabric.links.a[link] == m_device;
        const DeviceId device = isLower ? fabric.links.b[link] : fabric.links.a[link];
        const PortId there = isLower ? fabric.links.bPort[link] : fabric.links.aPort[link];
        const bool isNic = fabric.devices.isNic(device);
        const std::string name = fabric.portName(device, there, fabric.links.tier[link]);
        const QString index = QString::number(fabric.devices.index[device]);
        port.farPort = !isNic ? text(name) : fabric.portCount(device) <= 1 ? index : index + QLatin1Char(':') + text(name);
        port.far = QRectF(port.box.left(), isUp ? inner - portHeight + outOfEdge : inner - outOfEdge, port.box.width(), portHeight);
        ++cables;
        const ScopeId server =
            isNic && fabric.devices.server[device] != none ? fabric.servers[fabric.devices.server[device]] : ScopeId(none);
        const std::uint32_t owner = server != none ? static_cast<std::uint32_t>(fabric.devices.size()) + server : std::uint32_t{device};
        if (owner != lastOwner || m_farEnds.size() == first) {
            FarEnd end;
            end.device = device;
            end.shape = isNic ? Shape::Server : !fabric.devices.routes(device) ? Shape::Manager : shapeOf(fabric.devices.tier[device]);
            end.number = static_cast<int>(server != none ? fabric.scopes[server].index : fabric.devices.index[device]);
            end.path = server != none ? fabric.scopePath(server) : fabric.devicePath(device);
            end.box = port.far;
            m_farEnds.push_back(std::move(end));
        }
        lastOwner = owner;
        m_farEnds.back().box = m_farEnds.back().box.united(port.far);
        all = all.united(port.far);
    }
    if (cables == 0) return;
    for (std::size_t e = first; e < m_farEnds.size(); ++e) { // the silhouette stands outside the ports
        QRectF& box = m_farEnds[e].box;
        box = isUp ? box.adjusted(0, -27, 0, 0) : box.adjusted(0, 0, 0, 27);
    }
    const QRectF box(QPointF(all.left() - 10, std::min(outer, inner)), QPointF(all.right() + 10, std::max(outer, inner)));
    const ElementNames names(*fabric.design);
    const std::string from = names.nameOf(m_farEnds[first].path), to = names.nameOf(m_farEnds.back().path);
    QString words = from == to ? text(from) : said("%1 to %2").arg(text(from), text(to));
    words += cables == 1 ? said(" · 1 cable") : said(" · %1 cables").arg(cables);
    m_docks.push_back({box, words, isUp});
}

const PortFace::Port* PortFace::portAt(QPointF at) const {
    for (const Port& port : m_ports)
        if (port.box.adjusted(-0.5, -3, 0.5, 3).contains(at)) return &port;
    return nullptr;
}

const PortFace::Port* PortFace::portOf(int number) const {
    return number >= 1 && number <= static_cast<int>(m_ports.size()) ? &m_ports[static_cast<std::size_t>(number) - 1] : nullptr;
}

std::optional<LinkId> PortFace::linkAt(QPointF at) const {
    constexpr double reach = 4;
    const Port* nearest = nullptr;
    double least = reach;
    for (const Port& port : m_ports) {
        if (!port.isUsed()) continue;
        const QLineF line = cableOf(port);
        if (at.y() < std::min(line.y1(), line.y2()) || at.y() > std::max(line.y1(), line.y2())) continue;
        if (const double away = std::abs(at.x() - line.x1()); away < least) least = away, nearest = &port;
    }
    return nearest ? std::optional(nearest->link) : std::nullopt;
}

bool PortFace::has(LinkId link) const {
    return std::any_of(m_ports.begin(), m_ports.end(), [&](const Port& port) { return port.isUsed() && port.link == link; });
}

std::size_t PortFace::cables() const {
    return static_cast<std::size_t>(std::count_if(m_ports.begin(), m_ports.end(), [](const Port& port) { return port.isUsed(); }));
}

const PortFace::FarEnd* PortFace::farEndAt(QPointF at) const {
    for (const FarEnd& end : m_farEnds)
        if (end.box.contains(at)) return &end;
    return nullptr;
}

void PortFace::paintTab(QPainter& painter, const QRectF& box, const QString& words, bool isUsed, bool hasModule, const QColor& color,
                        const Tokens& tokens) const {
    painter.setPen(QPen(hasModule ? color : tokens.controlBorder, isUsed ? 1 : 1.6));
    painter.setBrush(isUsed ? color : tokens.canvas);
    painter.drawRect(box.adjusted(0.8, 0.8, -0.8, -0.8));
    if (words.isEmpty()) return;
    painter.setPen(isUsed ? inkOn(color) : hasModule ? tokens.text : tokens.text2);
    painter.drawText(box, Qt::AlignCenter, words);
}

// In the part of the body that is in view.
void PortFace::paintTitle(QPainter& painter, const Fabric& fabric, const Tokens& tokens, const QColor& color, const QRectF& area) const {
    int used[2] = {}, all[2] = {};
    for (const Port& port : m_ports) ++all[port.isUp], used[port.isUp] += port.isUsed() ? 1 : 0;
    const Part* part = fabric.partOf(m_device);
    QString first = part ? text(part->name) : QString();
    const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
    if (details && details->cages > 0)
        first += said(" · %1 ports in %2 cages").arg(m_ports.size()).arg(details->cages);
    else
        first += said(" · %1 ports").arg(m_ports.size());
    QStringList second;
    if (all[0] > 0) second << said("down: %1 of %2 ports in use").arg(used[0]).arg(all[0]);
    if (all[1] > 0) second << said("up: %1 of %2 ports in use").arg(used[1]).arg(all[1]);
    const QRectF room(m_body.left() + slope + 16, m_body.center().y() - 30, m_body.width() - 2 * slope - 32, 60);
    double left = std::max(room.left(), std::min(area.left() + 16, room.right() - 340));
    if (m_rail > 0) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(QPointF(left + 12, room.center().y()), 12, 12);
        painter.setFont(fontFor(TextRole::BodyBold));
        painter.setPen(inkOn(color));
        painter.drawText(QRectF(left, room.center().y() - 12, 24, 24), Qt::AlignCenter, QString::number(m_rail));
        left += 34;
    }
    painter.setFont(fontFor(TextRole::ChartTitle));
    painter.setPen(tokens.text);
    painter.drawText(QRectF(left, room.top(), room.right() - left, 24), Qt::AlignLeft | Qt::AlignVCenter,
                     text(ElementNames(*fabric.design).nameOf(fabric.devicePath(m_device))));
    painter.setFont(fontFor(TextRole::Body));
    painter.setPen(tokens.text2);
    painter.drawText(QRectF(left, room.top() + 24, room.right() - left, 18), Qt::AlignLeft | Qt::AlignVCenter, first);
    painter.drawText(QRectF(left, room.top() + 42, room.right() - left, 18), Qt::AlignLeft | Qt::AlignVCenter,
                     second.join(QStringLiteral(" · ")));
}

void PortFace::paint(QPainter& painter, const Fabric& fabric, const Tokens& tokens, int rails, const QRectF& area,
                     const std::vector<double>* loads) const {
    const auto colorOf = [&](const Port& port) {
        if (loads && port.link < loads->size()) return loadColor((*loads)[port.link], tokens);
        return port.rail > 0 ? tokens.rail(port.rail, rails) : tokens.neutral;
    };
    const QColor own = m_rail > 0 ? tokens.rail(m_rail, rails) : tokens.neutral;
    painter.fillRect(m_area, m_isInBar ? tokens.card : tokens.canvas);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const Dock& dock : m_docks) { // the bundle that leads on to the far ends
        painter.setPen(QPen(own, 9, Qt::SolidLine, Qt::FlatCap));
        const double edge = dock.isUp ? m_area.top() : m_area.bottom(), near = dock.isUp ? dock.box.top() : dock.box.bottom();
        if (std::abs(edge - near) > 1) painter.drawLine(QPointF(m_body.center().x(), edge), QPointF(m_body.center().x(), near));
    }
    painter.setPen(QPen(tokens.cardBorder, 1.2));
    painter.setBrush(tokens.card);
    for (const Dock& dock : m_docks) painter.drawRoundedRect(dock.box, 6, 6);
    painter.setPen(QPen(own, 2));
    painter.drawPath(bodyOf(m_shape, m_body));
    const auto isInSight = [&](const QRectF& box) { return box.adjusted(-2, -2, 2, 2).intersects(area); };
    for (const Port& port : m_ports) {
        if (!port.isUsed() || !isInSight(port.box.united(port.far))) continue;
        painter.setPen(QPen(colorOf(port), 1.5));
        painter.drawLine(cableOf(port));
    }
    painter.setPen(QPen(tokens.controlBorder, 1.2));
    painter.setBrush(tokens.canvas);
    for (const Cage& cage : m_cages)
        if (isInSight(cage.box)) painter.drawRoundedRect(cage.box, 3, 3);
    QFont digits = fontFor(TextRole::Caption);
    digits.setPixelSize(11);
    painter.setFont(digits);
    const QFontMetricsF metrics(digits); // a row shows all its numbers or none
    const auto fits = [&](const QString& words, const QRectF& box) { return metrics.horizontalAdvance(words) + 2 <= box.width(); };
    bool ownFit[] = {true, true}, farFit[] = {true, true}; // below, above
    for (const Port& port : m_ports) {
        ownFit[port.isUp] = ownFit[port.isUp] && fits(QString::number(port.number), port.box);
        if (port.isUsed()) farFit[port.isUp] = farFit[port.isUp] && fits(port.farPort, port.far);
    }
    for (const Port& port : m_ports) {
        if (!isInSight(port.box.united(port.far))) continue;
        const QColor color = port.isUsed() ? colorOf(port) : own;
        paintTab(painter, port.box, ownFit[port.isUp] ? QString::number(port.number) : QString(), port.isUsed(), port.hasModule, color,
                 tokens);
        if (port.isUsed()) paintTab(painter, port.far, farFit[port.isUp] ? port.farPort : QString(), true, true, color, tokens);
    }
    for (const FarEnd& end : m_farEnds) {
        if (!isInSight(end.box)) continue;
        const bool isAbove = end.box.center().y() < m_body.center().y();
        QRectF shape(end.box.center().x() - std::min(22.0, end.box.width() / 2 - 1), 0, std::min(44.0, end.box.width() - 2), 22);
        shape.moveTop(isAbove ? end.box.top() + 2 : end.box.bottom() - 24);
        if (shape.width() < 9) continue;
        painter.setPen(QPen(end.shape == Shape::Server ? tokens.controlBorder : tokens.neutral, 1.2));
        painter.setBrush(end.shape == Shape::Server ? tokens.card : tokens.neutralFill);
        painter.drawPath(silhouette(end.shape, shape));
        const QString number = QString::number(end.number);
        if (painter.fontMetrics().horizontalAdvance(number) + 2 > shape.width()) continue;
        painter.setPen(tokens.text);
        painter.drawText(shape, Qt::AlignCenter, number);
    }
    painter.setFont(fontFor(TextRole::Caption));
    painter.setPen(tokens.text2);
    for (const Dock& dock : m_docks)
        painter.drawText(dock.isUp ? QRectF(dock.box.left() + 10, dock.box.top() + 1, dock.box.width(), 16)
                                   : QRectF(dock.box.left() + 10, dock.box.bottom() - 17, dock.box.width(), 16),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, dock.words);
    paintTitle(painter, fabric, tokens, own, area);
}

void PortFace::outline(QPainter& painter, int number, const Tokens& tokens) const {
    const Port* port = portOf(number);
    if (!port) return;
    painter.setPen(QPen(tokens.select, 2.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(port->box.adjusted(-1.2, -1.2, 1.2, 1.2));
}

void PortFace::paintHighlighted(QPainter& painter, LinkId link, const Tokens& tokens, int rails) const {
    for (const Port& port : m_ports) {
        if (port.link != link || !port.isUsed()) continue;
        painter.setPen(QPen(tokens.select, 7, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(cableOf(port));
        painter.setPen(QPen(port.rail > 0 ? tokens.rail(port.rail, rails) : tokens.neutral, 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(cableOf(port));
        painter.setPen(QPen(tokens.select, 2.2));
        painter.setBrush(Qt::NoBrush);
        for (const QRectF& box : {port.box, port.far}) painter.drawRect(box.adjusted(-1.2, -1.2, 1.2, 1.2));
    }
}

} // namespace railyard
