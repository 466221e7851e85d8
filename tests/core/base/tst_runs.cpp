#include "core/base/runs.h"
#include "tests/support/designs.h"

#include <QTest>

using namespace railyard;

class tst_runs : public QObject {
    Q_OBJECT

private slots:
    // Runs of every length around those that are compared at once, against one entry after the other.
    void equalEntriesEnd() {
        test::Random random{11};
        for (int trial = 0; trial < 200; ++trial) {
            std::vector<std::uint8_t> bytes;
            std::vector<std::uint32_t> words;
            while (bytes.size() < 6000) {
                const auto length = static_cast<std::size_t>(1 + random.below(trial % 2 == 0 ? 2100 : 3));
                bytes.insert(bytes.end(), length, static_cast<std::uint8_t>(random.below(3)));
                words.insert(words.end(), length, static_cast<std::uint32_t>(random.below(3)) << 24U);
            }
            const auto first = static_cast<std::size_t>(random.below(5900));
            const auto end = first + 1 + static_cast<std::size_t>(random.below(static_cast<int>(bytes.size() - first)));
            QCOMPARE(endOfEqual(bytes.data(), first, end), oneByOne(bytes, first, end));
            QCOMPARE(endOfEqual(words.data(), first, end), oneByOne(words, first, end));
        }
    }
    void entriesCountUp() {
        for (const std::size_t count : {0, 1, 3, 4, 5, 17, 1000}) {
            std::vector<DeviceId> entries(count + 1, none);
            countUp(entries.data(), count, DeviceId(41));
            for (std::size_t i = 0; i < count; ++i) QCOMPARE(std::size_t{entries[i]}, 41 + i);
            QVERIFY(entries[count] == none);
        }
    }

private:
    template <class T>
    static std::size_t oneByOne(const std::vector<T>& entries, std::size_t first, std::size_t end) {
        std::size_t at = first;
        while (at < end && entries[at] == entries[first]) ++at;
        return at;
    }
};

QTEST_GUILESS_MAIN(tst_runs)
#include "tst_runs.moc"
