#include "widgets/canvas/canvas.h"

#include "core/base/unit_text.h"
#include "core/fabric/connect.h"
#include "core/fabric/path_finder.h"
#include "widgets/canvas/canvas_accessible.h"
#include "widgets/canvas/scene/scene_builder.h"
#include "widgets/theme/plain_text.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QPaintEvent>
#include <QTextDocument>
#include <QWheelEvent>

namespace railyard {

Canvas::Canvas(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_tokens(lightTokens()),
      m_preview(document, [this] { update(); }) {
    static const bool isKnownToReaders = (QAccessible::installFactory(accessibleCanvas), true);
    Q_UNUSED(isKnownToReaders)
    setObjectName(QStringLiteral("canvas"));
    setAccessibleName(tr("Fabric drawing"));
    setAccessibleDescription(tr("Arrow keys select an element, Delete removes it. The Devices table lists the same elements."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    setMinimumSize(320, 240);
    connect(&document, &Document::changed, this, [this] { rebuild(); });
    connect(&document, &Document::backgroundChanged, this, [this] {
        if (m_figure.isEmpty()) return;
        takeHalves();
        update();
    });
    connect(&document, &Document::failuresChanged, this, [this] {
        if (takeFailed() && !isUnfolded() && (m_scene.foldedSus > 0 || m_scene.isElided))
            setUnfolded(true); // makes failed elements inside a fold visible
        update();
    });
    rebuild();
}

void Canvas::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    m_picture = m_overview = QPixmap();
    m_tiles.clear();
    update();
}

std::string Canvas::pathOf(const SceneNode& node) const {
    const Fabric& fabric = *m_document.now().fabric;
    if (node.shape == Shape::Callout) return calloutPath(node.callout);
    return node.device != none ? fabric.devicePath(node.device) : fabric.scopePath(node.scope);
}

// Callouts on a hidden layer do not react to the mouse.
bool Canvas::isShown(const SceneNode& node) const {
    return node.shape != Shape::Callout || (m_layers >> static_cast<unsigned>(Layer::Callouts) & 1U) != 0;
}

void Canvas::rebuild() {
    // Callout paths are indices, which shift when a callout is added or removed.
    if (m_scene.callouts.size() != m_document.now().design->callouts.size())
        std::erase_if(m_selected, [](const std::string& path) { return path.starts_with("callout["); });
    m_scene = buildScene(*m_document.now().fabric, m_detail);
    ++m_sceneNumber;
    const int rail = m_highlight.rail;
    m_highlight = {};
    m_highlight.rail = rail <= m_scene.rails ? rail : 0;
    if (m_highlight.rail != rail) m_tiles.clear();
    m_affected.clear();
    m_cableIndex.reset();
    m_gesture = Gesture::None; // the dragged element belongs to the previous scene
    m_pressedPort.reset();
    m_pressedNode = -1;
    m_countSteps = 0;
    m_preview.clear();
    std::set<std::string> left;
    if (!m_selected.empty())
        for (std::size_t n = 0; n < m_scene.nodes.size(); ++n)
            if (m_selected.contains(pathOf(m_scene.nodes[n]))) m_highlight.selected.insert(n);
    if (!m_selected.empty()) {
        const PathFinder finder(*m_document.now().fabric); // elements hidden in a fold stay selected, removed elements do not
        for (const std::string& path : m_selected)
            if (finder.device(path) || finder.scope(path) || calloutAt(*m_document.now().design, path)) left.insert(path);
    }
    m_selected = std::move(left);
    m_picture = m_overview = QPixmap();
    takeCables();
    takeHalves();
    takeFailed();
    takeLoads();
    if (m_fitted) fit();
    update();
    say();
    emit selectionChanged();
    QAccessibleEvent told(this, QAccessible::SelectionWithin);
    QAccessible::updateAccessibility(&told);
}

const CableIndex& Canvas::cableIndex() {
    if (!m_cableIndex) m_cableIndex.emplace(m_scene, *m_document.now().fabric);
    return *m_cableIndex;
}

void Canvas::takeCables() {
    constexpr std::size_t mostElements = 64; // for larger selections individual cables are of no interest
    const bool few = m_highlight.selected.size() <= mostElements;
    m_cables = few && !m_highlight.selected.empty() ? LinkOverlay(m_scene, *m_document.now().fabric, cableIndex(), m_highlight.selected)
                                                    : LinkOverlay();
}

// When zoomed in far enough, the individual cables of the visible elements replace the bundles.
LinkOverlay Canvas::cablesFromCloseBy() {
    constexpr double closeBy = 2.4;
    constexpr std::size_t mostNodes = 96;
    const bool hostLinks = (m_layers >> static_cast<unsigned>(Layer::HostLinks) & 1U) != 0;
    if (m_view.scale < closeBy || !m_highlight.selected.empty() || !hostLinks) return {};
    std::set<std::size_t> seen;
    const QRectF screen(rect());
    for (std::size_t n = 0; n < m_scene.nodes.size() && seen.size() <= mostNodes; ++n)
        if (m_view.toScreen(m_scene.nodes[n].rect).intersects(screen)) seen.insert(n);
    return seen.size() > mostNodes ? LinkOverlay() : LinkOverlay(m_scene, *m_document.now().fabric, cableIndex(), seen);
}

void Canvas::say() {
    QString text = tr("%1 · %2 %").arg(ScenePainter::levelName(m_view.scale)).arg(qRound(m_view.scale * 100));
    if (m_isSingle) text += tr("  |  individual cables");
    if (m_scene.bundledLinks > 0 && !m_isSingle)
        text += tr("  |  %1 links between switches drawn as bundles").arg(QString::fromStdString(formatCount(m_scene.bundledLinks)));
    if (m_scene.foldedSus > 0) text += tr(", %1 identical SUs folded").arg(m_scene.foldedSus);
    emit said(text);
}

void Canvas::fit() {
    m_view = ViewState::fitting(m_scene.bounds, QRectF(rect()).adjusted(8, 8, -8, -8));
    m_fitted = true;
    m_picture = QPixmap();
    update();
    say();
}

void Canvas::fitSelection() {
    QRectF bounds;
    for (const std::size_t n : m_highlight.selected) bounds = bounds.united(m_scene.nodes[n].rect);
    if (bounds.isEmpty()) return fit();
    m_view = ViewState::fitting(bounds.adjusted(-30, -30, 30, 30), QRectF(rect()));
    m_view.scale = std::min(m_view.scale, 6.0);
    m_view.offset = QRectF(rect()).center() - bounds.center() * m_view.scale;
    m_fitted = false;
    m_picture = QPixmap();
    update();
    say();
}

void Canvas::zoomBy(double factor) {
    const QPointF centre = QRectF(rect()).center(), world = m_view.toWorld(centre);
    m_view.scale = std::clamp(m_view.scale * factor, 0.01, 12.0);
    m_view.offset = centre - world * m_view.scale;
    m_fitted = false;
    m_picture = QPixmap();
    update();
    say();
}

void Canvas::panBy(QPointF screen) {
    m_view.offset += screen;
    m_fitted = false;
    m_picture = QPixmap();
    update();
}

// The elided style is a different drawing, so the view is fitted to it.
void Canvas::setDetail(Detail detail) {
    if (m_detail == detail) return;
    m_fitted = m_fitted || (detail == Detail::Elided) != (m_detail == Detail::Elided);
    m_detail = detail;
    rebuild();
    emit detailChanged(detail);
}

std::vector<std::string> Canvas::selectedPaths() const { return {m_selected.begin(), m_selected.end()}; }

void Canvas::selectPaths(const std::vector<std::string>& paths) {
    const std::set<std::string> wanted(paths.begin(), paths.end());
    std::set<std::size_t> nodes;
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n)
        if (wanted.contains(pathOf(m_scene.nodes[n]))) nodes.insert(n);
    m_highlight.selected = std::move(nodes);
    m_selected = wanted;
    m_picture = QPixmap();
    takeCables();
    update();
    emit selectionChanged();
    QAccessibleEvent told(this, QAccessible::SelectionWithin);
    QAccessible::updateAccessibility(&told);
}

void Canvas::showAffected(const std::vector<std::string>& paths) {
    const std::set<std::string> wanted(paths.begin(), paths.end());
    m_affected.clear();
    for (std::size_t n = 0; !wanted.empty() && n < m_scene.nodes.size(); ++n)
        if (wanted.contains(pathOf(m_scene.nodes[n])) && !m_highlight.selected.contains(n)) m_affected.insert(n);
    update();
}

void Canvas::showScopes(const RichText& words) {
    m_scopes = words;
    update();
}

// Draws a chip below the selection, unless the selection is spread too far for one chip.
void Canvas::paintScopes(QPainter& painter) const {
    constexpr std::size_t few = 12;
    if (m_scopes.isEmpty() || m_highlight.selected.empty() || m_highlight.selected.size() > few) return;
    QRectF around;
    for (const std::size_t n : m_highlight.selected) around = around.united(m_view.toScreen(m_scene.nodes[n].rect));
    QTextDocument words;
    words.setDefaultFont(fontFor(TextRole::Caption));
    words.setDefaultStyleSheet(QStringLiteral("body { color: %1 }").arg(m_tokens.text.name()));
    words.setDocumentMargin(0);
    setRichText(words, RichText::filled(QStringLiteral("<body>%1</body>"), m_scopes));
    const QSizeF size = words.size() + QSizeF(16, 8);
    QRectF chip(QPointF(around.center().x() - size.width() / 2, around.bottom() + 8), size);
    chip.moveLeft(std::clamp(chip.left(), 6.0, std::max(6.0, width() - size.width() - 6)));
    if (chip.bottom() > height() - 6) chip.moveBottom(around.top() - 8);
    if (!QRectF(rect()).contains(chip)) return;
    painter.setPen(QPen(m_tokens.select, 1));
    painter.setBrush(m_tokens.card);
    painter.drawRoundedRect(chip, chip.height() / 2, chip.height() / 2);
    painter.save();
    painter.translate(chip.topLeft() + QPointF(8, 4));
    words.drawContents(&painter);
    painter.restore();
}

void Canvas::setSelection(std::set<std::size_t> nodes) {
    const bool wasInPicture = isSelectionInPicture();
    m_highlight.selected = std::move(nodes);
    m_selected.clear();
    for (const std::size_t n : m_highlight.selected) m_selected.insert(pathOf(m_scene.nodes[n]));
    if (wasInPicture || isSelectionInPicture()) m_picture = QPixmap();
    takeCables();
    update();
    emit selectionChanged();
    QAccessibleEvent told(this, QAccessible::SelectionWithin);
    QAccessible::updateAccessibility(&told);
}

std::vector<std::size_t> Canvas::nodesInSight() const {
    constexpr std::size_t most = 400;
    std::vector<std::size_t> nodes;
    const QRectF screen(rect());
    for (const bool selected : {true, false})
        for (std::size_t n = 0; n < m_scene.nodes.size() && nodes.size() < most; ++n)
            if (isSelected(n) == selected && m_view.toScreen(m_scene.nodes[n].rect).intersects(screen)) nodes.push_back(n);
    return nodes;
}

QString Canvas::nameOf(std::size_t node) const { return QString::fromStdString(pathOf(m_scene.nodes[node])); }

QString Canvas::describe(std::size_t node) const {
    const SceneNode& own = m_scene.nodes[node];
    const Fabric& fabric = *m_document.now().fabric;
    if (own.shape == Shape::Callout) return QString::fromStdString(m_document.now().design->callouts[own.callout].text);
    if (own.device == none) return own.shape == Shape::Group ? tr("group") : own.shape == Shape::HbDomain ? tr("HB domain") : tr("server");
    const Part* part = fabric.partOf(own.device);
    QString words = QString::fromStdString(std::string(toText(fabric.devices.tier[own.device])));
    if (own.rail > 0) words += tr(", rail %1").arg(own.rail);
    return part ? words + QStringLiteral(", ") + QString::fromStdString(part->name) : words;
}

void Canvas::selectAll() {
    std::set<std::size_t> all;
    for (std::size_t n = 0; n < m_scene.nodes.size(); ++n)
        if (isShown(m_scene.nodes[n])) all.insert(n);
    setSelection(std::move(all));
}

void Canvas::addFromPalette(const std::string& name) {
    if (const auto callout = calloutFor(name, QRectF(rect()).center())) return addCalloutOfSelection(callout->kind);
    const QPointF world = m_view.toWorld(QRectF(rect()).center());
    QString reason;
    if (!m_document.apply(dropNamed(*m_document.now().design, name, {world.x(), world.y()}), &reason)) emit refused(reason);
}

SavedView Canvas::savedView(const std::string& name) const {
    const QRectF seen(m_view.toWorld(QPointF(0, 0)), m_view.toWorld(QPointF(width(), height())));
    return {name, seen.x(), seen.y(), seen.width(), seen.height(), isUnfolded(), m_detail == Detail::Elided};
}

void Canvas::showView(const SavedView& view) {
    setDetail(detailOf(view));
    const QRectF area(view.x, view.y, view.width, view.height);
    m_view.scale = std::clamp(std::min(width() / area.width(), height() / area.height()), 0.01, 12.0);
    m_view.offset = QRectF(rect()).center() - area.center() * m_view.scale;
    m_fitted = false;
    m_picture = QPixmap();
    update();
    say();
}

void Canvas::setLayer(Layer layer, bool shown) {
    const unsigned bit = 1U << static_cast<unsigned>(layer);
    m_layers = shown ? m_layers | bit : m_layers & ~bit;
    m_picture = QPixmap();
    update();
}

void Canvas::highlightRail(int rail) {
    if (m_highlight.rail == rail) return;
    m_highlight.rail = rail;
    m_tiles.clear();
    m_picture = QPixmap();
    update();
}

void Canvas::setConnecting(bool on) {
    m_connecting = on;
    setCursor(on ? Qt::CrossCursor : Qt::ArrowCursor);
}

void Canvas::resizeEvent(QResizeEvent*) {
    m_picture = QPixmap();
    if (m_fitted) fit();
}

void Canvas::wheelEvent(QWheelEvent* event) {
    const QPointF at = event->position(), world = m_view.toWorld(at);
    event->accept();
    const std::vector<Chip> all = chips();
    if (const Chip* chip = chipAt(all, at)) {
        constexpr int notch = 120;
        m_wheelTurned += event->angleDelta().y();
        const int steps = m_wheelTurned / notch;
        m_wheelTurned -= steps * notch;
        if (steps != 0) turn(*chip, steps > 0 ? 1 : -1);
        return;
    }
    if (event->modifiers() & Qt::ShiftModifier) {
        m_view.offset += QPointF(event->angleDelta().y() + event->angleDelta().x(), 0);
    } else {
        m_view.scale = std::clamp(m_view.scale * std::pow(1.0015, event->angleDelta().y()), 0.01, 12.0);
        m_view.offset = at - world * m_view.scale;
    }
    m_fitted = false;
    m_picture = QPixmap();
    update();
    say();
}

std::ptrdiff_t Canvas::nodeAt(QPointF screen) const {
    const SceneNode* node = m_scene.nodeAt(m_view.toWorld(screen), [this](const SceneNode& each) { return isShown(each); });
    return node ? node - m_scene.nodes.data() : -1;
}

void Canvas::paintEvent(QPaintEvent*) {
    if (m_picture.size() != size() * devicePixelRatioF() || m_picture.devicePixelRatio() != devicePixelRatioF()) {
        m_picture = QPixmap(size() * devicePixelRatioF());
        m_picture.setDevicePixelRatio(devicePixelRatioF());
        QPainter painter(&m_picture);
        ScenePainter scene(m_scene, *m_document.now().fabric, m_tokens, m_view, QRectF(rect()));
        constexpr std::size_t mostTiles = 20'000; // limits the memory used when many edits are made at one scale
        if (std::exchange(m_tileScale, m_view.scale) != m_view.scale || m_tiles.size() > mostTiles) m_tiles.clear();
        scene.copyTiles(m_tiles);
        const LinkOverlay near = cablesFromCloseBy();
        const unsigned bundled = 1U << static_cast<unsigned>(Layer::HostLinks) | 1U << static_cast<unsigned>(Layer::RailLinks);
        scene.setLayers(near.isWhole() ? m_layers & ~bundled : m_layers);
        scene.highlightRail(m_highlight.rail);
        if (m_loads) scene.showLoads(m_bundleLoads, m_nodeLoads, *m_loads);
        if (!m_hops.empty()) scene.showHops(m_hops);
        if (!m_territories.isEmpty()) scene.showTerritories(m_territories);
        scene.paint(painter);
        if (near.isWhole()) near.paint(painter, m_tokens, m_view, false, m_loads.get());
        if (std::exchange(m_isSingle, near.isWhole()) != m_isSingle)
            QMetaObject::invokeMethod(
                this, [this] { say(); }, Qt::QueuedConnection);
        if (isSelectionInPicture()) scene.selection(painter, {m_highlight.selected, -1, 0});
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPorts(painter);
    paintHalves(painter);
    paintFailed(painter);
    m_cables.paint(painter, m_tokens, m_view, true, m_loads.get());
    const SceneHighlight moving{isSelectionInPicture() ? std::set<std::size_t>() : m_highlight.selected, m_highlight.hovered, 0};
    ScenePainter(m_scene, *m_document.now().fabric, m_tokens, m_view, QRectF(rect())).selection(painter, moving);
    QPen members(m_tokens.select, 1.4, Qt::CustomDashLine);
    members.setDashPattern({3, 3});
    painter.setPen(members);
    painter.setBrush(Qt::NoBrush);
    for (const std::size_t n : m_affected)
        if (const QRectF rect = m_view.toScreen(m_scene.nodes[n].rect); rect.intersects(QRectF(this->rect())))
            painter.drawRoundedRect(rect.adjusted(-3, -3, 3, 3), 4, 4);
    if (!m_failing && m_gesture == Gesture::None) paintScopes(painter);
    if (!m_failing) paintChips(painter);
    if (!m_failing) paintCount(painter);
    paintGesture(painter);
    paintMinimap(painter);
    paintDropPreview(painter);
    if (hasFocus() && m_focusByKey && m_highlight.selected.empty()) {
        painter.setPen(QPen(m_tokens.focus, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void Canvas::paintGesture(QPainter& painter) {
    const QPen dashed(m_tokens.ghost, 1.4, Qt::CustomDashLine);
    QPen pen = dashed;
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (m_gesture == Gesture::Rubber) painter.drawRect(QRectF(m_pressedAt, m_lastAt).normalized());
    if (m_gesture == Gesture::Move) paintMoved(painter);
    if (m_gesture == Gesture::CopyUnit && m_lastAt != m_pressedAt) {
        painter.drawRoundedRect(m_view.toScreen(m_scene.cards[m_pressedCard].rect).translated(m_lastAt - m_pressedAt), 8, 8);
        paintTip(painter, m_lastAt, {tr("Add one SU"), tr("Shift: independent copy outside the recipe")}, false);
    }
    if (m_gesture == Gesture::Connect) {
        painter.drawLine(m_pressedAt, m_lastAt);
        const std::ptrdiff_t target = nodeAt(m_lastAt);
        const bool tying = target >= 0 && m_scene.nodes[static_cast<std::size_t>(m_pressedNode)].shape == Shape::Callout;
        if (target >= 0 && target != m_pressedNode) {
            const auto tried =
                tying ? tieCallout(m_scene.nodes[static_cast<std::size_t>(m_pressedNode)], m_scene.nodes[static_cast<std::size_t>(target)])
                      : railyard::connect(*m_document.now().fabric, endPath(static_cast<std::size_t>(m_pressedNode), m_pressedPort),
                                          endPath(static_cast<std::size_t>(target), portAt(m_lastAt)));
            paintTip(painter, m_lastAt, {QString::fromStdString(tried ? tried->label : tried.error().text)}, !tried);
        }
    }
}

// Only movable elements show a drag preview.
void Canvas::paintMoved(QPainter& painter) const {
    const Snap snapped = snap();
    const QPen ghostPen = painter.pen();
    paintGuides(painter, snapped);
    painter.setPen(ghostPen);
    for (const std::size_t n : m_highlight.selected) {
        const QRectF ghost = m_view.toScreen(m_scene.nodes[n].rect.translated(snapped.by));
        if (m_scene.nodes[n].handDrawn && ghost.intersects(QRectF(rect()))) painter.drawRoundedRect(ghost, 4, 4);
    }
}

void Canvas::paintTip(QPainter& painter, QPointF at, const QStringList& lines, bool refusal) const {
    const QFont font = fontFor(TextRole::Body);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    const double most = std::min(380.0, width() - 40.0);
    double height = 12, widest = 0;
    for (const QString& line : lines) {
        const QRectF box = metrics.boundingRect(QRectF(0, 0, most, 400), Qt::TextWordWrap, line);
        height += box.height() + 2;
        widest = std::max(widest, box.width());
    }
    QRectF box(at + QPointF(18, 18), QSizeF(widest + 24, height));
    if (box.right() > width() - 8) box.moveRight(std::max(box.width(), at.x() - 18));
    if (box.bottom() > this->height() - 8) box.moveBottom(at.y() - 18);
    // The pointer of a drag may be outside.
    box.moveTopLeft({std::clamp(box.left(), 8.0, std::max(8.0, width() - 8 - box.width())),
                     std::clamp(box.top(), 8.0, std::max(8.0, this->height() - 8 - box.height()))});
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, m_tokens.isDark ? 115 : 56));
    painter.drawRoundedRect(box.translated(0, 4), 6, 6);
    painter.setBrush(refusal ? m_tokens.dangerBg : m_tokens.tip);
    painter.setPen(refusal ? QPen(m_tokens.danger, 1.2) : QPen(Qt::NoPen));
    painter.drawRoundedRect(box, 6, 6);
    painter.setPen(refusal ? m_tokens.danger : m_tokens.onTip);
    double y = box.top() + 6;
    for (const QString& line : lines) {
        const QRectF area = metrics.boundingRect(QRectF(0, 0, most, 400), Qt::TextWordWrap, line);
        painter.drawText(QRectF(box.left() + 12, y, area.width() + 4, area.height()), Qt::TextWordWrap, line);
        y += area.height() + 2;
    }
}

void Canvas::paintDropPreview(QPainter& painter) {
    if (m_dropItem.isEmpty()) return;
    QPen pen(m_preview.isRefused() ? m_tokens.danger : m_tokens.ghost, 1.6, Qt::CustomDashLine);
    pen.setDashPattern({3, 2.5});
    painter.setPen(pen);
    painter.setBrush(m_preview.isRefused() ? m_tokens.dangerBg : m_tokens.ghostFill);
    painter.drawRoundedRect(QRectF(m_dropAt - QPointF(26, 15), QSizeF(52, 30)), 5, 5);
    painter.setPen(m_preview.isRefused() ? m_tokens.danger : m_tokens.ghost);
    painter.setFont(fontFor(TextRole::Caption));
    painter.drawText(QRectF(m_dropAt - QPointF(40, 15), QSizeF(80, 30)), Qt::AlignCenter,
                     QString::fromLatin1(m_dropItem).section(QStringLiteral("callout-"), -1));
    paintTip(painter, m_dropAt, m_preview.lines(), m_preview.isRefused());
}

bool Canvas::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn) { // the focus ring is only shown for keyboard focus
        const auto reason = static_cast<QFocusEvent*>(event)->reason();
        m_focusByKey = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason;
        update();
    }
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const SceneNode* node = m_scene.nodeAt(m_view.toWorld(help->pos()));
    const auto index = node ? static_cast<std::size_t>(node - m_scene.nodes.data()) : 0;
    const auto port = node ? portAt(help->pos()) : std::nullopt;
    QString words = node ? QString::fromStdString(endPath(index, port)) : QString();
    if (port) words += takenPorts(index).contains(*port) ? tr(", in use") : tr(", free (drag to another port to connect)");
    if (node && node->scope != none && !m_territories.isEmpty() && m_territories.ofScope[node->scope] >= 0)
        words += QStringLiteral(": ") + m_territories.notes[node->scope];
    showToolTip(help->globalPos(), words, this);
    return true;
}

} // namespace railyard
