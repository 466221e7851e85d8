#include "core/analysis/maps/objective_map.h"

#include "core/analysis/maps/decision.h"
#include "core/base/found_once.h"
#include "core/fabric/elaborate.h"
#include "core/training/job_request.h"
#include "core/training/training.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

namespace railyard {
namespace {

constexpr std::size_t mostAxisValues = 100;
constexpr double mostFactor = 1000, mostGpus = 1 << 20; // of prices; of an HB domain

std::string ratioText(Ratio ratio) { return fmt::format("{}:{}", ratio.down, ratio.up); }

class ObjectiveCells {
public:
    ObjectiveCells(const RecipeCall& base, CatalogPointer catalog, const ObjectiveMapRequest& request)
        : m_base(base),
          m_catalog(std::move(catalog)),
          m_request(request) {
        if (const auto settings = resolve(base, *m_catalog)) {
            m_prices = planPricesOf(*settings, *m_catalog);
            m_domain = settings->hbDomainGpus;
        }
    }

    ObjectiveCell at(std::int64_t gpus, const std::string& y) const {
        ObjectiveCell cell{gpus, y, {}, {}, {}, {}, {}};
        if (gpus < 2 * domainAt(y)) return cell.why = "fewer than two HB domains: no network is needed", cell;
        std::string unknown; // of a kind that is there, but nobody knows its value
        for (const FabricSide side : m_request.sides) {
            std::string why;
            auto best = bestOf(side, gpus, y, why);
            if (best && !best->objective && unknown.empty()) unknown = why;
            if (!best && cell.why.empty()) cell.why = why;
            if (best) cell.sides.push_back(std::move(*best));
        }
        if (!unknown.empty()) cell.why = unknown;
        choose(cell);
        return cell;
    }

private:
    std::int64_t domainAt(const std::string& y) const { return m_request.axis == MapAxis::HbDomain ? std::stoll(y) : m_domain; }
    double opticFactorAt(const std::string& y) const { return m_request.axis == MapAxis::OpticPrice ? parameterNumber(y) : 1; }
    PlanPrices pricesAt(const std::string& y) const {
        PlanPrices prices = m_prices;
        const double factor = opticFactorAt(y);
        for (auto* price : prices.modules())
            if (*price) **price *= factor;
        return prices;
    }
    // All fabrics of one kind; the best of them takes part. Of another ratio than the asked one only those that also have the bisection
    // that this ratio leaves.
    std::vector<FabricWish> wishesOf(FabricSide side, std::int64_t gpus, const std::string& y) const {
        RecipeCall call = otherLayout(m_base, side == FabricSide::RailOnly ? "rail-only" : "rail-optimized", gpus, domainAt(y));
        if (m_request.axis == MapAxis::Oversubscription) call = with(call, {{"oversubscription", y}});
        const auto settings = resolve(call, *m_catalog);
        const double asked = settings ? askedOversubscription(*settings) : 1;
        const std::optional<double> floor = m_request.bisection;
        std::vector<FabricWish> wishes{{call, floor}};
        const auto addRatio = [&](Ratio ratio) {
            const double left = static_cast<double>(ratio.up) / ratio.down;
            wishes.emplace_back(with(call, {{"oversubscription", ratioText(ratio)}}),
                                floor && *floor > left ? floor : std::optional<double>());
        };
        if (side == FabricSide::Oversubscribed) { // any ratio up to 4:1, whatever the others are asked for
            wishes.clear();
            std::vector<Ratio> ratios{{1, 1}, {3, 2}, {2, 1}, {3, 1}, {4, 1}};
            const auto isIt = [&](Ratio each) { return std::abs(static_cast<double>(each.down) / each.up - asked) < 1e-9; };
            if (asked < 4 && std::none_of(ratios.begin(), ratios.end(), isIt)) ratios.push_back(ratioWithin(asked)); // as the others
            for (const Ratio ratio : ratios) addRatio(ratio);
        } else if (m_request.objective == MapObjective::StepTime) {
            for (const Ratio ratio : {Ratio{1, 1}, {3, 2}, {2, 1}, {3, 1}, {4, 1}})
                if (static_cast<double>(ratio.down) / ratio.up < asked * (1 - 1e-9)) addRatio(ratio); // at most what is asked for
        }
        if (side == FabricSide::MultiPlane) {
            wishes.clear(); // one plane is another kind
            for (const char* planes : {"2", "4", "8"}) wishes.emplace_back(with(call, {{"planes", planes}}), floor);
        }
        return wishes;
    }
    static RecipeCall with(RecipeCall call, const std::map<std::string, std::string>& settings) {
        for (const char* key : {"leaf_down", "leaf_up"})
            if (settings.contains("oversubscription")) call.parameters.erase(key);
        for (const auto& [key, value] : settings) call.parameters[key] = value;
        return call;
    }
    // `reason`: why there is none, or nothing is known of it: that of the first setting that is tried.
    std::optional<ObjectiveSide> bestOf(FabricSide side, std::int64_t gpus, const std::string& y, std::string& reason) const {
        const PlanPrices prices = pricesAt(y);
        const bool isByCost = m_request.objective == MapObjective::NetworkCost || m_request.objective == MapObjective::TotalCost;
        std::vector<std::string> why;
        std::optional<ObjectiveSide> best;
        bool isAnyUnknown = false;
        for (const FabricWish& wish : wishesOf(side, gpus, y)) {
            const auto settings = resolve(wish.call, *m_catalog);
            if (settings && settings->planes > settings->nicPorts) {
                why.push_back(fmt::format("{} planes need as many ports on each NIC; it has {}", settings->planes, settings->nicPorts));
                continue;
            }
            auto choice = cheapestFabric(wish, *m_catalog, prices, isByCost ? CheapestBy::Cost : CheapestBy::Switches);
            if (!choice) {
                why.push_back(choice.error().text);
                continue;
            }
            ObjectiveSide found{side, std::move(*choice), {}};
            std::string unknown;
            if (found.choice.settings.floor && isByCost) found.choice.cost = costOnFloor(found.choice, y, unknown);
            if (unknown.empty()) found.objective = valueOf(found.choice, unknown);
            if (!found.objective) why.push_back(unknown);
            isAnyUnknown |= !found.objective;
            if (!best || isBetter(found, *best)) best = std::move(found);
        }
        if (best && isByCost && isAnyUnknown) best->objective.reset(); // one without a price may be cheaper
        if ((!best || !best->objective) && !why.empty()) reason = why.front();
        std::string unpriced; // which does not matter to this objective
        if (best && best->choice.settings.floor && !isByCost) best->choice.cost = costOnFloor(best->choice, y, unpriced);
        return best;
    }
    // The medium, the modules and the price of a cable follow from its length, which only racks give it.
    PlanCost costOnFloor(const FabricChoice& choice, const std::string& y, std::string& why) const {
        PlanCost cost;
        auto design = build(choice.call, "cell", m_catalog);
        if (!design) return why = design.error().text, cost.leftOut.set(), cost;
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)), InsideLinks::Omitted);
        for (const BillLine& line : billOf(*fabric, cablingOf(*fabric)).lines) {
            if (line.category > BillCategory::Pluggable) continue;
            const double factor = line.category == BillCategory::Pluggable ? opticFactorAt(y) : 1;
            if (line.base) {
                cost.network += Money::dollars(line.base->inDollars() * factor * static_cast<double>(line.quantity));
                continue;
            }
            cost.leftOut.set(static_cast<std::size_t>(hasFixedEnds(line) ? BillCategory::Pluggable : line.category));
            if (why.empty() && (line.category != BillCategory::Cable || hasFixedEnds(line)))
                why = fmt::format("{} has no price; add one to your price book", line.part ? line.part->name : line.description);
        }
        return cost;
    }
    // Of two whose value nobody knows, that with fewer switches.
    static bool isBetter(const ObjectiveSide& a, const ObjectiveSide& b) {
        if (a.objective && b.objective) return *a.objective < *b.objective;
        return a.objective || (!b.objective && a.choice.plan.switches() < b.choice.plan.switches());
    }
    std::optional<double> valueOf(const FabricChoice& choice, std::string& why) const {
        switch (m_request.objective) {
        case MapObjective::Switches: return static_cast<double>(choice.plan.switches());
        case MapObjective::NetworkCost: return networkCost(choice, why);
        case MapObjective::TotalCost: return totalCost(choice, why);
        case MapObjective::StepTime: return stepTime(choice, why);
        }
        return {};
    }
    // Fibre rarely has a price. Another part without one in one of them would decide by being left out.
    static std::optional<double> networkCost(const FabricChoice& choice, std::string& why) {
        if (choice.cost.leftOut.test(static_cast<std::size_t>(BillCategory::Switch)))
            return why = "the switch has no price; add one to your price book", std::nullopt;
        if (choice.cost.leftOut.test(static_cast<std::size_t>(BillCategory::Pluggable)))
            return why = "a transceiver has no price; add one to your price book", std::nullopt;
        return choice.cost.network.inDollars();
    }
    std::optional<double> totalCost(const FabricChoice& choice, std::string& why) const {
        const auto network = networkCost(choice, why);
        if (!network) return {};
        const RecipeSettings& s = choice.settings;
        double sum = *network;
        const auto add = [&](const Part& part, double count) {
            if (!part.price || !part.price->base) return why = part.name + " has no price; add one to your price book", false;
            sum += part.price->base->inDollars() * count;
            return true;
        };
        // As the bill has them: trays come with their racks, for each HB domain; other NICs than those of the server are bought apart.
        const auto* facts = s.server->as<ServerPart>();
        const Part* rack = facts->rackSystem.empty() ? nullptr : m_catalog->find<RackPart>(facts->rackSystem);
        const int perDomain = s.serversPerDomain(), whole = s.servers / perDomain, others = s.servers % perDomain;
        const auto racksOf = [&](int trays) { return trays > 0 ? racksFor(trays, *rack->as<RackPart>()) : 0; };
        if (!(rack ? add(*rack, static_cast<double>(whole * racksOf(perDomain) + racksOf(others))) : add(*s.server, s.servers))) return {};
        const bool isNicApart = s.nic && s.nic->id != facts->nic;
        if (isNicApart && !add(*s.nic, static_cast<double>(s.servers) * s.nicsPerServer)) return {};
        return sum;
    }
    struct StepTime {
        std::optional<double> seconds;
        std::string why; // there is none
    };
    // Cells of an axis of ratios or prices often come to the same design: it is computed once.
    std::optional<double> stepTime(const FabricChoice& choice, std::string& why) const {
        FoundOnce<StepTime>* known = nullptr;
        {
            const std::lock_guard lock(m_mutex);
            known = &m_stepTimes[{choice.call.name, choice.call.parameters}];
        }
        const StepTime& found = known->get([&] { return stepTimeOf(choice.call); });
        if (!found.seconds) why = found.why;
        return found.seconds;
    }
    StepTime stepTimeOf(const RecipeCall& call) const {
        auto design = build(call, "cell", m_catalog);
        if (!design) return {{}, design.error().text};
        design->training = NamedOptions{m_request.training, {}};
        const auto request = jobOf(*design);
        if (!request) return {{}, request.error().text};
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
        const auto placed = placedOn(*fabric, *request);
        if (!placed) return {{}, placed.error().text};
        const auto iteration = iterationTime(*fabric, *placed, request->planned.plan);
        if (!iteration) return {{}, iteration.error().text};
        if (!*iteration) return {{}, "the model does not fit into the memory of the GPUs"};
        return {(*iteration)->value(), {}};
    }
    void choose(ObjectiveCell& cell) const {
        std::optional<double> others;
        std::optional<std::int64_t> railOptimized, railOnly;
        std::size_t missing = 0;
        for (std::size_t s = 0; s < cell.sides.size(); ++s) {
            const ObjectiveSide& side = cell.sides[s];
            if (side.side == FabricSide::RailOptimized) railOptimized = side.choice.plan.switches();
            if (side.side == FabricSide::RailOnly) railOnly = side.choice.plan.switches();
            if (!side.objective)
                ++missing;
            else if (!cell.winner || *side.objective < *cell.sides[*cell.winner].objective)
                cell.winner = s;
        }
        if (railOptimized && railOnly) cell.switchSaving = 1 - static_cast<double>(*railOnly) / static_cast<double>(*railOptimized);
        if (missing > 0 || cell.sides.size() < 2) { // one side alone wins nothing
            cell.winner.reset();
            if (cell.why.empty()) cell.why = "fewer than two kinds of fabrics can be built";
            return;
        }
        for (std::size_t s = 0; s < cell.sides.size(); ++s)
            if (s != *cell.winner) others = std::min(others.value_or(*cell.sides[s].objective), *cell.sides[s].objective);
        if (*others != 0) cell.difference = (*cell.sides[*cell.winner].objective - *others) / *others;
        cell.why.clear();
    }

    const RecipeCall& m_base;
    const CatalogPointer m_catalog;
    const ObjectiveMapRequest& m_request;
    PlanPrices m_prices;
    std::int64_t m_domain = 8;
    mutable std::mutex m_mutex; // of the map; what it holds stays where it is
    mutable std::map<std::pair<std::string, std::map<std::string, std::string>>, FoundOnce<StepTime>> m_stepTimes;
};

Status checkAxis(const ObjectiveMapRequest& request) {
    const std::string name(mapAxes[static_cast<std::size_t>(request.axis)]);
    const auto wrong = [&](const std::string& value, const std::string& what) {
        return Error::usage(fmt::format("--y {}={}: {}", name, value, what));
    };
    if (request.y.empty()) return Error::usage(fmt::format("--y {}: needs values, for example {}=8,16", name, name));
    if (request.y.size() > mostAxisValues)
        return Error::usage(
            fmt::format("--y {}: {} values; a heat map has at most {} on each axis", name, request.y.size(), mostAxisValues));
    const bool isPrice = request.axis == MapAxis::OpticPrice;
    const ParameterInfo number{.key = name,
                               .label = name,
                               .help = "",
                               .kind = isPrice ? ParameterInfo::Kind::Real : ParameterInfo::Kind::Whole,
                               .low = isPrice ? 0.0 : 1.0,
                               .high = isPrice ? mostFactor : mostGpus};
    std::vector<double> known;
    for (const std::string& value : request.y) {
        const auto isThere = [&](double each) { return std::find(known.begin(), known.end(), each) != known.end(); };
        if (request.axis != MapAxis::Oversubscription) {
            if (const std::string problem = number.problemOf(value); !problem.empty()) return wrong(value, problem);
            if (isThere(parameterNumber(value))) return wrong(value, "is listed twice");
            known.push_back(parameterNumber(value));
            continue;
        }
        const std::size_t colon = value.find(':');
        if (colon == std::string::npos || !number.problemOf(value.substr(0, colon)).empty() ||
            !number.problemOf(value.substr(colon + 1)).empty())
            return wrong(value, "must be a ratio such as 2:1");
        if (parameterNumber(value.substr(0, colon)) < parameterNumber(value.substr(colon + 1)))
            return wrong(value, "leaves are built with 1:1 or more");
        const double ratio = parameterNumber(value.substr(0, colon)) / parameterNumber(value.substr(colon + 1));
        if (isThere(ratio)) return wrong(value, "is listed twice");
        known.push_back(ratio);
    }
    return Done{};
}

} // namespace

Result<ObjectiveMap> objectiveMap(const RecipeCall& base, const CatalogPointer& catalog, ObjectiveMapRequest request,
                                  const TaskContext& context) {
    if (const Status good = checkAxis(request); !good) return good.errors();
    ObjectiveMap map{std::move(request), {}};
    for (const std::string& y : map.request.y)
        for (const std::int64_t gpus : map.request.gpus) map.cells.push_back({gpus, y, {}, {}, {}, {}, "not computed"});
    const ObjectiveCells cells(base, catalog, map.request);
    std::vector<std::size_t> order(map.cells.size()); // the largest first, as they take longest
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return map.cells[a].gpus > map.cells[b].gpus; });
    auto found = runTasks<ObjectiveCell>(
        map.cells.size(), context, [&](std::size_t i) { return cells.at(map.cells[i].gpus, map.cells[i].y); }, order);
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i]) map.cells[i] = std::move(*found[i]);
    return map;
}

Result<std::vector<std::int64_t>> sizesOfAxis(const std::string& text) {
    const ParameterInfo size{.key = "gpus", .label = "GPUs", .help = "", .low = 1, .high = 1 << 20};
    const auto wrong = [&](const std::string& what) {
        constexpr std::size_t most = 60; // of a long list
        return Error::usage(fmt::format("--x gpus={}{}: {}", text.substr(0, most), text.size() > most ? "…" : "", what));
    };
    std::vector<std::int64_t> sizes;
    if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
        const std::string first = text.substr(0, dots), last = text.substr(dots + 2);
        for (const std::string& each : {first, last})
            if (const std::string problem = size.problemOf(each); !problem.empty()) return wrong(problem);
        for (std::int64_t gpus = std::stoll(first); gpus <= std::stoll(last); gpus *= 2) sizes.push_back(gpus);
        if (sizes.empty()) return wrong("the first number must not be above the last");
        return sizes;
    }
    const auto tooMany = [&](std::int64_t count) {
        return wrong(fmt::format("{} values; a heat map has at most {} on each axis", count, mostAxisValues));
    };
    const std::int64_t listed = std::count(text.begin(), text.end(), ',') + 1;
    if (listed > static_cast<std::int64_t>(mostAxisValues)) return tooMany(listed);
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string each = text.substr(at, comma - at);
        if (const std::string problem = size.problemOf(each); !problem.empty()) return wrong(problem);
        const std::int64_t value = std::stoll(each);
        if (std::find(sizes.begin(), sizes.end(), value) != sizes.end()) return wrong(each + " is listed twice");
        sizes.push_back(value);
        at = comma + 1;
    }
    return sizes;
}

} // namespace railyard
