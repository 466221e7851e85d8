#include "widgets/canvas/tools/arranging.h"

#include "core/fabric/group.h"
#include "widgets/canvas/scene/free_place.h"

#include <algorithm>
#include <cmath>

namespace railyard {

std::vector<std::string> Arranging::paths() const { return {m_port.selectedPaths().begin(), m_port.selectedPaths().end()}; }

void Arranging::copy() {
    auto part = copyElements(design(), paths());
    if (!part) return m_port.refuse(QString::fromStdString(part.error().text));
    m_copied = *part;
    m_copiedBox = boxOfSelection();
}

void Arranging::paste() {
    if (!m_copied) return m_port.refuse(QObject::tr("Nothing has been copied."));
    insertAt(*m_copied, m_copiedBox, {36, 36});
}

void Arranging::duplicate() {
    const auto part = copyElements(design(), paths());
    if (!part) return m_port.refuse(QString::fromStdString(part.error().text));
    insert(**part, {36, 36});
}

void Arranging::insert(const Design& part, Point by) { insertAt(part, boxOfSelection(), {by.x, by.y}); }

QRectF Arranging::boxOfSelection() const {
    QRectF box;
    for (const std::size_t n : m_port.selected())
        if (m_port.node(n).handDrawn) box = box.united(m_port.node(n).rect);
    return box;
}

// The copies as one take the nearest free place.
void Arranging::insertAt(const Design& part, const QRectF& box, QPointF by) {
    const QPointF place = box.isEmpty() ? by : freePlace(scene(), box.center() + by, box.size()) - box.center();
    applyAndSelect(pasteElements(design(), part, {place.x(), place.y()}));
}

// Selects the pasted elements.
void Arranging::applyAndSelect(const Result<Edit>& edit) {
    const BlockPointer before = design().free;
    const std::size_t callouts = design().callouts.size();
    QString reason;
    if (!m_port.document().apply(edit, &reason)) return m_port.refuse(reason);
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
    pathsOf(*design().free, [&](std::string path) {
        if (!known.contains(path)) fresh.push_back(std::move(path));
    });
    for (std::size_t callout = callouts; callout < design().callouts.size(); ++callout) fresh.push_back(calloutPath(callout));
    m_port.selectPaths({fresh.begin(), fresh.end()});
}

void Arranging::group() {
    std::vector<std::string> paths = this->paths(); // a callout cannot be part of a group
    std::erase_if(paths, [this](const std::string& path) { return calloutAt(design(), path).has_value(); });
    applyAndSelect(groupElements(design(), paths));
}

void Arranging::dissolve() {
    if (m_port.selectedPaths().empty()) return m_port.refuse(QObject::tr("Select a group, or an element of the SU to dissolve."));
    const std::string first = *m_port.selectedPaths().begin();
    dissolveBlock(first.substr(0, first.rfind('/'))); // the element itself if no block contains it
}

// The contents of a group stay in place. The contents of a recipe block are placed next to the drawing, in rows.
void Arranging::dissolveBlock(const std::string& path) {
    const double right = scene().bounds.right() + 60;
    Point at{right, scene().cards.empty() ? scene().bounds.top() + 160 : scene().cards.front().rect.top() + 40};
    const auto node = std::find_if(scene().nodes.begin(), scene().nodes.end(),
                                   [&](const SceneNode& each) { return each.shape == Shape::Group && m_port.pathOf(each) == path; });
    if (node != scene().nodes.end()) at = {node->rect.center().x(), node->rect.center().y()};
    applyAndSelect(railyard::dissolve(fabric(), path, at));
}

void Arranging::align(Align how) {
    std::vector<const SceneNode*> nodes;
    for (const std::size_t n : m_port.selected())
        if (scene().nodes[n].handDrawn && scene().nodes[n].shape != Shape::Callout) nodes.push_back(&scene().nodes[n]);
    const bool across = how == Align::Row || how == Align::SpreadAcross, spread = how == Align::SpreadAcross || how == Align::SpreadDown;
    if (nodes.size() < (spread ? 3U : 2U))
        return m_port.refuse(spread ? QObject::tr("Select at least three hand-drawn elements.")
                                    : QObject::tr("Select at least two hand-drawn elements."));
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
        places[m_port.pathOf(*nodes[i])] = at;
    }
    m_port.apply(moveElements(design(), places));
}

} // namespace railyard
