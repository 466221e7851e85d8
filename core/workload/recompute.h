#pragma once

#include <array>
#include <string_view>

namespace railyard {

// What the backward pass computes again instead of keeping it: nothing, the scores of attention, whole layers, or what lies between the
// outputs of matrix products.
enum class Recompute { None, Selective, Full, GemmLast };
constexpr std::array<std::string_view, 4> recomputeNames{"none", "selective", "full", "gemm-last"};
constexpr std::string_view toText(Recompute recompute) { return recomputeNames[static_cast<std::size_t>(recompute)]; }

} // namespace railyard
