#include "app/cli/options/train_options.h"

#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/training/memory.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace railyard::cli {

void TrainOptions::addTo(CLI::App& verb) {
    input.addTo(verb, true);
    addJobTo(verb);
}

std::string TrainOptions::firstGiven(const std::string& besides) const {
    const auto given = std::find_if(m_options.begin(), m_options.end(),
                                    [&](const CLI::Option* option) { return option->count() > 0 && option->get_name() != besides; });
    return given == m_options.end() ? std::string() : (*given)->get_name();
}

void TrainOptions::addJobTo(CLI::App& verb) {
    const std::size_t before = verb.get_options().size();
    job.addTo(verb, m_all, {});
    verb.add_option("--order", job.order, "order of the ranks: near, far, or a file with one GPU path per line, starting with rank 0")
        ->capture_default_str();
    job.addGpusTo(verb);
    verb.add_option(
            "--calibration", calibrationFiles,
            "shipped (the default), or files of your own, once for each: measured operations (CSV: operation,shape,us), the output of "
            "nccl-tests, or constants in the format of resources/calibration/training.json")
        ->expected(1)
        ->take_all();
    const std::vector<CLI::Option*> all = verb.get_options();
    m_options.assign(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
}

Result<std::vector<DeviceId>> TrainOptions::gpusOn(const Fabric& fabric) const {
    return job.gpusOn(fabric, static_cast<std::uint64_t>(input.seed));
}

Result<PlacedJob> TrainOptions::placedOn(const Fabric& fabric) const { return job.placed(fabric, static_cast<std::uint64_t>(input.seed)); }

Result<TrainingCalibration> TrainOptions::calibration() const {
    TrainingCalibration calibration = shippedTrainingCalibration();
    for (const std::string& file : calibrationFiles) {
        if (file == "shipped") continue;
        if (const Status added = addCalibrationFile(file, calibration); !added) return added.errors();
    }
    return calibration;
}

void printChecks(const std::vector<CalibrationCheck>& checks) {
    for (const CalibrationCheck& each : checks)
        fmt::print("  {:<28}{:.1f} % over {} measurements ({}), largest {:+.1f} % ({})\n", "Error of built-in curves", each.meanError * 100,
                   each.count, each.what, each.worstError * 100, each.worst);
}

// "7, 14 × 8, 7"; empty if all stages have as many.
std::string layersByStage(const TrainingJob& job) {
    std::vector<std::pair<std::int64_t, int>> runs; // layers, and how many stages one after the other have as many
    for (const StageContent& stage : contentOfStages(job)) {
        if (runs.empty() || runs.back().first != stage.layers) runs.emplace_back(stage.layers, 0);
        ++runs.back().second;
    }
    std::vector<std::string> words;
    for (const auto& [layers, stages] : runs)
        words.push_back(stages == 1 ? fmt::to_string(layers) : fmt::format("{} × {}", stages, layers));
    return runs.size() > 1 ? fmt::format("{}", fmt::join(words, ", ")) : std::string();
}

void printEstimate(const TrainingEstimate& e) {
    const TrainingJob& job = e.job;
    fmt::print("{} on {} GPUs (tp {}, pp {}, dp {}, cp {}, ep {}{}): {} per iteration, {}{}\n", job.model.name, formatCount(job.gpus()),
               job.by(Parallel::Tensor), job.by(Parallel::Pipeline), job.by(Parallel::Data), job.by(Parallel::Context), job.expertRanks(),
               job.isExpertFolded() ? " folded" : "", formatSeconds(e.iteration),
               formatInterval(formatSeconds(e.low), formatSeconds(e.high)), e.isCalibrated ? "" : " (not calibrated for these GPUs)");
    fmt::print("  {:<28}{} MFU, {} HFU\n", "Utilisation", formatShare(e.modelShare()), formatShare(e.hardwareShare()));
    fmt::print("  {:<28}{} tokens/s, {:.3g} days for {:.4g} billion tokens\n", "Throughput", formatCount(std::llround(e.tokensPerSecond())),
               e.days(), e.plan.tokens / 1e9);
    fmt::print("  {:<28}{} network, {} HB domain\n", "Exposed communication", formatShare(e.exposedOnNetwork() / e.iteration),
               formatShare(e.exposedInDomains() / e.iteration));
    fmt::print("  {:<28}needs {:.1f} GiB, {}\n", "Memory of the fullest GPU", e.memory.total(),
               e.memory.capacity > 0 ? fmt::format("has {:.1f} GiB", e.memory.capacity) : "capacity not known");
    if (e.memory.host > 0)
        fmt::print("  {:<28}needs {:.1f} GiB, {}\n", "Memory of the host per GPU", e.memory.host,
                   e.memory.hostCapacity > 0 ? fmt::format("has {:.1f} GiB", e.memory.hostCapacity) : "capacity not known");
    if (const std::string layers = layersByStage(job); !layers.empty()) fmt::print("  {:<28}{}\n", "Layers by stage", layers);
    fmt::print("  {:<28}{} of {}{}\n", "Placement", counted(e.alignment.gpusPerDomain, "{} GPU", "{} GPUs"),
               counted(e.alignment.domains, "{} HB domain", "each of {} HB domains"),
               e.alignment.straddlingGroups > 0
                   ? counted(e.alignment.straddlingGroups, "; {} group lies in two of them", "; {} groups lie in two of them")
                   : "");
    if (e.expectedSlowdown > 1) fmt::print("  {:<28}+{:.1f} % compute time\n", "Expected stragglers", (e.expectedSlowdown - 1) * 100);
    if (e.percentile99 > e.median)
        fmt::print("  {:<28}{} at P50, {} at P99\n", "Iteration with stragglers", formatSeconds(e.median), formatSeconds(e.percentile99));
    const TrainingBreakdown& b = e.breakdown;
    for (const auto& [name, time] : {std::pair<const char*, Seconds>("Forward", b.forward),
                                     {"Backward", b.backward},
                                     {"Recomputation", b.recompute},
                                     {"Tensor parallelism", b.tensor},
                                     {"Pipeline parallelism", b.pipeline},
                                     {"Data parallelism", b.data},
                                     {"Context parallelism", b.context},
                                     {"Expert parallelism", b.expert},
                                     {"Bubble", b.bubble},
                                     {"Optimizer", b.optimizer},
                                     {"Offload", b.offload}})
        if (time > Seconds()) fmt::print("    {:<26}{:>10}{:>8.1f} %\n", name, formatSeconds(time), time / e.iteration * 100);
    for (const std::string& reason : e.reasons) fmt::print("  Does not fit: {}\n", reason);
}

} // namespace railyard::cli
