#include "widgets/canvas/tools/cable_tool.h"

#include "core/analysis/cable_edits.h"
#include "widgets/canvas/overlays/tip.h"
#include "widgets/document/cable_facts.h"
#include "widgets/theme/text.h"

namespace railyard {

CableTool::CableTool(Viewport& port, const PortsOverlay& ports)
    : Tool(port),
      m_ports(ports),
      m_edits(
          [this] {
              return
                  [fabric = m_port.document().now().fabric, edit = m_edit] { return std::make_shared<const Result<Edit>>(edit(*fabric)); };
          },
          [this](const std::shared_ptr<const Result<Edit>>& edit) { m_port.apply(*edit); }) {}

void CableTool::cancel() {
    m_hovered.reset();
    m_thread.reset();
    m_own = {};
    m_staying.clear();
    m_edits.drop(); // of the design before
}

std::vector<LinkId> CableTool::cablesAt(QPointF at) const {
    if (auto links = m_ports.cablesAt(at); !links.empty()) return links;
    if (m_port.nodeAt(at) >= 0 || !m_port.isShown(Layer::HandDrawn)) return {};
    constexpr double reach = 4; // px
    const SceneCable* cable = scene().cableAt(view().toWorld(at), reach / view().scale);
    return cable ? cable->of : std::vector<LinkId>();
}

std::optional<LinkId> CableTool::cableAt(QPointF at) const {
    if (const auto thread = m_threads && m_port.nodeAt(at) < 0 ? m_threads->threadAt(at, view()) : std::nullopt) return thread->link;
    const std::vector<LinkId> links = cablesAt(at);
    if (links.empty()) return {};
    const auto now = std::find(links.begin(), links.end(), m_port.selectedCable().value_or(LinkId(none)));
    return now == links.end() || now + 1 == links.end() ? links.front() : *(now + 1);
}

void CableTool::takeSelection() {
    m_thread = {};
    m_own = {};
    const auto link = m_port.selectedCable();
    if (!link) return m_staying.clear();
    for (const DeviceId device : {fabric().links.a[*link], fabric().links.b[*link]}) {
        const std::uint32_t node = m_port.cableIndex().nodeOf(device);
        if (node != none && scene().nodes[node].shape == Shape::Leaf)
            m_own = SelectionMarks(scene(), fabric(), m_port.cableIndex(), {std::size_t{node}});
    }
}

void CableTool::work(std::function<Result<Edit>(const Fabric&)> edit) {
    m_edit = std::move(edit);
    m_edits.ask();
}

void CableTool::disconnectSelected() {
    if (!m_port.selectedCable()) return m_port.refuse(QObject::tr("Nothing is connected to this port."));
    work([port = *m_port.selectedPaths().begin()](const Fabric& fabric) { return disconnect(fabric, port); });
}

void CableTool::startMoving() {
    if (!m_port.selectedCable()) return;
    m_staying = *m_port.selectedPaths().begin();
    emit m_port.changed();
}

void CableTool::goToOtherEnd() {
    const auto link = m_port.selectedCable();
    if (!link) return;
    const bool isLower = portPath(fabric(), *link, true) == *m_port.selectedPaths().begin();
    const DeviceId device = isLower ? fabric().links.b[*link] : fabric().links.a[*link];
    const std::string port = portPath(fabric(), *link, !isLower);
    const std::uint32_t node = m_port.cableIndex().nodeOf(device);
    if (node == none)
        return m_port.refuse(QObject::tr("%1 is inside a folded SU. Unfold it first.").arg(text(fabric().devicePath(device))));
    m_port.centreOn(node, m_port.node(node).rect.width() * view().scale / m_port.size().width());
    m_port.selectPaths({port});
}

std::optional<Tool::Control> CableTool::controlAt(QPointF at) const {
    const std::optional<LinkId> before = m_hovered;
    m_at = at;
    m_thread = m_threads ? m_threads->threadAt(at, view()) : std::nullopt;
    m_hovered = cableAt(at);
    m_of = m_thread ? 1 : cablesAt(at).size();
    if (m_hovered != before) emit m_port.changed();
    const bool isControl = m_hovered || m_ports.farEndAt(at) != none;
    return isControl ? std::optional(Control{Qt::PointingHandCursor, {}}) : std::nullopt;
}

bool CableTool::press(const Press& press) {
    if (press.button != Qt::LeftButton || m_port.isFailing()) return false;
    if (isMoving()) {
        if (press.node < 0) return m_port.refuse(QObject::tr("Click the port or device that the cable should lead to.")), true;
        const std::string to = m_ports.endPath(static_cast<std::size_t>(press.node), m_ports.portAt(press.at));
        work([from = std::exchange(m_staying, {}), to](const Fabric& fabric) { return moveCable(fabric, from, to); });
        return true;
    }
    if (const DeviceId far = m_ports.farEndAt(press.at); far != none) {
        m_port.goTo(far);
        return true;
    }
    const auto link = cableAt(press.at);
    if (link) m_port.selectCable(*link);
    return link.has_value();
}

QStringList CableTool::wordsOf(LinkId link) const {
    const CableFacts facts = factsOf(fabric(), link, *m_port.document().now().cabling);
    QStringList words{facts.upper + QStringLiteral(" – ") + facts.lower};
    QString line = facts.speed;
    if (!facts.rail.isEmpty()) line += QObject::tr(" · rail %1").arg(facts.rail);
    words << QObject::tr("Cable %1 · ").arg(facts.id) + line << facts.length + QStringLiteral(" · ") + facts.part;
    return facts.modules.isEmpty() ? words : words << QObject::tr("Modules: %1").arg(facts.modules);
}

void CableTool::paint(QPainter& painter) {
    if (m_thread && m_threads) m_threads->paintThread(painter, *m_thread, false, scene(), tokens(), view());
    if (const auto link = m_port.selectedCable()) highlight(painter, *link);
    if (m_hovered && !m_thread) highlight(painter, *m_hovered);
    if (isMoving())
        paintTip(painter, tokens(), m_port.area(), QPointF(m_port.area().center().x() - 160, 4),
                 {QObject::tr("Moving the cable of %1. Click where its other end goes; Escape ends it.").arg(text(m_staying))}, false);
    if (!m_hovered) return;
    QStringList words = wordsOf(*m_hovered);
    if (m_of > 1) words << QObject::tr("One of %1 cables; a click selects the next").arg(m_of);
    paintTip(painter, tokens(), m_port.area(), m_at, words, false);
}

// At ports and pairs its own line; where only bundles are drawn, its way inside them.
void CableTool::highlight(QPainter& painter, LinkId link) const {
    outlineEnds(painter, link);
    if (m_ports.paintHighlighted(painter, link)) return;
    if (const auto thread = m_port.selectedCable() == link ? m_own.threadOf(link) : std::nullopt)
        return m_own.paintThread(painter, *thread, true, scene(), tokens(), view());
    for (const SceneCable& cable : scene().cables) {
        if (std::find(cable.of.begin(), cable.of.end(), link) == cable.of.end()) continue;
        const QLineF line(view().toScreen(cable.a), view().toScreen(cable.b));
        painter.setPen(QPen(tokens().select, 7, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(line);
        painter.setPen(QPen(cable.rail > 0 ? tokens().rail(cable.rail, scene().rails) : tokens().neutral, 3, Qt::SolidLine, Qt::FlatCap));
        painter.drawLine(line);
    }
}

void CableTool::outlineEnds(QPainter& painter, LinkId link) const {
    painter.setPen(QPen(tokens().text, 2));
    painter.setBrush(Qt::NoBrush);
    for (const DeviceId device : {fabric().links.a[link], fabric().links.b[link]}) {
        const std::uint32_t node = m_port.cableIndex().nodeOf(device);
        if (node == none) continue;
        const QRectF box = view().toScreen(scene().nodes[node].rect);
        if (m_port.isInSight(box)) painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), 4, 4);
    }
}

} // namespace railyard
