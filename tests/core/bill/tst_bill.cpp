#include "core/analysis/metrics/metrics.h"
#include "core/bill/bill_blocks.h"
#include "tests/support/designs.h"

#include <limits>

using namespace railyard;

class tst_bill : public QObject {
    Q_OBJECT

private slots:
    // Worked by hand from the catalogue: 48 switches at 32,870, 1,536 twin modules at 879, 512 flat-top at 1,249.
    void superPodByHand() {
        const InstantMetrics m = instantMetrics(*test::fabricOf("superpod-h100"));
        QCOMPARE(m.cables.pluggablesByPart.at("opt-800g-2xsr4"), std::int64_t{1536});
        QCOMPARE(m.cables.pluggablesByPart.at("opt-800g-2xsr4-flt"), std::int64_t{512});
        QCOMPARE(*m.cables.pluggables, std::int64_t{2048});
        QCOMPARE(*m.cables.transceiversLogical, std::int64_t{4096});
        QCOMPARE(m.cables.byMedium.at("mmf"), std::int64_t{2048});
        QCOMPARE(m.bill.network.inDollars(), 48 * 32870.0 + 1536 * 879.0 + 512 * 1249.0);
        QCOMPARE(m.bill.networkPower->value(), 48 * 747.0 + 1536 * 15.0 + 512 * 17.0);
        QVERIFY(!m.bill.byCategory[static_cast<std::size_t>(BillCategory::Server)]); // only a press range is known
        QVERIFY(!m.bill.byCategory[static_cast<std::size_t>(BillCategory::Cable)]);
        QCOMPARE(m.bill.byCategory[static_cast<std::size_t>(BillCategory::Nic)]->inCents(), std::int64_t{0}); // inside the server
        QCOMPARE(m.bill.unpricedLines, 2);
    }
    // The tables have entries for network links only, which stand between those of servers; others have no cable.
    void everyNetworkLinkIsFound() {
        using Parameters = test::Parameters;
        for (const auto& [recipe, parameters] :
             {std::pair("rail-optimized", Parameters{{"gpus", "200"}}), std::pair("rail-only", Parameters{{"gpus", "128"}}),
              std::pair("superpod-gb200", Parameters{{"servers", "72"}}), std::pair("superpod-h100", Parameters{}),
              std::pair("hpn-pod", Parameters{})}) {
            const FabricPointer fabric = test::fabricOf(recipe, parameters);
            const Cabling cabling = cablingOf(*fabric);
            std::vector<LinkId> expected;
            for (const LinkId l : fabric->links.ids()) {
                const CabledLinkId own = cabling.links.find(l);
                QCOMPARE(own != none, fabric->isNetworkLink(l));
                if (own == none) {
                    QVERIFY(cabling.cableOf(l) == none && cabling.patchOf(l) == none && !cabling.choiceOf(l).cable);
                    continue;
                }
                expected.push_back(l);
                QCOMPARE(cabling.links[own], l);
                QCOMPARE(cabling.cableOf(l), cabling.links[cabling.cable[own]]);
                QCOMPARE(cabling.patchOf(l), cabling.links[cabling.patch[own]]);
                QCOMPARE(&cabling.choiceOf(l), &cabling.choiceOf(own));
                QCOMPARE(cabling.routeOf(l), cabling.routeOf(own));
            }
            QVERIFY(std::equal(cabling.links.begin(), cabling.links.end(), expected.begin(), expected.end()));
            QVERIFY(cabling.links.find(LinkId(fabric->links.size())) == none);
        }
        QVERIFY(Cabling().cableOf(LinkId(3)) == none && !Cabling().choiceOf(LinkId(3)).cable);
    }
    // What is bought does not depend on the numbers of NICs, which documents may count from any.
    void nicsMayCountFromAnyNumber() {
        const auto numbered = [](const test::Parameters& parameters, int first) {
            Design design = *test::designOf("superpod-h100", parameters);
            Block server = *design.blocks.at("server");
            for (DeviceRow& row : server.devices)
                if (row.kind == DeviceKind::Nic) row.first = first;
            design.blocks["server"] = std::make_shared<const Block>(std::move(server));
            return elaborate(std::make_shared<const Design>(std::move(design)));
        };
        const test::Parameters apart{{"servers", "40"}, {"nic", "nic-cx7-400-osfp"}}; // each with cages of its own
        const InstantMetrics usual = instantMetrics(*numbered(apart, 1));
        for (const int first : {5, 4095, 1'000'000}) {
            const InstantMetrics m = instantMetrics(*numbered(apart, first));
            QVERIFY(m.cables.pluggablesByPart == usual.cables.pluggablesByPart && m.cables.pluggables == usual.cables.pluggables);
            QCOMPARE(m.cables.patchCables, usual.cables.patchCables);
            QCOMPARE(m.bill.network.inCents(), usual.bill.network.inCents());
        }
        for (const int first : {4095, 1'000'000, std::numeric_limits<int>::max() - 8}) { // in the cages of the server, which hold that many
            const Cabling cabling = cablingOf(*numbered({{"servers", "40"}}, first));
            for (const CabledLinkId l : cabling.links.ids()) {
                QVERIFY(cabling.cageA[l] < cabling.cageNumbers && cabling.cageB[l] < cabling.cageNumbers);
                QVERIFY(cabling.cable[l] <= l && cabling.patch[l] <= l);
            }
        }
    }
    void partsSumToTotals() {
        for (const char* recipe : {"superpod-h100", "superpod-b200", "aipod", "rail-only", "superpod-b300-xdr"}) {
            const Bill bill = instantMetrics(*test::fabricOf(recipe)).bill;
            Money sum;
            for (const auto& category : bill.byCategory) sum += category.value_or(Money());
            QCOMPARE(sum.inCents(), bill.total.inCents());
            QVERIFY(bill.low <= bill.total && bill.total <= bill.high);
            Money network;
            for (const auto c : {BillCategory::Switch, BillCategory::Cable, BillCategory::Pluggable})
                network += bill.byCategory[static_cast<std::size_t>(c)].value_or(Money());
            QCOMPARE(network.inCents(), bill.network.inCents());
        }
    }
    // Part by part, blocks times their quantity is the flat bill; a short last SU and a hand-drawn switch stand apart.
    void blocksAddUpToTheBill() {
        for (const auto& [recipe, servers] : std::vector<std::pair<const char*, const char*>>{
                 {"superpod-h100", "128"}, {"superpod-h100", "100"}, {"rail-only", "80"}, {"aipod", "192"}, {"rail-only-gh200", "512"}}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", servers}});
            const Cabling cabling = cablingOf(*fabric);
            std::map<std::string, std::int64_t> flat, summed;
            for (const BillLine& line : billOf(*fabric, cabling).lines) flat[line.section + line.description] += line.quantity;
            for (const BillBlock& block : billByBlock(*fabric, cabling))
                for (const BillLine& line : block.lines) summed[line.section + line.description] += block.count * line.quantity;
            QCOMPARE(summed, flat);
        }
    }
    void alikeBlocksAreOneEntry() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "100"}});
        const auto blocks = billByBlock(*fabric, cablingOf(*fabric));
        std::vector<std::string> names;
        for (const BillBlock& block : blocks) names.push_back(block.name);
        QCOMPARE(names, (std::vector<std::string>{"su[1-3]", "su[4]", "top level"}));
        QCOMPARE(blocks[0].count, std::int64_t{3});
        QCOMPARE(blocks[0].lines.front().quantity, std::int64_t{32});
        QCOMPARE(blocks[1].lines.front().quantity, std::int64_t{4});
    }
    void anOddPortBurnsAWholeModule() {
        // 31 servers: every leaf has 31 ports down (16 cages) and 32 up (16 cages); each server 4 cages.
        const InstantMetrics m = instantMetrics(*test::fabricOf("superpod-h100", {{"servers", "31"}}));
        QCOMPARE(m.cables.pluggablesByPart.at("opt-800g-2xsr4-flt"), std::int64_t{31 * 4});
        QCOMPARE(m.cables.pluggablesByPart.at("opt-800g-2xsr4"), std::int64_t{8 * 32 + 4 * 32});
    }
    // 200G NICs on 400G ports split in two. A splitter serves two NICs, the last of 21 one; the lanes of a leaf port
    // run together to one spine port, in a straight cable.
    void lanesOfAPortShareASplitter() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "21"}, {"nic", "nic-cx7-200-osfp"}, {"switch", "sw-qm9700"}});
        const InstantMetrics m = instantMetrics(*fabric);
        QCOMPARE(m.cables.byTier.at("host-leaf"), std::int64_t{8 * 11});
        QCOMPARE(m.counts.linksByTier[static_cast<std::size_t>(LinkTier::HostLeaf)], std::int64_t{8 * 21});
        QCOMPARE(m.cables.pluggablesByPart.at("opt-400g-sr4-osfp-nic"), std::int64_t{8 * 21}); // on half its lanes
        std::map<std::string, std::int64_t> bought;
        for (const BillLine& line : m.bill.lines)
            if (line.category == BillCategory::Cable && line.part) bought[line.part->id] += line.quantity;
        QCOMPARE(bought.at("fib-mpo12-om4-split"), std::int64_t{8 * 11});
        QCOMPARE(bought["fib-mpo12-om4-straight"] + 8 * 11, m.cables.cables);
        QCOMPARE(*m.cables.transceiversLogical, 2 * m.counts.links); // as many as links have ends
        const Cabling cabling = cablingOf(*fabric);
        std::map<LinkId, int> linksOf;
        for (const LinkId l : fabric->links.ids())
            if (fabric->isNetworkLink(l)) ++linksOf[cabling.cableOf(l)];
        for (const auto& [cable, links] : linksOf) {
            QVERIFY(links <= 2);
            const FibreShape shape = cabling.choiceOf(cable).shape; // leaves have the larger number
            QCOMPARE(shape, fabric->links.tier[cable] == LinkTier::LeafSpine ? FibreShape::Straight : FibreShape::SplitsAtB);
        }
    }
    // A module with two sockets takes two fibres: an 800G port that is split in two 400G ports has no splitter.
    void everySocketHasItsOwnFibre() {
        const FabricPointer fabric = test::fabricOf(
            "rail-optimized", {{"server", "srv-mi300x-8"}, {"gpus", "128"}, {"switch", "sw-arista-7060x6-64pe"}, {"racks", "auto"}});
        const InstantMetrics m = instantMetrics(*fabric);
        QCOMPARE(m.cables.pluggablesByPart.at("opt-400g-sr4-qsfp112-nic"), std::int64_t{128});
        QCOMPARE(m.cables.patchCables, std::int64_t{128});
        std::map<std::string, std::int64_t> bought;
        double metres = 0;
        for (const BillLine& line : m.bill.lines) {
            if (line.part) bought[line.part->id] += line.quantity;
            if (line.category == BillCategory::Cable) metres += line.length.value() * static_cast<double>(line.quantity);
        }
        QCOMPARE(bought.at("fib-mpo12-om4-straight"), std::int64_t{128});
        QCOMPARE(bought.at("work-cable"), std::int64_t{128});
        QCOMPARE(m.floor->cable.value(), metres);
    }
    // Where all ports are in use, the modules have as many sockets as the cables have plugs; and a cable that is no splitter joins two
    // devices.
    void socketsAndPlugsAreEqual() {
        using Design = std::pair<const char*, test::Parameters>;
        for (const auto& [recipe, parameters] : std::vector<Design>{
                 {"superpod-h100", {}},
                 {"superpod-b300", {{"racks", "auto"}}},
                 {"superpod-b300-xdr", {{"servers", "144"}}},
                 {"rail-optimized", {{"server", "srv-mi300x-8"}, {"gpus", "128"}, {"switch", "sw-th5-64x800"}}},
                 {"rail-optimized", {{"servers", "16"}, {"nic", "nic-cx7-200-osfp"}, {"switch", "sw-qm9700"}, {"rails", "1"}}},
                 {"rail-optimized", {{"servers", "32"}, {"nic", "nic-cx7-200-osfp"}, {"switch", "sw-sn5600"}, {"rails", "1"}}}}) {
            const FabricPointer fabric = test::fabricOf(recipe, parameters);
            const Cabling cabling = cablingOf(*fabric);
            std::int64_t sockets = 0, plugs = 0;
            for (const ModuleCount& module : modulesOf(*fabric, cabling)) sockets += module.count * module.part->as<OpticPart>()->ports;
            std::map<LinkId, std::vector<LinkId>> cables;
            for (const LinkId l : fabric->links.ids())
                if (fabric->isNetworkLink(l)) cables[cabling.patchOf(l)].push_back(l);
            for (const auto& [first, links] : cables) {
                const bool isSplitter = cabling.choiceOf(first).shape != FibreShape::Straight;
                plugs += isSplitter ? 1 + static_cast<std::int64_t>(links.size()) : 2;
                for (const LinkId l : links) {
                    QCOMPARE(&cabling.choiceOf(l), &cabling.choiceOf(first));
                    QCOMPARE(cabling.cableOf(l), cabling.cableOf(first));
                    if (!isSplitter) QVERIFY(fabric->links.a[l] == fabric->links.a[first] && fabric->links.b[l] == fabric->links.b[first]);
                }
            }
            QCOMPARE(plugs, sockets);
            QCOMPARE(instantMetrics(*fabric).cables.patchCables, static_cast<std::int64_t>(cables.size()));
        }
    }
    // NVIDIA counts a cable for each 800G cage of a DGX B300; two fibres leave it, one to each plane.
    void aTrunkIsSeveralPatchCables() {
        const InstantMetrics m = instantMetrics(*test::fabricOf("superpod-b300"));
        QCOMPARE(2 * m.cables.cables, m.cables.patchCables);
        QCOMPARE(m.cables.patchCables, m.counts.links);
        const InstantMetrics h100 = instantMetrics(*test::fabricOf("superpod-h100"));
        QCOMPARE(h100.cables.patchCables, std::int64_t{2048});
    }
    // Four 200G lanes leave an 800G cage in two splitters, one from each socket.
    void aCageOfFourLanesHasTwoSplitters() {
        const InstantMetrics m =
            instantMetrics(*test::fabricOf("rail-optimized", {{"servers", "16"}, {"nic", "nic-cx7-200-osfp"}, {"switch", "sw-sn5600"}}));
        std::map<std::string, std::int64_t> bought;
        for (const BillLine& line : m.bill.lines)
            if (line.part) bought[line.part->id] += line.quantity;
        const auto hosts = m.counts.linksByTier[static_cast<std::size_t>(LinkTier::HostLeaf)];
        QCOMPARE(hosts, std::int64_t{128});
        QCOMPARE(bought.at("fib-mpo12-om4-split"), hosts / 2);
    }
    void singleModeWhereTheRateNeedsIt() {
        const InstantMetrics m = instantMetrics(*test::fabricOf("superpod-b300-xdr", {{"servers", "72"}}));
        QCOMPARE(m.cables.byMedium.at("smf"), m.cables.cables); // no multimode at 200G lanes
        QCOMPARE(m.cables.pluggablesByPart.at("opt-800g-dr4-xdr-nic"), std::int64_t{576});
    }
    void unknownPowerIsNotAZero() {
        const Bill bill = instantMetrics(*test::fabricOf("aipod", {{"servers", "64"}})).bill;
        QVERIFY(!bill.networkPower);
        QVERIFY(std::find(bill.unknownPower.begin(), bill.unknownPower.end(), "sw-th4-64x400") != bill.unknownPower.end());
    }
    void aNicBoughtApartIsALine() {
        const Bill bill = instantMetrics(*test::fabricOf("rail-optimized", {{"servers", "4"}, {"nic", "nic-cx7-400-osfp"}})).bill;
        QCOMPARE(bill.byCategory[static_cast<std::size_t>(BillCategory::Nic)]->inDollars(), 32 * 1599.0);
    }
    void nothingFitsIsSaid() { // the cage of this leaf is not published
        const InstantMetrics m = instantMetrics(*test::fabricOf("hpn-pod", {{"servers", "4"}}));
        QVERIFY(!m.cables.pluggables);
        QVERIFY(!m.cables.transceiversLogical);
    }
    void anActiveCableWhereNoModuleFits() { // no module for 100G cages is in the catalogue, an active optical cable is
        const InstantMetrics m =
            instantMetrics(*test::fabricOf("rail-optimized", {{"servers", "4"}, {"server", "srv-dgx2"}, {"switch", "sw-sn4600c"}}));
        QCOMPARE(m.cables.byMedium, (std::map<std::string, std::int64_t>{{"aoc", m.cables.cables}}));
        QCOMPARE(*m.cables.pluggables, std::int64_t{0});
        QCOMPARE(*m.cables.transceiversLogical, std::int64_t{0});
        QVERIFY(!m.bill.byCategory[static_cast<std::size_t>(BillCategory::Cable)]); // the price is of 3 m, these have 30
    }
    // Two for each link whose medium is mmf or smf in the exported links; unknown where the catalogue has no module for a cage.
    void logicalTransceiversFollowFromTheMedia() {
        for (const char* recipe : {"superpod-h100", "superpod-b300", "aipod", "meta-24k", "hpn-pod"}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "64"}});
            const Cabling cabling = cablingOf(*fabric);
            std::int64_t byFibre = 0, unknown = 0;
            for (const LinkId l : fabric->links.ids()) {
                if (!fabric->isNetworkLink(l)) continue;
                const std::string& medium = cabling.choiceOf(l).medium;
                byFibre += medium == "mmf" || medium == "smf";
                unknown += medium.empty();
            }
            const auto counted = instantMetrics(*fabric).cables.transceiversLogical;
            QCOMPARE(counted.has_value(), unknown == 0);
            if (counted) QCOMPARE(*counted, 2 * byFibre);
        }
        QVERIFY(!instantMetrics(*test::fabricOf("hpn-pod", {{"servers", "64"}})).cables.transceiversLogical);
    }
};

QTEST_GUILESS_MAIN(tst_bill)
#include "tst_bill.moc"
