#include "core/training/layer_times.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace railyard {
namespace {

struct Product { // rows x columns, summed over `depth`; `count` of them, in one kernel
    double rows = 0, columns = 0, depth = 0, count = 1;
    bool isGrouped = false; // of several experts
};

struct Attention {
    double flops = 0;           // as they are computed
    double keys = 0, width = 0; // of a sequence, of a head
};

class Timer {
public:
    Timer(const GpuSpeed& speed, double matrixBytes) : m_speed(speed), m_matrixBytes(matrixBytes) {}

    double product(const Product& p) const {
        if (p.rows <= 0 || p.columns <= 0 || p.depth <= 0) return 0;
        if (m_speed.measured)
            if (const auto time = m_speed.measured->product(p.rows, p.columns, p.depth)) return p.count * *time;
        const double flops = 2 * p.rows * p.columns * p.depth,
                     bytes = m_matrixBytes * (p.rows * p.depth + p.columns * p.depth) + activationBytes * p.rows * p.columns;
        const double share = m_speed.constants.matrixShare * (p.isGrouped ? m_speed.constants.groupedShare : 1);
        const double busy =
            std::max(flops / (m_speed.matrixPeak * share), bytes / (m_speed.memoryBandwidth * m_speed.constants.matrixMemoryShare));
        return p.count * busy + m_speed.constants.matrixOverhead;
    }
    double products(const std::vector<Product>& all) const {
        double sum = 0;
        for (const Product& each : all) sum += product(each);
        return sum;
    }
    // Gradients of what came in: rows x depth, summed over the columns. Of the weights: columns x depth, summed over the rows.
    double inputGradients(const std::vector<Product>& all) const {
        double sum = 0;
        for (const Product& p : all) sum += product({p.rows, p.depth, p.columns, p.count, p.isGrouped});
        return sum;
    }
    double weightGradients(const std::vector<Product>& all) const {
        double sum = 0;
        for (const Product& p : all) sum += product({p.depth, p.columns, p.rows, p.count, p.isGrouped});
        return sum;
    }
    // Where tiles are left out, the measured time of all of them counts in proportion.
    double attention(const Attention& of) const {
        if (const auto time = m_speed.measured ? m_speed.measured->attention(of.flops) : std::nullopt) return *time;
        return of.flops / (m_speed.attentionPeak * m_speed.constants.attentionShareOf(of.keys, of.width)) +
               2 * m_speed.constants.kernelOverhead;
    }
    bool hasMeasuredAttention() const { return m_speed.measured && m_speed.measured->attention(1); }
    // Tokens sorted by expert, and back.
    double routing(double bytes) const {
        return bytes > 0 ? moving(m_speed.constants.expertMoves * bytes) + m_speed.constants.expertOverhead : 0;
    }
    double kernel(double bytes, double count = 1) const {
        if (const auto time = m_speed.measured && bytes > 0 ? m_speed.measured->move(bytes / count) : std::nullopt) return count * *time;
        return moving(bytes) + count * m_speed.constants.kernelOverhead;
    }

private:
    double moving(double bytes) const { return bytes / (m_speed.memoryBandwidth * m_speed.constants.memoryShare); }
    const GpuSpeed& m_speed;
    const double m_matrixBytes;
};

// The work of one rank in one layer.
struct Work {
    std::vector<Product> products;
    Attention attention;
    double scoreBytes = 0; // moved for softmax and its dropout, where attention is not computed in tiles
    double whole = 0;      // bytes moved by norms, dropouts and residuals
    double routed = 0;     // bytes of the tokens that experts take; 0 without experts
    double divided = 0;    // bytes moved between the matrices of the feed-forward network
};

class Layers {
public:
    Layers(const TrainingJob& job, const TrainingPlan& plan)
        : Layers(job, plan, job.tokensOfMicroBatch() / static_cast<double>(job.by(Parallel::Context))) {}
    Layers(const TrainingJob& job, const TrainingPlan& plan, double tokens)
        : m_model(job.model),
          m_job(job),
          m_plan(plan),
          m_t(static_cast<double>(job.by(Parallel::Tensor))),
          m_tokens(tokens),
          m_h(static_cast<double>(job.model.hidden)) {}

    Work dense() const {
        Work work = attention();
        feedForward(work, m_tokens, static_cast<double>(m_model.ffnHidden) / m_t, 1);
        return work;
    }
    // A rank takes the tokens that the others send to its experts, as many as it sends if the gate is even.
    Work mixture() const {
        Work work = attention();
        const Mixture& mixture = *m_model.mixture;
        const auto ranks = static_cast<double>(m_job.expertRanks()), divided = static_cast<double>(m_job.expertTensor());
        const double local = static_cast<double>(mixture.experts) / ranks;
        const double ofRank = m_tokens * divided / m_t; // folded, the ranks of tensor parallelism send different tokens
        const double routed = ofRank * static_cast<double>(mixture.topK) * m_plan.gateSkew;
        work.products.push_back({m_tokens, static_cast<double>(mixture.experts), m_h});
        // Of few tokens, some experts get none, and their weights are not read: of n tokens on E experts 1 - (1 - k / E)^n are used.
        const double allTokens = ofRank * ranks, share = static_cast<double>(mixture.topK) / static_cast<double>(mixture.experts),
                     used = std::max(local * (1 - std::pow(1 - share, allTokens)), 1e-9);
        feedForward(work, routed / used, static_cast<double>(mixture.ffnHidden) / divided, used, true);
        if (mixture.sharedExperts > 0) feedForward(work, m_tokens, static_cast<double>(mixture.ffnHidden * mixture.sharedExperts) / m_t, 1);
        work.routed = activationBytes * routed * m_h / (m_job.isExpertFolded() ? 1 : shared());
        return work;
    }
    double shared() const { return m_job.dividesSequence() ? m_t : 1; }
    double tokens() const { return m_tokens; }

private:
    Work attention() const {
        Work work;
        const double kv = static_cast<double>(std::min(m_job.by(Parallel::Tensor), m_model.kvHeads));
        const auto queries = static_cast<double>(m_model.scoreWidth()), out = static_cast<double>(m_model.valueWidth());
        if (const auto& latent = m_model.latent) {
            const auto rank = static_cast<double>(latent->keyValueRank), heads = static_cast<double>(m_model.heads);
            const auto queryRank = static_cast<double>(latent->queryRank);
            work.products = {{m_tokens, queryRank, m_h},
                             {m_tokens, queries / m_t, queryRank},
                             {m_tokens, rank + static_cast<double>(latent->rotaryHeadDim), m_h},
                             {m_tokens, heads * static_cast<double>(latent->plainHeadDim + latent->valueHeadDim) / m_t, rank}};
        } else {
            work.products = {{m_tokens, queries / m_t + 2 * static_cast<double>(m_model.kvHidden()) / kv, m_h}};
        }
        work.products.push_back({m_tokens, m_h, out / m_t});
        const auto keys = static_cast<double>(m_model.sequenceTokens);
        work.attention = {2 * m_tokens * keys * (queries + out) / m_t, keys, queries / static_cast<double>(m_model.heads)};
        if (m_job.isAttentionFused)
            work.attention.flops /= 2; // tiles above the diagonal of the causal mask are left out
        else                           // softmax reads and writes, its dropout reads, writes and writes the mask
            work.scoreBytes = m_tokens * keys * static_cast<double>(m_model.heads) / m_t * (4 * activationBytes + 1);
        // two norms read and write; two dropouts with residuals read twice, write, and write a mask
        work.whole = m_tokens * m_h * 2 * ((2 + 3) * activationBytes + (m_model.isFfnGated ? 0 : 1));
        return work;
    }
    // `width`: of this rank's part.
    void feedForward(Work& work, double rows, double width, double count, bool isGrouped = false) const {
        const double between = m_model.isFfnGated ? 2 * width : width;
        work.products.push_back({rows, between, m_h, count, isGrouped});
        work.products.push_back({rows, m_h, width, count, isGrouped});
        work.divided += count * rows * (between + width) * activationBytes; // the function between them reads and writes
    }

    const TransformerModel& m_model;
    const TrainingJob& m_job;
    const TrainingPlan& m_plan;
    const double m_t, m_tokens, m_h;
};

LayerTimes timesOf(const Work& work, const Layers& layers, const Timer& timer, Recompute recompute) {
    constexpr double kernels = 5, scoreKernels = 2;      // per layer
    constexpr double scoresBack = 1.2, othersBack = 1.6; // bytes moved by the backward pass relative to the forward pass
    const double matrices = timer.products(work.products), attention = timer.attention(work.attention),
                 scores = work.scoreBytes > 0 && !timer.hasMeasuredAttention() ? timer.kernel(work.scoreBytes, scoreKernels) : 0,
                 others = timer.kernel(work.whole / layers.shared() + work.divided, kernels) + timer.routing(work.routed);
    LayerTimes times;
    const double forward = matrices + attention + scores + others;
    times.forward = Seconds(forward);
    times.attention = Seconds(attention + scores);
    times.matrices = Seconds(matrices);
    times.attentionBackward = Seconds(2 * attention + scoresBack * scores);
    times.inputGradients = Seconds(timer.inputGradients(work.products));
    times.weightGradients = Seconds(timer.weightGradients(work.products));
    times.backward = times.weightGradients + times.inputGradients + times.attentionBackward + Seconds(othersBack * others);
    switch (recompute) {
    case Recompute::None: break;
    case Recompute::Selective: times.recompute = Seconds(attention + scores); break;
    case Recompute::GemmLast: times.recompute = Seconds(scores + others); break; // outputs of matrix products are kept
    case Recompute::Full: times.recompute = Seconds(forward); break;
    }
    return times;
}

} // namespace

LayerTimes LayerTimes::slowedBy(double factor) const {
    LayerTimes slower = *this;
    for (Seconds* part : {&slower.forward, &slower.backward, &slower.recompute, &slower.attention, &slower.attentionBackward,
                          &slower.matrices, &slower.inputGradients, &slower.weightGradients})
        *part = *part * factor;
    return slower;
}

Seconds timeOf(const MeasuredOperation& operation, const GpuSpeed& speed) {
    const Timer timer(speed, activationBytes);
    switch (operation.kind) {
    case MeasuredOperation::Kind::Matmul: return Seconds(timer.product({operation.rows, operation.columns, operation.depth}));
    case MeasuredOperation::Kind::Attention: return Seconds(timer.attention({operation.work, operation.keys, operation.width}));
    case MeasuredOperation::Kind::Move: return Seconds(timer.kernel(operation.work));
    }
    return {};
}

double cacheBytes(const TransformerModel& model, std::int64_t tensor) {
    if (model.latent) return activationBytes * static_cast<double>(model.latent->keyValueRank + model.latent->rotaryHeadDim);
    return activationBytes * 2 * static_cast<double>(model.kvHidden()) / static_cast<double>(std::min(tensor, model.kvHeads));
}

DecodeTimes decodeTimes(const TrainingJob& job, const TrainingPlan& plan, const GpuSpeed& speed, double sequences, double keys) {
    constexpr double fp8Bytes = 1, kernels = 5;
    const Layers layers(job, plan, sequences);
    const Timer timer(speed, job.precision == Precision::Bf16 ? activationBytes : fp8Bytes);
    const TransformerModel& model = job.model;
    const auto t = static_cast<double>(job.by(Parallel::Tensor));
    const double widths = model.latent ? static_cast<double>(model.heads * (2 * model.latent->keyValueRank + model.latent->rotaryHeadDim))
                                       : static_cast<double>(model.scoreWidth() + model.valueWidth());
    const double attention = std::max(timer.attention({2 * sequences * keys * widths / t}),
                                      timer.kernel(sequences * keys * cacheBytes(model, job.by(Parallel::Tensor)), 2));
    const auto timeOf = [&](const Work& work) {
        return Seconds(timer.products(work.products) + attention + timer.kernel(work.whole / layers.shared() + work.divided, kernels) +
                       timer.routing(work.routed));
    };
    DecodeTimes times;
    times.dense = timeOf(layers.dense());
    if (model.mixture) times.mixture = timeOf(layers.mixture());
    times.head = Seconds(timer.product({sequences, static_cast<double>(model.vocab) / t, static_cast<double>(model.hidden)}));
    return times;
}

Seconds timeOfLayers(const TransformerModel& model, const ModelTimes& times) {
    const auto ofLayer = [](const LayerTimes& layer) { return layer.forward + layer.backward + layer.recompute; };
    const auto mixtures = static_cast<double>(model.mixtureLayers()), layers = static_cast<double>(model.layers);
    return (layers - mixtures) * ofLayer(times.dense) + mixtures * ofLayer(times.mixture);
}

ModelTimes modelTimes(const TrainingJob& job, const TrainingPlan& plan, const GpuSpeed& speed) {
    constexpr double fp8Bytes = 1;
    const Layers layers(job, plan);
    const Timer timer(speed, job.precision == Precision::Bf16 ? activationBytes : fp8Bytes);
    ModelTimes times;
    times.dense = timesOf(layers.dense(), layers, timer, job.recompute);
    if (job.model.mixture) times.mixture = timesOf(layers.mixture(), layers, timer, job.recompute);
    const double tokens = layers.tokens(), h = static_cast<double>(job.model.hidden),
                 columns = static_cast<double>(job.model.vocab) / static_cast<double>(job.by(Parallel::Tensor));
    const std::vector<Product> head{{tokens, columns, h}};
    // Logits: written, read by the loss in 32 bits, and their gradients written; a norm before them.
    times.headForward = Seconds(timer.products(head) + timer.kernel(tokens * columns * (2 * activationBytes + 4 + 2), 3) +
                                timer.kernel(2 * tokens * h * activationBytes / layers.shared()));
    times.headBackward =
        Seconds(timer.inputGradients(head) + timer.weightGradients(head) + timer.kernel(2 * tokens * columns * activationBytes));
    times.embedding = Seconds(2 * timer.kernel(3 * tokens * h * activationBytes / layers.shared())); // read, write, and back
    return times;
}

} // namespace railyard
