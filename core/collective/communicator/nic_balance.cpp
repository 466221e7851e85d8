#include "core/collective/communicator/nic_balance.h"

#include "core/base/linear_program.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr std::size_t mostNumbers = 1'000'000; // in the table of the linear program: about a second

// Domains that have the same NICs are one kind; an even division among them is as good as any other.
struct Kind {
    DomainSpeeds speeds;
    std::vector<std::size_t> domains;
    double count() const { return static_cast<double>(domains.size()); }
};

std::vector<Kind> kindsOf(const std::vector<DomainSpeeds>& domains) {
    std::map<DomainSpeeds, std::vector<std::size_t>> found;
    for (std::size_t d = 0; d < domains.size(); ++d) found[domains[d]].push_back(d);
    std::vector<Kind> kinds;
    for (const auto& [speeds, members] : found) kinds.push_back({speeds, members});
    return kinds;
}

double fastest(const std::vector<Kind>& kinds) {
    double speed = 0;
    for (const Kind& kind : kinds)
        for (const auto& [network, own] : kind.speeds.networks) speed = std::max(speed, own);
    return speed;
}

// Shares that add up to 1; false if they are all 0.
bool normalise(NetworkSpeeds& shares) {
    double all = 0;
    for (const auto& [network, share] : shares) all += share;
    for (auto& [network, share] : shares) share /= all;
    return all > 0;
}

// What two kinds of domains exchange, over each network that both reach.
struct Pairing {
    std::size_t one = 0, other = 0; // kinds
    NetworkSpeeds shares;
};

// Networks carry as much one way as the other, so one share counts for both directions.
std::optional<std::vector<Pairing>> pairingsOf(const std::vector<Kind>& kinds) {
    std::vector<Pairing> pairings;
    std::size_t variables = 1, rows = 0; // variable 0: units that every pair of GPUs exchanges
    for (std::size_t k = 0; k < kinds.size(); ++k)
        for (std::size_t l = k; l < kinds.size(); ++l) {
            if (k == l && kinds[k].domains.size() < 2) continue;
            Pairing& pairing = pairings.emplace_back(Pairing{k, l, {}});
            for (const auto& [network, speed] : kinds[k].speeds.networks)
                if (kinds[l].speeds.networks.count(network)) pairing.shares[network] = 0;
            if (pairing.shares.empty()) return {};
            variables += pairing.shares.size();
            rows += 1;
            if ((rows + kinds.size()) * (rows + variables) > mostNumbers) return {};
        }
    for (const Kind& kind : kinds) rows += kind.speeds.networks.size();
    if (rows * (rows + variables) > mostNumbers) return {};
    const double unit = fastest(kinds);
    LinearProgram program(variables);
    program.maximise(0, 1);
    std::vector<std::map<std::uint32_t, std::size_t>> rowOf(kinds.size()); // by kind and network
    for (std::size_t k = 0; k < kinds.size(); ++k)
        for (const auto& [network, speed] : kinds[k].speeds.networks) rowOf[k][network] = program.addRow(speed / unit);
    std::size_t variable = 1;
    for (const Pairing& pairing : pairings) {
        const Kind &one = kinds[pairing.one], &other = kinds[pairing.other];
        const double volume = one.speeds.gpus * other.speeds.gpus;
        const std::size_t all = program.addRow(0);
        program.set(all, 0, 1);
        for (const auto& [network, share] : pairing.shares) {
            program.set(all, variable, -1);
            program.set(rowOf[pairing.one][network], variable, volume * (pairing.one == pairing.other ? one.count() - 1 : other.count()));
            if (pairing.one != pairing.other) program.set(rowOf[pairing.other][network], variable, volume * one.count());
            ++variable;
        }
    }
    const auto solution = program.solve();
    if (!solution) return {};
    variable = 1;
    for (Pairing& pairing : pairings) {
        for (auto& [network, share] : pairing.shares) share = (*solution)[variable++];
        if (!normalise(pairing.shares)) return {};
    }
    return pairings;
}

} // namespace

std::optional<std::vector<PortProduct>> balancedProducts(const GpuPorts& ports) {
    std::vector<DomainSpeeds> domains(ports.units);
    for (std::uint32_t unit = 0; unit < ports.units; ++unit) {
        domains[unit].gpus = static_cast<double>(ports.gpusOfUnit.list(unit).size());
        for (const auto p : ports.portsOfUnit.list(unit)) domains[unit].networks[ports.ports[p].network] += ports.ports[p].speed.value();
    }
    for (const DeviceId gpu : ports.gpus)
        if (ports.unitOf[gpu] == none) return {};
    const std::vector<Kind> kinds = kindsOf(domains);
    const auto pairings = pairingsOf(kinds);
    if (!pairings) return {};
    std::map<std::pair<std::size_t, std::uint32_t>, PortProduct> products; // by sending kind and network
    const auto add = [&](std::size_t kind, std::uint32_t network, double share, std::vector<PortWeight>& weights) {
        for (const std::size_t unit : kinds[kind].domains)
            for (const auto p : ports.portsOfUnit.list(static_cast<std::uint32_t>(unit)))
                if (const NicPort& port = ports.ports[p]; port.network == network)
                    weights.push_back({p, share * kinds[kind].speeds.gpus * port.speed.value() / kinds[kind].speeds.networks.at(network)});
    };
    for (const Pairing& pairing : *pairings)
        for (const auto& [network, share] : pairing.shares) {
            if (share <= 0) continue;
            add(pairing.other, network, share, products[{pairing.one, network}].to);
            if (pairing.one != pairing.other) add(pairing.one, network, share, products[{pairing.other, network}].to);
        }
    std::vector<PortProduct> result;
    for (auto& [sender, product] : products) {
        add(sender.first, sender.second, 1, product.from);
        product.kind = static_cast<std::uint32_t>(sender.first);
        result.push_back(std::move(product));
    }
    return result;
}

std::optional<std::vector<NetworkSpeeds>> balancedShares(const std::vector<DomainSpeeds>& domains, const NetworkSpeeds& ofRoot) {
    const std::vector<Kind> kinds = kindsOf(domains);
    std::size_t variables = 1;
    std::vector<NetworkSpeeds> shares(kinds.size());
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        for (const auto& [network, speed] : kinds[k].speeds.networks)
            if (ofRoot.count(network)) shares[k][network] = 0;
        variables += shares[k].size();
    }
    const std::size_t rows = kinds.size() + variables + ofRoot.size();
    if (rows * (rows + variables) > mostNumbers) return {};
    const double unit = fastest(kinds);
    LinearProgram program(variables); // variable 0: the rate of a GPU
    program.maximise(0, 1);
    std::map<std::uint32_t, std::size_t> rowOf;
    for (const auto& [network, speed] : ofRoot) rowOf[network] = program.addRow(speed / unit);
    std::size_t variable = 1;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const std::size_t all = program.addRow(0);
        program.set(all, 0, kinds[k].speeds.gpus);
        for (const auto& [network, share] : shares[k]) {
            program.set(all, variable, -1);
            program.set(rowOf[network], variable, kinds[k].count());
            program.set(program.addRow(kinds[k].speeds.networks.at(network) / unit), variable, 1);
            ++variable;
        }
    }
    const auto solution = program.solve();
    if (!solution) return {};
    std::vector<NetworkSpeeds> result(domains.size());
    variable = 1;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        for (auto& [network, share] : shares[k]) share = (*solution)[variable++];
        if (!normalise(shares[k])) return {};
        for (const std::size_t domain : kinds[k].domains) result[domain] = shares[k];
    }
    return result;
}

} // namespace railyard
