// The verbs of railyard-cli.
#pragma once

#include "app/cli/verbs/verb.h"

#include <span>

namespace railyard::cli {

std::span<const VerbInfo* const> verbTable(); // in the order of the help

} // namespace railyard::cli
