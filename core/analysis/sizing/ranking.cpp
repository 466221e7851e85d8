#include "core/analysis/sizing/ranking.h"

#include "core/base/counted.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace railyard {
namespace {

// Relative; figures this close are equal to people. Times are estimates, which people read with three digits.
constexpr double nearly = 1e-6, nearlyTimes = 1e-3;
bool isLess(double a, double b, double close = nearly) { return std::isfinite(b) ? a < b - close * std::abs(b) : a < b; }
bool isEqual(double a, double b, double close = nearly) {
    return a == b || (std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= close * std::abs(b));
}

double orInfinite(const std::optional<double>& value) { return value.value_or(std::numeric_limits<double>::infinity()); }

enum class Sizes : std::uint8_t { Any, AnyThatSuffice, Equal }; // of fabrics that the figure compares
struct Criterion {
    std::string_view reason;
    Sizes sizes;
    double (*value)(const CandidateFigures&); // less is better
    bool isCost = false;
    double close = nearly;

    bool isBetter(const CandidateFigures& a, const CandidateFigures& b) const { return isLess(value(a), value(b), close); }
};
constexpr Criterion criteria[] = {
    {"lowest network cost", Sizes::AnyThatSuffice, [](const CandidateFigures& f) { return f.cost; }, true},
    {"fewest switches", Sizes::AnyThatSuffice, [](const CandidateFigures& f) { return f.switches; }},
    {"lowest network power", Sizes::AnyThatSuffice, [](const CandidateFigures& f) { return f.power; }},
    {"highest bisection", Sizes::Any, [](const CandidateFigures& f) { return -f.bisection; }},
    {"fastest all-to-all", Sizes::Equal, [](const CandidateFigures& f) { return f.allToAll; }, false, nearlyTimes},
    {"fastest training", Sizes::Equal, [](const CandidateFigures& f) { return f.trainingDays; }, false, nearlyTimes}};
constexpr Criterion mostGpus{"most GPUs", Sizes::Any, [](const CandidateFigures& f) { return -f.gpus; }};
constexpr Criterion fewestGpus{"fewest GPUs", Sizes::Any, [](const CandidateFigures& f) { return f.gpus; }};

struct Row {
    const RankedCandidate* candidate;
    CandidateFigures figures;
};

class Comparison {
public:
    Comparison(const std::vector<RankedCandidate>& all, SizedBy sizedBy) {
        for (const RankedCandidate& each : all) m_rows.push_back({&each, railyard::figuresOf(each.found)});
        m_isLimited = sizedBy == SizedBy::Power || sizedBy == SizedBy::Budget;
        m_isByDays = sizedBy == SizedBy::Days;
        const bool isOneSize =
            std::all_of(m_rows.begin(), m_rows.end(), [&](const Row& row) { return row.figures.gpus == m_rows.front().figures.gpus; });
        if (!isOneSize && m_isLimited) m_criteria.push_back(mostGpus);
        if (!isOneSize && sizedBy == SizedBy::Days) m_criteria.push_back(fewestGpus);
        for (const Criterion& each : criteria)
            if (isOneSize || each.sizes == Sizes::Any || (each.sizes == Sizes::AnyThatSuffice && sizedBy == SizedBy::Days))
                m_criteria.push_back(each);
        m_isOneSize = isOneSize;
    }
    const std::vector<Row>& rows() const { return m_rows; }
    const std::vector<Criterion>& used() const { return m_criteria; }

    bool haveEqualFigures(const CandidateFigures& a, const CandidateFigures& b) const {
        const auto compared = comparing(a, b);
        return std::all_of(compared.begin(), compared.end(),
                           [&](const Criterion& each) { return isEqual(each.value(a), each.value(b), each.close); });
    }
    // In nothing worse, in something better. Costs of different coverage cannot be compared.
    bool beats(const CandidateFigures& a, const CandidateFigures& b) const {
        if (a.leftOut != b.leftOut) return false;
        bool isBetter = false;
        for (const Criterion& each : comparing(a, b)) {
            if (each.isBetter(b, a)) return false;
            isBetter |= each.isBetter(a, b);
        }
        return isBetter;
    }
    bool isLargestFirst() const { return m_isLimited && !m_isOneSize; }

private:
    // Two of one size are compared by all figures, whatever the sizes of the others.
    std::vector<Criterion> comparing(const CandidateFigures& a, const CandidateFigures& b) const {
        if (a.gpus != b.gpus) return m_criteria;
        std::vector<Criterion> all(std::begin(criteria), std::end(criteria));
        if (m_isByDays) all.push_back(fewestGpus);
        return all;
    }

    std::vector<Row> m_rows;
    std::vector<Criterion> m_criteria; // that compare these sizes
    bool m_isLimited = false, m_isByDays = false, m_isOneSize = true;
};

// Sizes are compared by few figures: what else a smaller fabric has, it has for fewer GPUs.
std::string beatenText(const CandidateFigures& own, const CandidateFigures& better, const std::string& name) {
    if (own.gpus == better.gpus) return "no better than " + name + " in any figure";
    return fmt::format("{} {} GPUs than {}, with no more bisection", formatShare(std::abs(1 - own.gpus / better.gpus)),
                       own.gpus < better.gpus ? "fewer" : "more", name);
}

// The order in which people see them.
bool isBefore(const RankedCandidate& a, const RankedCandidate& b, bool isLargestFirst) {
    const CandidateFigures left = figuresOf(a.found), right = figuresOf(b.found);
    if (isLargestFirst) return std::tuple(-left.gpus, left.cost, left.switches) < std::tuple(-right.gpus, right.cost, right.switches);
    return std::pair(left.cost, left.switches) < std::pair(right.cost, right.switches);
}

// Rails are what people choose between. A fat tree with oversubscribed leaves is of interest where nothing is cheaper.
std::vector<RankedCandidate> withoutThinFatTrees(const std::vector<RankedCandidate>& all, SizedBy sizedBy) {
    const bool isLargestFirst = Comparison(all, sizedBy).isLargestFirst();
    const auto first =
        std::min_element(all.begin(), all.end(), [&](const auto& a, const auto& b) { return isBefore(a, b, isLargestFirst); });
    std::vector<RankedCandidate> kept;
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), [&](const RankedCandidate& each) {
        const double ofLeaves = each.found.instant->oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)];
        return &each == &*first || each.found.best->call.name != "fat-tree" || !isLess(1, ofLeaves);
    });
    return kept;
}

// Those that no other one equals or beats in everything; where none of these is rail-optimized, or none rail-only, the first one that is
// all the same, with what beats it: who asks whether rails are to be joined wants to see both. If these are fewer than three, others that
// are beaten follow.
std::vector<RankedCandidate> differing(const Comparison& all, std::size_t most) {
    constexpr std::size_t fewest = 3;
    const std::vector<Row>& rows = all.rows();
    const auto isBeaten = [&](const Row& own) {
        return std::any_of(rows.begin(), rows.end(), [&](const Row& other) { return all.beats(other.figures, own.figures); });
    };
    std::vector<RankedCandidate> kept, beaten;
    std::set<std::string> recipes;
    for (auto row = rows.begin(); row != rows.end(); ++row) {
        if (std::any_of(rows.begin(), row, [&](const Row& before) { return all.haveEqualFigures(row->figures, before.figures); })) continue;
        if (!isBeaten(*row)) {
            kept.push_back(*row->candidate);
            recipes.insert(row->candidate->found.best->call.name);
            continue;
        }
        const auto beats = [&](const Row& other) { return all.beats(other.figures, row->figures); };
        auto better = std::find_if(rows.begin(), rows.end(), [&](const Row& other) { return beats(other) && !isBeaten(other); });
        if (better == rows.end()) better = std::find_if(rows.begin(), rows.end(), beats);
        beaten.push_back(*row->candidate);
        beaten.back().reasons.push_back(beatenText(row->figures, better->figures, better->candidate->name));
    }
    std::stable_sort(beaten.begin(), beaten.end(), [&](const auto& a, const auto& b) { return isBefore(a, b, all.isLargestFirst()); });
    recipes.insert("fat-tree"); // nobody asks for
    for (RankedCandidate& each : beaten)
        if (recipes.insert(each.found.best->call.name).second) kept.push_back(std::exchange(each, {}));
    for (RankedCandidate& each : beaten)
        if (each.found.best && kept.size() < std::min(fewest, most)) kept.push_back(std::move(each));
    return kept;
}

bool haveComparableCosts(const CandidateFigures& a, const CandidateFigures& b) {
    return a.leftOut == b.leftOut && std::isfinite(a.cost) && std::isfinite(b.cost);
}
bool haveComparableCosts(const std::vector<Row>& rows) {
    return std::all_of(rows.begin(), rows.end(), [&](const Row& row) { return haveComparableCosts(row.figures, rows.front().figures); });
}

// Best at nothing, but better than the first in something: a compromise, with what it gains.
std::string compromiseText(const CandidateFigures& own, const CandidateFigures& first, bool isLargestFirst) {
    if (isLargestFirst)
        return fmt::format("bisection between servers {:.2f} for {:.1f} % fewer GPUs than the largest", own.bisection,
                           (1 - own.gpus / first.gpus) * 100);
    // Where the first has as much bisection, it is not that which the price buys.
    constexpr double worthSaying = 0.005;
    const bool isFaster =
        isEqual(own.bisection, first.bisection) && std::isfinite(own.allToAll) && own.allToAll < first.allToAll * (1 - worthSaying);
    const bool isPriced = haveComparableCosts(own, first) && first.cost > 0;
    if (isFaster && isPriced)
        return fmt::format("all-to-all in {:.0f} % less time for {:.0f} % more network cost than the cheapest",
                           (1 - own.allToAll / first.allToAll) * 100, (own.cost / first.cost - 1) * 100);
    if (!isPriced) return fmt::format("bisection between servers {:.2f} with {:.0f} switches", own.bisection, own.switches);
    return fmt::format("bisection between servers {:.2f} for {:.0f} % more network cost than the cheapest", own.bisection,
                       (own.cost / first.cost - 1) * 100);
}

// A reason that most share hardly tells one from another.
bool isMost(std::size_t count, std::size_t all) { return all > 1 && 4 * count > 3 * all; }

// At what each is best, as the criteria are called; of those that another one beats nothing, for that is their reason.
std::vector<std::vector<std::string>> bestsOf(const Comparison& compared) {
    const auto& rows = compared.rows();
    std::vector<std::vector<std::string>> bests(rows.size());
    for (const Criterion& criterion : compared.used()) {
        if (criterion.isCost && !haveComparableCosts(rows)) continue;
        double best = std::numeric_limits<double>::infinity(), worst = -best;
        for (const Row& row : rows) {
            best = std::min(best, criterion.value(row.figures));
            worst = std::max(worst, criterion.value(row.figures));
        }
        if (!std::isfinite(best) || (isEqual(best, worst, criterion.close) && rows.size() > 1)) continue; // this tells none from another
        const auto isBest = [&](const Row& row) { return isEqual(criterion.value(row.figures), best, criterion.close); };
        if (isMost(static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), isBest)), rows.size())) continue;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].candidate->reasons.empty() && isBest(rows[i])) bests[i].emplace_back(criterion.reason);
    }
    return bests;
}

// Which of them are shown where there are too many: compromises go first, then what is best at nothing alone, the last of each first.
std::vector<std::size_t> shownOf(const Comparison& compared, const std::vector<std::vector<std::string>>& bests, std::size_t most) {
    std::vector<std::size_t> shown(bests.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    const auto isBestAt = [&](std::size_t i, const std::string& reason) {
        return std::find(bests[i].begin(), bests[i].end(), reason) != bests[i].end();
    };
    const auto isBestAlone = [&](std::size_t own, const std::string& reason) {
        return std::none_of(shown.begin(), shown.end(), [&](std::size_t other) { return other != own && isBestAt(other, reason); });
    };
    for (const bool isAnyBest : {false, true})
        for (std::size_t at = shown.size(); at-- > 0 && shown.size() > most;) {
            const std::size_t i = shown[at];
            const bool isBeaten = !compared.rows()[i].candidate->reasons.empty();
            const bool isNeeded =
                std::any_of(bests[i].begin(), bests[i].end(), [&](const std::string& reason) { return isBestAlone(i, reason); });
            if (!isBeaten && !isNeeded && bests[i].empty() != isAnyBest) shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(at));
        }
    if (shown.size() > most) shown.resize(most);
    return shown;
}

void nameReasons(std::vector<RankedCandidate>& all, const Comparison& compared, std::size_t most) {
    std::vector<std::vector<std::string>> bests = bestsOf(compared);
    const std::vector<std::size_t> shown = shownOf(compared, bests, most);
    const CandidateFigures first = compared.rows().front().figures;
    const std::string nameOfFirst = all.front().name;
    std::vector<RankedCandidate> named;
    for (const std::size_t i : shown) {
        const auto isOfMost = [&](const std::string& reason) {
            const auto holders = std::count_if(shown.begin(), shown.end(), [&](std::size_t other) {
                return std::find(bests[other].begin(), bests[other].end(), reason) != bests[other].end();
            });
            return isMost(static_cast<std::size_t>(holders), shown.size());
        };
        RankedCandidate& each = named.emplace_back(std::move(all[i]));
        std::remove_copy_if(bests[i].begin(), bests[i].end(), std::back_inserter(each.reasons), isOfMost);
        each.isBest = !bests[i].empty() && !each.reasons.empty();
        const CandidateFigures& own = compared.rows()[i].figures;
        // Equal sizes differ in something else.
        const bool isOnlyAsLarge = each.reasons == std::vector<std::string>{std::string(mostGpus.reason)} && own.gpus == first.gpus;
        if (i > 0 && isOnlyAsLarge && haveComparableCosts(own, first) && first.cost > 0 && isLess(first.bisection, own.bisection))
            each.reasons.push_back(fmt::format("bisection between servers {:.2f} for {:.0f} % more network cost than {}", own.bisection,
                                               (own.cost / first.cost - 1) * 100, nameOfFirst));
        if (each.reasons.empty()) each.reasons.push_back(compromiseText(own, first, compared.isLargestFirst()));
    }
    all = std::move(named);
}

} // namespace

CandidateFigures figuresOf(const SizeCandidate& found) {
    CandidateFigures figures;
    const NetworksTotal total = networksTotal(*found.instant);
    figures.gpus = static_cast<double>(found.instant->counts.gpus);
    figures.cost = total.isDevicePriced() ? total.cost.inDollars() : std::numeric_limits<double>::infinity();
    figures.leftOut = total.leftOut;
    figures.switches = static_cast<double>(total.switches);
    figures.power = orInfinite(total.power ? std::optional(total.power->value()) : std::nullopt);
    // Of fewer than two servers there is none, which meets no requirement.
    figures.bisection = found.background->bisection.front().fractionOfInjection.value_or(0);
    figures.allToAll = figures.trainingDays = std::numeric_limits<double>::infinity();
    for (const NamedCollective& each : found.background->collectives)
        if (each.op == CollectiveOp::AllToAll && each.result) figures.allToAll = each.result->best.time.value();
    if (const auto& training = found.background->training; training && training->estimate && training->estimate->isFeasible())
        figures.trainingDays = training->estimate->days();
    return figures;
}

std::string whyNoStep(const SizeCandidate& found) {
    const TrainingFigures* training = found.background && found.background->training ? &*found.background->training : nullptr;
    if (!training) return {};
    return training->estimate ? fmt::format("{}", fmt::join(training->estimate->reasons, "; ")) : training->why;
}

std::vector<RankedCandidate> ranked(const std::vector<RankedCandidate>& all, SizedBy sizedBy, std::size_t most) {
    if (all.empty()) return {};
    const std::vector<RankedCandidate> compared = withoutThinFatTrees(all, sizedBy);
    std::vector<RankedCandidate> kept = differing(Comparison(compared, sizedBy), most);
    const bool isLargestFirst = Comparison(kept, sizedBy).isLargestFirst();
    std::stable_sort(kept.begin(), kept.end(), [&](const auto& a, const auto& b) { return isBefore(a, b, isLargestFirst); });
    const std::vector<RankedCandidate> sorted = kept; // which the comparison looks at
    nameReasons(kept, Comparison(sorted, sizedBy), most);
    return kept;
}

std::string rankingText(const std::vector<RankedCandidate>& ranked, SizedBy sizedBy, std::size_t shown) {
    if (ranked.empty()) return "No fabric meets the requirements";
    std::string count =
        counted(static_cast<std::int64_t>(ranked.size()), "{} fabric meets the requirements", "{} fabrics meet the requirements");
    if (shown < ranked.size()) count += counted(static_cast<std::int64_t>(shown), " ({} shown)", " ({} shown)");
    const Comparison compared(ranked, sizedBy);
    const auto& rows = compared.rows();
    const auto& fullest = *std::max_element(rows.begin(), rows.end(),
                                            [](const Row& a, const Row& b) { return isLess(a.figures.bisection, b.figures.bisection); });
    const auto& first = rows.front();
    const bool givesUp = isLess(first.figures.bisection, fullest.figures.bisection);
    if (rows.size() < 2) return count;
    const std::string bisection = formatShare(1 - first.figures.bisection / fullest.figures.bisection);
    if (compared.isLargestFirst()) {
        const double more = first.figures.gpus - fullest.figures.gpus;
        if (!givesUp || more <= 0) return count;
        return fmt::format("{}; the largest has {} more GPUs and gives up {} of the bisection", count,
                           formatCount(static_cast<std::int64_t>(more)), bisection);
    }
    if (!haveComparableCosts(rows) || !(first.figures.cost > 0)) return count;
    const double saved = fullest.figures.cost - first.figures.cost, more = first.figures.gpus - fullest.figures.gpus;
    const std::string gpus =
        more == 0 ? ""
                  : fmt::format(", has {} {} GPUs", formatCount(static_cast<std::int64_t>(std::abs(more))), more > 0 ? "more" : "fewer");
    if (givesUp && saved > 0)
        return fmt::format("{}; the cheapest saves {} ({}){} and gives up {} of the bisection", count, formatMoney(Money::dollars(saved)),
                           formatShare(saved / fullest.figures.cost), gpus, bisection);
    return fmt::format("{}; none costs less than {}", count, first.candidate->name);
}

} // namespace railyard
