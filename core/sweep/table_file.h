// Tables of sweeps in files, with the sweeps that they are of.
#pragma once

#include "core/sweep/table.h"

namespace railyard {

// A table that `sweep merge` wrote, also sorted, in part or with rows added, or the manifest.json of a folder whose shards are all done. A
// JSON table contains its spec. That of a CSV table is in its folder or in a folder next to it. A row is a point if it has the ID and the
// values of that point, so that the design of a row is the one that is shown; without a usable ID its values decide. Errors: those of
// reading; files that are neither; more rows than a sweep has points; far more columns than values; points that are missing. Where the
// spec cannot be used, whyNoSpec says why.
Result<SweepTable> readSweepTable(const std::string& path);
// Takes over the spec of the sweep in this folder. Errors: those of opening it; no row of the table is a point of it.
Result<SweepTable> withSweep(SweepTable table, const std::string& folder);
// .csv or .json as `sweep merge` writes them; answers that are texts are left out, yes and no are 1 and 0.
Status writeSweepTable(const SweepTable& table, const std::string& path);

} // namespace railyard
