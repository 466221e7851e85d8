// How the time of a training job depends on one quantity: GPUs, global batch, the bandwidth of the network or of the HB fabric, or the
// size of the HB domains. Everything else stays as it is.
#pragma once

#include "core/base/tasks.h"
#include "core/design/recipes/recipe.h"
#include "core/training/training.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// Gpus: the first half, quarter and so on of the GPUs, with fewer replicas and the same global batch. Batch: the global batch times 1/4 to
// 16. Network: the speed of all NICs and network links times 1/8 to 8, with the same switches, ports and cables. Hb: the same for the HB
// links. HbDomain: the same recipe with HB domains of one server to all GPUs.
enum class TrainingAxis { Gpus, Batch, Network, Hb, HbDomain };
inline constexpr std::array<std::string_view, 5> trainingAxisNames{"gpus", "batch", "network", "hb", "hb-domain"};
constexpr std::string_view toText(TrainingAxis axis) { return trainingAxisNames[static_cast<std::size_t>(axis)]; }

struct TrainingPoint {
    double x = 0; // GPUs, sequences, a factor, GPUs of an HB domain
    std::optional<TrainingEstimate> estimate;
    std::string why; // why there is none
};

struct TrainingCurve {
    TrainingAxis axis = TrainingAxis::Gpus;
    std::vector<TrainingPoint> points; // x rises; the job as it is asked for is one of them
};

// Errors: HbDomain on a design without a recipe. What is wrong at one point stands there.
Result<TrainingCurve> trainingCurve(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, TrainingAxis axis,
                                    const TrainingCalibration& calibration = shippedTrainingCalibration(),
                                    const TaskContext& context = {}); // points that a stop left out are missing

// The same devices and links, at other speeds. NICs, switches and their ports are those of the fabric; only what they carry changes.
// Errors: more different speeds than a fabric can have (design/model/limits.h), which only a fabric with more than 127 of them reaches.
Result<Fabric> atSpeeds(const Fabric& fabric, double ofNetwork, double ofHb);

} // namespace railyard
