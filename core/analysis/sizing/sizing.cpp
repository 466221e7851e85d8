#include "core/analysis/sizing/sizing.h"

#include "core/analysis/metrics/networks_total.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/reliability/reliability.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace railyard {
namespace {

class SizeSearch {
public:
    SizeSearch(const FabricWish& wish, const CatalogPointer& catalog, SizeLimit limit, const DesignChange& change)
        : m_wish(wish),
          m_catalog(catalog),
          m_limit(limit),
          m_change(change) {
        for (const char* size : {"gpus", "servers"}) m_wish.call.parameters.erase(size);
    }

    // Of the fabric that the recipe builds by itself, or of the best one of its kind.
    enum class Of { UsualFabric, BestFabric };
    Result<double> figure(std::int64_t servers, Of of) const {
        RecipeCall call = m_wish.call;
        call.parameters["servers"] = std::to_string(servers);
        if (of == Of::BestFabric) {
            auto best = cheapestFabric({call, m_wish.leastBisection}, *m_catalog);
            if (!best) return best.errors();
            call = std::move(best->call);
        }
        auto design = build(call, "candidate", m_catalog);
        if (design && m_change) design = m_change(std::move(*design));
        if (!design) return design.errors();
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
        if (m_limit == SizeLimit::Interruptions)
            return 1 / usualReliability(*fabric).meanTimeHours.value_or(std::numeric_limits<double>::infinity());
        const InstantMetrics metrics = instantMetrics(*fabric, cablingOf(*fabric), Instant::Bill | Instant::Networks);
        if (m_limit == SizeLimit::NetworkCost) return networksTotal(metrics).cost.inDollars();
        if (const auto power = metrics.bill.facilityPower()) return power->value();
        return Error::unbuildable(
            fmt::format("The power consumption of {} is not published, so the size cannot be derived from a power limit.",
                        metrics.bill.unknownPower.empty() ? "a part" : metrics.bill.unknownPower.front()));
    }
    // What cannot be built is too large.
    double figureOrInfinite(std::int64_t servers, Of of) const {
        const auto value = figure(servers, of);
        return value ? *value : std::numeric_limits<double>::infinity();
    }

private:
    FabricWish m_wish;
    CatalogPointer m_catalog;
    SizeLimit m_limit;
    const DesignChange& m_change;
};

// The usual number of servers need not be one of whole domains, so this is asked without them.
Result<int> gpusPerServer(RecipeCall call, const Catalog& catalog) {
    for (const char* key : {"gpus", "servers", "hb_domain_gpus", "hb_out_gbps", "hb_spines"}) call.parameters.erase(key);
    const auto settings = resolve(call, catalog);
    if (!settings) return settings.errors();
    return std::max(1, settings->gpusPerServer);
}
std::int64_t serversPerDomain(const RecipeCall& call, const Catalog& catalog) {
    RecipeCall one = call;
    one.parameters.erase("gpus");
    for (int servers = 1; servers <= 4096; ++servers) { // the first that a domain divides
        one.parameters["servers"] = std::to_string(servers);
        if (const auto settings = resolve(one, catalog)) return settings->serversPerDomain();
    }
    return 1;
}

std::string words(SizeLimit limit, double value) {
    switch (limit) {
    case SizeLimit::FacilityPower: return formatWatts(Watts(value));
    case SizeLimit::NetworkCost: return formatMoney(Money::dollars(value));
    case SizeLimit::Interruptions: break;
    }
    return "an interruption every " + formatDuration(Seconds(3600 / value));
}

// Numbers of domains, and the figure at each.
struct Bracket {
    std::int64_t within = 1, beyond = 1;
    double atWithin = 0, atBeyond = 0;
};

// Between two numbers of domains of which the smaller is within: by turns where a straight line says, and halfway.
std::int64_t lastWithin(const Bracket& bracket, double most, const std::function<double(std::int64_t)>& figure) {
    auto [within, beyond, atWithin, atBeyond] = bracket;
    if (atBeyond <= most) return beyond;
    for (bool straight = true; beyond - within > 1; straight = !straight) {
        std::int64_t next = within + (beyond - within) / 2;
        if (straight && std::isfinite(atBeyond) && atBeyond > atWithin)
            next = within + static_cast<std::int64_t>(static_cast<double>(beyond - within) * (most - atWithin) / (atBeyond - atWithin));
        next = std::clamp(next, within + 1, beyond - 1);
        const double value = figure(next);
        (value <= most ? within : beyond) = next;
        (value <= most ? atWithin : atBeyond) = value;
    }
    return within;
}

// From one domain, which is within, until one is not.
Bracket upFrom(Bracket at, std::int64_t largest, double most, const std::function<double(std::int64_t)>& figure) {
    while (at.atBeyond <= most && at.beyond < largest) {
        at.within = at.beyond, at.atWithin = at.atBeyond;
        at.beyond = std::min(at.beyond * 4, largest);
        at.atBeyond = figure(at.beyond);
    }
    return at;
}

// From a number that is about right, in steps that double, up or down.
Bracket around(std::int64_t about, std::int64_t largest, double most, const std::function<double(std::int64_t)>& figure) {
    const double first = figure(about);
    Bracket at{about, about, first, first};
    std::int64_t step = std::max<std::int64_t>(1, about / 64);
    for (; at.atBeyond <= most && at.beyond < largest; step *= 2) {
        at.within = at.beyond, at.atWithin = at.atBeyond;
        at.beyond = std::min(at.beyond + step, largest);
        at.atBeyond = figure(at.beyond);
    }
    for (; at.atWithin > most && at.within > 1; step *= 2) {
        at.beyond = at.within, at.atBeyond = at.atWithin;
        at.within = std::max<std::int64_t>(at.within - step, 1);
        at.atWithin = figure(at.within);
    }
    return at;
}

} // namespace

Result<int> largestWithin(const FabricWish& wish, const CatalogPointer& catalog, SizeLimit limit, double most, const DesignChange& change,
                          int mostServers) {
    const auto gpusOfServer = gpusPerServer(wish.call, *catalog);
    if (!gpusOfServer) return gpusOfServer.errors();
    const SizeSearch search(wish, catalog, limit, change);
    const std::int64_t step = serversPerDomain(wish.call, *catalog);
    using Of = SizeSearch::Of;
    const auto first = search.figure(step, Of::BestFabric);
    if (!first) return first.errors();
    if (!(*first <= most))
        return Error::unbuildable(fmt::format("{} is too low: {} already {} {}.", words(limit, most),
                                              step == 1 ? "one server" : fmt::format("one HB domain of {} servers", step),
                                              limit == SizeLimit::Interruptions ? "has" : "needs", words(limit, *first)));
    const std::int64_t largest = std::max<std::int64_t>(1, std::min<std::int64_t>(mostSizedGpus / *gpusOfServer, mostServers) / step);
    const auto usual = [&](std::int64_t domains) { return search.figureOrInfinite(domains * step, Of::UsualFabric); };
    const auto best = [&](std::int64_t domains) { return domains == 1 ? *first : search.figureOrInfinite(domains * step, Of::BestFabric); };
    if (mostServers < std::numeric_limits<int>::max() && best(largest) <= most) return static_cast<int>(largest * step);
    // The usual fabric is found sooner and is not far from the best.
    const std::int64_t about = lastWithin(upFrom({1, 1, *first, *first}, largest, most, usual), most, usual);
    std::int64_t last = lastWithin(around(about, largest, most, best), most, best);
    // A little more may cost less, where uplinks divide evenly again.
    constexpr std::int64_t beyond = 12, mostGpusBeyond = 32'768; // larger fabrics change less from one size to the next
    if (last * step * *gpusOfServer <= mostGpusBeyond)
        for (std::int64_t next = last + 1; next <= std::min(last + beyond, largest); ++next)
            if (best(next) <= most) last = next;
    return static_cast<int>(last * step);
}

} // namespace railyard
