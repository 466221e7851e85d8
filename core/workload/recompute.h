#pragma once

namespace railyard {

// What the backward pass computes again instead of keeping it: nothing, the scores of attention, whole layers, or what lies between the
// outputs of matrix products.
enum class Recompute { None, Selective, Full, GemmLast };

} // namespace railyard
