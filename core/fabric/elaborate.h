// Design -> Fabric: pure and deterministic; the whole fabric is rebuilt after every edit (65,536 GPUs in less than 20 ms).
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

// Most links are inside servers (HB and PCIe). Whoever reads nothing of them, nor the rails of GPUs, which follow from them, may have
// them omitted; all else is the same.
enum class InsideLinks : std::uint8_t { Listed, Omitted };
FabricPointer elaborate(DesignPointer design, InsideLinks insideLinks = InsideLinks::Listed);
// The same as `known`, with a design that builds the same fabric: what nobody builds from has changed (its name, the training job, the
// site, targets, approvals, saved views, callouts). Null if the design builds another.
FabricPointer elaborate(DesignPointer design, const Fabric& known);
inline constexpr std::string_view linksOmitted = "RY-D016"; // the finding of a fabric with more links than fit; its figures are wrong

} // namespace railyard
