#include "core/training/job_traffic.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <numeric>

namespace railyard {
namespace {

constexpr std::int64_t mostPairs = 20'000'000;            // a gigabyte of them
constexpr double activationBytes = 2, parameterBytes = 2; // bf16

// Share that a ring sends of what it reduces, or of what it gathers, for each pass.
double ringShare(std::int64_t ranks) { return static_cast<double>(ranks - 1) / static_cast<double>(ranks); }

// Gradients are summed and come back: whole with their own width, or as updated parameters where ranks share the optimizer;
// with parameters shared too these are gathered once more.
double dataBytes(const TrainingJob& job, double parameters, std::int64_t ranks) {
    const double back = job.zero == 0 ? job.gradientBytes : job.zero == 3 ? 2 * parameterBytes : parameterBytes;
    return ringShare(ranks) * parameters * (job.gradientBytes + back);
}

// Ranks as digits, the innermost first.
class Ranks {
public:
    explicit Ranks(const TrainingJob& job) : m_job(job) {
        std::int64_t stride = 1;
        for (const Parallel parallel : job.rankOrder) {
            m_strides[static_cast<std::size_t>(parallel)] = stride;
            stride *= job.by(parallel);
        }
    }
    std::int64_t place(std::int64_t rank, Parallel parallel) const { return rank / stride(parallel) % m_job.by(parallel); }
    std::int64_t with(std::int64_t rank, Parallel parallel, std::int64_t place) const {
        return rank + (place - this->place(rank, parallel)) * stride(parallel);
    }
    // The next of those that differ in these ways alone, in the order of ranks; after the last the first.
    std::int64_t next(std::int64_t rank, std::initializer_list<Parallel> over) const {
        for (const Parallel parallel : m_job.rankOrder) {
            if (std::find(over.begin(), over.end(), parallel) == over.end() || m_job.by(parallel) == 1) continue;
            const std::int64_t place = this->place(rank, parallel) + 1;
            if (place < m_job.by(parallel)) return with(rank, parallel, place);
            rank = with(rank, parallel, 0);
        }
        return rank;
    }

private:
    std::int64_t stride(Parallel parallel) const { return m_strides[static_cast<std::size_t>(parallel)]; }
    const TrainingJob& m_job;
    std::array<std::int64_t, 5> m_strides{};
};

} // namespace

double JobTraffic::total() const { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

JobVolumes volumesOf(const TrainingJob& job) {
    const TransformerModel& model = job.model;
    const std::int64_t tp = job.by(Parallel::Tensor), cp = job.by(Parallel::Context), ep = job.by(Parallel::Expert),
                       dp = job.by(Parallel::Data), pp = job.by(Parallel::Pipeline);
    const auto t = static_cast<double>(tp), c = static_cast<double>(cp), stages = static_cast<double>(pp);
    const auto passes = static_cast<double>(job.microBatches());
    const double tokens = static_cast<double>(job.microBatch * model.sequenceTokens) / c;
    const double activation = tokens * static_cast<double>(model.hidden) * activationBytes;
    const double layers = static_cast<double>(model.layers) / stages, mixtures = static_cast<double>(model.mixtureLayers()) / stages;
    const bool isRepeated = job.recompute == Recompute::Full; // the forward pass runs twice
    JobVolumes v;
    // An all-reduce after attention and one after the feed-forward network, forward and backward; as an all-gather and a
    // reduce-scatter with sequence parallelism it is the same.
    v.tensor = passes * layers * (isRepeated ? 6 : 4) * 2 * ringShare(tp) * activation;
    // Keys and values go round; backward their gradients too.
    const double keysAndValues = 2 * tokens * static_cast<double>(model.kvHidden()) / t * activationBytes;
    v.context = passes * layers * (isRepeated ? 4 : 3) * (c - 1) * keysAndValues;
    if (model.mixture)
        v.expert = passes * mixtures * (isRepeated ? 6 : 4) * ringShare(ep) * activation / t * static_cast<double>(model.mixture->topK);
    v.pipelineForward = pp > 1 ? passes * activation / (job.isPipelineScattered ? t : 1) : 0;
    v.dataDense = dataBytes(job, model.denseParametersOfLayers() / t / stages, dp * ep * cp);
    v.dataEmbedding = dataBytes(job, model.embeddingParameters() / t, dp * ep * cp);
    v.dataExperts = dataBytes(job, model.expertParametersOfLayers() / t / stages / static_cast<double>(ep), dp * cp);
    return v;
}

Result<JobTraffic> jobTrafficOf(const TrainingJob& job, const std::vector<std::uint32_t>& gpus) {
    if (auto problems = job.problems(); !problems.empty()) return problems;
    if (job.gpus() > static_cast<std::int64_t>(gpus.size()))
        return Error::unbuildable(
            fmt::format("the job needs tp x pp x dp x cp x ep = {} GPUs; the design has {}", job.gpus(), gpus.size()));
    if (job.gpus() * job.by(Parallel::Expert) > mostPairs)
        return Error::unbuildable(fmt::format("--ep {}: {} ranks send to {} others each; at most {} pairs are followed",
                                              job.by(Parallel::Expert), job.gpus(), job.by(Parallel::Expert) - 1, mostPairs));
    const Ranks ranks(job);
    const JobVolumes volumes = volumesOf(job);
    const std::int64_t stages = job.by(Parallel::Pipeline), experts = job.by(Parallel::Expert);
    const auto crossings = static_cast<double>(job.interleave);
    JobTraffic traffic;
    for (std::int64_t rank = 0; rank < job.gpus(); ++rank) {
        const auto send = [&](std::int64_t to, double bytes, Parallel kind) {
            if (to == rank || bytes <= 0) return;
            traffic.flows.push_back({gpus[static_cast<std::size_t>(rank)], gpus[static_cast<std::size_t>(to)], bytes, kind});
            traffic.bytes[static_cast<std::size_t>(kind)] += bytes;
        };
        send(ranks.next(rank, {Parallel::Tensor}), volumes.tensor, Parallel::Tensor);
        send(ranks.next(rank, {Parallel::Context}), volumes.context, Parallel::Context);
        for (std::int64_t other = 0; other < experts; ++other)
            send(ranks.with(rank, Parallel::Expert, other), volumes.expert / static_cast<double>(experts - 1), Parallel::Expert);
        const std::int64_t stage = ranks.place(rank, Parallel::Pipeline);
        const bool isFirst = stage == 0, isLast = stage == stages - 1;
        const double embedding =
            (isFirst ? volumes.dataEmbedding : 0) + (isLast && !(isFirst && job.model.hasTiedEmbeddings) ? volumes.dataEmbedding : 0);
        const std::int64_t denseNext = ranks.next(rank, {Parallel::Context, Parallel::Expert, Parallel::Data});
        send(denseNext, volumes.dataDense + embedding, Parallel::Data);
        send(ranks.next(rank, {Parallel::Context, Parallel::Data}), volumes.dataExperts, Parallel::Data);
        // Forward to the next stage; with several chunks a stage the last hands on to the first.
        send(ranks.with(rank, Parallel::Pipeline, (stage + 1) % stages), volumes.pipelineForward * (isLast ? crossings - 1 : crossings),
             Parallel::Pipeline);
        send(ranks.with(rank, Parallel::Pipeline, (stage + stages - 1) % stages),
             volumes.pipelineForward * (isFirst ? crossings - 1 : crossings), Parallel::Pipeline);
    }
    return traffic;
}

GpuTraffic toGpuTraffic(const JobTraffic& traffic) {
    std::map<std::uint32_t, double> sent;
    for (const JobFlow& flow : traffic.flows) sent[flow.from] += flow.bytes;
    double most = 0;
    for (const auto& [gpu, bytes] : sent) most = std::max(most, bytes);
    GpuTraffic result;
    for (const JobFlow& flow : traffic.flows) result.flows.push_back({flow.from, flow.to, flow.bytes / most});
    return result;
}

} // namespace railyard
