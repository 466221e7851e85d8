#include "widgets/canvas/viewport/viewport.h"

#include "core/analysis/cable_edits.h"
#include "core/fabric/path_finder.h"
#include "widgets/canvas/scene/scene_measure.h"
#include "widgets/canvas/scene/scene_networks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace railyard {
namespace {

constexpr double smallestScale = 0.01, largestScale = 64;
constexpr double scopeBarHeight = 64; // px, at most

} // namespace

Viewport::Viewport(Document& document, std::function<QSizeF()> size)
    : m_document(document),
      m_tokens(lightTokens()),
      m_findingInsides([this] { return [fabric = m_document.now().fabric] { return std::make_shared<const ServerInsides>(*fabric); }; },
                       [this](std::shared_ptr<const ServerInsides> found) {
                           m_insides = std::move(found);
                           emit pictureChanged();
                       }),
      m_size(std::move(size)) {
    connect(&document, &Document::changed, this, [this] { rebuild(); });
    rebuild();
}

std::string Viewport::pathOf(const SceneNode& node) const {
    if (node.shape == Shape::Callout) return calloutPath(node.callout);
    return node.device != none ? fabric().devicePath(node.device) : fabric().scopePath(node.scope);
}

bool Viewport::isReachable(const SceneNode& node) const { return node.shape != Shape::Callout || isShown(Layer::Callouts); }

bool Viewport::isHead(const SceneCard& card, QPointF world) { return world.y() < card.rect.top() + measure::cardHeader; }

std::ptrdiff_t Viewport::nodeAt(QPointF screen) const {
    const SceneNode* node = m_scene.nodeAt(m_view.toWorld(screen), [this](const SceneNode& each) { return isReachable(each); });
    return node ? node - m_scene.nodes.data() : -1;
}

const CableIndex& Viewport::cableIndex() {
    if (!m_cableIndex) m_cableIndex.emplace(m_scene, fabric());
    return *m_cableIndex;
}

std::shared_ptr<const ServerInsides> Viewport::insides() {
    constexpr double opened = 4.4; // scale from which servers are drawn open
    if (!m_insides && m_view.scale >= opened && !std::exchange(m_areInsidesAsked, true)) m_findingInsides.ask();
    return m_insides;
}

void Viewport::rebuild() {
    // Callout paths are indices, which shift when a callout is added or removed.
    if (m_scene.callouts.size() != design().callouts.size())
        std::erase_if(m_selected, [](const std::string& path) { return path.starts_with("callout["); });
    m_scene = buildScene(fabric(), m_detail);
    addNetworks(m_scene, m_document.now().instant.networks);
    ++m_sceneNumber;
    const int rail = m_highlight.rail;
    m_highlight = {};
    m_highlight.rail = rail <= m_scene.rails ? rail : 0;
    if (m_highlight.rail != rail) emit railChanged();
    m_cableIndex.reset();
    m_insides.reset();
    m_findingInsides.drop();
    m_areInsidesAsked = false;
    takeSelection();
    if (!m_selected.empty()) {
        const PathFinder finder(fabric()); // elements hidden in a fold stay selected, removed elements do not
        std::erase_if(m_selected, [&](const std::string& path) {
            return isPort(path) ? !finder.port(path) : !finder.device(path) && !finder.scope(path) && !calloutAt(design(), path);
        });
    }
    emit sceneChanged();
    if (m_isFitted && !isAllInSight()) m_view = ViewState::fitting(m_scene.bounds, roomForAll());
    emit pictureChanged();
    emit viewChanged();
    emit selectionChanged();
}

// After an edit the drawing stays where it is while it can be seen: it does not jump below the pointer.
bool Viewport::isAllInSight() const {
    constexpr double mostShrunk = 0.6; // of the area; a drawing that has become much smaller is fitted again
    const QRectF box = m_view.toScreen(m_scene.bounds);
    const bool isLarge = box.width() >= mostShrunk * area().width() || box.height() >= mostShrunk * area().height();
    return area().adjusted(2, 2, -2, -2).contains(box) && isLarge;
}

// Where nothing is selected the scope bar is hidden, and its height stays free.
QRectF Viewport::roomForAll() const {
    const double bar = m_selected.empty() && size().height() > 400 ? scopeBarHeight - 8 : 0;
    return area().adjusted(8, 8, -8, -8 - bar);
}

void Viewport::reveal(const QRectF& world) {
    const QRectF box = m_view.toScreen(world), room = area().adjusted(12, 12, -12, -12);
    const auto shift = [](double low, double high, double least, double most) {
        return low < least ? least - low : high > most ? most - high : 0.0;
    };
    const QPointF by(shift(box.left(), box.right(), room.left(), room.right()), shift(box.top(), box.bottom(), room.top(), room.bottom()));
    if (!by.isNull()) panBy(by);
}

void Viewport::takeSelection() {
    m_highlight.selected.clear();
    m_cable = isPortSelected() ? cableAt(fabric(), *m_selected.begin()) : std::nullopt;
    if (m_cable) return;
    std::set<std::string> blocks = m_selected; // those that are not drawn as one node: all that is drawn of them
    for (std::size_t n = 0; !m_selected.empty() && n < m_scene.nodes.size(); ++n)
        if (const std::string path = pathOf(n); m_selected.contains(path)) m_highlight.selected.insert(n), blocks.erase(path);
    const auto isInside = [&](std::string path) {
        while (path.find('/') != std::string::npos)
            if (path.resize(path.rfind('/')); blocks.contains(path)) return true;
        return false;
    };
    for (std::size_t n = 0; !blocks.empty() && n < m_scene.nodes.size(); ++n)
        if (isInside(pathOf(n))) m_highlight.selected.insert(n);
}

bool Viewport::isPortSelected() const { return m_selected.size() == 1 && isPort(*m_selected.begin()); }

std::optional<std::pair<std::size_t, int>> Viewport::selectedPort() {
    if (!isPortSelected()) return {};
    const auto found = PathFinder(fabric()).port(*m_selected.begin());
    const std::uint32_t node = found ? cableIndex().nodeOf(found->first) : NoIndex::number;
    if (node == none || m_scene.nodes[node].device != found->first) return {};
    return std::pair(std::size_t{node}, static_cast<int>(found->second));
}

void Viewport::selectCable(LinkId link) {
    m_highlight.selected.clear();
    m_selected = {cablePath(fabric(), link)};
    m_cable = link;
    emit selectionChanged();
}

void Viewport::select(std::set<std::size_t> nodes) {
    m_highlight.selected = std::move(nodes);
    m_selected.clear();
    m_cable.reset();
    for (const std::size_t n : m_highlight.selected) m_selected.insert(pathOf(n));
    emit selectionChanged();
}

void Viewport::selectPaths(std::set<std::string> paths) {
    m_selected = std::move(paths);
    takeSelection();
    emit selectionChanged();
}

void Viewport::hover(std::ptrdiff_t node) {
    if (std::exchange(m_highlight.hovered, node) != node) emit changed();
}

void Viewport::highlightRail(int rail) {
    if (std::exchange(m_highlight.rail, rail) == rail) return;
    emit railChanged();
    emit pictureChanged();
}

void Viewport::setTokens(const Tokens& tokens) {
    m_tokens = tokens;
    emit railChanged();
    emit pictureChanged();
}

// The scope bar takes its height from the drawing, which stays where it is.
void Viewport::takeSize() {
    const QSizeF before = std::exchange(m_lastSize, size());
    const bool isBar = before.width() == size().width() && std::abs(before.height() - size().height()) <= scopeBarHeight;
    if (m_isFitted && !(isBar && isAllInSight())) return fit();
    emit pictureChanged();
}

void Viewport::setLayer(Layer layer, bool shown) {
    const unsigned bit = 1U << static_cast<unsigned>(layer);
    m_layers = shown ? m_layers | bit : m_layers & ~bit;
    emit pictureChanged();
}

// The elided style is a different drawing, so the view is fitted to it.
void Viewport::setDetail(Detail detail) {
    if (m_detail == detail) return;
    m_isFitted = m_isFitted || (detail == Detail::Elided) != (m_detail == Detail::Elided);
    m_detail = detail;
    rebuild();
    emit detailChanged(detail);
}

void Viewport::setFailing(bool on) {
    m_isFailing = on;
    select({});
    emit modeChanged();
    emit changed();
}

void Viewport::setConnecting(bool on) {
    m_isConnecting = on;
    emit modeChanged();
}

void Viewport::moved() {
    emit pictureChanged();
    emit viewChanged();
}

void Viewport::fit() {
    m_view = ViewState::fitting(m_scene.bounds, roomForAll());
    m_isFitted = true;
    moved();
}

void Viewport::fitTo(const QRectF& world, double mostScale) {
    if (world.isEmpty()) return;
    m_view.scale = std::clamp(std::min(size().width() / world.width(), size().height() / world.height()), smallestScale, mostScale);
    m_view.offset = area().center() - world.center() * m_view.scale;
    m_isFitted = false;
    moved();
}

void Viewport::centreOn(std::size_t node, double part) {
    const QRectF& rect = m_scene.nodes[node].rect;
    m_view.scale = std::clamp(part * size().width() / rect.width(), smallestScale, largestScale);
    constexpr double mostAbove = 234; // px from the upper edge: the ports of a switch and the ends of its cables stay above the minimap
    const QPointF middle(area().center().x(), std::min(area().center().y(), mostAbove));
    m_view.offset = middle - rect.center() * m_view.scale;
    m_isFitted = false;
    moved();
}

void Viewport::goTo(DeviceId device) {
    const std::uint32_t node = cableIndex().nodeOf(device);
    if (node == none)
        return refuse(tr("%1 is inside a folded SU. Unfold it first.").arg(QString::fromStdString(fabric().devicePath(device))));
    select({node});
    centreOn(node, m_scene.nodes[node].rect.width() * m_view.scale / size().width());
}

void Viewport::show(const QRectF& world) {
    m_view.scale = std::clamp(std::min(size().width() / world.width(), size().height() / world.height()), smallestScale, largestScale);
    m_view.offset = area().center() - world.center() * m_view.scale;
    m_isFitted = false;
    moved();
}

void Viewport::panBy(QPointF screen) {
    m_view.offset += screen;
    m_isFitted = false;
    emit pictureChanged();
}

void Viewport::zoomAt(QPointF screen, double factor) {
    const QPointF world = m_view.toWorld(screen);
    m_view.scale = std::clamp(m_view.scale * factor, smallestScale, largestScale);
    m_view.offset = screen - world * m_view.scale;
    m_isFitted = false;
    moved();
}

void Viewport::apply(const Result<Edit>& edit) {
    QString reason;
    if (!m_document.apply(edit, &reason)) emit refused(reason);
}

} // namespace railyard
