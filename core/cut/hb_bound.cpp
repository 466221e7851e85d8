// What the HB fabric adds to a bisection between GPUs: nothing, where dividing a domain costs more than it can save.
#include "core/cut/certificate.h"

#include <algorithm>
#include <limits>
#include <map>

namespace railyard {
namespace {

struct Domain {
    std::vector<std::uint32_t> gpus;                                      // devices
    std::map<std::uint32_t, std::vector<double>> ofSwitch;                // speeds of the GPUs' links
    std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> direct; // GPU to GPU
    bool known = true;                                                    // no other kind of link
};

std::map<std::uint32_t, Domain> domainsOf(const Fabric& fabric, const Endpoints& ends) {
    std::map<std::uint32_t, Domain> domains;
    for (std::size_t e = 0; e < ends.size(); ++e) domains[ends.hbDomain[e]].gpus.push_back(ends.gpu[e]);
    const LinkTable& links = fabric.links;
    for (std::size_t l = 0; l < links.size(); ++l) {
        const auto found = links.tier[l] == LinkTier::Hb ? domains.find(fabric.devices.hbDomain[links.a[l]]) : domains.end();
        if (found == domains.end()) continue;
        const double speed = fabric.speedOf(l).value();
        const bool fromGpu = fabric.devices.kind[links.a[l]] == DeviceKind::Gpu;
        if (fromGpu && fabric.devices.kind[links.b[l]] == DeviceKind::HbSwitch)
            found->second.ofSwitch[links.b[l]].push_back(speed);
        else if (fromGpu && fabric.devices.kind[links.b[l]] == DeviceKind::Gpu)
            found->second.direct.emplace_back(links.a[l], links.b[l], speed);
        else
            found->second.known = false;
    }
    return domains;
}

// Least HB capacity that a division of the domain cuts, for each GPU of its smaller side.
double throughSwitches(const Domain& domain) {
    double sum = 0;
    for (const auto& [node, speeds] : domain.ofSwitch)
        if (speeds.size() == domain.gpus.size()) sum += *std::min_element(speeds.begin(), speeds.end());
    return sum; // a switch stands on one side: the links of all GPUs of the other are cut
}

double throughDirectLinks(const Domain& domain) {
    constexpr std::size_t most = 12; // all divisions are tried
    const std::size_t n = domain.gpus.size();
    if (n > most || domain.direct.empty()) return 0;
    std::map<std::uint32_t, std::uint32_t> bit;
    for (const std::uint32_t gpu : domain.gpus) bit.emplace(gpu, static_cast<std::uint32_t>(bit.size()));
    double least = std::numeric_limits<double>::infinity();
    for (std::uint32_t side = 1; side < (1U << (n - 1)); ++side) {
        double cut = 0;
        for (const auto& [a, b, speed] : domain.direct)
            if (bit.contains(a) && bit.contains(b) && (side >> bit[a] & 1U) != (side >> bit[b] & 1U)) cut += speed;
        const auto ones = static_cast<std::size_t>(__builtin_popcount(side));
        least = std::min(least, cut / static_cast<double>(std::min(ones, n - ones)));
    }
    return least;
}

} // namespace

// Let a partition divide some domains, with M GPUs in all on the smaller sides. Moving those M GPUs to the larger sides
// saves at least M * kappa of HB links, adds at most M * c to what the NIC fabric has to carry (c: NIC speed of a GPU)
// and unbalances the partition by at most M GPUs; moving whole domains to balance it adds at most M * c again. Where
// kappa >= 2c the result is a partition of whole domains that is no dearer.
bool wholeDomainsAreCheapest(const Fabric& fabric, const Endpoints& ends) {
    for (const std::uint32_t domain : ends.hbDomain)
        if (domain == none) return false;
    if (ends.size() == 0) return false;
    const double fastest = *std::max_element(ends.speed.begin(), ends.speed.end());
    const auto domains = domainsOf(fabric, ends);
    const std::size_t size = domains.begin()->second.gpus.size();
    return std::all_of(domains.begin(), domains.end(), [&](const auto& entry) {
        const Domain& domain = entry.second;
        if (domain.gpus.size() != size || !domain.known) return false;
        return size == 1 || std::max(throughSwitches(domain), throughDirectLinks(domain)) >= 2 * fastest;
    });
}

} // namespace railyard
