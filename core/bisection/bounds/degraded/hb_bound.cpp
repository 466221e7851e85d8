// What the HB fabric adds to a bisection between GPUs: nothing, where dividing a domain costs more than it can save.
#include "core/bisection/bounds/degraded/hb_bound.h"

#include "core/bisection/bounds/degraded/regular_spread.h"

#include <algorithm>
#include <limits>
#include <map>

namespace railyard {
namespace {

struct Domain {
    std::vector<DeviceId> gpus;                                              // devices
    std::map<std::uint32_t, std::vector<Bandwidth>> ofSwitch;                // speeds of the GPUs' links
    std::vector<std::tuple<std::uint32_t, std::uint32_t, Bandwidth>> direct; // GPU to GPU
    bool known = true;                                                       // no other kind of link
};

std::map<std::uint32_t, Domain> domainsOf(const Fabric& fabric, const Endpoints& ends) {
    std::map<std::uint32_t, Domain> domains;
    for (std::size_t e = 0; e < ends.size(); ++e) domains[ends.hbDomain[e]].gpus.push_back(ends.gpu[e]);
    const LinkTable& links = fabric.links;
    for (const LinkId l : links.ids()) {
        const auto found = links.tier[l] == LinkTier::Hb ? domains.find(fabric.devices.hbDomain[links.a[l]]) : domains.end();
        if (found == domains.end()) continue;
        const Bandwidth speed = fabric.speedOf(l);
        const bool fromGpu = fabric.devices.isGpu(links.a[l]);
        if (fromGpu && fabric.devices.isHbSwitch(links.b[l]))
            found->second.ofSwitch[links.b[l]].push_back(speed);
        else if (fromGpu && fabric.devices.isGpu(links.b[l]))
            found->second.direct.emplace_back(links.a[l], links.b[l], speed);
        else
            found->second.known = false;
    }
    return domains;
}

// Least HB capacity that a division of the domain cuts, for each GPU of its smaller side.
Bandwidth throughSwitches(const Domain& domain) {
    Bandwidth sum;
    for (const auto& [node, speeds] : domain.ofSwitch)
        if (speeds.size() == domain.gpus.size()) sum += *std::min_element(speeds.begin(), speeds.end());
    return sum; // a switch stands on one side: the links of all GPUs of the other are cut
}

Bandwidth throughDirectLinks(const Domain& domain) {
    constexpr std::size_t most = 12; // all divisions are tried
    const std::size_t n = domain.gpus.size();
    if (n > most || domain.direct.empty()) return {};
    std::map<std::uint32_t, std::uint32_t> bit;
    for (const DeviceId gpu : domain.gpus) bit.emplace(gpu, static_cast<std::uint32_t>(bit.size()));
    Bandwidth least(std::numeric_limits<double>::infinity());
    for (std::uint32_t side = 1; side < (1U << (n - 1)); ++side) {
        Bandwidth cut;
        for (const auto& [a, b, speed] : domain.direct)
            if (bit.contains(a) && bit.contains(b) && (side >> bit[a] & 1U) != (side >> bit[b] & 1U)) cut += speed;
        const auto ones = static_cast<std::size_t>(__builtin_popcount(side));
        least = std::min(least, cut / static_cast<double>(std::min(ones, n - ones)));
    }
    return least;
}

// Every division of a domain cuts at least 2c of the HB fabric for each GPU of its smaller side, c: the fastest GPU.
bool areHubs(const std::map<std::uint32_t, Domain>& domains, Bandwidth fastest) {
    return std::all_of(domains.begin(), domains.end(), [&](const auto& entry) {
        const Domain& domain = entry.second;
        return domain.known && (domain.gpus.size() <= 1 || std::max(throughSwitches(domain), throughDirectLinks(domain)) >= 2 * fastest);
    });
}

// Of the GPUs, as cabled and as what each may send.
Bandwidth fastestOf(const Endpoints& ends) {
    std::vector<Bandwidth> cabled(ends.size());
    for (const auto& a : ends.attachments) cabled[a.endpoint] += a.capacity;
    return std::max(*std::max_element(ends.speed.begin(), ends.speed.end()), *std::max_element(cabled.begin(), cabled.end()));
}

// A NIC whose GPU failed still counts for its domain, but no GPU sends over it.
bool hasIdleNics(const Fabric& fabric, const Endpoints& ends) {
    Bandwidth ofNics, ofGpus;
    for (const LinkId l : fabric.links.ids()) {
        const DeviceId nic = fabric.links.a[l];
        if (fabric.isNetworkLink(l) && fabric.devices.isNic(nic) && fabric.devices.hbDomain[nic] != none) ofNics += fabric.speedOf(l);
    }
    for (const Bandwidth speed : ends.speed) ofGpus += speed;
    return ofNics > ofGpus * (1 + 1e-9);
}

std::optional<std::map<std::uint32_t, Bandwidth>> speedOfDomains(const Endpoints& ends) {
    std::map<std::uint32_t, Bandwidth> speed;
    for (std::size_t e = 0; e < ends.size(); ++e) {
        if (ends.hbDomain[e] == none) return {};
        speed[ends.hbDomain[e]] += ends.speed[e];
    }
    return ends.size() > 0 ? std::optional(std::move(speed)) : std::nullopt;
}

} // namespace

bool actAsNodes(const Fabric& fabric, const Endpoints& ends) {
    const bool areAllInDomains = std::none_of(ends.hbDomain.begin(), ends.hbDomain.end(), [](DomainId domain) { return domain == none; });
    return ends.size() > 0 && areAllInDomains && !hasIdleNics(fabric, ends) && areHubs(domainsOf(fabric, ends), fastestOf(ends));
}

// A GPU that is cut off from its domain's hub saves at most its NIC ports and its own traffic, twice its speed c; where
// the HB fabric gives every division at least 2c for each GPU of the smaller side, a domain acts as one node h. Between
// fixed switches such a node with a share z of its GPUs on side A costs
//     min((1 - z) * s + ports on B, z * s + ports on A),   s: speed of all its GPUs,
// which is concave in z. Domains are of one size, so a balanced partition has a fixed sum of z, and a concave sum is least
// at a corner: at most one domain is divided, and then in halves, which is no cheaper than the better of its whole sides.
// Where the GPUs of a domain differ in speed, dividing its speed evenly among them changes what a side sends by at most
// what the slower ones are short of the mean.
std::optional<Bandwidth> shortOfWholeDomains(const Fabric& fabric, const Endpoints& ends) {
    const auto speedOf = speedOfDomains(ends);
    if (!speedOf || hasIdleNics(fabric, ends)) return {};
    const auto& speed = *speedOf;
    const auto domains = domainsOf(fabric, ends);
    const std::size_t size = domains.begin()->second.gpus.size();
    Bandwidth fastest = fastestOf(ends), loss;
    for (const auto& [domain, sum] : speed) fastest = std::max(fastest, sum / static_cast<double>(size));
    for (const auto& [id, domain] : domains)
        if (domain.gpus.size() != size) return {};
    if (!areHubs(domains, fastest)) return {};
    for (std::size_t e = 0; e < ends.size(); ++e)
        loss += std::max(Bandwidth(), speed.at(ends.hbDomain[e]) / static_cast<double>(size) - ends.speed[e]);
    return loss;
}

// With z the share of the speed s (not of the GPUs) that is on side A the cost above holds exactly, whatever the speeds of
// the GPUs. Halves of the GPUs keep the sum of s (2z - 1) within what the larger half of the speeds is ahead of the smaller;
// at a corner of these z all domains are whole but one, and that one made whole adds at most 2s. The numbers of domains on
// the sides are then apart by no more than that and all that domains lack of the fastest, in units of the fastest.
std::optional<Imbalance> imbalanceOfDomains(const Fabric& fabric, const Endpoints& ends) {
    const auto speed = speedOfDomains(ends);
    if (!speed || hasIdleNics(fabric, ends) || !areHubs(domainsOf(fabric, ends), fastestOf(ends))) return {};
    Bandwidth most, lacks;
    for (const auto& [domain, sum] : *speed) most = std::max(most, sum);
    if (most <= Bandwidth()) return {};
    for (const auto& [domain, sum] : *speed) lacks += most - sum;
    const Bandwidth apart = largerHalfLessSmaller(ends.speed) + 2 * most;
    return Imbalance{apart, (apart + lacks) / most};
}

} // namespace railyard
