// Every pass of an iteration as a row of CSV: stage, chunk, micro_batch (from 1), pass, begin_s, end_s.
#pragma once

#include "core/training/pipeline_timeline.h"

#include <string>

namespace railyard {

Status writeTimeline(const PipelineTimeline& timeline, const std::string& path);

} // namespace railyard
