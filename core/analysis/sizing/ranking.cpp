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

bool isFatTree(const RankedCandidate& each) { return each.found.best->call.name == "fat-tree"; }
bool hasOversubscribedLeaves(const RankedCandidate& each) {
    return isLess(1, each.found.instant->oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)]);
}

// The order in which people see them.
bool isBefore(const RankedCandidate& a, const RankedCandidate& b, bool isLargestFirst) {
    const CandidateFigures left = figuresOf(a.found), right = figuresOf(b.found);
    if (isLargestFirst) return std::tuple(-left.gpus, left.cost, left.switches) < std::tuple(-right.gpus, right.cost, right.switches);
    return std::pair(left.cost, left.switches) < std::pair(right.cost, right.switches);
}

// Those that no other one equals or beats in everything. If no rail-optimized fabric remains, or no rail-only one, the first of those that
// are beaten is kept with its reason, because users compare the two. If these are fewer than three, other beaten ones follow.
std::vector<RankedCandidate> differing(const Comparison& all, std::size_t most) {
    constexpr std::size_t fewest = 3;
    const std::vector<Row>& rows = all.rows();
    const auto isBeaten = [&](const Row& own) {
        return std::any_of(rows.begin(), rows.end(), [&](const Row& other) { return all.beats(other.figures, own.figures); });
    };
    std::vector<RankedCandidate> kept, beaten;
    std::vector<const Row*> present; // of both; nearly equal ones may differ from each other
    std::set<std::string> recipes;
    for (const Row& row : rows) {
        const auto isEqualTo = [&](const Row* before) { return all.haveEqualFigures(row.figures, before->figures); };
        if (std::any_of(present.begin(), present.end(), isEqualTo)) continue;
        present.push_back(&row);
        if (!isBeaten(row)) {
            kept.push_back(*row.candidate);
            recipes.insert(row.candidate->found.best->call.name);
            continue;
        }
        const auto beats = [&](const Row& other) { return all.beats(other.figures, row.figures); };
        auto better = std::find_if(rows.begin(), rows.end(), [&](const Row& other) { return beats(other) && !isBeaten(other); });
        if (better == rows.end()) better = std::find_if(rows.begin(), rows.end(), beats);
        beaten.push_back(*row.candidate);
        beaten.back().reasons.push_back(beatenText(row.figures, better->figures, better->candidate->name));
    }
    std::stable_sort(beaten.begin(), beaten.end(), [&](const auto& a, const auto& b) { return isBefore(a, b, all.isLargestFirst()); });
    for (RankedCandidate& each : beaten)
        if (!isFatTree(each) && recipes.insert(each.found.best->call.name).second) kept.push_back(std::exchange(each, {}));
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

// What a fabric that is best at nothing gains over all rows before it, which cost less, and at which price. `nameOfFirst`: "the cheapest",
// or its name.
std::string compromiseText(const std::vector<Row>& rows, std::size_t i, bool isLargestFirst, const std::string& nameOfFirst) {
    const CandidateFigures &own = rows[i].figures, &first = rows.front().figures;
    if (isLargestFirst && own.gpus < first.gpus)
        return fmt::format("bisection between servers {:.2f} for {:.1f} % fewer GPUs than the largest", own.bisection,
                           (1 - own.gpus / first.gpus) * 100);
    double bisection = 0, allToAll = std::numeric_limits<double>::infinity(), days = allToAll;
    for (std::size_t before = 0; before < i; ++before) {
        bisection = std::max(bisection, rows[before].figures.bisection);
        allToAll = std::min(allToAll, rows[before].figures.allToAll);
        days = std::min(days, rows[before].figures.trainingDays);
    }
    constexpr double worthSaying = 0.005; // of times
    const auto lessTime = [](const char* what, double is, double was) {
        return fmt::format("{} in {:.0f} % less time", what, (1 - is / was) * 100);
    };
    std::string gain = fmt::format("bisection between servers {:.2f}", own.bisection);
    if (!isLess(bisection, own.bisection)) {
        if (isLess(own.allToAll, allToAll, worthSaying))
            gain = lessTime("all-to-all", own.allToAll, first.allToAll);
        else if (isLess(own.trainingDays, days, worthSaying))
            gain = lessTime("training", own.trainingDays, first.trainingDays);
        else if (isLess(own.allToAll, first.allToAll, worthSaying)) // better than one of them in this, than another in that
            gain = lessTime("all-to-all", own.allToAll, first.allToAll);
    }
    if (!haveComparableCosts(own, first) || !(first.cost > 0)) return fmt::format("{} with {:.0f} switches", gain, own.switches);
    const double share = own.cost / first.cost - 1;
    return fmt::format("{} for {:.0f} % {} network cost than {}", gain, std::abs(share) * 100, share < 0 ? "less" : "more", nameOfFirst);
}

// A reason that most share hardly tells one from another.
bool isSharedByMost(std::size_t count, std::size_t all) { return all > 1 && 4 * count > 3 * all; }

// The criteria at which each row is best; none for beaten rows, which have their own reason.
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
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (rows[i].candidate->reasons.empty() && isEqual(criterion.value(rows[i].figures), best, criterion.close))
                bests[i].emplace_back(criterion.reason);
    }
    return bests;
}

// Which rows are shown where there are more than `most`. The first stays, as titles and reasons refer to it. The others go in this order,
// the last of each kind first: oversubscribed fat trees, those whose reasons most others share, those that are the only best at nothing,
// beaten ones.
class ShownRows {
public:
    ShownRows(const Comparison& compared, const std::vector<std::vector<std::string>>& bests)
        : m_rows(compared.rows()),
          m_bests(bests),
          m_shown(bests.size()) {
        std::iota(m_shown.begin(), m_shown.end(), std::size_t{0});
    }

    const std::vector<std::size_t>& upTo(std::size_t most) {
        const auto isBeaten = [&](std::size_t i) { return !m_rows[i].candidate->reasons.empty(); };
        const auto isOnlyBest = [&](std::size_t i) {
            return std::any_of(m_bests[i].begin(), m_bests[i].end(), [&](const std::string& reason) { return holders(reason) == 1; });
        };
        const auto isPlain = [&](std::size_t i) {
            return std::all_of(m_bests[i].begin(), m_bests[i].end(), [&](const std::string& reason) { return isCommon(reason); });
        };
        const auto isThinFatTree = [&](std::size_t i) {
            return isFatTree(*m_rows[i].candidate) && hasOversubscribedLeaves(*m_rows[i].candidate);
        };
        drop(most, [&](std::size_t i) { return isThinFatTree(i) && !isOnlyBest(i); });
        drop(most, [&](std::size_t i) { return isPlain(i) && !isBeaten(i) && !isOnlyBest(i); });
        drop(most, [&](std::size_t i) { return !isBeaten(i) && !isOnlyBest(i); });
        drop(most, isBeaten);
        if (m_shown.size() > most) m_shown.resize(most);
        return m_shown;
    }
    // Of those that are shown.
    bool isCommon(const std::string& reason) const { return isSharedByMost(holders(reason), m_shown.size()); }

private:
    template <class Predicate>
    void drop(std::size_t most, const Predicate& isDropped) {
        for (std::size_t at = m_shown.size(); at-- > 1 && m_shown.size() > most;)
            if (isDropped(m_shown[at])) m_shown.erase(m_shown.begin() + static_cast<std::ptrdiff_t>(at));
    }
    std::size_t holders(const std::string& reason) const {
        return static_cast<std::size_t>(std::count_if(m_shown.begin(), m_shown.end(), [&](std::size_t i) {
            return std::find(m_bests[i].begin(), m_bests[i].end(), reason) != m_bests[i].end();
        }));
    }

    const std::vector<Row>& m_rows;
    const std::vector<std::vector<std::string>>& m_bests;
    std::vector<std::size_t> m_shown;
};

void nameReasons(std::vector<RankedCandidate>& all, const Comparison& compared, std::size_t most) {
    const std::vector<Row>& rows = compared.rows();
    const std::vector<std::vector<std::string>> bests = bestsOf(compared);
    ShownRows shown(compared, bests);
    const CandidateFigures first = rows.front().figures;
    const std::string nameOfFirst = haveComparableCosts(rows) && !compared.isLargestFirst() ? "the cheapest" : all.front().name;
    std::vector<RankedCandidate> named;
    for (const std::size_t i : shown.upTo(most)) {
        const auto isHidden = [&](const std::string& reason) {
            const bool isOfSize = reason == mostGpus.reason || reason == fewestGpus.reason;
            return !isOfSize && shown.isCommon(reason);
        };
        RankedCandidate& each = named.emplace_back(std::move(all[i]));
        std::remove_copy_if(bests[i].begin(), bests[i].end(), std::back_inserter(each.reasons), isHidden);
        if (i == 0 && each.reasons.empty()) each.reasons = bests[i];
        each.isBest = !bests[i].empty() && !each.reasons.empty();
        const CandidateFigures& own = rows[i].figures;
        // Equal sizes differ in something else.
        const bool isOnlyAsLarge = each.reasons == std::vector<std::string>{std::string(mostGpus.reason)} && own.gpus == first.gpus;
        if (i > 0 && (each.reasons.empty() || (isOnlyAsLarge && isLess(first.bisection, own.bisection))))
            each.reasons.push_back(compromiseText(rows, i, compared.isLargestFirst(), nameOfFirst));
    }
    all = std::move(named);
}

} // namespace

CandidateFigures figuresOf(const SizeCandidate& found) {
    CandidateFigures figures;
    const NetworksTotal total = networksTotal(*found.instant);
    figures.gpus = static_cast<double>(found.instant->counts.gpus);
    figures.cost = total.areDevicesPriced() ? total.cost.inDollars() : std::numeric_limits<double>::infinity();
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
    std::vector<RankedCandidate> kept = differing(Comparison(all, sizedBy), most);
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
