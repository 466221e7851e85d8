// Callouts: their position next to the elements they are attached to, and how they are drawn.
#include "widgets/canvas/painter/scene_painter.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/canvas/scene/scene_builder.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QImageReader>
#include <cmath>

namespace railyard {
namespace {

constexpr double fontSize = 15, padding = 7, widest = 280, bracketDepth = 10, legendRow = 22, logoWidth = 120;
constexpr double smallestCallout = 12.2; // px; legend text is a tenth smaller

QString words(const Callout& callout) { return QString::fromStdString(callout.text); }

// In units of the callout font. The font scales with the size of the drawing, so that it is readable when the whole drawing is visible.
QSizeF sizeOf(const QString& text, double width) {
    QFont font = fontFor(TextRole::Body);
    font.setPixelSize(static_cast<int>(fontSize));
    font.setBold(true); // bold is wider than regular, so the box fits both
    const QRectF box = QFontMetricsF(font).boundingRect(QRectF(0, 0, width, 1e5), Qt::TextWordWrap, text);
    return {std::ceil(box.width()) + 2 * padding + 2, std::ceil(box.height()) + 2 * padding};
}

double unitOf(const Scene& scene) { return std::max(1.0, scene.calloutUnit); }

// Accepts only PNG, which cannot reference other files, up to the size of a logo. The result is cached.
QImage pictureOf(const SharedText& text) {
    constexpr int most = 1000; // px
    constexpr std::size_t mostKept = 64;
    using Kept = std::pair<std::weak_ptr<const std::string>, QImage>;
    thread_local std::vector<Kept> kept;
    for (const Kept& each : kept)
        if (each.first.lock() == text.shared()) return each.second;
    QByteArray bytes = QByteArray::fromBase64(QByteArray(text.text().data(), static_cast<qsizetype>(text.text().size())));
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, "PNG");
    QImage image;
    if (reader.size().isValid() && reader.size().width() <= most && reader.size().height() <= most) image = reader.read();
    std::erase_if(kept, [](const Kept& each) { return each.first.expired(); });
    if (kept.size() < mostKept) kept.emplace_back(text.shared(), image);
    return image;
}

} // namespace

QPointF calloutOrigin(Callout::Kind kind, const QRectF& about, bool below) {
    if (about.isEmpty()) return {};
    if (kind != Callout::Kind::Bracket) return about.center();
    return {about.center().x(), below ? about.bottom() : about.top()};
}

// The area of a block that is not a node itself: the union of everything drawn of it, or the one drawn pod of identical pods.
QRectF SceneBuilder::placeOfBlock(ScopeId block) const {
    const auto isInside = [&](ScopeId scope) {
        while (scope != none && scope != block) scope = m_fabric.scopes[scope].parent;
        return scope != none;
    };
    QRectF all;
    for (const SceneNode& node : m_scene.nodes)
        if (isInside(node.device != none ? m_fabric.devices.scope[node.device] : node.scope)) all = all.united(node.rect);
    for (const SceneCard& card : m_scene.cards)
        if (isInside(card.scope)) all = all.united(card.rect);
    for (std::size_t d = 0; all.isEmpty() && d < m_fabric.devices.size(); ++d)
        if (m_fabric.devices.kind[d] == DeviceKind::Switch && isInside(m_fabric.devices.scope[d]))
            for (const SceneBar& bar : m_scene.bars)
                if (bar.shape == shapeOf(m_fabric.devices.tier[d])) all = bar.rect;
    return all;
}

// An element hidden in a fold is placed at the card of the fold.
QRectF SceneBuilder::placeOf(const PathFinder& finder, const std::string& path) const {
    const auto device = finder.device(path);
    if (const auto own = device ? m_nodeOfDevice.find(*device) : m_nodeOfDevice.end(); own != m_nodeOfDevice.end())
        return m_scene.nodes[own->second].rect;
    if (const auto block = device ? std::nullopt : finder.scope(path))
        if (const QRectF all = placeOfBlock(*block); !all.isEmpty()) return all;
    ScopeId scope = device ? m_fabric.devices.scope[*device] : finder.scope(path).value_or(none);
    for (; scope != none; scope = m_fabric.scopes[scope].parent) {
        for (const SceneNode& node : m_scene.nodes)
            if (node.device == none && node.scope == scope) return node.rect; // an element inside a server
        for (const SceneCard& card : m_scene.cards) {
            const auto unit = std::find_if(m_units.begin(), m_units.end(), [&](const Unit& each) { return each.scope == scope; });
            const bool inside = unit != m_units.end() && unit->su >= card.firstSu && unit->su < card.firstSu + card.folded;
            if (card.scope == scope || inside) return card.rect;
        }
        const bool isUnit = std::any_of(m_units.begin(), m_units.end(), [&](const Unit& each) { return each.scope == scope; });
        if (isUnit && m_detail == Detail::Elided) return m_elidedUnits;
    }
    return {};
}

std::vector<SceneLegendRow> SceneBuilder::legendRows() const {
    std::vector<SceneLegendRow> rows;
    if (m_scene.rails > 1) rows.push_back({Shape::Leaf, m_scene.rails, sceneText("Rails 1 to %1").arg(m_scene.rails)});
    std::map<SwitchTier, std::map<std::string, std::int64_t>> parts;
    for (const DeviceId d : m_fabric.devices.ids())
        if (m_fabric.devices.kind[d] == DeviceKind::Switch) {
            const Part* part = m_fabric.partOf(d);
            ++parts[m_fabric.devices.tier[d]][part ? part->name : std::string()];
        }
    const std::pair<SwitchTier, QString> tiers[] = {{SwitchTier::Core, sceneText("core")},
                                                    {SwitchTier::Superspine, sceneText("superspine")},
                                                    {SwitchTier::Spine, sceneText("spine")},
                                                    {SwitchTier::Leaf, sceneText("leaf")}};
    for (const auto& [tier, name] : tiers)
        for (const auto& [part, count] : parts[tier])
            rows.push_back({shapeOf(tier), 0, sceneText("%1 × %2 · %3").arg(grouped(count), name, QString::fromStdString(part))});
    if (m_counts.servers > 0)
        rows.push_back({Shape::Server, 0, sceneText("%1 × server · %2 GPUs").arg(grouped(m_counts.servers), grouped(m_counts.gpus))});
    return rows;
}

// The position of a callout in drawing units.
QRectF SceneBuilder::placeCallout(const PathFinder& finder, const Callout& callout, SceneCallout& into) const {
    const double unit = unitOf(m_scene);
    const bool isBracket = callout.kind == Callout::Kind::Bracket;
    for (const std::string& path : callout.of) into.about = into.about.united(placeOf(finder, path));
    const QPointF middle = calloutOrigin(callout.kind, into.about, callout.at.y > 0) + QPointF(callout.at.x, callout.at.y);
    QSizeF size = sizeOf(words(callout), callout.width > 0 ? callout.width / unit : widest) * unit;
    if (callout.kind == Callout::Kind::Legend) {
        into.legend = m_legend;
        double longest = 0;
        for (const SceneLegendRow& row : into.legend) longest = std::max(longest, sizeOf(row.words, 1e4).width());
        size = QSizeF(longest + 58, static_cast<double>(into.legend.size()) * legendRow + 2 * padding) * unit;
    }
    if (callout.kind == Callout::Kind::Logo) {
        into.picture = pictureOf(callout.picture);
        const double width = callout.width > 0 ? callout.width : logoWidth * unit;
        const double shape = into.picture.isNull() ? 0.4 : 1.0 * into.picture.height() / std::max(1, into.picture.width());
        size = QSizeF(width, width * shape);
    }
    if (isBracket) { // as wide as the bracketed elements
        into.bracketBelow = callout.at.y > 0;
        into.span = !into.about.isEmpty() ? into.about.width() : callout.width > 0 ? callout.width : 200 * unit;
        size.setWidth(std::max(size.width(), into.span));
        size.setHeight(size.height() + bracketDepth * unit);
    }
    QRectF rect(middle - QPointF(size.width(), size.height()) / 2, size);
    if (isBracket && !into.about.isEmpty()) into.bracketBelow ? rect.moveTop(middle.y()) : rect.moveBottom(middle.y());
    return rect;
}

void SceneBuilder::placeCallouts() {
    const std::vector<Callout>& all = m_fabric.design->callouts;
    QRectF drawn(0, 0, m_right, m_cardTop + m_rowShift + measure::cardHeight);
    for (const SceneNode& node : m_scene.nodes) drawn = drawn.united(node.rect);
    double parkedAt = drawn.bottom() + 24;
    m_scene.calloutUnit = std::max(drawn.width() / 1000, drawn.height() / 650);
    if (all.empty()) return;
    const PathFinder finder(m_fabric);
    m_legend = legendRows();
    for (std::size_t c = 0; c < all.size(); ++c) {
        SceneNode node;
        node.shape = Shape::Callout;
        node.callout = c;
        node.handDrawn = true;
        m_scene.callouts.emplace_back();
        SceneCallout& placed = m_scene.callouts.back();
        node.rect = placeCallout(finder, all[c], placed);
        placed.isParked = !all[c].of.empty() && placed.about.isEmpty();
        if (placed.isParked) { // its elements do not exist: it is placed below the drawing until they return or it is attached to others
            node.rect.moveTopLeft({m_left, parkedAt});
            parkedAt = node.rect.bottom() + 10;
        }
        m_scene.nodes.push_back(node);
    }
}

void ScenePainter::callouts(QPainter& painter) const {
    for (const SceneNode& node : m_scene.nodes) {
        if (node.shape != Shape::Callout) continue;
        const SceneCallout& place = m_scene.callouts[node.callout];
        const QRectF rect = m_view.toScreen(node.rect);
        if (visible(rect) || (!place.about.isEmpty() && visible(rect.united(m_view.toScreen(place.about)))))
            drawCallout(painter, m_fabric.design->callouts[node.callout], place, rect);
    }
}

// When zoomed out, the box grows so that its text stays readable, up to a limit.
void ScenePainter::drawCallout(QPainter& painter, const Callout& callout, const SceneCallout& place, const QRectF& box) const {
    constexpr double mostGrowth = 2.5;
    const double asked = fontSize * m_view.scale * unitOf(m_scene), size = std::max(asked, smallestCallout);
    if (callout.kind != Callout::Kind::Logo && size > asked * mostGrowth) return;
    const double unit = size / fontSize;
    const bool grows = callout.kind != Callout::Kind::Logo && callout.kind != Callout::Kind::Bracket;
    const QSizeF grown = grows ? box.size() * (size / asked) : box.size();
    const QRectF rect(box.center() - QPointF(grown.width(), grown.height()) / 2, grown);
    switch (callout.kind) {
    case Callout::Kind::Logo:
        if (place.picture.isNull()) {
            painter.setPen(QPen(m_tokens.controlBorder, 1, Qt::DashLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect);
            return text(painter, rect, Qt::AlignCenter | Qt::TextWordWrap, sceneText("The picture cannot be read"), size * 0.8,
                        m_tokens.text2);
        }
        painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
        return painter.drawImage(rect, place.picture);
    case Callout::Kind::Legend: return legend(painter, place, rect, unit);
    case Callout::Kind::Bracket: return bracket(painter, callout, place, rect, unit);
    case Callout::Kind::Arrow:
        if (!place.isParked) pointer(painter, rect, unit, place.about.isEmpty() ? QRectF() : m_view.toScreen(place.about));
        [[fallthrough]];
    case Callout::Kind::Text:
        painter.setPen(QPen(m_tokens.accent, callout.kind == Callout::Kind::Arrow ? 1.6 : 1));
        painter.setBrush(m_tokens.card);
        painter.drawRoundedRect(rect, 4 * unit, 4 * unit);
        text(painter, rect.adjusted(padding * unit, 0, -padding * unit, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextWordWrap,
             words(callout), size, m_tokens.text);
    }
}

// An arrow from the box to the nearest edge of its element, or straight down if it is not attached.
void ScenePainter::pointer(QPainter& painter, const QRectF& from, double unit, const QRectF& to) const {
    const double head = std::clamp(9 * unit, 5.0, 16.0);
    const QPointF start = from.center();
    QPointF tip(start.x(), from.bottom() + 60 * unit);
    if (!to.isEmpty())
        tip = {std::clamp(start.x(), to.left() + std::min(4.0, to.width() / 2), to.right() - std::min(4.0, to.width() / 2)),
               std::clamp(start.y(), to.top(), to.bottom())};
    const QLineF line(start, tip);
    if (from.contains(tip) || line.length() < head) return; // the box covers the target
    painter.setPen(QPen(m_tokens.accent, std::clamp(1.8 * unit, 1.2, 4.0)));
    painter.drawLine(start, line.pointAt(1 - 0.8 * head / line.length()));
    const QLineF back = QLineF(tip, start).unitVector();
    const QPointF along(back.dx() * head, back.dy() * head), across(-along.y() * 0.45, along.x() * 0.45);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_tokens.accent);
    painter.drawPolygon(QPolygonF({tip, tip + along + across, tip + along - across}));
}

// The open side of a bracket faces its elements; the text is on the other side.
void ScenePainter::bracket(QPainter& painter, const Callout& callout, const SceneCallout& place, const QRectF& rect, double unit) const {
    const double depth = bracketDepth * m_view.scale * unitOf(m_scene);
    const double open = place.bracketBelow ? rect.top() : rect.bottom(), spine = place.bracketBelow ? open + depth : open - depth;
    painter.setPen(QPen(m_tokens.accent, std::clamp(1.8 * unit, 1.2, 4.0), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    const double half = place.span * m_view.scale / 2, left = rect.center().x() - half, right = rect.center().x() + half;
    painter.drawPolyline(QPolygonF({QPointF(left, open), QPointF(left, spine), QPointF(right, spine), QPointF(right, open)}));
    const QRectF label = place.bracketBelow ? QRectF(rect.left(), spine, rect.width(), rect.bottom() - spine)
                                            : QRectF(rect.left(), rect.top(), rect.width(), spine - rect.top());
    text(painter, label, Qt::AlignCenter | Qt::TextDontClip | Qt::TextWordWrap, words(callout), fontSize * unit, m_tokens.text, true);
}

void ScenePainter::legend(QPainter& painter, const SceneCallout& place, const QRectF& rect, double unit) const {
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(rect, 4 * unit, 4 * unit);
    double y = rect.top() + padding * unit;
    for (const SceneLegendRow& row : place.legend) {
        const QRectF sign(rect.left() + padding * unit, y + 4 * unit, 40 * unit, 14 * unit);
        const int colours = std::min(row.rail, 16);
        for (int rail = 1; rail <= colours; ++rail)
            painter.fillRect(QRectF(sign.left() + sign.width() * (rail - 1) / colours, sign.top(), sign.width() / colours, sign.height()),
                             m_tokens.rail(rail, m_scene.rails));
        if (row.rail == 0) {
            painter.setPen(QPen(m_tokens.neutral, 1.2));
            painter.setBrush(row.shape == Shape::Leaf || row.shape == Shape::Server ? m_tokens.card : m_tokens.neutralFill);
            painter.drawPath(silhouette(row.shape, QRectF(sign.center().x() - 11 * unit, sign.top(), 22 * unit, sign.height())));
        }
        text(painter, QRectF(sign.right() + 10 * unit, y, rect.right() - sign.right() - 10 * unit, legendRow * unit),
             Qt::AlignVCenter | Qt::AlignLeft, row.words, fontSize * 0.9 * unit, m_tokens.text);
        y += legendRow * unit;
    }
}

} // namespace railyard
