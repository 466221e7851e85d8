// What fails at random, a row each: command line and window read them here. Selectors of elements are a list, which is no row.
#pragma once

#include "core/base/parameter.h"
#include "core/failure/removal.h"

#include <span>

namespace railyard {

std::span<const Parameter<Failures>> failureParameters();

} // namespace railyard
