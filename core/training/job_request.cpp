#include "core/training/job_request.h"

#include "core/workload/models_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace railyard {
namespace {

constexpr std::int64_t million = 1'000'000;
constexpr std::array<std::string_view, 2> onOff{"off", "on"};
constexpr std::array<std::string_view, 2> precisionNames{"bf16", "fp8"};
constexpr std::array<std::string_view, 3> placementNames{"packed", "spread", "random"};

// Of one option, as text; the fault of the value, empty if it is good.
struct JobOption {
    std::string_view name;
    std::string (*text)(const JobRequest&);
    std::string (*set)(JobRequest&, const std::string&);
};

template <class Number>
std::optional<Number> numberFrom(const std::string& text) {
    Number value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

// A whole number; `low` is 0 where the number can be left to the program.
template <auto Field, std::int64_t low, std::int64_t high>
constexpr JobOption whole(std::string_view name) {
    return {name, [](const JobRequest& r) { return fmt::to_string(Field(const_cast<JobRequest&>(r))); },
            [](JobRequest& r, const std::string& text) {
                const auto value = numberFrom<std::int64_t>(text);
                if (!value || *value < low || *value > high) return fmt::format("must be a whole number from {} to {}", low, high);
                Field(r) = static_cast<std::remove_reference_t<decltype(Field(r))>>(*value);
                return std::string();
            }};
}

template <auto Field, std::int64_t high>
constexpr JobOption real(std::string_view name) {
    return {name, [](const JobRequest& r) { return fmt::format("{}", Field(const_cast<JobRequest&>(r))); },
            [](JobRequest& r, const std::string& text) {
                const auto value = numberFrom<double>(text);
                const auto most = static_cast<double>(high);
                if (!value || !(*value >= 1 && *value <= most)) return fmt::format("must be a number from 1 to {:g}", most);
                Field(r) = *value;
                return std::string();
            }};
}

template <auto Field, const auto& names>
constexpr JobOption choice(std::string_view name) {
    return {name, [](const JobRequest& r) { return std::string(names[static_cast<std::size_t>(Field(const_cast<JobRequest&>(r)))]); },
            [](JobRequest& r, const std::string& text) {
                const auto at = std::find(names.begin(), names.end(), text);
                if (at == names.end()) return fmt::format("must be one of {}", fmt::join(names, ", "));
                Field(r) = static_cast<std::remove_reference_t<decltype(Field(r))>>(at - names.begin());
                return std::string();
            }};
}

// The fields of a request. A namespace of their own, because their names are those of locals elsewhere.
namespace field {
constexpr auto tensor = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Tensor)]; };
constexpr auto pipeline = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Pipeline)]; };
constexpr auto data = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Data)]; };
constexpr auto context = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Context)]; };
constexpr auto expert = [](JobRequest & r) -> auto& { return r.planned.job.degrees[static_cast<std::size_t>(Parallel::Expert)]; };
constexpr auto sequenceParallel = [](JobRequest & r) -> auto& { return r.planned.job.isSequenceParallel; };
constexpr auto microBatch = [](JobRequest & r) -> auto& { return r.planned.job.microBatch; };
constexpr auto globalBatch = [](JobRequest & r) -> auto& { return r.planned.job.globalBatch; };
constexpr auto interleave = [](JobRequest & r) -> auto& { return r.planned.job.interleave; };
constexpr auto recompute = [](JobRequest & r) -> auto& { return r.planned.job.recompute; };
constexpr auto zero = [](JobRequest & r) -> auto& { return r.planned.job.zero; };
constexpr auto pipelineScatter = [](JobRequest & r) -> auto& { return r.planned.job.isPipelineScattered; };
constexpr auto overlapData = [](JobRequest & r) -> auto& { return r.planned.plan.overlapsData; };
constexpr auto overlapTensor = [](JobRequest & r) -> auto& { return r.planned.plan.overlapTensor; };
constexpr auto offload = [](JobRequest & r) -> auto& { return r.planned.plan.offload; };
constexpr auto precision = [](JobRequest & r) -> auto& { return r.planned.plan.precision; };
constexpr auto tokens = [](JobRequest & r) -> auto& { return r.planned.plan.tokens; };
constexpr auto gateSkew = [](JobRequest & r) -> auto& { return r.planned.plan.gateSkew; };
constexpr auto straggler = [](JobRequest & r) -> auto& { return r.planned.plan.straggler; };
constexpr auto gpus = [](JobRequest & r) -> auto& { return r.gpus; };
constexpr auto placement = [](JobRequest & r) -> auto& { return r.placement; };
} // namespace field

std::string setRankOrder(JobRequest& r, const std::string& text) {
    const auto order = TrainingJob::rankOrderFrom(text);
    if (!order) return "must contain tp, cp, ep, dp and pp once each, innermost first, for example tp-cp-ep-dp-pp";
    r.planned.job.rankOrder = *order;
    return {};
}
std::string rankOrderText(const JobRequest& r) {
    std::string text;
    for (const Parallel each : r.planned.job.rankOrder) text += (text.empty() ? "" : "-") + std::string(toText(each));
    return text;
}
std::string setGradientBytes(JobRequest& r, const std::string& text) {
    if (text != "2" && text != "4") return "must be 2 or 4";
    r.planned.job.gradientBytes = text == "2" ? 2 : 4;
    return {};
}

constexpr JobOption jobOptions[] = {
    whole<field::tensor, 0, million>("tp"),
    whole<field::pipeline, 1, million>("pp"),
    whole<field::data, 0, million>("dp"),
    whole<field::context, 1, million>("cp"),
    whole<field::expert, 1, million>("ep"),
    choice<field::sequenceParallel, onOff>("sequence_parallel"),
    whole<field::microBatch, 1, million>("micro_batch"),
    whole<field::globalBatch, 0, std::int64_t{1} << 40>("global_batch"),
    whole<field::interleave, 1, million>("interleave"),
    choice<field::recompute, recomputeNames>("recompute"),
    whole<field::zero, 0, 3>("zero"),
    choice<field::overlapData, onOff>("overlap_dp"),
    choice<field::overlapTensor, tensorOverlapNames>("overlap_tp"),
    choice<field::offload, offloadNames>("offload"),
    {"grad_bytes", [](const JobRequest& r) { return fmt::to_string(r.planned.job.gradientBytes); }, setGradientBytes},
    choice<field::pipelineScatter, onOff>("pp_scatter"),
    choice<field::precision, precisionNames>("precision"),
    real<field::tokens, million * million * million>("tokens"),
    {"rank_order", rankOrderText, setRankOrder},
    real<field::gateSkew, million>("gate_skew"),
    real<field::straggler, million>("straggler"),
    whole<field::gpus, 0, 1'048'576>("gpus"),
    choice<field::placement, placementNames>("placement"),
};

bool isContent(const std::string& model) { return model.starts_with('{'); }

// A shipped model, or the content of a file; never the file itself, which the document would lose.
Result<TransformerModel> modelFromCall(const std::string& model) {
    if (isContent(model)) return modelFrom(model, "model");
    if (model.ends_with(".json"))
        return Error::parameter(Error::Kind::Usage, "choice", "model", model, "must be a known model or the content of a model file");
    return modelOf(model);
}

} // namespace

JobRequest usualRequest() {
    JobRequest request;
    request.planned.job = usualJob(*modelOf(request.model));
    return request;
}

std::vector<std::string> jobOptionNames() {
    std::vector<std::string> names{"model"};
    for (const JobOption& option : jobOptions) names.emplace_back(option.name);
    return names;
}

Result<JobRequest> readJob(const TrainingCall& call) {
    JobRequest request = usualRequest();
    std::vector<Error> errors;
    for (const auto& [name, value] : call.options) {
        if (name == "model") {
            auto model = modelFromCall(value);
            if (!model) {
                errors.insert(errors.end(), model.errors().begin(), model.errors().end());
                continue;
            }
            request.model = value;
            request.planned.job.model = std::move(*model);
            continue;
        }
        const auto* option = std::find_if(std::begin(jobOptions), std::end(jobOptions),
                                          [&wanted = name](const JobOption& each) { return each.name == wanted; });
        if (option == std::end(jobOptions)) {
            errors.push_back(
                Error::parameter(Error::Kind::Usage, "unknown", name, value,
                                 fmt::format("is not an option of a training job; known are {}", fmt::join(jobOptionNames(), ", "))));
            continue;
        }
        if (std::string wrong = option->set(request, value); !wrong.empty())
            errors.push_back(Error::parameter(Error::Kind::Usage, "range", name, value, std::move(wrong)));
    }
    if (!errors.empty()) return errors;
    return request;
}

TrainingCall toCall(const JobRequest& request, const TrainingCall& was) {
    TrainingCall call{{}, was.unknown};
    const JobRequest usual = usualRequest();
    if (request.model != usual.model) call.options["model"] = request.model;
    for (const JobOption& option : jobOptions)
        if (std::string value = option.text(request); value != option.text(usual))
            call.options[std::string(option.name)] = std::move(value);
    return call;
}

Result<JobRequest> jobOf(const Design& design) { return design.training ? readJob(*design.training) : Result<JobRequest>(usualRequest()); }

Result<std::vector<DeviceId>> firstGpus(std::vector<DeviceId> gpus, std::int64_t count) {
    if (count <= 0) return gpus;
    const auto there = static_cast<std::int64_t>(gpus.size());
    if (count > there)
        return Error::parameter(Error::Kind::Unbuildable, "range", "gpus", fmt::to_string(count),
                                fmt::format("{} GPUs are available", there), {fmt::to_string(there)});
    gpus.resize(static_cast<std::size_t>(count));
    return gpus;
}

Result<std::vector<DeviceId>> firstWholeGroups(TrainingJob job, const Fabric& fabric, std::vector<DeviceId> gpus, std::int64_t count) {
    if (count > 0 && !fabric.intact) return firstGpus(std::move(gpus), count);
    job.degrees = placedJob(job, fabric, gpus).job.degrees; // tp is chosen
    std::vector<DeviceId> whole = wholeGroups(job, fabric, gpus);
    return firstGpus(count <= static_cast<std::int64_t>(whole.size()) ? std::move(whole) : std::move(gpus), count);
}

Result<PlacedJob> placedOn(const Fabric& fabric, const JobRequest& request) {
    auto gpus = firstWholeGroups(request.planned.job, fabric, gpusOf(fabric, request.placement, request.seed), request.gpus);
    if (!gpus) return gpus.errors();
    return placedJob(request.planned.job, fabric, std::move(*gpus));
}

} // namespace railyard
