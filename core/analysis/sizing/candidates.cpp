#include "core/analysis/sizing/candidates.h"

#include "core/analysis/metrics/analysis_table.h"
#include "core/bill/unpriced.h"
#include "core/fabric/elaborate.h"

#include <cmath>
#include <limits>

namespace railyard {
namespace {

constexpr double mostFewer = 0.05; // of the servers; one HB domain fewer is always tried

FabricWish withServers(FabricWish wish, int servers) {
    wish.call.parameters.erase("gpus");
    wish.call.parameters["servers"] = std::to_string(servers);
    return wish;
}

// The design of the best fabric of this call; its figures are those of the drawing that it becomes.
Result<FabricPointer> built(const FabricChoice& choice, const CatalogPointer& catalog, const DesignChange& change = {},
                            const std::map<std::string, std::string>& training = {}) {
    auto design = build(choice.call, "candidate", catalog);
    if (design && change) design = change(std::move(*design));
    if (!design) return design.errors();
    if (!training.empty()) design->training = NamedOptions{training, {}};
    return elaborate(std::make_shared<const Design>(std::move(*design)));
}

std::optional<int> tiersOf(const RecipeCall& call, const Catalog& catalog) {
    const auto settings = resolve(call, catalog);
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    return planned ? std::optional(planned->tiers) : std::nullopt;
}

// The most servers, in whole HB domains, whose best fabric needs fewer tiers. With more servers a fabric never needs fewer tiers.
std::optional<SmallerFabric> withFewerTiers(const FabricChoice& now, const FabricWish& asked, const InstantMetrics& own,
                                            const CatalogPointer& catalog, const std::stop_token& stop) {
    const int step = now.settings.serversPerDomain(), servers = now.settings.servers;
    const int present = servers / step;
    const int fewest = std::min(static_cast<int>(std::ceil(servers * (1 - mostFewer) / step - 1e-9)), present - 1);
    if (now.plan.tiers < 2 || fewest >= present || fewest < 1) return {};
    const auto isFewer = [&](int domains) {
        const auto tiers = tiersOf(withServers(asked, domains * step).call, *catalog);
        return tiers && *tiers < now.plan.tiers;
    };
    if (!isFewer(fewest)) return {};
    int within = fewest, beyond = present; // beyond: the present number, with all its tiers
    while (beyond - within > 1) {
        const int middle = within + (beyond - within) / 2;
        (isFewer(middle) ? within : beyond) = middle;
    }
    if (stop.stop_requested()) return {};
    const auto choice = cheapestFabric(withServers(asked, within * step), *catalog);
    const auto fabric = choice ? built(*choice, catalog) : Result<FabricPointer>(choice.errors());
    if (!fabric || choice->plan.tiers >= now.plan.tiers) return {};
    const NetworksTotal before = networksTotal(own), after = networksTotal(instantMetrics(**fabric));
    SmallerFabric smaller{choice->settings.gpus(), choice->plan.tiers, before.switches - after.switches, {}};
    const bool isPriced = before.areDevicesPriced() && after.areDevicesPriced();
    if (isPriced && before.leftOut == after.leftOut) smaller.networksCost = before.cost - after.cost;
    return smaller.switches > 0 ? std::optional(smaller) : std::nullopt;
}

} // namespace

std::optional<SizeCandidate> candidateFor(const SizeWish& wish, const CatalogPointer& catalog, const std::stop_token& stop) {
    SizeCandidate candidate;
    FabricWish sized = wish.fabric;
    const auto failed = [&](const Error& error) {
        candidate.problem = error;
        candidate.best.reset();
        return candidate;
    };
    std::optional<int> largest;
    for (const auto& [limit, most] : wish.limits) {
        const int tried = largest.value_or(std::numeric_limits<int>::max());
        const auto servers = largestWithin(sized, catalog, limit, most, wish.change, tried);
        if (!servers) return candidate.tooLow = limit, failed(servers.error());
        largest = *servers;
    }
    if (largest) sized.call.parameters["servers"] = std::to_string(*largest);
    if (stop.stop_requested()) return {};
    auto best = cheapestFabric(sized, *catalog); // its settings may leave some of a budget
    if (!best) return failed(best.error());
    candidate.best = std::move(*best);
    if (candidate.best->settings.gpus() > wish.mostGpus) return candidate;
    const auto fabric = built(*candidate.best, catalog, wish.change, wish.training);
    if (!fabric) return failed(fabric.error());
    candidate.fabric = *fabric;
    candidate.instant = instantMetrics(**fabric);
    candidate.background = runAnalyses({**fabric, cablingOf(**fabric)}, Analysis::Everything, {}, {.threads = 2, .stop = stop});
    if (stop.stop_requested() || !candidate.background) return {};
    if (wish.limits.empty()) candidate.smaller = withFewerTiers(*candidate.best, sized, *candidate.instant, catalog, stop);
    return candidate;
}

} // namespace railyard
