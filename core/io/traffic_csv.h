// Traffic between GPUs as a spreadsheet has it, in one of two shapes:
//   a matrix: the first row names who receives, the first column who sends, a cell is what is sent;
//   a list:   rows of from, to, volume (1 where there is no third column), below a row that says `from,to`.
// Names are paths of GPUs, or of servers, SUs and the like, whose GPUs then share the volume evenly. Volumes are in any one
// unit: all of them are scaled so that the GPU that sends most sends 1.
#pragma once

#include "core/routing/link_loads.h"

namespace railyard {

// Reports every cell that names nothing of the design, or is no number of 0 or more, by its row and column.
Result<GpuTraffic> readTraffic(const Fabric& fabric, const std::string& path);

} // namespace railyard
