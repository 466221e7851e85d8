// The parallel groups of a training job as territories of the drawing.
#pragma once

#include "core/training/iteration_steps.h"
#include "widgets/canvas/scene/scene.h"

namespace railyard {

// The stage of each server and HB domain, and which replicas of it stand there. One that holds several stages has none. Empty for a job
// of one stage.
Territories stageTerritories(const Fabric& fabric, const IterationSteps& steps);
// Of the kind of communication in this step: servers that exchange something in it are in one group. The stages where that says nothing,
// because all of them are in one group or every server is one of its own, for messages between stages and among replicas of a stage.
Territories groupTerritories(const Fabric& fabric, const IterationSteps& steps, std::size_t step);

} // namespace railyard
