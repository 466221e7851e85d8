#include "widgets/canvas/tools/cable_tool.h"

#include "core/base/unit_text.h"
#include "core/bill/part_number.h"
#include "core/io/tables/cable_schedule.h"
#include "widgets/canvas/overlays/tip.h"
#include "widgets/theme/text.h"

namespace railyard {

CableTool::CableTool(Viewport& port, const PortsOverlay& ports)
    : Tool(port),
      m_ports(ports),
      m_cablings(
          [this] { return [fabric = m_port.document().now().fabric] { return std::make_shared<const Cabling>(cablingOf(*fabric)); }; },
          [this](std::shared_ptr<const Cabling> found) {
              m_cabling = std::move(found);
              emit m_port.changed();
          }) {}

void CableTool::cancel() {
    m_cables = {};
    m_hovered.reset();
    m_thread.reset();
    m_kept.reset();
    m_cabling.reset();
    m_cablings.drop();
    m_isAsked = false;
}

std::optional<LinkId> CableTool::linkAt(QPointF at) const {
    if (const auto link = m_ports.linkAt(at)) return link;
    return m_port.nodeAt(at) < 0 ? m_cables.linkAt(at, view()) : std::nullopt;
}

// Modules and lengths of all cables are worked out in the background, when the first cable is looked at.
std::optional<Tool::Control> CableTool::controlAt(QPointF at) const {
    const std::optional<LinkId> before = m_hovered;
    m_at = at;
    m_thread = m_threads ? m_threads->threadAt(at, view()) : std::nullopt;
    m_hovered = m_thread ? std::optional(m_thread->link) : linkAt(at);
    if (m_hovered && !std::exchange(m_isAsked, true)) m_cablings.ask();
    if (m_hovered != before) emit m_port.changed();
    const bool isControl = m_hovered || m_ports.farEndAt(at) != none;
    return isControl ? std::optional(Control{Qt::PointingHandCursor, {}}) : std::nullopt;
}

bool CableTool::press(const Press& press) {
    if (press.button != Qt::LeftButton || m_port.isFailing()) return false;
    if (const DeviceId far = m_ports.farEndAt(press.at); far != none) {
        m_port.goTo(far);
        return true;
    }
    const auto thread = m_threads && press.node < 0 ? m_threads->threadAt(press.at, view()) : std::nullopt;
    const auto link = thread ? std::optional(thread->link) : linkAt(press.at);
    if (!link) return false;
    std::set<std::size_t> ends;
    for (const DeviceId device : {fabric().links.a[*link], fabric().links.b[*link]})
        if (const std::uint32_t node = m_port.cableIndex().nodeOf(device); node != none) ends.insert(node);
    m_port.select(std::move(ends));
    m_kept = link; // after the selection, which lets go of the one before
    return true;
}

QStringList CableTool::wordsOf(LinkId link) const {
    const LinkTable& links = fabric().links;
    const auto end = [&](DeviceId device, PortId port) {
        return text(fabric().devicePath(device) + ":" + fabric().portName(device, port, links.tier[link]));
    };
    QStringList words{end(links.b[link], links.bPort[link]) + QStringLiteral(" – ") + end(links.a[link], links.aPort[link])};
    const std::uint32_t rail = std::max(fabric().devices.rail[links.a[link]], fabric().devices.rail[links.b[link]]);
    QString line = text(formatBandwidth(fabric().speedOf(link)));
    if (rail > 0) line += QObject::tr(" · rail %1").arg(rail);
    if (!m_cabling) return words << line;
    const OpticChoice& choice = m_cabling->of(link);
    words << QObject::tr("Cable %1 · ").arg(text(cableId(m_cabling->cable[link]))) + line;
    const QString number = text(partNumberOf(choice.cable, choice.ordered).number);
    const QString name = choice.cableName.empty() ? QObject::tr("no cable in the catalogue fits") : text(choice.cableName);
    words << QObject::tr("%1 m · %2").arg(choice.ordered.value()).arg(number.isEmpty() ? name : number + QStringLiteral(" · ") + name);
    if (!choice.pluggable()) return words;
    const auto module = [](const Part* part) {
        if (!part) return QObject::tr("no module fits");
        const std::string model = partNumberOf(part).number;
        return text(model.empty() ? part->name : model);
    };
    words << (choice.a == choice.b ? QObject::tr("Modules: %1 at both ends").arg(module(choice.a))
                                   : QObject::tr("Modules: %1, %2").arg(module(choice.b), module(choice.a)));
    return words;
}

void CableTool::paint(QPainter& painter) {
    if (m_thread && m_threads) m_threads->paintThread(painter, *m_thread, scene(), tokens(), view());
    for (const auto& link : {m_kept, m_hovered})
        if (link && !m_ports.paintHighlighted(painter, *link)) m_cables.paintHighlighted(painter, *link, tokens(), view());
    if (m_hovered) paintTip(painter, tokens(), m_port.area(), m_at, wordsOf(*m_hovered), false);
}

} // namespace railyard
