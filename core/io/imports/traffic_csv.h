// Traffic between GPUs from a spreadsheet, in one of two forms:
//   a matrix: the first row lists receivers, the first column senders, and each cell is a volume;
//   a list:   rows of from, to, volume (1 if there is no third column), after a header row `from,to`.
// Names are paths of GPUs, or of servers, SUs and others whose GPUs share the volume evenly. Volumes can have any unit: they
// are scaled so that the GPU with the most traffic sends 1.
#pragma once

#include "core/routing/link_loads.h"

namespace railyard {

// Reports every cell with an unknown name or an invalid volume, with its row and column.
Result<GpuTraffic> readTraffic(const Fabric& fabric, const std::string& path);
Result<GpuTraffic> trafficFrom(const Fabric& fabric, std::string bytes, const std::string& path); // the content of such a file

} // namespace railyard
