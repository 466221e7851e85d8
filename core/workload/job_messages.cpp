#include "core/workload/job_messages.h"

#include "core/workload/expert_dispatch.h"
#include "core/workload/expert_layout.h"
#include "core/workload/job_traffic.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <vector>

namespace railyard {
namespace {

constexpr double mostBytes = 9e18; // that can be counted

class Messages {
public:
    Messages(const Fabric& fabric, const PlacedJob& placed, bool overlapsData)
        : m_fabric(fabric),
          m_placed(placed),
          m_job(placed.job),
          m_layout(placed.job.expertLayout()),
          m_overlapsData(overlapsData) {}

    std::vector<JobMessage> all() {
        const TransformerModel& model = m_job.model;
        const auto t = static_cast<double>(m_job.by(Parallel::Tensor)), c = static_cast<double>(m_job.by(Parallel::Context));
        const auto passes = static_cast<double>(m_job.microBatches());
        const double layers = static_cast<double>(model.layers) / static_cast<double>(m_job.by(Parallel::Pipeline)),
                     mixtures = static_cast<double>(model.mixtureLayers()) / static_cast<double>(m_job.by(Parallel::Pipeline));
        const double tokens = m_job.tokensOfMicroBatch() / c;
        const double activation = tokens * static_cast<double>(model.hidden) * activationBytes;
        const double runs = m_job.recompute == Recompute::Full ? 3 : 2; // forward (again) and backward
        double blocks = passes * 2 * layers;                            // attention and feed-forward network
        if (m_job.isExpertFolded()) blocks -= passes * mixtures * (model.mixture->sharedExperts > 0 ? 0 : 1); // not divided
        if (m_job.dividesSequence()) { // backward, the inputs are gathered once more
            add(Parallel::Tensor, CollectiveOp::AllGather, "activations", activation, blocks * (runs + 1), {Parallel::Tensor});
            add(Parallel::Tensor, CollectiveOp::ReduceScatter, "activations", activation, blocks * runs, {Parallel::Tensor});
        } else {
            add(Parallel::Tensor, CollectiveOp::AllReduce, "activations", activation, blocks * runs, {Parallel::Tensor});
        }
        const auto heads = static_cast<double>(std::min(m_job.by(Parallel::Tensor), model.kvHeads));
        add(Parallel::Context, CollectiveOp::PointToPoint, "keys and values",
            2 * tokens * static_cast<double>(model.kvHidden()) / heads * activationBytes, passes * layers * (c - 1) * (runs + 1),
            {Parallel::Context});
        if (model.mixture) exchanges(tokens / t, passes * mixtures * runs);
        add(Parallel::Pipeline, CollectiveOp::PointToPoint, "activations", activation / (m_job.isPipelineScattered ? t : 1),
            passes * 2 * static_cast<double>(m_job.interleave), {Parallel::Pipeline});
        if (model.hasTiedEmbeddings) // the first and the last stage hold the same table
            add(Parallel::Pipeline, CollectiveOp::PointToPoint, "gradients of the tied embedding",
                model.embeddingParameters() / t * m_job.gradientBytes, 1, {Parallel::Pipeline});
        const std::vector<Parallel> over{Parallel::Context, Parallel::Expert, Parallel::Data};
        buckets("layers", model.denseParametersOfLayers() / static_cast<double>(model.layers) / t, layers, over);
        const bool isOneTable = m_job.by(Parallel::Pipeline) > 1 || model.hasTiedEmbeddings;
        data(isOneTable ? "an embedding" : "both embeddings", (isOneTable ? 1 : 2) * model.embeddingParameters() / t, 1, over);
        if (model.mixture && mixtures > 0)
            buckets("experts",
                    model.expertParametersOfLayers() / static_cast<double>(model.mixtureLayers()) /
                        static_cast<double>(m_job.expertTensor() * m_job.expertRanks()),
                    mixtures, {Parallel::Context, Parallel::Data});
        return std::move(m_all);
    }

private:
    // Of this many tokens: all-to-alls of the whole group, or between HB domains and inside them.
    void exchanges(double tokens, double count) {
        const Mixture& mixture = *m_job.model.mixture;
        const double values = tokens * static_cast<double>(m_job.model.hidden);
        const std::int64_t perDomain = m_layout.by(Parallel::Expert) > 1 ? expertsPerDomain(m_fabric, m_job, m_placed.gpus) : 0;
        const bool isByDomain = isDispatchedByDomain(m_job, perDomain);
        const TrainingJob places = isByDomain ? expertPlaces(m_job, perDomain) : m_layout;
        const ExpertCopies copies = isByDomain ? expertCopies(mixture, places.by(Parallel::Expert), perDomain) : ExpertCopies();
        // As nccl-tests count it, a rank keeps its own part of an all-to-all.
        const auto sizeOf = [&](double sent, Parallel over) {
            const auto ranks = static_cast<double>(places.by(over));
            return ranks > 1 ? sent * ranks / (ranks - 1) : 0;
        };
        const double across = isByDomain ? sizeOf(copies.across, Parallel::Expert) : static_cast<double>(mixture.topK),
                     inside = isByDomain ? sizeOf(copies.inside, Parallel::Context) : 0;
        for (const auto& [direction, bytes] :
             {std::pair("to experts", bytesToExperts(m_job.precision)), {"from experts", activationBytes}}) {
            add(Parallel::Expert, CollectiveOp::AllToAll, fmt::format("tokens {}{}", direction, isByDomain ? ", between HB domains" : ""),
                values * bytes * across, count, {Parallel::Expert}, places);
            if (inside > 0)
                add(Parallel::Expert, CollectiveOp::AllToAll, fmt::format("tokens {}, inside HB domains", direction),
                    values * bytes * inside, count, {Parallel::Context}, places);
        }
    }
    // All layers of a stage, in buckets if they overlap.
    void buckets(const std::string& of, double parametersOfLayer, double layers, const std::vector<Parallel>& over) {
        const double all = parametersOfLayer * layers, count = m_overlapsData ? bucketsOf(all, layers, ranksOver(over)) : 1;
        data(of, all / count, count, over);
    }
    // The job, or what it looks like to experts.
    const TrainingJob& jobOf(const std::vector<Parallel>& over) const {
        const bool isOfExperts = over == std::vector{Parallel::Expert} || over == std::vector{Parallel::Context, Parallel::Data};
        return isOfExperts ? m_layout : m_job;
    }
    std::int64_t ranksOver(const std::vector<Parallel>& over) const {
        std::int64_t ranks = 1;
        for (const Parallel each : over) ranks *= jobOf(over).by(each);
        return ranks;
    }
    // Summed whole, or summed in parts and gathered where ranks share the optimizer (ZeRO 1 to 3).
    void data(const std::string& of, double parameters, double count, const std::vector<Parallel>& over) {
        const double gradients = parameters * m_job.gradientBytes;
        const auto passes = static_cast<double>(m_job.microBatches());
        if (m_job.zero == 0) return add(Parallel::Data, CollectiveOp::AllReduce, "gradients of " + of, gradients, count, over);
        add(Parallel::Data, CollectiveOp::ReduceScatter, "gradients of " + of, gradients, count * (m_job.zero >= 2 ? passes : 1), over);
        add(Parallel::Data, CollectiveOp::AllGather, "parameters of " + of, parameters * parameterBytes,
            count * (m_job.zero == 3 ? 2 * passes : 1), over);
    }

    void add(Parallel kind, CollectiveOp op, std::string what, double bytes, double count, const std::vector<Parallel>& over) {
        add(kind, op, std::move(what), bytes, count, over, jobOf(over));
    }
    void add(Parallel kind, CollectiveOp op, std::string what, double bytes, double count, const std::vector<Parallel>& over,
             const TrainingJob& in) {
        std::int64_t ranks = 1;
        for (const Parallel each : over) ranks *= in.by(each);
        if (ranks < 2 || bytes < 1 || count <= 0) return;
        JobMessage message{kind,
                           kind == Parallel::Expert ? std::vector{kind} : over,
                           op,
                           std::move(what),
                           Bytes(std::llround(std::min(bytes, mostBytes))),
                           count,
                           ranks,
                           0,
                           0};
        countServers(over, in, message);
        m_all.push_back(std::move(message));
    }

    // Where the group of rank 0 is: the ranks that differ from it in these ways alone.
    void countServers(const std::vector<Parallel>& over, const TrainingJob& job, JobMessage& message) const {
        std::vector<std::int64_t> group{0};
        std::int64_t stride = 1;
        for (const Parallel each : job.rankOrder) {
            const std::size_t known = group.size();
            const bool isIn = std::find(over.begin(), over.end(), each) != over.end();
            for (std::int64_t place = 1; isIn && place < job.by(each); ++place)
                for (std::size_t i = 0; i < known; ++i) group.push_back(group[i] + place * stride);
            stride *= job.by(each);
        }
        std::set<ServerId> servers;
        std::set<DomainId> domains;
        for (const std::int64_t rank : group) {
            const DeviceId gpu = m_placed.gpus[static_cast<std::size_t>(rank)];
            servers.insert(m_fabric.devices.server[gpu]);
            domains.insert(m_fabric.devices.hbDomain[gpu]);
        }
        message.servers = static_cast<std::int64_t>(servers.size());
        message.domains = static_cast<std::int64_t>(domains.size());
    }

    const Fabric& m_fabric;
    const PlacedJob& m_placed;
    const TrainingJob& m_job;
    const TrainingJob m_layout; // of experts
    const bool m_overlapsData;
    std::vector<JobMessage> m_all;
};

} // namespace

Result<std::vector<JobMessage>> messagesOf(const Fabric& fabric, const PlacedJob& placed, bool overlapsData) {
    if (auto problems = placed.job.problems(); !problems.empty()) return problems;
    if (placed.job.gpus() > static_cast<std::int64_t>(placed.gpus.size()))
        return Error::unbuildable(fmt::format("the job needs {} GPUs, but {} are available", placed.job.gpusText(), placed.gpus.size()));
    return Messages(fabric, placed, overlapsData).all();
}

} // namespace railyard
