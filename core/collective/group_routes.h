// What a group gets of the network when data goes from one HB domain to the next, over trees, or to and from the root. Every
// link counts with all that passes it at once; bandwidths are one direction, and where no way leads 0.
#pragma once

#include "core/collective/group_layout.h"

#include <unordered_map>
#include <utility>

namespace railyard {

class GroupRoutes {
public:
    GroupRoutes(const Fabric& fabric, const SwitchGraph& graph, const GroupLayout& layout, const std::vector<GroupMember>& members);

    struct Flow {
        std::uint32_t out = 0, in = 0; // GroupLayout::ports
        double rate = 0;               // bit/s
    };
    struct Hops {
        std::vector<std::vector<Flow>> all; // each over the NICs that both ends have, as fast as all that passes at once lets them
        std::string bottleneck = "nic";
        GroupLinks::Route slowest() const;
    };

    // A domain to the next, in their order; the slowest hop decides. Inside, the HB fabric moves data between its NICs.
    Hops ring() const;
    // Up the trees (neighbours.h), in the order of their edges, while as much goes down: inner places send and take four halves of
    // the message, so where NICs are the limit a hop is their whole bandwidth.
    Hops trees() const;
    // Each rank to the next where that is in another domain; what the slowest gets, with all at once.
    GroupLinks::Route next(bool isForwarded) const;
    // A member to another of a different domain, by itself.
    std::vector<Flow> hop(std::size_t from, std::size_t to, bool isForwarded) const;
    // All GPUs of other domains to rank 0, or rank 0 to all of them; forwarded over all NICs of its domain.
    GroupLinks::Route root(bool isForwarded, bool isToRoot) const;
    // Its ways, of 1 bit/s to the root or from it; nothing where some GPUs find none. Those without a way of their own go by the
    // ports of their domain that have one.
    std::vector<Flow> rootFlows(bool isForwarded, bool isToRoot) const;
    Bandwidth nicOfRoot() const, nicOfRootDomain() const;
    double nicsOfRoot() const, nicsOfRootDomain() const;

private:
    using PortPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    std::uint32_t network(std::uint32_t port) const { return m_graph.network[m_ports[port].node]; }
    std::uint32_t firstOf(std::uint32_t domain) const { return domain == none ? none : m_firstOfDomain[domain]; }
    std::uint32_t endOf(std::uint32_t domain) const { return domain == none ? none : m_endOfDomain[domain]; }
    std::uint32_t keyed(std::uint32_t domain, std::uint32_t key) const; // the port of a domain with this key
    PortPairs lanes(std::uint32_t from, std::uint32_t to) const;        // of domains: ports in one network, on one rail where both have it
    // What a member can send or take through which ports: its own, or where they are gone those of its domain.
    std::vector<std::pair<std::uint32_t, double>> sharesOf(std::size_t member) const;
    std::vector<std::uint32_t> portsOfRoot(bool isForwarded) const;
    void findWaysToRoot(std::uint32_t port, const std::vector<std::uint32_t>& ofRoot, bool isForwarded,
                        std::vector<std::pair<std::uint32_t, double>>& shares) const;
    Hops reached(const std::vector<PortPairs>& hops, double flowsOfAPort, bool isBothWays) const;

    const SwitchGraph& m_graph;
    const GroupLayout& m_layout;
    const std::vector<GroupPort>& m_ports;
    const std::vector<GroupMember>& m_members;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_ofGpu; // ports, of those that are asked for
    std::vector<std::uint32_t> m_firstOfDomain, m_endOfDomain;             // ports; those of a domain follow each other, by key
};

} // namespace railyard
