#include "core/io/tables/compare.h"
#include "app/cli/options/train_options.h"
#include "app/cli/verbs/verb.h"
#include "core/analysis/metrics/metrics.h"
#include "core/base/unit_text.h"
#include "core/io/results/results_json.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct CompareOptions {
    std::vector<std::string> files;
    std::vector<std::string> collectives;
    std::string output;
    bool json = false, trains = false;
    TrainOptions train;
};

// "all-to-all@256MiB" joins the collectives that metrics always holds.
Status addCollective(const std::string& text, const Fabric& fabric, Metrics& metrics) {
    const std::size_t at = text.find('@');
    const auto op = collectiveOpFrom(text.substr(0, at));
    if (!op || at == std::string::npos)
        return Error::usage(fmt::format("--collective {}: expected OPERATION@SIZE, for example all-to-all@256MiB", text));
    const auto size = parseBytes(text.substr(at + 1));
    if (!size) return Error::usage("--collective: " + size.error().text);
    if (size->count() == 0) return Error::usage(fmt::format("--collective {}: the size must be greater than 0", text));
    for (const NamedCollective& known : metrics.background.collectives)
        if (known.op == *op && known.size == *size) return Done{};
    NamedCollective named{*op, *size, {}, {}};
    if (auto group = Communicator::create(fabric, 0, RankOrder::Near)) {
        if (auto timed = group->time(*op, *size))
            named.result = *timed;
        else
            named.why = timed.error().text;
    }
    metrics.background.collectives.push_back(named);
    return Done{};
}

// Of the training job that was asked for, in place of those of the design.
Status estimateAsked(const Fabric& fabric, const TrainOptions& train, Metrics& metrics) {
    const auto calibration = train.calibration();
    if (!calibration) return calibration.errors();
    const auto placed = train.placedOn(fabric);
    if (!placed) return placed.errors();
    auto estimate = estimateTraining(fabric, *placed, train.request(fabric)->planned.plan, *calibration);
    if (!estimate) return estimate.errors();
    metrics.background.training = TrainingFigures{std::move(*estimate), {}};
    return Done{};
}

int runCompare(const CompareOptions& o) {
    if (const std::string given = o.train.firstGiven(); !o.trains && !given.empty())
        return report({Error::usage(given + ": is used with --train only")});
    if (o.files.size() < 2)
        return report({Error::usage("compare requires at least two designs, for example: railyard-cli compare A.railyard B.railyard")});
    std::vector<Json> all;
    Json sources = Json::array(); // of the jobs
    std::vector<Error> errors;
    for (const std::string& file : o.files) {
        DesignInput input;
        input.file = file;
        auto loaded = load(input);
        if (!loaded) {
            errors.insert(errors.end(), loaded.errors().begin(), loaded.errors().end());
            continue;
        }
        Metrics metrics = metricsOf(*loaded->fabric);
        for (const std::string& text : o.collectives)
            if (Status added = addCollective(text, *loaded->fabric, metrics); !added) return report(added.errors());
        if (o.trains)
            if (Status estimated = estimateAsked(*loaded->fabric, o.train, metrics); !estimated)
                for (Error each : estimated.errors()) {
                    if (each.where.file.empty()) each.text = fmt::format("{}: {}", file, each.text); // the job may be that of the design
                    errors.push_back(std::move(each));
                }
        sources.push_back(o.train.job.source(*loaded->design));
        all.push_back(toJson(metrics));
    }
    if (!errors.empty()) return report(errors);
    if (!o.output.empty() && o.output != "-")
        if (Status written = writeComparison(all, o.output); !written) return report(written.errors());
    Json json = compareJson(all);
    json["job_sources"] = std::move(sources);
    if (o.json)
        printJson(jsonText(json));
    else if (o.output.empty() || o.output == "-")
        fmt::print("{}", markdownOf(comparisonTable(all)));
    return 0;
}

Run addCompare(CLI::App& verb) {
    auto compare = std::make_shared<CompareOptions>();
    verb.add_option("FILES", compare->files, "two or more *.railyard designs")->required();
    verb.add_option("--collective", compare->collectives, "additional collective to compare, for example all-to-all@256MiB (repeatable)")
        ->allow_extra_args(false);
    verb.add_flag("--train", compare->trains,
                  "compare the training jobs of the designs with these options of `train` in place of their own");
    compare->train.addJobTo(verb);
    verb.add_option("-o", compare->output,
                    "output file: " + extensionsOf(comparisonFormats()) +
                        "; .xlsx and .md have titles and units, .csv and .json metric keys");
    verb.add_flag("--json", compare->json, "print JSON");
    return [=] { return runCompare(*compare); };
}

} // namespace

const VerbInfo compareVerb{"compare", "compare the metrics of designs with those of the first design", alwaysShowsPrices, addCompare};

} // namespace railyard::cli
