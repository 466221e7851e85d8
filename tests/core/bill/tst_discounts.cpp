#include "core/bill/discounts.h"
#include "core/io/tables/bom_parameters.h"
#include "core/io/tables/bom_workbook.h"
#include "tests/support/designs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace railyard;

class tst_discounts : public QObject {
    Q_OBJECT

private slots:
    void textsAreReadAndWritten() {
        const auto read = parseDiscounts("switch=35%; NVIDIA = 20% ;NVIDIA:switch=40%; all=5%");
        QVERIFY(read);
        QCOMPARE(discountsText(*read), std::string("switch=35%; NVIDIA=20%; NVIDIA:switch=40%; all=5%"));
        QCOMPARE(*parseDiscounts(discountsText(*read)), *read);
        QVERIFY(parseDiscounts("")->empty());
        QCOMPARE(parseDiscounts("out_of_band=1.5%")->front().fraction, 0.015);
    }
    void wrongTextsAreNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("no size") << "switch"
                                 << "for example switch=35%";
        QTest::newRow("no unit") << "switch=35"
                                 << "%";
        QTest::newRow("everything") << "switch=100%"
                                    << "less than 100%";
        QTest::newRow("negative") << "switch=-5%"
                                  << "-5%";
        QTest::newRow("twice") << "switch=5%; Switch=6%"
                               << "two discounts for switch";
        QTest::newRow("twice, in other letters") << "NVIDIA=5%; nvidia=6%"
                                                 << "two discounts for nvidia";
        QTest::newRow("no name") << "=5%"
                                 << "VENDOR:CATEGORY";
        QTest::newRow("no vendor") << ":switch=5%"
                                   << "VENDOR:CATEGORY";
        QTest::newRow("no such category") << "NVIDIA:swich=5%"
                                          << "VENDOR:CATEGORY";
    }
    void wrongTextsAreNamed() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        const auto read = parseDiscounts(text.toStdString());
        QVERIFY(!read);
        QVERIFY2(read.error().text.find(words.toStdString()) != std::string::npos, read.error().text.c_str());
    }
    void vendorsMustExist() {
        QVERIFY(checkVendors(*parseDiscounts("nvidia=5%; pluggable=3%"), *shippedCatalog()));
        const Status wrong = checkVendors(*parseDiscounts("NVIDA=5%; swich=3%"), *shippedCatalog());
        QVERIFY(!wrong);
        QCOMPARE(wrong.errors().size(), std::size_t(2));
    }
    // Against sums over the lines, for random sets of discounts and both views.
    void netPricesAddUp() {
        const auto fabric = test::fabricOf("superpod-h100", {{"servers", "31"}, {"storage", "on"}});
        const Metrics metrics = metricsOf(*fabric);
        const char* sets[] = {"", "all=12.5%", "switch=35%", "NVIDIA=20%; pluggable=7%",
                              "all=5%; NVIDIA=10%; switch=15%; NVIDIA:switch=33%"};
        for (const char* text : sets)
            for (const bool byBlock : {false, true}) {
                BomOptions options;
                options.byBlock = byBlock;
                options.discounts = *parseDiscounts(text);
                options.margin = 0.2;
                const Json bill = *bomJson(*fabric, metrics, options);
                std::int64_t cents = 0;
                for (const Json& line : bill["lines"]) {
                    if (line["unit_usd"].is_null()) {
                        QVERIFY(line["net_usd"].is_null());
                        continue;
                    }
                    const std::string vendor = line["manufacturer"].is_null() ? "" : line["manufacturer"].get<std::string>();
                    double expected = 0; // the most specific, written out
                    const std::string all = fmt::format("; {}", text);
                    for (const std::string& of : {std::string("all"), line["category"].get<std::string>(), vendor,
                                                  vendor + ":" + line["category"].get<std::string>()})
                        if (const auto at = all.find("; " + of + "="); !of.empty() && at != std::string::npos)
                            expected = std::stod(all.substr(at + of.size() + 3)) / 100;
                    QCOMPARE(line["discount_fraction"].get<double>(), expected);
                    const auto unit = std::llround(line["unit_usd"].get<double>() * (1 - expected) * 100);
                    cents += unit * line["quantity"].get<std::int64_t>();
                }
                QCOMPARE(bill["net_usd"].get<double>(), static_cast<double>(cents) / 100);
                QVERIFY(std::abs(bill["sales_usd"].get<double>() - bill["net_usd"].get<double>() / 0.8) <= 0.005);
                QCOMPARE(bill["total_usd"].get<double>(), metrics.instant.bill.total.inDollars()); // list prices
                if (std::string(text).empty()) QVERIFY(bill["net_usd"] == bill["total_usd"]);
            }
    }
    // The sheet computes the same from its cells.
    void sheetsShowNetPrices() {
        const auto fabric = test::fabricOf("superpod-h100", {{"servers", "31"}});
        const Metrics metrics = metricsOf(*fabric);
        BomOptions options;
        options.discounts = *parseDiscounts("switch=35%");
        options.margin = 0.25;
        Bill bill = metrics.instant.bill;
        for (BillLine& line : bill.lines) line.discount = discountOf(line, options.discounts);
        const Table bom = bomTable(bill, {}, {"x", BomFor::Sheet});
        double total = 0;
        for (const auto& row : bom.rows) total += numberIn(row[bom.columnOf("Extended net")]).value_or(0);
        QVERIFY(total < metrics.instant.bill.total.inDollars());
        const Table summary = summaryTable(metrics, bill, bom, options);
        const auto value = [&](const std::string& name) {
            for (const auto& row : summary.rows)
                if (std::get<std::string>(row[0]) == name) return numberIn(row[1]).value_or(-1);
            return -1.0;
        };
        QCOMPARE(value("Total cost, lines with a price"), total);
        QVERIFY(std::abs(value("Sales price, lines with a price") - total / 0.75) < 0.01);
        QCOMPARE(value("Margin, of the sales price"), 0.25);
    }
    void optionsAreRows() {
        BomOptions options;
        options.sparesShare = 0.05;
        options.margin = 0.1;
        const ParameterTexts texts = textsOf(bomParameters(), options, BomOptions());
        QCOMPARE(texts.at("spares"), std::string("qty:5%"));
        QCOMPARE(texts.at("margin"), std::string("10%"));
        QCOMPARE(readBomOptions(texts)->margin, 0.1);
        for (const auto& [key, wrong] : ParameterTexts{{"margin", "96%"}, {"spares", "20%"}, {"currency", "EUR"}, {"copy", "both"}})
            QVERIFY2(!readBomOptions({{key, wrong}}), key.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_discounts)
#include "tst_discounts.moc"
