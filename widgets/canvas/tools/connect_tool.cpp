#include "widgets/canvas/tools/connect_tool.h"

#include "core/fabric/connect.h"
#include "widgets/canvas/overlays/tip.h"

#include <QLineF>
#include <QMenu>
#include <array>

namespace railyard {

ConnectTool::ConnectTool(Viewport& port, const PortsOverlay& ports, const CalloutPlacing& callouts, QWidget& menuParent)
    : Tool(port),
      m_ports(ports),
      m_callouts(callouts),
      m_menuParent(menuParent),
      m_tried([this] { return tryIt(); }, [this](const Tried& tried) { show(tried); }) {}

// At the pointer and in the side panel.
void ConnectTool::show(const Tried& tried) {
    m_shown = tried;
    emit m_port.announced({tried.words, tried.isRefused, false, {}, {}});
    emit m_port.changed();
}

namespace {

constexpr double connectorRadius = 6.5;

// Right of the middle, 6 px above and 8 px below the shape.
std::array<QPointF, 2> connectorsOf(const QRectF& box) {
    return {QPointF(box.center().x() + 15.5, box.top() - 6), QPointF(box.center().x() + 15.5, box.bottom() + 8)};
}

} // namespace

bool ConnectTool::hasConnectors(std::size_t node) const {
    const SceneNode& own = scene().nodes[node];
    if (!m_ports.rectOf(node, 1).isEmpty()) return false; // its ports can be dragged from
    // Smaller elements are too close together: in a card, the sign would cover the neighbour.
    const bool isInCard = own.device == none && !own.handDrawn;
    const double leastWidth = isInCard ? 31 : 14; // px
    if (own.isTray) return false;                 // flat, and one directly below the other
    return own.shape != Shape::Callout && own.shape != Shape::Group && view().toScreen(own.rect).width() >= leastWidth;
}

std::optional<std::size_t> ConnectTool::connectorAt(QPointF at) const {
    if (m_port.isFailing()) return {};
    for (const QPointF& inward : {QPointF(-15.5, 14), QPointF(-15.5, -16)}) { // from a connector into its element
        const std::ptrdiff_t node = m_port.nodeAt(at + inward);
        if (node < 0 || !hasConnectors(static_cast<std::size_t>(node))) continue;
        for (const QPointF& centre : connectorsOf(view().toScreen(m_port.node(static_cast<std::size_t>(node)).rect)))
            if (QLineF(centre, at).length() <= connectorRadius + 1.5) return static_cast<std::size_t>(node);
    }
    return {};
}

std::optional<Tool::Control> ConnectTool::controlAt(QPointF at) const {
    m_pointer = at;
    if (!connectorAt(at)) return {};
    return Control{Qt::CrossCursor, QObject::tr("Drag to another element to connect it.")};
}

void ConnectTool::paintConnectors(QPainter& painter) const {
    std::optional<std::size_t> node = connectorAt(m_pointer);
    if (!node && m_port.highlight().hovered >= 0) node = static_cast<std::size_t>(m_port.highlight().hovered);
    if (!node || *node >= scene().nodes.size() || !hasConnectors(*node) || m_port.isFailing()) return;
    painter.setPen(QPen(tokens().select, 1.4));
    painter.setBrush(tokens().card);
    for (const QPointF& centre : connectorsOf(view().toScreen(scene().nodes[*node].rect))) {
        painter.drawEllipse(centre, connectorRadius, connectorRadius);
        painter.drawLine(centre - QPointF(3, 0), centre + QPointF(3, 0));
        painter.drawLine(centre - QPointF(0, 3), centre + QPointF(0, 3));
    }
}

bool ConnectTool::press(const Press& press) {
    if (press.button != Qt::LeftButton || m_port.isFailing()) return false;
    if (const auto node = press.isWith(Qt::ControlModifier) ? std::nullopt : connectorAt(press.at)) {
        m_from = static_cast<std::ptrdiff_t>(*node);
        m_fromPort.reset();
        m_pressedAt = m_lastAt = press.at;
        m_isDragging = true;
        aimAt(press.at);
        return true;
    }
    if (press.node < 0) return false;
    m_fromPort = press.isWith(Qt::ControlModifier) ? std::nullopt : m_ports.portAt(press.at);
    if (!m_fromPort && !m_port.isConnecting() && !press.isWith(Qt::AltModifier)) return false;
    m_from = press.node;
    m_pressedAt = m_lastAt = press.at;
    m_isDragging = true;
    if (m_fromPort) m_port.select({static_cast<std::size_t>(m_from)});
    aimAt(press.at);
    return true;
}

void ConnectTool::move(QPointF at) {
    m_lastAt = at;
    aimAt(at);
}

// What a release here would do is worked out in the background: finding ports takes long in a large design.
void ConnectTool::aimAt(QPointF at) {
    const Aim aim{m_port.nodeAt(at), m_ports.portAt(at)};
    if (aim == m_aim) return;
    m_aim = aim;
    m_tried.drop();
    show({});
    if (aim.node < 0 || aim.node == m_from) return;
    if (fromNode().shape == Shape::Callout) {
        const auto tied = m_callouts.tie(fromNode(), m_port.node(static_cast<std::size_t>(aim.node)));
        show({QString::fromStdString(tied ? tied->label : tied.error().text), !tied});
    } else {
        m_tried.ask();
    }
}

std::function<ConnectTool::Tried()> ConnectTool::tryIt() const {
    return [fabric = m_port.document().now().fabric, from = m_ports.endPath(static_cast<std::size_t>(m_from), m_fromPort),
            to = m_ports.endPath(static_cast<std::size_t>(m_aim.node), m_aim.port)] {
        const auto edit = railyard::connect(*fabric, from, to);
        return Tried{QString::fromStdString(edit ? edit->label : edit.error().text), !edit};
    };
}

void ConnectTool::cancel() {
    m_isDragging = false;
    m_from = -1;
    m_fromPort.reset();
    m_aim = {};
    m_tried.drop();
    if (!m_shown.words.isEmpty()) show({});
}

// From the pressed element, or from the selection that contains it, to the target element or to its whole row.
std::vector<ConnectTool::Choice> ConnectTool::choices(std::size_t from, std::size_t to) const {
    const FabricPointer fabric = m_port.document().now().fabric;
    const SceneNode& target = scene().nodes[to];
    const std::vector<std::string> one{m_port.pathOf(from)}, there{m_port.pathOf(target)};
    std::vector<std::string> selected, row;
    if (m_port.selected().contains(from) && !m_port.selected().contains(to))
        for (const std::size_t n : m_port.selected()) selected.push_back(m_port.pathOf(n));
    constexpr std::size_t longestRow = 512;
    for (const SceneNode& node : scene().nodes)
        if (node.shape == target.shape && node.handDrawn == target.handDrawn) {
            const auto n = static_cast<std::size_t>(&node - scene().nodes.data());
            if (n != from && (selected.empty() || !m_port.selected().contains(n))) row.push_back(m_port.pathOf(node));
        }
    const bool several = selected.size() > 1, isRow = row.size() > 1 && row.size() <= longestRow && target.device != none;
    const QString a = QString::fromStdString(one[0]), b = QString::fromStdString(there[0]);
    const auto n = static_cast<int>(selected.size()), m = static_cast<int>(row.size());
    std::vector<Choice> choices{
        {QObject::tr("%1 to %2: 1 cable").arg(a, b), [fabric, one, there] { return railyard::connect(*fabric, one[0], there[0]); }}};
    const auto add = [&](const QString& words, const std::vector<std::string>& as, const std::vector<std::string>& bs, GroupPattern how) {
        choices.push_back({words, [fabric, as, bs, how] { return connectGroups(*fabric, as, bs, how); }});
    };
    if (several) add(QObject::tr("Each of the %1 selected to %2: %1 cables").arg(n).arg(b), selected, there, GroupPattern::EachToEach);
    if (isRow) add(QObject::tr("%1 to each of the %2 like %3: %2 cables").arg(a).arg(m).arg(b), one, row, GroupPattern::EachToEach);
    if (several && isRow)
        add(QObject::tr("Each of the %1 selected to each of the %2: %3 cables").arg(n).arg(m).arg(n * m), selected, row,
            GroupPattern::EachToEach);
    // All NICs of the servers, if the other end is a switch.
    const auto isServer = [](const SceneNode& node) { return node.device == none && node.shape == Shape::Server; };
    const auto isSwitch = [&](const SceneNode& node) { return node.device != none && fabric->devices.routes(node.device); };
    const std::vector<std::string>&own = several ? selected : one, &theirs = isRow ? row : there;
    const auto addRails = [&](const std::vector<std::string>& servers, const std::vector<std::string>& switches) {
        const QString who = servers.size() == 1 ? QString::fromStdString(servers[0]) : QObject::tr("the %1 servers").arg(servers.size());
        const QString where =
            switches.size() == 1 ? QString::fromStdString(switches[0]) : QObject::tr("the %1 switches").arg(switches.size());
        add(QObject::tr("All NICs of %1 to %2, rail by rail").arg(who, where), servers, switches, GroupPattern::RailByRail);
    };
    if (isServer(m_port.node(from)) && isSwitch(target)) addRails(own, theirs);
    if (isSwitch(m_port.node(from)) && isServer(target)) {
        std::vector<std::string> servers; // like the target
        for (const SceneNode& node : scene().nodes)
            if (isServer(node) && node.handDrawn == target.handDrawn && servers.size() < longestRow) servers.push_back(m_port.pathOf(node));
        addRails(servers, own);
    }
    if (several && isRow && n == m) add(QObject::tr("One to one, in order: %1 cables").arg(n), selected, row, GroupPattern::OneToOne);
    return choices;
}

// If there are several choices, a menu opens at the pointer. An impossible choice tells its reason when it is chosen.
void ConnectTool::release(QPointF at, Qt::KeyboardModifiers) {
    const auto from = static_cast<std::size_t>(m_from);
    const std::ptrdiff_t target = m_port.nodeAt(at);
    const auto fromPort = m_fromPort, port = target < 0 ? std::nullopt : m_ports.portAt(at);
    const bool isSamePlace = target == m_from && !(fromPort && port && *port != *fromPort);
    cancel();
    constexpr double leastPort = 9; // px: one that is meant when it is clicked
    if (isSamePlace && fromPort && port && m_ports.rectOf(from, *port).width() >= leastPort)
        return m_port.selectPaths({m_ports.endPath(from, fromPort)});
    if (target < 0 || isSamePlace) return;
    const auto to = static_cast<std::size_t>(target);
    if (m_port.node(from).shape == Shape::Callout) return m_port.apply(m_callouts.tie(m_port.node(from), m_port.node(to)));
    if (fromPort || port) // a single cable between the two ports
        return m_port.apply(railyard::connect(fabric(), m_ports.endPath(from, fromPort), m_ports.endPath(to, port)));
    const std::vector<Choice> all = choices(from, to);
    if (all.size() == 1) return m_port.apply(all[0].edit());
    auto* menu = new QMenu(&m_menuParent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (const Choice& choice : all) {
        QAction* action = menu->addAction(choice.words);
        QObject::connect(action, &QAction::triggered, &m_port, [this, edit = choice.edit] { m_port.apply(edit()); });
    }
    menu->popup(m_menuParent.mapToGlobal(at.toPoint()));
}

void ConnectTool::paint(QPainter& painter) {
    if (m_port.isConnecting() && !m_isDragging)
        paintTip(painter, tokens(), m_port.area(), QPointF(m_port.area().center().x() - 160, 4),
                 {QObject::tr("Connecting. Drag from one element or port to another; Escape ends it.")}, false);
    if (!m_isDragging) return paintConnectors(painter);
    const QColor ink = m_shown.words.isEmpty() ? tokens().ghost : m_shown.isRefused ? tokens().danger : tokens().ok;
    QPen pen(ink, 1.4, Qt::CustomDashLine);
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(m_pressedAt, m_lastAt);
    if (!m_shown.words.isEmpty()) paintTip(painter, tokens(), m_port.area(), m_lastAt, {m_shown.words}, m_shown.isRefused);
}

} // namespace railyard
