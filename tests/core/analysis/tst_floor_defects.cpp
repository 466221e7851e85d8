// Defects of the floor, planted one by one: each brings exactly its code.
#include "core/analysis/rules/design_rules.h"
#include "core/design/edits/edit.h"
#include "tests/support/designs.h"

#include <set>

using namespace railyard;
using Codes = std::set<std::string>;

namespace {

Codes codesOf(const DesignPointer& design) {
    const FabricPointer fabric = elaborate(design);
    const Cabling cabling = cablingOf(*fabric);
    Codes codes;
    for (const Diagnostic& d : checkDesign(*fabric, cabling, billOf(*fabric, cabling))) codes.insert(d.code);
    return codes;
}
DesignPointer inRacks(test::Parameters parameters = {}) {
    parameters.emplace("racks", "auto");
    parameters.emplace("servers", "64");
    return test::designOf("superpod-h100", parameters);
}
// What the edit brings beyond the sound design.
Codes broughtBy(const DesignPointer& sound, const Result<Edit>& edit) {
    if (!edit) qFatal("%s", toText(edit.error()).c_str());
    Codes codes = codesOf(edit->design);
    for (const std::string& code : codesOf(sound)) codes.erase(code);
    return codes;
}
DesignPointer withRack(const DesignPointer& design, const std::function<void(RackPart&)>& change) {
    Catalog catalog = *design->catalog;
    Part part = *catalog.find("rack-40kw");
    change(std::get<RackPart>(part.detail));
    catalog.add(part);
    Design next = *design;
    next.catalog = std::make_shared<const Catalog>(std::move(catalog));
    return std::make_shared<const Design>(std::move(next));
}

} // namespace

class tst_floor_defects : public QObject {
    Q_OBJECT

private slots:
    void soundRacksBringNothing() {
        for (const std::string& code : codesOf(inRacks())) QVERIFY2(!code.starts_with("RY-F"), code.c_str());
    }
    void tooMuchPower() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, mountInRack(*sound, {"su[2]/srv[1]"}, "su[1]/rack[1]", 0)), Codes{"RY-F002"});
    }
    void twoDevicesInOneUnit() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, mountInRack(*sound, {"su[1]/leaf[1]", "su[1]/leaf[2]"}, "", 40)), Codes{"RY-F003"});
    }
    void aDeviceAboveTheTop() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, mountInRack(*sound, {"su[1]/srv[1]"}, "", 45)), Codes{"RY-F010"});
    }
    void tooHeavy() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, Edit{withRack(sound, [](RackPart& rack) { rack.loadKg = 521; }), ""}), Codes{"RY-F004"}); // 4 × 130.45
        QCOMPARE(broughtBy(sound, Edit{withRack(sound, [](RackPart& rack) { rack.loadKg = 522; }), ""}), Codes{});
    }
    void tooDeep() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, Edit{withRack(sound, [](RackPart& rack) { rack.depth = 0.89; }), ""}), Codes{"RY-F005"}); // DGX: 897 mm
    }
    void twoRacksOnOnePlace() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, moveRacks(*sound, {{"su[1]/rack[1]", {1, 2}}})), Codes{"RY-F006"});
    }
    void tooFarForAnyMedium() {
        const auto sound = inRacks(); // flat-top twin modules reach 50 m
        const Codes codes = broughtBy(sound, moveRacks(*sound, {{"su[1]/rack[1]", {1, 200}}}));
        QVERIFY(codes.contains("RY-F007") && !codes.contains("RY-O001"));
    }
    void tooFarBesideCagesThatNothingFits() {
        const auto sound = inRacks({{"server", "srv-gh200-nvl32"}}); // the cage of this server is not published
        const auto found = elaborate(sound);
        std::string spines;
        for (const Rack& rack : floorOf(*found).racks)
            if (rack.switchesByTier[static_cast<std::size_t>(SwitchTier::Spine)] > 0) spines = rack.name;
        QVERIFY(!spines.empty() && codesOf(sound).contains("RY-O001"));
        QVERIFY(broughtBy(sound, moveRacks(*sound, {{spines, {1, 9'999}}})).contains("RY-F007") ||
                codesOf(moveRacks(*sound, {{spines, {9'000, 9'999}}})->design).contains("RY-F007"));
    }
    void closeToTheReach() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, moveRacks(*sound, {{"su[1]/leaf-rack[1]", {1, 68}}})), Codes{"RY-F008"});
    }
    void unknownPower() { QVERIFY(codesOf(inRacks({{"server", "srv-hgx-h200"}, {"nic", "nic-cx7-400-osfp"}})).contains("RY-F009")); }
    void aPlaceForARackThatIsGone() {
        const auto sound = inRacks();
        QCOMPARE(broughtBy(sound, moveRacks(*sound, {{"su[9]/rack[1]", {9, 1}}})), Codes{"RY-F011"});
    }
    void pauseHeadroomBeyondTheBuffer() {
        const auto sound = inRacks({{"switch", "sw-sn5600"}, {"su_servers", "32"}, {"leaf_down", "32"}, {"leaf_up", "32"}});
        QVERIFY(!codesOf(sound).contains("RY-B001"));
        QVERIFY(broughtBy(sound, moveRacks(*sound, {{"switch-rack[1]", {1, 9'900}}})).contains("RY-B001"));
    }
};

QTEST_GUILESS_MAIN(tst_floor_defects)
#include "tst_floor_defects.moc"
