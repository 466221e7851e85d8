// Small documents that ask for far too much: each must be answered in the time of its text, or refused by a sentence with the limit.
#include "core/base/thread_cpu.h"
#include "core/design/model/limits.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"
#include "core/failure/removal.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"

#include <algorithm>
#include <fmt/format.h>

using namespace railyard;

namespace {

std::string document(const std::string& blocks, const std::string& free = "{}") {
    return "{'format': 2, 'name': 'x', 'blocks': {" + blocks + "}, 'free': " + free + ", 'overrides': {}, 'parts': {}}";
}
std::string leaf(const std::string& slug, int first, int count, int ports = 4, const std::string& gbps = "400") {
    return fmt::format(
        "{{'slug': '{}', 'kind': 'switch', 'tier': 'leaf', 'first': {}, 'count': {}, 'ports': [{{'count': {}, 'gbps': {}}}]}}", slug, first,
        count, ports, gbps);
}
std::string spine(int count, int ports) {
    return fmt::format("{{'slug': 'spine', 'kind': 'switch', 'tier': 'spine', 'count': {}, 'ports': [{{'count': {}, 'gbps': 400}}]}}",
                       count, ports);
}
// Documents are written here with single quotes.
Result<DesignPointer> readQuoted(std::string text) {
    std::replace(text.begin(), text.end(), '\'', '"');
    return readDesign(text, "x");
}
std::string errorOf(const std::string& text) {
    const auto read = readQuoted(text);
    return read ? std::string() : toText(read.error());
}

} // namespace

class tst_limits : public QObject {
    Q_OBJECT

private slots:
    void init() { m_start = threadCpuMilliseconds(); }
    void cleanup() { // seconds of this thread: each of these took minutes or never ended
        const double seconds = (threadCpuMilliseconds() - m_start) / 1000;
        QVERIFY2(seconds < 20, fmt::format("{} s", seconds).c_str());
    }
    void aChainOfBlocks() { // 2^32 ways lead through it
        std::string blocks, way;
        for (int i = 0; i < 30; ++i) {
            blocks += fmt::format("'b{}': {{'instances': [", i);
            for (int k = 0; k < 2; ++k)
                blocks += fmt::format("{}{{'slug': 'i', 'block': 'b{}', 'first': {}, 'count': 1}}", k > 0 ? ", " : "", i + 1, k + 1);
            blocks += "]}, ";
            way += "i/";
        }
        blocks +=
            "'b30': {}, 'root': {'instances': [{'slug': 'i', 'block': 'b0', 'count': 0}], 'wiring': [{'id': 'w', 'pattern': 'spread', "
            "'lower': 'i/" +
            way + "leaf', 'upper': 'i/spine', 'gbps': 400}]}";
        QVERIFY(errorOf(document(blocks)).find("does not refer to a device") != std::string::npos);
    }
    void uplinksBeyondAllLinks() {
        const auto read = readQuoted(
            document("'root': {'devices': [" + leaf("leaf", 1, 4'000'000) + ", " + spine(4, 64) +
                     "], 'wiring': [{'id': 'w', 'pattern': 'spread', 'lower': 'leaf', 'upper': 'spine', 'gbps': 400, 'uplinks': 65536}]}"));
        QVERIFY2(read, errorOf(document("")).c_str());
        isCutShort(*elaborate(*read));
    }
    void uppersThatAreFull() { // one with room, at the end of many that have none
        const auto read = readQuoted(
            document("'root': {'devices': [" + leaf("leaf", 1, 200, 2000) + ", " + spine(100'000, 1) +
                     "], 'wiring': [{'id': 'w', 'pattern': 'spread', 'lower': 'leaf', 'upper': 'spine', 'gbps': 400, 'uplinks': 1000}]}"));
        QVERIFY(read);
        const FabricPointer fabric = elaborate(*read);
        QCOMPARE(fabric->links.size(), std::size_t{200'000});
        std::vector<int> used(fabric->devices.size());
        for (const LinkId l : fabric->links.ids()) ++used[fabric->links.b[l]];
        QVERIFY(std::all_of(used.begin() + 200, used.begin() + 200 + 100'000,
                            [](int links) { return links > 0; })); // all full before any is over
    }
    void nothingToSpread() { // divided by the number of runs
        const auto read =
            readQuoted(document("'root': {'devices': [" + leaf("leaf", 1, 0) + ", " + spine(4, 4) +
                                "], 'wiring': [{'id': 'w', 'pattern': 'spread', 'lower': 'leaf', 'upper': 'spine', 'gbps': 400, " +
                                "'uplinks': 4, 'run': 2, 'uppers_per_group': 2}]}"));
        QVERIFY(read);
        QCOMPARE(elaborate(*read)->links.size(), std::size_t{0});
    }
    void managersOfMillionsOfPorts() {
        const auto read = readQuoted(document(
            "'root': {'devices': [{'slug': 'ufm', 'kind': 'manager', 'count': 1, 'ports': [{'count': 100000, 'gbps': 400}]}, " +
            leaf("leaf", 1, 100'000, 1) +
            "], 'wiring': [{'id': 'w', 'pattern': 'manager', 'lower': 'ufm', 'upper': 'leaf', 'gbps': 400, 'manager_ports': 4000000}]}"));
        QVERIFY(read);
        QCOMPARE(elaborate(*read)->links.size(), std::size_t{4'000'000});
    }
    void portsThatLeadNowhere() { // no link comes of them, but each is looked at
        const auto read = readQuoted(
            document("'root': {'devices': [{'slug': 'nic', 'kind': 'nic', 'count': 4000000, 'ports': [{'count': 100000, 'gbps': 400}]}, " +
                     leaf("leaf", 1, 1, 4) +
                     "], 'wiring': [{'id': 'w', 'pattern': 'rail', 'lower': 'nic', 'upper': 'leaf', 'gbps': 400, 'planes': 2}]}"));
        QVERIFY(read);
        isCutShort(*elaborate(*read));
    }
    void rowsByTheTenThousand() {
        std::string rows;
        for (int i = 0; i < 60'000; ++i) rows += (i > 0 ? ", " : "") + leaf(fmt::format("leaf{}", i), 1, 1);
        std::string overrides;
        for (int i = 0; i < 60'000; ++i) overrides += fmt::format("{}'leaf{}[1]': {{'label': 'a'}}", i > 0 ? ", " : "", i);
        std::string text = document("'root': {'devices': [" + rows + "]}");
        text.replace(text.find("'overrides': {}"), 15, "'overrides': {" + overrides + "}");
        const auto read = readQuoted(text);
        QVERIFY2(read, errorOf(text).c_str());
        const FabricPointer fabric = elaborate(*read);
        QCOMPARE(fabric->devices.size(), std::size_t{60'000});
        const PathFinder finder(*fabric);
        for (const auto d : {0U, 77U, 59'999U}) QCOMPARE(finder.device(fmt::format("leaf{}[1]", d)), std::optional(d));
        QVERIFY(!finder.device("leaf5[2]"));
    }
    void oneNameInTenThousandRows() {
        std::string rows;
        for (int i = 0; i < 60'000; ++i) rows += (i > 0 ? ", " : "") + leaf("leaf", 1 + (i * 7) % 60'000, 1);
        const auto read = readQuoted(document("'root': {'devices': [" + rows + "]}"));
        QVERIFY(read);
        const FabricPointer fabric = elaborate(*read);
        const PathFinder finder(*fabric);
        for (int i = 0; i < 60'000; ++i) {
            const auto found = finder.device(fmt::format("leaf[{}]", i + 1));
            QVERIFY(found && fabric->devices.index[*found] == static_cast<std::uint32_t>(i + 1));
        }
        QVERIFY(errorOf(document("'root': {'devices': [" + rows + ", " + leaf("leaf", 60'000, 2) + "]}"))
                    .find("defines leaf[60000] a second time") != std::string::npos);
    }
    void countersDoNotWrap_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<QString>("what");
        QTest::newRow("speeds, all that fit") << 255 << "";
        QTest::newRow("speeds") << 256 << "different speeds";
        QTest::newRow("names, all that fit") << 65'535 << "";
        QTest::newRow("names") << 65'536 << "different names";
    }
    void countersDoNotWrap() {
        QFETCH(int, count);
        QFETCH(QString, what);
        std::string rows;
        for (int i = 0; i < count; ++i)
            rows += (i > 0 ? ", " : "") +
                    (count < 1000 ? leaf(fmt::format("leaf{}", i), 1, 1, 4, fmt::format("{}", 1 + i)) : leaf(fmt::format("l{}", i), 1, 1));
        const std::string text = document("'root': {'devices': [" + rows + "]}");
        const std::string error = errorOf(text);
        QVERIFY2(what.isEmpty() ? error.empty() : error.find(what.toStdString()) != std::string::npos, error.substr(0, 300).c_str());
        if (!what.isEmpty()) return;
        const FabricPointer fabric = elaborate(*readQuoted(text));
        const DeviceId last(count - 1);
        QCOMPARE(fabric->devicePath(last), fmt::format("{}{}[1]", count < 1000 ? "leaf" : "l", count - 1));
    }
    void oneNameForTwo() {
        QVERIFY(errorOf(document("'root': {'devices': [" + leaf("leaf", 1, 4) +
                                 "], 'instances': [{'slug': 'leaf', 'block': 'su', 'count': 1}]}, 'su': {}"))
                    .find("define leaf[1], which is also a device") != std::string::npos);
        std::string text = document("'root': {'devices': [" + leaf("leaf", 1, 4) + "]}", "{'devices': [" + leaf("leaf", 4, 2) + "]}");
        QVERIFY(errorOf(text).find("defines leaf[4], which the block \"root\" also defines") != std::string::npos);
        text.replace(text.rfind("'first': 4"), 10, "'first': 5");
        QCOMPARE(errorOf(text), std::string());
    }
    void manyStarsInASelector() {
        const FabricPointer fabric = elaborate(test::designOf("superpod-h100", {{"servers", "64"}}));
        std::string selector;
        for (int i = 0; i < 30; ++i) selector += "**/";
        QVERIFY(!select(*fabric, selector + "nothing[1]"));
        const auto all = select(*fabric, selector + "leaf[1]");
        QVERIFY(all);
        QCOMPARE(all->devices, select(*fabric, "**/leaf[1]")->devices);
    }

private:
    static void isCutShort(const Fabric& fabric) {
        QVERIFY(fabric.links.size() <= mostLinks);
        QVERIFY(std::any_of(fabric.diagnostics.begin(), fabric.diagnostics.end(),
                            [](const Diagnostic& found) { return found.code == linksOmitted; }));
    }
    double m_start = 0;
};

QTEST_APPLESS_MAIN(tst_limits)
#include "tst_limits.moc"
