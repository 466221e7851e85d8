#include "core/io/results/reliability_json.h"

#include <cmath>

namespace railyard {
namespace {

Json maybe(const std::optional<double>& value) { return value ? Json(*value) : Json(); }
Json annual(const std::optional<double>& rate) { return rate ? Json(-std::expm1(-*rate)) : Json(); }
Json interval(const Simulated& of) { return Json::array({of.low, of.high}); }

Json toJson(const FailureComponent& row, double hours) {
    return {{"kind", toText(row.kind)},
            {"part", row.part.empty() ? Json() : Json(row.part)},
            {"count", row.count},
            {"afr", annual(row.rate.base)},
            {"rate_per_year", maybe(row.rate.base)},
            {"rate_low_per_year", maybe(row.rate.low)},
            {"rate_high_per_year", maybe(row.rate.high)},
            {"interrupts_job", row.interruptsJob},
            {"reason", row.reason},
            {"expected_failures", maybe(row.expected(hours))},
            {"source", row.rate.source.empty() ? Json() : Json(row.rate.source)}};
}

} // namespace

Json toJson(const Reliability& r, const ReliabilityRequest& request) {
    Json components = Json::array();
    for (const FailureComponent& row : r.components) components.push_back(toJson(row, r.horizonHours));
    Json json{{"schema", "railyard.reliability/1"},
              {"horizon_h", r.horizonHours},
              {"job_gpus", r.jobGpus},
              {"policy", failurePolicyNames[static_cast<std::size_t>(request.policy)]},
              {"placement", toText(request.placement)},
              {"seed", request.placement == Placement::Random ? Json(request.seed) : Json()}, // of the placement
              {"standbys", request.standbys},
              {"components", components},
              {"missing_rates", r.missingRates},
              {"notes", r.notes},
              {"interrupt_probability", maybe(r.probability)},
              {"interrupt_probability_low", maybe(r.probabilityLow)},
              {"interrupt_probability_high", maybe(r.probabilityHigh)},
              {"mttf_h", maybe(r.meanTimeHours)},
              {"mttf_low_h", maybe(r.meanTimeLowHours)},
              {"mttf_high_h", maybe(r.meanTimeHighHours)},
              {"expected_interruptions", r.isKnown ? Json(r.expectedInterruptions()) : Json()},
              {"partition_probability", r.partitionProbability},
              {"checkpoint", Json()}};
    if (r.checkpoint)
        json["checkpoint"] = {{"young_s", r.checkpoint->young.value()},
                              {"daly_s", r.checkpoint->daly.value()},
                              {"interval_s", r.checkpoint->interval.value()},
                              {"ettr_fraction", r.checkpoint->ettr}};
    return json;
}

Json toJson(const SingleFailure& failure) {
    return {{"path", failure.path},
            {"kind", toText(failure.kind)},
            {"count", failure.count},
            {"gpus_lost", failure.gpusLost},
            {"gpus_degraded", failure.gpusDegraded},
            {"bandwidth_left_fraction", maybe(failure.bandwidthLeft)},
            {"interrupts_job", failure.interruptsJob},
            {"failures_per_year", maybe(failure.perYear)}};
}

Json toJson(const PairFailure& pair) {
    return {{"paths", {pair.paths[0], pair.paths[1]}},
            {"gpus_lost", pair.gpusLost},
            {"bandwidth_left_fraction", maybe(pair.bandwidthLeft)},
            {"interrupts_job", pair.interruptsJob}};
}

Json toJson(const std::vector<Remedy>& remedies) {
    const auto dollars = [](const std::optional<Money>& price) { return price ? Json(price->inDollars()) : Json(); };
    Json rows = Json::array();
    for (const Remedy& each : remedies)
        rows.push_back({{"remedy", each.key},
                        {"part", each.part.empty() ? Json() : Json(each.part)},
                        {"count", each.count},
                        {"unit_usd", dollars(each.each)},
                        {"total_usd", dollars(each.total())},
                        {"down_s", each.with.value()},
                        {"down_without_s", each.without.value()}});
    return rows;
}

Json toJson(const Retiling& r) {
    const auto watts = [](const std::optional<Watts>& power) { return power ? Json(power->value()) : Json(); };
    const auto dollars = [](const std::optional<Money>& price) { return price ? Json(price->inDollars()) : Json(); };
    const auto tiling = [&](const std::optional<Tiling>& of) -> Json {
        if (!of) return {};
        return {{"switches", of->switches},
                {"network_usd", of->bill.network.inDollars()},
                {"unpriced_lines", of->unpricedLines()},
                {"network_w", watts(of->bill.networkPower)}};
    };
    return {{"count", r.opticalSwitches},
            {"free_ports", r.freePorts},
            {"unit_usd", dollars(r.price)},
            {"power_w", watts(r.power)},
            {"switching_s", r.switching ? Json(r.switching->value()) : Json()},
            {"rail_optimized", tiling(r.railOptimized)},
            {"rail_only", tiling(r.railOnly)},
            {"power_saved_w", watts(r.powerSaved())},
            {"break_even_usd", dollars(r.breakEven())}};
}

Json toJson(const LeafPolicies& policies) {
    const auto policy = [&](const LeafPolicy& own) -> Json {
        return {{"job_gpus", own.gpus},
                {"iteration_s", own.step.value()},
                {"throughput_change_fraction", own.throughputChange},
                {"restart_s", own.restart.value()},
                {"lost_s", own.lost(policies.repair).value()}};
    };
    const auto turn = policies.turn();
    return {{"leaf", policies.leaf},
            {"model", policies.model},
            {"repair_s", policies.repair.value()},
            {"gpus_leave", policy(policies.leaving)},
            {"forward_over_hb", policy(policies.forwarding)},
            {"better", policies.isForwardingBetter() ? "forward_over_hb" : "gpus_leave"},
            {"turns_at_repair_s", turn ? Json(turn->value()) : Json()}};
}

Json toJson(const MonteCarlo& m) {
    Json spares = Json::object();
    for (const auto& [kind, count] : m.sparesUsed) spares[std::string(toText(kind))] = count;
    return {{"trials", m.trials},
            {"seed", m.seed},
            {"complete", m.isComplete},
            {"interrupt_probability", m.interruptProbability.mean},
            {"ci99", interval(m.interruptProbability)},
            {"ettr_fraction", m.ettr.mean},
            {"ettr_ci99", interval(m.ettr)},
            {"interruptions", m.interruptions.mean},
            {"interruptions_ci99", interval(m.interruptions)},
            {"waiting_fraction", m.waiting.mean},
            {"overhead_fraction", m.overhead.mean},
            {"spares_used", spares}};
}

} // namespace railyard
