// The parts of a cluster that a job uses, and those of which one failure interrupts it.
#pragma once

#include "core/bill/cabling.h"
#include "core/fabric/switch_graph.h"
#include "core/reliability/rates.h"

#include <map>

namespace railyard {

// Strict: a NIC that loses its only path interrupts the job. Tolerant: HB forwarding carries on, so that only lost GPUs and HB domains
// without any path do.
enum class FailurePolicy { Strict, Tolerant };
inline constexpr std::array<std::string_view, 2> failurePolicyNames{"strict", "tolerant"};

enum class PartUse : std::uint8_t { None, Used, Interrupts }; // by the job

struct FailedTogether {
    std::vector<DeviceId> devices; // GPUs, NICs, switches, all of a server
    std::vector<LinkId> links;     // of the network
};
struct JointLoss {
    std::vector<ServerId> servers; // of the job, that fail or lose their only path
    std::vector<DeviceId> gpus;    // of the job: those of these servers
    bool dividesJob = false;       // what remains of the job is in several parts
    bool interruptsJob() const { return !gpus.empty() || dividesJob; }
};

struct JobParts {
    std::vector<DeviceId> gpus; // as placed
    std::vector<DeviceId> nics; // of these GPUs
    std::vector<ServerId> servers;
    std::vector<DomainId> domains;      // those with HB switches or direct HB links between GPUs of the job
    By<DeviceId, PartUse> devices;      // GPUs, NICs and switches of the network
    By<LinkId, PartUse> links;          // network links
    DeviceTable::Of<ServerId> serverOf; // of GPUs and NICs; none if outside
    SwitchGraph graph;                  // with cables between two NICs as nodes
    FailedTogether failed;              // what has failed already, of a fabric after failures
    JointLoss lost;                     // and what that takes
};
JobParts jobPartsOf(const Fabric& fabric, std::vector<DeviceId> gpus, FailurePolicy policy);

bool usesAnyOf(const JobParts& parts, const std::vector<DeviceId>& devices);
PartKind kindOfTier(SwitchTier tier);

// NVLink switch trays of rack systems, by the HB domains of these GPUs.
std::map<DomainId, std::int64_t> switchTraysOf(const Fabric& fabric, const std::vector<DeviceId>& gpus);

// All parts of a kind and catalogue part that a failure affects alike. A kind of which only some interrupt has two rows.
struct FailureComponent {
    PartKind kind = PartKind::Gpu;
    std::string part; // catalogue ID, where the rate is of a part; empty for links
    std::int64_t count = 0;
    bool interruptsJob = false;
    YearlyRate rate;
    std::string reason; // of "yes" or "no": "its server leaves the job"

    std::optional<double> hazard{}; // of one within the horizon: exp(-hazard) is the probability that it does not fail

    std::optional<double> expected(double hours) const; // failures; empty without a base rate
};
// In the order of PartKind, first what interrupts. `isStalled`: a failure that leaves other paths takes longer to get round than the
// library waits, so that all used parts of the network interrupt the job. `cabling`: null leaves out optics.
std::vector<FailureComponent> componentsOf(const Fabric& fabric, const JobParts& parts, const Rates& rates, FailurePolicy policy,
                                           bool isStalled, const Cabling* cabling);

// One row for all parts of a kind that have the same rate: as people read them.
std::vector<FailureComponent> byKind(const std::vector<FailureComponent>& components);

} // namespace railyard
