// HB domains of several servers whose HB switches are joined by a second level: the NVLink network of a DGX H100 SuperPOD.
#include "core/analysis/maps/decision.h"
#include "core/analysis/maps/heat_grid.h"
#include "core/base/thread_cpu.h"
#include "core/bisection/bisection.h"
#include "core/collective/communicator/hb_speeds.h"
#include "core/fabric/without.h"
#include "core/routing/link_loads.h"
#include "core/routing/patterns.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#include <random>

using namespace railyard;

namespace {

std::vector<DeviceId> gpusOf(const Fabric& fabric) {
    std::vector<DeviceId> gpus;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.kind[d] == DeviceKind::Gpu) gpus.push_back(d);
    return gpus;
}

bool isBetweenSwitches(const Fabric& fabric, LinkId l) {
    const auto isSwitch = [&](DeviceId d) { return fabric.devices.kind[d] == DeviceKind::HbSwitch; };
    return fabric.links.tier[l] == LinkTier::Hb && isSwitch(fabric.links.a[l]) && isSwitch(fabric.links.b[l]);
}

} // namespace

class tst_two_hb_levels : public QObject {
    Q_OBJECT

private slots:
    // DGX H100 SuperPOD with NVLink network, 4 SUs: 72 links of 200 Gb/s leave a server, 18 from each of its 4 NVSwitches, which is
    // 1.8 TB/s in one direction and 3.6 TB/s in both; inside it is 3.6 TB/s one way. 18 switches of 128 ports join 32 servers.
    void publishedSystem() {
        const FabricPointer fabric = test::fabricOf("superpod-h100-nvlink");
        QCOMPARE(fabric->hbDomains.size(), std::size_t{4});
        std::map<DeviceId, int> out; // links of each HB switch to others
        std::map<DomainId, std::int64_t> switches;
        double speed = 0;
        for (const LinkId l : fabric->links.ids()) {
            if (!isBetweenSwitches(*fabric, l)) continue;
            ++out[fabric->links.a[l]];
            ++out[fabric->links.b[l]];
            speed += fabric->speedOf(l).value();
            QCOMPARE(inGbps(fabric->speedOf(l)), 200.0);
        }
        for (const DeviceId d : fabric->devices.ids())
            if (fabric->devices.kind[d] == DeviceKind::HbSwitch) {
                ++switches[fabric->devices.hbDomain[d]];
                QCOMPARE(out[d], fabric->devices.server[d] == none ? 128 : 18);
            }
        for (const auto& [domain, count] : switches) QCOMPARE(count, std::int64_t{32 * 4 + 18});
        QCOMPARE(speed, 128 * 72 * 200e9);
        std::set<std::pair<DeviceId, std::string>> ports; // every link has ports of its own
        for (const LinkId l : fabric->links.ids()) {
            if (fabric->links.tier[l] != LinkTier::Hb) continue;
            QVERIFY(ports.emplace(fabric->links.a[l], fabric->portName(fabric->links.a[l], fabric->links.aPort[l], LinkTier::Hb)).second);
            QVERIFY(ports.emplace(fabric->links.b[l], fabric->portName(fabric->links.b[l], fabric->links.bPort[l], LinkTier::Hb)).second);
        }
    }
    // The bisection is that of the NICs, with a proof: the upper HB level carries what forwarding puts on it.
    void isCertified() {
        const FabricPointer fabric = test::fabricOf("superpod-h100-nvlink");
        const Bisection found = bisection(*fabric, BisectionKey::GpuWithHb);
        QVERIFY(found.certified);
        QCOMPARE(found.upperGbps, 128 * 8 * 400 / 2.0);
    }
    // By hand: of 255 GPUs that one sends to, 248 are in other servers, over 225 GB/s; neighbours in a ring leave a server once in eight.
    void speedsByHand_data() {
        QTest::addColumn<double>("out"); // Gb/s per GPU
        for (const double out : {3600.0, 1800.0, 900.0, 225.0}) QTest::addRow("%g", out) << out;
    }
    void speedsByHand() {
        QFETCH(double, out);
        const FabricPointer fabric =
            test::fabricOf("superpod-h100-nvlink", {{"hb_out_gbps", std::to_string(static_cast<int>(out))}, {"servers", "64"}});
        const HbBandwidths speeds =
            hbBandwidthsOf(*fabric, switchGraphOf(*fabric), FabricIndex(*fabric, switchGraphOf(*fabric)), gpusOf(*fabric));
        const auto near = [](Bandwidth is, double gbps) { return std::abs(inGbps(is) / gbps - 1) < 1e-9; };
        QVERIFY2(near(speeds.exchange, std::min(3600.0, out * 255 / 248)), qPrintable(QString::number(inGbps(speeds.exchange))));
        QVERIFY2(near(speeds.ring, std::min(3600.0, out * 8)), qPrintable(QString::number(inGbps(speeds.ring))));
        QVERIFY2(near(speeds.root, std::min(3600.0, out * 8 * 255 / 248)), qPrintable(QString::number(inGbps(speeds.root))));
        QVERIFY2(near(speeds.all, 3600), qPrintable(QString::number(inGbps(speeds.all))));
    }
    // A GPU that sends to one in another server puts its traffic evenly on all 4 x 18 links that lead out, and on as many that lead in.
    void loadsSpreadOverTheUpperLevel() {
        const FabricPointer fabric = test::fabricOf("superpod-h100-nvlink", {{"servers", "32"}});
        const GpuTraffic traffic = trafficOf(*fabric, Pattern::AllToAll, 1);
        const auto loads = linkLoads(*fabric, traffic, {});
        QVERIFY(loads);
        double least = 1e300, most = 0;
        for (const LinkId l : fabric->links.ids())
            if (isBetweenSwitches(*fabric, l))
                for (const double load : {loads->aToB[l], loads->bToA[l]}) least = std::min(least, load), most = std::max(most, load);
        QVERIFY(least > 0);
        QVERIFY2(most / least - 1 < 1e-9, qPrintable(QString::number(most / least)));
    }
    // Small fabrics of all kinds against every balanced partition: bounds hold, and what is certified is exact.
    void boundsHold() {
        std::mt19937 random(7);
        const auto pick = [&](std::initializer_list<const char*> of) { return std::string(of.begin()[random() % of.size()]); };
        int certified = 0, tried = 0;
        for (int round = 0; round < 60; ++round) {
            const std::string recipe = pick({"rail-optimized", "rail-only", "fat-tree"});
            test::Parameters wanted{{"gpus_per_server", "2"},
                                    {"nics_per_server", "2"},
                                    {"nic_gbps", "100"},
                                    {"radix", pick({"4", "8"})},
                                    {"servers", pick({"2", "4", "6"})},
                                    {"hb_domain_gpus", "4"},
                                    {"hb_gbps", pick({"100", "400", "150"})},
                                    {"hb_out_gbps", pick({"10", "25", "50", "100"})},
                                    {"hb_spines", pick({"1", "2", "3"})}};
            const auto design = build({recipe, wanted}, "t", shippedCatalog());
            if (!design) continue; // a domain that does not fit into an SU
            FabricPointer fabric = elaborate(std::make_shared<const Design>(*design));
            if (random() % 3 == 0) { // a link between the levels fails
                std::vector<LinkId> between;
                for (const LinkId l : fabric->links.ids())
                    if (isBetweenSwitches(*fabric, l)) between.push_back(l);
                std::vector<bool> isLost(fabric->links.size());
                isLost[between[random() % between.size()]] = true;
                fabric = without(fabric, {}, isLost);
            }
            const double exact = test::Oracle(*fabric, BisectionKey::GpuWithHb).bisectionGbps();
            const Bisection found = bisection(*fabric, BisectionKey::GpuWithHb);
            const auto words = QStringLiteral("%1: %2 <= %3 <= %4").arg(round).arg(found.lowerGbps).arg(exact).arg(found.upperGbps);
            QVERIFY2(found.lowerGbps <= exact * (1 + 1e-9) && exact <= found.upperGbps * (1 + 1e-9), qPrintable(words));
            if (found.certified) QVERIFY2(std::abs(found.upperGbps - exact) < 1e-6 * exact + 1e-9, qPrintable(words));
            certified += found.certified ? 1 : 0;
            ++tried;
        }
        QVERIFY(certified > 5);
        QVERIFY(tried > 20);
    }
    // Maps that build other sizes and speeds of the design: without the second level where domains have other sizes, with the same taper
    // where HB links have other speeds. Its rail-only twin can be built too.
    void mapsBuildTheirVariants() {
        const FabricPointer fabric = test::fabricOf("superpod-h100-nvlink");
        const RecipeCall& call = *fabric->design->recipe;
        const Catalog& catalog = *fabric->design->catalog;
        const DecisionCell cell = decide(call, catalog, 1024, 8);
        QVERIFY2(cell.railOptimized && cell.railOnly, cell.why.c_str());
        const auto twin = twinOf(call, catalog);
        QVERIFY(twin);
        const auto built = build(*twin, "twin", shippedCatalog());
        QVERIFY2(built, built ? "" : toText(built.error()).c_str());
        const auto smaller =
            build({"superpod-h100-nvlink", {{"servers", "128"}, {"hb_gbps", "450"}, {"hb_out_gbps", "225"}}}, "t", shippedCatalog());
        QVERIFY(smaller);
        const auto grid = hbNicGrid(*fabric, CollectiveOp::AllToAll, Bytes(std::int64_t{256} << 20), usualBandwidths(*fabric));
        QVERIFY(grid);
        for (std::size_t i = 0; i < grid->values.size(); ++i) QVERIFY2(grid->values[i], grid->notes[i].c_str());
    }
    void refusals_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("domain");
        QTest::addColumn<QString>("words");
        QTest::newRow("one server") << "hb_out_gbps"
                                    << "1800"
                                    << "8"
                                    << "hb_domain_gpus";
        QTest::newRow("more than inside") << "hb_out_gbps"
                                          << "4000"
                                          << "256"
                                          << "at most hb_gbps = 3600";
        QTest::newRow("switches without a level") << "hb_spines"
                                                  << "18"
                                                  << "256"
                                                  << "hb_out_gbps";
        QTest::newRow("zero") << "hb_out_gbps"
                              << "0"
                              << "256"
                              << "greater than 0";
        QTest::newRow("beyond an SU") << "hb_out_gbps"
                                      << "1800"
                                      << "512"
                                      << "su_servers";
    }
    void refusals() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, domain);
        QFETCH(QString, words);
        const auto design = build({"superpod-h100",
                                   {{"servers", "128"},
                                    {"su_servers", "32"},
                                    {key.toStdString(), value.toStdString()},
                                    {"hb_domain_gpus", domain.toStdString()}}},
                                  "t", shippedCatalog());
        QVERIFY(!design);
        QVERIFY2(QString::fromStdString(toText(design.error())).contains(words), toText(design.error()).c_str());
    }
    // Domains are measured once for each kind, so that 256 of them cost hardly more than four.
    void manyDomainsCostLittle() {
        const auto cost = [](const char* servers) {
            const FabricPointer fabric = test::fabricOf("superpod-h100-nvlink", {{"servers", servers}});
            const SwitchGraph graph = switchGraphOf(*fabric);
            const auto gpus = gpusOf(*fabric);
            const double begin = threadCpuMilliseconds();
            const HbBandwidths speeds = hbBandwidthsOf(*fabric, graph, FabricIndex(*fabric, graph), gpus);
            return speeds.ring > Bandwidth() ? threadCpuMilliseconds() - begin : 1e9;
        };
        const double few = cost("128"), many = cost("2048");
        QVERIFY2(many < 4 * few + 100, qPrintable(QStringLiteral("%1 ms, %2 ms").arg(few).arg(many)));
    }
};

QTEST_GUILESS_MAIN(tst_two_hb_levels)
#include "tst_two_hb_levels.moc"
