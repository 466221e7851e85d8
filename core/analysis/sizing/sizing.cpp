#include "core/analysis/sizing/sizing.h"

#include "core/analysis/metrics/metrics.h"
#include "core/analysis/sizing/candidates.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>

namespace railyard {
namespace {

class SizeSearch {
public:
    SizeSearch(const RecipeCall& call, const CatalogPointer& catalog, SizeLimit limit) : m_call(call), m_catalog(catalog), m_limit(limit) {
        for (const char* size : {"gpus", "servers"}) m_call.parameters.erase(size);
    }

    Result<double> figure(std::int64_t servers) const {
        RecipeCall call = m_call;
        call.parameters["servers"] = std::to_string(servers);
        auto design = build(call, "candidate", m_catalog);
        if (!design) return design.errors();
        const InstantMetrics metrics = instantMetrics(*elaborate(std::make_shared<const Design>(std::move(*design))));
        const Bill& bill = metrics.bill;
        if (m_limit == SizeLimit::NetworkCost) return networksTotal(metrics).cost.inDollars();
        if (const auto power = bill.facilityPower()) return power->value();
        return Error::unbuildable(
            fmt::format("The power consumption of {} is not published, so the size cannot be derived from a power limit.",
                        bill.unknownPower.empty() ? "a part" : bill.unknownPower.front()));
    }
    // What cannot be built is too large.
    double figureOrInfinite(std::int64_t servers) const {
        const auto value = figure(servers);
        return value ? *value : std::numeric_limits<double>::infinity();
    }

private:
    RecipeCall m_call;
    CatalogPointer m_catalog;
    SizeLimit m_limit;
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
    return limit == SizeLimit::FacilityPower ? formatWatts(Watts(value)) : formatMoney(Money::dollars(value));
}

// Between two numbers of domains of which the smaller is within: by turns where a straight line says, and halfway.
std::int64_t lastWithin(const std::function<double(std::int64_t)>& figure, std::int64_t within, std::int64_t beyond, double atWithin,
                        double atBeyond, double most) {
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

} // namespace

Result<int> largestWithin(const RecipeCall& call, const CatalogPointer& catalog, SizeLimit limit, double most) {
    const auto gpusOfServer = gpusPerServer(call, *catalog);
    if (!gpusOfServer) return gpusOfServer.errors();
    const SizeSearch search(call, catalog, limit);
    const std::int64_t step = serversPerDomain(call, *catalog);
    const auto first = search.figure(step);
    if (!first) return first.errors();
    if (!(*first <= most))
        return Error::unbuildable(fmt::format("{} is too low: {} already needs {}.", words(limit, most),
                                              step == 1 ? "one server" : fmt::format("one HB domain of {} servers", step),
                                              words(limit, *first)));
    const std::int64_t largest = std::max<std::int64_t>(1, mostSizedGpus / *gpusOfServer / step);
    const auto figure = [&](std::int64_t domains) { return search.figureOrInfinite(domains * step); };
    std::int64_t within = 1, beyond = 1;
    double atWithin = *first, atBeyond = *first;
    while (atBeyond <= most && within < largest) {
        within = beyond, atWithin = atBeyond;
        if (within == largest) break;
        beyond = std::min(beyond * 4, largest);
        atBeyond = figure(beyond);
    }
    if (atBeyond > most) within = lastWithin(figure, within, beyond, atWithin, atBeyond, most);
    return static_cast<int>(within * step);
}

} // namespace railyard
