#include "core/analysis/metrics/analysis_table.h"

#include <algorithm>

namespace railyard {
namespace {

void findBisections(const AnalysisInput& input, const std::stop_token& stop, BackgroundMetrics& into) {
    if (auto found = bisections(input.fabric, stop)) into.bisection = std::move(*found);
}

void findInterrupts(const AnalysisInput& input, const std::stop_token&, BackgroundMetrics& into) {
    into.interrupts = usualReliability(input.fabric);
}

void findLatency(const AnalysisInput& input, const std::stop_token&, BackgroundMetrics& into) {
    into.latency = latencyOf(input.fabric, input.cabling);
}

void timeCollectives(const AnalysisInput& input, const std::stop_token& stop, BackgroundMetrics& into) {
    std::vector<NamedCollective> timed;
    auto group = Communicator::create(input.fabric, 0, RankOrder::Near, shippedCalibration(), {.graph = nullptr, .isKept = true});
    for (const auto& [op, size] : {std::pair(CollectiveOp::AllReduce, Bytes(std::int64_t{1} << 30)),
                                   std::pair(CollectiveOp::AllToAll, Bytes(std::int64_t{256} << 20))}) {
        if (stop.stop_requested()) return;
        NamedCollective named{op, size, {}, {}};
        if (!group) {
            named.why = group.error().text;
        } else if (auto result = group->time(op, size)) {
            named.result = std::move(*result);
        } else {
            named.why = result.error().text;
        }
        timed.push_back(std::move(named));
    }
    into.collectives = std::move(timed);
}

void estimateJob(const AnalysisInput& input, const std::stop_token&, BackgroundMetrics& into) {
    into.training = trainingFiguresOf(input.fabric);
}

// Those that take longest after failures stand first.
constexpr Analysis table[] = {
    {"bisection", Analysis::Network, findBisections, [](BackgroundMetrics& of) { of.bisection = {}; }},
    {"collectives", Analysis::Network, timeCollectives, [](BackgroundMetrics& of) { of.collectives.clear(); }},
    {"training", Analysis::Network | Analysis::Job, estimateJob, [](BackgroundMetrics& of) { of.training.reset(); }},
    {"latency", Analysis::Network | Analysis::Lengths, findLatency,
     [](BackgroundMetrics& of) {
         of.latency = {{}, {}, "it is being computed"};
     }},
    {"interrupts", Analysis::Network | Analysis::Rates, findInterrupts, [](BackgroundMetrics& of) { of.interrupts = {}; }},
};

// Of the same network.
bool haveSameLengths(const AnalysisInput& a, const AnalysisInput& b) {
    const auto haveSameLength = [](const OpticChoice& x, const OpticChoice& y) { return x.ordered == y.ordered; };
    if (a.cabling.choice == b.cabling.choice &&
        std::equal(a.cabling.choices.begin(), a.cabling.choices.end(), b.cabling.choices.begin(), b.cabling.choices.end(), haveSameLength))
        return true; // as a rule, and quick, because the window waits
    for (const CabledLinkId l : a.cabling.links.ids())
        if (a.cabling.choiceOf(l).ordered != b.cabling.choiceOf(l).ordered) return false;
    return true;
}

} // namespace

std::span<const Analysis> analysisTable() { return table; }

unsigned changedInputs(const AnalysisInput& before, const AnalysisInput& after) {
    if (!isSameNetwork(before.fabric, after.fabric)) return Analysis::Everything;
    unsigned changed = Analysis::Nothing;
    if (&before.cabling != &after.cabling && !haveSameLengths(before, after)) changed |= Analysis::Lengths;
    if (before.fabric.design->training != after.fabric.design->training) changed |= Analysis::Job;
    if (before.fabric.design->reliability != after.fabric.design->reliability || before.fabric.design->ocs != after.fabric.design->ocs)
        changed |= Analysis::Rates;
    return changed;
}

BackgroundMetrics without(unsigned changed, BackgroundMetrics known) {
    for (const Analysis& row : table)
        if ((row.reads & changed) != 0) row.clear(known);
    return known;
}

std::optional<BackgroundMetrics> runAnalyses(const AnalysisInput& input, unsigned changed, BackgroundMetrics known,
                                             const TaskContext& context) {
    std::vector<const Analysis*> wanted;
    for (const Analysis& row : table)
        if ((row.reads & changed) != 0) wanted.push_back(&row);
    // Each writes members of its own.
    runTasks<bool>(wanted.size(), context, [&](std::size_t i) { return wanted[i]->run(input, context.stop, known), true; });
    if (context.stop.stop_requested()) return {};
    return known;
}

} // namespace railyard
