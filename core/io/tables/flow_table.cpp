#include "core/io/tables/flow_table.h"

#include "core/base/file.h"
#include "core/io/tables/table.h"

namespace railyard {

Status writeFlows(const Fabric& fabric, const std::vector<GpuFlow>& flows, const std::string& path) {
    Table table{"flows", {{"from"}, {"to"}, {"volume"}}, {}, {}, {}};
    for (const GpuFlow& flow : flows) table.rows.push_back({fabric.devicePath(flow.from), fabric.devicePath(flow.to), flow.volume});
    return writeFile(path, csvOf(table));
}

} // namespace railyard
