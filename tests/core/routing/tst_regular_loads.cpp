// The closed form of even fabrics against the count of every link, and which fabrics it declines.
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/gpus/regular_loads.h"
#include "core/routing/link_loads.h"
#include "tests/support/designs.h"

#include <QTest>
#include <cmath>

using namespace railyard;

namespace {

struct Case {
    const char* recipe;
    test::Parameters set;
};

// The largest difference of any link, in units of what one GPU sends; negative where the closed form declines.
double difference(const Fabric& fabric, Routing routing) {
    const auto division = routing == Routing::Adaptive ? Division::PerCapacity : Division::PerLink;
    const auto even = regularAllToAll(fabric, switchGraphOf(fabric), division);
    if (!even) return -1;
    const LinkLoads counted = loadsOfAllPairs(fabric, {.routing = routing});
    double worst = std::abs(even->ofGpu.value() - counted.ofGpu.value());
    worst = std::max(worst, static_cast<double>(counted.unreachablePairs));
    for (const LinkId l : fabric.links.ids())
        worst = std::max({worst, std::abs(even->aToB[l] - counted.aToB[l]), std::abs(even->bToA[l] - counted.bToA[l])});
    return worst;
}

FabricPointer less(const FabricPointer& fabric, const std::string& selector) {
    const auto found = select(*fabric, selector);
    if (!found) qFatal("%s selects nothing", selector.c_str());
    return without(fabric, found->devices, found->links);
}

} // namespace

class tst_regular_loads : public QObject {
    Q_OBJECT

private slots:
    void evenFabricsAreCountedAlike() {
        const std::vector<Case> cases{
            {"rail-optimized", {{"servers", "16"}, {"radix", "16"}}},
            {"rail-optimized", {{"servers", "13"}, {"radix", "16"}}}, // the last SU in part
            {"rail-optimized", {{"servers", "80"}, {"radix", "16"}}}, // three tiers
            {"rail-optimized", {{"servers", "90"}, {"radix", "16"}, {"oversubscription", "3:1"}}},
            {"rail-optimized", {{"servers", "12"}, {"radix", "16"}, {"nic_ports", "2"}, {"planes", "2"}}},
            {"rail-optimized", {{"servers", "12"}, {"radix", "16"}, {"hb_domain_gpus", "16"}}},
            {"rail-optimized", {{"servers", "5"}, {"radix", "64"}, {"tiers", "1"}}},
            {"rail-optimized", {{"servers", "6"}, {"radix", "16"}, {"server", "srv-mi300x-8"}}}, // a mesh of GPUs
            {"fat-tree", {{"servers", "9"}, {"radix", "16"}}},
            {"fat-tree", {{"servers", "6"}, {"radix", "16"}, {"server", "srv-dgx1-v100"}}}, // a cube mesh, NICs shared by two
            {"aipod", {{"servers", "128"}}},
            {"superpod-b300", {{"servers", "70"}}},
            {"fat-tree", {{"servers", "200"}, {"radix", "8"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}}}, // four tiers
            {"fat-tree", {{"servers", "333"}, {"radix", "8"}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}}},
            {"rail-optimized", {{"servers", "150"}, {"radix", "8"}, {"gpus_per_server", "2"}, {"nics_per_server", "2"}}},
            {"meta-24k", {{"servers", "48"}}}};
        for (const Case& each : cases)
            for (const Routing routing : {Routing::Ecmp, Routing::Adaptive}) {
                const double found = difference(*test::fabricOf(each.recipe, each.set), routing);
                QVERIFY2(found >= 0, qPrintable(QStringLiteral("%1, case %2 declined").arg(each.recipe).arg(&each - cases.data())));
                QVERIFY2(found < 1e-12, qPrintable(QStringLiteral("%1: %2").arg(each.recipe).arg(found)));
            }
    }
    // Random shapes, and random devices and links missing: what it takes on is right.
    void whateverItTakesOnIsRight() {
        test::Random random{11};
        int taken = 0, declined = 0;
        for (int round = 0; round < 150; ++round) {
            const std::vector<const char*> recipes{"rail-optimized", "fat-tree", "rail-only"};
            test::Parameters set{{"servers", std::to_string(3 + random.below(30))}, {"radix", random.below(2) ? "8" : "16"}};
            if (round % 5 == 0) // four tiers
                set = {{"servers", std::to_string(130 + random.below(200))},
                       {"radix", "8"},
                       {"gpus_per_server", "1"},
                       {"nics_per_server", "1"}};
            if (random.below(3) == 0) set["oversubscription"] = "3:1";
            if (random.below(4) == 0) set["spine_rule"] = "exact";
            if (random.below(4) == 0) set["uplinks"] = "used";
            const auto design = build({recipes[static_cast<std::size_t>(random.below(3))], set}, "test", shippedCatalog());
            if (!design) continue;
            FabricPointer fabric = elaborate(std::make_shared<const Design>(*design));
            if (random.below(2)) {
                Removal removal{std::vector<bool>(fabric->devices.size()), std::vector<bool>(fabric->links.size())};
                for (int i = random.below(3); i >= 0; --i) {
                    auto& lost = random.below(2) ? removal.devices : removal.links;
                    lost[static_cast<std::size_t>(random.below(static_cast<int>(lost.size())))] = true;
                }
                fabric = without(fabric, removal.devices, removal.links);
            }
            for (const Routing routing : {Routing::Ecmp, Routing::Adaptive}) {
                const double found = difference(*fabric, routing);
                ++(found < 0 ? declined : taken);
                QVERIFY2(found < 1e-12, qPrintable(QStringLiteral("round %1: %2").arg(round).arg(found)));
            }
        }
        QVERIFY2(taken > 40 && declined > 40, qPrintable(QStringLiteral("%1 taken, %2 declined").arg(taken).arg(declined)));
    }
    void unevenOnesAreDeclined() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "80"}, {"radix", "16"}});
        for (const char* selector : {"su[1]/srv[1]/nic[2]", "pod[1]/spine[1]", "superspine[1]", "su[1]/leaf[3]"})
            QVERIFY2(difference(*less(fabric, selector), Routing::Ecmp) < 0, selector);
        // Without a GPU or a server the rest sends as before: leaves differ by what hangs on them only.
        for (const char* selector : {"su[1]/srv[2]/gpu[1]", "su[1]/srv[1]"}) {
            const double found = difference(*less(fabric, selector), Routing::Ecmp);
            QVERIFY(found >= 0 && found < 1e-12);
        }
    }
};

QTEST_GUILESS_MAIN(tst_regular_loads)
#include "tst_regular_loads.moc"
