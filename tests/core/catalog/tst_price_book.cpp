#include "core/analysis/metrics/metrics.h"
#include "core/base/csv_rows.h"
#include "core/catalog/price_book.h"
#include "tests/support/designs.h"

#include <QTemporaryDir>

using namespace railyard;

static Result<PriceBook> read(const std::string& text) { return PriceBook::read(text, "book.csv"); }

class tst_price_book : public QObject {
    Q_OBJECT

private slots:
    void atMostAHundredErrors() {
        std::string rows = "id,low_usd,base_usd,high_usd,date\n";
        for (int i = 0; i < 99; ++i) rows += "a,1,x,1,2026\n";
        rows += ",x,x,x,x\n,x,x,x,x\n";
        const auto wrong = read(rows);
        QVERIFY(!wrong);
        QCOMPARE(wrong.errors().size(), std::size_t{100});
        std::string headings = "id,base_usd";
        for (int i = 0; i < 1000; ++i) headings += ",column" + std::to_string(i);
        QCOMPARE(read(headings + "\n").errors().size(), std::size_t{100});
    }
    void rowsAsSpreadsheetsWriteThem() {
        std::vector<CsvRow> rows;
        const auto keep = [&](const CsvRow& row) { return rows.push_back(row), true; };
        QVERIFY(eachCsvRow("\xEF\xBB\xBF"
                           "a,b\r\n\r\n\"x, \"\"y\"\"\nz\",2\r\n,\n3",
                           "f.csv", keep));
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[1].cell(0), std::string("x, \"y\"\nz"));
        QCOMPARE(rows[1].line, 3);
        QCOMPARE(rows[2].line, 6);
        QCOMPARE(rows[2].cell(7), std::string());
        QCOMPARE(eachCsvRow("a\n\"b", "f.csv", keep).error().where.line, 2);
        int used = 0;
        QVERIFY(eachCsvRow("a\nb\nc\n", "f.csv", [&](const CsvRow&) { return ++used < 2; })); // stops where it is told to
        QCOMPARE(used, 2);
    }
    // A row is refused before it fills the memory, and rows that nobody keeps take none.
    void endlessRowsAreRefused() {
        const Status wide = eachCsvRow("a,b\n" + std::string(1'000'000, ','), "f.csv", [](const CsvRow&) { return true; });
        QVERIFY(!wide);
        QCOMPARE(wide.error().where.line, 2);
        QCOMPARE(wide.error().code, std::string("limit"));
        QVERIFY(!read("id,base_usd\n" + std::string(1'000'000, ',')));
    }
    void everyKindOfLineEndIsRead() {
        for (const char* end : {"\n", "\r\n", "\r"}) {
            const auto book = read(std::string("id,base_usd") + end + "sw-qm9700,7" + end + "sw-sn5600,8" + end);
            QVERIFY2(book && book->prices().size() == 2, end);
        }
    }
    void ownPricesOverrideShippedOnesAndBothAreKept() {
        const auto book = read("base_usd,id,date,source\n30000.5,sw-qm9700,2026-11-01,quote 17\n");
        QVERIFY(book);
        const Catalog priced = book->applyTo(*shippedCatalog());
        const Part& part = *priced.find("sw-qm9700");
        QCOMPARE(part.price->base->inCents(), std::int64_t{3000050});
        QCOMPARE(part.shippedPrice->base->inCents(), std::int64_t{3287000});
        QCOMPARE(part.price->source, std::string("price book: quote 17"));
        QVERIFY(!priced.find("sw-qm9790")->shippedPrice);
        usePriceBook(*book);
        const auto design = std::make_shared<const Design>(*build({"superpod-h100", {}}, "x", pricedCatalog()));
        const FabricPointer fabric = elaborate(design);
        const Bill bill = instantMetrics(*fabric).bill; // its parts are those of the design's catalogue
        usePriceBook({});
        QCOMPARE(std::count_if(bill.lines.begin(), bill.lines.end(), [](const BillLine& l) { return l.part && l.part->shippedPrice; }),
                 std::ptrdiff_t{2}); // leaves and spines: what the workbook's assumptions count
        QCOMPARE(bill.byCategory[0]->inDollars(), 48 * 30000.5);
    }
    // A quote is called a quote, and so is whatever else a price is.
    void kindsOfPrices() {
        const auto book = read("id,base_usd,kind\nsw-qm9700,5,\nopt-800g-2xsr4,6,reseller\n");
        QVERIFY(book);
        QCOMPARE(read(book->text())->text(), book->text());
        const Catalog priced = book->applyTo(*shippedCatalog());
        QCOMPARE(priced.find("sw-qm9700")->price->kind, std::string("quote"));
        QCOMPARE(priced.find("opt-800g-2xsr4")->price->kind, std::string("reseller"));
        QVERIFY(shippedCatalog()->find("sw-qm9700")->price->kind.empty());
    }
    // All prices are replaced, but not those that somebody else has written since.
    void booksAreReplacedAsTheyWereKnown() {
        QTemporaryDir folder;
        qputenv("RAILYARD_PRICE_BOOK", folder.filePath(QStringLiteral("shared/book.csv")).toUtf8());
        const PriceBook first = *read("id,base_usd\na,1\nb,2\n"), second = *read("id,base_usd\nb,3\n");
        QVERIFY(replacePrices(first, {}));
        QCOMPARE(userPriceBook()->text(), first.text());
        QVERIFY(replacePrices(second, first));
        QCOMPARE(userPriceBook()->text(), second.text());
        const auto late = replacePrices(first, first);
        QVERIFY(!late && late.error().text.find("another program") != std::string::npos);
        QCOMPARE(userPriceBook()->text(), second.text());
        qunsetenv("RAILYARD_PRICE_BOOK");
    }
    void headingsAsPeopleWriteThem() {
        const auto book = read("ID;Base USD;Source\r\nsw-qm9700;5;\"a; b, c\"\r\n");
        QVERIFY(book);
        QCOMPARE(book->prices()[0].source, std::string("a; b, c"));
    }
    void cablesByLength() {
        const auto book = read("id,length_m,base_usd\nfib-mpo12-om4-straight,50,90\nfib-mpo12-om4-straight,20,40\n");
        QVERIFY(book);
        const Catalog priced = book->applyTo(*shippedCatalog());
        const Price& price = *priced.find("fib-mpo12-om4-straight")->price;
        QCOMPARE(price.baseAt(Metres(20))->inDollars(), 40.0);
        QCOMPARE(price.baseAt(Metres(30))->inDollars(), 90.0);
        QVERIFY(!price.baseAt(Metres(51)));
    }
    void writtenBooksReadBack() {
        const auto book = read("id,base_usd,low_usd,high_usd,source\nb,2,1,3,\"x, y\"\na,1.25,,,\n");
        const auto again = read(book->text());
        QVERIFY(again);
        QCOMPARE(again->text(), book->text());
        PriceBook merged = *book;
        merged.merge(*read("id,base_usd\na,7\nc,9\n"));
        QCOMPARE(merged.prices().size(), std::size_t{3});
        QCOMPARE(merged.prices()[0].base.inDollars(), 7.0);
    }
    void wrongRowsAreNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<int>("column");
        QTest::newRow("empty") << "" << 1 << 1;
        QTest::newRow("unknown heading") << "id,prize\n" << 1 << 2;
        QTest::newRow("no id") << "base_usd\n1\n" << 1 << 1;
        QTest::newRow("not a number") << "id,base_usd\nx,1\ny,cheap\n" << 3 << 2;
        QTest::newRow("negative") << "id,base_usd\nx,-1\n" << 2 << 2;
        QTest::newRow("not finite") << "id,base_usd\nx,inf\n" << 2 << 2;
        QTest::newRow("with a unit") << "id,base_usd\nx,$5\n" << 2 << 2;
        QTest::newRow("no price") << "id,base_usd,date\nx,,2026\n" << 2 << 2;
        QTest::newRow("no id in a row") << "id,base_usd\n,5\n" << 2 << 1;
        QTest::newRow("twice") << "id,base_usd\nx,5\nx,6\n" << 3 << 1;
        QTest::newRow("out of order") << "id,low_usd,base_usd\nx,9,5\n" << 2 << 3;
        QTest::newRow("bad date") << "id,base_usd,date\nx,5,1.11.2026\n" << 2 << 3;
        QTest::newRow("no such kind") << "id,kind,base_usd\nx,street,5\n" << 2 << 2;
        QTest::newRow("open quote") << "id,base_usd\n\"x,5\n" << 2 << 1;
    }
    void wrongRowsAreNamed() {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(int, column);
        const auto book = read(text.toStdString());
        QVERIFY(!book);
        QCOMPARE(book.error().kind, Error::Kind::File);
        QCOMPARE(book.error().where.line, line);
        QCOMPARE(book.error().where.column, column);
    }
    void everyWrongRowIsReportedUpToAHundred() {
        std::string text = "id,base_usd\n";
        for (int i = 0; i < 300; ++i) text += "x" + std::to_string(i) + ",?\n";
        QCOMPARE(read(text).errors().size(), std::size_t{100});
    }
};

QTEST_GUILESS_MAIN(tst_price_book)
#include "tst_price_book.moc"
