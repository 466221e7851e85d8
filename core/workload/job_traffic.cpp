#include "core/workload/job_traffic.h"

#include "core/workload/expert_dispatch.h"
#include "core/workload/expert_layout.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <optional>

namespace railyard {
namespace {

constexpr std::int64_t mostPairs = 20'000'000; // a gigabyte of them

// Share that a ring sends of what it reduces, or of what it gathers, for each pass.
double ringShare(std::int64_t ranks) { return static_cast<double>(ranks - 1) / static_cast<double>(ranks); }

// Gradients are summed and come back: whole with their own width, or as updated parameters where ranks share the optimizer.
// Who keeps no whole gradient sums those of every micro-batch (ZeRO 2); who keeps no whole parameters gathers them for every
// micro-batch, forward and backward (ZeRO 3; Rajbhandari et al., SC'20, section 7).
double dataBytes(const TrainingJob& job, double parameters, std::int64_t ranks) {
    const auto passes = static_cast<double>(job.microBatches());
    const double gradients = job.gradientBytes * (job.zero >= 2 ? passes : 1);
    const double back = job.zero == 0 ? job.gradientBytes : job.zero == 3 ? 2 * passes * parameterBytes : parameterBytes;
    return ringShare(ranks) * parameters * (gradients + back);
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
    // These ways, the innermost first, without those that divide nothing.
    std::vector<Parallel> inOrder(const std::vector<Parallel>& ways) const {
        std::vector<Parallel> ordered;
        for (const Parallel parallel : m_job.rankOrder)
            if (m_job.by(parallel) > 1 && std::find(ways.begin(), ways.end(), parallel) != ways.end()) ordered.push_back(parallel);
        return ordered;
    }
    // The next of those that differ in these ways alone (see inOrder()), in the order of ranks; after the last the first.
    std::int64_t next(std::int64_t rank, const std::vector<Parallel>& over) const {
        for (const Parallel parallel : over) {
            const std::int64_t place = this->place(rank, parallel);
            if (place + 1 < m_job.by(parallel)) return rank + stride(parallel);
            rank -= place * stride(parallel);
        }
        return rank;
    }

    // The one before it, before the first the last.
    std::int64_t previous(std::int64_t rank, const std::vector<Parallel>& over) const {
        for (const Parallel parallel : over) {
            if (place(rank, parallel) > 0) return rank - stride(parallel);
            rank += (m_job.by(parallel) - 1) * stride(parallel);
        }
        return rank;
    }

private:
    std::int64_t stride(Parallel parallel) const { return m_strides[static_cast<std::size_t>(parallel)]; }
    const TrainingJob& m_job;
    std::array<std::int64_t, 5> m_strides{};
};

// To whom a rank sends around the rings of its group, over these ways of dividing the work. Where members share an HB domain there
// are rings side by side, one for every rail that this domain and the next both have a member on: data goes round inside and leaves
// for the member on the same rail, so that all but one part in as many stays inside.
class Rings {
public:
    Rings(const Fabric& fabric, const Ranks& ranks, const std::vector<DeviceId>& gpus, const std::vector<Parallel>& over)
        : m_fabric(fabric),
          m_ranks(ranks),
          m_gpus(gpus),
          m_over(ranks.inOrder(over)),
          m_runOf(gpus.size()) {}

    // Calls `send(to, share)` for every rank that this one sends to.
    template <class Send>
    void sendsOf(std::int64_t rank, const Send& send) {
        const std::int64_t next = m_ranks.next(rank, m_over);
        // Alone in its domain, to a member on its rail: most rings outside of HB domains are no more than this.
        if (!isInSameDomain(rank, next) && m_fabric.devices.rail[gpu(rank)] == m_fabric.devices.rail[gpu(next)] &&
            !isInSameDomain(rank, m_ranks.previous(rank, m_over)))
            return send(next, 1);
        const Run& run = runOf(rank);
        if (run.isWhole || run.lanes.empty()) return send(next, 1);
        const auto at = static_cast<std::size_t>(std::find(run.members.begin(), run.members.end(), rank) - run.members.begin());
        const std::int64_t lane = run.lanes[at], neighbour = run.members[(at + 1) % run.members.size()];
        if (lane < 0) return send(neighbour, 1);
        const double outside = run.members.size() == 1 ? 1 : 1 / static_cast<double>(run.used);
        if (outside < 1) send(neighbour, 1 - outside);
        send(lane, outside);
    }

private:
    struct Run { // ranks of a group that follow each other in one HB domain
        std::vector<std::int64_t> members;
        std::vector<std::int64_t> lanes; // by member: a member of the next domain, or -1; empty if there are none
        std::size_t used = 0;            // lanes
        bool isWhole = false;            // the whole group
    };
    DeviceId gpu(std::int64_t rank) const { return m_gpus[static_cast<std::size_t>(rank)]; }
    bool isInSameDomain(std::int64_t a, std::int64_t b) const {
        const auto& domain = m_fabric.devices.hbDomain;
        return domain[gpu(a)] != none && domain[gpu(a)] == domain[gpu(b)];
    }
    std::vector<std::int64_t> membersFrom(std::int64_t first) const {
        std::vector<std::int64_t> members{first};
        for (std::int64_t at = m_ranks.next(first, m_over); at != first && isInSameDomain(first, at); at = m_ranks.next(at, m_over))
            members.push_back(at);
        return members;
    }
    // Ranks rise around a group, so its runs are worked out once, one after the other.
    const Run& runOf(std::int64_t rank) {
        std::uint32_t& known = m_runOf[static_cast<std::size_t>(rank)];
        if (known != 0) return m_runs[known - 1];
        std::int64_t first = rank;
        for (std::int64_t before = m_ranks.previous(rank, m_over); before != rank && isInSameDomain(rank, before);
             before = m_ranks.previous(before, m_over))
            first = before;
        Run run;
        run.members = membersFrom(first);
        const std::int64_t follower = m_ranks.next(run.members.back(), m_over);
        run.isWhole = follower == first;
        if (!run.isWhole) joinLanes(run, membersFrom(follower));
        for (const std::int64_t member : run.members)
            m_runOf[static_cast<std::size_t>(member)] = static_cast<std::uint32_t>(m_runs.size() + 1);
        return m_runs.emplace_back(std::move(run));
    }
    // By rail, those of one rail in their order.
    void joinLanes(Run& run, std::vector<std::int64_t> there) const {
        run.lanes.assign(run.members.size(), -1);
        const std::int64_t firstThere = there.front();
        for (std::size_t i = 0; i < run.members.size(); ++i) {
            const auto rail = m_fabric.devices.rail[gpu(run.members[i])];
            const auto other = std::find_if(there.begin(), there.end(),
                                            [&](std::int64_t each) { return each >= 0 && m_fabric.devices.rail[gpu(each)] == rail; });
            if (other == there.end()) continue;
            run.lanes[i] = *other;
            *other = -1; // taken
            ++run.used;
        }
        if (run.used > 0) return;
        if (run.members.size() > 1) return run.lanes.clear();
        run.lanes[0] = firstThere;
        run.used = 1;
    }

    const Fabric& m_fabric;
    const Ranks& m_ranks;
    const std::vector<DeviceId>& m_gpus;
    const std::vector<Parallel> m_over;
    std::deque<Run> m_runs;
    std::vector<std::uint32_t> m_runOf; // by rank: index into m_runs, counted from 1
};

// Whom a rank sends tokens to, and how many copies of each on average.
class Dispatch {
public:
    Dispatch(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus)
        : m_perDomain(job.model.mixture && job.expertRanks() > 1 ? expertsPerDomain(fabric, job, gpus) : 0),
          m_isByDomain(isDispatchedByDomain(job, m_perDomain)),
          m_places(m_isByDomain ? expertPlaces(job, m_perDomain) : job.expertLayout()),
          m_ranks(m_places) {
        if (!job.model.mixture) return;
        const auto domains = m_places.by(Parallel::Expert);
        const ExpertCopies copies = m_isByDomain ? expertCopies(*job.model.mixture, domains, m_perDomain)
                                                 : ExpertCopies{static_cast<double>(job.model.mixture->topK) * ringShare(domains), 0};
        m_across = domains > 1 ? copies.across / static_cast<double>(domains - 1) : 0;
        m_inside = m_isByDomain && m_perDomain > 1 ? copies.inside / static_cast<double>(m_perDomain - 1) : 0;
    }
    bool isByDomain() const { return m_isByDomain; }
    template <class Send>
    void eachOf(std::int64_t rank, const Send& send) const {
        for (std::int64_t other = 0; m_across > 0 && other < m_places.by(Parallel::Expert); ++other)
            send(m_ranks.with(rank, Parallel::Expert, other), m_across);
        for (std::int64_t other = 0; m_inside > 0 && other < m_places.by(Parallel::Context); ++other)
            send(m_ranks.with(rank, Parallel::Context, other), m_inside);
    }

private:
    const std::int64_t m_perDomain;
    const bool m_isByDomain;
    const TrainingJob m_places;
    const Ranks m_ranks;
    double m_across = 0, m_inside = 0; // to each of the others
};

} // namespace

double JobTraffic::total() const { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

double bucketSizeOf(double parameters, double layers, std::int64_t ranks) {
    constexpr double least = 40e6, ofRank = 1e6;
    return std::max({least, ofRank * static_cast<double>(ranks), parameters / layers});
}

double bucketsOf(double parameters, double layers, std::int64_t ranks) {
    return std::max(1.0, std::ceil(parameters / bucketSizeOf(parameters, layers, ranks)));
}

JobVolumes volumesOf(const TrainingJob& job) {
    const TransformerModel& model = job.model;
    const std::int64_t tp = job.by(Parallel::Tensor), cp = job.by(Parallel::Context), ep = job.expertRanks(),
                       pp = job.by(Parallel::Pipeline), all = job.by(Parallel::Data) * job.by(Parallel::Expert) * cp;
    const auto t = static_cast<double>(tp), c = static_cast<double>(cp), stages = static_cast<double>(pp);
    const auto passes = static_cast<double>(job.microBatches());
    const double tokens = job.tokensOfMicroBatch() / c;
    const double activation = tokens * static_cast<double>(model.hidden) * activationBytes;
    const double layers = static_cast<double>(model.layers) / stages, mixtures = static_cast<double>(model.mixtureLayers()) / stages;
    const bool isRepeated = job.recompute == Recompute::Full; // the forward pass runs twice
    JobVolumes v;
    // An all-reduce after attention and one after the feed-forward network, forward and backward; as an all-gather and a
    // reduce-scatter with sequence parallelism it is the same, but the backward pass gathers the inputs once more for the gradients of
    // the weights. Experts are divided too, and take every token top_k times; folded they are not divided.
    double reduced = 2 * layers;
    if (model.mixture)
        reduced +=
            mixtures * static_cast<double>((job.isExpertFolded() ? 0 : model.mixture->topK) - 1 + (model.mixture->sharedExperts > 0));
    v.tensor = passes * reduced * ((isRepeated ? 3 : 2) * 2 + (job.dividesSequence() ? 1 : 0)) * ringShare(tp) * activation;
    // Keys and values go round; backward their gradients too. With more ranks than heads of them several hold the same.
    const auto heads = static_cast<double>(std::min(tp, model.kvHeads));
    const double keysAndValues = 2 * tokens * static_cast<double>(model.kvHidden()) / heads * activationBytes;
    v.context = passes * layers * (isRepeated ? 4 : 3) * (c - 1) * keysAndValues;
    if (model.mixture) {
        v.expertCopy = passes * mixtures * (isRepeated ? 3 : 2) * tokens * static_cast<double>(model.hidden) *
                       (bytesToExperts(job.precision) + activationBytes) / t;
        v.expert = v.expertCopy * ringShare(ep) * static_cast<double>(model.mixture->topK);
    }
    v.pipelineForward = pp > 1 ? passes * activation / (job.isPipelineScattered ? t : 1) : 0;
    v.dataDense = dataBytes(job, model.denseParametersOfLayers() / t / stages, all);
    // Of one table: each of the two stages that hold it sends its gradients to the other.
    if (model.hasTiedEmbeddings && pp > 1) v.tiedEmbedding = model.embeddingParameters() / t * job.gradientBytes;
    v.dataEmbedding = dataBytes(job, model.embeddingParameters() / t, all);
    v.dataExperts =
        dataBytes(job, model.expertParametersOfLayers() / stages / static_cast<double>(job.expertTensor() * ep), job.expertReplicas());
    return v;
}

Result<JobTraffic> jobTrafficOf(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus) {
    if (auto problems = job.problems(); !problems.empty()) return problems;
    if (job.gpus() > static_cast<std::int64_t>(gpus.size()))
        return Error::unbuildable(fmt::format("the job needs {} GPUs, but {} are available", job.gpusText(), gpus.size()));
    if (job.gpus() * job.expertRanks() > mostPairs)
        return Error::unbuildable(fmt::format("ep = {}: {} ranks send to {} other ranks each; the maximum is {} pairs", job.expertRanks(),
                                              job.gpus(), job.expertRanks() - 1, mostPairs));
    const TrainingJob layout = job.expertLayout();
    const Ranks ranks(job), expertRanks(layout);
    const Dispatch dispatch(fabric, job, gpus);
    Rings tensor(fabric, ranks, gpus, {Parallel::Tensor}), context(fabric, ranks, gpus, {Parallel::Context}),
        dense(fabric, ranks, gpus, {Parallel::Context, Parallel::Expert, Parallel::Data}),
        ofExperts(fabric, expertRanks, gpus, {Parallel::Context, Parallel::Data});
    const JobVolumes volumes = volumesOf(job);
    const std::int64_t stages = job.by(Parallel::Pipeline);
    const auto crossings = static_cast<double>(job.interleave);
    JobTraffic traffic;
    const std::int64_t all = job.gpus();
    traffic.flows.reserve(static_cast<std::size_t>(all) * 3);
    for (std::int64_t rank = 0; rank < all; ++rank) {
        const auto send = [&](std::int64_t to, double bytes, Parallel kind) {
            if (to == rank || bytes <= 0) return;
            traffic.flows.push_back({gpus[static_cast<std::size_t>(rank)], gpus[static_cast<std::size_t>(to)], bytes, kind});
            traffic.bytes[static_cast<std::size_t>(kind)] += bytes;
        };
        const auto around = [&](Rings& rings, double bytes, Parallel kind) {
            if (bytes <= 0) return;
            rings.sendsOf(rank, [&](std::int64_t to, double share) { send(to, bytes * share, kind); });
        };
        around(tensor, volumes.tensor, Parallel::Tensor);
        around(context, volumes.context, Parallel::Context);
        dispatch.eachOf(rank, [&](std::int64_t to, double copies) { send(to, volumes.expertCopy * copies, Parallel::Expert); });
        const std::int64_t stage = ranks.place(rank, Parallel::Pipeline);
        const bool isFirst = stage == 0, isLast = stage == stages - 1;
        const double embedding =
            (isFirst ? volumes.dataEmbedding : 0) + (isLast && !(isFirst && job.model.hasTiedEmbeddings) ? volumes.dataEmbedding : 0);
        around(dense, volumes.dataDense + embedding, Parallel::Data);
        around(ofExperts, volumes.dataExperts, Parallel::Data);
        // Forward to the next stage; with several chunks a stage the last hands on to the first.
        send(ranks.with(rank, Parallel::Pipeline, (stage + 1) % stages), volumes.pipelineForward * (isLast ? crossings - 1 : crossings),
             Parallel::Pipeline);
        send(ranks.with(rank, Parallel::Pipeline, (stage + stages - 1) % stages),
             volumes.pipelineForward * (isFirst ? crossings - 1 : crossings), Parallel::Pipeline);
        if (isFirst || isLast)
            send(ranks.with(rank, Parallel::Pipeline, isFirst ? stages - 1 : 0), volumes.tiedEmbedding, Parallel::Pipeline);
    }
    return traffic;
}

std::vector<GpuFlow> groupFlows(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus,
                                const std::vector<Parallel>& over) {
    const Ranks ranks(job);
    std::vector<GpuFlow> flows;
    std::optional<Dispatch> dispatch;
    if (over == std::vector{Parallel::Expert} && job.model.mixture) dispatch.emplace(fabric, job, gpus);
    const auto send = [&](std::int64_t from, std::int64_t to, double share) {
        if (from != to) flows.push_back({gpus[static_cast<std::size_t>(from)], gpus[static_cast<std::size_t>(to)], share});
    };
    const bool isExchange = over == std::vector{Parallel::Expert}, isPipeline = over == std::vector{Parallel::Pipeline};
    Rings rings(fabric, ranks, gpus, over);
    const std::int64_t all = job.gpus();
    flows.reserve(static_cast<std::size_t>(all));
    for (std::int64_t rank = 0; rank < all; ++rank) {
        if (dispatch && dispatch->isByDomain())
            dispatch->eachOf(rank, [&](std::int64_t to, double copies) { send(rank, to, copies); });
        else if (isExchange)
            for (std::int64_t other = 0; other < job.by(Parallel::Expert); ++other)
                send(rank, ranks.with(rank, Parallel::Expert, other), 1);
        else if (isPipeline)
            for (const std::int64_t place : {ranks.place(rank, Parallel::Pipeline) + 1, ranks.place(rank, Parallel::Pipeline) - 1}) {
                if (place >= 0 && place < job.by(Parallel::Pipeline)) send(rank, ranks.with(rank, Parallel::Pipeline, place), 1);
            }
        else
            rings.sendsOf(rank, [&](std::int64_t to, double share) { send(rank, to, share); });
    }
    return flows;
}

double tokenCopies(const Fabric& fabric, const TrainingJob& job, const std::vector<DeviceId>& gpus) {
    if (!job.model.mixture) return 0;
    double copies = 0;
    Dispatch(fabric, job, gpus).eachOf(0, [&](std::int64_t to, double each) { copies += to == 0 ? 0 : each; });
    return copies;
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
