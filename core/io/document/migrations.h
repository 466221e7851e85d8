// What loading changes in documents of earlier versions; each change adds a sentence to Design::migrations. Internal to core/io/document.
#pragma once

#include "core/design/model/design.h"

namespace railyard {

// Format 1 gave rail-only without `rails` one rail per NIC of an HB domain; format 2 chooses the count with the fewest switches.
void keepRailsOfFormat1(Design& design);
// A rack of 72 GPUs was one server with 72 rails; it is a rack system now, whose compute trays are the servers. Drawings by hand keep it.
void replaceRackServers(Design& design);

} // namespace railyard
