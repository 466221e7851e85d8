// Curves as grids, a row each: slowdowns by hash collisions and by concurrent jobs; and the training iteration over two bandwidths.
#pragma once

#include "core/analysis/maps/heat_grid.h"
#include "core/training/training.h"

namespace railyard {

// Slowdown from hash collisions over flows per pair, of a permutation, a ring and a ring per rail; seed 1. A pattern that crosses rails
// which are not joined is forwarded, as its name says. A note on a row says why it has no values.
Result<HeatGrid> collisionGrid(const Fabric& fabric, const TaskContext& context = {});

// Slowdown of the slowest of 1, 2, 4 ... 16 concurrent jobs, packed and spread; the note of a point names the link at its bottleneck.
// Errors: those of a collective.
Result<HeatGrid> concurrentJobsGrid(const Fabric& fabric, CollectiveOp op, Bytes size, const TaskContext& context = {});

// Time of an iteration with all NICs and network links (x) and all HB links (y) at these multiples of their speed, with the same switches,
// ports and cables. The note of a point says why it has no value.
HeatGrid trainingGrid(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan, const TaskContext& context = {});

} // namespace railyard
