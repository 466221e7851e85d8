#include "core/base/fingerprint.h"
#include "core/base/natural_order.h"
#include "core/base/quantity.h"
#include "core/base/unit_text.h"
#include "core/io/tables/csv.h"

#include <QTest>
#include <type_traits>

using namespace railyard;

template <class A, class B>
concept Addable = requires(A a, B b) {
    a + b;
};
static_assert(!Addable<Watts, Seconds>);
static_assert(!Addable<Bandwidth, Watts>);
static_assert(!std::is_constructible_v<Bandwidth, Bytes>);
static_assert(!std::is_convertible_v<double, Watts>);

class tst_units : public QObject {
    Q_OBJECT

private slots:
    void parsesWithUnit_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes"); // -1: refused
        QTest::newRow("GiB") << "1GiB" << (qint64{1} << 30);
        QTest::newRow("blank") << " 256 MiB " << (qint64{256} << 20);
        QTest::newRow("decimal") << "1.5kB" << qint64{1500};
        QTest::newRow("bare number") << "1024" << qint64{-1};
        QTest::newRow("unknown unit") << "1GX" << qint64{-1};
        QTest::newRow("negative") << "-1GiB" << qint64{-1};
        QTest::newRow("not a number") << "many" << qint64{-1};
        QTest::newRow("infinite") << "infGiB" << qint64{-1};
        QTest::newRow("exabytes") << "900EiB" << qint64{-1};
        QTest::newRow("empty") << "" << qint64{-1};
    }
    void parsesWithUnit() {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        const auto parsed = parseBytes(text.toStdString());
        QCOMPARE(static_cast<bool>(parsed), bytes >= 0);
        if (parsed)
            QCOMPARE(parsed->count(), bytes);
        else
            QVERIFY(parsed.error().text.find("expected for example") != std::string::npos ||
                    parsed.error().text.find("maximum") != std::string::npos);
    }
    void bitsAndBytesOfSpeed() {
        QCOMPARE(inGbps(*parseBandwidth("400G")), 400.0);
        QCOMPARE(inGbps(*parseBandwidth("50GB/s")), 400.0);
        QCOMPARE(transferTime(50e9, *parseBandwidth("400Gb/s")).value(), 1.0);
        QVERIFY(!parseBandwidth("400"));
    }
    // A number that is one only without its unit.
    void tooLargeWithItsUnit() {
        for (const char* text : {"1e308d", "1.7e308min", "1e305h"}) {
            QVERIFY(!parseDuration(text));
            QVERIFY2(parseDuration(text).error().text.find("too large") != std::string::npos, text);
        }
        QVERIFY(!parseBandwidth("1e300TB/s"));
        QVERIFY(!parseBytes("1e300PB"));
        QVERIFY(parseDuration("1e300s"));
    }
    void minutesInATimeOption() { QCOMPARE(parseDuration("15m")->value(), 900.0); }
    void sumsOfMoneyAreExact() {
        Money sum;
        for (int i = 0; i < 1000; ++i) sum += Money::dollars(0.1);
        QCOMPARE(sum.inCents(), 10000);
    }
    // A share that is not all never reads 100 %, one that is not nothing never 0 %.
    void sharesAreNotRoundedToAllOrNothing() {
        QCOMPARE(formatShare(0.43), std::string("43.0 %"));
        QCOMPARE(formatShare(1), std::string("100.0 %"));
        QCOMPARE(formatShare(0), std::string("0.0 %"));
        QCOMPARE(formatShare(0.99998), std::string("99.998 %"));
        QCOMPARE(formatShare(0.9997), std::string("99.97 %"));
        QCOMPARE(formatShare(0.0002), std::string("0.02 %"));
        QCOMPARE(formatShare(1 - 1e-16), std::string("100.0 %"));
        for (double share = 0.9; share < 1 - 1e-7; share += (1 - share) / 7) {
            const std::string text = formatShare(share);
            QVERIFY2(!text.starts_with("100"), text.c_str());
        }
        QCOMPARE(formatInterval("1 s", "2 s"), std::string("1 s to 2 s"));
        QCOMPARE(formatInterval("1 s", "1 s"), std::string("1 s"));
    }
    void showsNumbersAsPeopleReadThem() {
        QCOMPARE(formatMoney(Money::dollars(3567392)), std::string("$3.57 M"));
        QCOMPARE(formatCount(1234567), std::string("1,234,567"));
        QCOMPARE(formatSeconds(Seconds(0.005363)), std::string("5.36 ms"));
        QCOMPARE(formatDuration(Seconds(30)), std::string("30 s"));
        QCOMPARE(formatDuration(Seconds(2748)), std::string("45.8 min"));
        QCOMPARE(formatDuration(Seconds(63000)), std::string("17.5 h"));
        QCOMPARE(formatDuration(Seconds(10 * 86400.0)), std::string("10 days"));
        QCOMPARE(formatDuration(Seconds(720 * 86400.0)), std::string("720 days"));
        QCOMPARE(formatDuration(Seconds(3650 * 86400.0)), std::string("10 years"));
        QCOMPARE(formatBytes(Bytes(std::int64_t{256} << 20)), std::string("256 MiB"));
        QCOMPARE(formatWatts(Watts(67600)), std::string("67.6 kW"));
        QCOMPARE(formatRatio(1.0667), std::string("1.07:1"));
    }
    void naturalOrder() {
        QVERIFY(naturallyLess("leaf[2]", "leaf[10]"));
        QVERIFY(!naturallyLess("leaf[10]", "leaf[2]"));
        QVERIFY(naturallyLess("leaf[02]", "leaf[3]"));
        QVERIFY(naturallyLess("a", "a1"));
        QVERIFY(!naturallyLess("x", "x"));
    }
    void fingerprintsDiffer() {
        QVERIFY(fingerprintOf("a") == fingerprintOf("a"));
        QVERIFY(!(fingerprintOf("a") == fingerprintOf("b")));
        QVERIFY(!(fingerprintOf("") == fingerprintOf(std::string_view("\0", 1))));
    }
    void csvCannotSmuggleFormulas() {
        CsvWriter csv;
        csv.text("=1+1").text("a,b").text("say \"x\"").number(0.1).number(std::int64_t{-3}).endRow();
        QCOMPARE(csv.bytes(), std::string("'=1+1,\"a,b\",\"say \"\"x\"\"\",0.1,-3\r\n"));
    }
};

QTEST_GUILESS_MAIN(tst_units)
#include "tst_units.moc"
