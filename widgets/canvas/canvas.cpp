#include "widgets/canvas/canvas.h"
#include "widgets/canvas/scene/scene_loads.h"

#include "core/base/unit_text.h"
#include "core/fabric/path_finder.h"
#include "widgets/canvas/canvas_accessible.h"
#include "widgets/theme/plain_text.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPaintEvent>
#include <cmath>

namespace railyard {

Canvas::Canvas(Document& document, QWidget* parent)
    : QWidget(parent),
      m_port(document, [this] { return QSizeF(size()); }),
      m_halves(m_port),
      m_ports(m_port),
      m_callouts(m_port, [this](const Callout& callout) { emit calloutWanted(callout); }),
      m_arranging(m_port),
      m_pan(m_port),
      m_minimap(m_port),
      m_fail(m_port, [this](const std::string& path) { emit failAsked(path); }),
      m_chips(m_port, *this),
      m_counts(m_port),
      m_cardTool(m_port),
      m_connect(m_port, m_ports, m_callouts, *this),
      m_cable(m_port, m_ports),
      m_select(m_port, m_callouts, m_arranging),
      m_drop(m_port, m_callouts) {
    static const bool isKnownToReaders = (QAccessible::installFactory(accessibleCanvas), true);
    Q_UNUSED(isKnownToReaders)
    setObjectName(QStringLiteral("canvas"));
    setAccessibleName(tr("Fabric drawing"));
    setAccessibleDescription(tr("Arrow keys select an element, Delete removes it. The Devices table lists the same elements."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    setMinimumSize(320, 240);
    connectViewport();
    takeScene();
}

void Canvas::connectViewport() {
    connect(&m_port, &Viewport::changed, this, [this] { update(); });
    connect(&m_port, &Viewport::pictureChanged, this, [this] { redraw(); });
    connect(&m_port, &Viewport::railChanged, this, [this] { m_tiles.clear(); });
    connect(&m_port, &Viewport::sceneChanged, this, [this] { takeScene(); });
    connect(&m_port, &Viewport::selectionChanged, this, [this] { takeSelection(); });
    connect(&m_port, &Viewport::viewChanged, this, [this] { say(); });
    connect(&m_port, &Viewport::refused, this, &Canvas::refused);
    connect(&m_port, &Viewport::announced, this, &Canvas::announced);
    connect(&m_port, &Viewport::detailChanged, this, &Canvas::detailChanged);
    connect(&m_port, &Viewport::modeChanged, this, [this] {
        if (m_active) m_active->cancel();
        m_active = nullptr;
        m_fail.takeFailed();
        if (!isFailing()) foldAgain();
        setCursor(restingCursor());
        emit connectingChanged(m_port.isConnecting());
    });
    Document& document = m_port.document();
    connect(&document, &Document::backgroundChanged, this, [this] {
        m_halves.take();
        update();
    });
    connect(&document, &Document::impactsChanged, this, [this] {
        m_fail.takeFailed();
        update();
    });
    connect(&document, &Document::failuresChanged, this, [this] {
        if (m_fail.takeFailed() && !isUnfolded() && (scene().foldedSus > 0 || scene().isElided)) {
            m_detailBefore = detail();
            setUnfolded(true); // makes failed elements inside a fold visible
        }
        if (m_port.document().failures().isEmpty()) foldAgain();
        update();
    });
}

// After failures, as the drawing was before them.
void Canvas::foldAgain() {
    const auto before = std::exchange(m_detailBefore, std::nullopt);
    if (before && isUnfolded()) setDetail(*before);
}

// What was pressed, shown or measured belongs to the previous scene.
void Canvas::takeScene() {
    for (Tool* tool : m_tools) tool->cancel();
    m_active = nullptr;
    m_drop.cancel();
    m_affected.clear();
    m_halves.take();
    m_fail.takeFailed();
    takeLoads();
}

void Canvas::takeSelection() {
    constexpr std::size_t mostElements = 64; // for larger selections individual cables are of no interest
    const std::set<std::size_t>& selected = m_port.selected();
    m_ports.mark(m_port.selectedPort());
    m_cable.takeSelection();
    const std::set<int> lit = m_marks.litRails();
    m_marks = !selected.empty() && selected.size() <= mostElements ? SelectionMarks(scene(), m_port.fabric(), m_port.cableIndex(), selected)
                                                                   : SelectionMarks();
    if (std::exchange(m_wasSelectionInPicture, isSelectionInPicture()) || m_wasSelectionInPicture || lit != m_marks.litRails())
        m_picture = QPixmap();
    update();
    emit selectionChanged();
    QAccessibleEvent told(this, QAccessible::SelectionWithin);
    QAccessible::updateAccessibility(&told);
}

void Canvas::redraw() {
    m_picture = QPixmap();
    update();
}

void Canvas::say() {
    const QString ports = m_ports.text(), percent = QString::fromStdString(formatCount(qRound(view().scale * 100)));
    QString text = tr("%1 · %2 %").arg(m_ports.isAtPortLevel() ? tr("Ports") : ScenePainter::levelName(view().scale), percent);
    if (!ports.isEmpty()) return emit said(text + QStringLiteral("  |  ") + ports);
    if (scene().bundledLinks > 0)
        text += tr("  |  %1 links between switches drawn as bundles").arg(QString::fromStdString(formatCount(scene().bundledLinks)));
    if (scene().foldedSus > 0) text += tr(", %1 identical SUs folded").arg(QString::fromStdString(formatCount(scene().foldedSus)));
    emit said(text);
}

void Canvas::fitSelection() {
    QRectF bounds;
    for (const std::size_t n : m_port.selected()) bounds = bounds.united(scene().nodes[n].rect);
    if (bounds.isEmpty()) return fit();
    m_port.fitTo(bounds.adjusted(-30, -30, 30, 30), 6.0);
}

void Canvas::showAffected(const std::vector<std::string>& paths) {
    const std::set<std::string> wanted(paths.begin(), paths.end());
    m_affected.clear();
    for (std::size_t n = 0; !wanted.empty() && n < scene().nodes.size(); ++n)
        if (wanted.contains(m_port.pathOf(n)) && !isSelected(n)) m_affected.insert(n);
    update();
}

// The halves of a bisection, or the bottleneck of a collective.
void Canvas::showFigure(const QString& key) {
    m_halves.show(key);
    const BackgroundMetrics* background = m_port.document().background();
    for (const NamedCollective& named : background ? background->collectives : std::vector<NamedCollective>()) {
        if (!named.result || !key.startsWith(QStringLiteral("collectives.") + QString::fromStdString(named.key()))) continue;
        const PathFinder finder(m_port.fabric());
        for (const CollectivePhase& phase : named.result->best.phases) {
            const std::string path = phase.bottleneck.substr(0, phase.bottleneck.find(':'));
            if (finder.device(path) || finder.scope(path)) return selectPaths({path});
        }
    }
    update();
}

void Canvas::showPort(const std::string& path, int port) {
    m_port.selectPaths({path});
    if (m_port.selected().empty()) return;
    const std::size_t node = *m_port.selected().begin();
    m_port.centreOn(node, 0.86); // ports with their numbers
    m_ports.mark(std::pair(node, port));
    if (const QRectF box = portRect(node, port); !box.isEmpty())
        m_port.reveal(QRectF(view().toWorld(box.topLeft()), view().toWorld(box.bottomRight())));
    update();
}

std::vector<std::size_t> Canvas::nodesInSight() const {
    constexpr std::size_t most = 400;
    std::vector<std::size_t> nodes;
    for (const bool selected : {true, false})
        for (std::size_t n = 0; n < scene().nodes.size() && nodes.size() < most; ++n)
            if (isSelected(n) == selected && m_port.isInSight(view().toScreen(scene().nodes[n].rect))) nodes.push_back(n);
    return nodes;
}

QString Canvas::describe(std::size_t node) const {
    const SceneNode& own = scene().nodes[node];
    const Fabric& fabric = m_port.fabric();
    if (own.shape == Shape::Callout) return QString::fromStdString(m_port.design().callouts[own.callout].text);
    if (own.device == none) return own.shape == Shape::Group ? tr("group") : own.shape == Shape::HbDomain ? tr("HB domain") : tr("server");
    const Part* part = fabric.partOf(own.device);
    QString words = QString::fromStdString(std::string(toText(fabric.devices.tier[own.device])));
    if (own.rail > 0) words += tr(", rail %1").arg(own.rail);
    return part ? words + QStringLiteral(", ") + QString::fromStdString(part->name) : words;
}

void Canvas::selectAll() {
    std::set<std::size_t> all;
    for (std::size_t n = 0; n < scene().nodes.size(); ++n)
        if (m_port.isReachable(scene().nodes[n])) all.insert(n);
    m_port.select(std::move(all));
}

void Canvas::actOnCable(CableAct act) {
    switch (act) {
    case CableAct::Disconnect: return m_cable.disconnectSelected();
    case CableAct::Move: return m_cable.startMoving();
    case CableAct::OtherEnd: return m_cable.goToOtherEnd();
    }
}

void Canvas::addFromPalette(const std::string& name) {
    const QPointF centre = m_port.area().center();
    if (const auto callout = m_callouts.calloutFor(name, centre)) return addCalloutOfSelection(callout->kind);
    m_port.apply(dropNamed(m_port.design(), name, m_drop.placeFor(name, centre)));
}

SavedView Canvas::savedView(const std::string& name) const {
    const QRectF seen = m_port.seen();
    return {name, seen.x(), seen.y(), seen.width(), seen.height(), isUnfolded(), detail() == Detail::Elided};
}

void Canvas::showView(const SavedView& view) {
    setDetail(detailOf(view));
    m_port.show({view.x, view.y, view.width, view.height});
}

void Canvas::showLoads(std::shared_ptr<const std::vector<double>> ofLink) {
    m_loads = std::move(ofLink);
    takeLoads();
    redraw();
}

void Canvas::showTerritories(const Territories& territories) {
    if (territories.isEmpty() && m_territories.isEmpty()) return;
    m_territories = territories;
    redraw();
}

void Canvas::showHops(const Hops& hops) {
    if (m_hops == hops) return;
    m_hops = hops;
    redraw();
}

// The loads of the previous design are dropped; those of the new design arrive later.
void Canvas::takeLoads() {
    m_bundleLoads.clear();
    m_nodeLoads.clear();
    const Fabric& fabric = m_port.fabric();
    if (m_loads && m_loads->size() != fabric.links.size()) m_loads.reset();
    m_ports.showLoads(m_loads);
    if (m_territories.ofScope.size() != fabric.scopes.size()) m_territories = {};
    if (!m_loads) return;
    m_bundleLoads = largestOfBundles(scene(), fabric, *m_loads);
    m_nodeLoads = largestInside(scene(), fabric, *m_loads);
}

void Canvas::resizeEvent(QResizeEvent*) { m_port.takeSize(); }

const SceneBundle* Canvas::bundleAt(QPointF at) const {
    constexpr double reach = 5; // px
    return scene().bundleAt(view().toWorld(at), reach / view().scale);
}

// The SU whose header is here, or the SUs of a fold.
bool Canvas::selectCardAt(QPointF at) {
    const SceneCard* card = m_port.cardAt(at);
    if (!card || card->scope == none || (card->folded <= 1 && !Viewport::isHead(*card, view().toWorld(at)))) return false;
    const std::string first = m_port.fabric().scopePath(card->scope);
    std::set<std::string> paths;
    for (int i = 0; i < card->folded; ++i) paths.insert(first.substr(0, first.rfind('[') + 1) + std::to_string(card->firstSu + i) + "]");
    m_port.selectPaths(std::move(paths));
    return true;
}

// For the element below the pointer, which is selected first; by key for the selection.
void Canvas::contextMenuEvent(QContextMenuEvent* event) {
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Keyboard) {
        QRectF around;
        for (const std::size_t n : m_port.selected()) around = around.united(view().toScreen(scene().nodes[n].rect));
        at = mapToGlobal((around.isEmpty() ? m_port.area().center() : around.topRight() + QPointF(12, 0)).toPoint());
    } else {
        const std::ptrdiff_t node = m_port.nodeAt(event->pos());
        if (const auto cable = m_cable.cableAt(event->pos()); cable && !isFailing())
            m_port.selectCable(*cable);
        else if (const auto port = node < 0 || isFailing() ? std::nullopt : m_ports.portAt(event->pos()))
            m_port.selectPaths({m_ports.endPath(static_cast<std::size_t>(node), port)});
        else if (node < 0 && selectCardAt(event->pos()))
            ;
        else if (const SceneBundle* bundle = node < 0 ? bundleAt(event->pos()) : nullptr)
            return emit bundleMenuAsked(*bundle, at);
        else if (node < 0)
            m_port.select({});
        else if (!isSelected(static_cast<std::size_t>(node)))
            m_port.select({static_cast<std::size_t>(node)});
    }
    emit menuAsked(at);
}

void Canvas::wheelEvent(QWheelEvent* event) {
    event->accept();
    for (Tool* tool : m_tools)
        if (tool->wheel(*event)) return;
    if (event->modifiers() & Qt::ShiftModifier)
        m_port.panBy(QPointF(event->angleDelta().y() + event->angleDelta().x(), 0));
    else
        m_port.zoomAt(event->position(), std::pow(1.0015, event->angleDelta().y()));
}

void Canvas::mousePressEvent(QMouseEvent* event) {
    if (m_active) return; // a second button does not interrupt the current gesture
    const Press press{event->position(), event->button(), event->modifiers(), m_port.nodeAt(event->position())};
    if (m_cable.isMoving() && !m_pan.isHeld() && m_cable.press(press)) return update(); // before a port starts a cable of its own
    for (Tool* tool : m_tools) {
        const quint64 before = sceneNumber();
        if (!tool->press(press)) continue;
        if (sceneNumber() == before) m_active = tool; // otherwise the press has changed the design, and is over
        break;
    }
    if (m_pan.isPanning()) setCursor(Qt::ClosedHandCursor);
    update();
}

void Canvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_active)
        m_active->move(event->position());
    else
        hoverAt(event->position());
    update();
}

void Canvas::hoverAt(QPointF at) {
    m_port.hover(m_port.nodeAt(at));
    std::optional<Tool::Control> control;
    for (const Tool* tool : m_tools)
        if (!control) control = tool->controlAt(at);
    setToolTipOf(*this, control ? control->hint : QString());
    if (!m_port.isConnecting() && !m_pan.isHeld()) setCursor(control ? QCursor(control->cursor) : restingCursor());
}

void Canvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && !m_pan.isPanning()) return;
    if (Tool* tool = std::exchange(m_active, nullptr)) tool->release(event->position(), event->modifiers());
    setCursor(restingCursor());
    update();
}

// Selects the SU of the card, or the block that contains the element.
void Canvas::mouseDoubleClickEvent(QMouseEvent* event) {
    const bool isControl =
        std::any_of(m_tools.begin(), m_tools.end(), [&](const Tool* tool) { return tool->controlAt(event->position()).has_value(); });
    mousePressEvent(event); // a double click also counts as a press
    if (isControl || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) || m_port.isConnecting()) return;
    if (event->button() != Qt::LeftButton) return;
    const std::ptrdiff_t at = m_port.nodeAt(event->position());
    if (at >= 0) {
        const SceneNode& node = m_port.node(static_cast<std::size_t>(at));
        if (!isFailing() && node.shape == Shape::Callout) return emit calloutOpened(static_cast<int>(node.callout));
        const std::string path = m_port.pathOf(node);
        return m_port.selectPaths({path.substr(0, path.rfind('/'))});
    }
    const SceneCard* card = m_port.cardAt(event->position());
    if (card && card->folded <= 1 && card->scope != none) m_port.selectPaths({m_port.fabric().scopePath(card->scope)});
}

void Canvas::stepSelection(int by) {
    const auto count = static_cast<std::ptrdiff_t>(scene().nodes.size());
    if (count == 0) return;
    const std::ptrdiff_t now = m_port.selected().empty() ? (by > 0 ? -1 : 0) : static_cast<std::ptrdiff_t>(*m_port.selected().begin());
    m_port.select({static_cast<std::size_t>((now + by + count) % count)});
}

void Canvas::keyPressEvent(QKeyEvent* event) {
    const bool isNudge = event->modifiers() & Qt::ControlModifier;
    switch (event->key()) {
    case Qt::Key_Space:
        m_pan.hold(true);
        setCursor(restingCursor());
        break;
    case Qt::Key_Left: isNudge ? m_select.nudge({-1, 0}) : stepSelection(-1); break;
    case Qt::Key_Right: isNudge ? m_select.nudge({1, 0}) : stepSelection(1); break;
    case Qt::Key_Up: isNudge ? m_select.nudge({0, -1}) : panBy({0, 60}); break;
    case Qt::Key_Down: isNudge ? m_select.nudge({0, 1}) : panBy({0, -60}); break;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
    case Qt::Key_4: emit scopeAsked(event->key() - Qt::Key_1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto& paths = m_port.selectedPaths(); !paths.empty() && paths.begin()->find('/') != std::string::npos)
            m_port.selectPaths({paths.begin()->substr(0, paths.begin()->rfind('/'))});
        break;
    case Qt::Key_Escape:
        if (m_active) m_active->cancel();
        m_active = nullptr;
        if (m_port.isConnecting()) return m_port.setConnecting(false);
        if (m_cable.isMoving()) return m_cable.cancelMoving(), update();
        if (m_port.selectedPaths().empty() && m_port.highlight().rail == 0 && m_halves.figure().isEmpty())
            return event->ignore(); // nothing to leave here: the window leaves its mode
        highlightRail(0);
        showFigure({});
        m_port.select({});
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void Canvas::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
    m_pan.hold(false);
    setCursor(restingCursor());
}

QCursor Canvas::restingCursor() const {
    return m_pan.isHeld() ? Qt::OpenHandCursor : m_port.isConnecting() ? Qt::CrossCursor : Qt::ArrowCursor;
}

DropReach Canvas::reachOf(Qt::KeyboardModifiers keys) { // Shift too, because window managers may take Alt
    return keys & Qt::ControlModifier                     ? DropReach::One
           : keys & (Qt::AltModifier | Qt::ShiftModifier) ? DropReach::AnyCount
                                                          : DropReach::Recipe;
}

void Canvas::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(paletteMimeType))) dragMoveEvent(event);
}

void Canvas::dragMoveEvent(QDragMoveEvent* event) {
    m_drop.show(event->mimeData()->data(QLatin1String(paletteMimeType)), event->position(), reachOf(event->modifiers()));
    event->acceptProposedAction();
}

void Canvas::dragLeaveEvent(QDragLeaveEvent*) { m_drop.leave(); }

void Canvas::dropEvent(QDropEvent* event) {
    event->acceptProposedAction();
    m_drop.drop(event->mimeData()->data(QLatin1String(paletteMimeType)).toStdString(), event->position(), reachOf(event->modifiers()));
}

QString Canvas::hintAt(QPointF at) const {
    const std::ptrdiff_t index = m_port.nodeAt(at);
    if (index < 0) return {};
    const auto node = static_cast<std::size_t>(index);
    const auto port = m_ports.portAt(at);
    QString words = QString::fromStdString(m_ports.endPath(node, port));
    if (port) words += m_ports.takenPorts(node).contains(*port) ? tr(", in use") : tr(", free (drag to another port to connect)");
    const ScopeId scope = m_port.node(node).scope;
    if (scope != none && !m_territories.isEmpty() && m_territories.ofScope[scope] >= 0)
        words += QStringLiteral(": ") + m_territories.notes[scope];
    return words;
}

bool Canvas::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn) { // the focus ring is only shown for keyboard focus
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        m_focusByKey = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
        update();
    }
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    showToolTip(help->globalPos(), hintAt(help->pos()), this);
    return true;
}

void Canvas::paintPicture() {
    m_picture = QPixmap(size() * devicePixelRatioF());
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&m_picture);
    ScenePainter whole(scene(), m_port.fabric(), m_port.tokens(), view(), m_port.area());
    constexpr std::size_t mostTiles = 20'000; // limits the memory used when many edits are made at one scale
    if (std::exchange(m_tileScale, view().scale) != view().scale || m_tiles.size() > mostTiles) m_tiles.clear();
    whole.copyTiles(m_tiles);
    whole.leaveOut(m_ports.nodesAtPortLevel());
    whole.showInsides(m_port.insides());
    whole.setLayers(m_port.layers());
    whole.highlightRail(m_port.highlight().rail);
    whole.litRails(m_marks.litRails());
    if (m_loads) whole.showLoads(m_bundleLoads, m_nodeLoads, *m_loads);
    if (!m_hops.empty()) whole.showHops(m_hops);
    if (!m_territories.isEmpty()) whole.showTerritories(m_territories);
    whole.paint(painter);
    if (isSelectionInPicture()) whole.selection(painter, {m_port.selected(), -1, 0});
}

void Canvas::paintAffected(QPainter& painter) {
    QPen members(m_port.tokens().select, 1.4, Qt::CustomDashLine);
    members.setDashPattern({3, 3});
    painter.setPen(members);
    painter.setBrush(Qt::NoBrush);
    for (const std::size_t n : m_affected)
        if (const QRectF box = view().toScreen(scene().nodes[n].rect); m_port.isInSight(box))
            painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), 4, 4);
}

void Canvas::paintEvent(QPaintEvent*) {
    if (m_picture.size() != size() * devicePixelRatioF() || m_picture.devicePixelRatio() != devicePixelRatioF()) paintPicture();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isMarked = !m_loads && !isFailing();
    if (isMarked) m_marks.paint(painter, m_port.tokens(), view());
    m_ports.paint(painter);
    m_halves.paint(painter);
    m_fail.paint(painter);
    m_cable.showThreads(isMarked ? &m_marks : nullptr);
    SceneHighlight moving{isSelectionInPicture() ? std::set<std::size_t>() : m_port.selected(), m_port.highlight().hovered, 0};
    m_ports.outlineInstead(painter, moving);
    ScenePainter(scene(), m_port.fabric(), m_port.tokens(), view(), m_port.area()).selection(painter, moving);
    paintAffected(painter);
    for (CanvasPart* part :
         std::initializer_list<CanvasPart*>{&m_cable, &m_chips, &m_counts, &m_select, &m_cardTool, &m_connect, &m_minimap, &m_drop})
        part->paint(painter);
    if (hasFocus() && m_focusByKey && m_port.selected().empty()) {
        painter.setPen(QPen(m_port.tokens().focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_port.area().adjusted(1, 1, -1, -1));
    }
}

} // namespace railyard
