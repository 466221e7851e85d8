#include "widgets/canvas/painter/pair_fans.h"

#include "widgets/canvas/painter/load_scale.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <map>

namespace railyard {
namespace {

constexpr double leastPitch = 3, fanHeight = 44, rakeWidth = 3; // px

// The edge between the corners of the silhouette, as a part of its width.
double edgePart(Shape shape, bool isUp) {
    if (shape == Shape::Leaf) return isUp ? 0.58 : 0.94;
    return shape == Shape::Spine ? 0.66 : 0.42;
}

QString devicesOf(Shape shape, std::int64_t count) {
    switch (shape) {
    case Shape::Server: return counted(count, sceneText("%1 server"), sceneText("%1 servers"));
    case Shape::HbDomain: return counted(count, sceneText("%1 HB domain"), sceneText("%1 HB domains"));
    case Shape::Leaf: return counted(count, sceneText("%1 leaf"), sceneText("%1 leaves"));
    case Shape::Spine: return counted(count, sceneText("%1 spine"), sceneText("%1 spines"));
    case Shape::Superspine: return counted(count, sceneText("%1 superspine"), sceneText("%1 superspines"));
    case Shape::Core: return counted(count, sceneText("%1 core switch"), sceneText("%1 core switches"));
    default: return counted(count, sceneText("%1 device"), sceneText("%1 devices"));
    }
}

QString wordsOf(Shape far, const std::vector<PairFans::Pair>& pairs) {
    const QString devices = devicesOf(far, static_cast<std::int64_t>(pairs.size()));
    const auto [least, most] =
        std::minmax_element(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.links.size() < b.links.size(); });
    const std::size_t from = least->links.size(), to = most->links.size();
    if (from != to) return sceneText("%1, %2 to %3 links each").arg(devices).arg(from).arg(to);
    return from == 1 ? sceneText("%1, 1 link each").arg(devices) : sceneText("%1, %2 links each").arg(devices).arg(from);
}

} // namespace

bool PairFans::isLevel(const ViewState& view) { return measure::leafWidth * view.scale >= leastLeafWidth; }

PairFans::PairFans(const Scene& scene, const Fabric& fabric, const CableIndex& index, const ViewState& view, const QRectF& area,
                   const std::function<bool(std::size_t)>& hasPorts)
    : m_rails(scene.rails) {
    if (!isLevel(view) || scene.isElided) return;
    for (std::uint32_t n = 0; n < scene.nodes.size(); ++n) {
        const SceneNode& node = scene.nodes[n];
        if (node.device == none || node.handDrawn || !fabric.devices.routes(node.device)) continue;
        if (!view.toScreen(node.rect).adjusted(0, -fanHeight, 0, fanHeight).intersects(area) || hasPorts(n)) continue;
        for (const bool isUp : {true, false}) take(scene, fabric, index, view, n, isUp);
    }
}

void PairFans::take(const Scene& scene, const Fabric& fabric, const CableIndex& index, const ViewState& view, std::uint32_t node,
                    bool isUp) {
    const SceneNode& own = scene.nodes[node];
    struct Found {
        std::uint32_t port = none;
        Pair pair;
        Shape shape = Shape::Server;
    };
    std::map<std::uint32_t, Found> found; // by device at the far end; servers and HB domains by scope, behind all devices
    for (const LinkId link : index.linksOf(node)) {
        if ((fabric.links.a[link] == own.device) != isUp) continue;
        const DeviceId far = isUp ? fabric.links.b[link] : fabric.links.a[link];
        const std::uint32_t drawn = index.nodeOf(far);
        const ServerId server = fabric.devices.server[far];
        ScopeId scope;
        if (drawn != none && scene.nodes[drawn].device == none)
            scope = scene.nodes[drawn].scope;
        else if (server != none)
            scope = fabric.servers[server];
        const std::uint32_t key = scope != none ? static_cast<std::uint32_t>(fabric.devices.size()) + scope : std::uint32_t{far};
        Found& each = found[key];
        each.port = std::min<std::uint32_t>(each.port, (isUp ? fabric.links.aPort : fabric.links.bPort)[link]);
        each.pair.links.push_back(link);
        each.pair.number = static_cast<int>(scope != none ? fabric.scopes[scope].index : fabric.devices.index[far]);
        each.pair.rail = static_cast<int>(std::max(fabric.devices.rail[fabric.links.a[link]], fabric.devices.rail[fabric.links.b[link]]));
        const bool isDomain = scope != none && fabric.scopes[scope].role == Instance::Role::HbDomain;
        each.shape = isDomain                     ? Shape::HbDomain
                     : fabric.devices.routes(far) ? shapeOf(fabric.devices.tier[far])
                     : scope != none              ? Shape::Server
                                                  : Shape::Manager;
    }
    if (found.empty()) return;
    std::vector<Found> sorted;
    for (auto& [key, each] : found) sorted.push_back(std::move(each));
    std::stable_sort(sorted.begin(), sorted.end(), [](const Found& a, const Found& b) { return a.port < b.port; });
    const QRectF rect = view.toScreen(own.rect);
    const double width = rect.width() * edgePart(own.shape, isUp), pitch = std::min(width / static_cast<double>(sorted.size()), 60.0);
    if (pitch < leastPitch) return;
    Fan fan;
    fan.node = node;
    fan.isUp = isUp;
    fan.rail = own.rail;
    fan.edge = isUp ? rect.top() : rect.bottom();
    fan.trunk = rect.center().x();
    double room = fanHeight;
    for (const SceneBar& bar : scene.bars) // a switch in a bar stays inside it
        if (bar.rect.contains(own.rect)) {
            const QRectF frame = view.toScreen(bar.rect);
            fan.frame = isUp ? frame.top() : frame.bottom();
            room = std::min(fanHeight, std::abs(*fan.frame - fan.edge) * 0.7);
        }
    fan.rake = fan.edge + (isUp ? -room : room);
    const double left = rect.center().x() - pitch * (static_cast<double>(sorted.size()) - 1) / 2;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        fan.pairs.push_back(std::move(sorted[i].pair));
        fan.pairs.back().x = left + pitch * static_cast<double>(i);
    }
    const bool isOneShape = std::all_of(sorted.begin(), sorted.end(), [&](const Found& each) { return each.shape == sorted[0].shape; });
    fan.words = wordsOf(isOneShape ? sorted[0].shape : Shape::Callout, fan.pairs);
    m_fans.push_back(std::move(fan));
}

const PairFans::Pair* PairFans::pairAt(QPointF at) const {
    const Pair* nearest = nullptr;
    double least = 5; // px
    for (const Fan& fan : m_fans) {
        if (at.y() < std::min(fan.edge, fan.rake) || at.y() > std::max(fan.edge, fan.rake)) continue;
        for (const Pair& pair : fan.pairs)
            if (const double away = std::abs(pair.x - at.x()); away < least) least = away, nearest = &pair;
    }
    return nearest;
}

void PairFans::paint(QPainter& painter, const Tokens& tokens, const std::vector<double>* loads) const {
    QFont font = fontFor(TextRole::Caption);
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const auto colorOf = [&](const Pair& pair) {
        if (!loads) return pair.rail > 0 ? tokens.rail(pair.rail, m_rails) : tokens.neutral;
        double load = -1;
        for (const LinkId link : pair.links)
            if (link < loads->size()) load = std::max(load, (*loads)[link]);
        return loadColor(load, tokens);
    };
    for (const Fan& fan : m_fans) {
        const double top = std::min(fan.edge, fan.rake), bottom = std::max(fan.edge, fan.rake);
        const QColor ground = fan.frame ? tokens.card : tokens.canvas;
        painter.fillRect(QRectF(fan.pairs.front().x - 6, top, fan.pairs.back().x - fan.pairs.front().x + 12, bottom - top), ground);
        const QColor color = fan.rail > 0 && !loads ? tokens.rail(fan.rail, m_rails) : tokens.neutral;
        painter.setPen(QPen(color, rakeWidth, Qt::SolidLine, Qt::FlatCap));
        const double left = std::min(fan.pairs.front().x, fan.trunk) - 1, right = std::max(fan.pairs.back().x, fan.trunk) + 1;
        painter.drawLine(QPointF(left, fan.rake), QPointF(right, fan.rake));
        if (fan.frame) painter.drawLine(QPointF(fan.trunk, fan.rake), QPointF(fan.trunk, *fan.frame));
        double widest = 0; // a row shows all its numbers or none
        for (const Pair& pair : fan.pairs) {
            painter.setPen(QPen(colorOf(pair), 1.5));
            painter.drawLine(QPointF(pair.x, fan.edge), QPointF(pair.x, fan.rake));
            widest = std::max({widest, metrics.horizontalAdvance(QString::number(pair.number)),
                               pair.links.size() > 1 ? metrics.horizontalAdvance(QStringLiteral("×%1").arg(pair.links.size())) : 0});
        }
        const bool isCounted = std::any_of(fan.pairs.begin(), fan.pairs.end(), [](const Pair& pair) { return pair.links.size() > 1; });
        const double lines = isCounted ? 27 : 14;
        if (fan.pitch() >= widest + 6 && bottom - top >= lines + 6)
            for (const Pair& pair : fan.pairs) {
                const QRectF box(pair.x - widest / 2 - 1, (top + bottom - lines) / 2, widest + 2, lines);
                painter.fillRect(box, ground);
                painter.setPen(tokens.text);
                painter.drawText(QRectF(box.left(), box.top(), box.width(), 14), Qt::AlignCenter, QString::number(pair.number));
                if (pair.links.size() > 1)
                    painter.drawText(QRectF(box.left(), box.top() + 13, box.width(), 14), Qt::AlignCenter,
                                     QStringLiteral("×%1").arg(pair.links.size()));
            }
        const double width = metrics.horizontalAdvance(fan.words) + 16;
        if (fan.frame || width > (right - left) / 2 + 70) continue; // beside the trunk, beyond the rake
        const double y = fan.isUp ? fan.rake - 19 : fan.rake + 3;
        painter.setPen(tokens.text2);
        painter.drawText(QRectF(fan.trunk + 10, y, width, 16), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, fan.words);
    }
}

void PairFans::paintHighlighted(QPainter& painter, LinkId link, const Tokens& tokens) const {
    for (const Fan& fan : m_fans)
        for (const Pair& pair : fan.pairs) {
            if (std::find(pair.links.begin(), pair.links.end(), link) == pair.links.end()) continue;
            const QLineF line(pair.x, fan.edge, pair.x, fan.rake);
            painter.setPen(QPen(tokens.select, 7, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(line);
            painter.setPen(QPen(pair.rail > 0 ? tokens.rail(pair.rail, m_rails) : tokens.neutral, 3, Qt::SolidLine, Qt::FlatCap));
            painter.drawLine(line);
        }
}

} // namespace railyard
