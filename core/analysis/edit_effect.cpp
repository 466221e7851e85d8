#include "core/analysis/edit_effect.h"

#include "core/fabric/elaborate.h"

namespace railyard {

EditEffect effectOf(const DesignPointer& tried) {
    constexpr std::size_t mostLinks = 400'000;
    const FabricPointer fabric = elaborate(tried);
    EditEffect effect{instantMetrics(*fabric), {}};
    if (fabric->links.size() <= mostLinks) effect.bisection = bisection(*fabric, *fabric, BisectionKey::Server);
    return effect;
}

} // namespace railyard
