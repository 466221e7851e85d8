#include "core/base/zip_file.h"

#include <QTest>
#include <algorithm>
#include <map>

using namespace railyard;

class tst_zip_file : public QObject {
    Q_OBJECT

private slots:
    void entriesComeBack() {
        const ZipEntries entries{{"a", "first"}, {"b/c", std::string(100'000, 'x')}, {"empty", ""}};
        const auto bytes = zipOf(entries);
        QVERIFY(bytes && *bytes == *zipOf(entries)); // same entries, same bytes
        QVERIFY(*entriesOf(*bytes, 1 << 20) == entries);
        const auto some = entriesOf(*bytes, 10, [](const std::string& name) { return name != "b/c"; });
        QVERIFY(some && some->size() == 2 && some->front().second == "first"); // what is not wanted counts for no limit
        QVERIFY(!entriesOf(*bytes, 10));
    }
    void entriesAreReplacedAndAdded() {
        const std::string archive = *zipOf({{"a", "first"}, {"b", "second"}, {"c", std::string(300'000, 'y')}});
        const ZipEntries changes{{"d", "new"}, {"b", "changed"}};
        const auto changed = withEntries(archive, changes);
        QVERIFY(changed && *changed == *withEntries(archive, changes));
        const ZipEntries wanted{{"a", "first"}, {"b", "changed"}, {"c", std::string(300'000, 'y')}, {"d", "new"}};
        QVERIFY(*entriesOf(*changed, 1 << 20) == wanted);
        QVERIFY(*entriesOf(*withEntries(archive, {}), 1 << 20) == *entriesOf(archive, 1 << 20));
    }
    // Workbooks with the cables of 262,144 GPUs unpack to gigabytes; nothing that is added to them may unpack the rest.
    void whatIsLargeIsCopied() {
        const std::string large(std::size_t{300} << 20, 'z');
        const std::string archive = *zipOf({{"a", "small"}, {"large", large}});
        const auto changed = withEntries(archive, {{"a", "other"}});
        QVERIFY(changed && changed->size() < archive.size() + 200);
        std::size_t read = 0;
        QVERIFY(readEntry(*changed, "large", [&](std::string_view piece) { return read += piece.size(), true; }));
        QCOMPARE(read, large.size());
        std::size_t pieces = 0;
        QVERIFY(readEntry(*changed, "large", [&](std::string_view) { return ++pieces < 3; })); // stops when enough is known
        QCOMPARE(pieces, std::size_t{3});
        QVERIFY(readEntry(*changed, "none", [](std::string_view) { return true; }));
    }
    void damagedArchivesAreRefused() {
        const std::string archive = *zipOf({{"a", std::string(5000, 'a') + "b"}, {"b", "second"}});
        for (std::size_t part = 0; part < 20; ++part) {
            const std::string cut = archive.substr(0, archive.size() * part / 20);
            QVERIFY(!entriesOf(cut, 1 << 20) && !withEntries(cut, {}) && !readEntry(cut, "a", [](std::string_view) { return true; }));
        }
        int accepted = 0;
        for (std::size_t at = 0; at < archive.size(); ++at) {
            std::string changed = archive;
            changed[at] = static_cast<char>(changed[at] ^ 0x55);
            const auto entries = entriesOf(changed, 1 << 20);
            if (entries && *entries == *entriesOf(archive, 1 << 20)) continue; // dates and the like
            if (entries)                                                       // names are not covered by checksums
                for (const auto& [name, content] : *entries) accepted += content != std::string(5000, 'a') + "b" && content != "second";
            if (const auto more = withEntries(changed, {{"c", "d"}})) QVERIFY(!more->empty()); // else it says why
        }
        QCOMPARE(accepted, 0);
    }
};

QTEST_MAIN(tst_zip_file)
#include "tst_zip_file.moc"
