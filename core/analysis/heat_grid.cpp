#include "core/analysis/heat_grid.h"

#include "core/fabric/elaborate.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

std::int64_t serversOf(const Fabric& fabric) { return countsOf(fabric).servers; }

FabricPointer sameRecipe(const Fabric& fabric, std::int64_t servers, std::string& why) {
    const Design& design = *fabric.design;
    if (!design.recipe) return why = "drawn by hand: other sizes do not exist", nullptr;
    RecipeCall call = *design.recipe;
    call.parameters.erase("gpus");
    call.parameters["servers"] = std::to_string(servers);
    auto built = build(call, design.name, design.catalog);
    if (!built) return why = built.error().text, nullptr;
    return elaborate(std::make_shared<const Design>(std::move(*built)));
}

} // namespace

std::vector<Bytes> usualSizes() {
    std::vector<Bytes> sizes;
    for (std::int64_t size = std::int64_t{256} << 10; size <= std::int64_t{16} << 30; size *= 2) sizes.emplace_back(size);
    return sizes;
}

std::vector<std::int64_t> usualServerCounts(const Fabric& fabric) {
    const std::int64_t own = serversOf(fabric), largest = std::max<std::int64_t>(own * 4, 64);
    std::vector<std::int64_t> counts{own};
    if (!fabric.design->recipe) return counts; // drawn by hand: other sizes do not exist
    for (std::int64_t count = 1; count <= largest && count <= 4096; count *= 2) counts.push_back(count);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

Result<HeatGrid> collectiveTimeGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers) {
    HeatGrid grid;
    grid.title = fmt::format("{} time by message size and servers", toText(op));
    grid.xName = "size_bytes";
    grid.yName = "servers";
    grid.valueName = "time_s";
    grid.unit = "s";
    for (const Bytes size : sizes) grid.x.push_back(static_cast<double>(size.count()));
    const std::int64_t own = serversOf(fabric);
    for (const std::int64_t count : servers) {
        grid.y.push_back(static_cast<double>(count));
        std::string why;
        const FabricPointer other = count == own ? nullptr : sameRecipe(fabric, count, why);
        std::optional<Result<CollectiveGroup>> group;
        if (count == own)
            group = CollectiveGroup::of(fabric, 0, RankOrder::Near);
        else if (other)
            group = CollectiveGroup::of(*other, 0, RankOrder::Near);
        for (const Bytes size : sizes) {
            std::optional<double> value;
            std::string note = why;
            if (group && *group) {
                const auto timed = (**group).time(op, size);
                if (timed)
                    value = timed->best.time.value(), note = timed->best.algorithm;
                else
                    note = timed.error().text;
            }
            grid.values.push_back(value);
            grid.notes.push_back(note);
        }
    }
    return grid;
}

} // namespace railyard
