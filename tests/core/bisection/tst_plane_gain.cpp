#include "core/bisection/bounds/degraded/plane_gain.h"

#include "tests/support/designs.h"

#include <numeric>

using namespace railyard;

namespace {

// Pods of units, a spine of every pod in every plane, and failures between them, each of at most the flow that was there.
struct Network {
    int pods, planes, topsOfPlane;
    std::vector<std::vector<double>> units;              // by pod: endpoints of each unit, each with a flow of 1
    std::vector<std::vector<std::vector<double>>> below; // by pod, unit and plane
    std::vector<std::vector<std::vector<double>>> above; // by pod, plane and top
    double flow(int pod) const { return std::accumulate(units[at(pod)].begin(), units[at(pod)].end(), 0.0) / planes; }
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

Network drawn(test::Random& random) {
    Network n{1 + random.below(4), 1 + random.below(3), 1 + random.below(4), {}, {}, {}};
    const int often = 1 + random.below(6); // one link of this many has failed
    const auto failed = [&](double flow) { return random.below(often) > 0 ? 0.0 : random.below(3) == 0 ? flow / 2 : flow; };
    const bool areAlike = random.below(2) == 0;
    const int unitsOfPod = 1 + random.below(3);
    for (int p = 0; p < n.pods; ++p) {
        n.units.emplace_back();
        n.below.emplace_back();
        n.above.emplace_back();
        for (int u = 0; u < unitsOfPod; ++u) {
            n.units.back().push_back(areAlike ? 2 : 1 + random.below(2));
            n.below.back().emplace_back();
            for (int j = 0; j < n.planes; ++j) {
                double sum = 0; // of two leaves
                for (int leaf = 0; leaf < 2; ++leaf) sum += failed(n.units.back().back() / 2 / n.planes);
                n.below.back().back().push_back(sum);
            }
        }
        for (int j = 0; j < n.planes; ++j) {
            n.above.back().emplace_back();
            for (int t = 0; t < n.topsOfPlane; ++t) n.above.back().back().push_back(failed(n.flow(p) / n.topsOfPlane));
        }
    }
    return n;
}

PlaneFailures failuresOf(const Network& n) {
    PlaneFailures failures;
    failures.planes = static_cast<std::uint32_t>(n.planes);
    std::vector<std::vector<double>> ofTops(Network::at(n.planes), std::vector<double>(Network::at(n.topsOfPlane)));
    for (int p = 0; p < n.pods; ++p) {
        const auto& units = n.units[Network::at(p)];
        for (std::size_t u = 0; u < units.size(); ++u) {
            for (std::uint32_t j = 0; j < failures.planes; ++j)
                failures.ofUnits.push_back({static_cast<std::uint32_t>(failures.endpointsOfUnit.size()), static_cast<std::uint32_t>(p), j,
                                            Bandwidth(n.below[Network::at(p)][u][j])});
            failures.endpointsOfUnit.push_back(units[u]);
            failures.podOfUnit.push_back(static_cast<std::uint32_t>(p));
            failures.smallest = std::min(failures.smallest, units[u] / (n.flow(p) * n.planes));
        }
        failures.endpointsOfRow.push_back(n.flow(p) * n.planes);
        for (std::uint32_t j = 0; j < failures.planes; ++j) {
            double below = 0, above = 0;
            for (const auto& ofUnit : n.below[Network::at(p)]) below += ofUnit[j];
            for (std::size_t t = 0; t < ofTops[j].size(); ++t) {
                above += n.above[Network::at(p)][j][t];
                ofTops[j][t] += n.above[Network::at(p)][j][t];
            }
            failures.spines.push_back(
                {static_cast<std::uint32_t>(p), j, Bandwidth(below), Bandwidth(above), Bandwidth(n.flow(p) / n.topsOfPlane)});
        }
    }
    for (std::uint32_t j = 0; j < failures.planes; ++j)
        for (const double failed : ofTops[j]) failures.tops.push_back({j, Bandwidth(failed)});
    return failures;
}

// What the spines of a pod gain in a plane, on the better side of each.
double gainOf(const Network& n, int p, int j, const std::vector<bool>& unitOnB, std::size_t firstUnit, int topsOnB) {
    double failedToB = 0, failedToA = 0, flowOfB = 0, aboveToB = 0, aboveToA = 0, shareOfB = 0;
    const auto& units = n.units[Network::at(p)];
    for (std::size_t u = 0; u < units.size(); ++u) {
        const bool isOnB = unitOnB[firstUnit + u];
        (isOnB ? failedToB : failedToA) += n.below[Network::at(p)][u][Network::at(j)];
        flowOfB += isOnB ? units[u] / n.planes : 0;
    }
    for (int t = 0; t < n.topsOfPlane; ++t) {
        const bool isOnB = (topsOnB >> t & 1) != 0;
        (isOnB ? aboveToB : aboveToA) += n.above[Network::at(p)][Network::at(j)][Network::at(t)];
        shareOfB += isOnB ? 1.0 / n.topsOfPlane : 0;
    }
    return std::max(failedToB + aboveToB - 2 * shareOfB * flowOfB, failedToA + aboveToA - 2 * (1 - shareOfB) * (n.flow(p) - flowOfB));
}

// By number of planes with tops on both sides.
std::vector<double> mostGain(const Network& n) {
    std::vector<double> endpoints, most(Network::at(n.planes) + 1, -1);
    for (const auto& units : n.units) endpoints.insert(endpoints.end(), units.begin(), units.end());
    for (unsigned sides = 0; sides < 1U << endpoints.size(); ++sides) {
        std::vector<bool> onB;
        double balance = 0;
        for (std::size_t u = 0; u < endpoints.size(); ++u) {
            onB.push_back((sides >> u & 1U) != 0);
            balance += onB.back() ? endpoints[u] : -endpoints[u];
        }
        if (balance != 0) continue;
        double whole = 0;
        std::vector<double> more; // tops of one plane do not matter to another
        for (int j = 0; j < n.planes; ++j) {
            double best[2] = {-1e9, -1e9}; // tops on one side, on both
            for (int tops = 0; tops < 1 << n.topsOfPlane; ++tops) {
                double here = 0;
                std::size_t first = 0;
                for (int p = 0; p < n.pods; first += n.units[Network::at(p)].size(), ++p) here += gainOf(n, p, j, onB, first, tops);
                double& kind = best[tops == 0 || tops == (1 << n.topsOfPlane) - 1 ? 0 : 1];
                kind = std::max(kind, here);
            }
            whole += best[0];
            more.push_back(best[1] - best[0]);
        }
        std::sort(more.begin(), more.end(), std::greater<>());
        for (std::size_t divided = 0; divided < most.size(); ++divided) {
            most[divided] = std::max(most[divided], whole);
            whole += divided < more.size() ? more[divided] : 0;
        }
    }
    return most;
}

} // namespace

class tst_plane_gain : public QObject {
    Q_OBJECT

private slots:
    // All sides of units and tops are tried; the gain of a spine is that of the cut.
    void isNeverExceeded() {
        test::Random random{11};
        std::vector<int> tried(4), exact(4);
        for (int round = 0; round < 20000; ++round) {
            const Network n = drawn(random);
            const std::vector<double> most = mostGain(n);
            const std::vector<Bandwidth> bounds = mostGainByDividedPlanes(failuresOf(n));
            QCOMPARE(bounds.size(), most.size());
            for (std::size_t divided = 0; divided < most.size() && most[0] >= 0; ++divided) { // else there are no halves
                const double bound = bounds[divided].value();
                ++tried[divided];
                exact[divided] += bound <= most[divided] * 1.25 + 1e-6 ? 1 : 0;
                QVERIFY2(bound >= most[divided] - 1e-9, qPrintable(QStringLiteral("round %1, %2 divided planes: %3 gained, the bound is %4")
                                                                       .arg(round)
                                                                       .arg(divided)
                                                                       .arg(most[divided])
                                                                       .arg(bound)));
            }
            QVERIFY(mostGainOfPlanes(failuresOf(n)) == *std::max_element(bounds.begin(), bounds.end()));
        }
        for (std::size_t divided = 0; divided < tried.size(); ++divided)
            QVERIFY2(tried[divided] > 2000 && exact[divided] > 50,
                     qPrintable(QStringLiteral("%1: %2 %3").arg(divided).arg(tried[divided]).arg(exact[divided])));
    }
    void nothingFailed() {
        test::Random random{3};
        Network n = drawn(random);
        for (auto& pod : n.below)
            for (auto& unit : pod) std::fill(unit.begin(), unit.end(), 0);
        for (auto& pod : n.above)
            for (auto& plane : pod) std::fill(plane.begin(), plane.end(), 0);
        QVERIFY(mostGainOfPlanes(failuresOf(n)) <= Bandwidth(1e-9));
    }
    // 64 pods of 4 units and 32 planes lose 1 % of their links at random: half of what failed, and little more, is gained.
    void manyFailuresAtRandom() {
        constexpr int pods = 64, unitsOfPod = 4, planes = 32, leaves = 8;
        test::Random random{5};
        Network n{pods, planes, planes, {}, {}, {}};
        double failed = 0;
        const auto draw = [&](double flow) {
            const double lost = random.below(100) == 0 ? flow : 0;
            failed += lost;
            return lost;
        };
        for (int p = 0; p < pods; ++p) {
            n.units.emplace_back(unitsOfPod, leaves * planes);
            n.below.emplace_back(unitsOfPod, std::vector<double>(planes));
            n.above.emplace_back(planes, std::vector<double>(planes));
            for (auto& unit : n.below.back())
                for (double& plane : unit)
                    for (int leaf = 0; leaf < leaves; ++leaf) plane += draw(1);
            for (auto& plane : n.above.back())
                for (double& top : plane) top = draw(1);
        }
        const double gain = mostGainOfPlanes(failuresOf(n)).value();
        QVERIFY2(gain > 0.5 * failed && gain < 0.85 * failed, qPrintable(QStringLiteral("%1 of %2").arg(gain).arg(failed)));
    }
};

QTEST_GUILESS_MAIN(tst_plane_gain)
#include "tst_plane_gain.moc"
