// Curves of failures: standbys, failed switches, the size of a job, and the two policies for a dead leaf.
#include "core/analysis/curves/failure_curves.h"
#include "core/analysis/edit_text.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/maps/failure_grid.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

class tst_failure_curves : public QObject {
    Q_OBJECT

    static StandbyCurve standbys(const Fabric& fabric, const ReliabilityRequest& request = {}, int threads = 0) {
        return standbyCurve(fabric, billOf(fabric, cablingOf(fabric)), request, {.threads = threads});
    }

private slots:
    // None: the job waits; too many: they stand idle. In between is a best, and a token costs most of all without any.
    void standbysHaveABest() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "256"}});
        const StandbyCurve curve = standbys(*fabric);
        QVERIFY(curve.points.size() > 5 && curve.best > 0 && curve.best + 1 < curve.points.size());
        QCOMPARE(curve.points.front().standbys, 0);
        QVERIFY(curve.moreForToken(0) > 0.1);
        QCOMPARE(curve.moreForToken(curve.best), 0.0);
        for (std::size_t p = 0; p < curve.points.size(); ++p) {
            const StandbyPoint& point = curve.points[p];
            QVERIFY(std::abs(point.trains + point.overhead + point.waits + point.idle - 1) < 1e-9);
            QVERIFY(point.trainsLow <= point.trains + 0.02 && point.trains <= point.trainsHigh + 0.02);
            QCOMPARE(point.idle, static_cast<double>(point.standbys) / 256);
            if (p > 0) QVERIFY(point.standbys > curve.points[p - 1].standbys);
            QVERIFY(curve.moreForToken(p) >= 0);
        }
        QCOMPARE(curve.nearest(curve.points[2].standbys), std::size_t{2});
        const StandbyCurve again = standbys(*fabric, {}, 3);
        QCOMPARE(again.points[1].trains, curve.points[1].trains);
    }
    // Standbys are of the whole design, whatever job it has.
    void aStoredJobChangesNothing() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        Design smaller = *design;
        smaller.training = NamedOptions{{{"gpus", "64"}}, {}};
        const FabricPointer with = elaborate(std::make_shared<const Design>(smaller));
        const StandbyCurve all = standbys(*elaborate(design)), own = standbys(*with);
        QCOMPARE(own.points.size(), all.points.size());
        for (std::size_t p = 0; p < all.points.size(); ++p) QCOMPARE(own.points[p].trains, all.points[p].trains);
    }
    // Failures make neither the job nor the map smaller, and no interruption less probable.
    void failuresKeepTheMap() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const auto gone = select(*fabric, "su[1]/srv[2]");
        const HeatGrid before = failureGrid(*fabric, {}), after = failureGrid(*without(fabric, gone->devices, gone->links), {});
        QCOMPARE(after.x, before.x);
        for (std::size_t i = 0; i < before.values.size(); ++i) QVERIFY(*after.values[i] >= *before.values[i] - 1e-12);
    }
    void lostMoneyIsAShareOfTheCost() {
        const FabricPointer fabric = test::fabricOf("superpod-b200", {{"servers", "64"}});
        const Bill bill = billOf(*fabric, cablingOf(*fabric));
        const StandbyCurve curve = standbyCurve(*fabric, bill, {});
        QVERIFY(curve.cost);
        const double cost = (bill.total.inDollars() / bill.site.years + *bill.energyPerYear() + *bill.spacePerYear()) * 720 / 8760;
        QVERIFY(std::abs(curve.cost->inDollars() / cost - 1) < 1e-6);
        for (const StandbyPoint& point : curve.points) QVERIFY(std::abs(point.lost->inDollars() - cost * (1 - point.trains)) < 1);
    }
    void tooSmallForStandbys() { QVERIFY(standbys(*test::fabricOf("rail-optimized", {{"servers", "1"}})).points.empty()); }
    // Less and less is left; without failures all is.
    void bandwidthFalls() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const BandwidthLeftCurve curve = bandwidthLeftCurve(fabric, {});
        QVERIFY(curve.points.size() >= 4);
        QCOMPARE(curve.points.front().mean, 1.0);
        QCOMPARE(curve.switches, countsOf(*fabric).switches);
        QVERIFY(std::abs(curve.failuresPerYear - 0.00612 * static_cast<double>(curve.switches)) < 1e-9);
        for (std::size_t p = 1; p < curve.points.size(); ++p) {
            QVERIFY(curve.points[p].mean <= curve.points[p - 1].mean + 1e-9);
            QVERIFY(curve.points[p].low <= curve.points[p].mean + 1e-9 && curve.points[p].mean <= curve.points[p].high + 1e-9);
        }
        QVERIFY(curve.points.back().mean < 1);
    }
    void largerJobsTrainLess() {
        const auto points = jobSizeCurve(*test::fabricOf("superpod-h100", {{"servers", "256"}}), {});
        QCOMPARE(points.back().gpus, 2048);
        for (std::size_t p = 1; p < points.size(); ++p) {
            QVERIFY(*points[p].ettr < *points[p - 1].ettr && *points[p].meanTimeHours < *points[p - 1].meanTimeHours);
            QVERIFY(*points[p].ettrLow <= *points[p].ettr && *points[p].ettr <= *points[p].ettrHigh);
        }
    }
    // A dead leaf takes one GPU of each of its servers from the job, or lengthens every step.
    void policiesForADeadLeaf() {
        for (const char* recipe : {"superpod-h100", "rail-only"}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "64"}});
            const auto found = leafPolicies(fabric, {});
            QVERIFY2(found, found ? "" : toText(found.error()).c_str());
            QVERIFY(found->leaving.gpus < 512 && found->forwarding.gpus == 512);
            QVERIFY(std::abs(found->leaving.throughputChange - (static_cast<double>(found->leaving.gpus) / 512 - 1)) < 1e-12);
            QVERIFY(found->forwarding.step >= found->leaving.step);
            QVERIFY(found->leaving.restart > Seconds(300) && found->forwarding.restart == Seconds(0));
            if (const auto turn = found->turn()) {
                const double a = found->leaving.lost(*turn).value(), b = found->forwarding.lost(*turn).value();
                QVERIFY(std::abs(a / b - 1) < 1e-9);
            }
            ReliabilityRequest slow; // paths that come too late are a restart too
            slow.recovery = Seconds(1000);
            QVERIFY(leafPolicies(fabric, slow)->forwarding.restart > Seconds(0));
            ReliabilityRequest half; // the job of the request, not that of the design
            half.jobGpus = 256;
            const auto ofHalf = leafPolicies(fabric, half);
            QVERIFY2(ofHalf, ofHalf ? "" : toText(ofHalf.error()).c_str());
            QCOMPARE(ofHalf->forwarding.gpus, 256);
            QVERIFY(ofHalf->leaving.gpus < 256 && ofHalf->leaving.gpus >= 256 - 32);
        }
    }
    // After failures, from what is left.
    void policiesAfterFailures() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "37"}});
        const auto gone = [&](const char* selector) {
            const auto removal = removalOf(*fabric, {{selector}});
            return without(fabric, removal->devices, removal->links);
        };
        const auto intact = leafPolicies(fabric, {}), after = leafPolicies(gone("su[1]/leaf[2]"), {});
        QVERIFY(intact && after);
        QCOMPARE(QString::fromStdString(after->leaf), QStringLiteral("su[1]/leaf[1]"));
        QVERIFY(after->leaving.step > intact->leaving.step && after->forwarding.step > intact->forwarding.step);
        QCOMPARE(QString::fromStdString(leafPolicies(gone("su[1]/leaf[1]"), {})->leaf), QStringLiteral("su[1]/leaf[2]"));
        QVERIFY(!leafPolicies(gone("**"), {}));
    }
    void policiesNeedALeaf() {
        QVERIFY(!leafPolicies(test::fabricOf("rail-optimized", {{"servers", "1"}}), {}) ||
                leafPolicies(test::fabricOf("rail-optimized", {{"servers", "1"}}), {})->leaving.gpus < 8);
    }
    // The map against the closed form of the same job; larger fabrics are built by the same recipe.
    void probabilitiesByJobAndRates() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const HeatGrid grid = failureGrid(*fabric, {});
        QCOMPARE(grid.x, (std::vector<double>{8, 16, 32, 64, 128, 256, 512, 1024, 2048}));
        for (std::size_t y = 0; y < grid.y.size(); ++y)
            for (std::size_t x = 0; x < grid.x.size(); ++x) {
                ReliabilityRequest request;
                request.earlyLife = grid.y[y];
                const bool isLarger = grid.x[x] > 512;
                const FabricPointer of =
                    isLarger ? test::fabricOf("superpod-h100", {{"servers", std::to_string(static_cast<int>(grid.x[x]) / 8)}}) : fabric;
                request.jobGpus = static_cast<std::int64_t>(grid.x[x]);
                const Reliability known = reliabilityOf(*of, jobPartsOf(*of, *jobPlaceOf(*of, request), request.policy), request);
                QVERIFY(std::abs(*grid.values[grid.at(x, y)] - *known.probability) < 1e-9);
            }
    }
    // Larger fabrics are built whole; the job is as large as the column says.
    void columnsOfEditedDesigns() {
        const auto edit = applyEdit(test::designOf("superpod-h100", {{"servers", "64"}}), "remove su[1]/srv[1]/gpu[8]");
        QVERIFY(edit);
        const HeatGrid grid = failureGrid(*elaborate(edit->design), {});
        QCOMPARE(grid.x.back(), 4.0 * 511);
        const FabricPointer larger = test::fabricOf("superpod-h100", {{"servers", "256"}});
        ReliabilityRequest request;
        request.jobGpus = 4 * 511;
        request.earlyLife = grid.y.front();
        const JobParts parts = jobPartsOf(*larger, *jobPlaceOf(*larger, request), request.policy);
        QVERIFY(std::abs(*grid.values[grid.at(grid.x.size() - 1, 0)] - *reliabilityOf(*larger, parts, request).probability) < 1e-9);
        QVERIFY(grid.notes[grid.at(grid.x.size() - 1, 0)].find("as the recipe builds it") != std::string::npos);
    }
    void unknownRatesAreNoZero() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        ReliabilityRequest request;
        for (const std::string_view name : partKindNames) request.rates[*partKindFrom(name)] = {{}, {}, 5, ""};
        const Reliability known = reliabilityOf(*fabric, jobPartsOf(*fabric, *jobPlaceOf(*fabric, request), request.policy), request);
        QVERIFY(!known.isKnown && !known.probability && !known.meanTimeHours && *known.probabilityHigh > 0.99);
        for (const auto& value : failureGrid(*fabric, request).values) QVERIFY(!value);
        request.rates[PartKind::Gpu] = {{}, 0, {}, ""}; // known to be 0
        QCOMPARE(*reliabilityOf(*fabric, jobPartsOf(*fabric, *jobPlaceOf(*fabric, request), request.policy), request).probability, 0.0);
    }
    void sharesOfFewServers() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        ReliabilityRequest request;
        const auto notes = [&] {
            return reliabilityOf(*fabric, jobPartsOf(*fabric, *jobPlaceOf(*fabric, request), request.policy), request).notes.size();
        };
        QCOMPARE(notes(), std::size_t{0});
        request.lemonShare = 0.01, request.lemonMultiple = 10;
        request.slowShare = 0.01, request.slowRatio = 1.5;
        QCOMPARE(notes(), std::size_t{2});
        request.lemonShare = 0.02;
        QCOMPARE(notes(), std::size_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_failure_curves)
#include "tst_failure_curves.moc"
