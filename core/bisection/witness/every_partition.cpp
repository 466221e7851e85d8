#include "core/bisection/witness/every_partition.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr double mostWork = 5e7; // partitions * (links + attachments), under a second

using Class = std::vector<std::uint32_t>;

// Partitions into m and the rest, as numbers of endpoints of each class.
double partitionsOf(const std::vector<Class>& classes, std::size_t m) {
    std::vector<double> counts(m + 1), next;
    counts[0] = 1;
    for (const Class& each : classes) {
        next.assign(m + 1, 0);
        for (std::size_t before = 0; before <= m; ++before)
            for (std::size_t a = 0; a <= each.size() && before + a <= m; ++a) next[before + a] += counts[before];
        counts.swap(next);
    }
    return counts[m];
}

class Search {
public:
    Search(const BisectionProblem& q, const std::vector<Class>& classes) : m_q(q), m_classes(classes), m_side(q.ends.size()) {
        m_remaining.assign(classes.size() + 1, 0);
        for (std::size_t c = classes.size(); c-- > 0;) m_remaining[c] = m_remaining[c + 1] + classes[c].size();
    }
    ExactCut run() {
        descend(0, m_q.ends.size() / 2);
        return std::move(m_best);
    }

private:
    void descend(std::size_t at, std::size_t wanted) {
        if (wanted > m_remaining[at]) return;
        if (at == m_classes.size()) {
            const Bandwidth value = cutOf(m_q, m_side).value;
            if (m_best.sideA.empty() || value < m_best.value) m_best = {value, m_side};
            return;
        }
        const Class& each = m_classes[at];
        for (std::size_t a = 0; a <= std::min(each.size(), wanted); ++a) {
            for (std::size_t i = 0; i < each.size(); ++i) m_side[each[i]] = i < a;
            descend(at + 1, wanted - a);
        }
        for (const auto e : each) m_side[e] = false;
    }

    const BisectionProblem& m_q;
    const std::vector<Class>& m_classes;
    std::vector<bool> m_side;
    std::vector<std::size_t> m_remaining; // endpoints of this class and those after it
    ExactCut m_best;
};

} // namespace

// With HB links it also matters whose domain an endpoint shares, so there every endpoint is a class of its own.
std::vector<std::vector<std::uint32_t>> interchangeable(const BisectionProblem& q) {
    std::vector<std::vector<std::pair<std::uint32_t, Bandwidth>>> ports(q.ends.size());
    for (const auto& a : q.ends.attachments) ports[a.endpoint].emplace_back(a.node, a.capacity);
    std::map<std::vector<std::pair<std::uint32_t, Bandwidth>>, Class> classes;
    std::vector<Class> result;
    for (std::uint32_t e = 0; e < ports.size(); ++e) {
        std::sort(ports[e].begin(), ports[e].end());
        if (q.key == BisectionKey::GpuWithHb)
            result.push_back({e});
        else
            classes[ports[e]].push_back(e);
    }
    for (auto& [key, members] : classes) result.push_back(std::move(members));
    return result;
}

std::optional<ExactCut> cheapestOfAllPartitions(const BisectionProblem& q) {
    const std::size_t n = q.ends.size();
    if (n < 2 || n > 4096) return {};
    const std::vector<Class> classes = interchangeable(q);
    const double work = static_cast<double>(q.graph.edges.size() + q.ends.attachments.size() + 1);
    if (classes.size() > 64 || partitionsOf(classes, n / 2) * work > mostWork) return {};
    return Search(q, classes).run();
}

} // namespace railyard
