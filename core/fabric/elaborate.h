// Design -> Fabric: pure and deterministic; the whole fabric is rebuilt after every edit (65,536 GPUs in less than 20 ms).
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

FabricPointer elaborate(DesignPointer design);
// The same as `known`, with a design that builds the same fabric: what nobody builds from has changed (its name, the training job, the
// site, targets, approvals, saved views, callouts). Null if the design builds another.
FabricPointer elaborate(DesignPointer design, const Fabric& known);
inline constexpr std::string_view linksOmitted = "RY-D016"; // the finding of a fabric with more links than fit; its figures are wrong

} // namespace railyard
