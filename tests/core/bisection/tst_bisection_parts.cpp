// Bisections where parts of the network stand apart (planes) and where HB domains span several SUs.
#include "core/analysis/metrics/metrics.h"
#include "core/fabric/group.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/patterns.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#include <cmath>
#include <fmt/format.h>

using namespace railyard;
using test::Parameters;

namespace {

constexpr BisectionKey keys[] = {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb};

std::string wordsOf(const Parameters& settings) {
    std::string words;
    for (const auto& [key, value] : settings) words += " " + key + "=" + value;
    return words;
}

bool hasAllLoads(const Fabric& fabric) {
    const auto loads = linkLoads(fabric, trafficOf(fabric, Pattern::AllToAll, 1), {});
    return loads && loads->unreachablePairs == 0;
}

} // namespace

class tst_bisection_parts : public QObject {
    Q_OBJECT

private slots:
    void planesAreExact() {
        int tried = 0;
        for (const char* recipe : {"rail-optimized", "fat-tree", "rail-only"})
            for (const char* tiers : {"1", "2", "3", "4"})
                for (const char* planes : {"2", "3", "4"})
                    for (const char* gpus : {"1", "2", "3", "4"})
                        for (const char* ports : {"1", "2", "3"})
                            for (const char* ratio : {"1:1", "2:1"}) {
                                const Parameters settings{{"gpus", gpus[0] == '4'   ? "12"
                                                                   : gpus[0] == '3' ? "9"
                                                                                    : "10"},
                                                          {"gpus_per_server", gpus},
                                                          {"nics_per_server", gpus},
                                                          {"radix", "6"},
                                                          {"nic_ports", ports},
                                                          {"planes", planes},
                                                          {"tiers", tiers},
                                                          {"oversubscription", ratio}};
                                auto design = build({recipe, settings}, "test", shippedCatalog());
                                if (!design) continue;
                                const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
                                ++tried;
                                for (const BisectionKey key : keys) {
                                    const Bisection found = bisection(*fabric, key);
                                    const double exact = key == BisectionKey::GpuWithHb ? found.upperGbps : test::bruteForce(*fabric, key);
                                    const std::string what = std::string(recipe) + wordsOf(settings) + " " + std::string(toText(key));
                                    QVERIFY2(
                                        std::abs(found.upperGbps - exact) < 1e-6 && found.certified,
                                        fmt::format("{}: {} to {}, exactly {}", what, found.lowerGbps, found.upperGbps, exact).c_str());
                                }
                            }
        QVERIFY2(tried > 50, std::to_string(tried).c_str());
    }

    // Planes that share no GPU: whole planes make up the halves, whatever the tiers.
    void nothingJoinsPlanes_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<Parameters>("settings");
        for (const char* recipe : {"rail-optimized", "fat-tree"})
            for (const char* servers : {"140", "520", "601"})
                for (const char* planes : {"2", "4"})
                    for (const char* tiers : {"3", "4"})
                        QTest::newRow(qPrintable(QString("%1 %2 %3 %4").arg(recipe, servers, planes, tiers)))
                            << recipe << Parameters{{"servers", servers}, {"planes", planes}, {"tiers", tiers}, {"radix", "32"}};
    }
    void nothingJoinsPlanes() {
        QFETCH(QString, recipe);
        QFETCH(Parameters, settings);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), settings);
        const Bisection found = bisection(*fabric, BisectionKey::GpuNetworkOnly);
        QCOMPARE(found.upperGbps, 0.0);
        QVERIFY(found.certified);
        QCOMPARE(std::count(found.sideA.begin(), found.sideA.end(), true), static_cast<std::ptrdiff_t>(found.sideA.size() / 2));
    }

    // Three planes: one of them is divided, which trees of its own pods say exactly.
    void oddNumbersOfPlanes() {
        for (const Parameters& settings :
             {Parameters{{"servers", "64"}, {"planes", "3"}, {"tiers", "3"}, {"radix", "16"}, {"oversubscription", "2:1"}},
              Parameters{{"servers", "96"}, {"planes", "3"}, {"radix", "32"}, {"oversubscription", "3:1"}}}) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", settings);
            const Bisection found = bisection(*fabric, BisectionKey::GpuNetworkOnly);
            QVERIFY2(found.certified && found.upperGbps > 0, found.method.c_str());
        }
    }

    // 20 uplinks spread over 13 superspines: pods that lead to the same ones belong on one side. The halves by path cost 2 Pb/s.
    void podsAreSearchedWhereSuperspinesAreUneven() {
        const FabricPointer fabric = test::fabricOf(
            "fat-tree", {{"gpus", "10000"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}, {"spine_rule", "exact"}, {"radix", "40"}});
        const Bisection found = bisection(*fabric, BisectionKey::GpuNetworkOnly);
        QVERIFY2(found.upperGbps <= 1'736'000 && found.lowerGbps <= found.upperGbps, std::to_string(found.upperGbps).c_str());
        QCOMPARE(std::count(found.sideA.begin(), found.sideA.end(), true), static_cast<std::ptrdiff_t>(5000));
    }

    // HB domains larger than an SU.
    void domainsOfSeveralUnitsAreExact() {
        int tried = 0;
        for (const char* radix : {"4", "8"})
            for (const char* domain : {"4", "8", "16"})
                for (const char* gpus : {"1", "2"})
                    for (const char* size : {"32", "48", "80"})
                        for (const char* ratio : {"1:1", "3:1"}) {
                            const Parameters settings{
                                {"gpus", size},   {"hb_domain_gpus", domain}, {"gpus_per_server", gpus}, {"nics_per_server", gpus},
                                {"radix", radix}, {"oversubscription", ratio}};
                            auto design = build({"rail-optimized", settings}, "test", shippedCatalog());
                            if (!design) continue;
                            const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
                            const Bisection found = bisection(*fabric, BisectionKey::Server);
                            const double exact =
                                found.sideA.size() <= 12 ? test::bruteForce(*fabric, BisectionKey::Server) : found.upperGbps;
                            ++tried;
                            QVERIFY2(std::abs(found.upperGbps - exact) < 1e-6 && found.certified,
                                     fmt::format("{}: {} to {}, exactly {}, {}", wordsOf(settings), found.lowerGbps, found.upperGbps, exact,
                                                 found.method)
                                         .c_str());
                            QVERIFY2(hasAllLoads(*fabric), wordsOf(settings).c_str());
                        }
        QVERIFY2(tried > 20, std::to_string(tried).c_str());
    }

    void domainsOfSeveralUnitsTakePart() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"gpus", "2048"}, {"hb_domain_gpus", "256"}, {"radix", "32"}, {"oversubscription", "3:1"}});
        QCOMPARE(countsOf(*fabric).hbDomains, 8);
        const auto group = Communicator::create(*fabric, 0, RankOrder::Near);
        QVERIFY2(group, group ? "" : group.error().text.c_str());
        QCOMPARE(group->domains(), 8);
        for (const auto op : {CollectiveOp::AllReduce, CollectiveOp::AllToAll}) {
            const auto timed = group->time(op, Bytes(1 << 28));
            QVERIFY2(timed, timed ? "" : timed.error().text.c_str());
        }
        for (const Bisection& each : bisections(*fabric)) QVERIFY2(each.certified, each.method.c_str());
        // A domain fails with all that is in it.
        const auto failed = select(*fabric, "hb[2]");
        QVERIFY(failed);
        QCOMPARE(countsOf(*without(fabric, failed->devices, failed->links)).gpus, 2048 - 256);
        // An SU cannot be taken apart without the domain that reaches into others.
        const auto apart = dissolve(*fabric, "su[1]", {});
        if (apart) QVERIFY(isSameNetwork(*fabric, *elaborate(apart->design)));
    }
};

QTEST_APPLESS_MAIN(tst_bisection_parts)
#include "tst_bisection_parts.moc"
