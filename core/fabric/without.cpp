#include "core/fabric/without.h"

namespace railyard {
namespace {

template <class Column>
void keep(Column& column, const std::vector<bool>& gone) {
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
    for (const LinkId l : fabric->links.ids())
        linkGone[l] = marked(links, l) || marked(devices, fabric->links.a[l]) || marked(devices, fabric->links.b[l]);
    By<DeviceId, DeviceId> renumbered(fabric->devices.size(), none);
    DeviceId next(0);
    for (const DeviceId d : fabric->devices.ids()) {
        deviceGone[d] = marked(devices, d);
        if (deviceGone[d]) continue;
        renumbered[d] = next;
        ++next;
        rest->intactDevice.push_back(fabric->intact ? fabric->intactDevice[d] : d);
    }
    rest->intact = fabric->intact ? fabric->intact : fabric; // failures one after another are failures of one intact fabric
    DeviceTable& t = rest->devices;
    keep(t.kind, deviceGone);
    keep(t.tier, deviceGone);
    keep(t.scope, deviceGone);
    keep(t.server, deviceGone);
    keep(t.hbDomain, deviceGone);
    for (auto* column : {&t.index, &t.rail, &t.su, &t.plane}) keep(*column, deviceGone);
    for (auto* column : {&t.slug, &t.part, &t.ports}) keep(*column, deviceGone);
    LinkTable& l = rest->links;
    for (auto* column : {&l.a, &l.b}) keep(*column, linkGone);
    for (auto* column : {&l.aPort, &l.bPort}) keep(*column, linkGone);
    keep(l.tier, linkGone);
    keep(l.speed, linkGone);
    for (auto* column : {&l.a, &l.b})
        for (DeviceId& device : *column) device = renumbered[device];
    return rest;
}

} // namespace railyard
