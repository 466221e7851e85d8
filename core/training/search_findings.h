// What a search keeps of the configurations that it has costed.
#pragma once

#include "core/training/training_plan.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace railyard {

// A configuration and where it stands in the order of all.
struct Found {
    double score = 0, size = 0; // size: memory in GiB
    Seconds time;
    std::int64_t division = 0, place = 0;
    std::array<std::int64_t, 5> degrees{};
    std::int64_t expertFold = 1, microBatch = 1;
    Recompute recompute = Recompute::None;
    IterationSchedule schedule;

    bool isBefore(const Found& other) const {
        return std::tuple(score, division, place) < std::tuple(other.score, other.division, other.place);
    }
};

// What one division, or several, came to.
class Findings {
public:
    explicit Findings(std::size_t most) : m_most(most) {}

    std::int64_t evaluated = 0, tooLarge = 0, pruned = 0;
    std::vector<Error> errors;

    double worst() const { return m_best.size() < m_most ? std::numeric_limits<double>::infinity() : m_best.back().score; }
    bool isBeaten(double score, double size) const {
        const auto after = m_front.upper_bound(score);
        return after != m_front.begin() && std::prev(after)->second.size <= size;
    }
    bool isWorthKeeping(double score, double size) const { return score < worst() || !isBeaten(score, size); }
    void keep(const Found& found) {
        keepBest(found);
        keepOnFront(found);
    }
    bool isNearer(double missing) const { return !m_nearest || missing < m_missing; }
    void miss(double missing, const Found& found) {
        if (isNearer(missing)) m_missing = missing, m_nearest = found;
    }
    // In the order in which divisions are worked on, so that of two equal ones the first stays.
    void add(const Findings& other) {
        evaluated += other.evaluated;
        tooLarge += other.tooLarge;
        pruned += other.pruned;
        errors.insert(errors.end(), other.errors.begin(), other.errors.end());
        for (const Found& each : other.m_best) keepBest(each);
        for (const auto& [score, each] : other.m_front) keepOnFront(each);
        if (other.m_nearest) miss(other.m_missing, *other.m_nearest);
    }
    const std::vector<Found>& best() const { return m_best; }
    const std::map<double, Found>& front() const { return m_front; }
    const std::optional<Found>& nearest() const { return m_nearest; }

private:
    void keepBest(const Found& found) {
        if (m_best.size() >= m_most && !found.isBefore(m_best.back())) return;
        m_best.insert(std::upper_bound(m_best.begin(), m_best.end(), found, [](const Found& a, const Found& b) { return a.isBefore(b); }),
                      found);
        if (m_best.size() > m_most) m_best.pop_back();
    }
    void keepOnFront(const Found& found) {
        if (isBeaten(found.score, found.size)) return;
        auto at = m_front.insert_or_assign(found.score, found).first;
        for (++at; at != m_front.end() && at->second.size >= found.size;) at = m_front.erase(at);
    }

    std::size_t m_most;
    std::vector<Found> m_best;
    std::map<double, Found> m_front; // by score; memory falls
    std::optional<Found> m_nearest;
    double m_missing = 0;
};

} // namespace railyard
