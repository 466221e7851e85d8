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
    auto group = Communicator::create(fabric, 0, RankOrder::Near, calibration);
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

GridPoint timeAt(const std::optional<Communicator>& group, CollectiveOp op, Bytes size, std::string why) {
    if (!group) return {{}, std::move(why), {}};
    const auto timed = group->time(op, size);
    if (!timed) return {{}, timed.error().text, {}};
    GridPoint point{timed->best.time.value(), algorithmText(*timed), timed->bandwidthTime.value()};
    point.isWithoutLatency = !timed->library;
    return point;
}

HeatGrid overSizesAndServers(const std::vector<Bytes>& sizes, const std::vector<std::int64_t>& servers) {
    HeatGrid grid;
    grid.xName = "size_bytes";
    grid.yName = "servers";
    for (const Bytes size : sizes) grid.x.push_back(static_cast<double>(size.count()));
    for (const std::int64_t count : servers) grid.y.push_back(static_cast<double>(count));
    return grid;
}

std::vector<double> doublingsAround(double own, int below, int above) {
    std::vector<double> values;
    for (int step = -below; own > 0 && step <= above; ++step) values.push_back(std::ldexp(own, step));
    return values;
}

} // namespace

HeatGrid sampledGrid(HeatGrid head, const std::function<std::vector<GridPoint>(std::size_t row)>& rowOf, const TaskContext& context) {
    const auto rows = runTasks<std::vector<GridPoint>>(head.y.size(), context, rowOf);
    for (const auto& row : rows) {
        std::vector<GridPoint> points = row.value_or(std::vector<GridPoint>());
        points.resize(head.x.size(), {{}, "not computed: the map was stopped", {}});
        for (GridPoint& point : points) {
            head.values.push_back(point.value);
            head.notes.push_back(std::move(point.note));
            if (head.isDifference)
                head.undecided.push_back(point.isUndecided);
            else
                head.bandwidthTimes.push_back(point.bandwidthTime);
            head.isWithoutLatency = head.isWithoutLatency || point.isWithoutLatency;
        }
    }
    return head;
}

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
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration, const TaskContext& context) {
    HeatGrid grid = overSizesAndServers(sizes, servers);
    grid.title = fmt::format("{} time by message size and server count", toText(op));
    grid.valueName = "time_s";
    grid.unit = "s";
    const auto row = [&](std::size_t y) {
        std::string why;
        const auto group = groupAt(fabric, servers[y], calibration, why);
        std::vector<GridPoint> points;
        for (const Bytes size : sizes) points.push_back(timeAt(group, op, size, why));
        return points;
    };
    return sampledGrid(std::move(grid), row, context);
}

namespace {

struct Side {
    const Fabric& fabric;
    const Calibration& calibration;
};

HeatGrid differenceOf(const Side& a, const Side& b, CollectiveOp op, const std::vector<Bytes>& sizes,
                      const std::vector<std::int64_t>& servers, const TaskContext& context) {
    HeatGrid grid = overSizesAndServers(sizes, servers);
    grid.valueName = "relative_fraction";
    grid.unit = "fraction";
    grid.isDifference = true;
    const auto row = [&](std::size_t y) {
        std::array<std::optional<Communicator>, 2> groups;
        std::string why;
        groups[0] = groupAt(a.fabric, servers[y], a.calibration, why);
        groups[1] = groupAt(b.fabric, servers[y], b.calibration, why);
        std::vector<GridPoint> points;
        for (const Bytes size : sizes) {
            const auto difference = groups[0] && groups[1] ? timeDifference(*groups[0], *groups[1], op, size) : std::nullopt;
            if (groups[0] && groups[1] && groups[0]->links().library != groups[1]->links().library)
                why = "not comparable: the GPUs use different collective libraries, or the vendor of one publishes no latency constants";
            GridPoint point{difference ? std::optional(difference->likely) : std::nullopt,
                            difference    ? fmt::format("{:+.1f} to {:+.1f} %", difference->low * 100, difference->high * 100)
                            : why.empty() ? "some GPUs cannot reach each other"
                                          : why,
                            {}};
            point.isUndecided = difference && !difference->isSure();
            point.isWithoutLatency = groups[0] && !groups[0]->links().library;
            points.push_back(std::move(point));
        }
        return points;
    };
    return sampledGrid(std::move(grid), row, context);
}

} // namespace

Result<HeatGrid> timeDifferenceGrid(const Fabric& a, const Fabric& b, CollectiveOp op, const std::vector<Bytes>& sizes,
                                    const std::vector<std::int64_t>& servers, const Calibration& calibration, const TaskContext& context) {
    HeatGrid grid = differenceOf({a, calibration}, {b, calibration}, op, sizes, servers, context);
    grid.title = fmt::format("{} time of {} relative to {} by message size and server count", toText(op), b.design->name, a.design->name);
    return grid;
}

Result<HeatGrid> tcpDifferenceGrid(const Fabric& fabric, CollectiveOp op, const std::vector<Bytes>& sizes,
                                   const std::vector<std::int64_t>& servers, const TaskContext& context) {
    const auto tcp = over(Transport::Tcp, shippedCalibration());
    if (!tcp) return tcp.errors();
    HeatGrid grid = differenceOf({fabric, shippedCalibration()}, {fabric, *tcp}, op, sizes, servers, context);
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

Result<HeatGrid> hbNicGrid(const Fabric& fabric, CollectiveOp op, Bytes size, const BandwidthAxes& axes, const Calibration& calibration,
                           const TaskContext& context) {
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
    const auto row = [&, xs = grid.x, hbs = grid.y](std::size_t y) {
        std::vector<GridPoint> points;
        for (const double nic : xs) {
            std::string why = "not available: a hand-drawn design has no recipe whose parameters could vary";
            const bool isOwn = nic == own.nicGbps[0] && hbs[y] == own.hbGbps[0];
            const FabricPointer other = now ? sameRecipe(fabric, atSpeeds(*call, *now, nic, nic / own.nicGbps[0], hbs[y]), why) : nullptr;
            const auto group = other ? groupOf(*other, calibration, why) : !now && isOwn ? groupOf(fabric, calibration, why) : std::nullopt;
            points.push_back(timeAt(group, op, size, why));
        }
        return points;
    };
    return sampledGrid(std::move(grid), row, context);
}

} // namespace railyard
