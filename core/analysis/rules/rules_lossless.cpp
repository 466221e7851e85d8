#include "core/analysis/rules/rule_check.h"
#include "core/base/unit_text.h"
#include "core/bill/pause_headroom.h"
#include "core/routing/switches/buffer_cycle.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace railyard {
namespace {

void pauseHeadroom(RuleCheck& c) {
    Offenders tight;
    double worst = 0;
    for (const PauseBuffer& buffer : pauseBuffersOf(c.fabric, c.cabling).known) {
        if (buffer.leftBytes() >= 0) continue;
        tight.note(c.fabric, buffer.device);
        worst = std::max(worst, buffer.headroomBytes() / buffer.bufferBytes);
    }
    if (tight.count > 0)
        c.add("RY-B001", Severity::Warning,
              fmt::format("{} PFC headroom of one lossless priority: up to {:.2f} times the buffer is needed.",
                          counted(tight.count, "{} Ethernet switch has too little buffer for the",
                                  "{} Ethernet switches have too little buffer for the"),
                          worst),
              tight.example, "Use shorter cables, fewer ports, or a switch with a larger buffer.", tight.count);
}

// InfiniBand has no pause frames, and its subnet manager chooses paths that cannot deadlock.
bool isEthernet(const RuleCheck& c, DeviceId device) {
    const Part* part = device == none ? nullptr : c.fabric.partOf(device);
    const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
    return details && details->protocol == "eth";
}

void pauseDeadlock(RuleCheck& c) {
    if (c.graph.regular ||
        std::none_of(c.graph.device.begin(), c.graph.device.end(), [&](DeviceId device) { return isEthernet(c, device); }))
        return;
    const DetourTurns turns = detourTurnsOf(c.graph);
    if (turns.cycle.empty() ||
        !std::all_of(turns.cycle.begin(), turns.cycle.end(), [&](NodeId node) { return isEthernet(c, c.graph.device[node]); }))
        return;
    const std::int64_t pairs = (turns.pairs + 1) / 2; // which are counted in both directions
    const auto path = [&](NodeId node) { return c.fabric.devicePath(c.graph.device[node]); };
    c.add("RY-B002", Severity::Warning,
          fmt::format(
              "{} no path that goes up and then down, for example from {} to {}. Detours that turn up again at lower switches form a "
              "cyclic dependency of {} buffers (PFC deadlock).",
              counted(pairs, "{} pair of leaves has", "{} pairs of leaves have"), path(turns.from), path(turns.to), turns.cycle.size()),
          path(turns.cycle.front()),
          "Filter routes that go down and up again, for example with one BGP AS number per tier, or restore a link.",
          static_cast<int>(std::min<std::int64_t>(pairs, std::numeric_limits<int>::max())));
}

} // namespace

void checkLossless(RuleCheck& check) {
    pauseHeadroom(check);
    pauseDeadlock(check);
}

} // namespace railyard
