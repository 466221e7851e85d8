// A collective step by step: what is drawn and said in each, on screen and as frames.
#pragma once

#include "core/collective/steps.h"
#include "core/fabric/elaborate.h"
#include "widgets/pictures/pictures.h"

namespace railyard {

// The design as it was drawn, what failed of it, and what is left.
struct PlayedOn {
    FabricPointer intact, left;
    Removal failed;
};
struct PlayFrame {
    std::vector<double> ofLinks; // by link of the intact fabric: how busy while the step lasts, below 0 where it is gone
    QString words, busiest;      // one sentence; the path of what is busiest
    Hops hops;                   // who hands data to whom
};
// Errors: those of the traffic.
Result<PlayFrame> frameOf(const PlayedOn& on, const CollectiveSteps& steps, std::size_t step);
QString playTitle(const CollectiveSteps& steps); // all-reduce of 1 GiB: ring, simple, 8.14 ms

// Every step a frame: one SVG that moves, or numbered files beside each other.
Status drawPlay(const PlayedOn& on, const CollectiveSteps& steps, const QString& path, const PictureOptions& options);

} // namespace railyard
