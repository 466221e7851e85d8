#include "core/io/results/results_json.h"

#include "core/collective/algorithms/algorithm_table.h"

namespace railyard {
namespace {

template <class T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}
Json dollars(const std::optional<Money>& money) { return money ? Json(money->inDollars()) : Json(); }
Json wattsJson(const std::optional<Watts>& power) { return power ? Json(power->value()) : Json(); }

Json countsJson(const InstantMetrics& m) {
    Json byTier = Json::object(), linksByTier = Json::object(), byMedium = Json::object(), cablesByTier = Json::object(),
         byPart = Json::object();
    for (std::size_t t = 1; t < m.counts.switchesByTier.size(); ++t)
        if (m.counts.switchesByTier[t] > 0) byTier[std::string(toText(static_cast<SwitchTier>(t)))] = m.counts.switchesByTier[t];
    for (std::size_t t = 0; t < static_cast<std::size_t>(LinkTier::Hb); ++t)
        if (m.counts.linksByTier[t] > 0) linksByTier[std::string(toText(static_cast<LinkTier>(t)))] = m.counts.linksByTier[t];
    for (const auto& [name, count] : m.cables.byTier) cablesByTier[name] = count;
    for (const auto& [name, count] : m.cables.byMedium) byMedium[name] = count;
    for (const auto& [name, count] : m.cables.pluggablesByPart) byPart[name] = count;
    return {{"gpus", m.counts.gpus},
            {"servers", m.counts.servers},
            {"hb_domains", m.counts.hbDomains},
            {"rails", m.counts.rails},
            {"planes", m.counts.planes},
            {"tiers", m.counts.tiers},
            {"switches", m.counts.switches},
            {"switches_by_tier", byTier},
            {"links", m.counts.links},
            {"links_by_tier", linksByTier},
            {"cables", m.cables.cables},
            {"cables_by_tier", cablesByTier},
            {"cables_by_medium", byMedium},
            {"transceivers_logical", orNull(m.cables.transceiversLogical)},
            {"pluggables", orNull(m.cables.pluggables)},
            {"pluggables_by_part", byPart},
            {"switch_ports", m.counts.switchPorts},
            {"switch_ports_used", m.counts.switchPortsUsed}};
}

Json costJson(const Bill& bill) {
    Json byCategory = Json::object();
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c) byCategory[std::string(billCategoryNames[c])] = dollars(bill.byCategory[c]);
    return {{"network_usd", bill.network.inDollars()}, {"total_usd", bill.total.inDollars()}, {"low_usd", bill.low.inDollars()},
            {"high_usd", bill.high.inDollars()},       {"by_category_usd", byCategory},       {"unpriced_lines", bill.unpricedLines}};
}

Json powerJson(const Bill& bill) {
    Json byCategory = Json::object();
    for (std::size_t c = 0; c < poweredCategories; ++c) byCategory[std::string(billCategoryNames[c])] = wattsJson(bill.watts[c]);
    return {{"network_w", wattsJson(bill.networkPower)},
            {"total_w", wattsJson(bill.totalPower)},
            {"by_category_w", byCategory},
            {"facility_w", wattsJson(bill.facilityPower())},
            {"energy_usd_year", orNull(bill.energyPerYear())},
            {"space_usd_year", orNull(bill.spacePerYear())},
            {"unknown_parts", bill.unknownPower}};
}

Json floorJson(const std::optional<FloorFigures>& floor) {
    const auto metres = [](const std::optional<Metres>& length) { return length ? Json(length->value()) : Json(); };
    if (!floor)
        return {{"racks", nullptr},   {"rows", nullptr},          {"width_m", nullptr},          {"depth_m", nullptr},
                {"cable_m", nullptr}, {"cable_saved_m", nullptr}, {"most_rack_power_w", nullptr}};
    return {{"racks", floor->racks},
            {"rows", floor->rows},
            {"width_m", floor->width.value()},
            {"depth_m", floor->depth.value()},
            {"cable_m", floor->cable.value()},
            {"cable_saved_m", metres(floor->saved)},
            {"most_rack_power_w", wattsJson(floor->mostRackPower)}};
}

Json sidesJson(const std::vector<SideFigures>& sides) {
    Json json = Json::object();
    for (const SideFigures& side : sides)
        json[side.key()] = {
            {"switches", side.switches}, {"links", side.links}, {"cables", side.cables}, {"pluggables", orNull(side.pluggables)}};
    return json;
}

Json latencyJson(const NetworkLatency& latency) {
    const auto seconds = [](const std::optional<PathLatency>& path) { return path ? Json(path->total().value()) : Json(); };
    return {{"mean_s", seconds(latency.mean)}, {"longest_s", seconds(latency.longest)}};
}

Json secondsOrNull(const std::optional<CollectiveTime>& candidate) { return candidate ? Json(candidate->time.value()) : Json(); }

Json collectivesJson(const BackgroundMetrics& background) {
    Json list = Json::array();
    for (const NamedCollective& named : background.collectives) {
        Json row{{"op", toText(named.op)}, {"size_bytes", named.size.count()}};
        row["time_s"] = named.result ? Json(named.result->best.time.value()) : Json();
        row["busbw_gbytes_s"] = named.result ? Json(named.result->busbwGbytesPerSecond) : Json();
        row["algorithm"] = named.result ? Json(toText(named.result->best.algorithm)) : Json();
        row["protocol"] = named.result ? Json(toText(named.result->best.protocol)) : Json();
        row["time_low_s"] = named.result ? secondsOrNull(named.result->favourable) : Json();
        row["time_high_s"] = named.result ? secondsOrNull(named.result->adverse) : Json();
        if (!named.result) row["reason"] = named.why;
        list.push_back(row);
    }
    return list;
}

} // namespace

Json toJson(const Bisection& b) {
    Json cut = Json::object();
    for (const auto& [tier, links] : b.cutLinks) cut[tier] = links;
    return {{"lower_gbps", b.lowerGbps}, {"upper_gbps", b.upperGbps},
            {"certified", b.certified},  {"fraction_of_injection", orNull(b.fractionOfInjection)},
            {"method", b.method},        {"cut_links", cut}};
}

Json toJson(const Metrics& m) {
    Json ratios = Json::object(), bisections = Json::object();
    for (std::size_t t = 1; t < m.instant.oversubscription.size(); ++t)
        if (m.instant.counts.switchesByTier[t] > 0) ratios[std::string(toText(static_cast<SwitchTier>(t)))] = m.instant.oversubscription[t];
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb})
        bisections[std::string(toText(key))] = toJson(m.background.bisection[static_cast<std::size_t>(key)]);
    const Interrupts& failure = m.background.interrupts;
    return {{"schema", "railyard.metrics/1"},
            {"name", m.name},
            {"recipe", m.recipe.empty() ? Json() : Json(m.recipe)},
            {"fingerprint", m.fingerprint},
            {"counts", countsJson(m.instant)},
            {"ratios", {{"oversubscription_by_tier", ratios}, {"injection_gbps", inGbps(m.instant.injection)}}},
            {"bisection", bisections},
            {"cost", costJson(m.instant.bill)},
            {"power", powerJson(m.instant.bill)},
            {"floor", floorJson(m.instant.floor)},
            {"networks", sidesJson(m.instant.sides)},
            {"failure",
             {{"interrupt_probability", orNull(failure.probability)},
              {"horizon_h", failure.horizonHours},
              {"mttf_h", orNull(failure.meanTimeHours)}}},
            {"latency", latencyJson(m.background.latency)},
            {"collectives", collectivesJson(m.background)}};
}

Json toJson(const Explanation& e) {
    Json inputs = Json::array();
    for (const ExplainedInput& input : e.inputs)
        inputs.push_back({{"name", input.name},
                          {"value", orNull(input.value)},
                          {"unit", input.unit},
                          {"source", input.source},
                          {"confidence", input.confidence}});
    return {{"schema", "railyard.explain/1"},
            {"key", e.key},
            {"value", orNull(e.value)},
            {"unit", e.unit},
            {"formula", e.formula.empty() ? Json() : Json(e.formula)},
            {"inputs", inputs},
            {"confidence", e.value ? Json(e.confidence()) : Json()},
            {"note", e.note}};
}

Json toJson(const CollectiveResult& r) {
    Json phases = Json::array(), alternatives = Json::array();
    for (const CollectivePhase& phase : r.best.phases)
        phases.push_back({{"name", phase.name},
                          {"time_s", phase.time().value()},
                          {"latency_s", r.library ? Json(phase.latency.value()) : Json()},
                          {"bytes", phase.bytes},
                          {"efficiency_fraction", phase.ideal / phase.transfer()},
                          {"hidden_latency_s", phase.hidden.value()},
                          {"exposed_fraction", phase.exposed},
                          {"bottleneck", phase.bottleneck}});
    for (const CollectiveTime& candidate : r.alternatives) {
        alternatives.push_back({{"algorithm", toText(candidate.algorithm)},
                                {"protocol", toText(candidate.protocol)},
                                {"time_s", candidate.time.value()},
                                {"in_library", candidate.isInLibrary}});
        if (candidate.algorithm != Algorithm::Hierarchical) continue;
        alternatives.back()["overlapped_s"] = candidate.overlapped().value();
        alternatives.back()["serialised_s"] = candidate.serialised().value();
    }
    return {{"schema", "railyard.collective/1"},
            {"op", toText(r.op)},
            {"size_bytes", r.size.count()},
            {"ranks", r.ranks},
            {"algorithm", toText(r.best.algorithm)},
            {"protocol", toText(r.best.protocol)},
            {"time_s", r.best.time.value()},
            {"time_low_s", secondsOrNull(r.favourable)},
            {"time_high_s", secondsOrNull(r.adverse)},
            {"algbw_gbytes_s", r.algbwGbytesPerSecond},
            {"busbw_gbytes_s", r.busbwGbytesPerSecond},
            {"latency_s", r.library ? Json(r.best.latency().value()) : Json()},
            {"library", r.library ? Json(r.library->name) : Json()},
            {"transport", toText(r.transport)},
            {"lower_bound_s", r.lowerBound.value()},
            {"bytes", {{"hb", r.best.hbBytes}, {"nic", r.best.nicBytes}}},
            {"phases", phases},
            {"alternatives", alternatives},
            {"max_link_utilisation_fraction", r.best.maxLinkUtilisation}};
}

Json toJson(const HeatGrid& grid) {
    Json rows = Json::array(), notes = Json::array();
    for (std::size_t y = 0; y < grid.y.size(); ++y) {
        Json row = Json::array(), noteRow = Json::array();
        for (std::size_t x = 0; x < grid.x.size(); ++x) {
            row.push_back(orNull(grid.values[grid.at(x, y)]));
            noteRow.push_back(grid.notes[grid.at(x, y)]);
        }
        rows.push_back(row);
        notes.push_back(noteRow);
    }
    Json json{{"schema", "railyard.heatmap/1"},
              {"title", grid.title},
              {"x", {{"name", grid.xName}, {"values", grid.x}}},
              {"y", {{"name", grid.yName}, {"values", grid.y}}},
              {"value", grid.valueName},
              {"values", rows},
              {"notes", notes}};
    if (!grid.undecided.empty())
        for (std::size_t y = 0; y < grid.y.size(); ++y) {
            Json row = Json::array();
            for (std::size_t x = 0; x < grid.x.size(); ++x) row.push_back(static_cast<bool>(grid.undecided[grid.at(x, y)]));
            json["undecided"].push_back(row);
        }
    return json;
}

Json toJson(const std::vector<Diagnostic>& found) {
    Json list = Json::array();
    for (const Diagnostic& d : found)
        list.push_back({{"code", d.code},
                        {"severity", toText(d.severity)},
                        {"text", d.text},
                        {"subject", d.subject},
                        {"hint", d.hint},
                        {"fix", d.fix.empty() ? Json() : Json(d.fix)},
                        {"count", d.count},
                        {"approved", d.approved.empty() ? Json() : Json(d.approved)}});
    return list;
}

} // namespace railyard
