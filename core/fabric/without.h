// A fabric without some of its elements: what failures leave, or what is left when hand-drawn elements are moved.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

// The fabric without the marked devices and links, and without the links of these devices. An empty mask marks nothing.
FabricPointer without(const FabricPointer& fabric, const std::vector<bool>& devices, const std::vector<bool>& links);

} // namespace railyard
