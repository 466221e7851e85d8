// A plane is the tops of a group with their spines. Where a pod has several spines in every plane, what is said of a pod is said of each
// row of its spines.
//
// Where its tops are on one side, every spine sides with them and gains what failed to leaves on the other side; or, in a pod whose leaves
// are all on the other side, it may side with these and gain what failed above it. With sigma = +-1 for the side of a unit (its mean over
// a pod weighted by endpoints) and tau = +-1 for that of a plane, a pod gains
//
//   units agree:     (1 + sigma tau) / 2 max(below, above),
//   units disagree:  sum over units (1 + sigma tau) / 2 below: the former, less (1 + sigma tau) / 2 (above - below)+, at least z of
//                    that, and with what units differ from their pod. z: the least part of its flow that such a pod has on a side; only
//                    a spine that lost more than that above gains the rest, too.
//
// Sigma is balanced, so only what pods differ from the mean of a plane counts in a sum of sigma tau, and that is at most the largest
// singular value of the matrix times the root of the numbers of its rows and columns.
//
// Where tops of a plane are on both sides, a pod whose units agree gains max(below - one top, above) at a spine: against its leaves it
// gives up the flow to at least one top. Any other pod gains what failed below, and above only with tops that side against its spine,
// each of which costs every such pod c, at least 2 z of what a spine sends to a top. One such top is there in any case. A part of its
// cost is set against what these pods gain below, the rest against what they gain above: with q pods on one side of a plane
//
//   sum over the tops against them  (failed to these pods - c q),
//
// and with q of them on one side and r >= q on the other no more than, for n tops,
//
//   (failed above q pods)  +  sum over tops (failed - c (r - q))+  -  c q n,  the sum no more than what failed above r pods.
#include "core/bisection/bounds/degraded/plane_gain.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace railyard {
namespace {

struct Matrix {
    std::size_t rows, columns;
    std::vector<double> values = std::vector<double>(rows * columns);
    double& at(std::size_t row, std::size_t column) { return values[row * columns + column]; }
    std::vector<double> sums() const { // of the columns
        std::vector<double> sum(columns);
        for (std::size_t i = 0; i < values.size(); ++i) sum[i % columns] += values[i];
        return sum;
    }
    double total() const { return std::accumulate(values.begin(), values.end(), 0.0); }
};

// Less the weighted mean of the rows that belong together.
Matrix centred(const Matrix& matrix, const std::vector<std::uint32_t>& partOf, const std::vector<double>& weight) {
    Matrix result = matrix, sum{matrix.rows, matrix.columns};
    std::vector<double> all(matrix.rows);
    for (std::size_t r = 0; r < matrix.rows; ++r) {
        all[partOf[r]] += weight[r];
        for (std::size_t c = 0; c < matrix.columns; ++c) sum.at(partOf[r], c) += result.at(r, c);
    }
    for (std::size_t r = 0; r < matrix.rows; ++r)
        for (std::size_t c = 0; c < matrix.columns; ++c) result.at(r, c) -= sum.at(partOf[r], c) * weight[r] / all[partOf[r]];
    return result;
}
Matrix centred(const Matrix& matrix, const std::vector<double>& weight) {
    return centred(matrix, std::vector<std::uint32_t>(matrix.rows), weight);
}
Matrix centred(const Matrix& matrix) { return centred(matrix, std::vector<double>(matrix.rows, 1)); }

// At least the largest singular value, and little more: the 256th power of the product of the matrix with itself has its eigenvalues to
// that power, and a trace that is their sum.
double largestSingularValue(const Matrix& matrix) {
    constexpr int squarings = 8;
    const std::size_t n = matrix.columns;
    std::vector<double> power(n * n), next(n * n);
    for (std::size_t r = 0; r < matrix.rows; ++r)
        for (std::size_t i = 0; i < n; ++i)
            if (const double factor = matrix.values[r * n + i]; factor != 0)
                for (std::size_t j = 0; j < n; ++j) power[i * n + j] += factor * matrix.values[r * n + j];
    double logarithm = 0, exponent = 1;
    for (int squaring = 0;; ++squaring, exponent *= 2) {
        double trace = 0;
        for (std::size_t i = 0; i < n; ++i) trace += power[i * n + i];
        if (trace <= 0) return 0;
        logarithm += std::log(trace) / exponent;
        if (squaring == squarings) return std::exp(logarithm / 2) * (1 + 1e-9);
        for (double& x : power) x /= trace;
        std::fill(next.begin(), next.end(), 0);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < n; ++k)
                for (std::size_t j = 0; j < n; ++j) next[i * n + j] += power[i * n + k] * power[k * n + j];
        power.swap(next);
    }
}

// [n]: of the n largest values.
std::vector<double> sumsOfLargest(std::vector<double> values) {
    std::sort(values.begin(), values.end(), std::greater<>());
    values.insert(values.begin(), 0);
    std::partial_sum(values.begin(), values.end(), values.begin());
    return values;
}
std::vector<double> sumsOfSmallest(std::vector<double> values) {
    std::transform(values.begin(), values.end(), values.begin(), std::negate<>());
    values = sumsOfLargest(std::move(values));
    std::transform(values.begin(), values.end(), values.begin(), std::negate<>());
    return values;
}

double lostAbove(const std::vector<double>& tops, double cost) {
    return std::accumulate(tops.begin(), tops.end(), 0.0, [&](double sum, double failed) { return sum + std::max(0.0, failed - cost); });
}

class Planes {
public:
    explicit Planes(const PlaneFailures& failures)
        : m_failures(failures),
          m_rows(failures.endpointsOfRow.size()),
          m_planes(failures.planes),
          m_either{m_rows, m_planes},
          m_alone(m_either),
          m_above(m_either),
          m_disagree(m_either),
          m_agree(m_planes),
          m_spines(m_planes),
          m_tops(m_planes) {
        for (const auto& top : failures.tops) m_tops[top.plane].push_back(top.failed.value());
        for (const auto& spine : failures.spines) take(spine);
        Matrix units{failures.endpointsOfUnit.size(), m_planes};
        for (const auto& unit : failures.ofUnits) {
            units.at(unit.unit, unit.plane) += unit.failed.value();
            m_either.at(unit.row, unit.plane) += unit.failed.value();
        }
        std::vector<std::size_t> unitsOf(failures.endpointsOfUnit.size());
        for (const auto pod : failures.podOfUnit) m_mostUnits = std::max(m_mostUnits, ++unitsOf[pod]);
        m_ofEither = largestSingularValue(centred(m_either, failures.endpointsOfRow));
        m_ofUnits = largestSingularValue(centred(units, failures.podOfUnit, failures.endpointsOfUnit));
        m_ofAlone = largestSingularValue(centred(m_alone));
        m_ofDisagree = largestSingularValue(centred(m_disagree));
        m_cost = hasSpines() ? 2 * share() * m_leastToTop : 0;
    }

    // By number of planes whose tops are on both sides. `ofBelow`: the part of the cost of a top that is set against what failed below.
    std::vector<double> most(double ofBelow) const {
        const std::vector<double> either = m_either.sums(), largest = sumsOfLargest(either);
        std::vector<double> more, most; // the first by plane, where its tops are on both sides
        for (std::size_t j = 0; j < m_planes; ++j) more.push_back(m_agree[j] + onBothSides(j, ofBelow) - either[j] / 2);
        more = sumsOfLargest(std::move(more));
        for (std::size_t divided = 0; divided <= (hasSpines() ? m_planes : 0); ++divided) {
            const std::size_t whole = m_planes - divided;
            const double ofPods = m_ofEither * std::sqrt(static_cast<double>(m_rows * whole)) / 2;
            const std::vector<double> inWhole = disagreeInWhole(whole), inDivided = disagreeInDivided(divided, ofBelow);
            double extra = 0;
            for (std::size_t pods = 0; pods <= m_rows; ++pods)
                extra = std::max(extra, std::min(ofPods + inWhole[pods], largest[whole] / 2) + inDivided[pods]);
            most.push_back(m_either.total() / 2 + more[divided] + extra + m_rest);
        }
        return most;
    }

private:
    bool hasSpines() const { return !m_failures.spines.empty(); }
    double share() const { return std::min(m_failures.smallest, 0.5); }

    void take(const PlaneFailures::Spine& spine) {
        const double below = spine.below.value(), above = spine.above.value(), toTop = spine.toTop.value();
        m_alone.at(spine.row, spine.plane) += std::max(0.0, above - below);
        m_either.at(spine.row, spine.plane) += std::max(0.0, above - below); // what failed below comes with the units
        m_above.at(spine.row, spine.plane) += above;
        m_disagree.at(spine.row, spine.plane) += std::min(toTop, below - above);
        m_agree[spine.plane] += std::max(below - toTop, above);
        m_rest += std::max(0.0, above - share() * toTop * static_cast<double>(m_tops[spine.plane].size()));
        m_spines[spine.plane] += 1;
        m_leastToTop = std::min(m_leastToTop, toTop);
        m_mostToTop = std::max(m_mostToTop, toTop);
    }

    // The norm of 1 for these pods and 0 for the others, less the mean.
    double apart(std::size_t pods) const {
        const auto count = static_cast<double>(pods);
        return std::sqrt(count * (1 - count / static_cast<double>(m_rows)));
    }

    // More than if the units of all pods agreed, by the number of pods where they do not, in planes whose tops are on one side.
    std::vector<double> disagreeInWhole(std::size_t planes) const {
        const auto count = static_cast<double>(planes);
        const double mean = sumsOfSmallest(m_alone.sums())[planes] / static_cast<double>(m_rows);
        std::vector<double> more(m_rows + 1);
        for (std::size_t pods = 1; pods <= m_rows; ++pods) {
            const double lost = static_cast<double>(pods) * mean - m_ofAlone * apart(pods) * std::sqrt(count);
            more[pods] = m_ofUnits * std::sqrt(static_cast<double>(pods * m_mostUnits) * count) / 2 - share() * std::max(0.0, lost);
        }
        return more;
    }

    // The same in planes whose tops are on both sides, where these pods are on one.
    std::vector<double> disagreeInDivided(std::size_t planes, double ofBelow) const {
        std::vector<double> more(m_rows + 1);
        if (planes == 0) return more;
        const double cost = (1 - ofBelow) * m_cost;
        std::vector<double> below = m_disagree.sums(), above(m_rows), atMost(m_planes);
        for (std::size_t j = 0; j < m_planes; ++j) below[j] -= ofBelow * m_cost * m_spines[j];
        for (std::size_t i = 0; i < m_above.values.size(); ++i) {
            above[i / m_planes] += m_above.values[i];
            atMost[i % m_planes] += std::max(0.0, m_disagree.values[i]);
        }
        above = sumsOfLargest(std::move(above));
        const double mean = sumsOfLargest(std::move(below))[planes] / static_cast<double>(m_rows),
                     limit = sumsOfLargest(std::move(atMost))[planes];
        for (std::size_t pods = 1; pods <= m_rows; ++pods) {
            const auto count = static_cast<double>(pods);
            std::vector<double> ofTops;
            for (const auto& tops : m_tops) ofTops.push_back(lostAbove(tops, cost * count));
            more[pods] = std::min(sumsOfLargest(std::move(ofTops))[planes], (1 - cost / m_mostToTop) * above[pods]) +
                         std::min(limit, count * mean + m_ofDisagree * apart(pods) * std::sqrt(static_cast<double>(planes)));
        }
        return more;
    }

    double onBothSides(std::size_t plane, double ofBelow) const {
        std::vector<double> above, ofTops; // the second by how many more pods are on the other side
        for (std::size_t p = 0; p < m_rows; ++p) above.push_back(m_above.values[p * m_planes + plane]);
        above = sumsOfLargest(std::move(above));
        for (std::size_t more = 0; more < m_rows; ++more) ofTops.push_back(lostAbove(m_tops[plane], m_cost * static_cast<double>(more)));
        const auto tops = static_cast<double>(m_tops[plane].size());
        double most = 0;
        for (std::size_t fewer = 1; 2 * fewer <= m_rows; ++fewer)
            for (std::size_t others = fewer; fewer + others <= m_rows; ++others) {
                const double costs = static_cast<double>(fewer) * tops - ofBelow * static_cast<double>(fewer + others);
                most = std::max(most, above[fewer] + std::min(ofTops[others - fewer], above[others]) - m_cost * costs);
            }
        return most;
    }

    const PlaneFailures& m_failures;
    std::size_t m_rows, m_planes;
    Matrix m_either, m_alone, m_above;       // by row and plane: max(below, above), (above - below)+, above
    Matrix m_disagree;                       // how much more a row gains if units disagree, where tops are on both sides
    std::vector<double> m_agree, m_spines;   // by plane: what rows gain there if all agree; number of spines
    std::vector<std::vector<double>> m_tops; // by plane: failed below each
    std::size_t m_mostUnits = 0;             // of a pod
    double m_rest = 0;                       // failed above spines, beyond what a pod has at least on a side
    double m_ofEither = 0, m_ofUnits = 0, m_ofAlone = 0, m_ofDisagree = 0; // largest singular values
    double m_leastToTop = std::numeric_limits<double>::infinity(), m_mostToTop = 0, m_cost = 0;
};

} // namespace

std::vector<Bandwidth> mostGainByDividedPlanes(const PlaneFailures& failures) {
    const Planes planes(failures);
    std::vector<double> least;
    for (const double ofBelow : {0.2, 0.4, 0.6, 0.8}) {
        const std::vector<double> most = planes.most(ofBelow);
        least.resize(most.size(), std::numeric_limits<double>::infinity());
        std::transform(most.begin(), most.end(), least.begin(), least.begin(), [](double x, double y) { return std::min(x, y); });
    }
    std::vector<Bandwidth> result;
    for (const double most : least) result.emplace_back(most);
    return result;
}

Bandwidth mostGainOfPlanes(const PlaneFailures& failures) {
    const std::vector<Bandwidth> gains = mostGainByDividedPlanes(failures);
    return *std::max_element(gains.begin(), gains.end());
}

} // namespace railyard
