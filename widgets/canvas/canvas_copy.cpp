// Copies, and order among what was drawn by hand.
#include "widgets/canvas/canvas.h"

#include <algorithm>

namespace railyard {

void Canvas::copy() {
    auto part = copyElements(*m_document.now().design, selectedPaths());
    if (!part) return emit refused(QString::fromStdString(part.error().text));
    m_copied = *part;
    m_pastes = 0;
}

// Each paste lands a step further, so that none hides another.
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

// What came in is selected.
void Canvas::insert(const Design& part, Point by) {
    const Block before = *m_document.now().design->free;
    QString reason;
    if (!m_document.apply(pasteElements(*m_document.now().design, part, by), &reason)) return emit refused(reason);
    std::vector<std::string> paths;
    const auto addNew = [&](const auto& rows, std::size_t known) {
        for (std::size_t i = known; i < rows.size(); ++i) paths.push_back(rows[i].slug + "[" + std::to_string(rows[i].first) + "]");
    };
    const Block& now = *m_document.now().design->free;
    addNew(now.devices, before.devices.size());
    addNew(now.instances, before.instances.size());
    selectPaths(paths);
}

void Canvas::align(Align how) {
    std::vector<const SceneNode*> nodes;
    for (const std::size_t n : m_highlight.selected)
        if (m_scene.nodes[n].handDrawn) nodes.push_back(&m_scene.nodes[n]);
    const bool across = how == Align::Row || how == Align::SpreadAcross, spread = how == Align::SpreadAcross || how == Align::SpreadDown;
    if (nodes.size() < (spread ? 3U : 2U))
        return emit refused(spread ? tr("Select three or more elements drawn by hand.") : tr("Select two or more elements drawn by hand."));
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
