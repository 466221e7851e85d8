// Power feeds of racks: what hangs on them, what they take, and the worst two failures.
#include "core/analysis/edit_text.h"
#include "core/failure/removal.h"
#include "core/floor/floor.h"
#include "core/io/document/design_json.h"
#include "core/io/document/design_text.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/monte_carlo.h"
#include "core/reliability/power_feeds.h"
#include "core/reliability/remedies.h"
#include "core/reliability/single_failures.h"
#include "core/reliability/worst_pair.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

class tst_power_feeds : public QObject {
    Q_OBJECT

    static DesignPointer placed(const std::string& feeds, const std::string& servers = "64") {
        return test::designOf("superpod-h100", {{"servers", servers}, {"racks", "auto"}, {"power_feeds", feeds}});
    }
    static std::size_t gone(const Fabric& fabric, const std::vector<std::string>& selectors) {
        const auto removal = removalOf(fabric, {selectors});
        if (!removal) qFatal("%s", removal.error().text.c_str());
        return static_cast<std::size_t>(std::count(removal->devices.begin(), removal->devices.end(), true));
    }
    static DesignPointer edited(const DesignPointer& design, const char* command) {
        const auto edit = applyEdit(design, command);
        if (!edit) qFatal("%s", edit.error().text.c_str());
        return edit->design;
    }
    static JobParts partsOf(const Fabric& fabric, const ReliabilityRequest& request = {}) {
        return jobPartsOf(fabric, *jobPlaceOf(fabric, request), request.policy);
    }

private slots:
    void redundantFeedsTakeNothing() {
        const FabricPointer fabric = elaborate(placed("a+b"));
        QCOMPARE(gone(*fabric, {"feed=A"}), std::size_t{0});
        QCOMPARE(gone(*fabric, {"feed=A/B"}), std::size_t{0});
        QCOMPARE(gone(*fabric, {"feed=A/A", "feed=A/B"}), gone(*fabric, {"row=A"})); // both
        QCOMPARE(gone(*fabric, {"feed=A", "feed=B"}), fabric->devices.size());
        for (const RowFeed& feed : rowFeedsOf(*fabric)) QVERIFY(feed.devices.empty());
        QVERIFY(!hasSingleFeeds(*fabric->design));
        ReliabilityRequest request; // nor do they hold up the job
        request.rates[PartKind::PowerFeed] = {{}, 10, {}, ""};
        for (const Operation::Kind& kind : operationOf(*fabric, *jobPlaceOf(*fabric, request), request).kinds)
            QVERIFY(kind.kind != PartKind::PowerFeed);
    }
    void singleAndAlternatingFeeds() {
        const FabricPointer single = elaborate(placed("a"));
        QCOMPARE(gone(*single, {"feed=A"}), single->devices.size());
        QCOMPARE(gone(*single, {"feed=A/A"}), gone(*single, {"row=A"}));
        const FabricPointer inTurn = elaborate(placed("alternating"));
        const std::size_t a = gone(*inTurn, {"feed=A"}), b = gone(*inTurn, {"feed=B"});
        QVERIFY(a > 0 && b > 0);
        QCOMPARE(a + b, inTurn->devices.size());
        QCOMPARE(gone(*inTurn, {"feed=A/A"}) + gone(*inTurn, {"feed=A/B"}), gone(*inTurn, {"row=A"}));
        std::size_t all = 0;
        for (const RowFeed& feed : rowFeedsOf(*inTurn)) all += feed.devices.size();
        QCOMPARE(all, inTurn->devices.size());
    }
    void aRackHasItsOwn() {
        const DesignPointer design = edited(placed("a+b"), "set su[1]/rack[1].feeds=b");
        const FabricPointer fabric = elaborate(design);
        QCOMPARE(gone(*fabric, {"feed=B"}), gone(*fabric, {"rack=" + floorOf(*fabric).racks.front().label}));
        const auto again = readDesign(designText(*design), "again.railyard");
        QVERIFY(again && (*again)->floor->feedsOf.at("su[1]/rack[1]") == RackFeeds::B);
        QVERIFY((*again)->floor->feeds == PowerFeeds::Redundant);
        QVERIFY(*edited(design, "set su[1]/rack[1].feeds=")->floor == *placed("a+b")->floor);
        for (const char* wrong : {"set su[1]/rack[1].feeds=c", "set su[9]/rack[77].feeds=a"}) QVERIFY2(!applyEdit(design, wrong), wrong);
    }
    void documentsWithWrongFeedsAreRefused() {
        const std::string text = designText(*edited(placed("alternating"), "set su[1]/rack[1].feeds=b"));
        QVERIFY(text.find("\"power_feeds\": \"alternating\"") != std::string::npos);
        for (const auto& [from, to] : {std::pair("\"su[1]/rack[1]\": \"b\"", "\"su[1]/rack[1]\": \"c\""),
                                       {"\"su[1]/rack[1]\": \"b\"", "\"su[1]/rack[1]\": 3"},
                                       {"\"power_feeds\": \"alternating\"", "\"power_feeds\": \"sometimes\""}}) {
            std::string wrong = text;
            const std::size_t at = wrong.rfind(from); // the last one is that of the floor, not of the recipe
            QVERIFY2(at != std::string::npos, from);
            wrong.replace(at, std::string(from).size(), to);
            QVERIFY2(!readDesign(wrong, "wrong.railyard"), to);
        }
    }
    void unknownFeedsAreErrors() {
        const FabricPointer fabric = elaborate(placed("a"));
        for (const char* wrong : {"feed=C", "feed=ZZ/A", "feed=", "feed=a", "feed=A/"}) QVERIFY2(!removalOf(*fabric, {{wrong}}), wrong);
        const auto without = removalOf(*test::fabricOf("superpod-h100"), {{"feed=A"}});
        QVERIFY(!without && without.error().text.find("no racks") != std::string::npos);
    }
    // As a component: it interrupts where racks have no other feed, and the simulation follows the closed form.
    void feedsInterruptWhereTheyAreAlone() {
        ReliabilityRequest request;
        for (const std::string_view name : partKindNames) request.rates[*partKindFrom(name)] = {{}, 0, {}, ""};
        request.rates[PartKind::PowerFeed] = {{}, 2, {}, ""};
        for (const char* feeds : {"a+b", "alternating", "a"}) {
            const FabricPointer fabric = elaborate(placed(feeds));
            const bool isRedundant = std::string(feeds) == "a+b";
            const Reliability known = reliabilityOf(*fabric, partsOf(*fabric, request), request);
            std::int64_t rows = 0, count = 0;
            for (const FailureComponent& row : known.components) {
                if (row.kind != PartKind::PowerFeed) continue;
                ++rows;
                count += row.count;
                QCOMPARE(row.interruptsJob, !isRedundant);
            }
            QCOMPARE(rows, 1);
            QCOMPARE(count, static_cast<std::int64_t>(rowFeedsOf(*fabric).size()));
            const MonteCarlo m = simulate(operationOf(*fabric, *jobPlaceOf(*fabric, request), request), request, Seconds(3600), {4000, 1});
            QVERIFY2(m.interruptProbability.low <= *known.probability && *known.probability <= m.interruptProbability.high,
                     qPrintable(QStringLiteral("%1 %2 %3 %4")
                                    .arg(feeds)
                                    .arg(m.interruptProbability.low)
                                    .arg(*known.probability)
                                    .arg(m.interruptProbability.high)));
            QCOMPARE(*known.probability > 0, !isRedundant);
        }
        const Reliability usual = usualReliability(*elaborate(placed("a"))); // no rate is published: they are no part of the table
        for (const FailureComponent& row : usual.components) QVERIFY(row.kind != PartKind::PowerFeed);
    }
    void singleFailuresNameThem() {
        const FabricPointer fabric = elaborate(placed("alternating"));
        std::int64_t count = 0, lost = 0;
        for (const SingleFailure& each : singleFailures(fabric, partsOf(*fabric), {})) {
            if (each.kind != PartKind::PowerFeed) continue;
            QVERIFY(each.path.starts_with("feed=") && removalOf(*fabric, {{each.path}}));
            count += each.count;
            lost += each.count * each.gpusLost;
            QVERIFY(each.interruptsJob == (each.gpusLost > 0));
        }
        QCOMPARE(count, static_cast<std::int64_t>(rowFeedsOf(*fabric).size()));
        QVERIFY(lost >= countsOf(*fabric).gpus);
    }
    // Two servers lose what stands in them; the two leaves of a server with two NIC ports lose all below them.
    void worstPairs() {
        const FabricPointer rails = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const auto servers = worstPair(rails, partsOf(*rails), FailurePolicy::Strict);
        QVERIFY(servers && servers->gpusLost == 16 && servers->interruptsJob && *servers->bandwidthLeft < 1);
        const FabricPointer dual =
            test::fabricOf("fat-tree", {{"servers", "32"}, {"nics_per_server", "1"}, {"nic_ports", "2"}, {"planes", "2"}});
        const auto leaves = worstPair(dual, partsOf(*dual), FailurePolicy::Strict);
        QVERIFY(leaves);
        QVERIFY2(leaves->gpusLost > 16 && leaves->gpusLost % 8 == 0, leaves->paths[0].c_str());
        for (const std::string& path : leaves->paths) QVERIFY2(path.find("leaf") != std::string::npos, path.c_str());
        const auto both = removalOf(*dual, {{leaves->paths[0], leaves->paths[1]}});
        QVERIFY(both);
        std::vector<DeviceId> devices;
        for (const DeviceId d : dual->devices.ids())
            if (both->devices[d]) devices.push_back(d);
        QCOMPARE(static_cast<std::int64_t>(lossOf({devices, {}}, *dual, partsOf(*dual), FailurePolicy::Tolerant).gpus.size()),
                 leaves->gpusLost);
        // No other pair of leaves takes more.
        std::vector<DeviceId> all;
        for (const DeviceId d : dual->devices.ids())
            if (dual->devices.routes(d) && dual->devices.tier[d] == SwitchTier::Leaf) all.push_back(d);
        const JobParts parts = partsOf(*dual);
        for (const DeviceId a : all)
            for (const DeviceId b : all)
                if (a < b)
                    QVERIFY(static_cast<std::int64_t>(lossOf({{a, b}, {}}, *dual, parts, FailurePolicy::Tolerant).gpus.size()) <=
                            leaves->gpusLost);
    }
    void remediesHavePrices() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request;
        request.standbys = 4;
        std::map<std::string_view, Remedy> all;
        for (const Remedy& each : remediesOf(*fabric, partsOf(*fabric, request), request)) all[each.key] = each;
        QCOMPARE(all.size(), std::size_t{4});
        QCOMPARE(all.at("standby-server").count, std::int64_t{4});
        QCOMPARE(all.at("spare-gpu").count, std::int64_t{60});
        QVERIFY(!all.at("standby-server").each); // DGX H100 has a price range only
        const Part* leaf = shippedCatalog()->find("sw-qm9700");
        QVERIFY(leaf->price && all.at("spare-leaf").each == leaf->price->base);
        QCOMPARE(all.at("spare-leaf").total()->inCents(), leaf->price->base->inCents() * all.at("spare-leaf").count);
        for (const auto& [key, each] : all) QVERIFY(each.with < each.without && !each.part.empty());
    }
};

QTEST_APPLESS_MAIN(tst_power_feeds)
#include "tst_power_feeds.moc"
