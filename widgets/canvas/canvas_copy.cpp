// Copying, grouping and aligning hand-drawn elements.
#include "core/fabric/group.h"
#include "widgets/canvas/canvas.h"

#include <algorithm>

namespace railyard {

void Canvas::copy() {
    auto part = copyElements(*m_document.now().design, selectedPaths());
    if (!part) return emit refused(QString::fromStdString(part.error().text));
    m_copied = *part;
    m_pastes = 0;
}

// Each paste is offset a little further, so that no copy hides another.
void Canvas::paste() {
    if (!m_copied) return emit refused(tr("Nothing has been copied."));
    const double step = 36.0 * ++m_pastes;
    insert(*m_copied, {step, step});
}

void Canvas::duplicate() {
    const auto part = copyElements(*m_document.now().design, selectedPaths());
    if (!part) return emit refused(QString::fromStdString(part.error().text));
    insert(**part, {36, 36});
}

void Canvas::insert(const Design& part, Point by) { applyAndSelect(pasteElements(*m_document.now().design, part, by)); }

// Selects the pasted elements.
void Canvas::applyAndSelect(const Result<Edit>& edit) {
    const BlockPointer before = m_document.now().design->free;
    const std::size_t callouts = m_document.now().design->callouts.size();
    QString reason;
    if (!m_document.apply(edit, &reason)) return emit refused(reason);
    std::set<std::string> known;
    const auto pathsOf = [](const Block& block, const auto& add) {
        const auto each = [&](const auto& rows) {
            for (const auto& row : rows)
                for (int i = 0; i < row.count; ++i) add(row.slug + "[" + std::to_string(row.first + i) + "]");
        };
        each(block.devices);
        each(block.instances);
    };
    pathsOf(*before, [&](std::string path) { known.insert(std::move(path)); });
    std::vector<std::string> fresh;
    pathsOf(*m_document.now().design->free, [&](std::string path) {
        if (!known.contains(path)) fresh.push_back(std::move(path));
    });
    for (std::size_t callout = callouts; callout < m_document.now().design->callouts.size(); ++callout)
        fresh.push_back(calloutPath(callout));
    selectPaths(fresh);
}

void Canvas::group() {
    std::vector<std::string> paths = selectedPaths(); // a callout cannot be part of a group
    std::erase_if(paths, [this](const std::string& path) { return calloutAt(*m_document.now().design, path).has_value(); });
    applyAndSelect(groupElements(*m_document.now().design, paths));
}

void Canvas::dissolve() {
    if (m_selected.empty()) return emit refused(tr("Select a group, or an element of the SU to dissolve."));
    const std::string& first = *m_selected.begin();
    dissolveBlock(first.substr(0, first.rfind('/'))); // the element itself if no block contains it
}

// The contents of a group stay in place. The contents of a recipe block are placed next to the drawing, in rows.
void Canvas::dissolveBlock(const std::string& path) {
    const double right = m_scene.bounds.right() + 60;
    Point at{right, m_scene.cards.empty() ? m_scene.bounds.top() + 160 : m_scene.cards.front().rect.top() + 40};
    const auto node = std::find_if(m_scene.nodes.begin(), m_scene.nodes.end(),
                                   [&](const SceneNode& each) { return each.shape == Shape::Group && pathOf(each) == path; });
    if (node != m_scene.nodes.end()) at = {node->rect.center().x(), node->rect.center().y()};
    applyAndSelect(railyard::dissolve(*m_document.now().fabric, path, at));
}

void Canvas::align(Align how) {
    std::vector<const SceneNode*> nodes;
    for (const std::size_t n : m_highlight.selected)
        if (m_scene.nodes[n].handDrawn && m_scene.nodes[n].shape != Shape::Callout) nodes.push_back(&m_scene.nodes[n]);
    const bool across = how == Align::Row || how == Align::SpreadAcross, spread = how == Align::SpreadAcross || how == Align::SpreadDown;
    if (nodes.size() < (spread ? 3U : 2U))
        return emit refused(spread ? tr("Select at least three hand-drawn elements.") : tr("Select at least two hand-drawn elements."));
    const auto along = [&](const SceneNode* node) { return across ? node->rect.center().x() : node->rect.center().y(); };
    std::sort(nodes.begin(), nodes.end(), [&](const SceneNode* a, const SceneNode* b) { return along(a) < along(b); });
    double mean = 0;
    for (const SceneNode* node : nodes)
        mean += (across ? node->rect.center().y() : node->rect.center().x()) / static_cast<double>(nodes.size());
    const double first = along(nodes.front()), pitch = (along(nodes.back()) - first) / static_cast<double>(nodes.size() - 1);
    std::map<std::string, Point> places;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const QPointF centre = nodes[i]->rect.center();
        const double place = first + pitch * static_cast<double>(i);
        Point at{centre.x(), centre.y()};
        if (spread)
            (across ? at.x : at.y) = place;
        else
            (across ? at.y : at.x) = std::round(mean / 12) * 12;
        places[pathOf(*nodes[i])] = at;
    }
    QString reason;
    if (!m_document.apply(moveElements(*m_document.now().design, places), &reason)) emit refused(reason);
}

} // namespace railyard
