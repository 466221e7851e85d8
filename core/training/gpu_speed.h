// How fast a GPU computes: its data sheet, and how much of it training reaches.
#pragma once

#include "core/base/result.h"
#include "core/catalog/part.h"
#include "core/training/measured_times.h"
#include "core/training/nccl_tests.h"
#include "core/training/training_plan.h"

#include <memory>
#include <string>
#include <vector>

namespace railyard {

// Of one generation. The time of a matrix product is FLOP / (peak × matrixShare) + overhead, or its bytes / (memory bandwidth ×
// matrixMemoryShare) + overhead if that is longer (roofline).
struct MatrixConstants {
    double share = 1, overhead = 0; // of the peak; s
    double memoryShare = 1;         // of the memory bandwidth
    double groupedShare = 1;        // of a grouped product, relative to other products
};
struct GpuConstants {
    std::vector<std::string> gpus; // catalogue IDs; empty: all others
    bool isCalibrated = false;
    double matrixShare = 1, attentionShare = 1, memoryShare = 1; // of the peak, of the peak, of the memory bandwidth
    double matrixMemoryShare = 1;                                // of the memory bandwidth, of products that read much for each FLOP
    // Attention reaches its share with long sequences and heads that are 128 wide, and half of it with attentionHalfKeys keys. Narrow heads
    // reach less, as width / (width + attentionHalfWidth), because their exponentials take as long as those of wide ones.
    double attentionHalfKeys = 0, attentionHalfWidth = 0;
    double matrixOverhead = 0, kernelOverhead = 0; // s, of a matrix product and of any other kernel
    double launchOverhead = 0; // s, of the framework for every collective inside one HB domain; those between domains include it
    // Of layers with experts: share of a grouped product relative to other products; times that a routed token is moved through memory on
    // its way to the products of its experts and back; fixed time of a pass for routing and sorting, s.
    double groupedShare = 1, expertMoves = 4, expertOverhead = 0;
    double low = 1, high = 1; // interval of the iteration time as multiples of it
    struct OfExperts {        // the same for models with experts
        bool isCalibrated = false;
        double low = 1, high = 1;
    };
    std::optional<OfExperts> ofExperts;      // empty: as of all models
    std::optional<MatrixConstants> fp8, fp4; // of products in these precisions; empty: not measured, as in 16 bits

    GpuConstants in(Precision precision) const; // with the products of this precision
    // Share of the peak that fused attention reaches; 0 keys or a width of 0: not known, as of long sequences and usual heads.
    double attentionShareOf(double keys, double width) const;
    OfExperts intervalOf(bool hasExperts) const { return hasExperts && ofExperts ? *ofExperts : OfExperts{isCalibrated, low, high}; }
};

// Servers that compute more slowly than the others, which wait for them in every iteration.
struct Stragglers {
    double share = 0, timeRatio = 1; // of all servers; their time / that of the others
    // Expected time of the slowest server of a job / time of a normal server, over random placements.
    double expectedSlowdown(std::int64_t servers) const;
    // The same at a percentile (0 to 1) of the placements instead of their mean.
    double slowdownAt(double percentile, std::int64_t servers) const;
};

struct TrainingCalibration {
    std::string name; // file
    std::vector<GpuConstants> generations;
    double optimizerBytes = 0; // read and written for each parameter in an optimizer step
    double reservedBytes = 0;  // of a GPU's memory, for the driver, the libraries and fragmentation
    // byte/s of a GPU: to its host, one direction, and of the memory of the host, as its share. 0: facts of the server.
    double hostBandwidth = 0, hostMemoryBandwidth = 0;
    double tensorOverlapCost = 0; // share of the hidden part of a tensor-parallel message that computing loses to it
    double dataOverlapShare = 1;  // share of a pass that hides the messages that overlap with it
    Stragglers stragglers;
    const GpuConstants& constantsOf(const std::string& gpu) const; // the last generation is that of all others
    // Measurements of the user: of single operations on the GPUs of the job, and of collectives on its fabric.
    std::shared_ptr<const MeasuredTimes> measured = {};
    std::vector<NcclTest> collectives = {};
};

const TrainingCalibration& shippedTrainingCalibration();
Result<TrainingCalibration> readTrainingCalibration(const std::string& text, const std::string& file);

// What a GPU has of its host if all GPUs of the server use it.
struct HostShare {
    double memoryBytes = 0;                        // 0: not published
    double memoryBandwidth = 0, linkBandwidth = 0; // byte/s; of the link in one direction
    HostShare least(const HostShare& other) const; // of everything the smaller one
};

struct GpuSpeed {
    std::string id, name;
    double slowdown = 1;      // time of a server that is known to be slow / that of others
    double matrixPeak = 0;    // FLOP/s of matrix products in the precision that was asked for
    double attentionPeak = 0; // FLOP/s in 16 bits
    double memoryBandwidth = 0;
    double memoryBytes = 0;
    HostShare host;
    GpuConstants constants;
    std::shared_ptr<const MeasuredTimes> measured; // null: the curves of the constants
};

} // namespace railyard
