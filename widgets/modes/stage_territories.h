// The pipeline stages of a training job as territories of the drawing.
#pragma once

#include "core/training/iteration_steps.h"
#include "widgets/canvas/scene/scene.h"

namespace railyard {

// The stage of each server and HB domain, and which replicas of it stand there. One that holds several stages has none. Empty for a job
// of one stage.
Territories stageTerritories(const Fabric& fabric, const IterationSteps& steps);

} // namespace railyard
