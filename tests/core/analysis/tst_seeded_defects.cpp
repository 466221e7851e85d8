#include "core/analysis/rules/design_rules.h"
#include "core/design/edits/edit.h"
#include "core/fabric/path_finder.h"
#include "core/fabric/without.h"
#include "tests/support/designs.h"

#include <set>

using namespace railyard;
using Codes = std::set<std::string>;

namespace {

std::vector<Diagnostic> findings(const Fabric& fabric) {
    const Cabling cabling = cablingOf(fabric);
    return checkDesign(fabric, cabling, billOf(fabric, cabling));
}
Codes codesOf(const std::vector<Diagnostic>& found) {
    Codes codes;
    for (const Diagnostic& d : found) codes.insert(d.code);
    return codes;
}
// What the defect brought: codes that the sound design does not have.
Codes fresh(const Fabric& sound, const Fabric& defect) {
    Codes codes = codesOf(findings(defect));
    for (const std::string& code : codesOf(findings(sound))) codes.erase(code);
    return codes;
}
Codes freshBy(const DesignPointer& sound, const std::map<std::string, Override>& overrides) {
    Design design = *sound;
    for (const auto& [path, change] : overrides) design.overrides[path] = change;
    return fresh(*elaborate(sound), *elaborate(std::make_shared<const Design>(design)));
}

Override removed() {
    Override change;
    change.remove = true;
    return change;
}
Override withPart(const char* part) {
    Override change;
    change.part = part;
    return change;
}
Override called(std::string label) {
    Override change;
    change.label = std::move(label);
    return change;
}

LinkId linkFrom(const Fabric& fabric, const std::string& path, std::uint32_t port) {
    const DeviceId device = *PathFinder(fabric).device(path);
    for (const LinkId l : fabric.links.ids())
        if (fabric.isNetworkLink(l) && fabric.links.a[l] == device && fabric.links.aPort[l] == port) return l;
    qFatal("no link from %s:%u", path.c_str(), port);
}
void addLink(Fabric& fabric, const char* a, int aPort, const char* b, int bPort) {
    const PathFinder finder(fabric);
    fabric.links.append(*finder.device(a), PortId(aPort), *finder.device(b), PortId(bPort), LinkTier::LeafSpine, fabric.links.speed.back());
}
FabricPointer withoutLinks(const FabricPointer& fabric, const std::vector<std::size_t>& links) {
    std::vector<bool> gone(fabric->links.size());
    for (const std::size_t l : links) gone[l] = true;
    return without(fabric, {}, gone);
}

} // namespace

// Each defect is planted alone in a sound design, and exactly its codes appear.
class tst_seeded_defects : public QObject {
    Q_OBJECT

private slots:
    void crossedRail() {
        const FabricPointer sound = test::fabricOf("superpod-h100", {{"servers", "64"}});
        Fabric defect = *sound;
        const std::size_t one = linkFrom(defect, "su[1]/srv[1]/nic[1]", 1), two = linkFrom(defect, "su[1]/srv[1]/nic[2]", 1);
        std::swap(defect.links.b[one], defect.links.b[two]);
        std::swap(defect.links.bPort[one], defect.links.bPort[two]);
        QCOMPARE(fresh(*sound, defect), Codes{"RY-R004"});
    }
    void crossedPlane() {
        const FabricPointer sound =
            test::fabricOf("rail-optimized", {{"servers", "64"}, {"planes", "2"}, {"nic_ports", "2"}, {"nic_gbps", "800"}});
        Fabric defect = *sound;
        const std::size_t one = linkFrom(defect, "su[1]/leaf[1]", 33), two = linkFrom(defect, "su[1]/leaf[9]", 33);
        std::swap(defect.links.b[one], defect.links.b[two]);
        std::swap(defect.links.bPort[one], defect.links.bPort[two]);
        QCOMPARE(fresh(*sound, defect), (Codes{"RY-E001", "RY-R005"})); // each leaf has one link less to its own plane
    }
    void aSwitchDrawnBesidePlanesCrossesNone() {
        DesignPointer design = test::designOf("superpod-b300", {{"servers", "63"}});
        design = dropItem(*design, PaletteItem::Leaf, {})->design;
        design = railyard::addLink(*design, {"su[1]/leaf[9]:64", "leaf-extra[1]:1"}).design;
        const FabricPointer fabric = elaborate(design);
        QCOMPARE(fabric->devices.plane[*PathFinder(*fabric).device("leaf-extra[1]")], 0U);
        QVERIFY(!codesOf(findings(*fabric)).contains("RY-R005"));
        QCOMPARE(countsOf(*fabric).planes, std::int64_t{2});
    }
    void nicWithAFreePort() {
        const FabricPointer sound = test::fabricOf("superpod-b300", {{"servers", "63"}});
        const FabricPointer defect = withoutLinks(sound, {linkFrom(*sound, "su[1]/srv[1]/nic[1]", 2)});
        QCOMPARE(fresh(*sound, *defect), (Codes{"RY-R006", "RY-S001"})); // and it has one leaf left
    }
    void cableBetweenLeaves() {
        const FabricPointer sound = test::fabricOf("superpod-h100", {{"servers", "63"}});
        Fabric defect = *sound;
        addLink(defect, "su[2]/leaf[1]", 32, "su[2]/leaf[2]", 32);
        const Codes codes = fresh(*sound, defect);
        QVERIFY(codes.contains("RY-L003"));
        QVERIFY(!codes.contains("RY-L004") && !codes.contains("RY-P001"));
    }
    void cableOverATier() {
        const FabricPointer sound = test::fabricOf("superpod-h100", {{"servers", "383"}});
        Fabric defect = *sound;
        addLink(defect, "su[12]/leaf[1]", 32, "superspine[1]", 64);
        const Codes codes = fresh(*sound, defect);
        QVERIFY(codes.contains("RY-L004"));
        QVERIFY(!codes.contains("RY-L003"));
    }
    void cableToItself() {
        const FabricPointer sound = test::fabricOf("superpod-h100", {{"servers", "62"}});
        Fabric defect = *sound;
        addLink(defect, "su[2]/leaf[1]", 31, "su[2]/leaf[1]", 32);
        QVERIFY(fresh(*sound, defect).contains("RY-L005"));
    }
    void anEthernetSwitchAmongInfiniBand() {
        const DesignPointer sound = test::designOf("superpod-h100", {{"servers", "64"}});
        const Codes codes = freshBy(sound, {{"su[1]/leaf[1]", withPart("sw-sn5600")}});
        QVERIFY(codes.contains("RY-N001") && codes.contains("RY-N002"));
    }
    void twoPartsInATier() {
        const Codes codes = freshBy(test::designOf("superpod-h100", {{"servers", "64"}}), {{"su[1]/leaf[1]", withPart("sw-qm9790")}});
        QVERIFY(codes.contains("RY-N002") && !codes.contains("RY-N001"));
    }
    void aLeafWithFewerUplinks() {
        const FabricPointer sound = test::fabricOf("superpod-h100", {{"servers", "60"}});
        std::vector<std::size_t> links;
        for (std::uint32_t port = 33; port < 43; ++port) links.push_back(linkFrom(*sound, "su[1]/leaf[1]", port));
        const Codes codes = fresh(*sound, *withoutLinks(sound, links));
        QVERIFY(codes.contains("RY-E002"));
        QVERIFY(fresh(*sound, *withoutLinks(sound, {links[0]})).count("RY-E002") == 0); // one of 32 is within the tolerance
    }
    void domainsOnOneLeaf() {
        QVERIFY(codesOf(findings(*test::fabricOf("fat-tree", {{"servers", "64"}}))).contains("RY-S003"));
        QVERIFY(!codesOf(findings(*test::fabricOf("rail-optimized", {{"servers", "64"}}))).contains("RY-S003"));
    }
    void gpusWithoutAScaleUpLink() {
        std::map<std::string, Override> overrides;
        for (int i = 1; i <= 4; ++i) overrides["su[1]/srv[1]/hb-switch[" + std::to_string(i) + "]"] = removed();
        QCOMPARE(freshBy(test::designOf("superpod-h100", {{"servers", "64"}}), overrides), Codes{"RY-H001"});
    }
    void oneScaleUpLinkLess() {
        const FabricPointer sound = test::fabricOf("superpod-h100", {{"servers", "64"}});
        for (const LinkId l : sound->links.ids())
            if (sound->links.tier[l] == LinkTier::Hb) {
                QCOMPARE(fresh(*sound, *withoutLinks(sound, {l})), Codes{"RY-H002"});
                return;
            }
    }
    void aServerWithoutAGpu() {
        QCOMPARE(freshBy(test::designOf("superpod-h100", {{"servers", "64"}}), {{"su[1]/srv[1]/gpu[1]", removed()}}), Codes{"RY-G001"});
    }
    void aServerWithoutANic() {
        const Codes codes = freshBy(test::designOf("superpod-h100", {{"servers", "63"}}), {{"su[1]/srv[1]/nic[1]", removed()}});
        QCOMPARE(codes, (Codes{"RY-G002", "RY-R002"}));
    }
    void aCageForTwoModules() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        Cabling cabling = cablingOf(*fabric);
        const Bill bill = billOf(*fabric, cabling);
        QVERIFY(!codesOf(checkDesign(*fabric, cabling, bill)).contains("RY-O003"));
        const CabledLinkId link = cabling.links.find(linkFrom(*fabric, "su[1]/leaf[1]", 33));
        Cabling::Choice other = cabling.choices[cabling.choice[link]];
        other.a = shippedCatalog()->find("opt-800g-2xdr4");
        if (!other.a) other.a = shippedCatalog()->find("opt-800g-2xsr4-flt");
        cabling.choices.push_back(other);
        cabling.choice[link] = static_cast<std::uint32_t>(cabling.choices.size() - 1);
        QVERIFY(codesOf(checkDesign(*fabric, cabling, bill)).contains("RY-O003"));
    }
    void aPlugThatDoesNotFit() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        Cabling cabling = cablingOf(*fabric);
        const Bill bill = billOf(*fabric, cabling);
        QVERIFY(!codesOf(checkDesign(*fabric, cabling, bill)).contains("RY-O007"));
        const CabledLinkId link = cabling.links.find(linkFrom(*fabric, "su[1]/leaf[1]", 33));
        Part upc = *cabling.choiceOf(link).cable;
        CablePart details = *upc.as<CablePart>();
        details.connector = "MPO-12/UPC - MPO-12/UPC";
        upc.detail = details;
        for (const Part* other : {const_cast<const Part*>(&upc), shippedCatalog()->find("fib-lc-duplex-om4")}) {
            Cabling::Choice choice = cabling.choices[cabling.choice[link]];
            choice.cable = other;
            cabling.choices.push_back(choice);
            cabling.choice[link] = static_cast<std::uint32_t>(cabling.choices.size() - 1);
            QVERIFY(codesOf(checkDesign(*fabric, cabling, bill)).contains("RY-O007"));
        }
    }
    // Each lane of an uplink port of the aipod leads to another spine, whose port has lanes to two leaves.
    void aSocketForSeveralPlugs() {
        QVERIFY(codesOf(findings(*test::fabricOf("aipod", {{"servers", "128"}}))).contains("RY-O008"));
        for (const char* recipe : {"superpod-h100", "superpod-b300"})
            for (const Diagnostic& d : findings(*test::fabricOf(recipe, {{"servers", "64"}})))
                QVERIFY(d.code != "RY-O007" && d.code != "RY-O008");
    }
    void whatTheBillTells() {
        const Codes aipod = codesOf(findings(*test::fabricOf("aipod", {{"servers", "64"}})));
        for (const char* code : {"RY-O004", "RY-O006", "RY-C004"}) QVERIFY2(aipod.contains(code), code);
        QVERIFY(codesOf(findings(*test::fabricOf("superpod-h100"))).contains("RY-C005")); // DGX H100: a press range
        QVERIFY(!codesOf(findings(*test::fabricOf("superpod-h100"))).contains("RY-O004"));
    }
    void portsThatThePartDoesNotHave() {
        QVERIFY(codesOf(findings(*test::fabricOf("fat-tree", {{"servers", "64"}, {"radix", "128"}}))).contains("RY-P005"));
        QVERIFY(!codesOf(findings(*test::fabricOf("fat-tree", {{"servers", "64"}, {"radix", "64"}}))).contains("RY-P005"));
    }
    void tooManyLanes() {
        const FabricPointer sound = test::fabricOf("superpod-h100", {{"servers", "64"}});
        Fabric defect = *sound;
        for (PortLayout& layout : defect.portLayouts)
            for (PortGroup& group : layout)
                if (group.count == 64) group.lanes = 16;
        QVERIFY(fresh(*sound, defect).contains("RY-P006"));
    }
    void names() {
        const DesignPointer sound = test::designOf("superpod-h100", {{"servers", "64"}});
        QCOMPARE(freshBy(sound, {{"su[1]/leaf[1]", called("x")}, {"su[1]/leaf[2]", called("x")}}), Codes{"RY-A001"});
        QCOMPARE(freshBy(sound, {{"su[1]/leaf[1]", called(std::string(65, 'n'))}}), Codes{"RY-A002"});
        QCOMPARE(freshBy(sound, {{"su[1]/leaf[1]", called("x")}, {"su[1]/leaf[2]", called("y")}}), Codes{});
    }
    void aCableWhoseEndIsGone() {
        const DesignPointer sound = test::designOf("superpod-h100", {{"servers", "63"}});
        const Edit edit = railyard::addLink(*sound, {"su[2]/leaf[1]:32", "nowhere[1]:1"});
        QCOMPARE(fresh(*elaborate(sound), *elaborate(edit.design)), Codes{"RY-D015"});
    }
    void whatIsMissingIsSaid() {
        const Codes codes = codesOf(findings(*test::fabricOf("aipod", {{"servers", "64"}})));
        for (const char* code : {"RY-C001", "RY-C003", "RY-F001", "RY-S001"}) QVERIFY2(codes.contains(code), code);
    }
    // A group of the training job over two racks, where each rack holds whole groups.
    void groupsThatStraddleDomains() {
        const DesignPointer sound = test::designOf("superpod-gb200");
        const auto with = [&](const std::map<std::string, std::string>& options) {
            Design design = *sound;
            design.training = NamedOptions{options};
            return elaborate(std::make_shared<const Design>(design));
        };
        const FabricPointer aligned = with({{"model", "llama3-8b"}, {"tp", "8"}, {"gpus", "128"}, {"per_domain", "64"}});
        QCOMPARE(fresh(*aligned, *with({{"model", "llama3-8b"}, {"tp", "8"}, {"gpus", "128"}, {"per_domain", "68"}})), Codes{"RY-J001"});
        QCOMPARE(fresh(*aligned, *with({{"model", "llama3-8b"}, {"tp", "4"}, {"gpus", "136"}, {"per_domain", "68"}})), Codes{});
    }
    void approvedFindingsSayWhy() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        design.overrides["su[1]/leaf[1]"] = called("x");
        design.overrides["su[1]/leaf[2]"] = called("x");
        design.approvals = {{"RY-A001", "", "renamed at hand-over"}, {"RY-S001", "nowhere[1]", "another subject"}};
        for (const Diagnostic& d : findings(*elaborate(std::make_shared<const Design>(design))))
            QCOMPARE(d.approved, std::string(d.code == "RY-A001" ? "renamed at hand-over" : ""));
    }
};

QTEST_GUILESS_MAIN(tst_seeded_defects)
#include "tst_seeded_defects.moc"
