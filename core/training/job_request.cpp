#include "core/training/job_request.h"

#include "core/base/file.h"
#include "core/json/json_parse.h"
#include "core/workload/models_json.h"

#include <fmt/format.h>

namespace railyard {

Result<JobRequest> readJob(const ParameterTexts& options) { return withTexts(jobParameters(), usualRequest(), options, "a training job"); }

NamedOptions toCall(const JobRequest& request, const NamedOptions& was) {
    return {textsOf(jobParameters(), request, usualRequest()), was.unknown};
}

Result<JobRequest> jobOf(const Design& design) { return jobOf(design, {}); }

Result<JobRequest> jobOf(const Design& design, const ParameterTexts& options) {
    ParameterTexts all = options;
    if (design.training && !options.contains("model")) all.insert(design.training->options.begin(), design.training->options.end());
    return readJob(all);
}

Result<std::string> modelForDocument(const std::string& idOrFile) {
    if (!idOrFile.ends_with(".json") || idOrFile.starts_with('{')) return idOrFile;
    if (const auto model = modelOf(idOrFile); !model) return model.errors(); // with their places in the file
    const auto content = readText(idOrFile);
    if (!content) return content.errors();
    return Json::parse(*content).dump();
}

Result<std::vector<DeviceId>> firstGpus(std::vector<DeviceId> gpus, std::int64_t count) {
    if (count <= 0) return gpus;
    const auto there = static_cast<std::int64_t>(gpus.size());
    if (count > there)
        return Error::parameter(Error::Kind::Unbuildable, "range", "gpus", fmt::to_string(count),
                                fmt::format("{} GPUs are available", there), {fmt::to_string(there)});
    gpus.resize(static_cast<std::size_t>(count));
    return gpus;
}

Result<std::vector<DeviceId>> firstWholeGroups(TrainingJob job, const Fabric& fabric, std::vector<DeviceId> gpus, std::int64_t count,
                                               std::int64_t perDomain) {
    if (perDomain > 0) {
        if (const std::int64_t most = usualDomain(fabric); perDomain > most)
            return Error::parameter(Error::Kind::Unbuildable, "range", "per_domain", fmt::to_string(perDomain),
                                    fmt::format("an HB domain has {} GPUs", most), {fmt::to_string(most)});
        return firstGpus(firstOfDomains(fabric, gpus, perDomain), count);
    }
    const bool isStated = job.by(Parallel::Data) > 0; // so that the degrees say how many GPUs
    const auto asked = static_cast<std::ptrdiff_t>(count > 0 ? std::min(count, static_cast<std::int64_t>(gpus.size())) : gpus.size());
    const TrainingJob filledIn = placedJob(job, fabric, std::vector(gpus.begin(), gpus.begin() + asked)).job;
    job.degrees = filledIn.degrees; // tp is chosen
    job.expertFold = filledIn.expertFold;
    std::vector<DeviceId> whole = wholeGroups(job, fabric, gpus);
    const auto enough = static_cast<std::int64_t>(whole.size());
    const bool isEnough = count > 0 ? count <= enough : !isStated || job.gpus() <= enough;
    return firstGpus(isEnough ? std::move(whole) : std::move(gpus), count);
}

Result<PlacedJob> placedOn(const Fabric& fabric, const JobRequest& request) {
    auto gpus =
        firstWholeGroups(request.planned.job, fabric, gpusOf(fabric, request.placement, request.seed), request.gpus, request.perDomain);
    if (!gpus) return gpus.errors();
    return placedJob(request.planned.job, fabric, std::move(*gpus));
}

} // namespace railyard
