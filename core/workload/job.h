// A training job: a model divided among ranks.
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"
#include "core/workload/model.h"
#include "core/workload/recompute.h"

#include <array>
#include <string_view>

namespace railyard {

// The parallelisms: tensor, context (sequence), expert, data (batch) and pipeline (layers).
enum class Parallel { Tensor, Context, Expert, Data, Pipeline };
constexpr std::array<Parallel, 5> allParallel{Parallel::Tensor, Parallel::Context, Parallel::Expert, Parallel::Data, Parallel::Pipeline};
std::string_view toText(Parallel parallel); // tp, cp, ep, dp, pp

// Of matrix products, and of tokens on their way to experts.
enum class Precision { Bf16, Fp8, Fp4 };
constexpr std::array<std::string_view, 3> precisionNames{"bf16", "fp8", "fp4"};
constexpr std::string_view toText(Precision precision) { return precisionNames[static_cast<std::size_t>(precision)]; }
// Copies of a token on its way to experts: one for each HB domain that holds one of them, or one for each expert.
enum class ExpertDispatch { Domain, Expert };
constexpr std::array<std::string_view, 2> expertDispatchNames{"domain", "expert"};
constexpr std::string_view toText(ExpertDispatch dispatch) { return expertDispatchNames[static_cast<std::size_t>(dispatch)]; }

constexpr double activationBytes = 2, parameterBytes = 2; // bf16

struct TrainingJob {
    TransformerModel model;
    std::array<std::int64_t, 5> degrees{1, 1, 1, 1, 1}; // by Parallel
    std::array<Parallel, 5> rankOrder = allParallel;    // innermost first
    // Ranks over which experts are spread, folded over those of tensor, context and data parallelism: the rest of a layer is divided by
    // these, its experts by expert parallelism alone. 1: experts are spread over by(Parallel::Expert) ranks of their own.
    std::int64_t expertFold = 1;
    std::int64_t microBatch = 1, globalBatch = 1; // sequences
    std::int64_t interleave = 1;                  // model chunks per pipeline stage
    Recompute recompute = Recompute::None;
    int zero = 0;          // sharded over data-parallel ranks: 1 optimizer, 2 also gradients, 3 also parameters
    int gradientBytes = 4; // per parameter
    Precision precision = Precision::Bf16;
    ExpertDispatch dispatch = ExpertDispatch::Domain;
    bool isSequenceParallel =
        false;                    // where tp > 1: norms and dropouts are divided too, all-gathers and reduce-scatters replace all-reduces
    bool isAttentionFused = true; // FlashAttention and its like keep no scores in memory; Megatron-LM before mid-2022 did not
    bool isPipelineScattered = true; // tensors between stages are scattered over the tensor-parallel ranks

    std::int64_t by(Parallel parallel) const { return degrees[static_cast<std::size_t>(parallel)]; }
    bool isExpertFolded() const { return expertFold > 1; }
    std::int64_t expertRanks() const { return isExpertFolded() ? expertFold : by(Parallel::Expert); }
    std::int64_t expertTensor() const { return isExpertFolded() ? 1 : by(Parallel::Tensor); } // ranks that divide one expert
    std::int64_t expertReplicas() const;                                                      // ranks that hold the same experts
    // The same ranks as experts see them: beside the stages, expert and data parallelism alone. The job itself if it is not folded.
    TrainingJob expertLayout() const;
    bool dividesSequence() const { return isSequenceParallel && by(Parallel::Tensor) > 1; }
    // Several ranks hold the same parameters, those of experts aside: ZeRO divides their optimizer over replicas, context and experts.
    bool isReplicated() const { return by(Parallel::Data) > 1 || by(Parallel::Expert) > 1 || by(Parallel::Context) > 1; }
    std::string gpusText() const;         // tp 4 × dp 8 = 32
    std::int64_t gpus() const;            // 2^60 if there are more
    std::int64_t sequencesAtOnce() const; // of all replicas; 2^60 if there are more
    std::int64_t microBatches() const { return globalBatch / sequencesAtOnce(); }
    double tokensOfMicroBatch() const { return static_cast<double>(microBatch) * static_cast<double>(model.sequenceTokens); }
    // All reasons why the job cannot run; empty if it can.
    std::vector<Error> problems() const;
    // The same without the words.
    std::size_t brokenRules() const;
    bool canRun() const { return brokenRules() == 0; }
    // Reads the order from text such as tp-cp-ep-dp-pp, with each parallelism once.
    static Result<std::array<Parallel, 5>> rankOrderFrom(const std::string& text);
};

} // namespace railyard
