// A flat fabric as a hand-drawn design: the same paths, ports and links.
#pragma once

#include "core/base/result.h"
#include "core/catalog/catalog.h"
#include "core/design/model/design.h"
#include "core/io/formats/flat_fabric.h"

#include <string>
#include <vector>

namespace railyard {

struct DrawnFabric {
    DesignPointer design;
    // What the design has not, or has in another way than the file, as sentences with FILE:LINE where one line is meant.
    std::vector<std::string> losses;
    std::size_t differences = 0; // of devices and links from the file
};

// Blocks with the same content become one block. Links inside servers and HB domains become wiring rules (a star, a mesh, the cube mesh),
// all others cables. The design is elaborated and compared with the file, so that nothing differs without a word. Errors: the design
// would exceed a limit.
Result<DrawnFabric> drawnFabric(const FlatFabric& flat, const CatalogPointer& catalog);

} // namespace railyard
