// The training job of the design: its iteration with its parts, utilisation, memory, and what the run costs.
#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/analysis/metrics/run_cost.h"
#include "core/base/unit_text.h"

#include <fmt/format.h>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

const TrainingEstimate* estimateOf(Source s) {
    return s.background && s.background->training && s.background->training->estimate ? &*s.background->training->estimate : nullptr;
}
// Of a figure that every estimate has.
template <auto Read>
Value valueOf(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    return e ? Value(Read(*e)) : std::nullopt;
}
RunCost costOf(Source s, const TrainingEstimate& e) { return runCostOf(s.instant.bill, s.instant.counts.gpus, e); }

bool isEstimate(Source) { return true; }
bool lacksPrices(Source s) { return s.instant.bill.unpricedLines > 0; }

Origin unknownTraining(Source s) { return unknownBecause(s.background->training ? s.background->training->why : "it is being computed"); }
// The origin of a figure that is known, or why there is no estimate.
template <Origin (*Known)(const TrainingEstimate&)>
Origin explained(Asked asked) {
    const TrainingEstimate* e = estimateOf(asked.source);
    return e ? Known(*e) : unknownTraining(asked.source);
}

ExplainedInput figure(std::string name, double value, std::string unit, std::string source) {
    return {std::move(name), value, std::move(unit), std::move(source), "computed"};
}
ExplainedInput asked(std::string name, double value, std::string unit = {}) {
    return {std::move(name), value, std::move(unit), "the training job of the design", "assumption"};
}
ExplainedInput iterationOf(const TrainingEstimate& e) { return figure("iteration_s", e.iteration.value(), "s", "training.iteration_s"); }
ExplainedInput gpusOf(const TrainingEstimate& e) { return figure("gpus", static_cast<double>(e.job.gpus()), "", "training.gpus"); }

// A part of the iteration, of memory, or of what a GPU sends.
struct Part {
    const char* name;
    double (*read)(const TrainingEstimate&);
    const char* source;
};

constexpr const char* products =
    "layers of the slowest stage times micro-batches: FLOP / (peak * efficiency) of each matrix product, bytes / (memory bandwidth * "
    "efficiency) of each vector operation";
constexpr const char* exposedMessages = "collectives timed on the placed groups of this fabric, less what computing hides";

constexpr Part breakdown[] = {
    {"forward", [](const TrainingEstimate& e) { return e.breakdown.forward.value(); }, products},
    {"backward", [](const TrainingEstimate& e) { return e.breakdown.backward.value(); }, products},
    {"recompute", [](const TrainingEstimate& e) { return e.breakdown.recompute.value(); }, products},
    {"tp_exposed", [](const TrainingEstimate& e) { return e.breakdown.tensor.value(); }, exposedMessages},
    {"pp_exposed", [](const TrainingEstimate& e) { return e.breakdown.pipeline.value(); }, exposedMessages},
    {"dp_exposed", [](const TrainingEstimate& e) { return e.breakdown.data.value(); }, exposedMessages},
    {"cp_exposed", [](const TrainingEstimate& e) { return e.breakdown.context.value(); }, exposedMessages},
    {"ep_exposed", [](const TrainingEstimate& e) { return e.breakdown.expert.value(); }, exposedMessages},
    {"bubble", [](const TrainingEstimate& e) { return e.breakdown.bubble.value(); },
     "(pp - 1) / (micro-batches * interleave) of the ideal time, and waiting for longer stages (Narayanan et al., SC'21)"},
    {"optimizer", [](const TrainingEstimate& e) { return e.breakdown.optimizer.value(); }, "bytes of the optimizer / memory bandwidth"},
    {"offload_exposed", [](const TrainingEstimate& e) { return e.breakdown.offload.value(); },
     "bytes over the host link, less what computing hides"},
};
constexpr const char* ofMemory = "the GPU that needs most; docs/engine.md, Memory";
constexpr Part memory[] = {
    {"parameters", [](const TrainingEstimate& e) { return e.memory.parameters; }, ofMemory},
    {"gradients", [](const TrainingEstimate& e) { return e.memory.gradients; }, ofMemory},
    {"optimizer", [](const TrainingEstimate& e) { return e.memory.optimizer; }, ofMemory},
    {"activations", [](const TrainingEstimate& e) { return e.memory.activations; },
     "micro-batches under way in the fullest stage; Korthikanti et al., eq. 2 and Table 2"},
    {"workspace", [](const TrainingEstimate& e) { return e.memory.workspace; }, "driver, libraries, and the logits of the last stage"},
};
template <Parallel Kind>
double sentOver(const TrainingEstimate& e) {
    return e.bytesPerGpu[static_cast<std::size_t>(Kind)];
}
constexpr const char* sent = "sent in one iteration, mean over the ranks; docs/engine.md, Traffic of training";
constexpr Part traffic[] = {
    {"tp", sentOver<Parallel::Tensor>, sent},
    {"pp", sentOver<Parallel::Pipeline>, sent},
    {"dp", sentOver<Parallel::Data>, sent},
    {"cp", sentOver<Parallel::Context>, sent},
    {"ep", sentOver<Parallel::Expert>, sent},
    {"hb", [](const TrainingEstimate& e) { return e.hbBytesPerGpu; }, "of all that is sent, between GPUs of one HB domain"},
    {"nic", [](const TrainingEstimate& e) { return e.nicBytesPerGpu; }, "of all that is sent, between HB domains"},
};

template <const auto& parts>
std::vector<FigureMember> membersOf(Source s) {
    std::vector<FigureMember> members;
    if (!s.background || !s.background->training) return members;
    const TrainingEstimate* e = estimateOf(s);
    for (const Part& part : parts) members.push_back({part.name, e ? Value(part.read(*e)) : std::nullopt});
    return members;
}
template <const auto& parts>
Origin originOfPart(Asked asked) {
    if (!asked.value) return unknownTraining(asked.source);
    for (const Part& part : parts)
        if (part.name == asked.member) return {"amount", {{"amount", asked.value, std::string(asked.storedUnit), part.source, "derived"}}};
    return {};
}

std::vector<FigureMember> memoryMembers(Source s) {
    std::vector<FigureMember> members = membersOf<memory>(s);
    if (members.empty()) return members;
    const TrainingEstimate* e = estimateOf(s);
    members.push_back({"total", e ? Value(e->memory.total()) : std::nullopt});
    members.push_back({"capacity", e && e->memory.capacity > 0 ? Value(e->memory.capacity) : std::nullopt});
    return members;
}
Origin originOfMemory(Asked asked) {
    const TrainingEstimate* e = estimateOf(asked.source);
    if (!e) return unknownTraining(asked.source);
    if (asked.member == "capacity") {
        if (!asked.value) return unknownBecause("the catalogue has no memory size of these GPUs");
        return {"capacity", {{"capacity", asked.value, "GiB", "catalogue, GPU with the least memory", "datasheet"}}};
    }
    if (asked.member != "total") return originOfPart<memory>(asked);
    std::vector<ExplainedInput> inputs;
    for (const Part& part : memory)
        inputs.push_back(figure(part.name, part.read(*e), "GiB", fmt::format("training.memory_gib.{}", part.name)));
    std::string note;
    for (const std::string& reason : e->reasons) note += fmt::format("{}Does not fit: {}.", note.empty() ? "" : " ", reason);
    return sumOf(std::move(inputs), std::move(note));
}

Origin originOfIteration(const TrainingEstimate& e) {
    std::vector<ExplainedInput> inputs;
    for (const Part& part : breakdown)
        inputs.push_back(figure(part.name, part.read(e), "s", fmt::format("training.breakdown_s.{}", part.name)));
    inputs.front().confidence = "derived";
    std::string note = fmt::format("{} on {} GPUs; {}{}.", e.job.model.name, e.job.gpus(), e.calibration,
                                   e.isCalibrated ? "" : ", not calibrated for these GPUs");
    if (e.expectedSlowdown > 1)
        note += fmt::format(" Expected stragglers add {:.1f} % to the compute time.", (e.expectedSlowdown - 1) * 100);
    return sumOf(std::move(inputs), std::move(note));
}
template <Seconds TrainingEstimate::*Bound>
Origin originOfBound(const TrainingEstimate& e) {
    return {
        "iteration_s * factor",
        {iterationOf(e), {"factor", e.*Bound / e.iteration, "", "interval of the constants of these GPUs, " + e.calibration, "derived"}}};
}
Origin originOfGpus(const TrainingEstimate& e) {
    Origin origin;
    for (const Parallel each : allParallel) {
        origin.formula += fmt::format("{}{}", origin.formula.empty() ? "" : " * ", toText(each));
        origin.inputs.push_back(asked(std::string(toText(each)), static_cast<double>(e.job.by(each))));
    }
    return origin;
}
Origin originOfTokens(const TrainingEstimate& e) {
    return {"global_batch * sequence_tokens / iteration_s",
            {asked("global_batch", static_cast<double>(e.job.globalBatch)),
             asked("sequence_tokens", static_cast<double>(e.job.model.sequenceTokens)), iterationOf(e)}};
}
Origin originOfDays(const TrainingEstimate& e) {
    return {"tokens / tokens_per_s / 86400",
            {asked("tokens", e.plan.tokens), figure("tokens_per_s", e.tokensPerSecond(), "1/s", "training.tokens_per_s")}};
}
ExplainedInput modelFlopsOf(const TrainingEstimate& e) {
    return figure("model_flops", e.modelFlops, "FLOP", "of one iteration; Narayanan et al. (SC'21) eq. 3, Korthikanti et al. eq. 7");
}
ExplainedInput peakOf(const TrainingEstimate& e) {
    return {"peak_flops", e.peakFlops, "FLOP/s", "catalogue, one GPU, mean over the job", "datasheet"};
}
Origin originOfModelShare(const TrainingEstimate& e) {
    return {"model_flops / (gpus * peak_flops * iteration_s)", {modelFlopsOf(e), gpusOf(e), peakOf(e), iterationOf(e)}};
}
Origin originOfHardwareShare(const TrainingEstimate& e) {
    return {"hardware_flops / (gpus * peak_flops * iteration_s)",
            {figure("hardware_flops", e.hardwareFlops, "FLOP", "of one iteration with recomputation; Korthikanti et al. eq. 8"), gpusOf(e),
             peakOf(e), iterationOf(e)}};
}
Origin originOfTflops(const TrainingEstimate& e) {
    return {"model_flops / (gpus * iteration_s) / 1e12", {modelFlopsOf(e), gpusOf(e), iterationOf(e)}};
}
// Of the kinds of communication that leave the HB domain, or of those that stay inside.
template <bool onNetwork>
Origin originOfExposed(const TrainingEstimate& e) {
    Origin origin;
    std::string sum;
    for (const auto& [name, kind] :
         {std::pair("tp_exposed", Parallel::Tensor), std::pair("pp_exposed", Parallel::Pipeline), std::pair("dp_exposed", Parallel::Data),
          std::pair("cp_exposed", Parallel::Context), std::pair("ep_exposed", Parallel::Expert)})
        for (const Part& part : breakdown)
            if (std::string_view(part.name) == name && e.crossesNics[static_cast<std::size_t>(kind)] == onNetwork) {
                sum += fmt::format("{}{}", sum.empty() ? "" : " + ", name);
                origin.inputs.push_back(figure(name, part.read(e), "s", fmt::format("training.breakdown_s.{}", name)));
            }
    origin.formula = sum.empty() ? "0 / iteration_s" : fmt::format("({}) / iteration_s", sum);
    origin.inputs.push_back(iterationOf(e));
    return origin;
}

Value longestSequence(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    return e && e->memory.capacity > 0 ? Value(static_cast<double>(e->longestSequence)) : std::nullopt;
}
Origin originOfLongest(Asked asked) {
    if (!estimateOf(asked.source)) return unknownTraining(asked.source);
    if (!asked.value) return unknownBecause("the catalogue has no memory size of these GPUs");
    return {"tokens", {{"tokens", asked.value, "", "longest sequence that fits in memory, in steps of 1,024 * cp", "computed"}}};
}

Value totalCost(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    return e ? costOf(s, *e).totalUsd() : std::nullopt;
}
Value energy(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    return e ? costOf(s, *e).energyKwh : std::nullopt;
}
Origin originOfCost(Asked asked) {
    const TrainingEstimate* e = estimateOf(asked.source);
    if (!e) return unknownTraining(asked.source);
    if (!asked.value) return unknownBecause("the power of a part is not known");
    const RunCost cost = costOf(asked.source, *e);
    return {"hardware_usd + energy_usd + space_usd",
            {figure("hardware_usd", cost.hardwareUsd, "USD",
                    fmt::format("cost.total_usd, written off over {:g} years; share of the GPUs of the job, for the days of the run",
                                asked.source.instant.bill.site.years)),
             figure("energy_usd", *cost.energyUsd, "USD", "bill: energy of a year; the same share"),
             figure("space_usd", *cost.spaceUsd, "USD", "bill: space of a year; the same share")}};
}
Origin originOfEnergy(Asked asked) {
    const TrainingEstimate* e = estimateOf(asked.source);
    if (!e) return unknownTraining(asked.source);
    if (!asked.value) return unknownBecause("the power of a part is not known");
    return {"facility_kw * 24 * days * gpus / design_gpus",
            {figure("facility_kw", asked.source.instant.bill.facilityPower()->value() / 1000, "kW", "power of the design, with cooling"),
             figure("days", e->days(), "d", "training.days"), gpusOf(*e),
             figure("design_gpus", static_cast<double>(asked.source.instant.counts.gpus), "", "counts.gpus")}};
}

using Display = FigureDisplay;

std::string whichJob(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    if (!e) return s.background && s.background->training ? sentence(s.background->training->why) : "Being computed";
    const std::string job =
        fmt::format("{} on {} GPUs; the job can be changed in the Training view", e->job.model.name, formatCount(e->job.gpus()));
    return e->isFeasible() ? job : fmt::format("{}. Does not fit: {}.", job, e->reasons.front());
}
std::string doesItFit(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    return e && !e->isFeasible() ? "too large" : "";
}
std::string whatIsExposed(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    if (!e) return whichJob(s);
    return fmt::format(
        "NIC communication that computation does not overlap, and the share of the GPUs' peak that the model uses. Inside HB "
        "domains another {} of the time is exposed.",
        formatShare(e->exposedInDomains() / e->iteration));
}
double exposedShare(const TrainingEstimate& e) { return e.exposedOnNetwork() / e.iteration; }
double mfuShare(const TrainingEstimate& e) { return e.modelShare(); }
template <double (*Share)(const TrainingEstimate&)>
std::string shareText(Source s) {
    const TrainingEstimate* e = estimateOf(s);
    return e ? formatShare(Share(*e)) : "–";
}

constexpr FigureInfo rows[] = {
    ofCandidates(
        shown({"training.iteration_s", "Training", "Training iteration", "s", 1, decimal, "s",
               valueOf<[](const TrainingEstimate& e) { return e.iteration.value(); }>, explained<originOfIteration>, nullptr, true,
               isEstimate},
              {Display::Text | Display::Panel | Display::Comparison, 45, "Training iteration", true, nullptr, doesItFit, whichJob}),
        45, "Step\nusual job", "shortest training step"),
    {"training.iteration_low_s", "Training", "Training iteration, best case", "s", 1, decimal, "s",
     valueOf<[](const TrainingEstimate& e) { return e.low.value(); }>, explained<originOfBound<&TrainingEstimate::low>>},
    {"training.iteration_high_s", "Training", "Training iteration, worst case", "s", 1, decimal, "s",
     valueOf<[](const TrainingEstimate& e) { return e.high.value(); }>, explained<originOfBound<&TrainingEstimate::high>>},
    shown({"training.exposed_network_fraction", "Training", "Exposed network share of training", "", 1, percent, "",
           valueOf<[](const TrainingEstimate& e) { return e.exposedOnNetwork() / e.iteration; }>, explained<originOfExposed<true>>, nullptr,
           true, isEstimate},
          {Display::Text | Display::Panel | Display::Comparison, 46, "Exposed network share", true, shareText<exposedShare>, nullptr,
           whatIsExposed, "training.mfu_fraction", "Exposed network share · MFU"}),
    {"training.exposed_hb_fraction", "Training", "Exposed share of training inside HB domains", "", 1, percent, "",
     valueOf<[](const TrainingEstimate& e) { return e.exposedInDomains() / e.iteration; }>, explained<originOfExposed<false>>, nullptr,
     true, isEstimate},
    shown({"training.mfu_fraction", "Training", "Model FLOP utilisation (MFU)", "", 1, percent, "",
           valueOf<[](const TrainingEstimate& e) { return e.modelShare(); }>, explained<originOfModelShare>, nullptr, true, isEstimate},
          {Display::Text, 47, "Model FLOP utilisation (MFU)", false, shareText<mfuShare>}),
    {"training.hfu_fraction", "Training", "Hardware FLOP utilisation (HFU)", "", 1, percent, "",
     valueOf<[](const TrainingEstimate& e) { return e.hardwareShare(); }>, explained<originOfHardwareShare>},
    {"training.tflops_per_gpu", "Training", "Model TFLOP/s per GPU", "TFLOP/s", 1, decimal, "TFLOP/s",
     valueOf<[](const TrainingEstimate& e) { return e.modelShare() * e.peakFlops / 1e12; }>, explained<originOfTflops>},
    {"training.tokens_per_s", "Training", "Tokens per second", "", 1, count, "1/s",
     valueOf<[](const TrainingEstimate& e) { return e.tokensPerSecond(); }>, explained<originOfTokens>, nullptr, true, isEstimate},
    {"training.days", "Training", "Days of the training run", "d", 1, decimal, "d",
     valueOf<[](const TrainingEstimate& e) { return e.days(); }>, explained<originOfDays>, nullptr, true, isEstimate},
    {"training.gpus", "Training", "GPUs of the training job", "", 1, count, "",
     valueOf<[](const TrainingEstimate& e) { return static_cast<double>(e.job.gpus()); }>, explained<originOfGpus>},
    {"training.breakdown_s.", "Training", "Training iteration, {}", "s", 1, decimal, "s", nullptr, originOfPart<breakdown>,
     membersOf<breakdown>},
    {"training.memory_gib.total", "Training", "Memory of the fullest GPU", "GiB", 1, decimal, "GiB",
     valueOf<[](const TrainingEstimate& e) { return e.memory.total(); }>, nullptr, nullptr, true, isEstimate},
    {"training.memory_gib.", "Training", "Memory of the fullest GPU, {}", "GiB", 1, decimal, "GiB", nullptr, originOfMemory, memoryMembers},
    {"training.longest_sequence_tokens", "Training", "Longest sequence that fits", "tokens", 1, count, "", longestSequence,
     originOfLongest},
    {"training.bytes_per_gpu.", "Training", "Bytes that a GPU sends in an iteration, {}", "B", 1, decimal, "", nullptr,
     originOfPart<traffic>, membersOf<traffic>},
    {"training.run_cost_usd", "Training", "Cost of the training run", "USD", 1, count, "USD", totalCost, originOfCost, nullptr, true,
     lacksPrices, PricesOf::Everything},
    {"training.run_energy_kwh", "Training", "Energy of the training run", "kWh", 1, decimal, "kWh", energy, originOfEnergy},
};

} // namespace

std::span<const FigureInfo> trainingFigures() { return rows; }

} // namespace railyard
