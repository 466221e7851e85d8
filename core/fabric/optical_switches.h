// Optical circuit switches in the links of one tier. Each holds a matching of fibres that is changed between jobs, not within one, so the
// fabric is that of the drawing: what they add is parts, power, failures and ways to repair.
#pragma once

#include "core/base/parameter.h"
#include "core/fabric/fabric.h"

#include <vector>

namespace railyard {

// The options of the section `ocs` of a document.
struct OpticalSwitching {
    enum class At { None, HostLeaf, LeafSpine, SpineSuperspine } at = At::None;
    std::string part = "ocs-apollo-136";
};
std::span<const Parameter<OpticalSwitching>> opticalSwitchingParameters();
// Errors: every option that is unknown or has a value that it cannot have.
Result<OpticalSwitching> readOpticalSwitching(const ParameterTexts& options);
OpticalSwitching opticalSwitchingOf(const Design& design);

struct OpticalSwitches {
    const Part* part = nullptr; // null: none, or not in the catalogue
    LinkTier tier = LinkTier::HostLeaf;
    int ports = 0;                          // of a side of each
    std::vector<std::vector<LinkId>> links; // by switch, the first of which is ocs=1: each link takes a port of both sides

    bool isAny() const { return !links.empty(); }
    std::int64_t freePorts() const; // of a side of all of them: for spares
};
// Links of one rail and plane share switches, so that any of them can take the place of another one; each rail and plane has as few
// switches as hold its links. Above the leaves the uplinks of a switch are spread over them, so that none holds all of them. After failures
// they keep their numbers, with the links that are left.
OpticalSwitches opticalSwitchesOf(const Fabric& fabric);

} // namespace railyard
