// What the fuzz targets share: the bytes as text, a small fabric to read against, evaluations, and a check that ends the process.
#pragma once

#include "core/base/text.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/elaborate.h"
#include "core/training/training.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace railyard::fuzz {

inline std::string textOf(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

inline void require(bool good, const char* what) {
    if (good) return;
    std::fprintf(stderr, "broken promise: %s\n", what);
    std::abort();
}

// Every refusal is a sentence that a terminal can show.
template <class T>
bool isRead(const Result<T>& result) {
    if (result) return true;
    require(!result.errors().empty() && result.errors().size() <= 101, "a refusal has errors, at most 100 and one");
    for (const Error& error : result.errors()) require(!error.text.empty(), "an error says what is wrong");
    return false;
}

inline const FabricPointer& smallFabric() {
    static const FabricPointer fabric = [] {
        auto design = build({"rail-optimized", {{"servers", "8"}}}, "fuzz", shippedCatalog());
        require(static_cast<bool>(design), "the small fabric can be built");
        return elaborate(std::make_shared<const Design>(std::move(*design)));
    }();
    return fabric;
}

// What a reader lets in must be safe to compute with: everything that `metrics` and `check` say of a fabric.
void evaluate(const Fabric& fabric);
// An estimate is refused, or its times are positive numbers that add up.
void estimate(const Fabric& fabric, const PlacedJob& placed, const TrainingPlan& plan);

} // namespace railyard::fuzz
