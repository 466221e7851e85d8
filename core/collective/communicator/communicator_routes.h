// The network bandwidth of a group for traffic between adjacent HB domains, over trees, and to or from the root. Each link is
// loaded with all concurrent flows. Bandwidths are per direction; 0 means that there is no path.
#pragma once

#include "core/collective/communicator/communicator_layout.h"
#include "core/fabric/switch_graph.h"

#include <memory>
#include <unordered_map>
#include <utility>

namespace railyard {

class TrafficRouter;

class CommunicatorRoutes {
public:
    CommunicatorRoutes(const Fabric& fabric, const SwitchGraph& graph, const CommunicatorLayout& layout,
                       const std::vector<CommunicatorMember>& members, std::shared_ptr<const TrafficRouter> router); // of the graph

    // Knows the ports of every member. Otherwise of those that most questions are about: at the ends of HB domains, and the root.
    CommunicatorRoutes ofEveryMember() const;

    struct Flow {
        std::uint32_t out = 0, in = 0; // indices in GroupLayout::ports
        double rate = 0;               // bit/s
    };
    struct Hops {
        std::vector<std::vector<Flow>> all; // by hop: flows over the NICs of both ends, at the rates that concurrent flows allow
        std::string bottleneck = "nic";
        CommunicatorLinks::Route slowest() const;
    };

    // From each domain to the next, in ring order; the slowest hop determines the result. The HB fabric moves data between NICs.
    Hops ring() const;
    // Up the trees (neighbours.h), in the order of their edges, with the same traffic downwards. Where NICs are the limit a hop has the
    // whole bandwidth of the domain on which most edges end: four halves of the message, fewer with two or three domains.
    Hops trees() const;
    // Every rank to the next rank if that one is in another domain; the slowest rate with all of them at the same time.
    CommunicatorLinks::Route next(bool isForwarded) const;
    // Forwarded over all lanes between the two domains, at no more than the share of a rank in their NICs: ranks in any order may meet at
    // one NIC otherwise. Empty if `known` cannot be improved.
    std::optional<CommunicatorLinks::Route> balancedNext(const CommunicatorLinks::Route& known) const;
    // The same as next() for the rank `distance` positions ahead, or from it to them. Empty if none of them is in another domain. Call it
    // on ofEveryMember().
    std::optional<CommunicatorLinks::Route> shift(std::size_t distance, bool isForwarded, bool isAhead = true) const;
    // One member to a member of another domain, without other traffic.
    std::vector<Flow> hop(std::size_t from, std::size_t to, bool isForwarded) const;
    // All GPUs of other domains to rank 0, or the reverse; with forwarding, over all NICs of its domain.
    CommunicatorLinks::Route root(bool isForwarded, bool isToRoot) const;
    // With forwarding, and traffic divided over the networks by the speed of the NICs there; empty if `known` cannot be improved.
    std::optional<CommunicatorLinks::Route> balancedRoot(const CommunicatorLinks::Route& known, bool isToRoot) const;
    // The paths of 1 bit/s to or from the root; empty if some GPUs have no path. GPUs without a path through their own NICs use
    // the ports of their domain that have one.
    std::vector<Flow> rootFlows(bool isForwarded, bool isToRoot) const;
    Bandwidth nicOfRoot() const, nicOfRootDomain() const;
    double nicsOfRoot() const, nicsOfRootDomain() const;

private:
    using PortPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    std::uint32_t network(std::uint32_t port) const { return m_graph.network[m_ports[port].node]; }
    std::uint32_t firstOf(std::uint32_t domain) const { return domain == none ? none : m_firstOfDomain[domain]; }
    std::uint32_t endOf(std::uint32_t domain) const { return domain == none ? none : m_endOfDomain[domain]; }
    std::uint32_t keyed(std::uint32_t domain, std::uint32_t key) const; // the port of a domain with this key
    PortPairs lanes(std::uint32_t from, std::uint32_t to) const;        // of domains: ports in the same network and rail
    using Shares = std::vector<std::pair<std::uint32_t, double>>;       // ports and rates
    struct HopEnd {
        Shares shares;
        std::uint32_t domain = none;
        bool isSpread = false; // over the ports of its domain
    };
    // The rate that a member can send or receive, by port: its own ports, or those of its domain if its own have failed.
    Shares sharesOf(std::size_t member) const;
    Shares ofDomain(std::uint32_t domain, double rate) const;
    Shares leaving(const HopEnd& from, std::uint32_t over, bool isForwarded) const; // over this network
    std::vector<Flow> flowsOf(const HopEnd& from, const HopEnd& to, bool isForwarded) const;
    static std::vector<Flow> spread(const Shares& out, const Shares& in);
    std::vector<std::uint32_t> portsOfRoot(bool isForwarded) const;
    void findPathsToRoot(std::uint32_t port, const std::vector<std::uint32_t>& ofRoot, bool isForwarded,
                         std::vector<std::pair<std::uint32_t, double>>& shares) const;
    std::vector<Flow> balancedRootFlows(bool isToRoot) const;
    Hops reached(const std::vector<PortPairs>& hops, double flowsOfAPort, bool isBidirectional) const;

    const SwitchGraph& m_graph;
    std::shared_ptr<const TrafficRouter> m_router;
    const CommunicatorLayout& m_layout;
    const std::vector<CommunicatorPort>& m_ports;
    const std::vector<CommunicatorMember>& m_members;
    using Feeds = std::vector<std::pair<DeviceId, DeviceId>>; // NICs, and one of their GPUs
    void findPorts(Feeds feeds);

    Feeds m_others;                                                   // whose ports are not in m_ofGpu yet
    std::unordered_map<DeviceId, std::vector<std::uint32_t>> m_ofGpu; // by GPU: its ports
    std::vector<std::uint32_t> m_onlyPort; // of every member, if these are known; none: it has several, or not its own
    std::vector<double> m_membersOfDomain, m_speedOfDomain;
    std::vector<std::uint32_t> m_firstOfDomain, m_endOfDomain; // port ranges; ports of a domain are adjacent, sorted by key
};

} // namespace railyard
