#include "core/design/edits/edit.h"
#include "core/fabric/connect.h"
#include "core/fabric/group.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/switch_graph.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace railyard;
using test::Parameters;

static Parameters parametersIn(const QString& text) {
    Parameters map;
    for (const QString& pair : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        map[pair.section(QLatin1Char('='), 0, 0).toStdString()] = pair.section(QLatin1Char('='), 1).toStdString();
    return map;
}

// The same design with a row for every instance of a block.
static DesignPointer oneByOne(Design design) {
    for (auto& [name, block] : design.blocks) {
        Block apart = *block;
        apart.instances.clear();
        for (Instance each : block->instances) {
            const int end = each.first + std::exchange(each.count, 1);
            for (; each.first < end; ++each.first) apart.instances.push_back(each);
        }
        block = std::make_shared<const Block>(std::move(apart));
    }
    return std::make_shared<const Design>(std::move(design));
}

class tst_elaborate : public QObject {
    Q_OBJECT

private slots:
    void countsEqualThePlan_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("parameters"); // key=value, blank separated
        const char* sets[][2] = {
            {"rail-optimized", "servers=5"},
            {"rail-optimized", "servers=31 manager_ports=4 su_servers=32"},
            {"rail-optimized", "servers=100"},
            {"rail-optimized", "servers=300 radix=31"},
            {"rail-optimized", "servers=200 oversubscription=3:1"},
            {"rail-optimized", "servers=128 spine_rule=exact su_servers=30"},
            {"rail-optimized", "servers=70 uplinks=used"},
            {"rail-optimized", "servers=700 uplinks=used radix=32"},
            {"rail-optimized", "servers=9 gpus_per_server=2 nics_per_server=2 radix=4 tiers=4 uplinks=used"}, // an idle spine
            {"rail-optimized", "servers=300 radix=16"},
            {"rail-optimized", "servers=1000 radix=16"},
            {"rail-optimized", "servers=64 rails=4"},
            {"rail-optimized", "servers=60 rails=3"},
            {"rail-optimized", "gpus=2048 hb_domain_gpus=64"},
            {"rail-optimized", "servers=130 nic_ports=2 switch=sw-qm9700"},
            {"rail-only", "servers=64"},
            {"rail-only", "servers=65"},
            {"rail-only", "servers=700"},
            {"rail-only", "servers=2000 radix=32"},
            {"rail-only", "servers=3000 radix=16"},
            {"rail-only", "gpus=8192 hb_domain_gpus=32"},
            {"rail-only", "gpus=512 hb_domain_gpus=128 rails=64"},
            {"rail-only", "servers=600 core_oversubscription=3:1 radix=32"},
            {"fat-tree", "servers=100"},
            {"fat-tree", "servers=513"},
            {"fat-tree", "servers=3072 leaf_down=16 leaf_up=16 pod_servers=384 spine_radix=224 core_oversubscription=7:1 radix=32"},
            {"fat-tree", "servers=500 gpus_per_server=1 nics_per_server=1 radix=15"},
            {"fat-tree", "servers=96 hb_domain_gpus=64"},
            {"aipod", "servers=700"},
            {"aipod", ""},
            {"superpod-b300-xdr", "servers=600"},
            {"rail-optimized", "servers=300 nic_ports=2 planes=2"},
            {"rail-optimized", "servers=300 planes=2"},
            {"rail-optimized", "servers=200 nic_ports=4 planes=4 nic_gbps=1600 uplinks=used"},
            {"rail-optimized", "servers=100 nics_per_server=6 planes=4 radix=32"},
            {"rail-optimized", "servers=999 radix=16 nic_ports=2 planes=2 manager_ports=3"},
            {"rail-optimized", "servers=4 nic_ports=2 planes=2"},
            {"rail-only", "servers=700 nic_ports=2 planes=2"},
            {"rail-only", "servers=3000 nic_ports=2 planes=2 radix=16"},
            {"fat-tree", "servers=513 nic_ports=2 planes=2"},
            {"fat-tree", "servers=100 planes=4 uplinks=used"},
            {"aipod", "servers=700 nic_ports=2 planes=2 radix=256"},
            {"superpod-b300", "servers=600"},
            {"hpn-pod", ""},
            {"meta-24k", ""},
            {"rail-optimized", "servers=96 spines=32"},
            {"rail-optimized", "servers=512 leaf_down=32 leaf_up=16"}};
        for (const auto& set : sets)
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(set[0]), QLatin1String(set[1]))))
                << QString::fromLatin1(set[0]) << QString::fromLatin1(set[1]);
    }
    void countsEqualThePlan() {
        QFETCH(QString, recipe);
        QFETCH(QString, parameters);
        const Parameters map = parametersIn(parameters);
        const auto settings = resolve({recipe.toStdString(), map}, *shippedCatalog());
        QVERIFY2(settings, settings ? "" : settings.error().text.c_str());
        const auto p = plan(*settings);
        QVERIFY2(p, p ? "" : p.error().text.c_str());
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), map);
        const FabricCounts counts = countsOf(*fabric);
        QCOMPARE(counts.gpus, std::int64_t{settings->gpus()});
        QCOMPARE(counts.servers, std::int64_t{settings->servers});
        QCOMPARE(counts.hbDomains, std::int64_t{settings->servers / settings->serversPerDomain()});
        QCOMPARE(counts.tiers, p->tiers);
        QCOMPARE(counts.switchesByTier[1], std::int64_t{p->leaves});
        QCOMPARE(counts.switchesByTier[2], std::int64_t{p->spines});
        QCOMPARE(counts.switchesByTier[3], std::int64_t{p->superspines});
        QCOMPARE(counts.switchesByTier[4], std::int64_t{p->cores});
        QCOMPARE(counts.linksByTier[0], p->hostLinks);
        QCOMPARE(counts.linksByTier[1], p->managerLinks);
        QCOMPARE(counts.linksByTier[2], p->leafSpineLinks);
        QCOMPARE(counts.linksByTier[3], p->spineSuperLinks);
        QCOMPARE(counts.linksByTier[4], p->superCoreLinks);
        checkPorts(*fabric);
    }

    // The instances of a row are copies of the first; rows of one instance each are built one by one.
    void copiesEqualWhatIsBuilt_data() { countsEqualThePlan_data(); }
    void copiesEqualWhatIsBuilt() {
        QFETCH(QString, recipe);
        QFETCH(QString, parameters);
        const DesignPointer design = test::designOf(recipe.toStdString(), parametersIn(parameters));
        QVERIFY(isSameNetwork(*elaborate(design), *elaborate(oneByOne(*design))));
    }
    // All else is the same: devices but for the rails of GPUs, and network links in their order.
    void insideLinksMayBeOmitted_data() { countsEqualThePlan_data(); }
    void insideLinksMayBeOmitted() {
        QFETCH(QString, recipe);
        QFETCH(QString, parameters);
        for (const bool isEdited : {false, true}) {
            Design design = *test::designOf(recipe.toStdString(), parametersIn(parameters));
            if (isEdited) { // an SU drawn by hand, and a device taken out
                const FabricPointer drawn = elaborate(std::make_shared<const Design>(design));
                const auto unit = std::find_if(drawn->scopes.begin(), drawn->scopes.end(),
                                               [](const Scope& each) { return each.role == Instance::Role::ScalableUnit; });
                if (unit != drawn->scopes.end()) {
                    const auto edit = dissolve(*drawn, drawn->scopePath(ScopeId(unit - drawn->scopes.begin())), {});
                    QVERIFY2(edit, edit ? "" : edit.error().text.c_str());
                    design = *edit->design;
                }
                Override removed;
                removed.remove = true;
                design.overrides[drawn->devicePath(DeviceId(drawn->devices.size() - 1))] = removed;
            }
            const auto shared = std::make_shared<const Design>(std::move(design));
            const FabricPointer all = elaborate(shared), some = elaborate(shared, InsideLinks::Omitted);
            QVERIFY(some->links.size() < all->links.size());
            DeviceTable devices = some->devices;
            for (const DeviceId d : devices.ids())
                if (devices.isGpu(d)) devices.rail[d] = all->devices.rail[d];
            QVERIFY(devices == all->devices);
            QVERIFY(some->scopes == all->scopes && some->servers == all->servers && some->hbDomains == all->hbDomains);
            LinkTable listed, network;
            for (const auto& [from, to] : {std::pair(&all->links, &listed), std::pair(&some->links, &network)})
                for (const LinkId l : from->ids())
                    if (from->tier[l] < LinkTier::Hb)
                        to->append(from->a[l], from->aPort[l], from->b[l], from->bPort[l], from->tier[l], from->speed[l]);
            QVERIFY(network == listed);
            QCOMPARE(some->diagnostics.size(), all->diagnostics.size());
        }
    }
    // A design with more links than fit is one, whether or not those inside servers are listed.
    void omittedLinksCountTowardsTheLimit() {
        Design design = *test::designOf("superpod-h100", {{"servers", "4"}});
        design.recipe.reset();
        design.blocks.clear();
        DeviceRow gpu, hbSwitch;
        gpu.slug = "gpu", gpu.kind = DeviceKind::Gpu, gpu.count = 8000;
        hbSwitch.slug = "hbsw", hbSwitch.kind = DeviceKind::HbSwitch, hbSwitch.count = 6000;
        Block root{"root", {gpu, hbSwitch}, {}, {}, {}};
        root.wiring.push_back(
            {.id = "hb", .pattern = WiringPattern::HbStar, .lower = "gpu", .upper = "hbsw", .speed = gigabitsPerSecond(50)});
        design.blocks["root"] = std::make_shared<const Block>(root);
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(design), InsideLinks::Omitted);
        QCOMPARE(fabric->links.size(), std::size_t{0});
        QVERIFY(!fabric->diagnostics.empty() && fabric->diagnostics.front().code == linksOmitted);
    }
    void unitsInUnitsKeepTheirNumbers() {
        Block inner{"inner", {}, {}, {}, {}}, outer{"outer", {}, {}, {}, {}}, root{"root", {}, {}, {}, {}};
        DeviceRow leaf;
        leaf.slug = "leaf", leaf.kind = DeviceKind::Switch, leaf.tier = SwitchTier::Leaf, leaf.count = 2,
        leaf.rail = DeviceRow::Rail::Scope;
        inner.devices = outer.devices = {leaf};
        const auto row = [](const char* slug, const char* block, int count, Instance::Role role) {
            Instance made;
            made.slug = slug, made.block = block, made.first = 3, made.count = count, made.role = role;
            return made;
        };
        using Role = Instance::Role;
        for (const auto& [innerRole, outerRole] : {std::pair(Role::ScalableUnit, Role::ScalableUnit),
                                                   {Role::Rail, Role::ScalableUnit},
                                                   {Role::Plane, Role::Rail},
                                                   {Role::Server, Role::HbDomain},
                                                   {Role::HbDomain, Role::Pod}}) {
            outer.instances = {row("inner", "inner", 3, innerRole)};
            root.instances = {row("outer", "outer", 4, outerRole), row("inner", "inner", 2, innerRole)};
            Design design = *test::designOf("superpod-h100", {{"servers", "4"}});
            design.recipe.reset();
            design.blocks.clear();
            for (const Block& block : {inner, outer, root}) design.blocks[block.name] = std::make_shared<const Block>(block);
            const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
            QCOMPARE(fabric->devices.size(), std::size_t{36});
            QVERIFY(isSameNetwork(*fabric, *elaborate(oneByOne(design))));
        }
    }

    void partialUnitsKeepTheirNumbers() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "70"}});
        const PathFinder finder(*fabric);
        QVERIFY(finder.device("su[3]/srv[6]/gpu[8]"));
        QVERIFY(!finder.device("su[3]/srv[7]/gpu[1]"));
        QCOMPARE(fabric->devicePath(*finder.device("su[3]/leaf[8]")), std::string("su[3]/leaf[8]"));
    }
    void railsOfPorts() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        for (const LinkId l : fabric->links.ids()) {
            if (fabric->links.tier[l] != LinkTier::HostLeaf) continue;
            const DeviceId nic = fabric->links.a[l], leaf = fabric->links.b[l];
            QCOMPARE(fabric->devices.rail[nic], fabric->devices.index[nic]);
            QCOMPARE(fabric->devices.rail[leaf], fabric->devices.rail[nic]);
            QCOMPARE(fabric->devices.su[leaf], fabric->devices.su[nic]);
        }
    }
    void planesAreSeparate() {
        for (const auto& [recipe, planes, networks] :
             {std::tuple("rail-optimized", 4U, 4U), std::tuple("fat-tree", 4U, 4U), std::tuple("rail-only", 2U, 32U)}) {
            const FabricPointer fabric = test::fabricOf(
                recipe,
                {{"servers", "300"}, {"nic_ports", "2"}, {"planes", std::to_string(planes)}, {"nics_per_server", "16"}, {"rails", "16"}});
            QCOMPARE(countsOf(*fabric).planes, std::int64_t{planes});
            QCOMPARE(switchGraphOf(*fabric).networks, networks);
            const LinkTable& links = fabric->links;
            for (const LinkId l : links.ids()) {
                const std::uint32_t plane = fabric->devices.plane[links.b[l]];
                if (links.tier[l] == LinkTier::HostLeaf)
                    QCOMPARE(plane - 1, ((fabric->devices.index[links.a[l]] - 1) * 2 + links.aPort[l] - 1) % planes);
                else if (fabric->isNetworkLink(l))
                    QCOMPARE(plane, fabric->devices.plane[links.a[l]]);
            }
        }
    }
    void cubeMeshOfTheFirstDgx() {
        for (const auto& [server, gbps] : {std::pair("srv-dgx1-p100", 640.0), std::pair("srv-dgx1-v100", 1200.0)}) {
            const FabricPointer fabric = test::fabricOf("fat-tree", {{"servers", "1"}, {"server", server}, {"switch", "sw-qm8700"}});
            std::map<std::uint32_t, double> speed;
            std::set<std::pair<std::uint32_t, std::uint32_t>> ports;
            int links = 0;
            for (const LinkId l : fabric->links.ids()) {
                if (fabric->links.tier[l] != LinkTier::Hb) continue;
                ++links;
                speed[fabric->links.a[l]] += inGbps(fabric->speedOf(l));
                speed[fabric->links.b[l]] += inGbps(fabric->speedOf(l));
                QVERIFY(ports.emplace(fabric->links.a[l], fabric->links.aPort[l]).second);
                QVERIFY(ports.emplace(fabric->links.b[l], fabric->links.bPort[l]).second);
            }
            QCOMPARE(links, 16);
            QCOMPARE(speed.size(), std::size_t{8});
            for (const auto& [gpu, sum] : speed) QCOMPARE(sum, gbps);
        }
    }
    void railOnlyNeverJoinsRails() {
        const SwitchGraph graph = switchGraphOf(*test::fabricOf("rail-only", {{"servers", "700"}}));
        QCOMPARE(graph.networks, 8U);
        QVERIFY(graph.regular);
    }
    void breakoutLanesAreNamed() {
        const FabricPointer fabric = test::fabricOf("aipod", {{"servers", "64"}});
        const auto leaf = PathFinder(*fabric).device("su[1]/leaf[1]");
        QCOMPARE(fabric->portName(*leaf, PortId(1), LinkTier::HostLeaf), std::string("1.1"));
        QCOMPARE(fabric->portName(*leaf, PortId(4), LinkTier::HostLeaf), std::string("2.2"));
        QCOMPARE(fabric->portName(*leaf, PortId(65), LinkTier::LeafSpine), std::string("33.1"));
        for (PortId port(1); port <= 128; ++port)
            QCOMPARE(*fabric->portFromName(*leaf, fabric->portName(*leaf, port, LinkTier::LeafSpine)), port);
        QVERIFY(!fabric->portFromName(*leaf, "65.1"));
        QVERIFY(!fabric->portFromName(*leaf, "1.3"));
    }

    void selectors_data() {
        QTest::addColumn<QString>("selector");
        QTest::addColumn<int>("devices");
        QTest::addColumn<int>("links");
        QTest::newRow("one leaf") << "su[1]/leaf[2]" << 1 << 0;
        QTest::newRow("every leaf of an SU") << "su[2]/leaf[*]" << 8 << 0;
        QTest::newRow("a range") << "su[*]/leaf[2-3]" << 4 << 0;
        QTest::newRow("tier") << "tier=spine" << 8 << 0;
        QTest::newRow("rail: switches and NICs, not GPUs") << "rail=3" << 2 + 64 << 0;
        QTest::newRow("part") << "part=sw-qm9700" << 24 << 0;
        QTest::newRow("a server with all in it") << "su[1]/srv[1]" << 20 << 0;
        QTest::newRow("any depth") << "**/nic[2]" << 64 << 0;
        QTest::newRow("one segment") << "*/*/gpu[1]" << 64 << 0;
        QTest::newRow("a port") << "spine[1]:3" << 0 << 1;
    }
    void selectors() {
        QFETCH(QString, selector);
        QFETCH(int, devices);
        QFETCH(int, links);
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const auto removal = select(*fabric, selector.toStdString());
        QVERIFY2(removal, removal ? "" : removal.error().text.c_str());
        QCOMPARE(static_cast<int>(std::count(removal->devices.begin(), removal->devices.end(), true)), devices);
        QCOMPARE(static_cast<int>(std::count(removal->links.begin(), removal->links.end(), true)), links);
    }
    void badSelectorsAreQuoted() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        for (const auto& [bad, isWellFormed] :
             {std::pair("leaf[99]", true), std::pair("su[", false), std::pair("", false), std::pair("colour=red", false),
              std::pair("su[0]", false), std::pair("su[3-1]", false), std::pair("leaf[1]:", false)}) {
            const auto removal = select(*fabric, bad);
            QVERIFY2(!removal, bad);
            QCOMPARE(removal.error().code, std::string(isWellFormed ? "selector.match" : "selector.syntax"));
            QCOMPARE(removal.error().field, std::string(bad));
            QCOMPARE(removal.error().kind, Error::Kind::Usage);
        }
    }
    void drawnLinksAreSeededAndNeverInside() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        Removal a, b, c;
        drawLinks(*fabric, 0.1, 1, a);
        drawLinks(*fabric, 0.1, 1, b);
        drawLinks(*fabric, 0.1, 2, c);
        QVERIFY(a.links == b.links && a.links != c.links);
        QCOMPARE(std::count(a.links.begin(), a.links.end(), true), std::ptrdiff_t{102}); // round(0.1 * 1024)
        for (const LinkId l : indices<LinkId>(a.links.size())) QVERIFY(!a.links[l] || fabric->isNetworkLink(l));
    }
    void removingKeepsTheRestIntact() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const FabricPointer rest = without(fabric, select(*fabric, "su[1]/leaf[1]")->devices, {});
        QCOMPARE(rest->devices.size(), fabric->devices.size() - 1);
        QCOMPARE(countsOf(*rest).links, countsOf(*fabric).links - 64);
        checkPorts(*rest);
        QVERIFY(!PathFinder(*rest).device("su[1]/leaf[1]"));
        QVERIFY(PathFinder(*rest).device("su[2]/leaf[1]"));
    }
    void overridesApplyAndWait() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        design.overrides["su[1]/srv[3]"].remove = true;
        design.overrides["su[2]/leaf[1]"].part = "sw-qm9790";
        design.overrides["su[9]/leaf[1]"].remove = true;
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
        QCOMPARE(countsOf(*fabric).servers, std::int64_t{63});
        QCOMPARE(fabric->partOf(*PathFinder(*fabric).device("su[2]/leaf[1]"))->id, std::string("sw-qm9790"));
        QCOMPARE(fabric->diagnostics.size(), std::size_t{1});
        QCOMPARE(fabric->diagnostics[0].code, std::string("RY-D014"));
    }
    void partsOfOverridesShareALine() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        for (int leaf = 1; leaf <= 8; ++leaf) design.overrides["su[1]/leaf[" + std::to_string(leaf) + "]"].part = "sw-qm9790";
        const FabricPointer fabric = elaborate(std::make_shared<const Design>(design));
        QCOMPARE(std::count(fabric->partIds.begin(), fabric->partIds.end(), "sw-qm9790"), std::ptrdiff_t{1});
    }
    void cablesByHandTakeFreePorts() {
        DesignPointer design = test::designOf("superpod-h100", {{"servers", "63"}, {"su_servers", "32"}});
        design = dropItem(*design, PaletteItem::Leaf, {0, 0})->design;
        FabricPointer fabric = elaborate(design);
        const auto link = railyard::connect(*fabric, "su[2]/leaf[1]", "leaf-extra[1]");
        QVERIFY2(link, link ? "" : link.error().text.c_str());
        fabric = elaborate(link->design);
        QCOMPARE(countsOf(*fabric).links, std::int64_t{63 * 8 + 512 + 1});
        QVERIFY(!railyard::connect(*fabric, "su[1]/leaf[1]", "leaf-extra[1]")); // no free port
        QVERIFY(!railyard::connect(*fabric, "leaf-extra[1]", "leaf-extra[1]"));
        QVERIFY(!railyard::connect(*fabric, "su[2]/leaf[1]:32", "leaf-extra[1]:1")); // taken by the first cable
        QVERIFY(!railyard::connect(*fabric, "nowhere[1]", "leaf-extra[1]"));
    }
    // All cables of a pattern, or none.
    void groupsAreCabledAtOnce() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 4; ++i) design = dropItem(*design, PaletteItem::Leaf, {0, 0})->design;
        for (int i = 0; i < 2; ++i) design = dropItem(*design, PaletteItem::Spine, {0, 0})->design;
        const std::vector<std::string> leaves{"leaf[1]", "leaf[2]", "leaf[3]", "leaf[4]"}, spines{"spine[1]", "spine[2]"};
        const FabricPointer bare = elaborate(design);
        const auto each = connectGroups(*bare, leaves, spines, GroupPattern::EachToEach);
        QVERIFY2(each, each ? "" : each.error().text.c_str());
        const FabricPointer wired = elaborate(each->design);
        QCOMPARE(countsOf(*wired).links, std::int64_t{8});
        checkPorts(*wired);
        const auto pairs = connectGroups(*wired, {"leaf[1]", "leaf[2]"}, spines, GroupPattern::OneToOne);
        QVERIFY(pairs);
        const FabricPointer more = elaborate(pairs->design);
        QCOMPARE(countsOf(*more).links, std::int64_t{10});
        checkPorts(*more);
        QVERIFY(!connectGroups(*bare, leaves, spines, GroupPattern::OneToOne)); // four and two
        QVERIFY(!connectGroups(*bare, {}, spines, GroupPattern::EachToEach));
        QVERIFY(!connectGroups(*bare, leaves, {"leaf[1]"}, GroupPattern::EachToEach)); // itself
        // An element on both sides gives each port once.
        const auto ring =
            connectGroups(*bare, {"leaf[1]", "leaf[2]", "leaf[3]"}, {"leaf[2]", "leaf[3]", "leaf[1]"}, GroupPattern::OneToOne);
        QVERIFY(ring);
        checkPorts(*elaborate(ring->design));
        DesignPointer full = each->design; // one port of a leaf is left in the end
        const int ports = wired->portCount(DeviceId(0));
        for (int port = 3; port < ports; ++port) full = railyard::connect(*elaborate(full), "leaf[1]", spines[port % 2])->design;
        const auto tooMany = connectGroups(*elaborate(full), {"leaf[1]"}, spines, GroupPattern::EachToEach);
        QVERIFY(!tooMany && tooMany.error().text.find("after 1 of 2 cables. No cable was drawn") != std::string::npos);
    }
    // NIC k of every server leads to the switch of its rail; what does not fit draws nothing.
    void allNicsAreCabledRailByRail() {
        DesignPointer design = dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Leaf, {0, 0})->design;
        for (int i = 0; i < 2; ++i) design = dropItem(*design, PaletteItem::Leaf, {0, 0})->design;
        for (int i = 0; i < 4; ++i) design = dropItem(*design, PaletteItem::Server, {0, 0})->design;
        const std::vector<std::string> servers{"srv[1]", "srv[2]", "srv[3]", "srv[4]"};
        for (const std::vector<std::string>& leaves :
             {std::vector<std::string>{"leaf[1]"}, {"leaf[1]", "leaf[2]"}, {"leaf[1]", "leaf[2]", "leaf[3]"}}) {
            const auto edit = connectGroups(*elaborate(design), servers, leaves, GroupPattern::RailByRail);
            QVERIFY2(edit, edit ? "" : edit.error().text.c_str());
            const FabricPointer wired = elaborate(edit->design);
            checkPorts(*wired);
            int links = 0;
            for (const LinkId l : wired->links.ids()) {
                if (!wired->isNetworkLink(l)) continue;
                ++links;
                const std::size_t rail = (wired->devices.index[wired->links.a[l]] - 1) % leaves.size();
                QCOMPARE(wired->devicePath(wired->links.b[l]), leaves[rail]);
            }
            QCOMPARE(links, 32);
        }
        const auto again =
            connectGroups(*elaborate(connectGroups(*elaborate(design), servers, {"leaf[1]"}, GroupPattern::RailByRail)->design), {"srv[1]"},
                          {"leaf[2]"}, GroupPattern::RailByRail);
        QVERIFY(!again && again.error().text.find("no free ports") != std::string::npos);
        QVERIFY(!connectGroups(*elaborate(design), {"leaf[1]"}, {"leaf[2]"}, GroupPattern::RailByRail));
    }

private:
    static void checkPorts(const Fabric& fabric) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> used;
        for (const LinkId l : fabric.links.ids()) {
            if (!fabric.isNetworkLink(l)) continue;
            for (const auto& [device, port] :
                 {std::pair(fabric.links.a[l], fabric.links.aPort[l]), std::pair(fabric.links.b[l], fabric.links.bPort[l])}) {
                QVERIFY2(used.emplace(device, port).second, fabric.devicePath(device).c_str());
                QVERIFY2(port >= 1 && static_cast<int>(port) <= fabric.portCount(device), fabric.devicePath(device).c_str());
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_elaborate)
#include "tst_elaborate.moc"
