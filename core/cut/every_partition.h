// The exact bisection of small questions: every balanced partition, endpoints that hang on the same ports counted alike.
#pragma once

#include "core/cut/balanced_cut.h"

#include <optional>

namespace railyard {

struct ExactCut {
    double value = 0; // bit/s
    std::vector<bool> sideA;
};
// Endpoints that may be exchanged without changing any cut.
std::vector<std::vector<std::uint32_t>> interchangeable(const Question& q);
// Nothing where there are too many partitions to try.
std::optional<ExactCut> cheapestOfAllPartitions(const Question& q);

} // namespace railyard
