// The network links of a fabric as runs, between which the links inside servers stand.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

struct LinkRun {
    LinkId first, end; // end: behind the last
    Indices<LinkId> ids() const { return {first, end}; }
    std::size_t size() const { return std::size_t{end} - first; }
};

// In order; none is empty, and no two touch. Most links are inside servers and are passed eight at a time.
std::vector<LinkRun> networkRuns(const LinkTable& links);

} // namespace railyard
