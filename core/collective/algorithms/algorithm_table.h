// All algorithms by name.
#pragma once

#include "core/collective/algorithms/algorithm.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// The possible combinations of algorithm and protocol with their times.
std::vector<CollectiveTime> candidatesOf(const Setting& setting);

std::span<const AlgorithmInfo> algorithmTable();  // of equally fast algorithms the first is chosen
const AlgorithmInfo* infoOf(Algorithm algorithm); // null for Auto and None

std::string_view toText(Algorithm algorithm);
std::optional<Algorithm> algorithmFrom(std::string_view text);
std::string algorithmNames();                              // auto, ring, tree, ...
std::string algorithmText(const CollectiveResult& result); // ring, simple

} // namespace railyard
