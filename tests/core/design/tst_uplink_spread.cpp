#include "core/design/model/uplink_spread.h"

#include <QTest>
#include <vector>

using namespace railyard;

class tst_uplink_spread : public QObject {
    Q_OBJECT

private slots:
    // For switches of unlike numbers of uplinks one after another.
    void everyLinkInOrderIsEachByItself() {
        for (std::size_t uppers = 1; uppers <= 9; ++uppers) {
            UplinkSpread spread(uppers);
            for (std::size_t lower = 0; lower < 60; ++lower) {
                const std::size_t uplinks = lower * 7 % 31;
                std::vector<std::size_t> each, inOrder;
                for (std::size_t j = 0; j < uplinks; ++j) each.push_back(spread.upperOf(j, uplinks));
                spread.forEachUpper(uplinks, [&](std::size_t upper) {
                    inOrder.push_back(upper);
                    return true;
                });
                QCOMPARE(inOrder, each);
                spread.next(uplinks);
            }
        }
    }
    void endsWhereItIsTold() {
        for (const std::size_t uplinks : {std::size_t{3}, std::size_t{8}, std::size_t{11}}) {
            std::size_t visits = 0;
            UplinkSpread(4).forEachUpper(uplinks, [&](std::size_t) { return ++visits < 3; });
            QCOMPARE(visits, std::size_t{3});
        }
    }
};

QTEST_GUILESS_MAIN(tst_uplink_spread)
#include "tst_uplink_spread.moc"
