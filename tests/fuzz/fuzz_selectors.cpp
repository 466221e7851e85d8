#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FabricPointer& fabric = fuzz::smallFabric();
    const auto removal = select(*fabric, fuzz::textOf(data, size));
    if (!fuzz::isRead(removal)) return 0;
    const FabricPointer left = without(fabric, removal->devices, removal->links);
    fuzz::require(left->links.size() <= fabric->links.size(), "a removal adds no links");
    return 0;
}
