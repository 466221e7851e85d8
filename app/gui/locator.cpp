#include "app/gui/locator.h"

#include "core/fabric/path_finder.h"
#include "core/routing/load_summary.h"
#include "core/routing/pair_path.h"
#include "widgets/canvas/canvas.h"
#include "widgets/floor/floor_plan_widget.h"

#include <algorithm>
#include <utility>

namespace railyard {

// A rack is shown in the Floor view, everything else on the drawing.
void Locator::locate(const std::string& path) {
    const auto& racks = m_document.now().floor().racks;
    if (std::any_of(racks.begin(), racks.end(), [&](const Rack& rack) { return rack.name == path; })) {
        emit floorAsked();
        return m_plan.select(path);
    }
    emit drawingAsked();
    const std::string device = path.substr(0, path.find(':'));
    m_canvas.selectPaths({device});
    if (!m_canvas.isAnySelectedSeen()) { // hidden in a fold, or inside a server
        m_canvas.setUnfolded(true);
        m_canvas.selectPaths({device});
        for (std::string above = device; !m_canvas.isAnySelectedSeen() && above.find('/') != std::string::npos;) {
            above.resize(above.rfind('/'));
            m_canvas.selectPaths({above});
        }
    }
    const std::size_t colon = path.find(':');
    const PathFinder finder(*m_document.now().fabric);
    const auto found = colon == std::string::npos ? std::nullopt : finder.device(device);
    const auto port = found ? m_document.now().fabric->portFromName(*found, std::string_view(path).substr(colon + 1)) : std::nullopt;
    if (port && m_canvas.isAnySelectedSeen() && m_canvas.selectedPaths().front() == device)
        return m_canvas.showPort(device, static_cast<int>(*port));
    m_canvas.fitSelection();
}

void Locator::forgetPath() {
    if (!std::exchange(m_isPathShown, false)) return;
    m_canvas.showLoads({});
    emit told({});
}

// The path runs through the degraded fabric; the GPU indices are those of the intact design.
void Locator::showPath(DeviceId from, DeviceId to) {
    const Fabric &fabric = *m_document.now().fabric, &degraded = *m_document.degraded();
    const auto inDegraded = [&](DeviceId gpu) {
        if (&degraded == &fabric) return gpu;
        const auto found = std::lower_bound(degraded.intactDevice.begin(), degraded.intactDevice.end(), gpu);
        return found != degraded.intactDevice.end() && *found == gpu ? DeviceId(found - degraded.intactDevice.begin()) : DeviceId();
    };
    for (const DeviceId gpu : {from, to})
        if (inDegraded(gpu) == none) return emit refused(tr("%1 has failed.").arg(QString::fromStdString(fabric.devicePath(gpu))));
    const auto path = pathBetween(degraded, inDegraded(from), inDegraded(to));
    if (!path) return emit refused(QString::fromStdString(path.error().text));
    emit linksAsked();
    emit drawingAsked();
    const auto holder = [&](DeviceId gpu) {
        const ServerId server = fabric.devices.server[gpu];
        return server == none ? fabric.devicePath(gpu) : fabric.scopePath(fabric.servers[server]);
    };
    m_canvas.setUnfolded(true);
    m_canvas.selectPaths({holder(from), holder(to)});
    m_canvas.showLoads(std::make_shared<const std::vector<double>>(valuesBefore(m_document.failed(), degraded, path->ofLinks)));
    m_isPathShown = true;
    emit told(QString::fromStdString(path->words));
}

} // namespace railyard
