#include "core/base/slot_numbers.h"
#include "tests/support/designs.h"

#include <QTest>
#include <set>

using namespace railyard;

class tst_slot_numbers : public QObject {
    Q_OBJECT

private slots:
    void everyPairHasItsOwnNumber_data() {
        QTest::addColumn<int>("highest");
        QTest::newRow("dense") << 60;
        QTest::newRow("numbered in millions") << 2'000'000'000;
    }
    void everyPairHasItsOwnNumber() {
        QFETCH(int, highest);
        test::Random random{5};
        std::set<std::pair<std::size_t, std::uint32_t>> pairs;
        for (int i = 0; i < 5000; ++i) pairs.emplace(random.below(40), static_cast<std::uint32_t>(random.below(highest)));
        const auto each = [&](const auto& note) {
            for (const auto& [owner, slot] : pairs) note(owner, slot);
        };
        const std::vector<std::uint32_t> most(40, static_cast<std::uint32_t>(highest));
        for (const SlotNumbers& numbers : {SlotNumbers(40, each), SlotNumbers(most, pairs.size(), each)}) {
            std::set<std::size_t> seen;
            for (const auto& [owner, slot] : pairs) {
                const std::size_t number = numbers.numberOf(owner, slot);
                QVERIFY(number < numbers.size());
                QVERIFY(seen.insert(number).second);
            }
            QVERIFY(numbers.size() <= 16 * pairs.size() + 1'000'000); // what a table costs stays in proportion to the pairs
        }
    }
};

QTEST_GUILESS_MAIN(tst_slot_numbers)
#include "tst_slot_numbers.moc"
