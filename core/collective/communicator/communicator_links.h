// The bandwidth that the fabric provides to the ranks of a communicator.
#pragma once

#include "core/collective/library/calibration.h"
#include "core/collective/operation/operation.h"
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

class AskedRoutes;
class GroupRoutes;
class TrafficRouter;
struct FabricIndex;
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
    std::int64_t offRail = 0;               // GPUs of an HB domain on other rails than a given GPU, for the GPU with most of them
    struct Route {                          // speed 0: there is no path
        Bandwidth speed;
        std::string bottleneck = "nic";
    };
    Route ring;       // of a domain, in a ring of all domains
    struct Root {     // rank 0
        Bandwidth hb; // all its HB links
        Bandwidth nicOfGpu, nicOfDomain;
        double nicsOfGpu = 0, nicsOfDomain = 0;
    } root;
    // What follows is found when first asked for, as most operations ask for little of it. Null in a single domain.
    std::shared_ptr<const AskedRoutes> asked;
    // With forwarding, traffic is divided over the networks by the speed of the NICs there if the busiest NIC then has less to do.
    bool isBalanced = false;
    bool isBalancedFor(CollectiveOp op) const; // whether that changes anything for this operation
    const Route& tree() const;                 // in both trees, with traffic up and down at the same time
    const Route& next(bool isForwarded) const; // every rank sends to the next rank at the same time: the slowest rate between domains
    struct Shift {                             // of every rank by the same distance, all at the same time
        std::optional<Route> between;          // the slowest rate between domains; empty if all stay inside theirs
        bool isInside = false;                 // some stay inside
    };
    // To the rank 1, 2, 4 … positions ahead, or from it.
    const std::vector<Shift>& shifts(bool isAhead) const;
    const Route& rootRoute(bool isForwarded, bool isToRoot) const; // the total rate of all other ranks to the root, or from it to them
    const Exchange& exchange(bool isForwarded) const;
    double busiestCut() const; // seconds for one bit per pair over a cut of switches that every exchange must cross
    std::shared_ptr<const CollectiveLibrary> library;
    Uncertain hbShare; // of the slowest generation of GPUs in the group
    Bandwidth llMost;
    std::optional<Uncertain> nvlsShare; // set if the HB switches reduce
    std::optional<GpuGeneration::NvlsTreeMost> nvlsTreeMost;
    std::optional<Bandwidth> channelMost;       // see GpuGeneration
    std::shared_ptr<const OneDomain> oneDomain; // set in a single HB domain, if its collectives were measured
    std::string whyNotNvls;
    Transport transport = Transport::Rdma;
    std::optional<TcpCosts> tcp; // set if ranks send over sockets
};

// All GPUs as ranks: in path order, or so that adjacent ranks are in different SUs where possible.
std::vector<DeviceId> gpusInOrder(const Fabric& fabric, RankOrder order);

// What is known of the fabric of a group.
struct KnownOfFabric {
    std::shared_ptr<const SwitchGraph> graph;              // null: not known
    std::shared_ptr<const TrafficRouter> router = nullptr; // through this graph; the same
    std::shared_ptr<const FabricIndex> index = nullptr;    // of this graph; the same
    // Whether it is there as long as what is found of the group. Then what few operations need is left until they ask.
    bool isKept = false;
    // The ways of other groups on it: those that are the same are shared. New ones are added.
    std::vector<std::shared_ptr<const GroupRoutes>>* routes = nullptr;
};

std::shared_ptr<const FabricIndex> indexOf(const Fabric& fabric, const SwitchGraph& graph);

CommunicatorLinks communicatorLinksOf(const Fabric& fabric, const std::vector<DeviceId>& gpus, const Calibration& calibration,
                                      const KnownOfFabric& known = {});
// What a library may do instead where that is faster: leave out the NICs that have lost some of their ports, balance the others.
std::vector<std::shared_ptr<const CommunicatorLinks>> alternativesTo(const CommunicatorLinks& links, const Fabric& fabric,
                                                                     const std::vector<DeviceId>& gpus, const Calibration& calibration,
                                                                     const KnownOfFabric& known);

} // namespace railyard
