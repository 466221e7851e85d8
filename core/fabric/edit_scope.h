// Which elements an edit is meant for: the one that was pointed at, those of its rank in every SU of its pod, in every SU,
// or all of its kind.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <vector>

namespace railyard {

enum class EditScope { This, RankInPod, Rank, All };

// Of each path all that the scope takes in, sorted as in the fabric, each once. Rank: su[2]/leaf[4] and su[7]/leaf[4];
// pod[1]/spine[3] and pod[2]/spine[3]. All: every leaf, every spine, every server of a recipe. Hand-drawn elements and parts
// of servers stand for themselves.
std::vector<std::string> inScope(const Fabric& fabric, const std::vector<std::string>& paths, EditScope scope);

} // namespace railyard
