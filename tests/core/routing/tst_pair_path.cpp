// The way between two GPUs: what it carries in all, its words, and what stands in it.
#include "tests/support/designs.h"

#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/routing/pair_path.h"

using namespace railyard;

namespace {

DeviceId deviceAt(const Fabric& fabric, const std::string& path) {
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devicePath(d) == path) return d;
    return none;
}
PairPath way(const Fabric& fabric, const char* from, const char* to) {
    return *pathBetween(fabric, deviceAt(fabric, from), deviceAt(fabric, to));
}

} // namespace

class tst_pair_path : public QObject {
    Q_OBJECT

private slots:
    void overTheSpines() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "128"}});
        const PairPath found = way(*fabric, "su[1]/srv[1]/gpu[3]", "su[4]/srv[2]/gpu[3]");
        QCOMPARE(found.words, std::string("su[1]/srv[1]/gpu[3] → su[1]/srv[1]/nic[3] → su[1]/leaf[3] → 16 spines → su[4]/leaf[3] → "
                                          "su[4]/srv[2]/nic[3] → su[4]/srv[2]/gpu[3]"));
        QVERIFY(!found.isForwarded);
        double up = 0;
        int used = 0;
        for (const LinkId l : fabric->links.ids()) {
            used += found.ofLinks[l] > 0;
            if (found.ofLinks[l] > 0 && fabric->links.tier[l] == LinkTier::LeafSpine) up += found.ofLinks[l];
        }
        QVERIFY(std::abs(up - 2) < 1e-12); // all of it up, and down
        QCOMPARE(used, 4 + 2 * 32);
    }
    void insideADomain() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "2"}});
        QCOMPARE(way(*fabric, "su[1]/srv[1]/gpu[1]", "su[1]/srv[1]/gpu[2]").words,
                 std::string("su[1]/srv[1]/gpu[1] → 4 HB switches → su[1]/srv[1]/gpu[2]"));
    }
    void acrossSeparateRailsItIsForwarded() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "8"}});
        const std::vector<bool> gpus = select(*fabric, "**/gpu[*]")->devices;
        std::vector<DeviceId> all;
        for (DeviceId d(0); d < gpus.size(); ++d)
            if (gpus[d]) all.push_back(d);
        const auto found = pathBetween(*fabric, all[0], all[8 + 3]);
        QVERIFY(found && found->isForwarded);
        QVERIFY2(found->words.find("HB switches") != std::string::npos && found->words.find("nic[4]") != std::string::npos,
                 found->words.c_str());
    }
    void nothingJoinsThem() {
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "2"}});
        const FabricPointer left = without(intact, select(*intact, "**/leaf[*]")->devices, {});
        const auto found = pathBetween(*left, deviceAt(*left, "su[1]/srv[1]/gpu[1]"), deviceAt(*left, "su[1]/srv[2]/gpu[1]"));
        QVERIFY(!found && found.error().text.find("su[1]/srv[1]/gpu[1]") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_pair_path)
#include "tst_pair_path.moc"
