// Hand-drawn cables, which use the first free ports with matching speeds.
#pragma once

#include "core/design/edits/edit.h"
#include "core/fabric/fabric.h"

namespace railyard {

// `a` and `b` are paths of devices, ports (leaf[1]:17) or servers (which stand for a NIC with a free port).
Result<Edit> connect(const Fabric& fabric, const std::string& a, const std::string& b);

// Draws the cables between two groups as one edit: either all of them or none. Rail by rail: all free ports of NIC k of every server in the
// first group lead to switch 1 + (k − 1) mod n of the n in the second.
enum class GroupPattern { EachToEach, OneToOne, RailByRail };
Result<Edit> connectGroups(const Fabric& fabric, const std::vector<std::string>& as, const std::vector<std::string>& bs,
                           GroupPattern pattern);

} // namespace railyard
