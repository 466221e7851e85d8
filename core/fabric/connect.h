// Cables drawn by hand: the first free ports whose speeds match.
#pragma once

#include "core/design/edit.h"
#include "core/fabric/fabric.h"

namespace railyard {

// `a` and `b` are paths of devices, of ports (leaf[1]:17), or of servers (then a NIC with a free port is taken).
Result<Edit> connect(const Fabric& fabric, const std::string& a, const std::string& b);

// Cables between two groups as one edit: all of them or none.
enum class GroupPattern { EachToEach, OneToOne };
Result<Edit> connectGroups(const Fabric& fabric, const std::vector<std::string>& as, const std::vector<std::string>& bs,
                           GroupPattern pattern);

} // namespace railyard
