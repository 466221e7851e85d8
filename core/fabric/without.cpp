#include "core/fabric/without.h"

namespace railyard {
namespace {

template <class T>
void keep(std::vector<T>& column, const std::vector<bool>& gone) {
    std::size_t to = 0;
    for (std::size_t from = 0; from < column.size(); ++from)
        if (!gone[from]) column[to++] = column[from];
    column.resize(to);
}

} // namespace

FabricPointer without(const FabricPointer& fabric, const std::vector<bool>& devices, const std::vector<bool>& links) {
    auto rest = std::make_shared<Fabric>(*fabric);
    rest->intactDevice.clear();
    const auto marked = [](const std::vector<bool>& mask, std::size_t at) { return at < mask.size() && mask[at]; };
    std::vector<bool> linkGone(fabric->links.size()), deviceGone(fabric->devices.size());
    for (std::size_t l = 0; l < linkGone.size(); ++l)
        linkGone[l] = marked(links, l) || marked(devices, fabric->links.a[l]) || marked(devices, fabric->links.b[l]);
    std::vector<std::uint32_t> renumbered(fabric->devices.size(), none);
    std::uint32_t next = 0;
    for (std::size_t d = 0; d < deviceGone.size(); ++d) {
        deviceGone[d] = marked(devices, d);
        if (deviceGone[d]) continue;
        renumbered[d] = next++;
        rest->intactDevice.push_back(fabric->intact ? fabric->intactDevice[d] : static_cast<std::uint32_t>(d));
    }
    rest->intact = fabric->intact ? fabric->intact : fabric; // failures one after another are failures of one intact fabric
    DeviceTable& t = rest->devices;
    keep(t.kind, deviceGone);
    keep(t.tier, deviceGone);
    for (auto* column : {&t.scope, &t.index, &t.rail, &t.su, &t.plane, &t.server, &t.hbDomain}) keep(*column, deviceGone);
    for (auto* column : {&t.slug, &t.part, &t.ports}) keep(*column, deviceGone);
    LinkTable& l = rest->links;
    for (auto* column : {&l.a, &l.b, &l.aPort, &l.bPort}) keep(*column, linkGone);
    keep(l.tier, linkGone);
    keep(l.speed, linkGone);
    for (auto* column : {&l.a, &l.b})
        for (std::uint32_t& device : *column) device = renumbered[device];
    return rest;
}

} // namespace railyard
