// What a sweep asks for at its points.
#pragma once

#include "core/base/tasks.h"
#include "core/sweep/spec.h"

#include <string_view>
#include <unordered_map>

namespace railyard {

// The answer of a point: values by dotted key, or the reason why there are none.
struct SweepAnswer {
    Json values = Json::object();
    std::string error, note; // note: what its prices are not of

    // By key, for looking up many: an object finds a key by going through all of them. Valid while the answer is.
    std::unordered_map<std::string_view, const Json*> byKey() const;
};
SweepAnswer computePoint(const SweepSpec& spec, std::int64_t point);

// Called by several threads at once, with the place of a point among those that were asked for; false ends the work.
using TakeAnswer = std::function<bool(std::size_t place, SweepAnswer answer)>;
// Points that build the same design are computed once. Returns how many designs were computed. What a stop left out is not taken.
std::int64_t computePoints(const SweepSpec& spec, const std::vector<std::int64_t>& points, const TaskContext& context,
                           const TakeAnswer& take);

// Up to 64 points from all over a sweep of `count`, whose times say how long it takes. They follow no pattern of the axes, as every eighth
// or every hundredth point would: of 8 × 256 points these have one value of the last axis.
std::vector<std::int64_t> trialPoints(std::int64_t count);
// The number of distinct designs divided by the number of points of a shard, estimated from the first few hundred points of shard 1 / `of`.
double shareOfDesigns(const SweepSpec& spec, int of);
// The number of shards, at most 1,000, with which each shard takes about half a minute or more. Estimated from the computing time of a few
// points and from the number of points that share a design.
int shardsByTrial(const SweepSpec& spec);

} // namespace railyard
