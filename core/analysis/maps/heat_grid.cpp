#include "core/analysis/maps/heat_grid.h"

#include "core/base/unit_text.h"
#include "core/collective/algorithms/algorithm_table.h"
#include "core/collective/difference.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

std::int64_t serversOf(const Fabric& fabric) { return countsOf(fabric).servers; }

FabricPointer sameRecipe(const Fabric& fabric, const std::map<std::string, std::string>& changes, std::string& why) {
    const Design& design = *fabric.design;
    if (!design.recipe) return why = "not available: a hand-drawn design has no recipe whose parameters could vary", nullptr;
    RecipeCall call = *design.recipe;
    for (const auto& [key, value] : changes) {
        if (key == "servers") call.parameters.erase("gpus");
        if (key == "leaf_down") call.parameters.erase("oversubscription");
        call.parameters[key] = value;
    }
    auto built = build(call, design.name, design.catalog);
    if (!built) return why = built.error().text, nullptr;
    return elaborate(std::make_shared<const Design>(std::move(*built)));
}

// The recipe's parameters for other speeds. Where the NIC changes, uplinks change with it, and switches have as many ports
// whatever their speed: what is asked is what the bandwidths do, not which part exists. Storage has links of its own.
std::map<std::string, std::string> atSpeeds(const RecipeCall& call, const RecipeSettings& now, double nicGbps, double times,
                                            double hbGbps) {
    std::map<std::string, std::string> changes{{"nic_gbps", fmt::format("{}", nicGbps)}, {"hb_gbps", fmt::format("{}", hbGbps)}};
    if (now.hasTwoHbLevels()) changes["hb_out_gbps"] = fmt::format("{}", hbGbps * (now.hbOut / now.hbBandwidth)); // the same taper
    if (times == 1) return changes;
    const double inDownPorts = now.leafDown + now.leafUp * (now.uplinkSpeed / now.linkSpeed);
    changes["radix"] = std::to_string(std::max(now.radix, static_cast<int>(std::ceil(inDownPorts - 1e-9))));
    changes["spine_radix"] = std::to_string(now.spineRadix);
    changes["leaf_down"] = std::to_string(now.leafDown);
    changes["leaf_up"] = std::to_string(now.leafUp);
    changes["uplink_gbps"] = fmt::format("{}", inGbps(now.uplinkSpeed) * times);
    if (call.parameters.contains("storage")) changes["storage"] = "off";
    return changes;
}

// The group of all GPUs, or why there is none.
std::optional<Communicator> groupOf(const Fabric& fabric, const Calibration& calibration, std::string& why) {
    auto group = Communicator::of(fabric, 0, RankOrder::Near, calibration);
    if (group) return std::move(*group);
    why = group.error().text;
    return {};
}

// With this number of servers: as drawn if the design has that number, otherwise built again from the recipe.
std::optional<Communicator> groupAt(const Fabric& fabric, std::int64_t servers, const Calibration& calibration, std::string& why) {
    if (servers == serversOf(fabric)) return groupOf(fabric, calibration, why);
    const FabricPointer other = sameRecipe(fabric, {{"servers", std::to_string(servers)}}, why);
    return other ? groupOf(*other, calibration, why) : std::nullopt;
}

void addCell(HeatGrid& grid, const std::optional<Communicator>& group, CollectiveOp op, Bytes size, std::string why) {
    std::optional<double> value, bandwidthTime;
    if (group) {
        const auto timed = group->time(op, size);
        if (timed)
            value = timed->best.time.value(), bandwidthTime = timed->bandwidthTime.value(), why = algorithmText(*timed),
            grid.isWithoutLatency = grid.isWithoutLatency || !timed->library;
        else
            why = timed.error().text;
    }
    grid.values.push_back(value);
    grid.bandwidthTimes.push_back(bandwidthTime);
    grid.notes.push_back(std::move(why));
}

std::vector<double> doublingsAround(double own, int below, int above) {
    std::vector<double> values;
    for (int step = -below; own > 0 && step <= above; ++step) values.push_back(std::ldexp(own, step));
    return values;
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
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration) {
    HeatGrid grid;
    grid.title = fmt::format("{} time by message size and server count", toText(op));
    grid.xName = "size_bytes";
    grid.yName = "servers";
    grid.valueName = "time_s";
    grid.unit = "s";
    for (const Bytes size : sizes) grid.x.push_back(static_cast<double>(size.count()));
    for (const std::int64_t count : servers) {
        grid.y.push_back(static_cast<double>(count));
        std::string why;
        const auto group = groupAt(fabric, count, calibration, why);
        for (const Bytes size : sizes) addCell(grid, group, op, size, why);
    }
    return grid;
}

namespace {

struct Side {
    const Fabric& fabric;
    const Calibration& calibration;
};

HeatGrid differenceOf(const Side& a, const Side& b, CollectiveOp op, const std::vector<Bytes>& sizes,
                      const std::vector<std::int64_t>& servers) {
    HeatGrid grid;
    grid.xName = "size_bytes";
    grid.yName = "servers";
    grid.valueName = "relative_fraction";
    grid.unit = "fraction";
    for (const Bytes size : sizes) grid.x.push_back(static_cast<double>(size.count()));
    for (const std::int64_t count : servers) {
        grid.y.push_back(static_cast<double>(count));
        std::array<std::optional<Communicator>, 2> groups;
        std::string why;
        groups[0] = groupAt(a.fabric, count, a.calibration, why);
        groups[1] = groupAt(b.fabric, count, b.calibration, why);
        for (const Bytes size : sizes) {
            const auto difference = groups[0] && groups[1] ? timeDifference(*groups[0], *groups[1], op, size) : std::nullopt;
            grid.values.push_back(difference ? std::optional(difference->likely) : std::nullopt);
            grid.isWithoutLatency = grid.isWithoutLatency || (groups[0] && !groups[0]->links().library);
            if (groups[0] && groups[1] && groups[0]->links().library != groups[1]->links().library)
                why = "not comparable: the GPUs use different collective libraries, or the vendor of one publishes no latency constants";
            grid.undecided.push_back(difference && !difference->isSure());
            grid.notes.push_back(difference    ? fmt::format("{:+.1f} to {:+.1f} %", difference->low * 100, difference->high * 100)
                                 : why.empty() ? "some GPUs cannot reach each other"
                                               : why);
        }
    }
    return grid;
}

} // namespace

Result<HeatGrid> timeDifferenceGrid(const Fabric& a, const Fabric& b, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration) {
    HeatGrid grid = differenceOf({a, calibration}, {b, calibration}, op, sizes, servers);
    grid.title = fmt::format("{} time of {} relative to {} by message size and server count", toText(op), b.design->name, a.design->name);
    return grid;
}

Result<HeatGrid> tcpDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                   const std::vector<std::int64_t>& servers) {
    const auto tcp = over(Transport::Tcp, shippedCalibration());
    if (!tcp) return tcp.errors();
    HeatGrid grid = differenceOf({fabric, shippedCalibration()}, {fabric, *tcp}, op, sizes, servers);
    grid.title = fmt::format("{} time over TCP relative to RDMA by message size and server count", toText(op));
    return grid;
}

BandwidthAxes ownBandwidths(const Fabric& fabric) {
    std::vector<double> ofNic(fabric.devices.size()), ofGpu(fabric.devices.size());
    for (const LinkId l : fabric.links.ids()) {
        if (fabric.links.tier[l] == LinkTier::HostLeaf) ofNic[fabric.links.a[l]] += inGbps(fabric.speedOf(l));
        if (fabric.links.tier[l] != LinkTier::Hb) continue;
        ofGpu[fabric.links.a[l]] += inGbps(fabric.speedOf(l));
        ofGpu[fabric.links.b[l]] += inGbps(fabric.speedOf(l));
    }
    const auto most = [&](const std::vector<double>& of, DeviceKind kind) {
        double value = 0;
        for (std::size_t d = 0; d < of.size(); ++d)
            if (fabric.devices.kind[d] == kind) value = std::max(value, of[d]);
        return value;
    };
    return {{most(ofNic, DeviceKind::Nic)}, {most(ofGpu, DeviceKind::Gpu)}};
}

BandwidthAxes usualBandwidths(const Fabric& fabric) {
    const BandwidthAxes own = ownBandwidths(fabric);
    return {doublingsAround(own.nicGbps[0], 2, 2), doublingsAround(own.hbGbps[0], 3, 2)};
}

Result<HeatGrid> hbNicGrid(const Fabric& fabric, CollectiveOp op, Bytes size, const BandwidthAxes& axes, const Calibration& calibration) {
    const BandwidthAxes usual = usualBandwidths(fabric), own = ownBandwidths(fabric);
    HeatGrid grid;
    grid.title = fmt::format("{} time for {} by NIC and HB bandwidth", toText(op), formatBytes(size));
    grid.xName = "nic_gbps";
    grid.yName = "hb_gbps";
    grid.valueName = "time_s";
    grid.unit = "s";
    grid.x = axes.nicGbps.empty() ? usual.nicGbps : axes.nicGbps;
    grid.y = axes.hbGbps.empty() ? usual.hbGbps : axes.hbGbps;
    if (grid.x.empty() || grid.y.empty())
        return Error::unbuildable("the design has no NICs or no HB links, so there is no bandwidth to vary");
    const auto& call = fabric.design->recipe;
    const auto now =
        call ? resolve(*call, *fabric.design->catalog) : Result<RecipeSettings>(Error::unbuildable("the design is hand-drawn"));
    for (const double hb : grid.y)
        for (const double nic : grid.x) {
            std::string why = "not available: a hand-drawn design has no recipe whose parameters could vary";
            const bool isOwn = nic == own.nicGbps[0] && hb == own.hbGbps[0];
            const FabricPointer other = now ? sameRecipe(fabric, atSpeeds(*call, *now, nic, nic / own.nicGbps[0], hb), why) : nullptr;
            addCell(grid,
                    other           ? groupOf(*other, calibration, why)
                    : !now && isOwn ? groupOf(fabric, calibration, why)
                                    : std::nullopt,
                    op, size, why);
        }
    return grid;
}

} // namespace railyard
