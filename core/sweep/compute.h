// What a sweep asks for at its points.
#pragma once

#include "core/base/tasks.h"
#include "core/sweep/spec.h"

namespace railyard {

// The answer of a point: values by dotted key, or the reason why there are none.
struct SweepAnswer {
    Json values = Json::object();
    std::string error, note; // note: what its prices are not of
};
SweepAnswer computePoint(const SweepSpec& spec, std::int64_t point);

// Called by several threads at once, with the place of a point among those that were asked for; false ends the work.
using TakeAnswer = std::function<bool(std::size_t place, SweepAnswer answer)>;
// Points that build the same design are computed once. Returns how many designs were computed. What a stop left out is not taken.
std::int64_t computePoints(const SweepSpec& spec, const std::vector<std::int64_t>& points, const TaskContext& context,
                           const TakeAnswer& take);

// The share of the points of a shard that have a design of their own, from the first few hundred of every `of`-th point.
double shareOfDesigns(const SweepSpec& spec, int of);
// A number of shards that take about half a minute or more each, at most a thousand: from the time that a few points take and from how many
// of a shard's points have a design in common.
int shardsByTrial(const SweepSpec& spec);

} // namespace railyard
