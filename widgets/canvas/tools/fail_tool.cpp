#include "widgets/canvas/tools/fail_tool.h"
#include "widgets/canvas/painter/load_scale.h"

namespace railyard {

FailTool::FailTool(Viewport& port, std::function<void(const std::string&)> asked) : Tool(port), m_asked(std::move(asked)) {}

bool FailTool::press(const Press& press) {
    if (!m_port.isFailing() || press.button != Qt::LeftButton || press.isWith(Qt::ControlModifier)) return false;
    if (press.node >= 0) {
        const SceneNode& node = scene().nodes[static_cast<std::size_t>(press.node)];
        if (node.shape == Shape::Callout) return false;
        m_asked(m_port.pathOf(node));
        return true;
    }
    const SceneCard* card = m_port.cardAt(press.at);
    if (!card || card->folded > 1 || card->scope == none || !Viewport::isHead(*card, view().toWorld(press.at))) return false;
    m_asked(fabric().scopePath(card->scope));
    return true;
}

// Determines for every visible element whether it has failed completely or partly.
bool FailTool::takeFailed() {
    m_failed.clear();
    m_deadBundles.clear();
    const std::vector<bool>& gone = m_port.document().failed().devices;
    if (gone.empty()) return false;
    std::vector<Failed> failedOf(scene().nodes.size());
    bool hidden = false;
    for (DeviceId d(0); d < gone.size(); ++d) {
        const std::uint32_t node = m_port.cableIndex().nodeOf(d);
        hidden = hidden || (node == none && gone[d]);
        if (node == none) continue;
        Failed& own = failedOf[node];
        ++own.all;
        if (!gone[d]) continue;
        ++own.devices;
        if (fabric().devices.isNic(d)) own.nics.push_back(static_cast<int>(fabric().devices.index[d]));
    }
    for (std::size_t n = 0; n < failedOf.size(); ++n) {
        failedOf[n].node = n;
        if (failedOf[n].devices > 0) m_failed.push_back(std::move(failedOf[n]));
    }
    takeDeadBundles(gone);
    return hidden;
}

// Bundles of a failed switch, and the lanes of a rail of which no leaf is left: they carry nothing.
void FailTool::takeDeadBundles(const std::vector<bool>& gone) {
    const DeviceTable& devices = fabric().devices;
    std::map<int, bool> isRailDead;
    for (const DeviceId d : devices.ids()) {
        if (!devices.routes(d) || devices.tier[d] != SwitchTier::Leaf || devices.rail[d] == 0) continue;
        const auto rail = isRailDead.try_emplace(static_cast<int>(devices.rail[d]), true).first;
        rail->second = rail->second && gone[d];
    }
    const auto isGone = [&](DeviceId device) { return device != none && gone[device]; };
    for (std::size_t b = 0; b < scene().bundles.size(); ++b) {
        const SceneBundle& bundle = scene().bundles[b];
        const auto rail = isRailDead.find(bundle.ofRail);
        const bool isOfDeadRail = bundle.lower == none && bundle.upper == none && rail != isRailDead.end() && rail->second;
        if (isGone(bundle.lower) || isGone(bundle.upper) || isOfDeadRail) m_deadBundles.push_back(b);
    }
}

void FailTool::paintDeadBundles(QPainter& painter) const {
    painter.setBrush(Qt::NoBrush);
    QPen dashes(tokens().danger, 1.6, Qt::CustomDashLine, Qt::FlatCap);
    dashes.setDashPattern({3, 3});
    for (const std::size_t b : m_deadBundles) {
        const SceneBundle& bundle = scene().bundles[b];
        QPolygonF path;
        for (const QPointF& at : bundle.path) path << view().toScreen(at);
        if (!m_port.isInSight(path.boundingRect().adjusted(-4, -4, 4, 4))) continue;
        painter.setPen(
            QPen(tokens().canvas, std::max(2.0, bundleWidth(bundle.links) * std::min(1.0, view().scale)) + 1, Qt::SolidLine, Qt::FlatCap));
        painter.drawPolyline(path);
        painter.setPen(dashes);
        painter.drawPolyline(path);
        if (bundle.pill.isEmpty() || view().scale < 0.3) continue;
        const QPointF centre = view().toScreen(bundle.pillAt);
        const QRectF pill(centre.x() - 24, centre.y() - 8, 48, 16);
        painter.setPen(QPen(tokens().danger, 1.2));
        painter.setBrush(tokens().card);
        painter.drawRoundedRect(pill, 8, 8);
        painter.setFont(fontFor(TextRole::Caption));
        painter.drawText(pill, Qt::AlignCenter, QObject::tr("failed"));
        painter.setBrush(Qt::NoBrush);
    }
}

// A server that has lost NICs and nothing else still computes: only its pips are marked.
void FailTool::paintNics(QPainter& painter, const Failed& failed, const QRectF& box) const {
    constexpr int mostPips = 8; // as servers are drawn
    const int pips = std::min(mostPips, m_port.cableIndex().nicsOfAServer());
    const double width = box.width() / pips, height = std::max(3.0, box.height() * 0.1);
    for (const int nic : failed.nics) {
        if (nic > pips) continue;
        const QRectF pip(box.left() + (nic - 1) * width, box.top() - 1, width, height);
        painter.fillRect(pip, tokens().danger);
        if (width < 5) continue;
        painter.setPen(QPen(inkOn(tokens().danger), 1));
        painter.drawLine(pip.topLeft(), pip.bottomRight());
        painter.drawLine(pip.topRight(), pip.bottomLeft());
    }
}

void FailTool::paint(QPainter& painter) {
    if (!m_port.isFailing()) return;
    const auto clear = [](QColor color, float alpha) {
        color.setAlphaF(alpha);
        return color;
    };
    paintDeadBundles(painter);
    painter.fillRect(m_port.area(), clear(tokens().danger, 0.06F));
    const QColor fill = clear(tokens().danger, 0.3F);
    const QPen cross(tokens().danger, 1.6);
    for (const Failed& failed : m_failed) {
        const QRectF box = view().toScreen(scene().nodes[failed.node].rect);
        if (!box.intersects(m_port.area())) continue;
        const bool whole = failed.isWhole();
        if (!whole && failed.areOnlyNics() && scene().nodes[failed.node].shape == Shape::Server) {
            paintNics(painter, failed, box);
            continue;
        }
        painter.setPen(whole ? QPen(Qt::NoPen) : cross);
        painter.setBrush(whole ? QBrush(fill) : QBrush(Qt::NoBrush));
        painter.drawRect(box);
        if (!whole || box.width() < 5) continue;
        painter.setPen(cross);
        painter.drawLine(box.topLeft(), box.bottomRight());
        painter.drawLine(box.topRight(), box.bottomLeft());
    }
    painter.setPen(QPen(tokens().danger, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(m_port.area().adjusted(1.5, 1.5, -1.5, -1.5));
}

} // namespace railyard
