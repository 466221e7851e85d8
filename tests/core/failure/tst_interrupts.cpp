#include "core/fabric/without.h"
#include "core/failure/interrupts.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

class tst_interrupts : public QObject {
    Q_OBJECT

private slots:
    void sumsPartRates() { // by hand, for 4 SU: GPUs, NICs, host links, leaves, servers
        const Interrupts i = interruptsOf(*test::fabricOf("superpod-h100"));
        const double perYear = 1024 * 0.1106 + 1024 * 0.00289 + 1024 * 0.00684 + 32 * 0.00612 + 128 * 0.04624;
        QVERIFY(std::abs(*i.meanTimeHours - 8760 / perYear) < 1e-9);
        QVERIFY(std::abs(*i.probability - (1 - std::exp(-perYear * 720 / 8760))) < 1e-12);
    }
    void spinesDoNotInterrupt() {
        const FabricPointer fabric = test::fabricOf("superpod-h100");
        const FabricPointer rest = without(fabric, select(*fabric, "tier=spine")->devices, {});
        QCOMPARE(*interruptsOf(*fabric).probability, *interruptsOf(*rest).probability);
    }
    void longerHorizonsAreWorse() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        QVERIFY(*interruptsOf(*fabric, 24).probability < *interruptsOf(*fabric, 720).probability);
    }
    void nothingToFail() {
        QVERIFY(!interruptsOf(*elaborate(std::make_shared<const Design>(Design{.name = "empty",
                                                                               .recipe = {},
                                                                               .blocks = {},
                                                                               .overrides = {},
                                                                               .floor = {},
                                                                               .catalog = shippedCatalog(),
                                                                               .unknown = {}})))
                     .probability);
    }
};

QTEST_GUILESS_MAIN(tst_interrupts)
#include "tst_interrupts.moc"
