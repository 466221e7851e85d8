#include "widgets/canvas/painter/link_overlay.h"
#include "widgets/canvas/painter/load_scale.h"

#include "core/base/unit_text.h"

#include <QCoreApplication>
#include <QLineF>
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace railyard {
namespace {

constexpr double serverGap = 2.1; // between two columns of servers in a card

} // namespace

CableIndex::CableIndex(const Scene& scene, const Fabric& fabric)
    : m_ofDevice(fabric.devices.size(), none),
      m_first(scene.nodes.size() + 1) {
    std::vector<std::uint32_t> ofScope(fabric.scopes.size(), none);
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n)
        if (scene.nodes[n].device == none && scene.nodes[n].scope != none) ofScope[scene.nodes[n].scope] = n;
    for (std::size_t s = 0; s < ofScope.size(); ++s) // a scope precedes the scopes inside it
        if (ofScope[s] == none && fabric.scopes[s].parent != none) ofScope[s] = ofScope[fabric.scopes[s].parent];
    int nics = 0;
    for (std::size_t d = 0; d < m_ofDevice.size(); ++d) {
        m_ofDevice[d] = ofScope[fabric.devices.scope[d]];
        nics += fabric.devices.server[d] == 0 && fabric.devices.kind[d] == DeviceKind::Nic ? 1 : 0;
    }
    m_nics = std::max(1, nics);
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n)
        if (scene.nodes[n].device != none) m_ofDevice[scene.nodes[n].device] = n;
    const auto each = [&](const auto& use) {
        for (const LinkId l : fabric.links.ids()) {
            if (!fabric.isNetworkLink(l)) continue;
            const std::uint32_t low = m_ofDevice[fabric.links.a[l]], high = m_ofDevice[fabric.links.b[l]];
            if (low == high) continue; // both ends are inside one group, or both are hidden in a fold
            if (low != none) use(low, l);
            if (high != none) use(high, l);
        }
    };
    each([&](std::uint32_t node, std::uint32_t) { ++m_first[node + 1]; });
    for (std::size_t n = 1; n < m_first.size(); ++n) m_first[n] += m_first[n - 1];
    m_links.resize(m_first.back());
    std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
    each([&](std::uint32_t node, LinkId link) { m_links[next[node]++] = link; });
}

LinkOverlay::LinkOverlay(const Scene& scene, const Fabric& fabric, const CableIndex& index, const std::set<std::size_t>& selected)
    : m_rails(scene.rails) {
    const LinkTable& links = fabric.links;
    struct Found {
        LinkId link;
        std::uint32_t low, high; // node indices
    };
    std::vector<Found> found;
    for (const std::size_t node : selected)
        for (const auto l : index.linksOf(node)) {
            const std::uint32_t low = index.nodeOf(links.a[l]), high = index.nodeOf(links.b[l]);
            if (node == high && low != none && selected.contains(low)) continue; // already collected at its lower end
            ++m_all;
            if (low == none || high == none)
                ++m_hidden;
            else if (found.size() <= most)
                found.push_back({l, low, high});
        }
    if (found.size() > most) return;
    std::sort(found.begin(), found.end(), [](const Found& x, const Found& y) { return x.link < y.link; });
    // Cables leave an edge in the order of their other ends, which keeps crossings low.
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> above, below; // lines of each node
    for (const Found& f : found) {
        Line line;
        line.link = f.link;
        const SceneNode &low = scene.nodes[f.low], &high = scene.nodes[f.high];
        const auto port = [&](DeviceId device, PortId number) {
            return QString::fromStdString(fabric.portName(device, number, links.tier[f.link]));
        };
        const bool fromNic = low.device == none && fabric.devices.kind[links.a[f.link]] == DeviceKind::Nic;
        line.low = {low.rect, 0, 1, fromNic, port(links.a[f.link], links.aPort[f.link]), false};
        line.high = {high.rect, 0, 1, false, port(links.b[f.link], links.bPort[f.link]), false};
        if (line.low.isServer) { // its NICs are drawn next to each other
            line.low.slot = static_cast<int>(fabric.devices.index[links.a[f.link]]) - 1;
            line.low.of = std::max(index.nicsOfAServer(), line.low.slot + 1);
            line.low.port = QString::number(line.low.slot + 1);
            const SceneCard* card = scene.cardAt(low.rect.center());
            line.low.isInFront = !card || low.rect.top() <= scene.nodes[card->firstNode].rect.top() + 1;
        }
        const auto railOf = [&](std::uint32_t node, DeviceId device) { // a group contains several rails
            return scene.nodes[node].rail > 0 ? scene.nodes[node].rail : static_cast<int>(fabric.devices.rail[device]);
        };
        line.rail = railOf(f.low, links.a[f.link]);
        if (line.rail == 0) line.rail = railOf(f.high, links.b[f.link]);
        if (!line.low.isServer) above[f.low].push_back(m_lines.size());
        below[f.high].push_back(m_lines.size());
        m_lines.push_back(std::move(line));
    }
    const auto order = [&](auto& ofNode, End Line::*own, End Line::*other) {
        for (auto& [node, lines] : ofNode) {
            std::stable_sort(lines.begin(), lines.end(), [&](std::size_t x, std::size_t y) {
                return (m_lines[x].*other).node.center().x() < (m_lines[y].*other).node.center().x();
            });
            for (std::size_t i = 0; i < lines.size(); ++i) {
                (m_lines[lines[i]].*own).slot = static_cast<int>(i);
                (m_lines[lines[i]].*own).of = static_cast<int>(lines.size());
            }
        }
    };
    order(above, &Line::low, &Line::high);
    order(below, &Line::high, &Line::low);
}

QPointF LinkOverlay::place(const End& end, bool top, const ViewState& view) {
    const QRectF rect = view.toScreen(end.node);
    return {rect.left() + rect.width() * (end.slot + 0.5) / end.of, top ? rect.top() : rect.bottom()};
}

// Below 3 px each, the cables of a server run in one track between two columns.
bool LinkOverlay::sharesTrack(const Line& line, const ViewState& view) {
    constexpr double leastPitch = 3;
    return line.low.isServer && !line.low.isInFront && serverGap * view.scale < leastPitch * (line.low.of + 1);
}

// Routes a cable up, across at its own height, and up again. Outer cables turn closest to their switch, so that the cables of one
// switch do not cross. Cables of servers run down between two columns.
QPolygonF LinkOverlay::route(const Line& line, const ViewState& view) {
    const QPointF from = place(line.low, true, view), to = place(line.high, false, view);
    const bool fromHigh =
        line.high.of >= line.low.of || (line.low.isServer && line.high.of > 1); // the end with more cables determines the height
    const End& fan = fromHigh ? line.high : line.low;
    const double middle = (fan.of - 1) / 2.0, inner = middle > 0 ? 1 - std::abs(fan.slot - middle) / middle : 0.5;
    if (line.low.isServer) {
        const double turn = to.y() + (fromHigh ? 12 + 30 * inner : 42 - 30 * inner) * view.scale;
        const double gap = serverGap * view.scale, left = view.toScreen(line.low.node).left();
        const double channel = sharesTrack(line, view) ? left - gap / 2 : left - gap * (line.low.of - line.low.slot) / (line.low.of + 1.0);
        const double above = from.y() - 3 * view.scale - (sharesTrack(line, view) ? 0 : 0.6 * view.scale * line.low.slot);
        if (line.low.isInFront) return QPolygonF({from, QPointF(from.x(), turn), QPointF(to.x(), turn), to});
        if (turn > above - 2)
            return QPolygonF({from, QPointF(from.x(), (from.y() + to.y()) / 2), QPointF(to.x(), (from.y() + to.y()) / 2), to});
        return QPolygonF({from, QPointF(from.x(), above), QPointF(channel, above), QPointF(channel, turn), QPointF(to.x(), turn), to});
    }
    const double share = 0.12 + 0.7 * inner, turn = from.y() + (to.y() - from.y()) * (fromHigh ? 1 - share : share);
    return QPolygonF({from, QPointF(from.x(), turn), QPointF(to.x(), turn), to});
}

// Port numbers are drawn only if there is room. If one number would touch the next, the whole edge has none.
void LinkOverlay::label(QPainter& painter, const End& end, bool top, QPointF at, double pitch, const Tokens& tokens) const {
    const double width = painter.fontMetrics().horizontalAdvance(end.port);
    if (pitch < width + 4 || (end.isServer && pitch < width + 10)) return;
    const QRectF box(at.x() - width / 2 - 2, top ? at.y() - 15 : at.y() + 2, width + 4, 13);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.canvas);
    painter.drawRect(box);
    painter.setPen(tokens.text);
    painter.drawText(box, Qt::AlignCenter, end.port);
}

void LinkOverlay::paint(QPainter& painter, const Tokens& tokens, const ViewState& view, double width,
                        const std::vector<double>* loads) const {
    if (m_lines.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing, m_lines.size() < 600);
    painter.setFont(fontFor(TextRole::Caption));
    painter.setBrush(Qt::NoBrush);
    for (const Line& line : m_lines) {
        const bool isKnown = loads && line.link < loads->size();
        const QPen pen(isKnown ? loadColor((*loads)[line.link], tokens) : tokens.rail(line.rail, m_rails), width);
        const QPolygonF path = route(line, view);
        painter.setPen(pen);
        painter.drawPolyline(path);
        if (!sharesTrack(line, view) || path.size() < 6) continue;
        painter.setPen(QPen(tokens.neutral, width * 1.6)); // the cables of a server, side by side too narrow to be told apart
        painter.drawLine(path[2], path[3]);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
    for (const Line& line : m_lines) {
        label(painter, line.low, true, place(line.low, true, view), line.low.node.width() * view.scale / line.low.of, tokens);
        label(painter, line.high, false, place(line.high, false, view), line.high.node.width() * view.scale / line.high.of, tokens);
    }
}

std::optional<LinkId> LinkOverlay::linkAt(QPointF screen, const ViewState& view) const {
    constexpr double reach = 4; // px
    std::optional<LinkId> nearest;
    double least = reach;
    for (const Line& line : m_lines) {
        const QPolygonF path = route(line, view);
        if (!path.boundingRect().adjusted(-reach, -reach, reach, reach).contains(screen)) continue;
        for (qsizetype i = 1; i < path.size(); ++i) {
            const QPointF along = path[i] - path[i - 1], to = screen - path[i - 1];
            const double length = QPointF::dotProduct(along, along);
            const double part = length > 0 ? std::clamp(QPointF::dotProduct(to, along) / length, 0.0, 1.0) : 0;
            const double distance = QLineF(screen, path[i - 1] + along * part).length();
            if (distance < least) least = distance, nearest = line.link;
        }
    }
    return nearest;
}

void LinkOverlay::paintHighlighted(QPainter& painter, LinkId link, const Tokens& tokens, const ViewState& view) const {
    const auto found = std::find_if(m_lines.begin(), m_lines.end(), [&](const Line& line) { return line.link == link; });
    if (found == m_lines.end()) return;
    const QPolygonF path = route(*found, view);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(tokens.select, 7, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPolyline(path);
    painter.setPen(QPen(tokens.rail(found->rail, m_rails), 3, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPolyline(path);
    painter.setPen(QPen(tokens.text, 2));
    for (const End& end : {found->low, found->high}) painter.drawRoundedRect(view.toScreen(end.node).adjusted(-2, -2, 2, 2), 4, 4);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tokens.text);
    for (const QPointF& port : {path.first(), path.last()}) painter.drawEllipse(port, 3.4, 3.4);
}

QString LinkOverlay::text() const {
    if (m_all == 0) return {};
    const auto tr = [](const char* words) { return QCoreApplication::translate("LinkOverlay", words); };
    const auto count = [](std::size_t n) { return QString::fromStdString(formatCount(static_cast<std::int64_t>(n))); };
    if (m_lines.empty() && m_hidden < m_all) return tr("%1 cables, too many to draw individually").arg(count(m_all));
    const QString shown = m_all == 1 ? tr("1 cable") : tr("%1 cables").arg(count(m_all));
    return m_hidden > 0 ? tr("%1, %2 of them to folded SUs").arg(shown, count(m_hidden)) : shown;
}

} // namespace railyard
