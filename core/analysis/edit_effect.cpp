#include "core/analysis/edit_effect.h"

#include "core/design/edits/edit.h"
#include "core/fabric/elaborate.h"

namespace railyard {

EditEffect effectOf(const DesignPointer& tried) {
    constexpr std::size_t mostLinks = 400'000;
    const FabricPointer fabric = elaborate(tried);
    EditEffect effect{instantMetrics(*fabric), {}};
    if (fabric->links.size() <= mostLinks) effect.bisection = bisection(*fabric, BisectionKey::Server);
    return effect;
}

std::optional<RemovalCost> costOfRemoving(const Design& design, const InstantMetrics& now, const std::vector<std::string>& paths) {
    const auto less = removeElements(design, paths);
    if (!less) return {};
    return RemovalCost{instantMetrics(*elaborate(less->design)).bill.total - now.bill.total, now.bill.unpricedLines == 0};
}

} // namespace railyard
