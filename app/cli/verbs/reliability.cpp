#include "app/cli/options/parameter_options.h"
#include "app/cli/options/say_progress.h"
#include "app/cli/verbs/verb.h"
#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/bill/spares.h"
#include "core/io/imports/rates_csv.h"
#include "core/io/results/reliability_json.h"
#include "core/reliability/reliability_parameters.h"
#include "core/reliability/spare_rates.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace railyard::cli {
namespace {

struct ReliabilityOptions {
    DesignInput input;
    std::shared_ptr<ParameterTexts> given = std::make_shared<ParameterTexts>();
    std::vector<std::string> rates, repairs;
    std::string ratesFile, monteCarlo;
    int threads = 0;
    AnswerOptions answer;

    void addTo(CLI::App& verb) {
        input.addTo(verb, true);
        for (const auto& row : reliabilityParameters())
            if (!row.info.key.starts_with("rate_") && row.info.key.find("repair_") != 0)
                addParameter(verb, row.info, row.text(ReliabilityRequest()), given);
        const auto* success = parameterNamed(reliabilityParameters(), "repair_success");
        addParameter(verb, success->info, success->text(ReliabilityRequest()), given);
        verb.add_option("--rates", ratesFile, "CSV file of failure rates: kind, part, low, base, high, per year and unit");
        verb.add_option("--rate", rates,
                        "failures of one part of a kind per year: KIND=RATE or KIND=LOW/BASE/HIGH; kinds: " + partKindList())
            ->allow_extra_args(false);
        verb.add_option("--repair", repairs, "repair time: server=24h, switch=4h or link=2h")->allow_extra_args(false);
        verb.add_option(
            "--monte-carlo", monteCarlo,
            "simulate operation: a number of trials, or auto: until the ETTR and the probability of an interruption are within 1 %");
        verb.add_option("--threads", threads, "threads; 0: one per core; they do not change results")->check(NumberBetween(0, 256));
        answer.addTo(verb);
    }
};

// KIND=VALUE as the row of a parameter.
Status addPairs(const std::vector<std::string>& pairs, const char* option, const std::string& prefix, ParameterTexts& into) {
    for (const std::string& pair : pairs) {
        const std::size_t at = pair.find('=');
        std::string key = prefix + pair.substr(0, at);
        std::replace(key.begin(), key.end(), '-', '_');
        const auto* row = at == std::string::npos ? nullptr : parameterNamed(reliabilityParameters(), key);
        if (!row || key == "repair_success")
            return Error::usage(fmt::format("{} {}: must be KIND=VALUE; kinds are {}", option, pair,
                                            prefix == "rate_" ? partKindList() : std::string("server, switch and link")));
        if (pair.size() == at + 1) return Error::usage(fmt::format("{} {}: the value is missing", option, pair));
        into[key] = pair.substr(at + 1);
    }
    return Done{};
}

// The model of the design, then the file of rates, then the options.
Result<ReliabilityRequest> requestOf(const ReliabilityOptions& o, const Design& design) {
    ReliabilityRequest request = reliabilityOfDesign(design);
    if (!o.ratesFile.empty())
        if (const Status read = readRates(o.ratesFile, *design.catalog, request); !read) return read.errors();
    ParameterTexts texts = *o.given;
    if (const Status good = addPairs(o.rates, "--rate", "rate_", texts); !good) return good.errors();
    // A rate of all parts of a kind counts for each of them, whatever the file says of single ones.
    std::erase_if(request.partRates, [&](const auto& rate) { return texts.contains(rateKey(rate.first.first)); });
    if (const Status good = addPairs(o.repairs, "--repair", "repair_", texts); !good) return good.errors();
    request.seed = static_cast<std::uint64_t>(o.input.seed);
    auto settings = settingsFrom(reliabilityParameters(), std::move(request), texts, "the failure model");
    if (settings) return settings;
    std::vector<Error> errors = settings.errors();
    for (Error& error : errors) // as they were given: --rate gpu=-1
        for (const std::string prefix : {"rate_", "repair_"})
            if (error.field.starts_with(prefix) && error.field != "repair_success" && !error.wrong.empty()) {
                std::string kind = error.field.substr(prefix.size());
                std::replace(kind.begin(), kind.end(), '_', '-');
                error.text = fmt::format("--{} {}={}: {}", prefix.substr(0, prefix.size() - 1), kind, error.value, error.wrong);
            }
    return errors;
}

Result<std::optional<MonteCarloRequest>> simulationOf(const ReliabilityOptions& o) {
    if (o.monteCarlo.empty()) return std::optional<MonteCarloRequest>();
    MonteCarloRequest how;
    how.seed = static_cast<std::uint64_t>(o.input.seed);
    const auto trials = trialsFrom(o.monteCarlo);
    if (!trials) return Error::usage(fmt::format("--monte-carlo {}: {}", o.monteCarlo, trials.error().text));
    how.trials = *trials;
    return std::optional(how);
}

// Of the lines of the bill, and of the trays of rack systems, which are none.
Json sparesOf(const Fabric& fabric, const ReliabilityRequest& request) {
    constexpr double confidence = 0.95;
    Bill bill = billOf(fabric, cablingOf(fabric));
    addSpares(bill, spareRatesOf(*fabric.design, request), confidence);
    Json spares = Json::array();
    for (const BillLine& line : bill.lines)
        if (line.spares && *line.spares > 0)
            spares.push_back({{"part", line.part ? Json(line.part->id) : Json(line.description)},
                              {"count", *line.spares},
                              {"confidence_fraction", confidence},
                              {"lead_time_h", line.leadTimeHours.value_or(spareLeadTimeHours)}});
    for (const TraySpares& each : traySparesOf(fabric, request, confidence))
        spares.push_back(
            {{"part", each.part}, {"count", each.count}, {"confidence_fraction", confidence}, {"lead_time_h", spareLeadTimeHours}});
    return spares;
}

std::string hoursText(double hours) { return formatDuration(Seconds(hours * 3600)); }
// Without an exponent.
std::string numberText(double count) {
    if (count >= 1000) return formatCount(std::llround(count));
    return count == 0 || count >= 0.001 ? fmt::format("{:.3g}", count) : std::string("less than 0.001");
}
std::string rateText(const std::optional<double>& rate) { return rate ? fmt::format("{:.4g}", *rate) : std::string("–"); }

void print(const Reliability& r) {
    const bool isRange = r.lowPerYear < r.perYear || r.highPerYear > r.perYear;
    if (!r.isKnown)
        fmt::print("How often a job on {} is interrupted is not known: no part that interrupts it has a base rate\n",
                   counted(r.jobGpus, "{} GPU", "{} GPUs"));
    else if (!r.meanTimeHours)
        fmt::print("A job on {} is not interrupted by any part with a known rate\n", counted(r.jobGpus, "{} GPU", "{} GPUs"));
    else
        fmt::print("A job on {} is interrupted every {}{}\n", counted(r.jobGpus, "{} GPU", "{} GPUs"), hoursText(*r.meanTimeHours),
                   isRange && r.meanTimeLowHours && r.meanTimeHighHours
                       ? fmt::format(" ({})", formatInterval(hoursText(*r.meanTimeLowHours), hoursText(*r.meanTimeHighHours)))
                       : "");
    const double years = r.horizonHours / 8760;
    const std::string range =
        fmt::format("{} to {} with low and high rates", numberText(r.lowPerYear * years), numberText(r.highPerYear * years));
    if (r.isKnown)
        fmt::print("  {} interruptions are expected in {}{}\n", numberText(r.expectedInterruptions()), hoursText(r.horizonHours),
                   isRange ? " (" + range + ")" : "");
    else
        fmt::print("  Interruptions in {}: {}\n", hoursText(r.horizonHours), range);
    if (r.probability && *r.probability < 0.995) fmt::print("  Probability of an interruption: {}\n", formatShare(*r.probability));
    if (!r.missingRates.empty()) fmt::print("  No base failure rate is known for {}; totals exclude it\n", fmt::join(r.missingRates, ", "));
    for (const std::string& note : r.notes) fmt::print("  {}\n", note);
    const std::vector<FailureComponent> rows = byKind(r.components);
    const auto labelOfRow = [&](const FailureComponent& row) { // with its part where there are others of the kind
        const auto others = std::count_if(rows.begin(), rows.end(), [&](const FailureComponent& each) {
            return each.kind == row.kind && each.interruptsJob == row.interruptsJob;
        });
        return std::string(labelOf(row.kind)) + (others > 1 && !row.part.empty() ? " " + row.part : "");
    };
    std::size_t width = 34;
    for (const FailureComponent& row : rows) width = std::max(width, labelOfRow(row).size() + 1);
    fmt::print("  {:<{}}{:>9}{:>10}{:>10}{:>10}{:>11}  {}\n", "Failures per unit and year", width, "count", "low", "base", "high",
               "expected", "interrupts the job");
    for (const FailureComponent& row : rows)
        fmt::print("  {:<{}}{:>9}{:>10}{:>10}{:>10}{:>11}  {}, {}\n", labelOfRow(row), width, formatCount(row.count),
                   rateText(row.rate.low), rateText(row.rate.base), rateText(row.rate.high),
                   row.expected(r.horizonHours) ? fmt::format("{:.3g}", *row.expected(r.horizonHours)) : std::string("–"),
                   row.interruptsJob ? "yes" : "no", row.reason);
    if (!r.checkpoint) return;
    fmt::print("  Checkpoint interval: Young {}, Daly {}; effective training time ratio (ETTR) {}\n", formatDuration(r.checkpoint->young),
               formatDuration(r.checkpoint->daly), formatShare(r.checkpoint->ettr));
}

void print(const std::vector<SingleFailure>& failures) {
    if (failures.empty()) return;
    fmt::print("  {:<38}{:>8}{:>11}{:>15}{:>16}\n", "Worst single failures", "count", "GPUs lost", "GPUs degraded", "bandwidth left");
    for (const SingleFailure& each : failures)
        fmt::print("  {:<38}{:>8}{:>11}{:>15}{:>16}\n", each.path, formatCount(each.count), formatCount(each.gpusLost),
                   formatCount(each.gpusDegraded),
                   !each.bandwidthLeft                                      ? std::string("–")
                   : *each.bandwidthLeft > 0.995 && *each.bandwidthLeft < 1 ? std::string("> 0.99")
                                                                            : fmt::format("{:.2f}", *each.bandwidthLeft));
}

void print(const PairFailure& pair) {
    fmt::print("  Worst two failures: {} and {}: {}{}\n", pair.paths[0], pair.paths[1],
               counted(pair.gpusLost, "{} GPU lost", "{} GPUs lost"),
               pair.bandwidthLeft ? fmt::format(", bandwidth left {:.2f}", *pair.bandwidthLeft) : "");
}

void print(const std::vector<Remedy>& remedies) {
    fmt::print("  {:<38}{:>8}{:>16}{:>16}{:>12}{:>12}\n", "Remedies", "count", "USD each", "USD in total", "down", "without it");
    const auto dollars = [](const std::optional<Money>& price) {
        return price ? formatCount(std::llround(price->inDollars())) : std::string("–");
    };
    for (const Remedy& each : remedies)
        fmt::print("  {:<38}{:>8}{:>16}{:>16}{:>12}{:>12}\n", each.label, formatCount(each.count), dollars(each.each),
                   dollars(each.total()), formatDuration(each.with), formatDuration(each.without));
}

void print(const Retiling& r) {
    const auto watts = [](const std::optional<Watts>& power) {
        return power ? formatCount(std::llround(power->value())) + " W" : std::string("not known");
    };
    fmt::print("  Optical circuit switches: {}, {} free ports, {}, {}{}\n", formatCount(r.opticalSwitches), formatCount(r.freePorts),
               watts(r.power), r.price ? formatCount(std::llround(r.price->inDollars())) + " USD each" : "without a price",
               r.switching ? fmt::format(", switch in {}", formatSeconds(*r.switching)) : "");
    for (const auto& [name, tiling] : {std::pair("rail-optimized", &r.railOptimized), {"rail-only", &r.railOnly}})
        if (const auto& own = *tiling)
            fmt::print("    {:<28}{:>18}, network {}{} USD, {}\n", name, counted(own->switches, "{} switch", "{} switches"),
                       own->unpricedLines() > 0 ? "≥ " : "", formatCount(std::llround(own->bill.network.inDollars())),
                       watts(own->bill.networkPower));
    if (const auto each = r.breakEven())
        fmt::print("    Rail-only saves {} USD per optical circuit switch, before its price\n",
                   formatCount(std::llround(each->inDollars())));
}

void print(const LeafPolicies& p) {
    fmt::print("  {} is down for {} ({} on {}):\n", p.leaf, formatDuration(p.repair), p.model, counted(p.gpus, "{} GPU", "{} GPUs"));
    const auto line = [&](const char* name, const LeafPolicy& own) {
        fmt::print("    {:<28}{:>9} GPUs, step {}, throughput {}, restart and rework {}, lost {}\n", name, formatCount(own.gpus),
                   formatSeconds(own.step), formatPercent(own.throughputChange), formatDuration(own.restart),
                   formatDuration(own.lost(p.repair)));
    };
    line(p.leaving.gpus < p.gpus ? "GPUs leave the job" : "no GPU has to leave", p.leaving);
    line("forwarding over HB links", p.forwarding);
}

void print(const MonteCarlo& m) {
    const auto share = [](const Simulated& of) {
        return fmt::format("{} ({})", formatShare(of.mean), formatInterval(formatShare(of.low), formatShare(of.high)));
    };
    fmt::print("  Simulation, {} trials, 99 % intervals\n", formatCount(m.trials));
    fmt::print("    Interrupted at least once {}\n", share(m.interruptProbability));
    fmt::print("    ETTR {}\n    Waiting for repairs {}\n    Interruptions {:.4g} ({:.4g} to {:.4g})\n", share(m.ettr), share(m.waiting),
               m.interruptions.mean, m.interruptions.low, m.interruptions.high);
}

int runReliability(const ReliabilityOptions& o) {
    const auto how = simulationOf(o);
    if (!how) return report(how.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const auto request = requestOf(o, *loaded->design);
    if (!request) return report(request.errors());
    const Fabric& fabric = *loaded->fabric;
    const auto place = jobPlaceOf(fabric, *request);
    if (!place) {
        std::vector<Error> errors = place.errors();
        for (Error& error : errors) // of an option under its name, of a value of the document under its key
            if (o.given->contains(error.field))
                error = cli::asOptions<ReliabilityRequest>(reliabilityParameters(), {error}).front();
            else if (!error.wrong.empty())
                error.text = "reliability." + error.text;
        return report(errors);
    }
    const JobParts parts = jobPartsOf(fabric, *place, request->policy);
    const Cabling cabling = cablingOf(*loaded->intact);
    const Reliability reliability = reliabilityOf(fabric, parts, *request, &cabling);
    const TaskContext context{.threads = o.threads,
                              .progress = [](std::int64_t done, std::int64_t all) { sayProgress(done, all, "pieces computed"); }};
    const JobParts remaining = remainingPartsOf(fabric, *place, request->policy);
    const std::vector<SingleFailure> failures = singleFailures(loaded->fabric, remaining, *request, context);
    std::optional<MonteCarlo> simulated;
    if (*how)
        simulated = simulate(operationOf(fabric, *place, *request), *request,
                             reliability.checkpoint ? reliability.checkpoint->interval : Seconds(0), **how, context);
    const auto pair = worstPair(loaded->fabric, remaining, request->policy, context);
    const std::vector<Remedy> remedies = remediesOf(*loaded->intact, parts, *request);
    const auto policies = leafPolicies(loaded->fabric, *request);
    const auto retiling = retilingOf(*loaded->design);
    if (o.answer.wantsText()) {
        print(reliability);
        print(failures);
        if (pair) print(*pair);
        print(remedies);
        if (policies) print(*policies);
        if (retiling) print(*retiling);
        if (simulated) print(*simulated);
        return 0;
    }
    Json json = toJson(reliability, *request), points = Json::array(), all = Json::array();
    for (const SingleFailure& each : failures) {
        all.push_back(toJson(each));
        if (each.interruptsJob) points.push_back(all.back());
    }
    json["single_points_of_failure"] = std::move(points);
    json["single_failures"] = std::move(all);
    json["worst_pair"] = pair ? toJson(*pair) : Json();
    json["remedies"] = toJson(remedies);
    json["ocs"] = retiling ? toJson(*retiling) : Json();
    json["leaf_policies"] = policies ? toJson(*policies) : Json();
    json["spares"] = sparesOf(*loaded->intact, *request);
    json["monte_carlo"] = simulated ? toJson(*simulated) : Json();
    return o.answer.give(withFailures(std::move(json), o.input));
}

Run addReliability(CLI::App& verb) {
    auto options = std::make_shared<ReliabilityOptions>();
    options->addTo(verb);
    return [=] { return runReliability(*options); };
}

} // namespace

const VerbInfo reliabilityVerb{"reliability", "how often a job is interrupted and by which parts, and the impact of single failures",
                               alwaysShowsPrices, addReliability};

} // namespace railyard::cli
