// Tables of sweeps in files, with the sweeps that they are of.
#pragma once

#include "core/sweep/table.h"

namespace railyard {

// A table that `sweep merge` wrote, also sorted, in part or with rows added, or the manifest.json of a folder whose shards are all done. A
// JSON table contains its spec. That of a CSV table is in its folder or in a folder next to it, by the IDs of the points. The point of a
// row follows from the values of its axes, so that its design is the one that is shown. Errors: those of reading; files that are neither;
// tables of more than 20,000,000 cells; points that are missing. A spec that cannot be used is none: see whyNoSpec.
Result<SweepTable> readSweepTable(const std::string& path);
// Takes over the spec of the sweep in this folder. Errors: those of opening it; no row of the table is a point of it.
Result<SweepTable> withSweep(SweepTable table, const std::string& folder);
// .csv or .json as `sweep merge` writes them; answers that are texts are left out, yes and no are 1 and 0.
Status writeSweepTable(const SweepTable& table, const std::string& path);

} // namespace railyard
