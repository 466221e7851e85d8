#include "core/sweep/evaluation.h"

#include "core/analysis/figures/figure_table.h"
#include "core/analysis/metrics/analysis_table.h"
#include "core/analysis/metrics/run_cost.h"
#include "core/base/fingerprint.h"
#include "core/base/unit_text.h"
#include "core/bill/cabled_key.h"
#include "core/catalog/catalog.h"
#include "core/collective/collective_parameters.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/io/results/reliability_json.h"
#include "core/io/results/results_json.h"
#include "core/io/results/training_json.h"
#include "core/reliability/reliability_parameters.h"
#include "core/sweep/evaluation_options.h"
#include "core/sweep/known_cables.h"
#include "core/training/job_request.h"
#include "core/training/search_placements.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

namespace railyard {
namespace {

using Kind = Evaluation::Kind;

// The objects of metrics, and what each needs: an analysis, some of what is known at once, the cables, the links inside servers.
struct MetricsPart {
    std::string_view key, analysis;
    unsigned instant;
    bool analysisNeedsCabling = false;
    bool needsInsideLinks = (instant & Instant::Ratios) != 0 || !analysis.empty(); // but see readInsideLinks
};
constexpr MetricsPart metricsParts[] = {
    {"counts", "", Instant::Counts | Instant::Cables | Instant::Networks}, // all networks count among all switches
    {"ratios", "", Instant::Counts | Instant::Ratios},
    {"bisection", "bisection", Instant::Counts},
    {"cost", "", Instant::Bill | Instant::Networks},
    {"power", "", Instant::Bill | Instant::Networks},
    {"networks", "", Instant::Networks},
    {"floor", "", Instant::Bill | Instant::Floor | Instant::Networks},
    {"pfc", "", Instant::Buffers},
    {"failure", "interrupts", Instant::Counts},
    {"latency", "latency", Instant::Counts, true},
    {"collectives", "collectives", Instant::Counts},
    {"training", "training", Instant::Everything, true}};

const MetricsPart* partOf(std::string_view key) {
    const std::string_view first = key.substr(0, key.find('.'));
    const auto found =
        std::find_if(std::begin(metricsParts), std::end(metricsParts), [&](const MetricsPart& part) { return part.key == first; });
    return found == std::end(metricsParts) ? nullptr : found;
}

// Adds what an object holds by dotted keys. Lists of numbers and texts become one text, collectives are named as in comparisons; other
// lists of objects are left out.
void flatten(const Json& json, const std::string& key, Json& into) {
    if (json.is_object()) {
        for (const auto& [name, value] : json.items()) flatten(value, key.empty() ? name : key + "." + name, into);
        return;
    }
    if (!json.is_array()) {
        into[key] = json;
        return;
    }
    std::vector<std::string> texts;
    for (const Json& item : json) {
        if (item.is_object() && item.contains("size_bytes")) {
            const Bytes size(item["size_bytes"].get<std::int64_t>());
            flatten(item, key + "." + (item.contains("op") ? collectiveKey(item["op"].get<std::string>(), size) : sizeKey(size)), into);
        } else if (!item.is_structured())
            texts.push_back(item.is_string() ? item.get<std::string>() : item.dump());
    }
    if (texts.size() == json.size()) into[key] = fmt::format("{}", fmt::join(texts, "; "));
}

// The part of an object that a dotted key names. Keys of an object may have dots themselves.
const Json* at(const Json& json, const std::string& key) {
    if (key.empty()) return &json;
    if (!json.is_object()) return nullptr;
    for (std::size_t dot = key.find('.');; dot = key.find('.', dot + 1)) {
        if (const auto found = json.find(key.substr(0, dot)); found != json.end())
            if (const Json* inner = at(*found, dot == std::string::npos ? std::string() : key.substr(dot + 1))) return inner;
        if (dot == std::string::npos) return nullptr;
    }
}

// The key of "bisection.server.fraction_of_injection"; nothing if all three are asked for.
std::optional<BisectionKey> bisectionKeyOf(const std::string& key) {
    for (const auto each : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        const std::string name = "bisection." + std::string(toText(each));
        if (key == name || key.starts_with(name + ".")) return each;
    }
    return {};
}

// The one bisection that is asked for; nothing if several are, or none.
std::optional<BisectionKey> onlyBisectionOf(const std::vector<const Evaluation*>& asked) {
    std::optional<BisectionKey> only;
    for (const Evaluation* each : asked)
        if (each->key.empty() || partOf(each->key)->analysis == "bisection") {
            const auto key = bisectionKeyOf(each->key);
            if (!key || (only && *only != *key)) return {};
            only = key;
        }
    return only;
}

void analyse(const std::vector<const Evaluation*>& asked, const AnalysisInput& input, BackgroundMetrics& into) {
    const auto isWanted = [&](std::string_view analysis) {
        return std::any_of(asked.begin(), asked.end(),
                           [&](const Evaluation* each) { return each->key.empty() || partOf(each->key)->analysis == analysis; });
    };
    const std::optional<BisectionKey> only = onlyBisectionOf(asked);
    for (const Analysis& row : analysisTable()) {
        if (!isWanted(row.name)) continue;
        if (row.name == "bisection" && only)
            into.bisection[static_cast<std::size_t>(*only)] = bisection(input.fabric, *only);
        else
            row.run(input, {}, into);
    }
}

// Of a job that does not fit in memory, which has figures all the same.
std::vector<Error> reasonsOf(const TrainingEstimate& estimate) {
    if (estimate.isFeasible()) return {};
    return {Error::unbuildable("the job cannot run: " + fmt::format("{}", fmt::join(estimate.reasons, "; ")))};
}

// Of the training job, if its figures are asked for by name.
std::vector<Error> jobErrors(const std::vector<const Evaluation*>& asked, const BackgroundMetrics& background) {
    for (const Evaluation* each : asked) {
        if (each->key != "training" && !each->key.starts_with("training.")) continue;
        std::vector<Error> errors;
        if (background.training && background.training->estimate)
            errors = reasonsOf(*background.training->estimate);
        else if (background.training && !background.training->why.empty())
            errors = {Error::unbuildable(background.training->why)};
        for (Error& error : errors) error.text = each->text + ": " + error.text;
        return errors;
    }
    return {};
}

// The evaluations that read metrics, and what they need.
struct AskedMetrics {
    std::vector<const Evaluation*> asked;
    unsigned instant = 0;
    bool analysesNeedCabling = false;
};
AskedMetrics metricsAmong(const std::vector<Evaluation>& evaluations) {
    AskedMetrics of;
    for (const Evaluation& each : evaluations) {
        if (each.kind != Kind::Metrics) continue;
        of.asked.push_back(&each);
        const MetricsPart* part = each.key.empty() ? nullptr : partOf(each.key);
        of.instant |= part ? part->instant : unsigned{Instant::Everything};
        of.analysesNeedCabling = of.analysesNeedCabling || !part || part->analysisNeedsCabling;
    }
    return of;
}

// Computes the cabling too, unless nothing that was asked for depends on it.
InstantMetrics instantFigures(const Fabric& fabric, const AskedMetrics& of, KnownCables* known, Cabling& cabling) {
    constexpr unsigned kept = Instant::Cables | Instant::Bill;
    constexpr unsigned replaced = kept | Instant::Networks; // a design with a key has only the compute network
    const bool mayBeKnown = known && (of.instant & kept) != 0 && (of.instant & Instant::FromCabling & ~replaced) == 0;
    const auto key = mayBeKnown && !of.analysesNeedCabling ? cabledKeyOf(fabric) : std::optional<Fingerprint>();
    if (const auto figures = key ? known->find(*key) : nullptr) {
        InstantMetrics metrics = instantMetrics(fabric, cabling, of.instant & ~replaced);
        metrics.cables = figures->cables;
        metrics.bill = figures->bill;
        metrics.bill.site = siteOf(*fabric.design);
        return metrics;
    }
    if (of.analysesNeedCabling || (of.instant & Instant::FromCabling) != 0) cabling = cablingOf(fabric);
    InstantMetrics metrics = instantMetrics(fabric, cabling, key ? of.instant | kept : of.instant);
    if (key) known->add(*key, std::make_shared<const CableFigures>(CableFigures{fabric.design->catalog, metrics.cables, metrics.bill}));
    return metrics;
}

// All metrics that were asked for, of one pass.
std::vector<Error> addMetrics(const Fabric& fabric, const std::vector<Evaluation>& evaluations, KnownCables* known, Json& into) {
    const AskedMetrics of = metricsAmong(evaluations);
    const std::vector<const Evaluation*>& asked = of.asked;
    if (asked.empty()) return {};
    Metrics metrics;
    const auto cabling = std::make_shared<Cabling>();
    metrics.name = fabric.design->name;
    metrics.recipe = fabric.design->recipe ? fabric.design->recipe->name : std::string();
    const bool isWhole = std::any_of(asked.begin(), asked.end(), [](const Evaluation* each) { return each->key.empty(); });
    if (isWhole) metrics.fingerprint = toText(fingerprintOf(fingerprintText(*fabric.design)));
    metrics.instant = instantFigures(fabric, of, known, *cabling);
    metrics.cabling = cabling;
    analyse(asked, {fabric, *cabling}, metrics.background);
    const Json json = toJson(metrics);
    Json flat; // collectives, which are a list, by their keys
    for (const Evaluation* each : asked) {
        if (const Json* found = at(json, each->key)) {
            flatten(*found, each->key, into);
            continue;
        }
        if (flat.is_null()) flatten(json, {}, flat = Json::object());
        bool isKnown = false;
        for (const auto& [key, value] : flat.items())
            if (key == each->key || key.starts_with(each->key + ".")) into[key] = value, isKnown = true;
        if (!isKnown && !into.contains(each->key)) into[each->key] = nullptr;
    }
    return jobErrors(asked, metrics.background);
}

// The metrics of a design with every network, as they are and with collectives by their keys.
struct SmallMetrics {
    Json nested = Json::object(), flat = Json::object();
};
const SmallMetrics& smallMetrics() {
    static const SmallMetrics small = [] {
        SmallMetrics of;
        const auto design =
            build({"superpod-h100", {{"servers", "32"}, {"racks", "auto"}, {"storage", "on"}, {"in_band", "on"}, {"out_of_band", "on"}}},
                  "small", shippedCatalog());
        if (design) of.nested = toJson(metricsOf(*elaborate(std::make_shared<const Design>(*design))));
        flatten(of.nested, {}, of.flat);
        return of;
    }();
    return small;
}

bool isTier(std::string_view name) {
    for (const SwitchTier tier : {SwitchTier::Leaf, SwitchTier::Spine, SwitchTier::Superspine, SwitchTier::Core})
        if (name == toText(tier)) return true;
    for (const LinkTier tier :
         {LinkTier::HostLeaf, LinkTier::ManagerLeaf, LinkTier::LeafSpine, LinkTier::SpineSuperspine, LinkTier::SuperspineCore})
        if (name == toText(tier)) return true;
    return false;
}

bool isMedium(std::string_view name) {
    for (const std::string_view medium : cableMedia)
        if (name == medium) return true;
    return false;
}

// A figure, several of them, or what the metrics of a small design have besides its figures, such as bisection.server.certified. Which
// tiers, parts and media there are depends on the design.
bool isKnownKey(const std::string& key) {
    if (key.ends_with('.')) return false;
    if (key.find('.') == std::string::npos) return true;
    const auto figures = figureTable();
    for (const FigureInfo& row : figures)
        if (row.key == key || row.key.starts_with(key + ".")) return true;
    for (const auto& [known, value] : smallMetrics().flat.items())
        if (known == key || known.starts_with(key + ".")) return true;
    if (at(smallMetrics().nested, key)) return true;
    const FigureInfo* family = figureNamed(key);
    if (!family) return false;
    const std::string_view member = std::string_view(key).substr(family->key.size());
    const bool isByTier = family->key.ends_with("_by_tier.") || family->key.ends_with("cut_links.");
    if (family->key.ends_with("_by_medium.")) return isMedium(member);
    return isByTier ? isTier(member) : family->key.ends_with("_by_part."); // documents may have parts of their own
}

RankOrder orderOf(const Evaluation& asked) { return asked.own("order") == "far" ? RankOrder::Far : RankOrder::Near; }

Result<Json> collectiveOf(const Fabric& fabric, const Evaluation& asked) {
    const auto query = withTexts(collectiveParameters(), CollectiveQuery(), asked.options, "a collective");
    if (!query) return query.errors();
    const auto calibration = over(query->transport, shippedCalibration());
    if (!calibration) return calibration.errors();
    const auto group = Communicator::create(fabric, query->ranks, orderOf(asked), *calibration);
    if (!group) return group.errors();
    const auto timed = group->time(query->op, query->size, query->request);
    if (!timed) return timed.errors();
    Json answer = toJson(*timed);
    if (const std::string range = asked.own("sweep"); !range.empty()) {
        const auto sizes = sweepSizes(range);
        if (!sizes) return sizes.errors();
        auto points = toJson(*group, query->op, query->request, *sizes);
        if (!points) return points.errors();
        answer["points"] = std::move(*points);
    }
    return answer;
}

struct AskedJob {
    JobRequest request;
    PlacedJob placed;
};
// In another order than the near one, on the first GPUs of it.
Result<PlacedJob> placedFor(const Fabric& fabric, const JobRequest& request, RankOrder order) {
    if (order == RankOrder::Near) return placedOn(fabric, request);
    auto gpus = gpusInOrder(fabric, order);
    const auto there = static_cast<std::int64_t>(gpus.size());
    if (request.gpus > there)
        return Error::unbuildable(fmt::format("the job needs {} GPUs; the design has {}", formatCount(request.gpus), formatCount(there)));
    auto first = firstGpus(std::move(gpus), request.gpus);
    if (!first) return first.errors();
    return placedJob(request.planned.job, fabric, std::move(*first));
}
Result<AskedJob> jobFor(const Fabric& fabric, const Evaluation& asked) {
    auto request = asked.options.empty() ? jobOf(*fabric.design) : jobOf(*fabric.design, asked.options);
    if (!request) return request.errors();
    if (const std::string seed = asked.own("seed"); !seed.empty()) request->seed = std::stoull(seed); // of a random placement
    auto placed = placedFor(fabric, *request, orderOf(asked));
    if (!placed) return placed.errors();
    return AskedJob{std::move(*request), std::move(*placed)};
}

// Where the options of the job come from that are not stated, as `train` says it.
std::string_view sourceOf(const Fabric& fabric, const Evaluation& asked) {
    return fabric.design->training && !asked.options.contains("model") ? "design" : "defaults";
}

struct Answer {
    Json json;
    std::vector<Error> errors{}; // of an answer that has figures all the same
};

Result<Answer> trainingOf(const Fabric& fabric, const Evaluation& asked) {
    const auto job = jobFor(fabric, asked);
    if (!job) return job.errors();
    const auto estimate = estimateTraining(fabric, job->placed, job->request.planned.plan);
    if (!estimate) return estimate.errors();
    Json answer = toJson(*estimate);
    answer["job_source"] = sourceOf(fabric, asked);
    if (!asked.own("cost").empty())
        answer["run_cost"] = toJson(runCostOf(billOf(fabric, cablingOf(fabric)), countsOf(fabric).gpus, *estimate));
    return Answer{std::move(answer), reasonsOf(*estimate)};
}

Result<Answer> searchOf(const Fabric& fabric, const Evaluation& asked) {
    const auto job = jobFor(fabric, asked);
    if (!job) return job.errors();
    const TrainingPlan& plan = job->request.planned.plan;
    const std::string top = asked.own("top"), aim = asked.own("objective");
    const SearchRequest request{aim.empty() ? Objective::Time : *objectiveFrom(aim), top.empty() ? 1 : std::stoul(top)};
    const auto spaceOf = [&](const std::vector<DeviceId>& on) {
        SearchSpace space = usualSpace(fabric, job->placed.job, on, request.objective);
        keepGiven(
            space, [&](std::string_view key) { return asked.options.contains(std::string(key)); }, job->placed.job, plan);
        return space;
    };
    const bool isPlaced = asked.options.contains("per_domain") || !asked.own("order").empty();
    const std::vector<PlacementChoice> choices =
        isPlaced ? std::vector<PlacementChoice>{{job->placed.gpus, 0}} : placementsToTry(fabric, job->placed.gpus);
    const auto found = searchPlacements(fabric, job->placed.job, choices, plan, spaceOf, request);
    if (!found) return found.errors();
    Json answer{{"job_source", sourceOf(fabric, asked)}, {"objective", aim.empty() ? std::string("time") : aim},
                {"evaluated", found->evaluated},         {"pruned_divisions", found->pruned},
                {"too_large", found->tooLarge},          {"space", found->space.text()}};
    for (std::size_t i = 0; i < found->best.size(); ++i)
        answer[i == 0 ? std::string("best") : fmt::format("best[{}]", i + 1)] = toJson(found->best[i]);
    std::vector<Error> errors;
    if (found->best.empty())
        errors.push_back(Error::unbuildable(found->nearest ? "nothing fits in memory; the nearest: " + found->nearest->reasons.front()
                                            : found->problems.empty() ? "no division of these GPUs suits the model"
                                                                      : found->problems.front().text));
    return Answer{std::move(answer), std::move(errors)};
}

Result<Json> reliabilityOf(const Fabric& fabric, const Evaluation& asked) {
    auto request = withTexts(reliabilityParameters(), reliabilityOfDesign(*fabric.design), asked.options, "the failure model");
    if (!request) return request.errors();
    if (const std::string seed = asked.own("seed"); !seed.empty()) request->seed = std::stoull(seed);
    const auto place = jobPlaceOf(fabric, *request);
    if (!place) return place.errors();
    const JobParts parts = jobPartsOf(fabric, *place, request->policy);
    const Cabling cabling = cablingOf(fabric);
    const Reliability known = reliabilityOf(fabric, parts, *request, &cabling);
    Json answer = toJson(known, *request);
    const std::string trials = asked.own("monte-carlo");
    if (trials.empty()) return answer;
    const MonteCarloRequest how{*trialsFrom(trials), request->seed};
    answer["monte_carlo"] = toJson(simulate(operationOf(fabric, *place, *request), *request,
                                            known.checkpoint ? known.checkpoint->interval : Seconds(0), how, {.threads = 1}));
    return answer;
}

Json statedOrNull(const std::string& text) { return text.empty() ? Json() : Json(text); }
Failures failuresOf(const Evaluation& asked) {
    Failures failures;
    std::istringstream selectors(asked.own("fail"));
    for (std::string line; std::getline(selectors, line);) failures.selectors.push_back(line);
    if (const std::string share = asked.own("fail-links"); !share.empty()) failures.linkShare = *parseFraction(share);
    if (const std::string seed = asked.own("seed"); !seed.empty()) failures.seed = std::stoull(seed);
    return failures;
}
// What `--fail` and `--fail-links` leave.
Result<FabricPointer> leftOf(const Fabric& fabric, const Evaluation& asked) {
    const Failures failures = failuresOf(asked);
    const FabricPointer intact(FabricPointer(), &fabric); // which outlives the answer
    if (failures.isEmpty()) return intact;
    const auto removal = removalOf(fabric, failures);
    if (!removal) return removal.errors();
    return without(intact, removal->devices, removal->links);
}

Result<Answer> toAnswer(Result<Json> json) {
    if (!json) return json.errors();
    return Answer{std::move(*json)};
}

Result<Answer> answerOf(const Fabric& intact, const Evaluation& asked) {
    const auto left = leftOf(intact, asked);
    if (!left) return left.errors();
    const Fabric& fabric = **left;
    switch (asked.kind) {
    case Kind::Collective: return toAnswer(collectiveOf(fabric, asked));
    case Kind::Train: return trainingOf(fabric, asked);
    case Kind::Search: return searchOf(fabric, asked);
    case Kind::Reliability: return toAnswer(reliabilityOf(fabric, asked));
    case Kind::Metrics: break;
    }
    return Answer{Json::object()};
}

} // namespace

Result<Evaluation> readEvaluation(const std::string& text) {
    if (auto verb = readVerb(text)) return std::move(*verb);
    const std::vector<std::string> words = evaluationWords(text);
    if (words.empty()) return Error::usage("evaluate \"\": is empty; it must be metrics, for example, or counts");
    const std::string& first = words[0];
    if (words.size() > 1)
        return Error::usage(fmt::format("evaluate \"{}\": only collective, train, search and reliability have options", text));
    if (first == "metrics") return Evaluation{Kind::Metrics, text, {}, {}};
    const std::string key = stableKey(first.starts_with("metrics.") ? first.substr(std::string_view("metrics.").size()) : first);
    if (!partOf(key)) {
        std::vector<std::string_view> known;
        for (const MetricsPart& part : metricsParts) known.push_back(part.key);
        return Error::usage(
            fmt::format("evaluate \"{}\": must be metrics, one of its objects or keys ({}), collective, train, search or reliability", text,
                        fmt::join(known, ", ")));
    }
    if (!isKnownKey(key))
        return Error::usage(
            fmt::format("evaluate \"{}\": the metrics have no such key; `railyard-cli metrics FILE --json` shows them{}", text,
                        key.starts_with("collectives.") ? ", and \"collective all-to-all@512MiB\" has any operation and size" : ""));
    return Evaluation{Kind::Metrics, text, key, {}};
}

Result<std::vector<Evaluation>> readEvaluations(const std::vector<std::string>& texts) {
    std::vector<Evaluation> all;
    std::vector<Error> errors;
    std::map<std::string, int> times;
    for (const std::string& text : texts) {
        auto read = readEvaluation(text);
        if (!read) {
            errors.insert(errors.end(), read.errors().begin(), read.errors().end());
            continue;
        }
        if (read->kind != Kind::Metrics)
            if (const int nth = ++times[read->key]; nth > 1) read->key += fmt::format("[{}]", nth);
        all.push_back(std::move(*read));
    }
    if (!errors.empty()) return errors;
    return all;
}

bool readInsideLinks(const std::vector<Evaluation>& evaluations) {
    std::vector<const Evaluation*> asked;
    for (const Evaluation& each : evaluations) {
        if (each.kind != Kind::Metrics || each.key.empty()) return true;
        asked.push_back(&each);
    }
    const bool isOfServers = onlyBisectionOf(asked) == BisectionKey::Server; // which lets HB domains forward what they like
    return std::any_of(asked.begin(), asked.end(), [&](const Evaluation* each) {
        const MetricsPart& part = *partOf(each->key);
        return part.needsInsideLinks && !(part.analysis == "bisection" && isOfServers);
    });
}

Result<Json> evaluate(const Fabric& fabric, const std::vector<Evaluation>& evaluations, KnownCables* known) {
    Json all = Json::object();
    std::vector<Error> errors = addMetrics(fabric, evaluations, known, all);
    for (const Evaluation& each : evaluations) {
        if (each.kind == Kind::Metrics) continue;
        const auto answer = answerOf(fabric, each);
        for (Error error : answer ? answer->errors : answer.errors()) {
            error.text = each.text + ": " + error.text;
            errors.push_back(std::move(error));
        }
        if (!answer) continue;
        Json own = answer->json;
        own.erase("schema");
        if (const Failures failures = failuresOf(each); !failures.isEmpty())
            own["failures"] = {{"selectors", failures.selectors}, {"links", statedOrNull(each.own("fail-links"))}, {"seed", failures.seed}};
        flatten(own, each.key, all);
    }
    if (!errors.empty() && all.empty()) return errors;
    std::string reasons;
    for (const Error& error : errors) reasons += (reasons.empty() ? "" : "; ") + error.text;
    if (!reasons.empty()) all["error"] = reasons;
    return all;
}

} // namespace railyard
