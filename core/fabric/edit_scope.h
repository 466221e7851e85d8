// The elements that an edit applies to: the selected element, the same position in every SU of its pod, the same position in
// every SU, or all elements of its kind.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <vector>

namespace railyard {

enum class EditScope { This, PositionInPod, Position, All };

// All elements that the scope includes for these paths, each of them once, in fabric order. Same position: su[2]/leaf[4] and
// su[7]/leaf[4]; pod[1]/spine[3] and pod[2]/spine[3]. All: every leaf, spine or server of a recipe. Hand-drawn elements and
// parts of servers have no counterparts.
std::vector<std::string> inScope(const Fabric& fabric, const std::vector<std::string>& paths, EditScope scope);

} // namespace railyard
