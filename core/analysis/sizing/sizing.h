// The largest fabric within a limit of power, cost or interruptions.
#pragma once

#include "core/analysis/sizing/best_fabric.h"

#include <functional>
#include <limits>

namespace railyard {

inline constexpr std::int64_t mostSizedGpus = 262'144;

using DesignChange = std::function<Result<Design>(Design)>; // sets options of the document, such as bill.pue

// W; USD of all networks of the design (networksTotal), priced lines only; interruptions of a job on all GPUs in an hour.
enum class SizeLimit { FacilityPower, NetworkCost, Interruptions };

// The largest number of servers (in whole HB domains) whose best fabric (best_fabric.h) does not exceed the limit, up to 262,144 GPUs.
// Assumes that the metric increases with size, but for a few domains; the next larger size exceeds the limit. Errors: a single domain
// exceeds the limit, or the metric is unknown for a part.
// `change`: null, or what a design becomes before it is measured. `mostServers`: no more than these are tried.
Result<int> largestWithin(const FabricWish& wish, const CatalogPointer& catalog, SizeLimit limit, double most,
                          const DesignChange& change = {}, int mostServers = std::numeric_limits<int>::max());

} // namespace railyard
