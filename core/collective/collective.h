// Collective times on a fabric: bytes divided by the bandwidth at the bottleneck, plus the latencies and the efficiency of the
// communication library of the GPUs. Formulas and their sources: docs/engine.md.
#pragma once

#include "core/collective/communicator/communicator_links.h"
#include "core/collective/library/calibration_json.h"
#include "core/collective/operation/operation.h"

#include <memory>
#include <optional>
#include <vector>

namespace railyard {

// The bandwidth of a group of ranks, computed once for a fabric and reused for all sizes and operations.
class Communicator {
public:
    // The first `ranks` GPUs in this order; 0 = all GPUs.
    static Result<Communicator> create(const Fabric& fabric, std::int64_t ranks, RankOrder order,
                                       const Calibration& calibration = shippedCalibration(), const KnownOfFabric& known = {});
    // These GPUs, starting with rank 0, each of them once. HB domains are ordered by their first rank.
    static Result<Communicator> create(const Fabric& fabric, const std::vector<DeviceId>& gpus,
                                       const Calibration& calibration = shippedCalibration(), const KnownOfFabric& known = {});
    Result<CollectiveResult> time(CollectiveOp op, Bytes size, const CollectiveRequest& request = {}) const;
    // The fastest time with these constants; empty if some GPUs cannot reach each other.
    std::optional<Seconds> timeAt(CollectiveOp op, Bytes size, const Estimate& estimate) const;

    std::int64_t ranks() const { return m_links.ranks; }
    std::int64_t largestDomain() const { return m_links.largest; }
    std::int64_t domains() const { return m_links.domains; }
    const CommunicatorLinks& links() const { return m_links; }

private:
    std::vector<CollectiveTime> timesOf(CollectiveOp op, double bytes, const Estimate& estimate, Algorithm asked, bool usesOwnNics) const;
    CommunicatorLinks m_links;
    // What a library may do instead where that is faster: leave out the NICs that have lost some of their ports, balance the others.
    std::vector<std::shared_ptr<const CommunicatorLinks>> m_alternatives;
};

} // namespace railyard
