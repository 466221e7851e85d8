#include "widgets/canvas/painter/scene_painter.h"

#include "core/design/model/element_names.h"
#include "widgets/canvas/painter/bundle_names.h"
#include "widgets/canvas/painter/callout_painter.h"
#include "widgets/canvas/painter/load_scale.h"
#include "widgets/canvas/painter/rack_painter.h"
#include "widgets/canvas/painter/shapes.h"
#include "widgets/canvas/painter/traffic_marks.h"
#include "widgets/canvas/scene/scene_measure.h"

#include <QCoreApplication>
#include <QPixmap>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace railyard {
namespace {

bool isServer(const SceneNode& node) { return node.shape == Shape::Server || node.shape == Shape::HbDomain; }

// Whether the largest number of the row fits; a row shows all its numbers or none.
bool numbersFit(const SceneNode& node, const QRectF& rect) {
    constexpr double digitWidth = 6.2;
    const auto digits = static_cast<double>(QString::number(std::max(node.number, node.largestOfRow)).size());
    const double sides = node.shape == Shape::Spine || node.shape == Shape::Superspine || node.shape == Shape::Core ? 5 : 2; // its corners
    return rect.width() >= digits * digitWidth + sides && rect.height() > 11;
}

// The label where it fits, otherwise the number; nothing where there is no room for either.
QString nameOn(const SceneNode& node, const QRectF& rect) {
    constexpr double letterWidth = 6;
    const bool fits = rect.width() >= static_cast<double>(node.label.size()) * letterWidth + 2 && rect.height() > 11;
    if (!node.label.isEmpty() && fits) return node.label;
    return numbersFit(node, rect) ? QString::number(node.number) : QString();
}
} // namespace

QString ScenePainter::levelName(double scale) {
    const double server = 24.6 * scale;
    const auto tr = [](const char* text) { return QCoreApplication::translate("Scene", text); };
    if (server < 6) return tr("Overview");
    return server < 30 ? tr("Fit") : measure::leafWidth * scale < 110 ? tr("Device") : tr("Pairs");
}

ScenePainter::ScenePainter(const Scene& scene, const Fabric& fabric, const Tokens& tokens, ViewState view, QRectF screen)
    : m_scene(scene),
      m_fabric(fabric),
      m_tokens(tokens),
      m_view(view),
      m_screen(screen),
      m_serverWidth(24.6 * view.scale) {
    int gpus = 0, nics = 0;
    for (const DeviceId d : indices<DeviceId>(std::min<std::size_t>(fabric.devices.size(), 4096))) {
        if (fabric.devices.server[d] != 0) continue;
        gpus += fabric.devices.isGpu(d);
        if (!fabric.devices.isNic(d)) continue;
        ++nics;
        m_railOfNic.push_back(static_cast<int>(fabric.devices.rail[d]));
    }
    if (gpus > 0) m_gpusPerServer = gpus;
    if (nics > 0) m_nicsPerServer = nics;
}

// With fewer rails than NICs several NICs of a server share a rail and its colour.
QColor ScenePainter::nicColor(int nic) const {
    const auto at = static_cast<std::size_t>(nic);
    const int rail = at < m_railOfNic.size() && m_railOfNic[at] > 0 ? m_railOfNic[at] : nic + 1;
    return m_tokens.rail(rail, m_scene.rails > 8 ? 99 : 8);
}

QColor ScenePainter::railColor(int rail) const {
    const QColor color = m_tokens.rail(rail, m_scene.rails);
    if (m_highlightedRail == 0 || rail == m_highlightedRail) return color;
    const auto mix = [](int a, int b) { return static_cast<int>(a * 0.25 + b * 0.75); };
    return {mix(color.red(), m_tokens.canvas.red()), mix(color.green(), m_tokens.canvas.green()),
            mix(color.blue(), m_tokens.canvas.blue())};
}

QColor ScenePainter::bundleColor(std::size_t bundle) const {
    return m_loads ? loadColor((*m_loads)[bundle], m_tokens) : railColor(m_scene.bundles[bundle].rail);
}
// As bundleColor, but dimmed where the selection is on other rails.
QColor ScenePainter::lineColor(std::size_t bundle) const {
    const QColor color = bundleColor(bundle);
    const int rail = m_scene.bundles[bundle].rail;
    if (!m_litRails || m_litRails->empty() || rail == 0 || m_litRails->contains(rail) || m_loads) return color;
    constexpr double canvasPart = 0.28;
    const auto mix = [](int a, int b) { return static_cast<int>(std::lround(a * (1 - canvasPart) + b * canvasPart)); };
    return {mix(color.red(), m_tokens.canvas.red()), mix(color.green(), m_tokens.canvas.green()),
            mix(color.blue(), m_tokens.canvas.blue())};
}

// The load of the bundle if loads are shown, otherwise its number of links.
QString ScenePainter::pillOf(std::size_t bundle) const {
    if (!m_loads) return m_scene.bundles[bundle].pill;
    const double load = (*m_loads)[bundle];
    return load < 0 ? QString() : QStringLiteral("%1 %").arg(std::lround(load * 100));
}

void ScenePainter::paint(QPainter& painter, const SceneHighlight& highlight) const {
    painter.fillRect(m_screen, m_tokens.canvas);
    painter.setRenderHint(QPainter::Antialiasing, true);
    grid(painter);
    const auto lines = [&] {
        bundles(painter, false);
        bundles(painter, true);
    };
    if (!m_scene.isElided) lines();
    if (shows(Layer::Servers)) cards(painter);
    if (m_scene.isElided) lines(); // lines end at the servers' ports
    bars(painter);
    networks(painter);
    if (shows(Layer::HandDrawn)) cables(painter);
    nodes(painter);
    namesBeside(painter);
    if (m_nodeLoads && !m_territories) insideLoads(painter);
    if (m_territories) paintTerritories(painter, painted(), *m_territories);
    if (m_hops) paintHops(painter, painted(), *m_hops);
    dots(painter);
    pills(painter);
    if (!m_loads) paintBundleNames(painter, painted(), m_fabric, m_layers);
    if (shows(Layer::Labels)) labels(painter);
    if (shows(Layer::Callouts)) paintCallouts(painter, painted(), m_fabric.design->callouts);
    selection(painter, highlight);
}

void ScenePainter::grid(QPainter& painter) const {
    const double step = 24 * m_view.scale;
    if (step < 12 || m_tokens.canvas == QColor(Qt::white)) return;
    painter.setPen(QPen(m_tokens.grid, 1));
    QList<QPointF> dots;
    for (double x = std::fmod(m_view.offset.x(), step); x < m_screen.right(); x += step)
        for (double y = std::fmod(m_view.offset.y(), step); y < m_screen.bottom(); y += step) dots.append(QPointF(x, y));
    painter.drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

// When zoomed out, risers are hairlines, and all risers of one colour are drawn in one stroke.
void ScenePainter::risersFromAfar(QPainter& painter) const {
    std::map<QRgb, QList<QLineF>> ofColor;
    const double left = m_screen.left(), right = m_screen.right(), top = m_screen.top(), bottom = m_screen.bottom();
    QList<QLineF>* lines = nullptr;
    int lastRail = -1;
    for (std::size_t i = 0; i < m_scene.bundles.size(); ++i) {
        const SceneBundle& bundle = m_scene.bundles[i];
        if (bundle.isLane || !shows(bundle.layer)) continue;
        if (m_loads || bundle.rail != lastRail) lines = &ofColor[lineColor(i).rgb()];
        lastRail = bundle.rail;
        QPointF from = m_view.toScreen(bundle.path[0]);
        for (qsizetype p = 1; p < bundle.path.size(); ++p) {
            const QPointF to = m_view.toScreen(bundle.path[p]);
            const bool seen = std::max(from.x(), to.x()) >= left && std::min(from.x(), to.x()) <= right &&
                              std::max(from.y(), to.y()) >= top && std::min(from.y(), to.y()) <= bottom;
            if (seen) lines->append(QLineF(from, to));
            from = to;
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& [color, drawn] : ofColor) {
        painter.setPen(QPen(QColor(color), 0));
        painter.drawLines(drawn);
    }
    painter.setRenderHint(QPainter::Antialiasing, true);
}

void ScenePainter::bundles(QPainter& painter, bool lanes) const {
    constexpr double hairlinesBelow = 10; // px of a server; below this, risers are closer than their own width
    if (!lanes && m_serverWidth < hairlinesBelow) return risersFromAfar(painter);
    for (std::size_t i = 0; i < m_scene.bundles.size(); ++i) {
        const SceneBundle& bundle = m_scene.bundles[i];
        if (bundle.isLane != lanes || !shows(bundle.layer)) continue;
        QPolygonF path;
        for (const QPointF& point : bundle.path) path << m_view.toScreen(point);
        if (!visible(path.boundingRect().adjusted(-9, -9, 9, 9))) continue;
        const double width = std::max(1.0, bundleWidth(bundle.links) * std::min(1.0, std::max(0.35, m_view.scale)));
        const auto stroke = [&](const QColor& color, double wide) {
            painter.setPen(QPen(color, wide, Qt::SolidLine, lanes ? Qt::RoundCap : Qt::FlatCap, Qt::RoundJoin));
            painter.drawPolyline(path);
        };
        if (m_loads && !m_tokens.isDark) stroke(m_tokens.text2, width + 1.6); // a full link is bright, the canvas too
        stroke(lineColor(i), width);
    }
}

// Each bundle shows its count if there is room; otherwise one count is shown for the whole row.
void ScenePainter::pills(QPainter& painter) const {
    if (m_view.scale < 0.3) return;
    QFont font = fontFor(TextRole::Caption);
    font.setBold(true);
    const QFontMetricsF metrics(font);
    std::map<double, std::vector<std::size_t>> rows; // bundle indices by row
    for (std::size_t i = 0; i < m_scene.bundles.size(); ++i)
        if (!m_scene.bundles[i].pill.isEmpty() && shows(m_scene.bundles[i].layer)) rows[m_scene.bundles[i].pillAt.y()].push_back(i);
    const auto draw = [&](QPointF at, const QString& words, const QColor& color) {
        const double width = metrics.horizontalAdvance(words) + 14;
        const QRectF rect(at.x() - width / 2, at.y() - 8, width, 16);
        if (words.isEmpty() || !visible(rect)) return;
        painter.setPen(QPen(color, 1.2));
        painter.setBrush(m_tokens.card);
        painter.drawRoundedRect(rect, 8, 8);
        paintText(painter, rect, Qt::AlignCenter, words, 11, m_tokens.text, true);
    };
    for (const auto& [y, row] : rows) {
        bool fits = true, areEqual = true;
        const auto at = [&](std::size_t i) { return m_scene.bundles[row[i]].pillAt; };
        for (std::size_t i = 1; i < row.size(); ++i) {
            const double pitch = (at(i).x() - at(i - 1).x()) * m_view.scale;
            fits = fits && pitch >= metrics.horizontalAdvance(pillOf(row[i])) + 20;
            areEqual = areEqual && pillOf(row[i]) == pillOf(row[0]);
        }
        if (fits)
            for (std::size_t i = 0; i < row.size(); ++i) draw(m_view.toScreen(at(i)), pillOf(row[i]), bundleColor(row[i]));
        else if (areEqual)
            draw(m_view.toScreen((at(0) + at(row.size() - 1)) / 2),
                 m_loads ? pillOf(row[0]) : QStringLiteral("%1 × %2").arg(row.size()).arg(pillOf(row[0])), m_tokens.neutral);
    }
}

void ScenePainter::foldCard(QPainter& painter, const SceneCard& card, const QRectF& rect) const {
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    for (const double behind : {8.0, 4.0}) painter.drawRoundedRect(rect.translated(behind * m_view.scale, -behind * m_view.scale), 8, 8);
    painter.drawRoundedRect(rect, 8, 8);
    const double s = std::min(m_view.scale, 1.6);
    paintText(painter, rect.adjusted(0, rect.height() * 0.22, 0, 0), Qt::AlignHCenter | Qt::AlignTop,
              QStringLiteral("×%1").arg(grouped(card.folded)), 34 * s, m_tokens.text, true);
    if (rect.width() > 66)
        paintText(painter, rect.adjusted(0, rect.height() * 0.42, 0, 0), Qt::AlignHCenter | Qt::AlignTop, card.title,
                  13 * std::max(s, 0.85), m_tokens.text);
    if (s > 0.5) {
        paintText(painter, rect.adjusted(0, rect.height() * 0.5, 0, 0), Qt::AlignHCenter | Qt::AlignTop, card.subtitle,
                  std::max(13 * s, smallestTextPx), m_tokens.text2);
        paintText(painter, rect.adjusted(0, rect.height() * 0.6, 0, 0), Qt::AlignHCenter | Qt::AlignTop,
                  m_tiles ? QCoreApplication::translate("Scene", "identical, click to unfold")
                          : QCoreApplication::translate("Scene", "identical"),
                  std::max(12 * s, smallestTextPx), m_tokens.accent);
    }
}

// Draws the servers of an SU as one block with a pip for each rail.
void ScenePainter::cardFromAfar(QPainter& painter, const SceneCard& card, const QRectF& rect) const {
    const QRectF block =
        m_view.toScreen(card.rect.adjusted(measure::cardPadding, measure::cardHeader, -measure::cardPadding, -measure::cardPadding));
    painter.fillRect(block, m_tokens.neutralFill);
    const int pips = std::min(8, m_nicsPerServer);
    if (block.width() < 3 * pips) return;
    const double width = block.width() / pips;
    for (int i = 0; i < pips; ++i)
        painter.fillRect(QRectF(block.left() + i * width, block.top(), width - 0.5, std::max(2.0, block.height() * 0.06)), nicColor(i));
    paintText(painter, rect.adjusted(0, rect.height() * 0.2, 0, 0), Qt::AlignCenter, QString::number(card.firstSu),
              rect.width() >= 26 ? std::clamp(rect.width() * 0.3, smallestTextPx, 22.0) : 0, m_tokens.text2);
}

// The mark of an override.
void ScenePainter::markApart(QPainter& painter, QPointF at, double size) const {
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_tokens.overridden);
    painter.drawPolygon(QPolygonF({at + QPointF(0, -size), at + QPointF(size, 0), at + QPointF(0, size), at + QPointF(-size, 0)}));
}

void ScenePainter::cards(QPainter& painter) const {
    for (const SceneCard& card : m_scene.cards) {
        const QRectF rect = m_view.toScreen(card.rect);
        if (!visible(rect.adjusted(-10, -10, 10, 10))) continue;
        if (card.folded > 1) {
            foldCard(painter, card, rect);
            continue;
        }
        painter.setPen(QPen(m_tokens.cardBorder, 1));
        painter.setBrush(m_tokens.card);
        painter.setRenderHint(QPainter::Antialiasing, !isPlan());
        isPlan() ? painter.drawRect(rect) : painter.drawRoundedRect(rect, 8, 8);
        if (isPlan()) cardFromAfar(painter, card, rect);
        if (!isPlan())
            for (const SceneRack& rack : card.racks)
                paintRack(
                    painter, painted(), rack, [&](std::size_t bundle) { return lineColor(bundle); }, shows(Layer::HostLinks));
        painter.setRenderHint(QPainter::Antialiasing, true);
        const double headTop =
            m_scene.isElided ? rect.bottom() - measure::cardHeader * m_view.scale : rect.top(); // at the bottom, clear of the cables
        const QRectF head(rect.left() + 10 * m_view.scale, headTop, rect.width() - 20 * m_view.scale, measure::cardHeader * m_view.scale);
        if (card.overridden) markApart(painter, rect.topRight() + QPointF(-1, 1), 5);
        const double size = isPlan() ? 0 : std::min(13.5 * m_view.scale, largestTextPx);
        paintText(painter, head, Qt::AlignLeft | Qt::AlignVCenter, card.title, std::max(size, m_view.scale > 0.35 ? smallestTextPx : 0),
                  m_tokens.text, true);
        if (size > smallestTextPx) paintText(painter, head, Qt::AlignRight | Qt::AlignVCenter, card.subtitle, size * 0.9, m_tokens.text2);
    }
}

void ScenePainter::networks(QPainter& painter) const {
    for (const SceneNetwork& network : m_scene.networks) {
        const QRectF rect = m_view.toScreen(network.rect);
        if (!visible(rect) || !shows(network.layer)) continue;
        painter.setPen(QPen(m_tokens.neutral, 1.2));
        painter.setBrush(m_tokens.card);
        painter.drawRoundedRect(rect, 6, 6);
        const double size = std::min(std::max(12 * m_view.scale, m_view.scale > 0.5 ? smallestTextPx : 0.0), largestTextPx);
        const QRectF words = rect.adjusted(10, 0, -10, 0);
        paintText(painter, words, Qt::AlignLeft | Qt::AlignVCenter, network.title, size, m_tokens.text, true);
        paintText(painter, words, Qt::AlignRight | Qt::AlignVCenter, network.note, size, m_tokens.text2);
    }
}

static QString tierName(Shape shape) {
    const auto tr = [](const char* text) { return QCoreApplication::translate("Scene", text); };
    return shape == Shape::Leaf         ? tr("leaves")
           : shape == Shape::Spine      ? tr("spines")
           : shape == Shape::Superspine ? tr("superspines")
                                        : tr("core switches");
}

void ScenePainter::bars(QPainter& painter) const {
    for (const SceneBar& bar : m_scene.bars) {
        const QRectF rect = m_view.toScreen(bar.rect);
        if (!visible(rect.adjusted(-10, -12, 10, 10))) continue;
        painter.setPen(QPen(bar.rail > 0 ? railColor(bar.rail) : m_tokens.cardBorder, bar.rail > 0 ? 1.6 : 1.2));
        painter.setBrush(m_tokens.card);
        if (bar.stacked > 1)
            for (const double behind : {8.0, 4.0})
                painter.drawRoundedRect(rect.translated(behind * m_view.scale, -behind * m_view.scale), 6, 6);
        painter.drawRoundedRect(rect, 6, 6);
        const bool shapes = bar.lastNode > bar.firstNode;
        const QRectF caption = shapes ? QRectF(rect.left() + 10, rect.top() + 1, rect.width() - 20, 20 * m_view.scale) : rect;
        const double size = std::min(std::max((shapes ? 12 : 14) * m_view.scale, m_view.scale > 0.6 ? smallestTextPx : 0.0), largestTextPx);
        QString words = bar.title;
        if (isPlan()) {
            words = QStringLiteral("%1 %2").arg(grouped(std::int64_t{bar.count} * bar.stacked), tierName(bar.shape));
            if (bar.rail > 0) words = grouped(std::int64_t{bar.count} * bar.stacked);
            const bool room = rect.height() >= 11 && rect.width() > 7.0 * static_cast<double>(words.size());
            paintText(painter, rect, Qt::AlignCenter, words, room ? std::clamp(rect.height() * 0.6, smallestTextPx, 16.0) : 0,
                      m_tokens.text2);
            continue;
        }
        if (!shapes && bar.shape != Shape::Leaf && bar.rail == 0 && bar.stacked == 1)
            words = QStringLiteral("%1 · %2").arg(grouped(bar.count), words);
        if (!shapes && words.isEmpty()) words = grouped(bar.count);
        paintText(painter, caption, shapes ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignCenter, words, size, m_tokens.text2);
        if (bar.stacked > 1 && shapes)
            paintText(painter, caption, Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("×%1").arg(bar.stacked), size, m_tokens.text,
                      true);
    }
}

// Flat, with its NICs under their leaves.
void ScenePainter::drawTray(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    painter.setPen(QPen(m_tokens.controlBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(rect, 2, 2);
    if (const QRectF room = insideRoom(node, rect, m_nicsPerServer); !room.isEmpty()) return inside(painter, node, rect, room);
    const PipRow pips = pipsOf(node, rect, m_nicsPerServer);
    for (int nic = 0; nic < pips.count; ++nic)
        if (const double x = pips.centreOf(nic); x < rect.right())
            painter.fillRect(QRectF(x - pips.width / 2, rect.top(), pips.width, pips.height), nicColor(nic));
}

void ScenePainter::drawServer(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    if (node.isTray) return drawTray(painter, node, rect);
    painter.setPen(QPen(m_tokens.controlBorder, rect.width() < 8 ? 0.7 : 1));
    painter.setBrush(m_tokens.card);
    if (node.shape == Shape::HbDomain) {
        painter.setPen(QPen(m_tokens.controlBorder, 1.5));
        painter.drawRoundedRect(rect, 4, 4);
    } else {
        painter.drawRect(rect);
    }
    if (rect.width() > 12) {
        const PipRow pips = pipsOf(node, rect, m_nicsPerServer);
        for (int i = 0; i < pips.count; ++i)
            painter.fillRect(QRectF(pips.centreOf(i) - pips.width / 2, rect.top() + 1, pips.width, pips.height), nicColor(i));
    }
    if (const QRectF room = insideRoom(node, rect, m_nicsPerServer); !room.isEmpty()) return inside(painter, node, rect, room);
    const double size = std::min(rect.width() * 0.5, rect.height() * 0.4);
    const double below = rect.width() > 46 ? rect.height() * 0.36 : 0; // room for a second line
    if (const QString name = nameOn(node, rect); !name.isEmpty())
        paintText(painter, rect.adjusted(0, rect.height() * 0.1, 0, -below), Qt::AlignCenter, name,
                  name == node.label ? smallestTextPx : std::clamp(size, smallestTextPx, 16.0), m_tokens.text2);
    if (rect.width() > 46 && node.shape == Shape::Server) {
        const QString gpus = QCoreApplication::translate("Scene", "%1 GPUs").arg(m_gpusPerServer);
        paintText(painter, rect.adjusted(0, rect.height() * 0.6, 0, 0), Qt::AlignHCenter | Qt::AlignTop, gpus, 11, m_tokens.text2);
    }
}

// The inside of a server: GPUs, NICs and HB switches.
void ScenePainter::inside(QPainter& painter, const SceneNode& node, const QRectF& rect, const QRectF& columns) const {
    // In a tray to the right of its first NIC, which stands in this line.
    const double left = node.isTray ? columns.left() + columns.width() / m_nicsPerServer / 2 + 30 : rect.left() + 6;
    const QRectF head(left, node.isTray ? columns.top() + columns.height() * 0.2 - 8 : rect.top() + rect.height() * 0.09,
                      rect.right() - left - 6, 16);
    paintText(painter, head, Qt::AlignLeft, QString::fromStdString(ElementNames(*m_fabric.design).nameOf(m_fabric.scopePath(node.scope))),
              12, m_tokens.text, true);
    if (!m_insides && !m_findsInsides) return;
    if (!m_insides) m_insides = std::make_shared<const ServerInsides>(m_fabric);
    paintInside(painter, m_fabric, m_insides->insideOf(m_fabric, node.scope), columns, m_tokens, m_scene.rails);
}

// A hand-drawn group with its name and contents.
void ScenePainter::drawGroup(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    painter.setPen(QPen(m_tokens.cardBorder, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(rect.translated(3 * m_view.scale, -3 * m_view.scale), 6, 6);
    painter.setPen(QPen(m_tokens.controlBorder, 1.4));
    painter.drawRoundedRect(rect, 6, 6);
    const double size = std::min(std::max(13 * m_view.scale, m_view.scale > 0.5 ? smallestTextPx : 0.0), largestTextPx);
    const QRectF words = rect.adjusted(8 * m_view.scale, 6 * m_view.scale, -8 * m_view.scale, -4 * m_view.scale);
    paintText(painter, words, Qt::AlignLeft | Qt::AlignTop,
              QString::fromStdString(ElementNames(*m_fabric.design).nameOf(m_fabric.scopePath(node.scope))), size, m_tokens.text, true);
    if (const auto note = m_scene.groupNotes.find(node.scope); note != m_scene.groupNotes.end())
        paintText(painter, words.adjusted(0, size * 1.5, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, note->second, size * 0.92,
                  m_tokens.text2);
}

void ScenePainter::drawNode(QPainter& painter, const SceneNode& node, const QRectF& rect) const {
    if (isServer(node)) return drawServer(painter, node, rect);
    if (node.shape == Shape::Group) return drawGroup(painter, node, rect);
    const bool leaf = node.shape == Shape::Leaf;
    const QColor color = node.rail > 0 ? railColor(node.rail) : m_tokens.neutral;
    painter.setPen(QPen(color, leaf ? 2 : 1.3));
    painter.setBrush(node.rail > 0 && !leaf ? color : leaf ? m_tokens.card : m_tokens.neutralFill);
    painter.drawPath(silhouette(node.shape, rect));
    const QColor ink = node.rail > 0 && !leaf ? inkOn(color) : m_tokens.text;
    if (const QString name = nameOn(node, rect); !name.isEmpty())
        paintText(painter, rect, Qt::AlignCenter, name,
                  name == node.label ? smallestTextPx : std::min(std::max(smallestTextPx, rect.height() * 0.45), 14.0), ink, leaf);
}

// Draws a frame, or a filled rectangle if the node is too small for a frame.
void ScenePainter::insideLoads(QPainter& painter) const {
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n) {
        const SceneNode& node = m_scene.nodes[n];
        const double load = (*m_nodeLoads)[n];
        const QRectF rect = m_view.toScreen(node.rect);
        if (load < 0 || !isServer(node) || !visible(rect) || !shows(node.handDrawn ? Layer::HandDrawn : Layer::Servers)) continue;
        const QColor color = loadColor(load, m_tokens);
        if (rect.width() < 10) {
            painter.fillRect(rect, color);
            continue;
        }
        const double width = std::clamp(std::min(rect.width(), rect.height()) / 10, 1.5, 5.0);
        painter.setPen(QPen(color, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(width / 2, width / 2, -width / 2, -width / 2));
    }
}

// Identical nodes are drawn once and copied, because a screen shows thousands of nodes but only few different numbers.
void ScenePainter::nodes(QPainter& painter) const {
    const double ratio = painter.device()->devicePixelRatio();
    constexpr int margin = 2;
    const auto copy = [&](const SceneNode& node, const QRectF& rect) {
        const QSize size(static_cast<int>(std::ceil(rect.width())) + 2 * margin, static_cast<int>(std::ceil(rect.height())) + 2 * margin);
        QPixmap& tile = (*m_tiles)[{static_cast<int>(node.shape), node.number, node.largestOfRow, node.rail, size.width(), size.height(),
                                    m_gpusPerServer, m_nicsPerServer, m_scene.rails}];
        if (tile.isNull()) {
            tile = QPixmap(size * ratio);
            tile.setDevicePixelRatio(ratio);
            tile.fill(Qt::transparent);
            QPainter own(&tile);
            own.setRenderHint(QPainter::Antialiasing);
            drawNode(own, node, QRectF(QPointF(margin, margin), rect.size()));
        }
        painter.drawPixmap(QPointF(std::round(rect.left()) - margin, std::round(rect.top()) - margin), tile);
    };
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n) {
        const SceneNode& node = m_scene.nodes[n];
        const QRectF rect = m_view.toScreen(node.rect);
        if (node.shape == Shape::Callout || m_leftOut.contains(n)) continue; // callouts are drawn last, on top of everything
        if (!visible(rect) || (isServer(node) && !node.handDrawn && !shows(Layer::Servers)) || (node.handDrawn && !shows(Layer::HandDrawn)))
            continue;
        if (isPlan() && !node.handDrawn) {
            if (node.shape == Shape::Leaf) painter.fillRect(rect, node.rail > 0 ? railColor(node.rail) : m_tokens.neutral);
        } else if (m_tiles && rect.width() < 12 && node.shape == Shape::Server && !node.overridden) {
            const QRectF whole(std::round(rect.left()), std::round(rect.top()), std::round(rect.width()), std::round(rect.height()));
            painter.fillRect(whole, m_tokens.controlBorder); // too small for a number; two fills make a frame
            painter.fillRect(whole.adjusted(1, 1, -1, -1), m_tokens.card);
        } else if (m_tiles && rect.width() < 110 && node.shape != Shape::Group && !node.isTray && // NICs of trays depend on their leaves
                   (node.label.isEmpty() || nameOn(node, rect) != node.label)) {                  // those have individual text
            copy(node, rect);
        } else {
            drawNode(painter, node, rect);
        }
        if (node.overridden) markApart(painter, QPointF(rect.right() - 1, rect.top() + 1), 4);
    }
}

// Of what is drawn by hand and too small for its name: right of switches, below servers, where nothing else stands.
void ScenePainter::namesBeside(QPainter& painter) const {
    constexpr std::size_t most = 200; // more of them are a crowd, in which names would be noise
    constexpr double leastScale = 0.5, letterWidth = 6.2, lineHeight = 15;
    const auto isByHand = [](const SceneNode& node) {
        return node.handDrawn && node.shape != Shape::Group && node.shape != Shape::Callout;
    };
    if (m_view.scale < leastScale || !shows(Layer::HandDrawn)) return;
    if (static_cast<std::size_t>(std::count_if(m_scene.nodes.begin(), m_scene.nodes.end(), isByHand)) > most) return;
    for (const SceneNode& node : m_scene.nodes) {
        const QRectF rect = m_view.toScreen(node.rect);
        if (!isByHand(node) || node.label.isEmpty() || !visible(rect) || nameOn(node, rect) == node.label) continue;
        const double width = static_cast<double>(node.label.size()) * letterWidth + 4;
        const QRectF box = isServer(node) ? QRectF(rect.center().x() - width / 2, rect.bottom() + 1, width, lineHeight)
                                          : QRectF(rect.right() + 4, rect.center().y() - lineHeight / 2, width, lineHeight);
        if (std::none_of(m_scene.nodes.begin(), m_scene.nodes.end(),
                         [&](const SceneNode& other) { return m_view.toScreen(other.rect).intersects(box); }))
            paintText(painter, box, Qt::AlignCenter, node.label, smallestTextPx, m_tokens.text2);
    }
}

void ScenePainter::dots(QPainter& painter) const {
    const double radius = std::clamp(3.4 * m_view.scale, 1.2, 6.0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_tokens.text);
    for (const QPointF& middle : m_scene.dots)
        for (const int place : {-1, 0, 1}) painter.drawEllipse(m_view.toScreen(middle) + QPointF(place * 3.2 * radius, 0), radius, radius);
}

void ScenePainter::cables(QPainter& painter) const {
    QList<QRectF> pills; // where cables fan out, a count that would cover another is left out
    for (const SceneCable& cable : m_scene.cables) {
        double load = -1;
        for (const LinkId link : cable.of)
            if (m_linkLoads && link < m_linkLoads->size()) load = std::max(load, (*m_linkLoads)[link]);
        const QColor color = m_linkLoads ? loadColor(load, m_tokens) : cable.rail > 0 ? railColor(cable.rail) : m_tokens.neutral;
        const QPointF a = m_view.toScreen(cable.a), b = m_view.toScreen(cable.b);
        painter.setPen(QPen(color, cable.links > 1 ? bundleWidth(cable.links) * std::min(1.0, m_view.scale) : 1.5));
        painter.drawLine(a, b);
        const QString words = !m_linkLoads ? QString::number(cable.links)
                              : load < 0   ? QString()
                                           : QStringLiteral("%1 %").arg(std::lround(load * 100));
        if ((cable.links < 2 && !m_linkLoads) || words.isEmpty() || m_view.scale < 0.5) continue;
        const double half = m_linkLoads ? 22 : 13;
        const QRectF pill((a + (b - a) * 0.3) - QPointF(half, 8), QSizeF(2 * half, 16)); // away from the middle, where cables cross
        if (std::any_of(pills.begin(), pills.end(), [&](const QRectF& other) { return other.intersects(pill); })) continue;
        pills.append(pill);
        painter.setPen(QPen(color, 1.2));
        painter.setBrush(m_tokens.card);
        painter.drawRoundedRect(pill, 8, 8);
        paintText(painter, pill, Qt::AlignCenter, words, 11, m_tokens.text, true);
    }
}

void ScenePainter::labels(QPainter& painter) const {
    const double s = std::clamp(m_view.scale, m_view.scale > 0.55 ? 0.95 : 0.8, 1.4); // text stays readable rather than proportional
    double free = -1e9; // if rows are too close for their names, only the upper name is shown
    QFont title = fontFor(TextRole::Body);
    title.setPixelSize(static_cast<int>(std::lround(13.5 * s)));
    title.setBold(true);
    double widest = 0;
    for (const SceneLabel& label : m_scene.labels) widest = std::max(widest, QFontMetricsF(title).horizontalAdvance(label.title));
    const double column = (measure::labelColumn - 14) * m_view.scale, room = std::max(40.0, column);
    for (const SceneLabel& label : m_scene.labels) {
        // Names wider than their column extend to the left, where there is free space.
        const QPointF at = m_view.toScreen(label.at) - QPointF(std::max(0.0, widest - column), 0);
        if (at.y() < free || (isPlan() && 8.2 * static_cast<double>(label.title.size()) > measure::labelColumn * m_view.scale)) continue;
        free = at.y() + 18 * s;
        paintText(painter, QRectF(at.x(), at.y(), room, 20 * s), Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip, label.title, 13.5 * s,
                  m_tokens.text, true);
        if (m_view.scale > 0.55)
            paintText(painter, QRectF(at.x(), at.y() + 18 * s, room + (m_view.scale > 0.8 ? 14 : 0), 48 * s),
                      Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, label.note, 11.5 * s, m_tokens.text2);
    }
    for (const RowBadge& badge : m_scene.badges) {
        if (m_scene.rails > 24 || measure::laneSpacing * m_view.scale < 15.5) continue;
        const QPointF at = m_view.toScreen(badge.at);
        painter.setPen(Qt::NoPen);
        painter.setBrush(railColor(badge.rail));
        painter.drawEllipse(at, 7.5, 7.5);
        paintText(painter, QRectF(at.x() - 9, at.y() - 9, 18, 18), Qt::AlignCenter, QString::number(badge.rail), 10.8,
                  inkOn(railColor(badge.rail)), true);
    }
}

void ScenePainter::selection(QPainter& painter, const SceneHighlight& highlight) const {
    painter.setBrush(Qt::NoBrush);
    constexpr std::size_t many = 400; // above this number plain frames are drawn
    if (highlight.selected.size() > many) {
        QList<QRectF> frames;
        for (const std::size_t index : highlight.selected)
            if (const QRectF rect = m_view.toScreen(m_scene.nodes[index].rect); visible(rect)) frames.append(rect.adjusted(-1, -1, 1, 1));
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(QPen(m_tokens.select, 0));
        painter.drawRects(frames);
        painter.setRenderHint(QPainter::Antialiasing, true);
        return;
    }
    const auto outline = [&](std::size_t index, const QPen& pen) {
        painter.setPen(pen);
        painter.drawRoundedRect(m_view.toScreen(m_scene.nodes[index].rect).adjusted(-4, -4, 4, 4), 5, 5);
    };
    if (highlight.hovered >= 0 && static_cast<std::size_t>(highlight.hovered) < m_scene.nodes.size())
        outline(static_cast<std::size_t>(highlight.hovered), QPen(m_tokens.select, 1.2));
    for (const std::size_t index : highlight.selected)
        if (index < m_scene.nodes.size()) outline(index, QPen(m_tokens.select, 2.2));
}

} // namespace railyard
