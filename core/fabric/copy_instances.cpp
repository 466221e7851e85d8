#include "core/fabric/copy_instances.h"

#include <algorithm>

namespace railyard {
namespace {

// Repeats a part of a column behind its end in the table.
template <class Column>
void repeat(Column& column, std::size_t begin, std::size_t end, std::size_t copies) {
    auto* to = column.data() + end;
    for (std::size_t i = 0; i < copies; ++i) to = std::copy(column.data() + begin, column.data() + end, to);
}

// The same for indices that move on by `step` with every copy; those from before `first` belong to something outside and stay.
template <class Column>
void repeatMoved(Column& column, std::size_t begin, std::size_t end, std::size_t copies, std::size_t first, std::size_t step) {
    using Id = typename Column::value_type;
    const auto* from = column.data() + begin;
    auto* to = column.data() + end;
    const auto least = static_cast<std::uint32_t>(first);
    for (std::size_t i = 1; i <= copies; ++i) {
        const auto by = static_cast<std::uint32_t>(i * step);
        for (std::size_t at = 0; at < end - begin; ++at, ++to) { // without a branch, several at a time
            const std::uint32_t number = from[at], isMoved = number - least < none - least ? 1 : 0;
            *to = Id(number + by * isMoved);
        }
    }
}

void copyDevices(LinkWriter& write, const TableEnds& begin, const TableEnds& end, std::size_t copies, bool isScalableUnit) {
    DeviceTable& devices = write.fabric.devices; // which has room for all devices of the design
    const std::size_t from = begin.device, to = end.device;
    const auto same = [&](auto&... columns) { (repeat(columns, from, to, copies), ...); };
    same(devices.kind, devices.tier, devices.slug, devices.part, devices.ports, devices.index, devices.rail, devices.plane, write.nextPort,
         write.nextUplink);
    if (!isScalableUnit) same(devices.su);
    repeatMoved(devices.scope, from, to, copies, begin.scope, end.scope - begin.scope);
    repeatMoved(devices.server, from, to, copies, begin.server, end.server - begin.server);
    repeatMoved(devices.hbDomain, from, to, copies, begin.domain, end.domain - begin.domain);
}

void copyLinks(LinkWriter& write, const TableEnds& begin, const TableEnds& end, std::size_t copies) {
    LinkTable& links = write.fabric.links;
    const std::size_t from = begin.link, to = end.link, devices = end.device - begin.device;
    links.resizeUnset(to + copies * (to - from));
    const auto same = [&](auto&... columns) { (repeat(columns, from, to, copies), ...); };
    same(links.aPort, links.bPort, links.tier, links.speed);
    for (auto* column : {&links.a, &links.b}) repeatMoved(*column, from, to, copies, begin.device, devices);
}

// Scopes that lie in `scopes` of the servers or HB domains of the content.
void copyPlaces(std::vector<ScopeId>& places, std::size_t begin, std::size_t end, std::size_t copies, std::size_t firstScope,
                std::size_t scopes) {
    places.resize(end + copies * (end - begin));
    repeatMoved(places, begin, end, copies, firstScope, scopes);
}

} // namespace

TableEnds endsOf(const LinkWriter& write, DeviceId nextDevice) {
    const Fabric& fabric = write.fabric;
    return {nextDevice,    fabric.links.size(), fabric.scopes.size(), fabric.servers.size(), fabric.hbDomains.size(),
            write.steps(), write.omitted()};
}

void copyInstances(LinkWriter& write, const TableEnds& begin, const TableEnds& end, std::size_t copies, std::uint32_t firstIndex,
                   bool isScalableUnit) {
    Fabric& fabric = write.fabric;
    copyDevices(write, begin, end, copies, isScalableUnit);
    if (isScalableUnit)
        for (std::size_t i = 0, size = end.device - begin.device; i < copies; ++i)
            std::fill_n(fabric.devices.su.data() + end.device + i * size, size, firstIndex + static_cast<std::uint32_t>(i));
    copyLinks(write, begin, end, copies);
    const std::size_t scopes = end.scope - begin.scope;
    copyPlaces(fabric.servers, begin.server, end.server, copies, begin.scope, scopes);
    copyPlaces(fabric.hbDomains, begin.domain, end.domain, copies, begin.scope, scopes);
    fabric.serverParts.resize(end.server + copies * (end.server - begin.server));
    repeat(fabric.serverParts, begin.server, end.server, copies);
    fabric.scopes.reserve(end.scope + copies * scopes);
    for (std::size_t i = 1; i <= copies; ++i)
        for (std::size_t each = begin.scope; each < end.scope; ++each) {
            Scope scope = fabric.scopes[each];
            if (each == begin.scope)
                scope.index = firstIndex + static_cast<std::uint32_t>(i - 1);
            else
                scope.parent = ScopeId(scope.parent + i * scopes);
            fabric.scopes.push_back(scope);
        }
    write.takeSteps(copies * (end.steps - begin.steps));
    write.takeOmitted(copies * (end.omitted - begin.omitted));
}

} // namespace railyard
