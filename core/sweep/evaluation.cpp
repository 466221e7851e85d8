#include "core/sweep/evaluation.h"

#include "core/analysis/figures/figure_table.h"
#include "core/analysis/metrics/analysis_table.h"
#include "core/base/fingerprint.h"
#include "core/catalog/catalog.h"
#include "core/collective/collective_parameters.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/io/results/reliability_json.h"
#include "core/io/results/results_json.h"
#include "core/io/results/training_json.h"
#include "core/reliability/reliability_parameters.h"
#include "core/training/job_request.h"
#include "core/training/search_placements.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sstream>

namespace railyard {
namespace {

using Kind = Evaluation::Kind;

// The objects of metrics, and what each needs: an analysis, some of what is known at once, the cables.
struct MetricsPart {
    std::string_view key, analysis;
    unsigned instant;
    bool needsCabling = (instant & Instant::FromCabling) != 0;
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
    {"training", "training", Instant::Everything}};

const MetricsPart* partOf(std::string_view key) {
    const std::string_view first = key.substr(0, key.find('.'));
    const auto found =
        std::find_if(std::begin(metricsParts), std::end(metricsParts), [&](const MetricsPart& part) { return part.key == first; });
    return found == std::end(metricsParts) ? nullptr : found;
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

// "--key value" and "--key=value" as the texts of rows.
template <class Settings>
Result<ParameterTexts> optionsOf(std::span<const Parameter<Settings>> rows, const std::vector<std::string>& words, std::size_t from,
                                 const Settings& usual, std::string_view of) {
    ParameterTexts texts;
    for (std::size_t i = from; i < words.size(); ++i) {
        const std::size_t equals = std::min(words[i].find('='), words[i].size());
        const std::string option = words[i].substr(0, equals);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.info.option() == option; });
        if (row == rows.end()) return Error::usage(fmt::format("evaluate \"{}\": there is no option {}", fmt::join(words, " "), option));
        if (equals == words[i].size() && i + 1 == words.size())
            return Error::usage(fmt::format("evaluate \"{}\": {} needs a value", fmt::join(words, " "), option));
        texts[std::string(row->info.key)] = equals < words[i].size() ? words[i].substr(equals + 1) : words[++i];
    }
    if (const auto good = withTexts(rows, usual, texts, of); !good) {
        std::vector<Error> errors = good.errors();
        for (Error& error : errors) error.text = fmt::format("evaluate \"{}\": {}", fmt::join(words, " "), error.text);
        return errors;
    }
    return texts;
}

Result<Evaluation> collectiveFrom(const std::string& text, std::vector<std::string> words) {
    Evaluation read{Kind::Collective, text, "collective", {}};
    if (words.size() > 1 && !words[1].starts_with("--")) {
        const std::size_t at = words[1].find('@');
        if (at == std::string::npos)
            return Error::usage(fmt::format("evaluate \"{}\": must be OPERATION@SIZE, for example all-to-all@256MiB", text));
        read.key = "collective." + words[1];
        words.push_back("--op=" + words[1].substr(0, at));
        words.push_back("--size=" + words[1].substr(at + 1));
        words.erase(words.begin() + 1);
    }
    auto options = optionsOf(collectiveParameters(), words, 1, CollectiveQuery(), "a collective");
    if (!options) return options.errors();
    read.options = std::move(*options);
    return read;
}

template <class Settings>
Result<Evaluation> verbFrom(Kind kind, const std::string& text, const std::vector<std::string>& words,
                            std::span<const Parameter<Settings>> rows, const Settings& usual, std::string_view of) {
    auto options = optionsOf(rows, words, 1, usual, of);
    if (!options) return options.errors();
    return Evaluation{kind, text, words[0], std::move(*options)};
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
        if (item.is_object() && item.contains("op") && item.contains("size_bytes"))
            flatten(item, key + "." + collectiveKey(item["op"].get<std::string>(), Bytes(item["size_bytes"].get<std::int64_t>())), into);
        else if (!item.is_structured())
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

void analyse(const std::vector<const Evaluation*>& asked, const AnalysisInput& input, BackgroundMetrics& into) {
    const auto isWanted = [&](std::string_view analysis) {
        return std::any_of(asked.begin(), asked.end(),
                           [&](const Evaluation* each) { return each->key.empty() || partOf(each->key)->analysis == analysis; });
    };
    std::set<BisectionKey> keys; // of which only some are asked for
    bool areAll = false;
    for (const Evaluation* each : asked)
        if (each->key.empty() || partOf(each->key)->analysis == "bisection") {
            const auto key = bisectionKeyOf(each->key);
            key ? void(keys.insert(*key)) : void(areAll = true);
        }
    for (const Analysis& row : analysisTable()) {
        if (!isWanted(row.name)) continue;
        if (row.name == "bisection" && !areAll && keys.size() == 1)
            into.bisection[static_cast<std::size_t>(*keys.begin())] = bisection(input.fabric, *keys.begin());
        else
            row.run(input, {}, into);
    }
}

// All metrics that were asked for, of one pass.
void addMetrics(const Fabric& fabric, const std::vector<Evaluation>& evaluations, Json& into) {
    std::vector<const Evaluation*> asked;
    unsigned parts = 0;
    bool needsCabling = false;
    for (const Evaluation& each : evaluations) {
        if (each.kind != Kind::Metrics) continue;
        asked.push_back(&each);
        const MetricsPart* part = each.key.empty() ? nullptr : partOf(each.key);
        parts |= part ? part->instant : unsigned{Instant::Everything};
        needsCabling = needsCabling || !part || part->needsCabling;
    }
    if (asked.empty()) return;
    Metrics metrics;
    const auto cabling = std::make_shared<const Cabling>(needsCabling ? cablingOf(fabric) : Cabling());
    metrics.name = fabric.design->name;
    metrics.recipe = fabric.design->recipe ? fabric.design->recipe->name : std::string();
    const bool isWhole = std::any_of(asked.begin(), asked.end(), [](const Evaluation* each) { return each->key.empty(); });
    if (isWhole) metrics.fingerprint = toText(fingerprintOf(fingerprintText(*fabric.design)));
    metrics.instant = instantMetrics(fabric, *cabling, parts);
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
}

// A figure, several of them, or what the metrics of a small design have besides its figures, such as bisection.server.certified.
bool isKnownKey(const std::string& key) {
    if (key.find('.') == std::string::npos || figureNamed(key)) return true;
    const auto figures = figureTable();
    if (std::any_of(figures.begin(), figures.end(), [&](const FigureInfo& row) { return row.key.starts_with(key + "."); })) return true;
    static const Json small = [] {
        const auto design = build({"superpod-h100", {{"servers", "32"}, {"racks", "auto"}, {"storage", "on"}}}, "small", shippedCatalog());
        return design ? toJson(metricsOf(*elaborate(std::make_shared<const Design>(*design)))) : Json::object();
    }();
    return at(small, key) != nullptr;
}

Result<Json> collectiveOf(const Fabric& fabric, const Evaluation& asked) {
    const auto query = withTexts(collectiveParameters(), CollectiveQuery(), asked.options, "a collective");
    if (!query) return query.errors();
    const auto calibration = over(query->transport, shippedCalibration());
    if (!calibration) return calibration.errors();
    const auto group = Communicator::create(fabric, query->ranks, RankOrder::Near, *calibration);
    if (!group) return group.errors();
    const auto timed = group->time(query->op, query->size, query->request);
    if (!timed) return timed.errors();
    return toJson(*timed);
}

struct AskedJob {
    JobRequest request;
    PlacedJob placed;
};
Result<AskedJob> jobFor(const Fabric& fabric, const Evaluation& asked) {
    auto request = asked.options.empty() ? jobOf(*fabric.design) : jobOf(*fabric.design, asked.options);
    if (!request) return request.errors();
    auto placed = placedOn(fabric, *request);
    if (!placed) return placed.errors();
    return AskedJob{std::move(*request), std::move(*placed)};
}

Result<Json> trainingOf(const Fabric& fabric, const Evaluation& asked) {
    const auto job = jobFor(fabric, asked);
    if (!job) return job.errors();
    const auto estimate = estimateTraining(fabric, job->placed, job->request.planned.plan);
    if (!estimate) return estimate.errors();
    return toJson(*estimate);
}

Result<Json> searchOf(const Fabric& fabric, const Evaluation& asked) {
    const auto job = jobFor(fabric, asked);
    if (!job) return job.errors();
    const TrainingPlan& plan = job->request.planned.plan;
    const auto spaceOf = [&](const std::vector<DeviceId>& on) {
        SearchSpace space = usualSpace(fabric, job->placed.job, on);
        keepGiven(
            space, [&](std::string_view key) { return asked.options.contains(std::string(key)); }, job->placed.job, plan);
        return space;
    };
    const bool isPlaced = asked.options.contains("per_domain");
    const std::vector<PlacementChoice> choices =
        isPlaced ? std::vector<PlacementChoice>{{job->placed.gpus, 0}} : placementsToTry(fabric, job->placed.gpus);
    const auto found = searchPlacements(fabric, job->placed.job, choices, plan, spaceOf, {});
    if (!found) return found.errors();
    if (found->best.empty())
        return Error::unbuildable(found->nearest            ? "nothing fits in memory; the nearest: " + found->nearest->reasons.front()
                                  : found->problems.empty() ? "no division of these GPUs suits the model"
                                                            : found->problems.front().text);
    return Json{{"best", toJson(found->best.front())}, {"evaluated", found->evaluated}, {"too_large", found->tooLarge}};
}

constexpr const char *trialsKey = "monte_carlo", *seedKey = "seed"; // of options that are no parameters of the failure model

// --rate KIND=RATE and --repair KIND=TIME, as the command line has them, as rows of their own.
std::vector<std::string> withRows(std::vector<std::string> words) {
    for (std::size_t i = 1; i < words.size(); ++i)
        for (const std::string option : {"--rate", "--repair"}) {
            if (words[i] == option && i + 1 < words.size()) {
                words[i] += "=" + words[i + 1];
                words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            }
            if (words[i].starts_with(option + "=")) words[i][option.size()] = '-';
        }
    return words;
}

Result<Evaluation> reliabilityFrom(const std::string& text, const std::vector<std::string>& words) {
    ParameterTexts own;
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = std::min(words[i].find('='), words[i].size());
        const std::string option = words[i].substr(0, equals);
        if (option != "--monte-carlo" && option != "--seed") {
            rest.push_back(words[i]);
            continue;
        }
        const std::string value = equals < words[i].size() ? words[i].substr(equals + 1)
                                  : i + 1 < words.size()   ? words[++i]
                                                           : std::string();
        const bool isSeed = option == "--seed";
        const ParameterInfo seed{.key = seedKey, .label = {}, .help = {}, .low = 1, .high = 1e15};
        const auto trials = isSeed ? Result<std::int64_t>(std::int64_t{0}) : trialsFrom(value);
        if (const std::string wrong = isSeed ? seed.problemOf(value) : trials ? std::string() : trials.error().text; !wrong.empty())
            return Error::usage(fmt::format("evaluate \"{}\": {} {}: {}", text, option, value, wrong));
        own[isSeed ? seedKey : trialsKey] = value;
    }
    auto read = verbFrom(Kind::Reliability, text, withRows(rest), reliabilityParameters(), ReliabilityRequest(), "the failure model");
    if (read) read->options.insert(own.begin(), own.end());
    return read;
}

Result<Json> reliabilityOf(const Fabric& fabric, const Evaluation& asked) {
    ParameterTexts options = asked.options;
    const std::string trials = options.contains(trialsKey) ? options.extract(trialsKey).mapped() : std::string();
    const std::string seed = options.contains(seedKey) ? options.extract(seedKey).mapped() : std::string();
    auto request = withTexts(reliabilityParameters(), reliabilityOfDesign(*fabric.design), options, "the failure model");
    if (!request) return request.errors();
    if (!seed.empty()) request->seed = std::stoull(seed);
    const auto place = jobPlaceOf(fabric, *request);
    if (!place) return place.errors();
    const JobParts parts = jobPartsOf(fabric, *place, request->policy);
    const Cabling cabling = cablingOf(fabric);
    const Reliability known = reliabilityOf(fabric, parts, *request, &cabling);
    Json answer = toJson(known, *request);
    if (trials.empty()) return answer;
    const MonteCarloRequest how{*trialsFrom(trials), request->seed};
    answer["monte_carlo"] = toJson(simulate(operationOf(fabric, *place, *request), *request,
                                            known.checkpoint ? known.checkpoint->interval : Seconds(0), how, {.threads = 1}));
    return answer;
}

Result<Json> answerOf(const Fabric& fabric, const Evaluation& asked) {
    switch (asked.kind) {
    case Kind::Collective: return collectiveOf(fabric, asked);
    case Kind::Train: return trainingOf(fabric, asked);
    case Kind::Search: return searchOf(fabric, asked);
    case Kind::Reliability: return reliabilityOf(fabric, asked);
    case Kind::Metrics: break;
    }
    return Json::object();
}

} // namespace

Result<Evaluation> readEvaluation(const std::string& text) {
    const std::vector<std::string> words = wordsOf(text);
    if (words.empty()) return Error::usage("evaluate: a text is empty");
    const std::string& first = words[0];
    if (first == "collective") return collectiveFrom(text, words);
    if (first == "train") return verbFrom(Kind::Train, text, words, jobParameters(), usualRequest(), "a training job");
    if (first == "search") return verbFrom(Kind::Search, text, words, jobParameters(), usualRequest(), "a training job");
    if (first == "reliability") return reliabilityFrom(text, words);
    if (words.size() > 1)
        return Error::usage(fmt::format("evaluate \"{}\": only collective, train, search and reliability have options", text));
    if (first == "metrics") return Evaluation{Kind::Metrics, text, {}, {}};
    const std::string key = first.starts_with("metrics.") ? first.substr(std::string_view("metrics.").size()) : first;
    if (!partOf(key)) {
        std::vector<std::string_view> known;
        for (const MetricsPart& part : metricsParts) known.push_back(part.key);
        return Error::usage(
            fmt::format("evaluate \"{}\": must be metrics, one of its objects or keys ({}), collective, train, search or reliability", text,
                        fmt::join(known, ", ")));
    }
    if (!isKnownKey(key))
        return Error::usage(
            fmt::format("evaluate \"{}\": the metrics have no such key; `railyard-cli metrics FILE --json` shows them", text));
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

Result<Json> evaluate(const Fabric& fabric, const std::vector<Evaluation>& evaluations) {
    Json all = Json::object();
    std::vector<Error> errors;
    addMetrics(fabric, evaluations, all);
    for (const Evaluation& each : evaluations) {
        if (each.kind == Kind::Metrics) continue;
        const auto answer = answerOf(fabric, each);
        if (!answer) {
            for (Error error : answer.errors()) {
                error.text = each.text + ": " + error.text;
                errors.push_back(std::move(error));
            }
            continue;
        }
        Json own = *answer;
        own.erase("schema");
        flatten(own, each.key, all);
    }
    if (!errors.empty() && all.empty()) return errors;
    std::string reasons;
    for (const Error& error : errors) reasons += (reasons.empty() ? "" : "; ") + error.text;
    if (!reasons.empty()) all["error"] = reasons;
    return all;
}

} // namespace railyard
