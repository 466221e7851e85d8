// What people should know of a sweep although it can be computed.
#pragma once

#include "core/sweep/spec.h"

namespace railyard {

// Sentences on what is stated but replaced at every point, or not read by what is evaluated, and on a base and settings of which no
// design can be built: some points are tried.
std::vector<std::string> notesOf(const SweepSpec& spec);
// Those of them that belong in the table: axes and settings that make no difference to some of its results.
std::vector<std::string> notesOnResults(const SweepSpec& spec);
// Of a design whose port counts are not those of its switch parts: its prices are of other switches. Empty otherwise.
std::string noteOf(const Design& design, const Catalog& catalog);

} // namespace railyard
