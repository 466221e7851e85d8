// The bandwidth that the fabric provides to the ranks of a communicator.
#pragma once

#include "core/collective/library/calibration.h"
#include "core/fabric/fabric.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

enum class RankOrder { Near, Far };

// Bandwidth of a GPU inside its HB domain, for the slowest GPU of the group.
struct HbBandwidths {
    Bandwidth all;       // of all its links
    Bandwidth ring;      // in rings through all members
    Bandwidth exchange;  // when every member sends to every other member
    Bandwidth root;      // when one member sends to all others
    Bandwidth neighbour; // when every member sends to the next rank
};

class ShiftRoutes;
struct SwitchGraph;

// The bandwidth that the fabric provides to a group.
struct CommunicatorLinks {
    struct Exchange {
        bool isPossible = false;
        std::string whyNot = "the GPUs of a domain share no HB fabric";
        double switchLoad = 0, nicLoad = 0; // seconds for one bit per pair on the most loaded link between switches, on the most loaded NIC
        std::string bottleneck;
    };
    std::int64_t ranks = 0, domains = 0;
    std::int64_t largest = 0, smallest = 0, ofRoot = 0; // GPUs in the largest HB domain, in the smallest, and in that of rank 0 (the root)
    std::vector<std::uint32_t> borrowers; // HB domains whose ranks send through NICs of GPUs outside the group, as their own do not serve
    HbBandwidths hb;
    struct DomainCapacity {
        std::int64_t gpus = 0, count = 0; // ranks in the domain; how many domains are like it
        Bandwidth nics, hb;               // of all its ranks, one direction; hb is 0 with one rank
        auto operator<=>(const DomainCapacity&) const = default;
    };
    std::vector<DomainCapacity> domainCapacities;
    Bandwidth leastGpu;    // HB links and NICs of one GPU, each NIC as if it had it alone; the least of those that have any
    Bandwidth nicOfGpu;    // of the slowest GPU
    Bandwidth nicOfDomain; // of the slowest HB domain
    double nicsOfGpu = 0, nicsOfDomain = 0; // minimum number of NICs of a GPU and of a domain; a shared NIC counts as a fraction
    Exchange direct, forwarded;
    std::int64_t offRail = 0; // GPUs of an HB domain on other rails than a given GPU, for the GPU with most of them
    double busiestCut = 0;    // seconds for one bit per pair over a cut of switches that every exchange must cross
    struct Route {            // speed 0: there is no path
        Bandwidth speed;
        std::string bottleneck = "nic";
    };
    Route ring, tree;          // of a domain, in a ring of all domains; in both trees, with traffic up and down at the same time
    Route next, nextForwarded; // every rank sends to the next rank at the same time: the slowest rate between domains
    // Every rank to the rank 1, 2, 4 … positions ahead, all at the same time: the slowest rate between domains, by distance. Found when
    // first asked for; null in a single domain.
    std::shared_ptr<const ShiftRoutes> shifts;
    struct Root {     // rank 0
        Bandwidth hb; // all its HB links
        Bandwidth nicOfGpu, nicOfDomain;
        double nicsOfGpu = 0, nicsOfDomain = 0;
        Route toDirect, toForwarded, fromDirect, fromForwarded; // the total rate of all other ranks to the root, or from the root to them
    } root;
    // With forwarding, where the busiest NIC then has less to do: traffic divided over the networks by the speed of the NICs there.
    struct Balanced {
        std::optional<Exchange> exchange;
        std::optional<Route> toRoot, fromRoot, next;
    } balanced;
    std::shared_ptr<const CollectiveLibrary> library;
    Uncertain hbShare; // of the slowest generation of GPUs in the group
    Bandwidth llMost;
    std::optional<Uncertain> nvlsShare; // set if the HB switches reduce
    std::string whyNotNvls;
    Transport transport = Transport::Rdma;
    std::optional<TcpCosts> tcp; // set if ranks send over sockets
};

// All GPUs as ranks: in path order, or so that adjacent ranks are in different SUs where possible.
std::vector<DeviceId> gpusInOrder(const Fabric& fabric, RankOrder order);

// `graph`: that of the fabric, if it is known.
CommunicatorLinks communicatorLinksOf(const Fabric& fabric, const std::vector<DeviceId>& gpus, const Calibration& calibration,
                                      std::shared_ptr<const SwitchGraph> graph = nullptr);
// What a library may do instead where that is faster: leave out the NICs that have lost some of their ports, balance the others.
std::vector<std::shared_ptr<const CommunicatorLinks>> alternativesTo(const CommunicatorLinks& links, const Fabric& fabric,
                                                                     const std::vector<DeviceId>& gpus, const Calibration& calibration);

} // namespace railyard
