#include "core/training/placement.h"

#include "core/collective/communicator/communicator_links.h"

#include <algorithm>
#include <map>
#include <random>

namespace railyard {

std::optional<Placement> placementFrom(std::string_view text) {
    if (text == "packed") return Placement::Packed;
    if (text == "spread") return Placement::Spread;
    if (text == "random") return Placement::Random;
    return {};
}

std::string_view toText(Placement placement) {
    return placement == Placement::Packed ? "packed" : placement == Placement::Spread ? "spread" : "random";
}

std::vector<DeviceId> gpusOf(const Fabric& fabric, Placement placement, std::uint64_t seed) {
    const std::vector<DeviceId> near = gpusInOrder(fabric, RankOrder::Near);
    if (placement == Placement::Packed) return near;
    struct Domain {
        std::vector<DeviceId> gpus;
        std::size_t turn = 0; // how many domains of its SU come before it
    };
    std::vector<Domain> domains;
    std::map<std::uint32_t, std::size_t> ofSu;
    for (const DeviceId gpu : near) {
        const DomainId own = fabric.devices.hbDomain[gpu];
        if (domains.empty() || own == none || fabric.devices.hbDomain[domains.back().gpus.front()] != own)
            domains.push_back({{}, ofSu[fabric.devices.su[gpu]]++});
        domains.back().gpus.push_back(gpu);
    }
    if (placement == Placement::Spread) {
        std::stable_sort(domains.begin(), domains.end(), [](const Domain& a, const Domain& b) { return a.turn < b.turn; });
    } else { // by hand, because the standard library does not say how it shuffles
        std::mt19937_64 random(seed);
        for (std::size_t left = domains.size(); left > 1; --left) std::swap(domains[left - 1], domains[random() % left]);
    }
    std::vector<DeviceId> gpus;
    for (const Domain& domain : domains) gpus.insert(gpus.end(), domain.gpus.begin(), domain.gpus.end());
    return gpus;
}

std::int64_t serversOf(const Fabric& fabric, const std::vector<DeviceId>& gpus, std::int64_t count) {
    By<ServerId, bool> isSeen(fabric.servers.size());
    std::int64_t servers = 0;
    for (std::size_t rank = 0; rank < std::min(gpus.size(), static_cast<std::size_t>(count)); ++rank) {
        const ServerId server = fabric.devices.server[gpus[rank]];
        if (server != none && isSeen[server]) continue;
        if (server != none) isSeen[server] = true;
        ++servers;
    }
    return servers;
}

} // namespace railyard
