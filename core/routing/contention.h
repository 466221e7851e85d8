// How much busier the links get when many flows share them than one of their senders alone makes them.
#pragma once

#include "core/routing/gpus/nic_demands.h"
#include "core/routing/problem/gpu_traffic.h"
#include "core/routing/switches/stages.h"

#include <memory>
#include <optional>

namespace railyard {

// What flows take of the cable of a NIC, or of a link between switches, as a share of its speed in both directions, while a NIC that one
// sender uses alone is fully used. Above 1 where links are shared and so the bottleneck.
struct LinkShare {
    LinkId link = none;
    double aToB = 0, bToA = 0;
};
// In the order of links, without those that carry nothing. Empty: nothing leaves an HB domain, or a pair has no path.
using LinkShares = std::vector<LinkShare>;
LinkShares maximumOf(const LinkShares& a, const LinkShares& b); // of every link and direction

// The shares of several jobs together.
class SharedLinks {
public:
    explicit SharedLinks(std::size_t links) : m_aToB(links), m_bToA(links) {}
    void add(const LinkShares& shares, double weight);
    // Load of the busiest link that `flows` use, at least 1: the flows and what other jobs added to it. `own` and `weight` are what the job
    // of the flows added itself.
    double busiestWith(const LinkShares& flows, const LinkShares& own, double weight) const;

private:
    std::vector<double> m_aToB, m_bToA;
};

class Contention {
public:
    Contention(const Fabric& fabric, std::shared_ptr<const SwitchGraph> graph); // `fabric` must outlive this

    // The load of the busiest NIC by the flows of each owner alone, in units of volume / (bit/s). Of the NICs of other GPUs an owner has
    // only the share of its GPUs, as in a communicator. `owners`: by flow; flows of owners from `count` on are left out. All of these
    // functions can be called from several threads.
    std::vector<double> nicLoads(const std::vector<GpuFlow>& flows, const std::vector<std::uint32_t>& owners, std::uint32_t count) const;
    // With ecmp routing as in linkLoads. `nicLoad`: what counts as fully used, such as one of nicLoads(); 0: the busiest NIC of all flows.
    // A GPU without a NIC uses those of its HB domain; flows without a path are left out.
    LinkShares sharesOf(const std::vector<GpuFlow>& flows, double nicLoad = 0) const;
    static double busiestOf(const LinkShares& shares); // at least 1

private:
    // visit(PortPair, volume, flow, isThroughOthers) for every way of these flows outside the HB domains. Where the own NICs of two GPUs
    // share no network, the flows of all such GPUs of two units take their ways together: `flow` is one of them.
    template <class Visit>
    void eachWay(const std::vector<GpuFlow>& flows, std::span<const std::uint32_t> which, Visit visit) const;
    // Over all rails that lead from the HB domain of one GPU to that of the other, as a communicator does without NICs of its own.
    std::vector<PortPair> waysOfUnits(std::uint32_t from, std::uint32_t to) const;
    bool isBefore(std::uint32_t port, std::uint32_t other) const; // by network, then key
    double shareOfUnit(std::uint32_t unit, const std::set<DeviceId>& members) const;

    const Fabric& m_fabric;
    const std::shared_ptr<const SwitchGraph> m_graph;
    const GpuPorts m_ports;
    const std::optional<Stages> m_stages;
    std::vector<std::vector<std::uint32_t>> m_portsOfUnit; // in the order of isBefore()
};

} // namespace railyard
