// Times of the collectives of a job on its placed groups of ranks.
#pragma once

#include "core/base/found_once.h"
#include "core/collective/collective.h"
#include "core/routing/contention.h"
#include "core/training/collective_measurements.h"
#include "core/workload/usual_job.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace railyard {

// Ranks that differ in some ways alone. Dense: those that hold the same parameters outside of experts. OfExperts: the same experts.
enum class RankGroup { Tensor, Context, Expert, Pipeline, Dense, OfExperts };
constexpr std::size_t rankGroups = 6;
const std::vector<Parallel>& parallelsOf(RankGroup group);

// A fabric without failures, changes and additions: all its rails have the same structure.
bool isAsTheRecipeSays(const Fabric& fabric);

// The ranks that differ from `rank` in these ways alone, in the order of ranks.
std::int64_t ranksOf(const TrainingJob& job, RankGroup group);
// Of a folded job, the groups of experts are those of its expertLayout().
std::vector<std::int64_t> groupOf(const TrainingJob& job, std::int64_t rank, const std::vector<Parallel>& over);

// What is known of a fabric for the groups of all jobs on it. All of it is found when first asked for, from any thread.
class FabricNetwork {
public:
    explicit FabricNetwork(const Fabric& fabric) : m_fabric(fabric) {} // which must outlive this
    const std::shared_ptr<const SwitchGraph>& graph() const { return found().graph; }
    // For groups on this fabric, which must outlive them.
    KnownOfFabric known() const { return {found().graph, found().router, found().index, true, nullptr}; }
    const Contention& contention() const;
    // bit/s of all links of a GPU: over its NICs, or within its HB domain.
    double nicSpeed(DeviceId gpu) const;
    double hbSpeed(DeviceId gpu) const;

private:
    struct Found {
        std::shared_ptr<const SwitchGraph> graph;
        std::shared_ptr<const TrafficRouter> router;
        std::shared_ptr<const FabricIndex> index;
    };
    const Found& found() const;

    const Fabric& m_fabric;
    FoundOnce<Found> m_found;
    FoundOnce<std::unique_ptr<const Contention>> m_contention;
};

// The communicators of all jobs on the same GPUs in the same order. Groups of two jobs that stand at the same places are found once, and
// so is the time of a collective among them. Can be used from several threads; what they find does not depend on their number.
class PlacedGroups {
public:
    // Which must outlive this. `measured`: collectives on the first GPUs, see collective_measurements.h.
    PlacedGroups(const Fabric& fabric, const std::vector<DeviceId>& gpus, const std::vector<NcclTest>& measured = {});
    // `keepsShares`: what every kind of groups takes of the links, for jobs that share them.
    PlacedGroups(const Fabric& fabric, const std::vector<DeviceId>& gpus, const std::vector<NcclTest>& measured,
                 std::shared_ptr<const FabricNetwork> network, bool keepsShares);

    // All groups of one kind work at the same time: where links between switches, or NICs that several groups share, are busier than a
    // group alone makes its NICs, its bandwidth shrinks by the same factor. Groups that have the same places in their servers and HB
    // domains, and NICs of the same speed, are timed once; the slowest group counts.
    class Groups {
    public:
        Result<Seconds> time(CollectiveOp op, std::int64_t bytes);
        // Among the members in one HB domain, of expert-parallel groups over several domains. Of the slowest; 0 if none has two in a
        // domain.
        Result<Seconds> timeInDomain(CollectiveOp op, std::int64_t bytes) const;
        std::int64_t domains() const;                          // the most of any
        std::int64_t perDomain() const { return m_perDomain; } // of expert-parallel groups, see expertsPerDomain()
        bool leavesDomain() const;                             // any of them

    private:
        friend class PlacedGroups;
        std::once_flag m_isFound;
        std::vector<Error> m_errors;
        struct Different {
            Communicator communicator;
            double nicLoad = 0;                        // of its busiest NIC, by this group alone; 0 in one HB domain
            std::optional<Communicator> inDomain = {}; // the members in the domain that has most
        };
        std::vector<Different> m_different;
        std::int64_t m_perDomain = 0; // see expertsPerDomain()
        const CollectiveMeasurements* m_measured = nullptr;
        LinkShares m_shares; // if they are kept
        // How much longer all groups at the same time take than the one with the highest load of a NIC alone, where bandwidth is the limit.
        double m_contention = 1;
        std::mutex m_mutex; // of what follows
        std::unordered_map<std::uint64_t, Seconds> m_known;
    };
    Groups& groupsOf(const TrainingJob& job, RankGroup group);
    Groups& exchangedBy(const TrainingJob& job); // whose all-to-all is what tokens do between HB domains on their way to experts
    const FabricNetwork& network() const { return *m_network; }
    // What the job takes of every link: the most of all its kinds of groups.
    LinkShares sharesOf(const TrainingJob& job);
    std::size_t keptShares() const; // links, summed over the kinds of groups
    // What else is on the links; of `all`, this job added `own` with a weight. Both must outlive this.
    struct Others {
        const SharedLinks* all = nullptr;
        const LinkShares* own = nullptr;
        double weight = 1;
    };
    // From now on, all times are those while others are on the links. Requires keepsShares; not while another thread uses this.
    void shareLinksWith(const Others& others);

private:
    struct Place { // of a rank
        std::uint32_t domain = 0, su = 0, rail = 0;
        std::uint32_t nicMbits = 0, hbMbits = 0;
    };
    // Distance between neighbours and their number, for every way in which they differ; the number of all ranks first.
    using Shape = std::vector<std::int64_t>;

    enum class Pattern { Ring, Chain, Exchange };

    const std::vector<Place>& places() const;
    void find(Groups& groups, const TrainingJob& job, RankGroup group) const;
    double contentionOf(const LinkShares& shares) const;

    const Fabric& m_fabric;
    const std::vector<DeviceId>& m_gpus;
    const std::shared_ptr<const FabricNetwork> m_network;
    const bool m_keepsShares;
    Others m_others;
    FoundOnce<std::vector<Place>> m_places; // by rank
    CollectiveMeasurements m_measured;
    std::mutex m_mutex; // of the map
    std::map<std::pair<Pattern, Shape>, std::unique_ptr<Groups>> m_groups;
};

// Those of one job.
class GroupTimes {
public:
    GroupTimes(const TrainingJob& job, PlacedGroups& groups); // which must outlive this

    // Of the slowest group; 0 for groups of one rank. Errors: ranks that cannot reach each other.
    Result<Seconds> time(RankGroup group, CollectiveOp op, double bytes);
    // The tokens of every rank to the experts of a layer and back. By domain, the network carries a copy for each other domain with experts
    // of a token, while HB links carry the copies inside domains. Errors: as above.
    Result<Seconds> expertExchange(double tokens);
    bool leavesDomain(RankGroup group); // any group of this kind sends over NICs

private:
    PlacedGroups::Groups* placed(RankGroup group); // null for groups of one rank
    static Result<Seconds> timeOf(PlacedGroups::Groups& groups, CollectiveOp op, double bytes);

    const TrainingJob& m_job;
    PlacedGroups& m_placed;
    std::array<PlacedGroups::Groups*, rankGroups> m_groups{};
    std::array<std::int64_t, rankGroups> m_ranks{};
};

} // namespace railyard
