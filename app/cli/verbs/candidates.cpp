#include "app/cli/options/parameter_options.h"
#include "app/cli/verbs/verb.h"
#include "core/analysis/option_sections.h"
#include "core/analysis/sizing/requirements.h"
#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/base/fingerprint.h"
#include "core/base/unit_text.h"
#include "core/catalog/price_book.h"
#include "core/io/document/design_json.h"
#include "core/io/results/results_json.h"
#include "core/training/job_parameters.h"
#include "core/training/job_request.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace railyard::cli {
namespace {

struct CandidateOptions {
    std::string gpus, power, budget, server, switchId, vendor, oversubscription, folder;
    std::vector<std::string> settings;
    double days = 0, bisection = -1, linkGbps = 0, intervalHours = 0;
    std::size_t top = 5;
    std::shared_ptr<ParameterTexts> job = std::make_shared<ParameterTexts>();
    AnswerOptions answer;
};

// "4MW", "20M": a number and a suffix; empty if it is not one above 0.
std::optional<double> scaled(std::string text, const std::vector<std::pair<std::string_view, double>>& suffixes) {
    double factor = 1;
    for (const auto& [suffix, value] : suffixes)
        if (text.size() > suffix.size() && text.ends_with(suffix)) {
            text.resize(text.size() - suffix.size());
            factor = value;
            break;
        }
    const ParameterInfo number{.key = "", .label = "", .help = "", .kind = ParameterInfo::Kind::Real, .low = 0, .high = 1e15};
    if (!number.problemOf(text).empty()) return {};
    const double value = parameterNumber(text) * factor;
    return value > 0 ? std::optional(value) : std::nullopt;
}

Result<Requirements> requirementsOf(const CandidateOptions& o) {
    Requirements asked;
    if (!o.gpus.empty()) {
        const auto gpus = scaled(o.gpus, {{"k", 1e3}});
        if (!gpus || *gpus != static_cast<double>(static_cast<std::int64_t>(*gpus)) || *gpus > static_cast<double>(mostSizedGpus))
            return Error::usage(fmt::format("--gpus {}: must be a whole number from 1 to {}", o.gpus, mostSizedGpus));
        asked.gpus = static_cast<std::int64_t>(*gpus);
    }
    if (!o.power.empty()) {
        const auto power = scaled(o.power, {{"GW", 1e9}, {"MW", 1e6}, {"kW", 1e3}, {"W", 1}});
        const bool hasUnit = o.power.ends_with('W');
        if (!power || !hasUnit)
            return Error::usage(fmt::format("--power {}: must be above 0 and end with its unit, W, kW, MW or GW, such as 4MW", o.power));
        asked.power = Watts(*power);
    }
    if (!o.budget.empty()) {
        const auto budget = scaled(o.budget, {{"k", 1e3}, {"M", 1e6}, {"B", 1e9}});
        if (!budget || *budget > 1e13)
            return Error::usage(fmt::format(
                "--budget {}: must be a positive amount in USD of at most 10,000 B, optionally with the suffix k, M or B, such as 20M",
                o.budget));
        asked.budget = Money::dollars(*budget);
    }
    if (o.days > 0) asked.days = o.days;
    if (o.bisection >= 0) asked.bisection = o.bisection;
    if (o.linkGbps > 0) asked.link = gigabitsPerSecond(o.linkGbps);
    if (o.intervalHours > 0) asked.intervalHours = o.intervalHours;
    asked.oversubscription = o.oversubscription;
    ParameterTexts options; // of the documents
    for (const std::string& set : o.settings) {
        const std::size_t equals = set.find('=');
        if (equals == std::string::npos || equals == 0) return Error::usage(fmt::format("--set {}: expected KEY=VALUE", set));
        const std::string key = set.substr(0, equals);
        const std::string value = set.substr(equals + 1), ofJob = "training.";
        if (!key.starts_with(ofJob)) {
            (key.find('.') == std::string::npos ? asked.settings : options)[key] = value;
            continue;
        }
        const std::string job = key.substr(ofJob.size());
        if (o.job->contains(job)) return Error::usage(fmt::format("--set {}: --{} sets the same value; use one of them", key, job));
        if (job == "gpus") return Error::usage(fmt::format("--set {}: the job of a candidate has all its GPUs; use --gpus", key));
        asked.training[job] = value;
    }
    if (!options.empty()) asked.change = [options](Design design) { return withOptions(std::move(design), options); };
    asked.vendor = o.vendor;
    asked.training.insert(o.job->begin(), o.job->end());
    if (asked.days && !asked.training.contains("model")) return Error::usage("--days: needs a model; add --model ID");
    if (const auto model = asked.training.find("model"); model != asked.training.end()) {
        auto text = modelForDocument(model->second);
        if (!text) return text.errors();
        model->second = std::move(*text);
    }
    asked.server = o.server;
    asked.switchId = o.switchId;
    asked.most = o.top;
    return asked;
}

Json metricsJson(const RankedCandidate& candidate) {
    if (!candidate.found.fabric || !candidate.found.instant || !candidate.found.background) return Json();
    Design design = *candidate.found.fabric->design;
    design.name = candidate.name; // as it is written
    Metrics metrics{candidate.name, design.recipe ? design.recipe->name : std::string(), toText(fingerprintOf(fingerprintText(design))),
                    *candidate.found.instant, *candidate.found.background};
    return toJson(metrics);
}

Json toJson(const RankedCandidate& candidate) {
    Json misses = Json::array();
    for (const Miss& miss : candidate.misses) misses.push_back({{"requirement", miss.requirement}, {"text", miss.text}});
    const auto& best = candidate.found.best;
    const auto& background = candidate.found.background;
    const bool isTrained =
        background && background->training && background->training->estimate && background->training->estimate->isFeasible();
    return {{"name", candidate.name},
            {"recipe", best ? Json(best->call.name) : Json()},
            {"settings", best ? Json(best->call.parameters) : Json()},
            {"metrics", metricsJson(candidate)},
            {"iteration_s", isTrained ? Json(background->training->estimate->iteration.value()) : Json()},
            {"reason", fmt::format("{}", fmt::join(candidate.reasons, ", "))},
            {"misses", std::move(misses)}};
}

std::string fileNameOf(const std::string& name) {
    std::string file;
    for (const char c : name)
        file += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '-';
    return file + ".railyard";
}

// Earlier designs in the folder are kept. The note tells the user that they are not candidates of this run.
void noteOthers(const std::vector<FileText>& written, const std::string& folder) {
    std::vector<std::string> others;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        const auto isIt = [&](const FileText& file) { return std::filesystem::path(file.path).filename() == entry.path().filename(); };
        if (entry.path().extension() == ".railyard" && std::none_of(written.begin(), written.end(), isIt))
            others.push_back(entry.path().filename().string());
    }
    std::sort(others.begin(), others.end());
    constexpr std::size_t shown = 3;
    const std::size_t all = others.size();
    if (all > shown) others.resize(shown);
    if (all > 0)
        fmt::print(stderr, "railyard-cli: note: {} also holds {}, which {} not of these candidates: {}{}\n", folder,
                   counted(static_cast<std::int64_t>(all), "{} design", "{} designs"), all == 1 ? "is" : "are", fmt::join(others, ", "),
                   all > shown ? ", …" : "");
}

Status writeDesigns(const Ranking& ranking, const std::string& folder) {
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) return Error::file(folder, "cannot be made: " + failed.message());
    const auto lock = FileLock::acquire(folder + "/candidates"); // of the folder
    if (!lock) return lock.errors();
    std::vector<FileText> files; // all of them or none
    for (const RankedCandidate& each : ranking.candidates) {
        if (!each.found.fabric) continue;
        Design design = *each.found.fabric->design;
        design.name = each.name;
        const std::string path = folder + "/" + fileNameOf(each.name);
        files.push_back({path, designText(design)});
    }
    if (const Status written = writeFiles(files); !written) return written;
    noteOthers(files, folder);
    return Done{};
}

void print(const RankedCandidate& candidate) {
    const SizeCandidate& found = candidate.found;
    fmt::print("{}", candidate.name);
    if (found.best) fmt::print(", {}, {}", found.best->settings.leafSwitch->name, found.best->words);
    fmt::print("\n");
    if (found.instant && found.background) {
        const NetworksTotal total = networksTotal(*found.instant);
        const auto bisection = found.background->bisection.front().fractionOfInjection;
        fmt::print("  {} GPUs, {} in {}, networks {}{}, bisection {}", formatCount(found.instant->counts.gpus),
                   counted(total.switches, "{} switch", "{} switches"), counted(found.instant->counts.tiers, "{} tier", "{} tiers"),
                   total.isComplete ? "" : "at least ", formatMoney(total.cost), bisection ? fmt::format("{:.3f}", *bisection) : "–");
        if (const double allToAll = figuresOf(found).allToAll; std::isfinite(allToAll))
            fmt::print(", all-to-all {}", formatSeconds(Seconds(allToAll)));
        const auto& training = found.background->training;
        if (training && training->estimate && training->estimate->isFeasible())
            fmt::print(", step {}\n", formatSeconds(training->estimate->iteration));
        else
            fmt::print("\n");
        if (const std::string why = whyNoStep(found); !why.empty()) fmt::print("  no step time: {}\n", why);
    }
    if (!candidate.reasons.empty()) fmt::print("  {}\n", fmt::join(candidate.reasons, ", "));
    for (const Miss& miss : candidate.misses) fmt::print("  misses: {}\n", miss.text);
}

int runCandidates(const CandidateOptions& o) {
    const auto asked = requirementsOf(o);
    if (!asked) return report(asked.errors());
    const auto ranking = candidatesFor(*asked, pricedCatalog(), {});
    if (!ranking) return report(ranking.errors());
    const bool isNone = ranking->candidates.empty();
    Json candidates = Json::array(), binding;
    for (const RankedCandidate& each : ranking->candidates) candidates.push_back(toJson(each));
    if (const auto& nearest = ranking->nearestMiss; isNone && nearest)
        binding = {
            {"requirement", nearest->misses.front().requirement}, {"text", nearest->misses.front().text}, {"nearest", toJson(*nearest)}};
    const Json answer{{"schema", "railyard.candidates/1"},
                      {"candidates", std::move(candidates)},
                      {"title", ranking->title},
                      {"hint", ranking->hint.empty() ? Json() : Json(ranking->hint)},
                      {"nearest_miss", !isNone && ranking->nearestMiss ? toJson(*ranking->nearestMiss) : Json()},
                      {"binding", std::move(binding)}};
    if (!o.folder.empty() && !isNone)
        if (const Status written = writeDesigns(*ranking, o.folder); !written) return report(written.errors());
    if (!o.answer.wantsText()) return o.answer.give(answer, isNone ? 1 : 0);
    if (!isNone) fmt::print("{}\n", ranking->title);
    for (const RankedCandidate& each : ranking->candidates) print(each);
    if (!ranking->hint.empty()) fmt::print("{}\n", ranking->hint);
    if (ranking->nearestMiss) {
        fmt::print("{}\n", isNone ? "Nothing meets the requirements. The nearest miss:" : "Nearest miss:");
        print(*ranking->nearestMiss);
    }
    return isNone ? 1 : 0;
}

Run addCandidates(CLI::App& verb) {
    auto o = std::make_shared<CandidateOptions>();
    verb.add_option("--gpus", o->gpus, "number of GPUs");
    verb.add_option("--power", o->power, "power of the facility, for example 4MW; without --gpus and --days the size follows from it");
    verb.add_option("--budget", o->budget, "USD for all networks, for example 20M; without another size it follows from it");
    for (const char* key : {"model", "tokens"}) {
        const auto* row = parameterNamed(jobParameters(), key);
        addParameter(verb, row->info, row->text(usualRequest()), o->job);
    }
    verb.add_option("--days", o->days, "days in which the model is to be trained; without --gpus the size follows from it")
        ->check(NumberBetween(1e-3, 1e6));
    verb.add_option("--server", o->server, "server; default: that of the recipes");
    verb.add_option("--switch", o->switchId, "switch; default: that of the recipes, or one with ports as fast as the NICs");
    verb.add_option("--vendor", o->vendor, "vendor of the switches, where --switch names none");
    verb.add_option("--link-gbps", o->linkGbps, "speed in Gb/s that no link may exceed")->check(NumberBetween(1, 1e6));
    verb.add_option("--oversubscription", o->oversubscription,
                    "highest ratio of downlink to uplink bandwidth over all leaves, for example 2:1");
    verb.add_option("--interval-h", o->intervalHours, "least mean time between interruptions of a job on all GPUs, in hours")
        ->check(NumberBetween(1e-3, 1e6));
    verb.add_option("--set", o->settings, "parameter of the recipes that all fabrics have, for example storage=on; may be repeated");
    verb.add_option("--bisection", o->bisection, "least bisection between servers, as a share of half the injection bandwidth")
        ->check(NumberBetween(0, 1));
    verb.add_option("--top", o->top, "how many candidates to show")->check(CLI::Range(1, 20))->capture_default_str();
    verb.add_flag("--json", o->answer.json, "print JSON");
    verb.add_option("-o", o->folder, "folder for the designs");
    return [=] { return runCandidates(*o); };
}

} // namespace

const VerbInfo candidatesVerb{"candidates", "find fabrics for a size, a power, a budget or a model in days", alwaysShowsPrices,
                              addCandidates};

} // namespace railyard::cli
