// The picture and the sentence of each step of a collective or an iteration.
#pragma once

#include "core/collective/played_steps.h"
#include "core/fabric/fabric.h"
#include "core/failure/removal.h"
#include "widgets/canvas/scene/scene.h"

namespace railyard {

// The intact fabric, its failures and the degraded fabric.
struct PlayedOn {
    FabricPointer intact, degraded;
    Removal failed;
};
struct PlayFrame {
    std::vector<double> ofLinks; // utilisation during the step, indexed by link of the intact fabric; negative if the link has failed
    QString words, busiest;      // the sentence, and the path of the busiest link's upper end
    Hops hops;                   // senders and receivers
};
// Fails if the loads of the step cannot be computed.
Result<PlayFrame> frameOf(const PlayedOn& on, const PlayedSteps& steps, std::size_t step);

} // namespace railyard
