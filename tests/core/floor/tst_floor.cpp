#include "core/analysis/metrics/metrics.h"
#include "core/design/edits/edit.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/floor/floor.h"
#include "tests/support/designs.h"

#include <set>

using namespace railyard;

namespace {

const Rack& rackCalled(const Floor& floor, std::string_view name) {
    for (const Rack& rack : floor.racks)
        if (rack.name == name) return rack;
    qFatal("no such rack");
}

DeviceId deviceAt(const Fabric& fabric, std::string_view path) {
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devicePath(d) == path) return d;
    qFatal("no such device");
}

std::vector<std::string> diagnosticsOf(const Fabric& fabric) {
    const Cabling cabling = cablingOf(fabric);
    std::vector<std::string> broken;
    std::map<std::pair<std::uint32_t, int>, int> units;
    for (const Chassis& chassis : cabling.floor.chassis) {
        if (chassis.rack == none) {
            broken.push_back(chassisPath(fabric, chassis) + " stands in no rack");
            continue;
        }
        const Rack& rack = cabling.floor.racks[chassis.rack];
        for (int u = chassis.unit; u < chassis.unit + chassis.height; ++u)
            if (u < 1 || u > rack.height() || units[{chassis.rack, u}]++ > 0) broken.push_back(rack.name + " unit " + std::to_string(u));
    }
    std::set<RackSpot> spots;
    for (const Rack& rack : cabling.floor.racks) {
        if (!spots.insert(rack.spot).second) broken.push_back(rack.name + " shares its place");
        if (rack.servers + rack.switches > 1 && rack.power > rack.part->as<RackPart>()->power * 1.0000001)
            broken.push_back(rack.name + " power");
        if (rack.servers + rack.switches == 0) broken.push_back(rack.name + " is empty");
    }
    return broken;
}

} // namespace

class tst_floor : public QObject {
    Q_OBJECT

private slots:
    void noRacksWithoutAFloor() {
        const FabricPointer fabric = test::fabricOf("superpod-h100");
        QVERIFY(!floorOf(*fabric).isPlaced());
        QVERIFY(!instantMetrics(*fabric).floor);
    }
    // DGX SuperPOD H100: an SU is eight racks of four servers, its leaves in a rack amid them.
    void publishedScalableUnit() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"racks", "auto"}});
        const Floor floor = floorOf(*fabric);
        QCOMPARE(floor.racks.size(), std::size_t{4 * 9 + 1});
        for (int su = 1; su <= 4; ++su) {
            const std::string at = "su[" + std::to_string(su) + "]/";
            const Rack& leaves = rackCalled(floor, at + "leaf-rack[1]");
            QCOMPARE(leaves.switches, 8);
            for (int r = 1; r <= 8; ++r) {
                const Rack& rack = rackCalled(floor, at + "rack[" + std::to_string(r) + "]");
                QCOMPARE(rack.servers, 4);
                QCOMPARE(rack.spot.row, leaves.spot.row);
                QCOMPARE(rack.spot.position < leaves.spot.position, r <= 4);
            }
        }
        QCOMPARE(rackCalled(floor, "switch-rack[1]").switches, 16);
        QCOMPARE(rackCalled(floor, "su[1]/rack[1]").label, std::string("A01"));
    }
    void everythingStandsSomewhere_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QStringList>("settings");
        const auto add = [](const char* recipe, const QStringList& settings) {
            QTest::addRow("%s %s", recipe, qPrintable(settings.join(QLatin1Char(' ')))) << QString::fromLatin1(recipe) << settings;
        };
        for (const char* servers : {"1", "3", "31", "33", "100", "127"})
            add("superpod-h100", {QStringLiteral("servers=") + QLatin1String(servers)});
        add("rail-only", {QStringLiteral("servers=80")});
        add("superpod-b300", {QStringLiteral("servers=100")});
        add("superpod-b200", {QStringLiteral("servers=9"), QStringLiteral("servers_per_rack=1")});
        add("aipod", {QStringLiteral("servers=190")});
        add("hpn-pod", {QStringLiteral("servers=300")});
        add("meta-24k", {QStringLiteral("servers=801")});
        add("rail-only-gh200", {QStringLiteral("servers=64")});
        add("rail-optimized", {QStringLiteral("server=srv-gb200-tray"), QStringLiteral("servers=180"), QStringLiteral("manager_ports=2")});
        add("rail-optimized", {QStringLiteral("servers=40"), QStringLiteral("row_racks=5"), QStringLiteral("leaf_racks=end")});
    }
    void everythingStandsSomewhere() {
        QFETCH(QString, recipe);
        QFETCH(QStringList, settings);
        test::Parameters parameters{{"racks", "auto"}};
        for (const QString& setting : settings)
            parameters[setting.section(QLatin1Char('='), 0, 0).toStdString()] = setting.section(QLatin1Char('='), 1).toStdString();
        for (const char* medium : {"optical", "by-length"}) {
            parameters["medium"] = medium;
            const FabricPointer fabric = test::fabricOf(recipe.toStdString(), parameters);
            const auto broken = diagnosticsOf(*fabric);
            QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().c_str());
            cablesAreLongEnough(*fabric);
        }
    }
    // Tray route by hand: |dx| + |dy|, both drops, 5 % and a metre at each end.
    void routeByHand() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"racks", "auto"}});
        const Floor floor = floorOf(*fabric);
        const DeviceId nic = deviceAt(*fabric, "su[1]/srv[1]/nic[1]"), leaf = deviceAt(*fabric, "su[1]/leaf[1]"),
                       spine = deviceAt(*fabric, "spine[1]"), last = deviceAt(*fabric, "su[1]/leaf[8]");
        // Server at U1 to U8 of A01, leaf at U48 of A05, spine at U48 of B10: rows are 1.2 + 1.2 m apart, racks 0.6 m.
        const double server = 2.7 - 4 * 0.04445, top = 2.7 - 47.5 * 0.04445;
        QVERIFY(std::abs(floor.route(nic, leaf)->value() - ((4 * 0.6 + server + top) * 1.05 + 2)) < 1e-9);
        QVERIFY(std::abs(floor.route(leaf, spine)->value() - ((5 * 0.6 + 2.4 + 2 * top) * 1.05 + 2)) < 1e-9);
        QVERIFY(std::abs(floor.route(leaf, last)->value() - (7 * 0.04445 + 0.5)) < 1e-9); // in one rack
        QCOMPARE(floor.route(nic, leaf), floor.route(leaf, nic));
    }
    void topOfRackTakesCopper() {
        const FabricPointer fabric = test::fabricOf("meta-24k", {{"servers", "384"}, {"medium", "by-length"}});
        const InstantMetrics m = instantMetrics(*fabric);
        // Two servers of four twin-port cages to one leaf: eight cables of two links each.
        QCOMPARE(m.cables.byMedium.at("dac"), std::int64_t{384 * 4});
        QCOMPARE(m.cables.byTier.at("host-leaf"), std::int64_t{384 * 4});
        QCOMPARE(*m.cables.transceiversLogical, 2 * m.counts.linksByTier[static_cast<std::size_t>(LinkTier::LeafSpine)]);
        const Cabling cabling = cablingOf(*fabric);
        for (const LinkId l : fabric->links.ids())
            if (fabric->isNetworkLink(l) && fabric->links.tier[l] == LinkTier::HostLeaf) {
                QCOMPARE(cabling.choiceOf(l).medium, std::string("dac"));
                QVERIFY(cabling.routeOf(l).value() <= 2);
            }
    }
    // A splitter has one kind of plug: a NIC of another cage on the same switch cage gets a cable of its own.
    void mixedCagesShareNoCopper() {
        Design design = *test::designOf("fat-tree", {{"servers", "4"},
                                                     {"switch", "sw-sn5600"},
                                                     {"leaf_down", "16"},
                                                     {"leaf_up", "16"},
                                                     {"nic", "nic-cx7-400-osfp"},
                                                     {"medium", "by-length"}});
        const auto copper = [](const Design& of) {
            const FabricPointer fabric = elaborate(std::make_shared<const Design>(of));
            const Cabling cabling = cablingOf(*fabric);
            int links = 0;
            for (const LinkId l : fabric->links.ids()) {
                if (!fabric->isNetworkLink(l) || cabling.choiceOf(l).pluggable()) continue;
                const CabledLinkId own = cabling.links.find(l), first = cabling.cable[own];
                if (cabling.kindA(own) != cabling.kindA(first) || cabling.kindB(own) != cabling.kindB(first)) qFatal("two kinds of plug");
                links += fabric->links.tier[l] == LinkTier::HostLeaf;
            }
            return links;
        };
        const int before = copper(design);
        QVERIFY(before > 0);
        design.overrides["su[1]/srv[1]/nic[2]"].part = "nic-cx7-2x200-qsfp112";
        QCOMPARE(copper(design), before - 2);
    }
    void longRunsTakeSingleMode() {
        const InstantMetrics m =
            instantMetrics(*test::fabricOf("superpod-h100", {{"servers", "2000"}, {"racks", "auto"}, {"row_racks", "9"}}));
        QVERIFY(m.cables.byMedium.at("smf") > 0); // 2,000 servers in rows of nine racks stretch over a hundred metres
        QVERIFY(m.cables.byMedium.at("mmf") > 0);
        QVERIFY(m.cables.pluggables);
    }
    void movingARackMovesItsCablesOnly() {
        const DesignPointer before = test::designOf("superpod-h100", {{"racks", "auto"}});
        auto edit = moveRacks(*before, {{"su[2]/rack[3]", {9, 1}}});
        QVERIFY(edit);
        const FabricPointer a = elaborate(before), b = elaborate(edit->design);
        const Cabling x = cablingOf(*a), y = cablingOf(*b);
        int changed = 0;
        for (const LinkId l : a->links.ids()) {
            if (!a->isNetworkLink(l)) continue;
            const bool there = x.floor.rackAt(a->links.a[l])->name == "su[2]/rack[3]";
            QCOMPARE(x.routeOf(l) != y.routeOf(l), there);
            changed += there;
        }
        QCOMPARE(changed, 4 * 8);
        QCOMPARE(rackCalled(y.floor, "su[2]/rack[3]").label, std::string("I01"));
        // The spot outlives another size of the fabric.
        auto grown = setServers(*edit->design, 160);
        QVERIFY(grown);
        QCOMPARE(rackCalled(floorOf(*elaborate(grown->design)), "su[2]/rack[3]").label, std::string("I01"));
    }
    void devicesByHand() {
        const DesignPointer design = test::designOf("superpod-h100", {{"racks", "auto"}});
        auto edit = mountInRack(*design, {"su[1]/leaf[1]"}, "network-1", 20);
        QVERIFY(edit);
        const FabricPointer fabric = elaborate(edit->design);
        const Floor floor = floorOf(*fabric);
        const DeviceId leaf = deviceAt(*fabric, "su[1]/leaf[1]");
        QCOMPARE(floor.rackAt(leaf)->name, std::string("network-1"));
        QCOMPARE(floor.chassisAt(leaf)->unit, 20);
        QCOMPARE(rackCalled(floor, "su[1]/leaf-rack[1]").switches, 7);
        const auto broken = diagnosticsOf(*fabric);
        QVERIFY2(broken.empty(), broken.empty() ? "" : broken.front().c_str());
    }
    // All that stands in a rack or a row, and nothing else.
    void racksAndRowsAreSelected() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}, {"racks", "auto"}, {"row_racks", "5"}});
        const Floor floor = floorOf(*fabric);
        QVERIFY(floor.isPlaced() && floor.rows > 1);
        for (const Rack& rack : floor.racks) {
            const auto gone = select(*fabric, "rack=" + rack.label);
            QVERIFY(gone);
            for (const DeviceId d : fabric->devices.ids()) QCOMPARE(bool(gone->devices[d]), floor.rackAt(d) == &rack);
            const auto paths = elementsAt(*fabric, "rack=" + rack.label);
            for (const std::string& path : *paths) QVERIFY(path.find("/gpu") == std::string::npos);
        }
        std::size_t inRows = 0, all = 0;
        for (const char* row : {"A", "B", "C", "D", "E", "F"})
            if (const auto gone = select(*fabric, std::string("row=") + row))
                inRows += static_cast<std::size_t>(std::count(gone->devices.begin(), gone->devices.end(), true));
        for (const DeviceId d : fabric->devices.ids()) all += floor.rackAt(d) ? 1 : 0;
        QCOMPARE(inRows, all);
        QVERIFY(select(*fabric, "rack=Z99").error().text.find("its racks are") != std::string::npos);
        QVERIFY(select(*test::fabricOf("superpod-h100", {{"servers", "8"}}), "rack=A01").error().text.find("no racks") !=
                std::string::npos);
    }
    void failuresMoveNothing() {
        const FabricPointer intact = test::fabricOf("superpod-h100", {{"racks", "auto"}});
        const auto removal = select(*intact, "su[1]/srv[2]");
        const auto leaf = select(*intact, "su[1]/leaf[3]");
        QVERIFY(removal && leaf);
        const FabricPointer failed = without(without(intact, removal->devices, removal->links), {}, {});
        const Floor before = floorOf(*intact), after = floorOf(*failed);
        for (const char* path : {"su[1]/srv[3]/gpu[1]", "su[4]/srv[32]/nic[8]", "spine[16]", "su[1]/leaf[8]"}) {
            const DeviceId was = deviceAt(*intact, path), is = deviceAt(*failed, path);
            QCOMPARE(after.rackAt(is)->name, before.rackAt(was)->name);
            QCOMPARE(after.chassisAt(is)->unit, before.chassisAt(was)->unit);
        }
    }
    void leafRacksAmidTheirServersSaveFibre() {
        for (const char* recipe : {"superpod-h100", "superpod-b300", "aipod", "rail-only"}) {
            const auto middle = instantMetrics(*test::fabricOf(recipe, {{"racks", "auto"}})).floor;
            const auto end = instantMetrics(*test::fabricOf(recipe, {{"racks", "auto"}, {"leaf_racks", "end"}})).floor;
            QVERIFY(middle && end && !end->saved);
            QVERIFY(*middle->saved > Metres(0));
            QCOMPARE((middle->cable + *middle->saved).value(), end->cable.value());
        }
    }
    void racksAndWorkAreInTheBill() {
        const InstantMetrics m = instantMetrics(*test::fabricOf("superpod-h100", {{"racks", "auto"}}));
        std::map<std::string, std::int64_t> quantity;
        for (const BillLine& line : m.bill.lines)
            if (line.part) quantity[line.part->id] += line.quantity;
        QCOMPARE(quantity["rack-40kw"], std::int64_t{37});
        QCOMPARE(quantity["work-rack"], std::int64_t{37});
        QCOMPARE(quantity["work-cable"], std::int64_t{2048});
        QCOMPARE(quantity["fib-mpo12-om4-straight"], std::int64_t{2048});
        QCOMPARE(m.bill.network.inDollars(), 48 * 32870.0 + 1536 * 879.0 + 512 * 1249.0); // as without racks
    }
    void whatCannotBePlacedIsRefused() {
        const auto refused = [](test::Parameters parameters) {
            const auto design = build({"superpod-h100", std::move(parameters)}, "t", shippedCatalog());
            return design ? std::string() : toText(design.error());
        };
        QVERIFY(refused({{"medium", "by-length"}, {"racks", "none"}}).find("racks=auto") != std::string::npos);
        QVERIFY(refused({{"row_racks", "9"}}).find("racks=auto") != std::string::npos);
        QVERIFY(refused({{"racks", "auto"}, {"servers_per_rack", "5"}}).find("nearest value that works: 4") != std::string::npos);
        QVERIFY(refused({{"racks", "auto"}, {"rack", "rack-10kw"}}).find("10200 W") != std::string::npos);
        QVERIFY(refused({{"racks", "auto"}, {"rack", "rack-9kw"}}).find("rack-10kw") != std::string::npos);
        QVERIFY(refused({{"racks", "auto"}, {"slack_m", "nan"}}).find("must be a number") != std::string::npos);
    }

private:
    static void cablesAreLongEnough(const Fabric& fabric) {
        const Cabling cabling = cablingOf(fabric);
        std::map<std::size_t, const Part*> moduleOf;
        using Cage = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // server or device, and the place in it
        std::map<Cage, std::size_t> numberOf;
        std::map<std::size_t, Cage> cageOf;
        std::map<DeviceId, std::vector<std::uint32_t>> cagesOf; // of the ports of a device
        for (const CabledLinkId own : cabling.links.ids()) {
            const LinkId l = cabling.links[own];
            const OpticChoice& choice = cabling.choiceOf(own);
            QVERIFY(choice.ordered >= cabling.routeOf(l) - Metres(1e-4));
            QCOMPARE(&cabling.choiceOf(cabling.patch[own]), &choice); // a cable is one thing
            for (const Part* module : {choice.a, choice.b})
                if (module) QVERIFY(*module->as<OpticPart>()->reach >= cabling.routeOf(l));
            const CablePart* cable = choice.cable ? choice.cable->as<CablePart>() : nullptr;
            if (cable && !cable->stockLengths.empty() && choice.ordered <= cable->stockLengths.back())
                QVERIFY(std::count(cable->stockLengths.begin(), cable->stockLengths.end(), choice.ordered) == 1);
            // Both halves of a module want the same.
            for (const auto& [device, port, number, module] :
                 {std::tuple(fabric.links.a[l], fabric.links.aPort[l], cabling.cageA[own], choice.a),
                  std::tuple(fabric.links.b[l], fabric.links.bPort[l], cabling.cageB[own], choice.b)}) {
                QCOMPARE(moduleOf.emplace(number, module).first->second, module);
                const ServerId server = fabric.devices.isNic(device) ? fabric.devices.server[device] : ServerId(none);
                const auto [known, isNew] = cagesOf.try_emplace(device);
                if (isNew) known->second = cagesOfPorts(fabric, device);
                const Cage cage{server, server == none ? device : none, known->second[port - 1]};
                QCOMPARE(numberOf.emplace(cage, number).first->second, number);
                QVERIFY(cageOf.emplace(number, cage).first->second == cage);
                QVERIFY(number < cabling.cageNumbers);
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_floor)
#include "tst_floor.moc"
