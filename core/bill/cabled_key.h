// A key of what the cables, modules and bill of a design follow from, where its HB domains make no difference.
#pragma once

#include "core/base/fingerprint.h"
#include "core/fabric/fabric.h"

#include <optional>

namespace railyard {

// Two fabrics of one catalogue with the same key have, by construction, as many cables and modules of each kind, and the same bill: the
// same switches, NICs and servers, connected by the same links. How GPUs are joined to HB domains, and names, are ignored. Nothing where
// more counts: racks, which hold HB domains together; rack systems, which are bought by HB domain; further networks; optical circuit
// switches.
std::optional<Fingerprint> cabledKeyOf(const Fabric& fabric);

} // namespace railyard
