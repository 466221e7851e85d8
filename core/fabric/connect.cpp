#include "core/fabric/connect.h"

#include "core/fabric/path_finder.h"

#include <fmt/format.h>
#include <unordered_set>

namespace railyard {
namespace {

struct FreePort {
    DeviceId device;
    PortId port;
    Bandwidth speed;
};

std::vector<DeviceId> devicesAt(const Fabric& fabric, const PathFinder& finder, const std::string& path) {
    if (const auto device = finder.device(path)) return {*device};
    std::vector<DeviceId> nics;
    if (const auto scope = finder.scope(path); scope && fabric.scopes[*scope].role == Instance::Role::Server) {
        const auto [first, last] = finder.devicesOf(*scope);
        for (DeviceId d = first; d < last; ++d)
            if (fabric.devices.isNic(d)) nics.push_back(d);
    }
    return nics;
}

// Ports that hold a cable, or were just taken.
class TakenPorts {
public:
    explicit TakenPorts(const Fabric& fabric) {
        m_taken.reserve(fabric.links.size());
        for (const LinkId l : fabric.links.ids()) {
            if (!fabric.isNetworkLink(l)) continue;
            take(fabric.links.a[l], fabric.links.aPort[l]);
            take(fabric.links.b[l], fabric.links.bPort[l]);
        }
    }
    void take(DeviceId device, PortId port) { m_taken.insert(std::uint64_t{device} << 32 | port); }
    bool has(DeviceId device, PortId port) const { return m_taken.contains(std::uint64_t{device} << 32 | port); }

private:
    std::unordered_set<std::uint64_t> m_taken;
};

std::vector<FreePort> freePorts(const Fabric& fabric, const TakenPorts& taken, const std::vector<DeviceId>& devices) {
    std::vector<FreePort> ports;
    for (const DeviceId device : devices) {
        PortId port(0);
        for (const PortGroup& group : fabric.portLayouts[fabric.devices.ports[device]])
            for (int i = 0; i < group.count; ++i)
                if (!taken.has(device, ++port)) ports.push_back({device, port, group.speed});
    }
    return ports;
}

struct End {
    std::vector<FreePort> ports;
    std::string path;
};

Result<End> endAt(const Fabric& fabric, const PathFinder& finder, const TakenPorts& taken, const std::string& text) {
    const std::size_t colon = text.rfind(':');
    const std::string path = text.substr(0, colon);
    const std::vector<DeviceId> devices = devicesAt(fabric, finder, path);
    if (devices.empty())
        return Error::unbuildable(fmt::format("{} is not a switch, NIC or server, so a cable cannot be connected to it.", path));
    End end{freePorts(fabric, taken, devices), path};
    if (colon != std::string::npos) {
        const auto wanted = finder.port(text);
        if (!wanted) return Error::unbuildable(fmt::format("{} has no port {}.", path, text.substr(colon + 1)));
        std::erase_if(end.ports, [&](const FreePort& port) { return port.port != wanted->second; });
        if (end.ports.empty()) return Error::unbuildable(fmt::format("Port {} is in use. Choose a free port.", text));
    }
    if (end.ports.empty())
        return Error::unbuildable(fmt::format("{} has no free ports. Delete a cable, or use a switch with more ports.", path));
    return end;
}

std::string portPath(const Fabric& fabric, const FreePort& port) {
    return fabric.devicePath(port.device) + ":" + fabric.portName(port.device, port.port, LinkTier::LeafSpine);
}

} // namespace

namespace {

using Ends = std::vector<End>;

Result<Ends> endsAt(const Fabric& fabric, const PathFinder& finder, const TakenPorts& taken, const std::vector<std::string>& paths) {
    Ends ends;
    for (const std::string& path : paths) {
        auto end = endAt(fabric, finder, taken, path);
        if (!end) return end.errors();
        ends.push_back(std::move(*end));
    }
    return ends;
}

// Takes the first ports of one speed that both ends have left; an element may stand on both sides.
std::optional<FreeLink> takePorts(const Fabric& fabric, const End& a, const End& b, TakenPorts& taken) {
    for (const FreePort& x : a.ports) {
        if (taken.has(x.device, x.port)) continue;
        for (const FreePort& y : b.ports) {
            if (x.speed != y.speed || x.device == y.device || taken.has(y.device, y.port)) continue;
            taken.take(x.device, x.port);
            taken.take(y.device, y.port);
            return FreeLink{portPath(fabric, x), portPath(fabric, y)};
        }
    }
    return {};
}

} // namespace

namespace {

// The cables of all NICs of these servers, to the switch of their rail.
Result<std::vector<FreeLink>> railByRail(const Fabric& fabric, const Ends& servers, const Ends& switches, TakenPorts& taken) {
    std::vector<FreeLink> links;
    for (const End& server : servers)
        for (const FreePort& port : server.ports) {
            if (!fabric.devices.isNic(port.device))
                return Error::unbuildable(fmt::format("{} has no NICs, so it cannot be connected rail by rail.", server.path));
            const End& end = switches[(fabric.devices.index[port.device] - 1) % switches.size()];
            const auto link = takePorts(fabric, {{port}, server.path}, end, taken);
            if (!link)
                return Error::unbuildable(fmt::format("{} has no free port for NIC {} of {}, at {:g} Gb/s. No cable was drawn.", end.path,
                                                      fabric.devices.index[port.device], server.path, inGbps(port.speed)));
            links.push_back(*link);
        }
    return links;
}

} // namespace

Result<Edit> connectGroups(const Fabric& fabric, const std::vector<std::string>& as, const std::vector<std::string>& bs,
                           GroupPattern pattern) {
    constexpr std::size_t most = 10'000; // drawn by hand; more is a recipe
    if (as.empty() || bs.empty()) return Error::unbuildable("A cable needs two ends.");
    if (pattern == GroupPattern::OneToOne && as.size() != bs.size())
        return Error::unbuildable(
            fmt::format("A one-to-one connection needs groups of equal size; these have {} and {} elements.", as.size(), bs.size()));
    const std::size_t wanted = pattern == GroupPattern::EachToEach ? as.size() * bs.size() : as.size();
    if (wanted > most) return Error::unbuildable(fmt::format("This would draw {} cables; the maximum is {}.", wanted, most));
    const PathFinder finder(fabric);
    TakenPorts taken(fabric);
    const auto from = endsAt(fabric, finder, taken, as), to = endsAt(fabric, finder, taken, bs);
    if (!from) return from.errors();
    if (!to) return to.errors();
    Design next = *fabric.design;
    Block free = *next.free;
    if (pattern == GroupPattern::RailByRail) {
        const auto links = railByRail(fabric, *from, *to, taken);
        if (!links) return links.errors();
        if (links->size() > most)
            return Error::unbuildable(fmt::format("This would draw {} cables; the maximum is {}.", links->size(), most));
        free.links.insert(free.links.end(), links->begin(), links->end());
        next.free = shared(std::move(free));
        return Edit{std::make_shared<const Design>(std::move(next)),
                    fmt::format("Connect all NICs of {} to {}, rail by rail ({} cables)",
                                as.size() == 1 ? as[0] : fmt::format("{} servers", as.size()),
                                bs.size() == 1 ? bs[0] : fmt::format("{} switches", bs.size()), links->size())};
    }
    std::size_t done = 0;
    for (std::size_t i = 0; i < from->size(); ++i)
        for (std::size_t j = 0; j < to->size(); ++j) {
            if (pattern == GroupPattern::OneToOne && i != j) continue;
            const auto link = takePorts(fabric, (*from)[i], (*to)[j], taken);
            if (!link)
                return Error::unbuildable(
                    fmt::format("{} and {} have no free ports of the same speed after {} of {} cables. No cable was drawn.", as[i], bs[j],
                                done, wanted));
            free.links.push_back(*link);
            ++done;
        }
    next.free = shared(std::move(free));
    return Edit{std::make_shared<const Design>(std::move(next)),
                wanted == 1 ? fmt::format("Connect {} – {}", as[0], bs[0])
                            : fmt::format("Connect {} to {} ({} cables)", as.size() == 1 ? as[0] : fmt::format("{} elements", as.size()),
                                          bs.size() == 1 ? bs[0] : fmt::format("{} elements", bs.size()), wanted)};
}

Result<Edit> connect(const Fabric& fabric, const std::string& a, const std::string& b) {
    const PathFinder finder(fabric);
    const TakenPorts taken(fabric);
    auto from = endAt(fabric, finder, taken, a);
    if (!from) return from.errors();
    auto to = endAt(fabric, finder, taken, b);
    if (!to) return to.errors();
    if (from->path == to->path) return Error::unbuildable("A cable needs two different ends.");
    for (const FreePort& x : from->ports)
        for (const FreePort& y : to->ports)
            if (x.speed == y.speed && x.device != y.device) return addLink(*fabric.design, {portPath(fabric, x), portPath(fabric, y)});
    return Error::unbuildable(fmt::format("Port speeds differ: the free ports of {} run at {:g} Gb/s, those of {} at {:g} Gb/s.",
                                          from->path, inGbps(from->ports[0].speed), to->path, inGbps(to->ports[0].speed)));
}

} // namespace railyard
