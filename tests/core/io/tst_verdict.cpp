#include "core/io/presentation/verdict.h"
#include "core/io/tables/bom.h"
#include "core/io/tables/currency.h"
#include "tests/support/designs.h"

#include <set>

using namespace railyard;

namespace {

Metrics metricsWith(const char* name, std::int64_t dollars, std::int64_t switches) {
    Metrics metrics;
    metrics.name = name;
    metrics.instant.bill.network = Money::dollars(static_cast<double>(dollars));
    metrics.instant.counts.switches = switches;
    return metrics;
}

} // namespace

class tst_verdict : public QObject {
    Q_OBJECT

private slots:
    // What one design saves and what it needs more are told apart.
    void costsAndSwitches_data() {
        QTest::addColumn<qint64>("dollars");
        QTest::addColumn<qint64>("switches");
        QTest::addColumn<QByteArray>("verdict");
        const auto row = [](const char* name, qint64 dollars, qint64 switches, const char* verdict) {
            QTest::newRow(name) << dollars << switches << QByteArray(verdict);
        };
        row("both less", 90'000, 8, "B saves $10.0 k of network cost (−10.0 %) and 2 switches");
        row("one switch", 90'000, 9, "B saves $10.0 k of network cost (−10.0 %) and 1 switch");
        row("cheaper, more switches", 90'000, 12, "B saves $10.0 k of network cost (−10.0 %) but needs 2 more switches");
        row("dearer, fewer switches", 110'000, 8, "B adds $10.0 k of network cost (+10.0 %) but needs 2 fewer switches");
        row("both more", 110'000, 12, "B adds $10.0 k of network cost (+10.0 %) and 2 switches");
        row("as many", 90'000, 10, "B saves $10.0 k of network cost (−10.0 %) with as many switches");
        row("the same", 100'000, 10, "B saves nothing: both designs need 10 switches");
    }
    void costsAndSwitches() {
        QFETCH(qint64, dollars);
        QFETCH(qint64, switches);
        QFETCH(QByteArray, verdict);
        const std::string said = comparisonVerdict(metricsWith("A", 100'000, 10), metricsWith("B", dollars, switches));
        QVERIFY2(said == verdict.toStdString(), said.c_str());
    }
    void lineKeysTellLinesApart() {
        for (const auto& [recipe, servers] :
             {std::pair("superpod-h100", "64"), {"superpod-gb200", "36"}, {"aipod", "128"}, {"fat-tree", "24"}}) {
            const FabricPointer fabric = test::fabricOf(
                recipe, {{"servers", servers}, {"racks", "auto"}, {"storage", "on"}, {"in_band", "on"}, {"out_of_band", "on"}});
            const Bill bill = instantMetrics(*fabric).bill;
            const std::vector<std::string> keys = lineKeys(bill);
            QCOMPARE(keys.size(), bill.lines.size());
            QCOMPARE(std::set<std::string>(keys.begin(), keys.end()).size(), keys.size());
            for (std::size_t i = 0; i < keys.size(); ++i)
                QVERIFY2(!keys[i].empty() && keys[i].find(' ') == std::string::npos &&
                             (!bill.lines[i].part || keys[i].starts_with(bill.lines[i].part->id)),
                         keys[i].c_str());
        }
        Bill twice; // even lines that nothing tells apart
        twice.lines.resize(3);
        for (BillLine& line : twice.lines) line.description = "Unknown part";
        const std::vector<std::string> keys = lineKeys(twice);
        QCOMPARE(std::set<std::string>(keys.begin(), keys.end()).size(), std::size_t{3});
    }
    void ratesAreReadAsTheyAreWritten() {
        for (const double rate : {0.917, 1e-3, 155.2, 1.0 / 3, 12345.678}) QCOMPARE(*rateIn(rateText({"EUR", rate})), rate);
        for (const char* text : {"", "EUR", "0.9", "0.9 EUR", "-1 EUR per US dollar", "0.9 EURO per US dollar", "nan EUR per US dollar"})
            QVERIFY2(!rateIn(text), text);
    }
};

QTEST_MAIN(tst_verdict)
#include "tst_verdict.moc"
