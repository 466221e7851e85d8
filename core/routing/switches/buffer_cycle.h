// Cyclic buffer dependencies: where packets wait for each other in a circle, so that pause frames (PFC) stop all of them for good.
#pragma once

#include "core/fabric/switch_graph.h"

#include <vector>

namespace railyard {

// Paths that go up and then down never close a circle. Where failures leave two leaves no such path, routing over the fewest switches takes
// one that turns up again at a lower switch, and several of these turns can close one (Hu et al., "Deadlocks in Datacenter Networks",
// HotNets 2016; Hu et al., "Tagger", CoNEXT 2017).
struct DetourTurns {
    std::int64_t pairs = 0;    // of leaves, in both directions, that have a path but none up and then down
    NodeId from, to;           // the first of them
    std::vector<NodeId> cycle; // switches whose buffers wait for each other, each for the next one; empty if they cannot
    bool isComplete = true;    // false: too many destinations to follow all, so that there may be a cycle although none was found
};
DetourTurns detourTurnsOf(const SwitchGraph& graph);

} // namespace railyard
