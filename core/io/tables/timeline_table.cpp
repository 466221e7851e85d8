#include "core/io/tables/timeline_table.h"

#include "core/base/file.h"
#include "core/io/tables/table.h"

namespace railyard {

Status writeTimeline(const PipelineTimeline& timeline, const std::string& path) {
    Table table{"timeline", {{"stage"}, {"chunk"}, {"micro_batch"}, {"pass"}, {"begin_s"}, {"end_s"}}, {}, {}, {}};
    for (const PipelinePass& pass : timeline.passes)
        table.rows.push_back({static_cast<double>(pass.stage + 1), static_cast<double>(pass.chunk + 1),
                              static_cast<double>(pass.microBatch + 1), pass.isForward ? "forward" : "backward", pass.begin.value(),
                              pass.end.value()});
    return writeFile(path, csvOf(table));
}

} // namespace railyard
