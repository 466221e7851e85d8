#include <QTest>
#include <algorithm>
#include <unordered_map>

#include "core/base/index.h"

using namespace railyard;

namespace {

template <class A, class B>
concept Comparable = requires(A a, B b) {
    a == b;
};
template <class List, class At>
concept LooksUp = requires(List list, At at) {
    list[at];
};

// What is not compiled: an index of one kind where another is meant.
static_assert(!std::is_convertible_v<LinkId, DeviceId> && !std::is_constructible_v<DeviceId, LinkId>);
static_assert(!std::is_assignable_v<DeviceId&, LinkId> && !std::is_assignable_v<DeviceId&, std::uint32_t>);
static_assert(!std::is_convertible_v<std::size_t, DeviceId> && std::is_constructible_v<DeviceId, std::size_t>);
static_assert(!Comparable<DeviceId, LinkId> && Comparable<DeviceId, DeviceId> && Comparable<DeviceId, NoIndex>);
static_assert(!LooksUp<By<DeviceId, int>, LinkId> && LooksUp<By<DeviceId, int>, DeviceId> && LooksUp<By<DeviceId, int>, std::size_t>);
static_assert(!LooksUp<const By<DeviceId, int>, NodeId> && LooksUp<const By<DeviceId, int>, DeviceId>);
// What it costs: nothing.
static_assert(sizeof(DeviceId) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<DeviceId>);

} // namespace

class tst_index : public QObject {
    Q_OBJECT

private slots:
    void oneOfNothingIsNone() {
        QVERIFY(DeviceId() == none);
        QVERIFY(DeviceId(0) != none);
        const DeviceId given = none;
        QVERIFY(given == DeviceId());
        QCOMPARE(std::uint32_t{given}, std::numeric_limits<std::uint32_t>::max());
    }
    void indicesCountFromZero() {
        std::vector<std::uint32_t> seen;
        for (const LinkId link : indices<LinkId>(3)) seen.push_back(link);
        QCOMPARE(seen, (std::vector<std::uint32_t>{0, 1, 2}));
        for (const LinkId link : indices<LinkId>(0)) QFAIL(std::to_string(link).c_str());
    }
    void aListIsLookedUp() {
        By<NodeId, double> uplink(2, 1.5);
        uplink[NodeId(1)] = 3;
        QCOMPARE(uplink[std::size_t{1}], 3.0);
        QCOMPARE(std::as_const(uplink)[NodeId(0)], 1.5);
    }
    void theyAreOrderedAndHashed() {
        std::vector<DeviceId> devices{DeviceId(2), DeviceId(0), DeviceId(1)};
        std::sort(devices.begin(), devices.end());
        QVERIFY(devices.front() == DeviceId(0) && devices.back() == DeviceId(2));
        std::unordered_map<DeviceId, int> count;
        for (const DeviceId device : devices) ++count[device];
        QCOMPARE(count.size(), devices.size());
    }
};

QTEST_GUILESS_MAIN(tst_index)
#include "tst_index.moc"
