#include "core/analysis/targets.h"

namespace railyard {
namespace {

using Reader = std::optional<double> (*)(const InstantMetrics&, const BackgroundMetrics*);

struct Figure {
    std::string_view key, unit;
    Reader read;
};

template <BisectionKey Key>
std::optional<double> fraction(const InstantMetrics&, const BackgroundMetrics* background) {
    return background ? background->bisection[static_cast<std::size_t>(Key)].fractionOfInjection : std::nullopt;
}

template <std::size_t Index>
std::optional<double> collectiveTime(const InstantMetrics&, const BackgroundMetrics* background) {
    if (!background || background->collectives.size() <= Index || !background->collectives[Index].result) return {};
    return background->collectives[Index].result->best.time.value();
}

template <class T>
std::optional<double> known(const std::optional<T>& value) {
    return value ? std::optional<double>(value->value()) : std::nullopt;
}

constexpr Figure figures[] = {
    {"cost.network_usd", "USD",
     [](const InstantMetrics& m, const BackgroundMetrics*) { return std::optional(m.bill.network.inDollars()); }},
    {"power.network_w", "W", [](const InstantMetrics& m, const BackgroundMetrics*) { return known(m.bill.networkPower); }},
    {"power.total_w", "W", [](const InstantMetrics& m, const BackgroundMetrics*) { return known(m.bill.totalPower); }},
    {"ratios.oversubscription_by_tier.leaf", "",
     [](const InstantMetrics& m, const BackgroundMetrics*) {
         return std::optional(m.oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)]);
     }},
    {"counts.cables", "",
     [](const InstantMetrics& m, const BackgroundMetrics*) { return std::optional(static_cast<double>(m.cables.cables)); }},
    {"floor.racks", "",
     [](const InstantMetrics& m, const BackgroundMetrics*) {
         return m.floor ? std::optional(static_cast<double>(m.floor->racks)) : std::nullopt;
     }},
    {"bisection.server.fraction_of_injection", "", fraction<BisectionKey::Server>},
    {"bisection.gpu_network_only.fraction_of_injection", "", fraction<BisectionKey::GpuNetworkOnly>},
    {"bisection.gpu_with_hb.fraction_of_injection", "", fraction<BisectionKey::GpuWithHb>},
    {"failure.mttf_h", "h",
     [](const InstantMetrics&, const BackgroundMetrics* b) { return b ? b->interrupts.meanTimeHours : std::nullopt; }},
    {"collectives.0.time_s", "s", collectiveTime<0>},
    {"collectives.1.time_s", "s", collectiveTime<1>},
};

// The figure is only known from its better side.
bool mayBeWorse(std::string_view key, const InstantMetrics& instant, const BackgroundMetrics* background) {
    if (key == "cost.network_usd") return instant.bill.unpricedLines > 0;
    if (key.starts_with("collectives.")) return true;
    for (const auto which : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb})
        if (background && key.starts_with("bisection." + std::string(toText(which)) + "."))
            return !background->bisection[static_cast<std::size_t>(which)].certified;
    return false;
}

} // namespace

const std::vector<std::pair<std::string_view, std::string_view>>& targetFigures() {
    static const auto all = [] {
        std::vector<std::pair<std::string_view, std::string_view>> keys;
        for (const Figure& figure : figures) keys.emplace_back(figure.key, figure.unit);
        return keys;
    }();
    return all;
}

std::optional<double> figureOf(std::string_view key, const InstantMetrics& instant, const BackgroundMetrics* background) {
    for (const Figure& figure : figures)
        if (figure.key == key) return figure.read(instant, background);
    return {};
}

std::vector<TargetState> targetsOf(const Design& design, const InstantMetrics& instant, const BackgroundMetrics* background) {
    std::vector<TargetState> states;
    for (const Target& target : design.targets) {
        TargetState state{target, figureOf(target.figure, instant, background), {}, mayBeWorse(target.figure, instant, background)};
        if (state.value) state.margin = target.atMost ? target.value - *state.value : *state.value - target.value;
        states.push_back(std::move(state));
    }
    return states;
}

} // namespace railyard
