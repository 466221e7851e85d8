#include "app/cli/options/job_options.h"

#include "app/cli/options/parameter_options.h"
#include "core/base/unit_text.h"
#include "core/collective/collective.h"
#include "core/io/imports/rank_list.h"

#include <fmt/format.h>

namespace railyard::cli {
namespace {

bool isOfGpus(std::string_view key) { return key == "gpus" || key == "placement" || key == "per_domain"; }

} // namespace

void JobOptions::addTo(CLI::App& verb, KindOptions& options, const std::vector<std::string>& kinds) {
    verb.footer("An option of the training job that is not given takes its value from the training job of the design; with --model, or "
                "where the design has none, from the defaults above.");
    const JobRequest usual = usualRequest();
    for (const Parameter<JobRequest>& row : jobParameters())
        if (!isOfGpus(row.info.key)) options.add(addParameter(verb, row.info, row.text(usual), m_given), kinds);
}

std::vector<CLI::Option*> JobOptions::addGpusTo(CLI::App& verb) {
    std::vector<CLI::Option*> added;
    const JobRequest usual = usualRequest();
    for (const Parameter<JobRequest>& row : jobParameters())
        if (isOfGpus(row.info.key) && !verb.get_option_no_throw(row.info.option()))
            added.push_back(addParameter(verb, row.info, row.text(usual), m_given, row.info.key != "placement"));
    verb.get_option("--placement")->description("GPUs of the job: packed, spread or random servers, or a file with one GPU path per line");
    return added;
}

void JobOptions::setGpus(std::int64_t count) { (*m_given)["gpus"] = fmt::to_string(count); }

Result<JobRequest> JobOptions::request(const Design& design) const {
    ParameterTexts options = *m_given;
    if (const auto model = options.find("model"); model != options.end()) {
        auto text = modelForDocument(model->second);
        if (!text) return asOptions(jobParameters(), text.errors());
        model->second = std::move(*text);
    }
    if (const auto placement = options.find("placement"); placement != options.end() && !placementFrom(placement->second))
        options.erase(placement); // a file
    auto job = jobOf(design, options);
    return job ? std::move(job) : asOptions(jobParameters(), job.errors());
}

std::vector<Error> JobOptions::asGiven(std::vector<Error> errors) const {
    for (Error& error : errors)
        if (isGiven(error.field)) error = cli::asOptions<JobRequest>(jobParameters(), {error}).front();
    return errors;
}

std::string_view JobOptions::source(const Design& design) const { return design.training && !isGiven("model") ? "design" : "defaults"; }

std::string_view JobOptions::sourceText(const Design& design) const {
    return source(design) == "design" ? "from the training job of the design" : "defaults";
}

std::string JobOptions::placementFile() const {
    const auto given = m_given->find("placement");
    return given != m_given->end() && !placementFrom(given->second) ? given->second : std::string();
}

Result<std::vector<DeviceId>> JobOptions::gpusOn(const Fabric& fabric, std::uint64_t seed) const {
    const auto own = request(*fabric.design);
    if (!own) return own.errors();
    const auto given = m_given->find("placement");
    const std::string file = placementFile();
    if (order != "near" && given != m_given->end() && given->second != "packed")
        return Error::usage("--order and --placement both order the GPUs; use one of them");
    if (order != "near" && isGiven("per_domain")) return Error::usage("--order and --per-domain both choose the GPUs; use one of them");
    const bool isExact = order != "near" || !file.empty(); // those of the list
    auto found = order == "far"    ? Result<std::vector<DeviceId>>(gpusInOrder(fabric, RankOrder::Far))
                 : order != "near" ? readRankList(fabric, order)
                 : file.empty()    ? Result<std::vector<DeviceId>>(gpusOf(fabric, own->placement, seed))
                                   : readRankList(fabric, file);
    if (!found) return found;
    const auto there = static_cast<std::int64_t>(found->size());
    if (own->gpus > there)
        return Error::unbuildable(isGiven("gpus")
                                      ? fmt::format("--gpus {}: {} has {} GPUs; choose at most as many", formatCount(own->gpus),
                                                    isExact ? "the list" : "the design", formatCount(there))
                                      : fmt::format("the training job of the design needs {} GPUs; {} has {}", formatCount(own->gpus),
                                                    isExact ? "the list" : "the design", formatCount(there)));
    return isExact ? firstGpus(std::move(*found), own->gpus)
                   : firstWholeGroups(own->planned.job, fabric, std::move(*found), own->gpus, own->perDomain);
}

Result<PlacedJob> JobOptions::placed(const Fabric& fabric, std::uint64_t seed) const {
    auto found = gpusOn(fabric, seed);
    if (!found) return found.errors();
    return placedOn(fabric, std::move(*found));
}

Result<PlacedJob> JobOptions::placedOn(const Fabric& fabric, std::vector<DeviceId> exactly) const {
    auto asked = request(*fabric.design);
    if (!asked) return asked.errors();
    return placedJob(std::move(asked->planned.job), fabric, std::move(exactly));
}

Result<JobTraffic> JobOptions::traffic(const Fabric& fabric, std::uint64_t seed) const {
    const auto on = placed(fabric, seed);
    if (!on) return on.errors();
    return jobTrafficOf(fabric, on->job, on->gpus);
}

} // namespace railyard::cli
