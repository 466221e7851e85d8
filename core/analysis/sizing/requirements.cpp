#include "core/analysis/sizing/requirements.h"

#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/training/job_request.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <set>

namespace railyard {
namespace {

// The kinds of fabrics that differ; each becomes the cheapest of its kind.
struct Layout {
    std::string_view name, recipe;
    std::vector<std::pair<std::string_view, std::string_view>> settings = {};
    double least = 1; // bisection that it can have
};
const std::vector<Layout>& layouts() {
    static const std::vector<Layout> all{{"Rail-optimized", "rail-optimized"},
                                         {"Rail-only", "rail-only"},
                                         {"Rail-optimized 3:2", "rail-optimized", {{"oversubscription", "3:2"}}, 2.0 / 3},
                                         {"Rail-optimized 2:1", "rail-optimized", {{"oversubscription", "2:1"}}, 0.5},
                                         {"Rail-optimized 4:1", "rail-optimized", {{"oversubscription", "4:1"}}, 0.25},
                                         {"Fat tree", "fat-tree"},
                                         {"Rail-optimized, 2 planes", "rail-optimized", {{"planes", "2"}}}};
    return all;
}

// The figures of a candidate by which it is ranked; unknown ones are infinite, so that they are best at nothing.
struct Figures {
    double cost = 0, switches = 0, power = 0, allToAll = 0, step = 0, bisection = 0;
    PartKinds leftOut; // of the cost
};

double orInfinite(const std::optional<double>& value) { return value.value_or(std::numeric_limits<double>::infinity()); }

Figures figuresOf(const SizeCandidate& found) {
    Figures figures;
    const NetworksTotal total = networksTotal(*found.instant);
    figures.cost = total.cost.inDollars();
    figures.leftOut = total.leftOut;
    figures.switches = static_cast<double>(total.switches);
    figures.power = orInfinite(total.power ? std::optional(total.power->value()) : std::nullopt);
    figures.bisection = found.background->bisection.front().fractionOfInjection.value_or(0);
    figures.allToAll = figures.step = std::numeric_limits<double>::infinity();
    for (const NamedCollective& each : found.background->collectives)
        if (each.op == CollectiveOp::AllToAll && each.result) figures.allToAll = each.result->best.time.value();
    if (const auto& training = found.background->training; training && training->estimate && training->estimate->isFeasible())
        figures.step = training->estimate->iteration.value();
    return figures;
}

constexpr double nearly = 1e-6; // relative; figures this close are equal to people
bool isLess(double a, double b) { return a < b - nearly * std::abs(b); }
bool isEqual(double a, double b) { return a == b || std::abs(a - b) <= nearly * std::abs(b); }

struct Criterion {
    std::string_view reason;
    double (*value)(const Figures&); // less is better
};
constexpr Criterion criteria[] = {{"lowest network cost", [](const Figures& f) { return f.cost; }},
                                  {"fewest switches", [](const Figures& f) { return f.switches; }},
                                  {"lowest network power", [](const Figures& f) { return f.power; }},
                                  {"highest bisection", [](const Figures& f) { return -f.bisection; }},
                                  {"fastest all-to-all", [](const Figures& f) { return f.allToAll; }},
                                  {"shortest step", [](const Figures& f) { return f.step; }}};

bool haveEqualFigures(const Figures& a, const Figures& b) {
    return std::all_of(std::begin(criteria), std::end(criteria),
                       [&](const Criterion& each) { return isEqual(each.value(a), each.value(b)); });
}
// In nothing worse, in something better. Costs of different coverage cannot be compared.
bool beats(const Figures& a, const Figures& b) {
    if (a.leftOut != b.leftOut) return false;
    bool isBetter = false;
    for (const Criterion& each : criteria) {
        if (isLess(each.value(b), each.value(a))) return false;
        isBetter |= isLess(each.value(a), each.value(b));
    }
    return isBetter;
}

class Ranker {
public:
    Ranker(const Requirements& asked, CatalogPointer catalog, const TaskContext& context)
        : m_asked(asked),
          m_catalog(std::move(catalog)),
          m_context(context) {}

    Result<Ranking> rank() {
        if (const Status good = check(); !good) return good.errors();
        const auto found = runTasks<RankedCandidate>(layouts().size(), m_context, [&](std::size_t i) { return candidateOf(layouts()[i]); });
        Ranking ranking;
        std::vector<RankedCandidate> good, misses;
        for (const auto& each : found) {
            if (!each || m_context.stop.stop_requested()) return Ranking{};
            if (each->misses.empty() && !each->found.instant) continue; // a layout that these parts do not have
            (each->misses.empty() ? good : misses).push_back(*each);
        }
        for (const RankedCandidate& each : good)
            if (const std::string text = smallerText(each.found); ranking.hint.empty() && !text.empty())
                ranking.hint = each.name + ": " + text;
        ranking.candidates = differing(good);
        sortAndName(ranking.candidates);
        const auto nearest =
            std::min_element(misses.begin(), misses.end(), [&](const auto& a, const auto& b) { return distanceOf(a) < distanceOf(b); });
        if (nearest != misses.end()) ranking.nearestMiss = *nearest;
        return ranking;
    }

private:
    Status check() const {
        if (!m_asked.gpus && !m_asked.power && !m_asked.budget && !m_asked.days)
            return Error::usage("a size is missing: --gpus, --power, --budget, or --model with --days");
        if (!m_asked.server.empty() && (!m_catalog->find(m_asked.server) || !m_catalog->find(m_asked.server)->as<ServerPart>()))
            return Error::usage(fmt::format(
                "--server {}: is no server of the catalogue; `railyard-cli catalog list --kind server` lists them", m_asked.server));
        if (!m_asked.switchId.empty() && (!m_catalog->find(m_asked.switchId) || !m_catalog->find(m_asked.switchId)->as<SwitchPart>()))
            return Error::usage(fmt::format(
                "--switch {}: is no switch of the catalogue; `railyard-cli catalog list --kind switch` lists them", m_asked.switchId));
        if (const auto job = readJob(m_asked.training); !job) return job.errors();
        return Done{};
    }
    // The asked one. Without it that of the recipe (empty), unless it has no ports as fast as the NICs of the server: then of the switches
    // with a price the one with the most such ports.
    std::string switchFor(const RecipeCall& call) const {
        const Part* server = m_catalog->find(m_asked.server);
        if (!m_asked.switchId.empty() || !server) return m_asked.switchId;
        const Bandwidth speed = server->as<ServerPart>()->nicBandwidth;
        const auto usual = resolve({call.name, {}}, *m_catalog);
        if (!usual || usual->leafSwitch->as<SwitchPart>()->portsAt(speed) > 0) return {};
        const Part* best = nullptr;
        const auto rank = [&](const Part& part) {
            return std::pair(part.price && part.price->base, part.as<SwitchPart>()->portsAt(speed));
        };
        for (const auto& [id, part] : m_catalog->parts())
            if (part.as<SwitchPart>() && rank(part).second > 0 && (!best || rank(part) > rank(*best))) best = &part;
        return best ? best->id : std::string();
    }
    SizeWish wishOf(const Layout& layout) const {
        SizeWish wish{{std::string(layout.recipe), {}}, {}, 0, m_asked.training, mostSizedGpus};
        for (const auto& [key, value] : layout.settings) wish.call.parameters[std::string(key)] = value;
        if (!m_asked.server.empty()) wish.call.parameters["server"] = m_asked.server;
        if (const std::string id = switchFor(wish.call); !id.empty()) wish.call.parameters["switch"] = id;
        if (m_asked.gpus) {
            wish.call.parameters["gpus"] = std::to_string(*m_asked.gpus);
        } else if (m_asked.days) {
            return wish; // sized below
        } else if (m_asked.power) {
            wish.limit = SizeLimit::FacilityPower;
            wish.most = m_asked.power->value();
        } else {
            wish.limit = SizeLimit::NetworkCost;
            wish.most = m_asked.budget->inDollars();
        }
        return wish;
    }
    RankedCandidate candidateOf(const Layout& layout) const {
        RankedCandidate candidate{std::string(layout.name), {}, {}, {}};
        SizeWish wish = wishOf(layout);
        if (!m_asked.gpus && m_asked.days)
            if (const Status sized = sizeByDays(wish); !sized) {
                candidate.misses.push_back({"days", sized.error().text});
                return candidate;
            }
        // Two planes need NICs with two ports each.
        if (const auto settings = resolve(wish.call, *m_catalog); settings && settings->planes > settings->nicPorts) return candidate;
        auto found = candidateFor(wish, m_catalog, m_context.stop);
        if (!found) return candidate;
        candidate.found = std::move(*found);
        if (candidate.found.problem) {
            candidate.misses.push_back({sizedBy(), candidate.found.problem->text});
            return candidate;
        }
        if (!candidate.found.instant)
            candidate.misses.push_back({"size", "its figures are not known"});
        else
            candidate.misses = missesOf(candidate.found);
        return candidate;
    }
    // The fewest whole HB domains with which the job ends in time.
    Status sizeByDays(SizeWish& wish) const {
        wish.call.parameters["servers"] = "1";
        for (int servers = 1; servers <= 4096 && !resolve(wish.call, *m_catalog); ++servers)
            wish.call.parameters["servers"] = std::to_string(servers);
        const auto one = resolve(wish.call, *m_catalog);
        if (!one) return one.errors();
        const int step = one->serversPerDomain();
        const std::int64_t most = mostSizedGpus / one->gpusPerServer / step;
        const auto days = [&](std::int64_t domains) -> double {
            wish.call.parameters["servers"] = std::to_string(domains * step);
            auto design = build(wish.call, "candidate", m_catalog);
            if (!design) return std::numeric_limits<double>::infinity();
            design->training = NamedOptions{m_asked.training, {}};
            const TrainingFigures figures = trainingFiguresOf(*elaborate(std::make_shared<const Design>(std::move(*design))));
            return figures.estimate && figures.estimate->isFeasible() ? figures.estimate->days() : std::numeric_limits<double>::infinity();
        };
        std::int64_t tooFew = 0, enough = 1;
        while (days(enough) > *m_asked.days) {
            tooFew = enough;
            if (enough >= most || m_context.stop.stop_requested())
                return Error::unbuildable(fmt::format("the model takes {:.3g} days on {} GPUs, {:g} are asked for", days(most),
                                                      formatCount(most * step * one->gpusPerServer), *m_asked.days));
            enough = std::min(enough * 2, most);
        }
        while (enough - tooFew > 1) {
            const std::int64_t middle = tooFew + (enough - tooFew) / 2;
            (days(middle) > *m_asked.days ? tooFew : enough) = middle;
        }
        wish.call.parameters["servers"] = std::to_string(enough * step);
        return Done{};
    }
    // Which requirement gave the size that cannot be built.
    std::string sizedBy() const { return m_asked.gpus ? "size" : m_asked.days ? "days" : m_asked.power ? "power" : "budget"; }
    std::vector<Miss> missesOf(const SizeCandidate& found) const {
        std::vector<Miss> misses;
        const Figures figures = figuresOf(found);
        if (m_asked.bisection && figures.bisection < *m_asked.bisection - nearly)
            misses.push_back({"bisection", fmt::format("bisection {:.3f}, {:.3f} is asked for", figures.bisection, *m_asked.bisection)});
        if (m_asked.budget && figures.cost > m_asked.budget->inDollars()) {
            const Money more = Money::dollars(figures.cost - m_asked.budget->inDollars());
            misses.push_back(
                {"budget", fmt::format("the networks cost {}{}, {} more than the budget", figures.leftOut.none() ? "" : "at least ",
                                       formatMoney(Money::dollars(figures.cost)), formatMoney(more))});
        }
        if (const auto power = found.instant->bill.facilityPower(); m_asked.power && !power)
            misses.push_back({"power", "its power is not published"});
        else if (m_asked.power && power->value() > m_asked.power->value())
            misses.push_back(
                {"power", fmt::format("{} of power, {} more than there is", formatWatts(*power), formatWatts(*power - *m_asked.power))});
        if (!m_asked.days) return misses;
        const auto& training = found.background->training;
        if (!training || !training->estimate)
            misses.push_back({"days", "the model cannot be trained on it: " + (training ? training->why : std::string("not computed"))});
        else if (!training->estimate->isFeasible())
            misses.push_back({"days", "the model does not fit into the memory of the GPUs"});
        else if (training->estimate->days() > *m_asked.days * (1 + nearly))
            misses.push_back(
                {"days", fmt::format("the model takes {:.3g} days, {:g} are asked for", training->estimate->days(), *m_asked.days)});
        return misses;
    }
    // How far a miss is from what is asked, relative; what cannot be built is farthest.
    double distanceOf(const RankedCandidate& miss) const {
        if (!miss.found.instant || !miss.found.background) return std::numeric_limits<double>::infinity();
        const Figures figures = figuresOf(miss.found);
        double distance = 0;
        if (m_asked.bisection) distance = std::max(distance, 1 - figures.bisection / *m_asked.bisection);
        if (m_asked.budget) distance = std::max(distance, figures.cost / m_asked.budget->inDollars() - 1);
        if (const auto power = miss.found.instant->bill.facilityPower(); m_asked.power && power)
            distance = std::max(distance, power->value() / m_asked.power->value() - 1);
        return distance;
    }
    // Those that no other one equals or beats in everything; of a recipe that would have none, the first all the same, with what beats it:
    // who asks whether rails are to be joined wants to see both.
    static std::vector<RankedCandidate> differing(const std::vector<RankedCandidate>& all) {
        std::vector<RankedCandidate> kept, beaten;
        std::set<std::string> recipes;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Figures own = figuresOf(all[i].found);
            const RankedCandidate* better = nullptr;
            bool isRepeated = false;
            for (std::size_t j = 0; j < all.size() && !isRepeated; ++j) {
                const Figures other = figuresOf(all[j].found);
                isRepeated = j < i && haveEqualFigures(own, other);
                if (!better && beats(other, own)) better = &all[j];
            }
            if (isRepeated) continue;
            (better ? beaten : kept).push_back(all[i]);
            if (better)
                beaten.back().reasons.push_back("in nothing better than " + better->name);
            else
                recipes.insert(all[i].found.best->call.name);
        }
        for (RankedCandidate& each : beaten)
            if (recipes.insert(each.found.best->call.name).second) kept.push_back(std::move(each));
        return kept;
    }
    void sortAndName(std::vector<RankedCandidate>& all) const {
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return figuresOf(a.found).cost < figuresOf(b.found).cost; });
        std::vector<Figures> figures;
        std::vector<bool> isBeaten; // which is its reason
        for (const RankedCandidate& each : all) {
            figures.push_back(figuresOf(each.found));
            isBeaten.push_back(!each.reasons.empty());
        }
        const bool isComparable =
            std::all_of(figures.begin(), figures.end(), [&](const Figures& each) { return each.leftOut == figures.front().leftOut; });
        for (const Criterion& criterion : criteria) {
            if (&criterion == criteria && !isComparable) continue;
            double best = std::numeric_limits<double>::infinity(), worst = -best;
            for (const Figures& each : figures) {
                best = std::min(best, criterion.value(each));
                worst = std::max(worst, criterion.value(each));
            }
            if (!std::isfinite(best) || (isEqual(best, worst) && all.size() > 1)) continue; // this tells none from another
            for (std::size_t i = 0; i < all.size(); ++i)
                if (!isBeaten[i] && isEqual(criterion.value(figures[i]), best)) all[i].reasons.emplace_back(criterion.reason);
        }
        // Best at nothing alone, but better than the cheapest in something: a compromise, with what it gains.
        std::vector<bool> isCompromise(all.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].reasons.empty()) {
                isCompromise[i] = true;
                all[i].reasons.push_back(fmt::format("bisection {:.2f} for {:.0f} % more network cost than the cheapest",
                                                     figures[i].bisection, (figures[i].cost / figures[0].cost - 1) * 100));
            }
        // Compromises go first.
        for (std::size_t i = all.size(); i-- > 0 && all.size() > m_asked.most;)
            if (isCompromise[i]) all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
        if (all.size() > m_asked.most) all.resize(m_asked.most);
    }

    const Requirements& m_asked;
    const CatalogPointer m_catalog;
    const TaskContext& m_context;
};

} // namespace

Result<Ranking> candidatesFor(const Requirements& asked, const CatalogPointer& catalog, const TaskContext& context) {
    return Ranker(asked, catalog, context).rank();
}

std::string smallerText(const SizeCandidate& candidate) {
    if (!candidate.smaller) return {};
    const SmallerFabric& smaller = *candidate.smaller;
    const std::string cost = smaller.networksCost ? fmt::format(" and {} less", formatMoney(*smaller.networksCost)) : std::string(" less");
    return fmt::format("{} GPUs save a tier: {}{}.", formatCount(smaller.gpus), counted(smaller.switches, "{} switch", "{} switches"),
                       cost);
}

} // namespace railyard
