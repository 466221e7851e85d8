// A sweep around a design: some of its parameters take several values, the others are as they are.
#pragma once

#include "core/sweep/spec.h"

namespace railyard {

struct AskedAxis {
    std::string key;    // recipe, a parameter of a recipe, or training.tp
    std::string values; // see `axisValues`
};

// Of a design that is what its recipe builds the base is the recipe, so that `recipe` can be an axis too; of any other the design itself.
// Layouts (rail-only) keep the parts and speeds of the design, also where its preset states them; presets bring their own. Errors: layouts
// and presets on one axis, axes without values, parameters and evaluations that there are not, more than mostSweepPoints points.
Result<SweepSpec> sweepOf(const DesignPointer& design, const std::vector<AskedAxis>& axes, const std::vector<std::string>& evaluate);

} // namespace railyard
