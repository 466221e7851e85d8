// NVL72: a rack that is bought whole, with compute trays as servers and trays of HB switches.
#include "core/analysis/metrics/metrics.h"
#include "core/bill/cabling.h"
#include "core/bisection/bisection.h"
#include "core/collective/collective.h"
#include "core/design/recipes/recipe.h"
#include "core/io/document/design_json.h"
#include "core/io/tables/bom.h"
#include "tests/support/designs.h"

#include <QTest>
#include <algorithm>
#include <map>

using namespace railyard;

namespace {

const BillLine* lineOf(const Bill& bill, std::string_view id) {
    const auto found = std::find_if(bill.lines.begin(), bill.lines.end(), [&](const BillLine& l) { return l.part && l.part->id == id; });
    return found == bill.lines.end() ? nullptr : &*found;
}

} // namespace

class tst_rack_systems : public QObject {
    Q_OBJECT

private slots:
    // DGX SuperPOD with GB200 and GB300: 8 racks of 18 trays.
    void presetsHaveTheCountsOfTheContract() {
        for (const auto& [preset, leaves, spines] : {std::tuple("superpod-gb200", std::int64_t{32}, std::int64_t{16}),
                                                     std::tuple("superpod-gb300", std::int64_t{8}, std::int64_t{4})}) {
            const FabricPointer fabric = test::fabricOf(preset, {});
            const FabricCounts counts = countsOf(*fabric);
            QCOMPARE(counts.gpus, std::int64_t{576});
            QCOMPARE(counts.servers, std::int64_t{144});
            QCOMPARE(counts.hbDomains, std::int64_t{8});
            QCOMPARE(counts.rails, std::int64_t{4});
            QCOMPARE(counts.switchesByTier[1], leaves);
            QCOMPARE(counts.switchesByTier[2], spines);
        }
    }
    // Every GPU has one link to each of the 18 switch chips of its rack, and to no other.
    void everyGpuReachesTheChipsOfItsRack() {
        for (const RecipeCall& call : {RecipeCall{"superpod-gb200", {}}, RecipeCall{"superpod-gb300", {}},
                                       RecipeCall{"rail-optimized", {{"server", "srv-gb200-tray"}, {"servers", "36"}, {"su_servers", "9"}}},
                                       RecipeCall{"rail-only", {{"server", "srv-gb200-tray"}, {"servers", "72"}}}}) {
            const FabricPointer fabric = test::fabricOf(call.name, call.parameters);
            std::map<std::uint32_t, int> linksOf;
            for (const LinkId l : fabric->links.ids()) {
                if (fabric->links.tier[l] != LinkTier::Hb) continue;
                const DeviceId gpu = fabric->links.a[l], chip = fabric->links.b[l];
                QVERIFY(fabric->devices.isGpu(gpu) && fabric->devices.isHbSwitch(chip));
                QCOMPARE(fabric->devices.hbDomain[gpu], fabric->devices.hbDomain[chip]);
                QCOMPARE(inGbps(fabric->speedOf(l)), 400.0);
                ++linksOf[gpu];
            }
            QCOMPARE(static_cast<std::int64_t>(linksOf.size()), countsOf(*fabric).gpus);
            for (const auto& [gpu, links] : linksOf) QCOMPARE(links, 18);
        }
    }
    void serversThatDoNotFillARackAreRefusedWithBothNeighbours() {
        for (const auto& [key, value, lower, upper] :
             {std::tuple("servers", "20", "18", "36"), std::tuple("gpus", "100", "72", "144"), std::tuple("servers", "8", "18", "18")}) {
            const auto built = build({"superpod-gb200", {{key, value}}}, "x", shippedCatalog());
            QVERIFY(!built);
            QVERIFY2(built.error().text.find(lower) != std::string::npos && built.error().text.find(upper) != std::string::npos,
                     built.error().text.c_str());
        }
        QVERIFY(build({"rail-optimized", {{"server", "srv-gb200-tray"}}}, "x", shippedCatalog())); // the usual size holds whole racks
    }
    void theBillCountsRacks() {
        for (const char* racks : {"none", "auto"}) {
            const FabricPointer fabric = test::fabricOf("superpod-gb200", {{"racks", racks}});
            const Metrics metrics = metricsOf(*fabric);
            const Bill& bill = metrics.instant.bill;
            QVERIFY(!lineOf(bill, "srv-gb200-tray"));
            const BillLine* rack = lineOf(bill, "rack-gb200-nvl72");
            QVERIFY(rack);
            QCOMPARE(rack->quantity, std::int64_t{8});
            QCOMPARE(rack->category, BillCategory::Server);
            QCOMPARE(bill.byCategory[static_cast<std::size_t>(BillCategory::Server)]->inDollars(), 8 * 3e6);
            QCOMPARE(bill.watts[static_cast<std::size_t>(BillCategory::Server)]->value(), 8 * 120000.0);
            QCOMPARE(std::count_if(bill.lines.begin(), bill.lines.end(),
                                   [](const BillLine& l) { return l.part && l.part->id == "rack-gb200-nvl72"; }),
                     std::ptrdiff_t{1});
        }
    }
    // 18 compute trays and 9 trays of switches, each at a unit of its own; the rack has the power and weight of the whole.
    void traysStandInTheirRacks() {
        const FabricPointer fabric = test::fabricOf("superpod-gb200", {{"racks", "auto"}});
        const Floor floor = cablingOf(*fabric).floor;
        std::map<std::uint32_t, std::map<int, int>> units;
        std::map<std::uint32_t, int> trays, switchTrays;
        for (const Chassis& chassis : floor.chassis) {
            if (!chassis.isSwitchTray && chassis.server == none) continue;
            QVERIFY(chassis.rack != none);
            ++units[chassis.rack][chassis.unit];
            ++(chassis.isSwitchTray ? switchTrays : trays)[chassis.rack];
        }
        QCOMPARE(units.size(), std::size_t{8});
        for (const auto& [rack, taken] : units) {
            QCOMPARE(taken.size(), std::size_t{27});
            for (const auto& [unit, times] : taken) QVERIFY(unit >= 1 && unit <= 48 && times == 1);
            QCOMPARE(trays[rack], 18);
            QCOMPARE(switchTrays[rack], 9);
            QCOMPARE(floor.racks[rack].power.value(), 132000.0);
            QCOMPARE(floor.racks[rack].kg, 1360.0);
        }
    }
    // As with one ideal switch: all chips together carry what it would.
    void theDomainIsAsFastAsOneSwitch() {
        const FabricPointer fabric = test::fabricOf("superpod-gb200", {{"servers", "36"}});
        const auto whole = Communicator::create(*fabric, 72, RankOrder::Near);
        const auto time = whole->time(CollectiveOp::AllReduce, Bytes(std::int64_t{1} << 30));
        QVERIFY(time && time->domains == 1);
        const Bisection withHb = bisection(*fabric, BisectionKey::GpuWithHb);
        QVERIFY(withHb.certified);
        QCOMPARE(withHb.upperGbps, 72 * 400.0); // the racks apart, over their NICs
    }
    void formerIdsMeanTheTrays() {
        QCOMPARE(shippedCatalog()->find("srv-gb200-nvl72")->id, std::string("srv-gb200-tray"));
        QCOMPARE(shippedCatalog()->find("srv-gb300-nvl72")->id, std::string("srv-gb300-tray"));
        const auto built = build({"rail-optimized", {{"server", "srv-gb200-nvl72"}, {"servers", "144"}}}, "x", shippedCatalog());
        QVERIFY(built);
        const auto fabric = elaborate(std::make_shared<const Design>(*built));
        QCOMPARE(countsOf(*fabric).rails, std::int64_t{4});
        QCOMPARE(fabric->parts[fabric->serverParts.front()]->id, std::string("srv-gb200-tray"));
    }
    // A document of an earlier version, where a rack was one server of 72 rails.
    void documentsWithRacksAsServersAreMigrated() {
        Design old = *test::designOf("rail-optimized", {{"server", "srv-gb200-tray"}, {"servers", "144"}});
        std::string text = designText(old);
        const std::string part =
            R"("srv-gb200-nvl72": {"id": "srv-gb200-nvl72", "kind": "server", "name": "GB200 NVL72", "gpu": "gb200-gpu",
            "gpus": 72, "hb_domain_gpus": 72, "hb": "switch", "hb_switches": 18, "hb_gbps": 7200, "nics": 72, "nic_gbps": 400},)";
        text.replace(text.find("\"server\": \"srv-gb200-tray\""), 26, "\"server\": \"srv-gb200-nvl72\"");
        text.replace(text.find("\"servers\": \"144\""), 16, "\"servers\": \"8\"");
        text.insert(text.find('{', text.find("\"parts\"")) + 1, part);
        const auto read = readDesign(text, "old.railyard");
        QVERIFY2(read, read ? "" : read.error().text.c_str());
        QCOMPARE((*read)->recipe->parameters.at("server"), std::string("srv-gb200-tray"));
        QCOMPARE((*read)->recipe->parameters.at("servers"), std::string("144"));
        QVERIFY(!(*read)->migrations.empty());
        const FabricCounts counts = countsOf(*elaborate(*read));
        QCOMPARE(counts.gpus, std::int64_t{576});
        QCOMPARE(counts.rails, std::int64_t{4});
        const std::string written = designText(**read);
        QVERIFY(written.find("\"server\": \"srv-gb200-nvl72\"") == std::string::npos);
        QVERIFY(written.find("\"srv-gb200-nvl72\": {") == std::string::npos); // its copy of the part is gone too
    }
    // H800: 400 GB/s of NVLink both ways instead of 900.
    void anotherGpuBringsItsScaleUpSpeed() {
        const auto speedOf = [](std::map<std::string, std::string> parameters) {
            parameters["servers"] = "4";
            const auto settings = resolve({"superpod-h100", parameters}, *shippedCatalog());
            return inGbps(settings->hbBandwidth);
        };
        QCOMPARE(speedOf({}), 3600.0);
        QCOMPARE(speedOf({{"gpu", "h800-sxm5-80"}}), 1600.0);
        QCOMPARE(speedOf({{"gpu", "h800-sxm5-80"}, {"hb_gbps", "3000"}}), 3000.0);
    }
};

QTEST_GUILESS_MAIN(tst_rack_systems)
#include "tst_rack_systems.moc"
