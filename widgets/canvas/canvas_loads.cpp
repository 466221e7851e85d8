// Colours links by their load.
#include "widgets/canvas/canvas.h"

namespace railyard {

void Canvas::showLoads(std::shared_ptr<const std::vector<double>> ofLink) {
    m_loads = std::move(ofLink);
    takeLoads();
    m_picture = QPixmap();
    update();
}

void Canvas::showTerritories(const Territories& territories) {
    if (territories.isEmpty() && m_territories.isEmpty()) return;
    m_territories = territories;
    m_picture = QPixmap();
    update();
}

void Canvas::showHops(const Hops& hops) {
    if (m_hops == hops) return;
    m_hops = hops;
    m_picture = QPixmap();
    update();
}

// The loads of the previous design are dropped; those of the new design arrive later.
void Canvas::takeLoads() {
    m_bundleLoads.clear();
    m_nodeLoads.clear();
    const Fabric& fabric = *m_document.now().fabric;
    if (m_loads && m_loads->size() != fabric.links.size()) m_loads.reset();
    if (m_territories.ofScope.size() != fabric.scopes.size()) m_territories = {};
    if (!m_loads) return;
    m_bundleLoads = largestOfBundles(m_scene, fabric, *m_loads);
    m_nodeLoads = largestInside(m_scene, fabric, *m_loads);
}

} // namespace railyard
