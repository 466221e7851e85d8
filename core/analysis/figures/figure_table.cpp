#include "core/analysis/figures/figure_table.h"

#include "core/base/unit_text.h"

#include <array>
#include <fmt/format.h>

namespace railyard {
namespace {

using Value = std::optional<double>;
using Source = const FigureSource&;

template <class T>
Value number(const std::optional<T>& count) {
    return count ? Value(static_cast<double>(*count)) : std::nullopt;
}
template <class Quantity>
Value value(const std::optional<Quantity>& quantity) {
    return quantity ? Value(quantity->value()) : std::nullopt;
}
template <std::int64_t FabricCounts::*Count>
Value counted(Source s) {
    return static_cast<double>(s.instant.counts.*Count);
}
template <Money Bill::*Sum>
Value dollars(Source s) {
    return (s.instant.bill.*Sum).inDollars();
}
template <class Read>
Value ofFloor(Source s, Read read) {
    return s.instant.floor ? Value(read(*s.instant.floor)) : std::nullopt;
}
bool lacksPrices(Source s) { return s.instant.bill.unpricedLines > 0; }

template <BisectionKey Key>
const Bisection* bisectionOf(Source s) {
    return s.background ? &s.background->bisection[static_cast<std::size_t>(Key)] : nullptr;
}
template <BisectionKey Key>
Value upper(Source s) {
    const Bisection* found = bisectionOf<Key>(s);
    return found ? Value(found->upperGbps) : std::nullopt;
}
template <BisectionKey Key>
Value ofInjection(Source s) {
    const Bisection* found = bisectionOf<Key>(s);
    return found ? found->fractionOfInjection : std::nullopt;
}
template <BisectionKey Key>
bool isUncertified(Source s) {
    const Bisection* found = bisectionOf<Key>(s);
    return found && !found->certified;
}

template <CollectiveOp Op, std::int64_t Bytes>
Value collectiveTime(Source s) {
    if (s.background)
        for (const NamedCollective& each : s.background->collectives)
            if (each.op == Op && each.size.count() == Bytes && each.result) return each.result->best.time.value();
    return {};
}
bool isEstimate(Source) { return true; } // the library's constants have ranges

constexpr BisectionKey servers = BisectionKey::Server, networkOnly = BisectionKey::GpuNetworkOnly, withHb = BisectionKey::GpuWithHb;
constexpr std::int64_t gibibyte = std::int64_t{1} << 30, quarter = gibibyte / 4;
constexpr auto count = FigureFormat::Count, decimal = FigureFormat::Decimal, percent = FigureFormat::Percent;
constexpr double tera = 1e-3, kilo = 1e-3, micro = 1e6; // from Gb/s, W, s to what is shown

constexpr FigureInfo rows[] = {
    {"counts.gpus", "Size", "GPUs", "", 1, count, "", counted<&FabricCounts::gpus>},
    {"counts.servers", "Size", "Servers", "", 1, count, "", counted<&FabricCounts::servers>},
    {"counts.hb_domains", "Size", "HB domains", "", 1, count, "", counted<&FabricCounts::hbDomains>},
    {"counts.rails", "Size", "Rails", "", 1, count, "", counted<&FabricCounts::rails>},
    {"counts.planes", "Size", "Planes", "", 1, count, "", counted<&FabricCounts::planes>},
    {"counts.tiers", "Switches", "Switch tiers", "", 1, count, "", [](Source s) { return Value(s.instant.counts.tiers); }},
    {"counts.switches", "Switches", "Switches", "", 1, count, "", counted<&FabricCounts::switches>},
    {"counts.switches_by_tier.", "Switches", "Switches, {}", "", 1, count},
    {"counts.switch_ports", "Switches", "Switch ports", "", 1, count, "", counted<&FabricCounts::switchPorts>},
    {"counts.switch_ports_used", "Switches", "Switch ports in use", "", 1, count, "", counted<&FabricCounts::switchPortsUsed>},
    {"counts.links", "Cabling", "Links", "", 1, count, "", counted<&FabricCounts::links>},
    {"counts.links_by_tier.", "Cabling", "Links, {}", "", 1, count},
    {"counts.cables", "Cabling", "Cables", "", 1, count, "", [](Source s) { return Value(static_cast<double>(s.instant.cables.cables)); },
     true},
    {"counts.cables_by_tier.", "Cabling", "Cables, {}", "", 1, count},
    {"counts.cables_by_medium.", "Cabling", "Cables, {}", "", 1, count},
    {"counts.transceivers_logical", "Cabling", "Optical link ends", "", 1, count, "",
     [](Source s) { return number(s.instant.cables.transceiversLogical); }},
    {"counts.pluggables", "Cabling", "Pluggable modules", "", 1, count, "", [](Source s) { return number(s.instant.cables.pluggables); }},
    {"counts.pluggables_by_part.", "Cabling", "Modules, {}", "", 1, count},
    {"ratios.oversubscription_by_tier.leaf", "Bandwidth", "Oversubscription, leaf", ": 1", 1, decimal, "",
     [](Source s) { return Value(s.instant.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)]); }, true},
    {"ratios.oversubscription_by_tier.", "Bandwidth", "Oversubscription, {}", ": 1", 1, decimal},
    {"ratios.injection_gbps", "Bandwidth", "Injection bandwidth", "Tb/s", tera, decimal, "Gb/s",
     [](Source s) { return Value(inGbps(s.instant.injection)); }},
    {"bisection.server.upper_gbps", "Bandwidth", "Bisection bandwidth, servers", "Tb/s", tera, decimal, "Gb/s", upper<servers>, false,
     isUncertified<servers>},
    {"bisection.server.fraction_of_injection", "Bandwidth", "Bisection bandwidth, servers, of half the injection", "", 1, percent, "",
     ofInjection<servers>, true, isUncertified<servers>},
    {"bisection.gpu_network_only.upper_gbps", "Bandwidth", "Bisection bandwidth, GPUs over the network only", "Tb/s", tera, decimal, "Gb/s",
     upper<networkOnly>, false, isUncertified<networkOnly>},
    {"bisection.gpu_network_only.fraction_of_injection", "Bandwidth",
     "Bisection bandwidth, GPUs over the network only, of half the injection", "", 1, percent, "", ofInjection<networkOnly>, true,
     isUncertified<networkOnly>},
    {"bisection.gpu_with_hb.upper_gbps", "Bandwidth", "Bisection bandwidth, GPUs with HB domains", "Tb/s", tera, decimal, "Gb/s",
     upper<withHb>, false, isUncertified<withHb>},
    {"bisection.gpu_with_hb.fraction_of_injection", "Bandwidth", "Bisection bandwidth, GPUs with HB domains, of half the injection", "", 1,
     percent, "", ofInjection<withHb>, true, isUncertified<withHb>},
    {"bisection.", "Bandwidth", "", ""},
    {"collectives.all-reduce@1GiB.time_s", "Collectives", "All-reduce of 1 GiB, time", "ms", 1e3, decimal, "s",
     collectiveTime<CollectiveOp::AllReduce, gibibyte>, true, isEstimate},
    {"collectives.all-to-all@256MiB.time_s", "Collectives", "All-to-all of 256 MiB, time", "ms", 1e3, decimal, "s",
     collectiveTime<CollectiveOp::AllToAll, quarter>, true, isEstimate},
    {"collectives.", "Collectives", "{}", ""},
    {"latency.mean_s", "Latency", "Network latency without load, mean", "µs", micro, decimal, "s",
     [](Source s) {
         return s.background && s.background->latency.mean ? Value(s.background->latency.mean->total().value()) : std::nullopt;
     },
     true},
    {"latency.longest_s", "Latency", "Network latency without load, longest path", "µs", micro, decimal, "s",
     [](Source s) {
         return s.background && s.background->latency.longest ? Value(s.background->latency.longest->total().value()) : std::nullopt;
     },
     true},
    {"cost.network_usd", "Cost", "Network cost (switches, cables and modules)", "USD", 1, count, "USD", dollars<&Bill::network>, true,
     lacksPrices},
    {"cost.total_usd", "Cost", "Total cost (priced lines)", "USD", 1, count, "USD", dollars<&Bill::total>, true, lacksPrices},
    {"cost.low_usd", "Cost", "Total cost, low estimate", "USD", 1, count, "USD", dollars<&Bill::low>, false, lacksPrices},
    {"cost.high_usd", "Cost", "Total cost, high estimate", "USD", 1, count, "USD", dollars<&Bill::high>, false, lacksPrices},
    {"cost.by_category_usd.", "Cost", "Cost, {}", "USD", 1, count, "USD"},
    {"cost.unpriced_lines", "Cost", "Lines without a price (in no total)", "", 1, count, "",
     [](Source s) { return Value(static_cast<double>(s.instant.bill.unpricedLines)); }},
    {"power.network_w", "Power", "Network power", "kW", kilo, decimal, "W", [](Source s) { return value(s.instant.bill.networkPower); },
     true},
    {"power.total_w", "Power", "Total power", "kW", kilo, decimal, "W", [](Source s) { return value(s.instant.bill.totalPower); }, true},
    {"power.facility_w", "Power", "Facility power (with cooling)", "kW", kilo, decimal, "W",
     [](Source s) { return value(s.instant.bill.facilityPower()); }, true},
    {"power.by_category_w.", "Power", "Power, {}", "kW", kilo, decimal, "W"},
    {"power.energy_usd_year", "Power", "Energy, a year", "USD", 1, count, "USD", [](Source s) { return s.instant.bill.energyPerYear(); }},
    {"power.space_usd_year", "Power", "Colocation space, a year", "USD", 1, count, "USD",
     [](Source s) { return s.instant.bill.spacePerYear(); }},
    {"floor.racks", "Floor", "Racks", "", 1, count, "",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return static_cast<double>(f.racks); }); }, true},
    {"floor.rows", "Floor", "Rows of racks", "", 1, count, "",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return static_cast<double>(f.rows); }); }},
    {"floor.width_m", "Floor", "Floor width", "m", 1, decimal, "m",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return f.width.value(); }); }},
    {"floor.depth_m", "Floor", "Floor depth", "m", 1, decimal, "m",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return f.depth.value(); }); }},
    {"floor.cable_m", "Floor", "Length of all cables", "m", 1, count, "m",
     [](Source s) { return ofFloor(s, [](const FloorFigures& f) { return f.cable.value(); }); }},
    {"floor.cable_saved_m", "Floor", "Cable saved by placement", "m", 1, count, "m",
     [](Source s) { return s.instant.floor ? value(s.instant.floor->saved) : std::nullopt; }},
    {"floor.most_rack_power_w", "Floor", "Power of the fullest rack", "kW", kilo, decimal, "W",
     [](Source s) { return s.instant.floor ? value(s.instant.floor->mostRackPower) : std::nullopt; }},
    {"networks.", "Other networks", "{}", ""},
    {"failure.mttf_h", "Reliability", "Mean time between interrupts", "h", 1, decimal, "h",
     [](Source s) { return s.background ? s.background->interrupts.meanTimeHours : std::nullopt; }, true},
    {"failure.interrupt_probability", "Reliability", "Probability of an interrupt within the horizon", "", 1, percent, "",
     [](Source s) { return s.background ? s.background->interrupts.probability : std::nullopt; }},
    {"failure.horizon_h", "Reliability", "Horizon of that probability", "h", 1, count, "h",
     [](Source s) { return s.background ? Value(s.background->interrupts.horizonHours) : std::nullopt; }},
};

} // namespace

std::span<const FigureInfo> figureTable() { return rows; }

const FigureInfo* figureNamed(std::string_view key) {
    for (const FigureInfo& row : rows)
        if (row.isFamily() ? key.starts_with(row.key) : key == row.key) return &row;
    return nullptr;
}

std::string stableKey(std::string_view key) {
    constexpr std::string_view positions[] = {"collectives.0.", "collectives.1."},
                               names[] = {"collectives.all-reduce@1GiB.", "collectives.all-to-all@256MiB."};
    for (std::size_t i = 0; i < std::size(positions); ++i)
        if (key.starts_with(positions[i])) return std::string(names[i]) + std::string(key.substr(positions[i].size()));
    return std::string(key);
}

std::string figureText(const FigureInfo& figure, double number) {
    if (figure.storedUnit == "USD") return formatMoney(Money::dollars(number));
    if (figure.storedUnit == "W") return formatWatts(Watts(number));
    if (figure.storedUnit == "s") return formatSeconds(Seconds(number));
    if (figure.storedUnit == "Gb/s") return formatBandwidth(gigabitsPerSecond(number));
    if (figure.format == FigureFormat::Count && figure.storedUnit.empty()) return formatCount(static_cast<std::int64_t>(number));
    return fmt::format("{:.3g}{}{}", number, figure.storedUnit.empty() ? "" : " ", figure.storedUnit);
}

} // namespace railyard
