#include "core/analysis/figures/explain.h"

#include "core/analysis/figures/explain_bill.h"
#include "core/analysis/figures/explain_book.h"
#include "core/analysis/figures/explain_collectives.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <functional>

namespace railyard {
namespace {

// From firm to weak.
constexpr std::array<std::string_view, 7> confidences{"counted",    "computed", "datasheet",      "published-price",
                                                      "assumption", "derived",  "street-estimate"};

std::size_t rankOf(const std::string& confidence) {
    const auto it = std::find(confidences.begin(), confidences.end(), confidence);
    return it == confidences.end() ? confidences.size() - 1 : static_cast<std::size_t>(it - confidences.begin());
}

void explainCounts(ExplanationBook& book, const Fabric& fabric, const Metrics& m) {
    const InstantMetrics& i = m.instant;
    const std::string devices = "exported devices.csv: rows with ";
    book.counted("counts.gpus", i.counts.gpus, devices + "kind gpu");
    book.counted("counts.servers", i.counts.servers, "exported devices.csv: distinct values of server");
    book.counted("counts.hb_domains", i.counts.hbDomains, "exported devices.csv: distinct values of hb_domain of GPUs");
    book.counted("counts.rails", i.counts.rails, "exported devices.csv: distinct rails of NICs");
    book.counted("counts.planes", i.counts.planes, "exported devices.csv: distinct planes of switches");
    book.counted("counts.tiers", i.counts.tiers, "highest switch tier in use");
    std::vector<ExplainedInput> tiers;
    for (std::size_t t = 1; t < i.counts.switchesByTier.size(); ++t) {
        if (i.counts.switchesByTier[t] == 0) continue;
        const std::string tier(toText(static_cast<SwitchTier>(t)));
        tiers.push_back({tier, static_cast<double>(i.counts.switchesByTier[t]), "", devices + "kind switch, tier " + tier, "counted"});
    }
    book.sum("counts.switches", static_cast<double>(i.counts.switches), "", tiers);
    for (const ExplainedInput& tier : tiers) book.counted("counts.switches_by_tier." + tier.name, *tier.value, tier.source);
    std::vector<ExplainedInput> links;
    for (std::size_t t = 0; t < static_cast<std::size_t>(LinkTier::Hb); ++t) {
        if (i.counts.linksByTier[t] == 0) continue;
        const std::string tier(toText(static_cast<LinkTier>(t)));
        links.push_back({tier, static_cast<double>(i.counts.linksByTier[t]), "", "exported links.csv: rows with tier " + tier, "counted"});
    }
    book.sum("counts.links", static_cast<double>(i.counts.links), "", links);
    for (const ExplainedInput& tier : links) book.counted("counts.links_by_tier." + tier.name, *tier.value, tier.source);
    const auto counts = [&](const std::string& total, double value, const std::string& parts, const std::map<std::string, std::int64_t>& by,
                            const std::string& source) {
        std::vector<ExplainedInput> inputs;
        for (const auto& [name, count] : by) inputs.push_back({name, static_cast<double>(count), "", source + name, "counted"});
        if (!total.empty()) book.sum(total, value, "", inputs);
        for (const ExplainedInput& input : inputs) book.counted(parts + "." + input.name, *input.value, input.source);
    };
    counts("counts.cables", static_cast<double>(i.cables.cables), "counts.cables_by_tier", i.cables.byTier,
           "exported links.csv: distinct cables with tier ");
    counts("", 0, "counts.cables_by_medium", i.cables.byMedium, "exported links.csv: distinct cables with medium ");
    if (!i.cables.transceiversLogical)
        book.unknown("counts.transceivers_logical", "", "the catalogue has no module for some of the links, so their medium is unknown");
    else
        book.add(
            {"counts.transceivers_logical",
             "",
             static_cast<double>(*i.cables.transceiversLogical),
             "2 * optical_links",
             {{"optical_links", static_cast<double>(*i.cables.transceiversLogical) / 2, "", "links that use fibre and modules", "counted"}},
             "Each optical link has a transceiver at both ends."});
    if (i.cables.pluggables)
        counts("counts.pluggables", static_cast<double>(*i.cables.pluggables), "counts.pluggables_by_part", i.cables.pluggablesByPart,
               "cages with at least one cable that hold ");
    else
        book.unknown("counts.pluggables", "", "the catalogue has no module for some of the cages");
    if (!i.cables.pluggables)
        counts("", 0, "counts.pluggables_by_part", i.cables.pluggablesByPart, "cages with at least one cable that hold ");
    std::map<std::pair<std::string, int>, double> ports;
    double ends = 0;
    for (std::size_t d = 0; d < fabric.devices.size(); ++d)
        if (fabric.devices.kind[d] == DeviceKind::Switch) ports[{fabric.partIds[fabric.devices.part[d]], fabric.portCount(d)}] += 1;
    for (std::size_t l = 0; l < fabric.links.size(); ++l)
        if (fabric.isNetworkLink(l))
            ends += (fabric.devices.kind[fabric.links.a[l]] == DeviceKind::Switch) +
                    (fabric.devices.kind[fabric.links.b[l]] == DeviceKind::Switch);
    std::vector<std::pair<ExplainedInput, ExplainedInput>> products;
    for (const auto& [key, count] : ports) {
        const std::string name = fmt::format("{}_{}", key.first.empty() ? "switch" : key.first, key.second);
        products.push_back({{"count_" + name, count, "", devices + "kind switch, part " + key.first, "counted"},
                            {"ports_" + name, static_cast<double>(key.second), "", "ports of each of these switches", "counted"}});
    }
    book.products("counts.switch_ports", static_cast<double>(i.counts.switchPorts), "", products);
    book.counted("counts.switch_ports_used", ends, "exported links.csv: link ends on switches, without tiers hb and pcie");
}

void explainRatios(ExplanationBook& book, const Fabric& fabric, const Metrics& m) {
    std::array<double, 5> down{}, up{};
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (!fabric.isNetworkLink(l)) continue;
        down[static_cast<std::size_t>(fabric.devices.tier[fabric.links.b[l]])] += inGbps(fabric.speedOf(l));
        up[static_cast<std::size_t>(fabric.devices.tier[fabric.links.a[l]])] += inGbps(fabric.speedOf(l));
    }
    for (std::size_t t = 1; t < down.size(); ++t) {
        if (m.instant.counts.switchesByTier[t] == 0) continue;
        const std::string tier(toText(static_cast<SwitchTier>(t)));
        const ExplainedInput below{"down_gbps", down[t], "Gb/s", "exported links.csv: total speed of the links from below to tier " + tier,
                                   "counted"};
        const ExplainedInput above{"up_gbps", up[t], "Gb/s", "exported links.csv: total speed of the links upwards from tier " + tier,
                                   "counted"};
        book.add({"ratios.oversubscription_by_tier." + tier, "", m.instant.oversubscription[t], up[t] > 0 ? "down_gbps / up_gbps" : "0",
                  up[t] > 0 ? std::vector{below, above} : std::vector<ExplainedInput>{}, up[t] > 0 ? "" : "The top tier has no uplinks."});
    }
    std::map<double, double> speeds; // GPUs by the speed of their NIC ports
    const Endpoints gpus = endpointsOf(fabric, switchGraphOf(fabric), BisectionKey::GpuNetworkOnly);
    for (const double speed : gpus.speed) speeds[speed / 1e9] += 1;
    std::vector<std::pair<ExplainedInput, ExplainedInput>> products;
    for (const auto& [speed, count] : speeds)
        products.push_back(
            {{fmt::format("gpus_at_{:g}", speed), count, "", "GPUs with this NIC bandwidth on the fabric", "counted"},
             {fmt::format("nic_{:g}_gbps", speed), speed, "Gb/s", "NIC bandwidth of one GPU (its share if GPUs share a NIC)", "counted"}});
    book.products("ratios.injection_gbps", inGbps(m.instant.injection), "Gb/s", products);
}

void explainBisection(ExplanationBook& book, const Metrics& m) {
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const Bisection& b = m.background.bisection[static_cast<std::size_t>(key)];
        const std::string at = fmt::format("bisection.{}.", toText(key));
        const ExplainedInput upper{"upper_gbps", b.upperGbps, "Gb/s", at + "upper_gbps", "computed"};
        if (b.certified)
            book.add({at + "lower_gbps", "Gb/s", b.lowerGbps, "upper_gbps", {upper}, "Certified (" + b.method + ")."});
        else
            book.add({at + "lower_gbps",
                      "Gb/s",
                      b.lowerGbps,
                      "bound_gbps",
                      {{"bound_gbps", b.lowerGbps, "Gb/s", b.method + " (docs/engine.md)", "computed"}},
                      "No balanced partition has a smaller cut."});
        std::vector<ExplainedInput> tiers;
        for (const auto& [tier, gbps] : b.cutGbps)
            tiers.push_back({tier + "_gbps", gbps, "Gb/s",
                             fmt::format("{} links of tier {} crossed by the witness cut", b.cutLinks.at(tier), tier), "counted"});
        book.sum(at + "upper_gbps", b.upperGbps, "Gb/s", tiers, "Capacity of the smallest balanced cut found.");
        if (b.fractionOfInjection)
            book.add({at + "fraction_of_injection",
                      "",
                      *b.fractionOfInjection,
                      "upper_gbps / half_injection_gbps",
                      {upper,
                       {"half_injection_gbps", b.halfInjectionGbps, "Gb/s",
                        "sum of the slower half of the endpoint speeds in the intact design", "counted"}},
                      ""});
        else
            book.unknown(at + "fraction_of_injection", "", "no endpoint injects traffic");
        for (const auto& [tier, links] : b.cutLinks)
            book.counted(at + "cut_links." + tier, static_cast<double>(links),
                         "exported links.csv: links of this tier crossed by the witness cut");
    }
}

void explainFailure(ExplanationBook& book, const Fabric& fabric, const Metrics& m) {
    const Interrupts& f = m.background.interrupts;
    std::string rates;
    std::vector<ExplainedInput> inputs;
    for (const FailureComponent& part : f.components) {
        const FailureRate* rate = fabric.design->catalog->rate(part.source);
        const std::string name = identifier(part.kind);
        rates += fmt::format("{}{}_count * {}_rate", rates.empty() ? "" : " + ", name, name);
        inputs.push_back(
            {name + "_count", static_cast<double>(part.count), "", "components whose failure interrupts a job on all GPUs", "counted"});
        inputs.push_back(
            {name + "_rate", part.ratePerYear, "1/year", rate ? rate->source : part.source, rate ? rate->confidence : "derived"});
    }
    const ExplainedInput year{"hours_per_year", hoursPerYear, "h", "by definition", "assumption"};
    if (f.probability) {
        std::vector<ExplainedInput> all = inputs;
        all.push_back({"horizon_h", f.horizonHours, "h", "30 days, by definition of the metric", "assumption"});
        all.push_back(year);
        book.add({"failure.interrupt_probability", "", *f.probability, fmt::format("1 - exp(-(({}) * horizon_h / hours_per_year))", rates),
                  all, "Assumes constant failure rates and independent failures."});
    } else {
        book.unknown("failure.interrupt_probability", "", "the job uses no components");
    }
    book.add({"failure.horizon_h", "h", f.horizonHours, "30 * 24", {}, ""});
    inputs.push_back(year);
    if (f.meanTimeHours)
        book.add({"failure.mttf_h", "h", *f.meanTimeHours, fmt::format("hours_per_year / ({})", rates), inputs, ""});
    else
        book.unknown("failure.mttf_h", "h", "the job uses no components");
}

void explainLatency(ExplanationBook& book, const NetworkLatency& latency) {
    for (const bool isMean : {true, false}) {
        const std::string key = isMean ? "latency.mean_s" : "latency.longest_s", which = isMean ? "a path, mean" : "the longest path";
        const auto& path = isMean ? latency.mean : latency.longest;
        if (!path) {
            book.unknown(key, "s", latency.why);
            continue;
        }
        book.add(
            {key,
             "s",
             path->total().value(),
             "switches_s + serialisation_s + cable_m * seconds_per_m",
             {{"switches_s", path->switches.value(), "s", "latency of the switches of " + which + ", from their data sheets", "datasheet"},
              {"serialisation_s", path->serialisation.value(), "s",
               fmt::format("{:g} bytes at the speed of each link of {}", serialisedBytes, which), "counted"},
              {"cable_m", path->cable.value(), "m", "exported links.csv: length_m of the links of " + which, "counted"},
              {"seconds_per_m", cableSecondsPerMetre, "s/m", "signal speed of about two thirds of that of light in vacuum", "assumption"}},
             isMean ? "One way, without load, between the NIC ports of two GPUs of different HB domains; mean of all pairs with a path."
                    : "One way, without load, between the NIC ports of two GPUs of different HB domains."});
    }
}

} // namespace

std::string Explanation::confidence() const {
    std::string weakest = "counted";
    for (const ExplainedInput& input : inputs)
        if (rankOf(input.confidence) > rankOf(weakest)) weakest = input.confidence;
    return weakest;
}

std::string identifier(const std::string& text) {
    std::string name;
    for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) ? "_" + name : name;
}

void ExplanationBook::counted(const std::string& key, double value, const std::string& source, const std::string& unit) {
    add({key, unit, value, "count", {{"count", value, unit, source, "counted"}}, ""});
}

void ExplanationBook::unknown(const std::string& key, const std::string& unit, const std::string& why) {
    add({key, unit, {}, "", {}, "Unknown: " + why + "."});
}

void ExplanationBook::sum(const std::string& key, double value, const std::string& unit, std::vector<ExplainedInput> inputs,
                          const std::string& note) {
    std::string formula;
    for (ExplainedInput& input : inputs) {
        input.name = identifier(input.name);
        formula += (formula.empty() ? "" : " + ") + input.name;
    }
    add({key, unit, value, formula.empty() ? "0" : formula, std::move(inputs), note});
}

void ExplanationBook::products(const std::string& key, double value, const std::string& unit,
                               const std::vector<std::pair<ExplainedInput, ExplainedInput>>& terms, const std::string& note) {
    std::string formula;
    std::vector<ExplainedInput> inputs;
    for (auto [a, b] : terms) {
        a.name = identifier(a.name);
        b.name = identifier(b.name);
        formula += fmt::format("{}{} * {}", formula.empty() ? "" : " + ", a.name, b.name);
        inputs.push_back(a);
        inputs.push_back(b);
    }
    add({key, unit, value, formula.empty() ? "0" : formula, std::move(inputs), note});
}

std::vector<Explanation> explainAll(const Fabric& fabric, const Metrics& metrics) {
    ExplanationBook book;
    explainCounts(book, fabric, metrics);
    explainRatios(book, fabric, metrics);
    explainBisection(book, metrics);
    explainBill(book, metrics.instant);
    explainFailure(book, fabric, metrics);
    explainLatency(book, metrics.background.latency);
    explainCollectives(book, metrics.background);
    return std::move(book.all);
}

} // namespace railyard
