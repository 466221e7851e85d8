#include "core/collective/operation/operation.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <array>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 9> opNames{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast",
                                                  "reduce",     "gather",     "scatter",        "p2p"};

} // namespace

std::string_view toText(CollectiveOp op) { return opNames[static_cast<std::size_t>(op)]; }

std::optional<CollectiveOp> collectiveOpFrom(std::string_view text) {
    for (std::size_t i = 0; i < opNames.size(); ++i)
        if (opNames[i] == text) return static_cast<CollectiveOp>(i);
    return {};
}

// nccl-tests, doc/PERFORMANCE.md.
double busbwFactor(CollectiveOp op, std::int64_t ranks) {
    const auto n = static_cast<double>(ranks);
    switch (op) {
    case CollectiveOp::AllReduce: return 2 * (n - 1) / n;
    case CollectiveOp::AllGather:
    case CollectiveOp::ReduceScatter:
    case CollectiveOp::AllToAll:
    case CollectiveOp::Gather:
    case CollectiveOp::Scatter: return (n - 1) / n;
    default: return 1;
    }
}

std::string timeText(const CollectiveResult& result) { return (result.library ? "" : "≥ ") + formatSeconds(result.best.time); }

Seconds CollectiveTime::latency() const {
    Seconds sum;
    for (const CollectivePhase& phase : phases) sum += phase.latency;
    return sum;
}

Seconds CollectiveTime::transfers() const {
    Seconds sum;
    for (const CollectivePhase& phase : phases) sum += phase.ideal / phase.share * phase.exposed;
    return sum;
}

Seconds CollectiveTime::serialised() const {
    Seconds sum;
    for (const CollectivePhase& phase : phases) sum += phase.latency + phase.transfer();
    return sum;
}

Seconds CollectiveTime::overlapped() const {
    Seconds longest;
    for (const CollectivePhase& phase : phases) longest = std::max(longest, phase.transfer());
    return latency() + longest;
}

} // namespace railyard
