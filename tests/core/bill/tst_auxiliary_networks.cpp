#include "core/analysis/metrics/metrics.h"
#include "core/analysis/rules/design_rules.h"
#include "core/bill/bill_blocks.h"
#include "core/design/edits/edit.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/io/document/design_json.h"
#include "core/io/tables/cable_schedule.h"
#include "tests/support/designs.h"

#include <map>
#include <set>

using namespace railyard;

namespace {

test::Parameters all(test::Parameters more = {}) {
    for (const char* key : {"storage", "in_band", "out_of_band"}) more.emplace(key, "on");
    return more;
}

} // namespace

class tst_auxiliary_networks : public QObject {
    Q_OBJECT

private slots:
    void offByDefault() {
        const InstantMetrics m = instantMetrics(*test::fabricOf("superpod-h100"));
        QVERIFY(m.networks.empty());
        for (const auto category : {BillCategory::Storage, BillCategory::InBand, BillCategory::OutOfBand})
            QCOMPARE(m.bill.byCategory[static_cast<std::size_t>(category)]->inCents(), std::int64_t{0});
    }
    // 128 servers by hand. Storage: 64-port leaves, 4:3 = 36 down and 27 up, so 4 groups of 36 servers with 2 leaves each; 216
    // uplinks need 4 spines, the next that divides 27 is 9. In-band: 64 ports, 32 down: 4 groups, 8 leaves, 4 spines.
    // Out-of-band: 128 + 48 + 17 + 12 hosts on leaves of 48, two uplinks each to one spine.
    void countsByHand() {
        const InstantMetrics m = instantMetrics(*test::fabricOf("superpod-h100", all()));
        QCOMPARE(m.networks.size(), std::size_t{3});
        QCOMPARE(m.networks[0].switches, std::int64_t{8 + 9});
        QCOMPARE(m.networks[0].links, std::int64_t{256 + 8 * 27});
        QCOMPARE(m.networks[1].switches, std::int64_t{8 + 4});
        QCOMPARE(m.networks[1].links, std::int64_t{256 + 256});
        QCOMPARE(m.networks[2].switches, std::int64_t{5 + 1});
        QCOMPARE(m.networks[2].links, std::int64_t{128 + 48 + 17 + 12 + 5 * 2});
        QCOMPARE(*m.networks[0].pluggables,
                 std::int64_t{256 + 6 * 18 + 2 * 10 + 8 * 14 + 9 * 12}); // NICs; leaves down, the last two half full, and up; spines
    }
    void theComputeFabricStaysAsItWas() {
        const InstantMetrics with = instantMetrics(*test::fabricOf("superpod-h100", all())),
                             without = instantMetrics(*test::fabricOf("superpod-h100"));
        QCOMPARE(with.counts.switches, without.counts.switches);
        QCOMPARE(with.counts.links, without.counts.links);
        QCOMPARE(with.cables.cables, without.cables.cables);
        QCOMPARE(with.bill.network, without.bill.network);
        QVERIFY(with.bill.networkPower == without.bill.networkPower);
        QVERIFY(with.bill.total > without.bill.total);
        Money sum;
        for (const auto& category : with.bill.byCategory) sum += category.value_or(Money());
        QCOMPARE(sum, with.bill.total);
    }
    // With racks, every switch of every network stands in one, on units of its own and within the power of the rack; what stood there
    // before stays where it is, and every cable between two racks is as long as its way over the trays.
    void theirSwitchesStandInRacks_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        QTest::newRow("one") << "superpod-h100" << 1;
        QTest::newRow("part of an SU") << "superpod-h100" << 37;
        QTest::newRow("sixteen SUs") << "superpod-h100" << 512;
        QTest::newRow("trays of a rack") << "rail-only-gh200" << 64;
        QTest::newRow("large servers") << "superpod-b200" << 100;
    }
    void theirSwitchesStandInRacks() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        const test::Parameters own{{"servers", std::to_string(servers)}, {"racks", "auto"}};
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), all(own)), bare = test::fabricOf(recipe.toStdString(), own);
        const Cabling cabling = cablingOf(*fabric), before = cablingOf(*bare);
        const Floor& floor = cabling.floor;
        QCOMPARE(floor.chassis.size(), before.floor.chassis.size());
        for (std::size_t c = 0; c < floor.chassis.size(); ++c) {
            QCOMPARE(floor.chassis[c].rack, before.floor.chassis[c].rack);
            QCOMPARE(floor.chassis[c].unit, before.floor.chassis[c].unit);
        }
        QVERIFY(cabling.route == before.route);
        std::set<std::pair<std::uint32_t, int>> units;
        std::vector<int> unitsOf(floor.racks.size());
        const auto take = [&](std::uint32_t rack, int unit, int height) {
            bool isFree = rack < floor.racks.size();
            for (int u = unit; isFree && u < unit + height; ++u)
                isFree = u >= 1 && u <= floor.racks[rack].height() && units.insert({rack, u}).second;
            if (isFree) unitsOf[rack] += height;
            return isFree;
        };
        for (const Chassis& chassis : floor.chassis) QVERIFY(take(chassis.rack, chassis.unit, chassis.height));
        std::set<std::string> paths;
        for (const Guest& guest : floor.guests) {
            QVERIFY2(take(guest.rack, guest.unit, guest.height), guest.path.c_str());
            QVERIFY2(paths.insert(guest.path).second, guest.path.c_str());
        }
        std::set<RackSpot> spots;
        for (std::size_t r = 0; r < floor.racks.size(); ++r) {
            const Rack& rack = floor.racks[r];
            QCOMPARE(rack.units, unitsOf[r]);
            QVERIFY(spots.insert(rack.spot).second);
            if (r < before.floor.racks.size()) QCOMPARE(rack.label, before.floor.racks[r].label);
            QVERIFY(rack.servers + rack.switches <= 1 || rack.power <= rack.part->as<RackPart>()->power * 1.0000001);
        }
        std::size_t switches = 0;
        for (const AuxiliaryFabric& side : auxiliaryFabricsOf(cabling)) {
            const auto hosts =
                networkHosts(auxiliaryFabricsOf(cabling), static_cast<std::size_t>(&side - auxiliaryFabricsOf(cabling).data()), *fabric);
            for (const DeviceId d : side.fabric->devices.ids()) {
                const Rack* rack = side.cabling.floor.rackAt(d);
                const bool isSwitch = side.fabric->devices.kind[d] == DeviceKind::Switch;
                switches += isSwitch ? 1 : 0;
                const ServerId host = side.fabric->devices.server[d];
                QVERIFY2(rack || (host != none && hosts[host].starts_with("storage/node[")), networkPath(side, hosts, d).c_str());
            }
            for (const LinkId l : side.fabric->links.ids()) {
                if (!side.fabric->isNetworkLink(l)) continue;
                const Rack *a = side.cabling.floor.rackAt(side.fabric->links.a[l]), *b = side.cabling.floor.rackAt(side.fabric->links.b[l]);
                if (!a || !b) continue;
                const double across = std::abs(a->x - b->x) + std::abs(a->y - b->y), route = side.cabling.routeOf(l).value();
                QVERIFY2(a == b || (route > across * 1.05 && route < (across + 2 * 2.7) * 1.05 + 2.001),
                         networkPath(side, hosts, side.fabric->links.a[l]).c_str());
                QVERIFY(side.cabling.choiceOf(l).ordered.value() >= route - 1e-4);
            }
        }
        QCOMPARE(floor.guests.size(), switches);
    }
    // Storage nodes stand in no rack, and where every rack with switches is full, further racks stand behind the others.
    void fullRacksGetNeighbours() {
        Design design = *test::designOf("superpod-h100", all({{"servers", "40"}, {"racks", "auto"}, {"storage_nodes", "3"}}));
        design.floor->rack = "rack-10kw";
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
        const Cabling cabling = cablingOf(*fabric);
        std::size_t behind = 0;
        for (const Rack& rack : cabling.floor.racks) behind += rack.name.starts_with("network-rack[") ? 1 : 0;
        for (const Rack& rack : cabling.floor.racks)
            QVERIFY2(rack.servers + rack.switches <= 1 || rack.power <= rack.part->as<RackPart>()->power * 1.0000001, rack.name.c_str());
        QVERIFY(behind > 0);
        std::map<std::string, std::int64_t> bought; // those behind the others too
        for (const BillLine& line : billOf(*fabric, cabling).lines)
            if (line.part) bought[line.part->id] += line.quantity;
        QCOMPARE(bought["rack-10kw"], static_cast<std::int64_t>(cabling.floor.racks.size()));
        QCOMPARE(bought["work-rack"], bought["rack-10kw"]);
        const AuxiliaryFabric& storage = auxiliaryFabricsOf(cabling)[0];
        int without = 0;
        for (const LinkId l : storage.fabric->links.ids())
            if (storage.fabric->isNetworkLink(l) && !storage.cabling.floor.rackAt(storage.fabric->links.a[l])) {
                ++without;
                QCOMPARE(storage.cabling.routeOf(l).value(), Cabling::defaultLengthMetres);
            }
        QCOMPARE(without, 3 * 2);
    }
    // Whoever lays cables lays those of all networks.
    void labourCoversEveryNetwork() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", all({{"servers", "64"}, {"racks", "auto"}}));
        const Cabling cabling = cablingOf(*fabric);
        const InstantMetrics m = instantMetrics(*fabric, cabling);
        std::int64_t laid = m.cables.patchCables;
        for (const NetworkFigures& side : m.networks) laid += side.patchCables;
        QVERIFY(laid > m.cables.patchCables);
        std::map<std::string, std::int64_t> flat, byBlock;
        std::int64_t lines = 0, racks = 0;
        for (const BillLine& line : m.bill.lines) {
            if (!line.part) continue;
            flat[line.part->id] += line.quantity;
            lines += line.part->id == "work-cable" ? 1 : 0;
            racks += line.category == BillCategory::Rack && line.part->as<RackPart>() ? line.quantity : 0;
        }
        QCOMPARE(flat["work-cable"], laid);
        QCOMPARE(lines, std::int64_t{1});
        QCOMPARE(cableTable(*fabric, cabling).rows.size(), static_cast<std::size_t>(laid));
        QCOMPARE(racks, static_cast<std::int64_t>(cabling.floor.racks.size()));
        for (const BillBlock& block : billByBlock(*fabric, cabling))
            for (const BillLine& line : block.lines)
                if (line.part) byBlock[line.part->id] += block.count * line.quantity;
        QCOMPARE(byBlock, flat);
    }
    void everyPortOfTheScheduleIsUsedOnce() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", all({{"servers", "37"}, {"storage_nodes", "5"}}));
        const Table table = cableTable(*fabric, cablingOf(*fabric));
        std::set<std::string> ids;
        std::set<std::pair<std::string, std::string>> ports;
        std::map<std::string, int> rows;
        std::set<std::string> managed;
        for (const auto& row : table.rows) {
            const auto text = [&](std::size_t column) { // whole ports are numbers, lanes such as 2.2 are text
                const auto* words = std::get_if<std::string>(&row[column]);
                const auto* number = std::get_if<double>(&row[column]);
                const auto* figure = std::get_if<Figure>(&row[column]);
                return words ? *words : std::to_string(number ? *number : figure ? figure->value : -1);
            };
            QVERIFY2(ids.insert(text(0)).second, text(0).c_str());
            QVERIFY2(ports.emplace(text(5), text(7)).second, (text(5) + ":" + text(7)).c_str());
            QVERIFY2(ports.emplace(text(11), text(13)).second, (text(11) + ":" + text(13)).c_str());
            ++rows[text(1)];
            if (text(5).ends_with("/out-of-band[1]")) managed.insert(text(5));
        }
        const InstantMetrics m = instantMetrics(*fabric);
        QCOMPARE(rows["compute"], static_cast<int>(m.cables.patchCables));
        for (const NetworkFigures& side : m.networks) QCOMPARE(rows[side.name], static_cast<int>(side.patchCables));
        // Every server and every switch of every other network is managed.
        QCOMPARE(managed.size(), static_cast<std::size_t>(37 + 5 + m.counts.switches + m.networks[0].switches + m.networks[1].switches));
        QVERIFY(managed.contains("storage/spine[1]/out-of-band[1]") && managed.contains("su[1]/leaf[8]/out-of-band[1]") &&
                managed.contains("storage/node[5]/out-of-band[1]"));
    }
    // A server or switch that was deleted has no cables; one that failed keeps them.
    void twoPortsEndOnTwoLeaves() {
        for (const char* servers : {"1", "4", "16", "33"}) {
            const FabricPointer fabric = test::fabricOf("superpod-h100", all({{"servers", servers}}));
            const Cabling cabling = cablingOf(*fabric);
            for (const AuxiliaryFabric& side : auxiliaryFabricsOf(cabling)) {
                std::map<std::uint32_t, std::set<std::uint32_t>> leaves;
                for (const LinkId l : side.fabric->links.ids())
                    if (side.fabric->links.tier[l] == LinkTier::HostLeaf)
                        leaves[side.fabric->devices.server[side.fabric->links.a[l]]].insert(side.fabric->links.b[l]);
                QVERIFY(!leaves.empty());
                for (const auto& [host, own] : leaves) QCOMPARE(own.size(), std::size_t{side.name == "out-of-band" ? 1U : 2U});
            }
        }
    }
    void aNetworkThatCannotBeBuiltIsFound() {
        Design design = *test::designOf("superpod-h100", {{"servers", "40"}, {"storage", "on"}});
        design.networks[0].call.parameters["hb_domain_gpus"] = "3"; // hosts in threes: 40 are none
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
        const Cabling cabling = cablingOf(*fabric);
        bool said = false;
        for (const Diagnostic& d : checkDesign(*fabric, cabling, billOf(*fabric, cabling)))
            said |= d.code == "RY-D017" && d.text.find("40 hosts") != std::string::npos;
        QVERIFY(said && auxiliaryFabricsOf(cabling).empty());
    }
    void hostsAreThoseOfTheDesign() {
        const DesignPointer whole = test::designOf("superpod-h100", all({{"servers", "40"}, {"storage_nodes", "2"}}));
        const DesignPointer rest = removeElements(*whole, {"su[2]", "spine[8]"})->design;
        const FabricPointer fabric = elaborate(rest);
        std::set<std::string> managed;
        for (const auto& row : cableTable(*fabric, cablingOf(*fabric)).rows) {
            const std::string node = std::get<std::string>(row[5]);
            QVERIFY2(!node.starts_with("su[2]/") && !node.starts_with("spine[8]"), node.c_str());
            if (node.ends_with("/out-of-band[1]")) managed.insert(node);
        }
        const InstantMetrics m = instantMetrics(*fabric);
        QCOMPARE(managed.size(), static_cast<std::size_t>(32 + 2 + m.counts.switches + m.networks[0].switches + m.networks[1].switches));
        QVERIFY(!managed.contains("storage/node[3]/out-of-band[1]"));
        const FabricPointer before = elaborate(whole);
        const FabricPointer failed = without(before, select(*before, "su[2]")->devices, {});
        QCOMPARE(instantMetrics(*failed).networks[0].links, instantMetrics(*before).networks[0].links);
    }
    void whatNothingFitsIsFound() {
        const FabricPointer fabric = test::fabricOf("superpod-b300-xdr", {{"servers", "72"}, {"storage", "on"}});
        const Cabling cabling = cablingOf(*fabric);
        bool said = false;
        for (const Diagnostic& d : checkDesign(*fabric, cabling, billOf(*fabric, cabling)))
            said |= d.code == "RY-O001" && d.text.find("Storage") != std::string::npos;
        QVERIFY(said);
    }
    void theyTravelInTheDocument() {
        const DesignPointer design = test::designOf("superpod-b200", all());
        const std::string text = designText(*design);
        const auto again = readDesign(text, "x");
        QVERIFY(again);
        QCOMPARE(designText(**again), text);
        QVERIFY((*again)->networks == design->networks);
        std::string twice = text;
        twice.replace(twice.find("\"name\": \"in-band\""), 17, "\"name\": \"storage\"");
        const auto again2 = readDesign(twice, "bad.railyard");
        QVERIFY(!again2 && toText(again2.error()).find("already defined") != std::string::npos);
        std::string broken = text;
        broken.replace(broken.find("\"nics_per_server\": \"2\""), 22, "\"nics_per_server\": \"x\"");
        const auto refused = readDesign(broken, "bad.railyard");
        QVERIFY(!refused && toText(refused.error()).find("nics_per_server") != std::string::npos);
    }
    void whatCannotBeBuiltIsRefused() {
        const auto refused = [](test::Parameters parameters) {
            const auto design = build({"superpod-h100", std::move(parameters)}, "t", shippedCatalog());
            return design ? std::string() : toText(design.error());
        };
        QVERIFY(refused({{"storage_nodes", "3"}}).find("storage=on") != std::string::npos);
        QVERIFY(refused({{"storage", "on"}, {"storage_gbps", "33"}}).find("storage") != std::string::npos);
        QVERIFY(refused({{"storage", "perhaps"}}).find("off, on") != std::string::npos);
    }
    void anActiveCableWhereNoModuleFits() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", all());
        const Cabling cabling = cablingOf(*fabric);
        const std::vector<AuxiliaryFabric>& sides = auxiliaryFabricsOf(cabling);
        for (const LinkId l : indices<LinkId>(sides[1].fabric->links.size()))
            if (sides[1].fabric->isNetworkLink(l)) QCOMPARE(sides[1].cabling.choiceOf(l).medium, std::string("aoc"));
        QCOMPARE(*instantMetrics(*fabric).networks[1].pluggables, std::int64_t{0});
    }
};

QTEST_GUILESS_MAIN(tst_auxiliary_networks)
#include "tst_auxiliary_networks.moc"
