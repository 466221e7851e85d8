// Single cables, of the recipe or drawn by hand, named by a port at one of their ends: "su[1]/leaf[2]:17".
#pragma once

#include "core/design/edits/edit_result.h"
#include "core/fabric/fabric.h"

namespace railyard {

// The cable at this port, with all links that it carries. The ports of a recipe's cable stay and are free: the removal is an override
// of the port, which `reset` takes back.
Result<Edit> disconnect(const DesignPointer& design, const std::string& port);
Result<Edit> disconnect(const Fabric& fabric, const std::string& port); // the same of a fabric that is there already
// The same for the first cable between two devices or ports.
Result<Edit> disconnect(const DesignPointer& design, const std::string& a, const std::string& b);

// Leads the cable at this port, which it keeps, to another device, or to another port if it carries a single link; as one edit.
Result<Edit> moveCable(const Fabric& fabric, const std::string& port, const std::string& to);
// Elements and cables, as one edit.
Result<Edit> removeAll(const Fabric& fabric, const std::vector<std::string>& paths);

bool isPort(std::string_view path);                                       // or else an element
std::string portPath(const Fabric& fabric, LinkId link, bool isLowerEnd); // of the end of a cable
std::string cablePath(const Fabric& fabric, LinkId link);                 // the port that names it: of its leaf, else of the lower switch
std::optional<LinkId> cableAt(const Fabric& fabric, const std::string& port);

} // namespace railyard
