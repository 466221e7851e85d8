#include "core/inference/inference.h"

#include "core/training/group_times.h"
#include "core/training/layer_times.h"
#include "core/training/memory.h"
#include "core/training/training.h"
#include "core/workload/expert_dispatch.h"
#include "core/workload/job_traffic.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace railyard {
namespace {

constexpr double gib = 1 << 30;
constexpr std::int64_t usualMostBatch = 256;
// Between kernels of a decoding step, which serving software replays as one graph. An assumption: no source states it for all GPUs.
constexpr double graphOverhead = 2e-6;

Error wrong(std::string field, std::int64_t value, std::string why, std::vector<std::string> nearest = {}) {
    return Error::parameter(Error::Kind::Unbuildable, "range", std::move(field), fmt::to_string(value), std::move(why), std::move(nearest));
}

class ServingEstimator {
public:
    ServingEstimator(const Fabric& fabric, const InferenceRequest& request, const TrainingCalibration& calibration)
        : m_fabric(fabric),
          m_calibration(calibration) {
        m_estimate.request = request;
    }

    Status prepare(const std::vector<DeviceId>* gpus = nullptr);
    std::int64_t mostSequences() const { return m_estimate.mostSequences; }

    std::vector<GpuFlow> flows() const { // after withBatch
        const InferenceEstimate& e = m_estimate;
        std::vector<GpuFlow> all;
        const auto gpus = static_cast<double>(e.gpus);
        const std::int64_t t = job().by(Parallel::Tensor), ranks = e.gpus / e.replicas;
        By<DeviceId, double> work(m_fabric.devices.size()); // of a GPU, relative to the mean
        for (std::int64_t rank = 0; rank < e.gpus; ++rank) work[m_placed.gpus[static_cast<std::size_t>(rank)]] = workOf(rank / ranks);
        // The flows of a group have volumes in proportion; their sum is that of all GPUs.
        const auto add = [&](std::vector<GpuFlow> own, double bytesPerGpu, bool isByWork) {
            double sum = 0;
            for (GpuFlow& flow : own) sum += flow.volume *= isByWork ? work[flow.from] : 1;
            for (GpuFlow& flow : own) {
                flow.volume *= bytesPerGpu * gpus / sum;
                if (flow.volume > 0) all.push_back(flow);
            }
        };
        add(groupFlows(m_fabric, job(), m_placed.gpus, {Parallel::Tensor}), e.tensorBytesPerSecond, true);
        add(groupFlows(m_fabric, job(), m_placed.gpus, {Parallel::Expert}), e.expertBytesPerSecond, true);
        std::vector<GpuFlow> forward;
        for (std::int64_t rank = 0; rank < e.gpus; ++rank)
            if (rank % ranks < ranks - t)
                forward.push_back({m_placed.gpus[static_cast<std::size_t>(rank)], m_placed.gpus[static_cast<std::size_t>(rank + t)], 1});
        add(std::move(forward), e.pipelineBytesPerSecond, true);
        if (isDisaggregated()) add(transfers(), e.cacheBytesPerSecond, false);
        return all;
    }

    Result<InferenceEstimate> withBatch(std::int64_t batch) {
        InferenceEstimate& e = m_estimate;
        e.batch = batch > 0 ? batch : std::clamp<std::int64_t>(e.mostSequences, 1, usualMostBatch);
        e.reasons.clear();
        e.memory.cache = cacheOfSequence() * static_cast<double>(e.batch) / gib;
        if (e.memory.capacity > 0 && e.memory.total() > e.memory.capacity) e.reasons.push_back(whatDoesNotFit());
        if (const Status done = findPrefill(); !done) return done.errors();
        if (const Status done = findDecode(); !done) return done.errors();
        if (const Status done = findTransfer(); !done) return done.errors();
        findRates();
        return e;
    }

private:
    const TrainingJob& job() const { return m_placed.job; }
    double stages() const { return static_cast<double>(job().by(Parallel::Pipeline)); }
    bool isDisaggregated() const { return m_estimate.request.prefillShare > 0; }

    Status place(const JobRequest& job, const std::vector<DeviceId>* gpus) {
        if (!gpus) {
            auto placed = placedOn(m_fabric, job);
            if (!placed) return placed.errors();
            m_placed = std::move(*placed);
            return Done{};
        }
        auto first = firstGpus(*gpus, job.gpus);
        if (!first) return first.errors();
        m_placed = placedJob(job.planned.job, m_fabric, std::move(*first));
        return Done{};
    }
    // The slowest of all GPUs, and the least memory.
    Status findSpeed();
    double tokensOfSequence() const { return static_cast<double>(m_estimate.request.promptTokens + m_estimate.request.outputTokens); }
    double mostLayers() const {
        std::int64_t most = 0;
        for (const StageContent& stage : m_content) most = std::max(most, stage.layers);
        return static_cast<double>(most);
    }
    double cacheOfSequence() const { return tokensOfSequence() * cacheBytes(job().model, job().by(Parallel::Tensor)) * mostLayers(); }
    void findMemory() {
        const double weightBytes = m_estimate.request.precision == Precision::Fp4   ? 0.5625
                                   : m_estimate.request.precision == Precision::Fp8 ? 1
                                                                                    : parameterBytes;
        InferenceMemory& memory = m_estimate.memory;
        for (const StageContent& stage : m_content)
            memory.weights = std::max(memory.weights, weightBytes * (stage.dense + stage.ofExperts) / gib);
        // Activations of one layer of a prompt, with what is between the matrices of the feed-forward network.
        const auto widest = static_cast<double>(std::max(job().model.hidden, job().model.ffnHidden / job().by(Parallel::Tensor)));
        memory.workspace =
            (m_calibration.reservedBytes + 4 * activationBytes * static_cast<double>(m_estimate.request.promptTokens) * widest) / gib +
            m_estimate.request.heldGib;
        memory.capacity = m_speed.memoryBytes / gib;
        const double left = (memory.capacity - memory.weights - memory.workspace) * gib / cacheOfSequence();
        m_estimate.mostSequences = memory.capacity > 0 ? static_cast<std::int64_t>(std::max(0.0, std::floor(left))) : usualMostBatch;
    }
    std::string whatDoesNotFit() const {
        const InferenceMemory& memory = m_estimate.memory;
        std::string words = fmt::format(
            "the fullest GPU needs {:.1f} GiB and has {:.1f} GiB: {:.1f} GiB of weights, {:.1f} GiB for keys and values of {} sequences",
            memory.total(), memory.capacity, memory.weights, memory.cache, m_estimate.batch);
        if (m_estimate.mostSequences > 0) return words + fmt::format("; it would fit with a batch of {}", m_estimate.mostSequences);
        return words + "; it needs more GPUs for a replica";
    }

    // Messages of one pass in which each rank has `tokens` tokens.
    struct Messages {
        Seconds tensorOfLayer, exchangeOfLayer, boundary;
    };
    Result<Messages> messagesOf(double tokens) {
        const TransformerModel& model = job().model;
        const auto t = static_cast<double>(job().by(Parallel::Tensor));
        const double bytes = tokens * static_cast<double>(model.hidden) * activationBytes;
        const auto reduced = m_times->time(RankGroup::Tensor, CollectiveOp::AllReduce, bytes);
        const auto exchanged = m_times->expertExchange(tokens);
        const auto sent = m_times->time(RankGroup::Pipeline, CollectiveOp::PointToPoint, bytes / t);
        for (const Result<Seconds>* each : {&reduced, &exchanged, &sent})
            if (!*each) return each->errors();
        return Messages{2 * *reduced, *exchanged, *sent};
    }
    // A pass through all stages, of which the last has the head too.
    template <class Layer>
    InferencePass passOf(const Messages& messages, const Layer& layer, Seconds head) const {
        InferencePass pass;
        for (std::size_t s = 0; s < m_content.size(); ++s) {
            const auto dense = static_cast<double>(m_content[s].layers - m_content[s].mixtures),
                       mixtures = static_cast<double>(m_content[s].mixtures);
            Seconds compute = dense * layer(false) + (mixtures > 0 ? mixtures * layer(true) : Seconds());
            if (s + 1 == m_content.size()) compute += head;
            const Seconds tensor = (dense + mixtures) * messages.tensorOfLayer, expert = mixtures * messages.exchangeOfLayer,
                          pipeline = s + 1 < m_content.size() ? messages.boundary : Seconds();
            pass.compute += compute;
            pass.tensor += tensor;
            pass.expert += expert;
            pass.pipeline += pipeline;
            pass.longestStage = std::max(pass.longestStage, compute + tensor + expert + pipeline);
        }
        return pass;
    }
    Status findPrefill() {
        if (m_isPrefillFound) return Done{};
        const auto messages = messagesOf(static_cast<double>(m_estimate.request.promptTokens));
        if (!messages) return messages.errors();
        const ModelTimes times = modelTimes(job(), {}, m_speed);
        const Seconds head = decodeTimes(job(), {}, m_speed, 1, 1).head; // of the last token of the prompt
        m_estimate.prefill = passOf(
            *messages, [&](bool hasExperts) { return (hasExperts ? times.mixture : times.dense).forward; }, head);
        m_isPrefillFound = true;
        return Done{};
    }
    // With several stages, as many parts of the batch are under way at once.
    Status findDecode() {
        const double sequences = std::max(1.0, static_cast<double>(m_estimate.batch) / stages());
        const auto messages = messagesOf(sequences);
        if (!messages) return messages.errors();
        const double keys = static_cast<double>(m_estimate.request.promptTokens) + static_cast<double>(m_estimate.request.outputTokens) / 2;
        const DecodeTimes times = decodeTimes(job(), {}, m_graph, sequences, keys);
        m_estimate.decode = passOf(
            *messages, [&](bool hasExperts) { return hasExperts ? times.mixture : times.dense; }, times.head);
        return Done{};
    }
    // The tokens that a replica works on, relative to the mean of all.
    double workOf(std::int64_t replica) const {
        const InferenceEstimate& e = m_estimate;
        if (!isDisaggregated()) return 1;
        const bool isPrefill = replica < e.prefillReplicas;
        const double own = static_cast<double>(isPrefill ? e.request.promptTokens : e.request.outputTokens) /
                           static_cast<double>(isPrefill ? e.prefillReplicas : e.decodeReplicas);
        return own * static_cast<double>(e.replicas) / tokensOfSequence();
    }
    // Every GPU of a prefill replica sends its part of the cache to its counterparts in decode replicas, all of them at the same time. Each
    // replica of the larger kind has one partner, those of the other kind have several in turn.
    std::vector<GpuFlow> transfers() const {
        const InferenceEstimate& e = m_estimate;
        const std::int64_t ranks = e.gpus / e.replicas, pairs = std::max(e.prefillReplicas, e.decodeReplicas);
        const auto gpuOf = [&](std::int64_t replica, std::int64_t rank) {
            return m_placed.gpus[static_cast<std::size_t>(replica * ranks + rank)];
        };
        std::vector<GpuFlow> flows;
        for (std::int64_t pair = 0; pair < pairs; ++pair) {
            const std::int64_t from = pair % e.prefillReplicas, to = pair % e.decodeReplicas;
            const std::int64_t partners = (pairs - from - 1) / e.prefillReplicas + 1; // of the prefill replica
            for (std::int64_t rank = 0; rank < ranks; ++rank)
                flows.push_back({gpuOf(from, rank), gpuOf(e.prefillReplicas + to, rank), 1.0 / static_cast<double>(partners)});
        }
        return flows;
    }
    // How much longer all transfers at the same time take than those of one GPU.
    double waitingFactor(const std::vector<GpuFlow>& flows) const {
        const Contention& contention = m_groups->network().contention();
        const auto devices = static_cast<std::uint32_t>(m_fabric.devices.size());
        double alone = 0;
        for (const DeviceId GpuFlow::*end : {&GpuFlow::from, &GpuFlow::to}) {
            std::vector<std::uint32_t> owners;
            for (const GpuFlow& flow : flows) owners.push_back(flow.*end);
            const std::vector<double> loads = contention.nicLoads(flows, owners, devices);
            alone = std::max(alone, *std::max_element(loads.begin(), loads.end()));
        }
        return Contention::busiestOf(contention.sharesOf(flows, alone));
    }
    // The slowest pair counts; pairs in the same place relative to each other are timed once where nothing has failed.
    Status findTransfer();
    void findRates();
    // Sent per second, mean over the GPUs: what a token causes, in prefill and in decoding alike.
    void findTraffic() {
        InferenceEstimate& e = m_estimate;
        const TransformerModel& model = job().model;
        const auto t = static_cast<double>(job().by(Parallel::Tensor));
        const double tokens =
            e.requestsPerSecond * tokensOfSequence() / static_cast<double>(e.replicas) / stages(); // of a GPU, over its layers
        const double bytes = static_cast<double>(model.hidden) * activationBytes, layers = static_cast<double>(model.layers);
        e.tensorBytesPerSecond = tokens * layers * 2 * 2 * (t - 1) / t * bytes;
        e.expertBytesPerSecond = model.mixture
                                     ? tokens * static_cast<double>(model.mixtureLayers()) * tokenCopies(m_fabric, job(), m_placed.gpus) *
                                           static_cast<double>(model.hidden) * (bytesToExperts(job().precision) + activationBytes) / t
                                     : 0;
        e.pipelineBytesPerSecond = tokens * (stages() - 1) * bytes / t;
        e.cacheBytesPerSecond = isDisaggregated() ? e.requestsPerSecond * static_cast<double>(e.request.promptTokens) *
                                                        cacheBytes(model, job().by(Parallel::Tensor)) * layers / stages() /
                                                        static_cast<double>(e.replicas)
                                                  : 0;
    }

    const Fabric& m_fabric;
    const TrainingCalibration& m_calibration;
    InferenceEstimate m_estimate;
    PlacedJob m_placed;
    std::vector<StageContent> m_content;
    GpuSpeed m_speed, m_graph; // `m_graph`: kernels replayed as a graph
    std::optional<PlacedGroups> m_groups;
    std::optional<GroupTimes> m_times;
    bool m_isPrefillFound = false;
};

Status ServingEstimator::prepare(const std::vector<DeviceId>* gpus) {
    const InferenceRequest& request = m_estimate.request;
    if (request.promptTokens < 1) return wrong("prompt", request.promptTokens, "must be at least 1");
    if (request.outputTokens < 1) return wrong("output", request.outputTokens, "must be at least 1");
    if (!(request.prefillShare >= 0 && request.prefillShare < 1))
        return Error::parameter(Error::Kind::Usage, "range", "prefill_share", fmt::format("{}", request.prefillShare),
                                "must be at least 0 and less than 1");
    JobRequest job;
    job.planned.job = usualJob(request.model);
    job.planned.job.isSequenceParallel = false;
    job.planned.job.precision = request.precision;
    job.planned.job.degrees = {request.tensor, 1, request.expert, 0, request.pipeline};
    job.planned.job.model.sequenceTokens = request.promptTokens;
    // A replica on neighbouring GPUs, then the replicas that share experts.
    job.planned.job.rankOrder = {Parallel::Tensor, Parallel::Pipeline, Parallel::Context, Parallel::Expert, Parallel::Data};
    job.gpus = request.gpus;
    job.placement = request.placement;
    job.seed = request.seed;
    if (const Status found = place(job, gpus); !found) return found;
    TrainingJob& own = m_placed.job;
    own.globalBatch = own.by(Parallel::Data) * own.by(Parallel::Expert); // one prompt each
    if (const auto problems = own.problems(); !problems.empty()) return problems;
    if (own.gpus() > static_cast<std::int64_t>(m_placed.gpus.size()))
        return Error::unbuildable(
            fmt::format("a replica needs tp × pp × ep = {} GPUs, but {} are available", own.gpus(), m_placed.gpus.size()));
    m_content = contentOfStages(own);
    if (const Status found = findSpeed(); !found) return found;
    m_groups.emplace(m_fabric, m_placed.gpus, m_calibration.collectives);
    m_times.emplace(own, *m_groups);
    m_estimate.request.tensor = own.by(Parallel::Tensor);
    m_estimate.gpus = own.gpus();
    m_estimate.replicas = own.by(Parallel::Data) * own.by(Parallel::Expert);
    m_estimate.prefillReplicas = m_estimate.decodeReplicas = m_estimate.replicas;
    if (request.prefillShare > 0) { // replicas that share experts stay together
        const std::int64_t together = own.by(Parallel::Expert), groups = own.by(Parallel::Data);
        if (groups < 2)
            return wrong("gpus", own.gpus(), fmt::format("prefill and decoding apart need two groups of {} GPUs", own.gpus() / groups));
        const auto apart = std::llround(request.prefillShare * static_cast<double>(groups));
        m_estimate.prefillReplicas = std::clamp<std::int64_t>(apart, 1, groups - 1) * together;
        m_estimate.decodeReplicas = m_estimate.replicas - m_estimate.prefillReplicas;
    }
    findMemory();
    return Done{};
}

Status ServingEstimator::findSpeed() {
    std::set<std::uint32_t> seen; // parts
    double least = 0;
    for (const DeviceId gpu : m_placed.gpus) {
        if (!seen.insert(m_fabric.devices.part[gpu]).second) continue;
        auto speed = speedOf(m_fabric, gpu, m_estimate.request.precision, m_calibration);
        if (!speed) return speed.errors();
        least = seen.size() == 1 ? speed->memoryBytes : std::min(least, speed->memoryBytes);
        if (seen.size() == 1 || speed->memoryBandwidth < m_speed.memoryBandwidth) m_speed = std::move(*speed);
    }
    m_speed.memoryBytes = least;
    m_speed.constants.expertOverhead = 0; // of training frameworks, which wait for the host in every layer
    m_estimate.low = m_speed.constants.low;
    m_estimate.high = m_speed.constants.high;
    m_estimate.isCalibrated = false; // the constants are those of training
    m_graph = m_speed;
    m_graph.constants.matrixOverhead = m_graph.constants.kernelOverhead = graphOverhead;
    return Done{};
}

Status ServingEstimator::findTransfer() {
    if (!isDisaggregated() || m_estimate.cacheTransfer > Seconds()) return Done{};
    constexpr std::size_t mostPairs = 512;
    const std::vector<GpuFlow> flows = transfers();
    const double bytes =
        static_cast<double>(m_estimate.request.promptTokens) * cacheBytes(job().model, job().by(Parallel::Tensor)) * mostLayers();
    const double waits = waitingFactor(flows);
    std::set<std::tuple<bool, bool, std::uint32_t, std::uint32_t, std::size_t>> seen;
    const auto& devices = m_fabric.devices;
    const bool areRailsEqual = isAsTheRecipeSays(m_fabric);
    const auto railOf = [&](DeviceId gpu) { return areRailsEqual ? 0 : std::uint32_t{devices.rail[gpu]}; };
    for (std::size_t i = 0; i < flows.size() && seen.size() < mostPairs; ++i) {
        const DeviceId from = flows[i].from, to = flows[i].to;
        const bool isOneDomain = devices.hbDomain[from] != none && devices.hbDomain[from] == devices.hbDomain[to];
        if (!seen.emplace(isOneDomain, devices.su[from] == devices.su[to], railOf(from), railOf(to), m_fabric.intact ? i : 0).second)
            continue;
        const auto group = Communicator::create(m_fabric, {from, to}, shippedCalibration(), m_groups->network().known());
        if (!group) return group.errors();
        const auto time = group->time(CollectiveOp::PointToPoint, Bytes(std::llround(bytes)));
        if (!time) return time.errors();
        const Seconds own = time->best.time + (isOneDomain ? Seconds() : time->bandwidthTime * (waits - 1));
        m_estimate.cacheTransfer = std::max(m_estimate.cacheTransfer, own);
    }
    return Done{};
}

void ServingEstimator::findRates() {
    InferenceEstimate& e = m_estimate;
    const auto out = static_cast<double>(e.request.outputTokens), batch = static_cast<double>(e.batch);
    // With several stages, parts of the batch follow one another: the longest stage works on all of them.
    const double parts = std::min(stages(), batch);
    e.step = std::max(e.decode.total(), parts * e.decode.longestStage);
    const double prefill = e.prefill.longestStage.value(); // s of a replica for a prompt
    const double decode = out * e.step.value() / batch;    // s of a replica for an answer
    const auto replicas = static_cast<double>(e.replicas);
    e.balancedPrefillShare = prefill / (prefill + decode);
    if (isDisaggregated()) { // a replica sends, and receives, one cache after the other
        const double sent = e.cacheTransfer.value();
        e.requestsPerSecond = std::min(static_cast<double>(e.prefillReplicas) / std::max(prefill, sent),
                                       static_cast<double>(e.decodeReplicas) / std::max(decode, sent));
        e.timePerOutputToken = e.step;
    } else {
        e.requestsPerSecond = replicas / (prefill + decode);
        // Prompts of others interrupt decoding: a replica has `batch` answers under way, and each has `out` tokens.
        e.timePerOutputToken = Seconds(batch * replicas / (e.requestsPerSecond * out));
    }
    e.timeToFirstToken = e.prefill.total() + e.cacheTransfer;
    findTraffic();
}

} // namespace

Result<InferenceEstimate> estimateInference(const Fabric& fabric, const InferenceRequest& request, const TrainingCalibration& calibration) {
    ServingEstimator server(fabric, request, calibration);
    if (const Status ready = server.prepare(); !ready) return ready.errors();
    return server.withBatch(request.batch);
}

Result<InferenceEstimate> estimateInference(const Fabric& fabric, const InferenceRequest& request, const std::vector<DeviceId>& gpus,
                                            const TrainingCalibration& calibration) {
    ServingEstimator server(fabric, request, calibration);
    if (const Status ready = server.prepare(&gpus); !ready) return ready.errors();
    return server.withBatch(request.batch);
}

Result<std::vector<GpuFlow>> inferenceFlows(const Fabric& fabric, const InferenceRequest& request, const TrainingCalibration& calibration) {
    ServingEstimator server(fabric, request, calibration);
    if (const Status ready = server.prepare(); !ready) return ready.errors();
    if (const auto estimate = server.withBatch(request.batch); !estimate) return estimate.errors();
    return server.flows();
}

Result<std::vector<InferenceEstimate>> inferenceCurve(const Fabric& fabric, const InferenceRequest& request,
                                                      const TrainingCalibration& calibration) {
    ServingEstimator server(fabric, request, calibration);
    if (const Status ready = server.prepare(); !ready) return ready.errors();
    std::vector<InferenceEstimate> curve;
    for (std::int64_t batch = 1; batch <= std::max<std::int64_t>(1, server.mostSequences()) && batch <= 4096; batch *= 2) {
        auto estimate = server.withBatch(batch);
        if (!estimate) return estimate.errors();
        curve.push_back(std::move(*estimate));
    }
    return curve;
}

} // namespace railyard
