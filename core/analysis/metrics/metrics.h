// All metrics of a design, computed once and shown by both the command line and the window.
#pragma once

#include "core/analysis/metrics/latency.h"
#include "core/base/tasks.h"
#include "core/bill/bill.h"
#include "core/bill/pause_headroom.h"
#include "core/bisection/bisection.h"
#include "core/collective/collective.h"
#include "core/reliability/reliability.h"
#include "core/training/training_plan.h"

#include <array>
#include <map>
#include <memory>

namespace railyard {

struct CableCounts {
    std::map<std::string, std::int64_t> byTier, byMedium; // medium "" if no module fits
    std::int64_t cables = 0;                              // as the tables of the vendors count them
    std::int64_t patchCables = 0;                         // bought, labelled and laid
    std::optional<std::int64_t> transceiversLogical;      // two for each link by fibre; empty if the medium of some link is unknown
    std::optional<std::int64_t> pluggables;               // empty if the modules of at least one link are unknown
    std::map<std::string, std::int64_t> pluggablesByPart;
};

struct FloorFigures {
    std::int64_t racks = 0, rows = 0;
    Metres width, depth;                // of the area covered by racks
    Metres cable;                       // total stock length of all cables
    std::optional<Metres> saved;        // cable saved by leaf racks in the middle of their SU; empty if they are elsewhere or moved by hand
    std::optional<Watts> mostRackPower; // of the rack with the highest maximum power; empty if the power of a device is unknown
};

// A storage, in-band or out-of-band network.
struct NetworkFigures {
    std::string name;
    std::int64_t switches = 0, links = 0, cables = 0, patchCables = 0;
    std::optional<std::int64_t> pluggables;

    std::string key() const; // in_band
};

// Fast enough to be recomputed with every edit.
struct InstantMetrics {
    FabricCounts counts;
    CableCounts cables;
    std::array<double, 5> oversubscription{}; // by SwitchTier: total link speed down / up; 0 for the top tier
    Bandwidth injection;                      // total NIC bandwidth of all GPUs
    Bill bill;
    std::optional<FloorFigures> floor; // empty without racks
    std::vector<NetworkFigures> networks;
    std::optional<PauseBuffer> tightestBuffer; // of the Ethernet switches with a published buffer; empty if there is none
    std::int64_t unknownBuffers = 0;           // Ethernet switches without
};

struct NamedCollective {
    CollectiveOp op;
    Bytes size;
    std::optional<CollectiveResult> result; // empty if some GPUs cannot reach each other; `why` states the reason
    std::string why;

    std::string key() const;
};
std::string sizeKey(Bytes size); // 1GiB; a size that is no whole number of a unit is in bytes
// all-reduce@1GiB
std::string collectiveKey(std::string_view op, Bytes size);

// The training job of the design, see core/training/job_request.h.
struct TrainingFigures {
    std::optional<TrainingEstimate> estimate; // empty if the job cannot run; `why` states the reason
    std::string why;
};

struct BackgroundMetrics {
    std::array<Bisection, 3> bisection; // by BisectionKey
    Reliability interrupts;             // of a job on all GPUs over 30 days
    NetworkLatency latency;
    std::vector<NamedCollective> collectives;
    std::optional<TrainingFigures> training; // empty if it was not computed
};

struct Metrics {
    std::string name, recipe, fingerprint;
    InstantMetrics instant;
    BackgroundMetrics background;
    std::shared_ptr<const Cabling> cabling = {}; // that they are of; writers go by it
};

InstantMetrics instantMetrics(const Fabric& fabric);
InstantMetrics instantMetrics(const Fabric& fabric, const Cabling& cabling);
struct Instant {
    enum Part : unsigned {
        Counts = 1,
        Cables = 2,
        Ratios = 4, // oversubscription and injection
        Bill = 8,
        Floor = 16,
        Networks = 32, // beside the compute fabric
        Buffers = 64,
        FromCabling = Cables | Bill | Floor | Networks | Buffers,
        Everything = Counts | Ratios | FromCabling
    };
};
// Only these parts; the others are as in an empty design.
InstantMetrics instantMetrics(const Fabric& fabric, const Cabling& cabling, unsigned parts);
BackgroundMetrics backgroundMetrics(const Fabric& fabric);
Metrics metricsOf(const Fabric& fabric);
std::optional<Metrics> metricsOf(const Fabric& fabric, const TaskContext& context); // empty if a stop came first
TrainingFigures trainingFiguresOf(const Fabric& fabric);

} // namespace railyard
