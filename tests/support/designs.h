// Small designs for tests.
#pragma once

#include "core/base/random.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"

#include <QTest>
#include <string>

namespace railyard::test {

using Parameters = std::map<std::string, std::string>;

// The same fabric as if it had been drawn like this: after an edit, not after a failure.
inline FabricPointer asDrawn(const Fabric& fabric) {
    auto drawn = std::make_shared<Fabric>(fabric);
    drawn->intact.reset();
    drawn->intactDevice.clear();
    return drawn;
}

inline DesignPointer designOf(const std::string& recipe, Parameters parameters = {}) {
    auto design = build({recipe, std::move(parameters)}, "test", shippedCatalog());
    if (!design) qFatal("%s", toText(design.error()).c_str());
    return std::make_shared<const Design>(std::move(*design));
}
inline FabricPointer fabricOf(const std::string& recipe, Parameters parameters = {}) {
    return elaborate(designOf(recipe, std::move(parameters)));
}

// A small deterministic generator; the same numbers on every machine.
struct Random {
    std::uint64_t state;
    std::uint64_t next() { return mixedBits(state += randomStep); }
    int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
};

} // namespace railyard::test
