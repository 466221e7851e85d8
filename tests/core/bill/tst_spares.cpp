#include "core/analysis/metrics/metrics.h"
#include "core/bill/spares.h"
#include "tests/support/designs.h"
#include "tests/support/rates.h"

#include <cmath>

using namespace railyard;

// P(Poisson(mean) <= s), summed term by term.
static double atMost(double mean, std::int64_t s) {
    double term = std::exp(-mean), sum = term;
    for (std::int64_t k = 1; k <= s; ++k) sum += term *= mean / static_cast<double>(k);
    return sum;
}

class tst_spares : public QObject {
    Q_OBJECT

private slots:
    void smallestStockThatLasts() {
        for (const std::int64_t units : {1, 48, 512, 6144, 100000})
            for (const double rate : {0.00289, 0.01169, 0.1106})
                for (const double confidence : {0.5, 0.9, 0.95, 0.999}) {
                    const double mean = static_cast<double>(units) * rate * spareLeadTimeHours / 8760;
                    if (mean > 500) continue; // exp(-mean) leaves the doubles
                    const std::int64_t spares = sparesFor(units, rate, spareLeadTimeHours, confidence);
                    QVERIFY(atMost(mean, spares) >= confidence - 1e-12);
                    if (spares > 0) QVERIFY(atMost(mean, spares - 1) < confidence);
                }
    }
    void nothingFailsNothingIsKept() {
        QCOMPARE(sparesFor(0, 0.1, 1008, 0.95), std::int64_t{0});
        QCOMPARE(sparesFor(100, 0, 1008, 0.95), std::int64_t{0});
    }
    void linesOfOnePartShareAStock() { // leaves and spines are one switch part
        Bill bill = instantMetrics(*test::fabricOf("superpod-h100", {{"servers", "2048"}})).bill;
        addSpares(bill, test::shippedRates(), 0.95);
        std::vector<std::int64_t> spares;
        for (const BillLine& line : bill.lines)
            if (line.category == BillCategory::Switch) spares.push_back(*line.spares);
        QCOMPARE(spares, (std::vector<std::int64_t>{sparesFor(512 + 512 + 256, 0.00612, 1008, 0.95), 0, 0}));
    }
    void sharesOfTheQuantity() {
        Bill bill = instantMetrics(*test::fabricOf("superpod-h100", {{"racks", "auto"}})).bill;
        addSparesByQuantity(bill, 0.05);
        std::int64_t switches = 0, spares = 0;
        for (const BillLine& line : bill.lines) {
            const bool isWork = line.category == BillCategory::Rack || line.category == BillCategory::Labour;
            QCOMPARE(line.spares.has_value(), !isWork);
            QVERIFY(!line.leadTimeHours);
            if (line.category == BillCategory::Cable) QCOMPARE(*line.spares, (line.quantity + 19) / 20); // rounded up
            if (line.category != BillCategory::Switch) continue;
            switches += line.quantity;
            spares += *line.spares;
        }
        QCOMPARE(spares, (switches + 19) / 20); // leaves and spines are one part
    }
    void rulesOfSpares() {
        const auto level = parseSpares("95%"), quantity = parseSpares("qty:5%");
        QVERIFY(level && level->by == SparesRule::By::ServiceLevel && level->fraction == 0.95);
        QVERIFY(quantity && quantity->by == SparesRule::By::Quantity && quantity->fraction == 0.05);
        QVERIFY(parseSpares("50%"));
        for (const char* wrong : {"5%", "49.9%", "100%", "0%"}) {
            const auto rule = parseSpares(wrong);
            QVERIFY2(!rule && rule.error().text.find(std::string("qty:") + wrong) != std::string::npos, wrong);
        }
        for (const char* wrong : {"qty:0%", "qty:", "qty:5", "95", "", "x%"}) QVERIFY2(!parseSpares(wrong), wrong);
    }
    void moreCertaintyMoreSpares() {
        Bill few = instantMetrics(*test::fabricOf("superpod-h100")).bill, many = few;
        const Money total = few.total;
        addSpares(few, test::shippedRates(), 0.5);
        addSpares(many, test::shippedRates(), 0.99);
        for (std::size_t i = 0; i < few.lines.size(); ++i) {
            QCOMPARE(few.lines[i].spares.has_value(), few.lines[i].category != BillCategory::Cable);
            if (few.lines[i].spares) QVERIFY(*few.lines[i].spares <= *many.lines[i].spares);
        }
        QCOMPARE(few.total.inCents(), total.inCents());
    }
};

QTEST_GUILESS_MAIN(tst_spares)
#include "tst_spares.moc"
