// What one failure takes, against removing every element in turn.
#include "core/bisection/bisection.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/operation.h"
#include "core/reliability/single_failures.h"
#include "tests/support/designs.h"

#include <cmath>
#include <map>
#include <tuple>

using namespace railyard;

class tst_single_failures : public QObject {
    Q_OBJECT

    static std::vector<SingleFailure> of(const FabricPointer& fabric, const ReliabilityRequest& request = {}) {
        return singleFailures(fabric, jobPartsOf(*fabric, *jobPlaceOf(*fabric, request), request.policy), request);
    }
    static const SingleFailure* first(const std::vector<SingleFailure>& all, PartKind kind) {
        for (const SingleFailure& each : all)
            if (each.kind == kind) return &each;
        return nullptr;
    }

private slots:
    // Every server and switch stands in a row that says what it takes, also where the fabric is irregular or has failed in part.
    void rowsHoldForAllTheirParts_data() {
        QTest::addColumn<QString>("call");
        QTest::addColumn<QString>("failed");
        for (const auto& [call, failed] : std::vector<std::pair<const char*, const char*>>{
                 {"rail-optimized servers=10 radix=8 uplinks=used spine_rule=exact", ""},
                 {"rail-optimized servers=8 radix=8", ""},
                 {"rail-optimized servers=8 radix=8", "su[1]/srv[1]/nic[1]"},
                 {"rail-optimized servers=8 radix=8", "su[1]/leaf[1]"},
                 {"rail-optimized servers=8 radix=8", "pod[1]/spine[1]"},
                 {"fat-tree servers=8 radix=16", "su[1]/leaf[1]"},
                 {"fat-tree servers=8 radix=16", "su[1]/srv[1]/nic[1] su[1]/srv[1]/nic[2]"},
                 {"rail-optimized servers=8 nics_per_server=1 hb_domain_gpus=16 su_servers=4 leaf_down=4 leaf_up=4 tiers=2",
                  "su[1]/hb[1]/srv[1]/nic[1]"},
                 {"rail-only servers=10 radix=8", "rail=2"}})
            QTest::addRow("%s, failed %s", call, failed) << call << failed;
    }
    void rowsHoldForAllTheirParts() {
        QFETCH(QString, call);
        QFETCH(QString, failed);
        QStringList words = call.split(QLatin1Char(' '));
        std::map<std::string, std::string> parameters;
        for (const QString& each : words.mid(1))
            parameters[each.section(QLatin1Char('='), 0, 0).toStdString()] = each.section(QLatin1Char('='), 1).toStdString();
        const FabricPointer intact = test::fabricOf(words[0].toStdString(), parameters);
        std::vector<std::string> selectors;
        for (const QString& each : failed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) selectors.push_back(each.toStdString());
        const auto removal = removalOf(*intact, {.selectors = selectors});
        QVERIFY(removal);
        const FabricPointer fabric = selectors.empty() ? intact : without(intact, removal->devices, removal->links);
        const JobParts parts = remainingPartsOf(*fabric, *jobPlaceOf(*fabric, {}), FailurePolicy::Strict);

        using Row = std::tuple<PartKind, std::int64_t, long>; // kind, GPUs lost, bandwidth left in millionths
        std::map<Row, std::int64_t> expected, found;
        const auto bisectionOf = [](const Fabric& of) { return bisection(of, BisectionKey::Server).upperGbps; };
        const double before = bisectionOf(*fabric);
        const auto add = [&](PartKind kind, const std::vector<DeviceId>& devices) {
            std::vector<bool> gone(fabric->devices.size());
            for (const DeviceId d : devices) gone[d] = true;
            const auto lost = lossOf({devices, {}}, *fabric, parts, FailurePolicy::Tolerant).gpus.size();
            ++expected[{kind, static_cast<std::int64_t>(lost), std::lround(bisectionOf(*without(fabric, gone, {})) / before * 1e6)}];
        };
        std::map<ServerId, std::vector<DeviceId>> servers;
        for (const DeviceId d : fabric->devices.ids()) {
            if (const ServerId server = fabric->devices.server[d]; server != none) servers[server].push_back(d);
            if (fabric->devices.routes(d) && parts.devices[d] != PartUse::None) add(kindOfTier(fabric->devices.tier[d]), {d});
        }
        for (const ServerId server : parts.servers) add(PartKind::Server, servers.at(server));
        for (const SingleFailure& row : singleFailures(fabric, parts, {}))
            if (row.kind == PartKind::Server || (row.kind >= PartKind::Leaf && row.kind <= PartKind::Core))
                found[{row.kind, row.gpusLost, std::lround(row.bandwidthLeft.value_or(-1) * 1e6)}] += row.count;
        const auto say = [](const std::map<Row, std::int64_t>& rows) {
            QString text;
            for (const auto& [row, count] : rows)
                text += QStringLiteral("%1 lost %2 left %3: %4; ")
                            .arg(int(std::get<0>(row)))
                            .arg(std::get<1>(row))
                            .arg(std::get<2>(row))
                            .arg(count);
            return text;
        };
        QVERIFY2(found == expected, qPrintable(say(found) + QStringLiteral("\nexpected ") + say(expected)));
    }
    void railOptimized() {
        const auto all = of(test::fabricOf("superpod-h100", {{"servers", "64"}}));
        const SingleFailure* leaf = first(all, PartKind::Leaf);
        QVERIFY(leaf && leaf->count == 16 && leaf->gpusLost == 0 && leaf->gpusDegraded == 32 && leaf->interruptsJob);
        const SingleFailure* gpu = first(all, PartKind::Gpu);
        QVERIFY(gpu && gpu->count == 512 && gpu->gpusLost == 8 && gpu->gpusDegraded == 0 && gpu->path == "su[1]/srv[1]/gpu[1]");
        const SingleFailure* spine = first(all, PartKind::Spine);
        QVERIFY(spine && !spine->interruptsJob && spine->gpusDegraded == 512);
        const SingleFailure* link = first(all, PartKind::HostLink);
        QVERIFY(link && link->count == 512 && link->gpusDegraded == 1 && link->interruptsJob);
        const SingleFailure* up = first(all, PartKind::Link);
        QVERIFY(up && up->gpusDegraded == 32 && !up->interruptsJob);
        QCOMPARE(all.front().gpusLost, 8); // sorted by harm
        for (std::size_t i = 1; i < all.size(); ++i) QVERIFY(all[i].gpusLost <= all[i - 1].gpusLost);
    }
    // 72 GPUs lose HB links with any of nine trays of two chips.
    void switchTraysOfRacks() {
        const auto all = of(test::fabricOf("superpod-gb200", {{"servers", "36"}}));
        const SingleFailure* tray = first(all, PartKind::NvlinkSwitchTray);
        QVERIFY(tray && tray->count == 18 && tray->gpusLost == 0 && tray->gpusDegraded == 72 && tray->interruptsJob);
    }
    // A GPU that a leaf cuts off although its own NIC has no cable is lost, not less than none degraded; the NIC costs nothing.
    void nicsThatWereNeverCabled() {
        FabricPointer fabric =
            test::fabricOf("fat-tree", {{"servers", "2"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}, {"radix", "8"}});
        std::vector<bool> gone(fabric->links.size());
        for (const LinkId l : fabric->links.ids())
            gone[l] = fabric->links.tier[l] == LinkTier::HostLeaf && fabric->devicePath(fabric->links.a[l]) == "su[1]/srv[1]/nic[2]";
        fabric = test::asDrawn(*without(fabric, {}, gone));
        const auto all = of(fabric);
        for (const SingleFailure& each : all) QVERIFY2(each.gpusDegraded >= 0, each.path.c_str());
        const SingleFailure* leaf = first(all, PartKind::Leaf);
        QVERIFY(leaf && leaf->gpusLost == 4 && leaf->gpusDegraded == 0);
        for (const SingleFailure& each : all)
            if (each.path == "su[1]/srv[1]/nic[2]") QVERIFY(each.gpusLost == 0 && each.gpusDegraded == 0);
    }
    // What fails next where leaves have failed: of those that are left, and against the bandwidth that is left.
    void furtherFailures() {
        const FabricPointer intact =
            test::fabricOf("rail-optimized", {{"servers", "16"}, {"nic_ports", "2"}, {"planes", "2"}, {"radix", "64"}});
        std::vector<bool> gone(intact->devices.size());
        for (const DeviceId d : intact->devices.ids()) gone[d] = intact->devicePath(d) == "su[1]/leaf[1]";
        const FabricPointer fabric = without(intact, gone, {});
        const JobPlace place = *jobPlaceOf(*fabric, {});
        const auto all = singleFailures(fabric, remainingPartsOf(*fabric, place, FailurePolicy::Strict), {});
        std::int64_t leaves = 0, last = 0;
        for (const SingleFailure& each : all)
            if (each.kind == PartKind::Leaf) leaves += each.count, last += each.interruptsJob ? each.count : 0;
        QVERIFY2(leaves == 15 && last == 1, qPrintable(QStringLiteral("%1 %2").arg(leaves).arg(last)));
    }
    // With more uplinks than downlinks a spine is no loss; with NICs of two ports a leaf takes half of their speed.
    void spareCapacityIsNoLoss() {
        const auto racks = of(test::fabricOf("superpod-gb200", {{"servers", "36"}}));
        QCOMPARE(first(racks, PartKind::Spine)->gpusDegraded, 0);
        QCOMPARE(first(racks, PartKind::Tray)->gpusLost, 4);
        const auto dual = of(test::fabricOf("rail-optimized", {{"servers", "32"}, {"nic_ports", "2"}, {"planes", "2"}}));
        const SingleFailure* leaf = first(dual, PartKind::Leaf);
        QVERIFY(leaf && !leaf->interruptsJob && leaf->gpusDegraded == 32);
        QVERIFY(!first(dual, PartKind::HostLink)->interruptsJob);
    }
    // All NICs of a server on one leaf: with it the server is cut off. One NIC for an HB domain: with it or its link the domain is.
    void cutOffGpusAreLost() {
        const auto towers = of(test::fabricOf("fat-tree", {{"servers", "16"}}));
        const SingleFailure* leaf = first(towers, PartKind::Leaf);
        QVERIFY(leaf && leaf->gpusLost > 0 && leaf->gpusDegraded == 0 && leaf->gpusLost % 8 == 0);
        QCOMPARE(first(towers, PartKind::HostLink)->gpusLost, 0);
        const auto single = of(test::fabricOf("fat-tree", {{"servers", "16"}, {"nics_per_server", "1"}}));
        for (const PartKind kind : {PartKind::Nic, PartKind::HostLink})
            QVERIFY(first(single, kind)->gpusLost == 8 && first(single, kind)->gpusDegraded == 0);
    }
    // Every count adds up, and every element of a kind has the bandwidth of its example.
    void kindsAreAlike_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        for (const auto& [recipe, servers] : {std::pair("rail-optimized", 40), {"rail-only", 40}, {"rail-optimized", 36}})
            QTest::addRow("%s %d", recipe, servers) << QString::fromLatin1(recipe) << servers;
    }
    void kindsAreAlike() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), {{"servers", std::to_string(servers)}, {"su_servers", "16"}});
        const auto all = of(fabric);
        const double before = bisection(*fabric, BisectionKey::Server).upperGbps;
        std::map<PartKind, std::int64_t> counts;
        for (const SingleFailure& each : all) counts[each.kind] += each.count;
        const FabricCounts known = countsOf(*fabric);
        QCOMPARE(counts[PartKind::Gpu], known.gpus);
        QCOMPARE(counts[PartKind::Server], known.servers);
        QCOMPARE(counts[PartKind::Nic], known.nics);
        QCOMPARE(counts[PartKind::Leaf] + counts[PartKind::Spine], known.switches);
        QCOMPARE(counts[PartKind::HostLink] + counts[PartKind::Link], known.links);
        std::map<PartKind, std::multiset<double>> left, stated;
        for (const DeviceId d : fabric->devices.ids()) {
            if (!fabric->devices.routes(d)) continue;
            const auto gone = select(*fabric, fabric->devicePath(d));
            const double after = bisection(*without(fabric, gone->devices, gone->links), BisectionKey::Server).upperGbps;
            left[fabric->devices.tier[d] == SwitchTier::Leaf ? PartKind::Leaf : PartKind::Spine].insert(after / before);
        }
        for (const SingleFailure& each : all)
            for (std::int64_t i = 0; i < each.count && (each.kind == PartKind::Leaf || each.kind == PartKind::Spine); ++i)
                stated[each.kind].insert(*each.bandwidthLeft);
        for (const PartKind kind : {PartKind::Leaf, PartKind::Spine}) {
            QCOMPARE(stated[kind].size(), left[kind].size());
            for (auto a = stated[kind].begin(), b = left[kind].begin(); a != stated[kind].end(); ++a, ++b)
                QVERIFY(std::abs(*a - *b) < 0.02);
        }
    }
    // Where the library gives up before traffic is rerouted, every part of the network that is used interrupts the job, in the table of
    // components, among the single failures and in the simulation.
    void reroutingThatComesTooLate_data() {
        QTest::addColumn<QString>("planes");
        QTest::addColumn<bool>("isTolerant");
        for (const char* planes : {"1", "2"})
            for (const bool isTolerant : {false, true})
                QTest::addRow("%s %d", planes, isTolerant) << QString::fromLatin1(planes) << isTolerant;
    }
    void reroutingThatComesTooLate() {
        QFETCH(QString, planes);
        QFETCH(bool, isTolerant);
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "37"},
                                                                       {"nic_ports", planes.toStdString()},
                                                                       {"planes", planes.toStdString()},
                                                                       {"racks", "auto"},
                                                                       {"power_feeds", "alternating"}});
        ReliabilityRequest request;
        request.policy = isTolerant ? FailurePolicy::Tolerant : FailurePolicy::Strict;
        request.recovery = Seconds(1200);
        request.rates[PartKind::PowerFeed] = {{}, 1, {}, ""};
        const JobPlace place = *jobPlaceOf(*fabric, request);
        const Reliability known = reliabilityOf(*fabric, jobPartsOf(*fabric, place, request.policy), request);
        std::map<PartKind, std::pair<std::int64_t, std::int64_t>> table, single; // those that interrupt, and the others
        for (const FailureComponent& row : known.components) {
            (row.interruptsJob ? table[row.kind].first : table[row.kind].second) += row.count;
            if (row.kind >= PartKind::Leaf && row.kind <= PartKind::Core)
                QVERIFY(row.reason.find("time-out") != std::string::npos || !isTolerant);
        }
        for (const SingleFailure& each : of(fabric, request))
            (each.interruptsJob ? single[each.kind].first : single[each.kind].second) += each.count;
        table.erase(PartKind::Software);
        QVERIFY(single == table);
        for (const PartKind kind :
             {PartKind::Nic, PartKind::HostLink, PartKind::Leaf, PartKind::Spine, PartKind::Link, PartKind::PowerFeed})
            QVERIFY(table[kind].first > 0 && table[kind].second == 0);
        for (const Operation::Kind& kind : operationOf(*fabric, place, request).kinds) QVERIFY(kind.effect != Operation::Effect::Stalls);
        request.flapsPerLink = 3;
        const Reliability withFlaps = reliabilityOf(*fabric, jobPartsOf(*fabric, place, request.policy), request);
        std::int64_t flaps = 0;
        for (const FailureComponent& row : withFlaps.components)
            if (row.reason.starts_with("a flap")) {
                flaps += row.count;
                QCOMPARE(row.count, table[row.kind].first);
            }
        QCOMPARE(flaps, countsOf(*fabric).links);
    }
    // As often as the components of the same kind.
    void failuresAYear() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "40"}});
        ReliabilityRequest request;
        request.lemonShare = 0.1, request.lemonMultiple = 8;
        request.lifetimes = {Lifetimes::Kind::Weibull, 0.7};
        double single = 0, table = 0;
        for (const SingleFailure& each : of(fabric, request)) single += each.kind == PartKind::Gpu ? each.perYear.value_or(0) : 0;
        const Reliability known = reliabilityOf(*fabric, jobPartsOf(*fabric, *jobPlaceOf(*fabric, request), request.policy), request);
        for (const FailureComponent& row : known.components)
            if (row.kind == PartKind::Gpu) table += *row.rate.base * static_cast<double>(row.count);
        QVERIFY(table > 60 && std::abs(single / table - 1) < 1e-9);
    }
    void threadsAndStops() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const JobParts parts = jobPartsOf(*fabric, *jobPlaceOf(*fabric, {}), FailurePolicy::Strict);
        const auto one = singleFailures(fabric, parts, {}, {.threads = 1}), three = singleFailures(fabric, parts, {}, {.threads = 3});
        QCOMPARE(one.size(), three.size());
        for (std::size_t i = 0; i < one.size(); ++i)
            QVERIFY(one[i].path == three[i].path && one[i].bandwidthLeft == three[i].bandwidthLeft);
        std::stop_source stop;
        stop.request_stop();
        for (const SingleFailure& each : singleFailures(fabric, parts, {}, {.stop = stop.get_token()})) QVERIFY(!each.bandwidthLeft);
    }
};

QTEST_GUILESS_MAIN(tst_single_failures)
#include "tst_single_failures.moc"
