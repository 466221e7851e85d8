#include "core/base/file.h"
#include "core/bill/part_number.h"
#include "core/bill/spares.h"
#include "core/bill/unpriced.h"
#include "core/design/edits/edit.h"
#include "core/io/document/design_json.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/bom.h"
#include "core/io/tables/bom_workbook.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/compare.h"
#include "core/io/tables/compare_words.h"
#include "core/io/tables/fabric_csv.h"
#include "core/io/tables/workbook.h"
#include "tests/support/designs.h"
#include "tests/support/rates.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cmath>
#include <fmt/format.h>
#include <set>

using namespace railyard;

static Metrics metrics(const char* recipe, const char* servers) {
    const FabricPointer fabric = test::fabricOf(recipe, {{"servers", servers}});
    return metricsOf(*fabric);
}

// LibreOffice, with formulas computed when a file is loaded, whatever values it holds.
static QString office() { return QStandardPaths::findExecutable(QStringLiteral("soffice")); }
static const char* const withoutOffice =
    "a second spreadsheet program must recompute the workbook, and soffice is not on PATH; installer/test installs it";

// A sheet, counted from 1, as CSV. Numbers are written as they are, without a format.
static QString recalculated(const QTemporaryDir& folder, const QString& path, int sheet) {
    QDir(folder.path()).mkpath(QStringLiteral("profile/user"));
    QFile settings(folder.filePath(QStringLiteral("profile/user/registrymodifications.xcu")));
    if (!settings.exists() && settings.open(QIODevice::WriteOnly))
        settings.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?><oor:items xmlns:oor=\"http://openoffice.org/2001/registry\" "
                       "xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">"
                       "<item oor:path=\"/org.openoffice.Office.Calc/Formula/Load\"><prop oor:name=\"OOXMLRecalcMode\" "
                       "oor:op=\"fuse\"><value>0</value></prop></item></oor:items>");
    settings.close();
    for (const QString& old : QDir(folder.path()).entryList({QStringLiteral("*.csv")})) QFile::remove(folder.filePath(old));
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.start(office(),
                  {QStringLiteral("-env:UserInstallation=file://") + folder.filePath(QStringLiteral("profile")),
                   QStringLiteral("--headless"), QStringLiteral("--convert-to"),
                   QStringLiteral("csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,%1").arg(sheet), path});
    if (!process.waitForFinished(120000)) return {};
    const QStringList written = QDir(folder.path()).entryList({QStringLiteral("*.csv")});
    QFile csv(written.isEmpty() ? QString() : folder.filePath(written.first()));
    return csv.open(QIODevice::ReadOnly) ? QString::fromUtf8(csv.readAll()) : QString::fromUtf8(process.readAllStandardError());
}

// The number in the cell after this one; not a number where there is none.
static double amountAfter(const QString& csv, const std::string& name) {
    const QString text = QString::fromStdString(name);
    for (const QString& line : csv.split(QLatin1Char('\n')))
        for (const QString& start : {text + QLatin1Char(','), QLatin1Char('"') + text + QStringLiteral("\",")})
            if (line.startsWith(start)) return line.mid(start.size()).section(QLatin1Char(','), 0, 0).remove(QLatin1Char('"')).toDouble();
    return std::nan("");
}

class tst_deliverables : public QObject {
    Q_OBJECT

private slots:
    void bomFormulasCarryTheirValues() {
        const Table table = bomTable(instantMetrics(*test::fabricOf("superpod-h100")).bill);
        const auto column = [&](const char* name) {
            return static_cast<std::size_t>(
                std::find_if(table.columns.begin(), table.columns.end(), [&](const Column& c) { return c.name == name; }) -
                table.columns.begin());
        };
        double sum = 0;
        for (const auto& row : table.rows) {
            QCOMPARE(row.size(), table.columns.size());
            const auto& extended = std::get<Formula>(row[column("Extended net")]);
            if (!extended.value) continue;
            QCOMPARE(*extended.value, std::get<double>(row[column("Qty")]) * std::get<double>(row[column("Unit price")]));
            QVERIFY(!std::get<std::string>(row[column("Price kind")]).empty());
            sum += *extended.value;
        }
        QCOMPARE(sum, 3567392.0);
    }
    void portNamesOfVendors() {
        const auto fabric = test::fabricOf("aipod", {{"servers", "64"}}); // 400G ports split in two
        DeviceId leaf, nic;
        for (const DeviceId d : fabric->devices.ids()) {
            if (fabric->devicePath(d) == "su[1]/leaf[1]") leaf = d;
            if (fabric->devicePath(d) == "su[1]/srv[1]/nic[3]") nic = d;
        }
        const auto name = [&](const char* dialect, DeviceId device, int port) {
            return portNameIn(*portDialectFrom(dialect), *fabric, device, PortId(port));
        };
        QCOMPARE(name("railyard", leaf, 4), std::string("2.2"));
        QCOMPARE(name("nvidia", leaf, 4), std::string("swp2s1"));
        QCOMPARE(name("nvos", leaf, 4), std::string("sw2p2"));
        QCOMPARE(name("nx-os", leaf, 4), std::string("Ethernet1/2/2"));
        QCOMPARE(name("sonic", leaf, 4), std::string("Ethernet12")); // eight lanes a port, four a half
        QCOMPARE(name("nvidia", nic, 1), std::string("rail3"));
        QCOMPARE(name("cumulus", nic, 1), std::string("eth2"));
        const auto whole = test::fabricOf("superpod-b200", {{"servers", "64"}});
        DeviceId spine;
        for (const DeviceId d : whole->devices.ids())
            if (whole->devicePath(d) == "spine[1]") spine = d;
        // 32 cages of two ports: cage 17 holds ports 33 and 34.
        for (const char* dialect : {"nvidia", "nvos"}) {
            QCOMPARE(portNameIn(*portDialectFrom(dialect), *whole, spine, PortId(1)), std::string("sw1p1"));
            QCOMPARE(portNameIn(*portDialectFrom(dialect), *whole, spine, PortId(33)), std::string("sw17p1"));
            QCOMPARE(portNameIn(*portDialectFrom(dialect), *whole, spine, PortId(64)), std::string("sw32p2"));
        }
        QCOMPARE(portNameIn(*portDialectFrom("infiniband"), *whole, spine, PortId(34)), std::string("17/2"));
        QCOMPARE(portNameIn(*portDialectFrom("sonic"), *whole, spine, PortId(4)), std::string("Ethernet12")); // eight lanes a cage
        QCOMPARE(portNameIn(portDialects().front(), *whole, spine, PortId(64)), std::string("64"));
        const auto halves = test::fabricOf("rail-optimized", {{"servers", "16"}, {"nic", "nic-cx7-200-osfp"}, {"switch", "sw-qm9700"}});
        DeviceId split;
        for (const DeviceId d : halves->devices.ids())
            if (halves->devicePath(d) == "su[1]/leaf[1]") split = d;
        QCOMPARE(portNameIn(*portDialectFrom("nvidia"), *halves, split, PortId(4)), std::string("sw1p2s2"));
        QVERIFY(!portDialectFrom("klingon"));
        // Names are unique on every switch, in every dialect.
        for (const PortDialect& dialect : portDialects())
            for (const auto& [of, device] : {std::pair(fabric, leaf), std::pair(whole, spine), std::pair(halves, split)}) {
                std::set<std::string> names;
                for (int port = 1; port <= of->portCount(device); ++port)
                    QVERIFY(names.insert(portNameIn(dialect, *of, device, PortId(port))).second);
            }
    }
    void oneRowAPatchCable() {
        const auto fabric = test::fabricOf("superpod-b300", {{"servers", "64"}});
        const Table table = cableTable(*fabric, cablingOf(*fabric));
        QCOMPARE(table.rows.size(), std::size_t{2048});
        const auto text = [&](std::size_t row, const char* name) {
            for (std::size_t c = 0; c < table.columns.size(); ++c)
                if (table.columns[c].name == name) return std::get<std::string>(table.rows[row][c]);
            return std::string();
        };
        for (const std::size_t plane : {std::size_t{0}, std::size_t{1}}) { // a fibre from each socket of the cage
            QCOMPARE(text(plane, "A-Node"), std::string("su[1]/srv[1]/nic[1]"));
            QCOMPARE(text(plane, "Z-Node"), std::string(plane == 0 ? "su[1]/leaf[1]" : "su[1]/leaf[9]"));
        }
        QVERIFY(text(0, "Cable ID") != text(1, "Cable ID") && text(0, "Label A") != text(1, "Label A"));
        // The export names the same cables.
        std::set<std::string> ids, exported;
        for (const auto& row : table.rows) ids.insert(std::get<std::string>(row[0]));
        const std::string links = linksCsv(*fabric, cablingOf(*fabric));
        for (std::size_t at = 0, end; (end = links.find("\r\n", at)) != std::string::npos; at = end + 2) {
            const std::string last = links.substr(0, end).substr(links.rfind(',', end) + 1);
            if (last.starts_with("C")) exported.insert(last);
        }
        QCOMPARE(exported, ids);
    }
    void aSplitterIsOneRow() {
        const auto fabric = test::fabricOf("rail-optimized", {{"servers", "21"}, {"nic", "nic-cx7-200-osfp"}, {"switch", "sw-qm9700"}});
        const Table table = cableTable(*fabric, cablingOf(*fabric));
        QCOMPARE(std::get<std::string>(table.rows[0][5]), std::string("su[1]/srv[1]/nic[1] + su[1]/srv[2]/nic[1]"));
        QCOMPARE(std::get<std::string>(table.rows[0][11]), std::string("su[1]/leaf[1]"));
    }
    void anotherCurrencyAtTheGivenRate() {
        const Bill bill = instantMetrics(*test::fabricOf("superpod-h100")).bill;
        const Table dollars = bomTable(bill), euros = bomTable(bill, *parseCurrency("EUR=0.92"));
        const auto column = static_cast<std::size_t>(
            std::find_if(dollars.columns.begin(), dollars.columns.end(), [](const Column& c) { return c.name == "Extended net"; }) -
            dollars.columns.begin());
        for (std::size_t r = 0; r < dollars.rows.size(); ++r) {
            const auto &usd = std::get<Formula>(dollars.rows[r][column]).value, &eur = std::get<Formula>(euros.rows[r][column]).value;
            QCOMPARE(eur.has_value(), usd.has_value());
            // Prices are rounded to the cent before they are multiplied: an error of at most half a cent each.
            const double quantity = std::get<double>(dollars.rows[r][dollars.columnOf("Qty")]);
            if (usd) QVERIFY(std::abs(*eur - *usd * 0.92) <= 0.005 * quantity + 1e-6);
        }
    }
    void currencyErrors() {
        for (const char* text : {"EUR", "EUR=", "EUR=x", "EUR=0", "EUR=-1", "EUR=inf", "EUR=1e400", "eur=1", "USD=2", "", "=1", "EUR=1 "})
            QVERIFY2(!parseCurrency(text), text);
        QCOMPARE(parseCurrency("USD")->perDollar, 1.0);
    }
    void assumptionsSayWhatCollectiveTimesInclude() {
        const auto basis = [](const char* server, const char* gpu = "") {
            test::Parameters parameters{{"servers", "2"}, {"server", server}};
            if (*gpu) parameters["gpu"] = gpu;
            const FabricPointer fabric = test::fabricOf("rail-optimized", parameters);
            const Table table = assumptionsTable(*fabric, billOf(*fabric, cablingOf(*fabric)));
            for (const auto& row : table.rows)
                if (std::get<std::string>(row[0]) == "Collectives") return std::get<std::string>(row[1]);
            return std::string();
        };
        QVERIFY2(basis("srv-dgx-h100").starts_with("Calibrated (NCCL"), basis("srv-dgx-h100").c_str());
        QVERIFY2(basis("srv-mi300x-8").starts_with("Calibrated (RCCL"), basis("srv-mi300x-8").c_str());
        QVERIFY2(basis("srv-dgx-h100", "gaudi3-oam").starts_with("Link bandwidth only"), basis("srv-dgx-h100", "gaudi3-oam").c_str());
    }
    void workbooksAreIdenticalForIdenticalInput() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const Metrics m = metricsOf(*fabric);
        const std::string a = folder.filePath(QStringLiteral("a.xlsx")).toStdString(),
                          b = folder.filePath(QStringLiteral("b.xlsx")).toStdString();
        QVERIFY(writeBom(*fabric, m, a));
        QTest::qSleep(2100); // zip times have two seconds' grain
        QVERIFY(writeBom(*fabric, m, b));
        QCOMPARE(*readFile(a), *readFile(b));
        QVERIFY(readFile(a)->starts_with("PK"));
    }
    void everyFormatOfTheBillIsWritten() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const Metrics m = metricsOf(*fabric);
        for (const FileFormat& format : billFormats()) {
            const std::string path = folder.filePath(QStringLiteral("bill")).toStdString() + std::string(format.extension);
            QVERIFY2(writeBom(*fabric, m, path), path.c_str());
            QVERIFY2(readFile(path)->size() > 100, path.c_str());
            if (format.extension == ".md") QVERIFY(readFile(path)->find("| 1 | Compute |") != std::string::npos);
        }
        const Status other = writeBom(*fabric, m, folder.filePath(QStringLiteral("bill.doc")).toStdString());
        QVERIFY(!other);
        for (const FileFormat& format : billFormats()) QVERIFY(other.error().text.find(format.extension) != std::string::npos);
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("bill.doc"))));
    }
    // The cached values of the summary are those of the bill, in both views and with spares.
    void summaryFollowsTheBill() {
        const auto fabric = test::fabricOf("superpod-h100", {{"servers", "31"}});
        const Cabling cabling = cablingOf(*fabric);
        const Metrics m = metricsOf(*fabric);
        Bill bill = m.instant.bill;
        const auto value = [&](const Table& summary, const std::string& name) {
            for (const auto& row : summary.rows)
                if (std::get<std::string>(row[0]) == name) return std::get<Formula>(row[1]).value.value_or(-1);
            return -1.0;
        };
        for (const Table& bom : {bomTable(bill), bomTableByBlock(billByBlock(*fabric, cabling))}) {
            const Table summary = summaryTable(m, bill, bom);
            QCOMPARE(value(summary, "Total cost, lines with a price"), bill.total.inDollars());
            QCOMPARE(value(summary, "Network cost, lines with a price"), bill.network.inDollars());
            QCOMPARE(value(summary, "Total cost, low estimate, lines with a price"), bill.low.inDollars());
            QCOMPARE(value(summary, "Total cost, high estimate, lines with a price"), bill.high.inDollars());
            QCOMPARE(value(summary, "  Items without a price, category server"), 31.0);
        }
        QCOMPARE(value(summaryTable(m, bill, bomTable(bill)), "Lines without a price"), static_cast<double>(bill.unpricedLines));
        // Every line has its formulas, with or without a price.
        const Table bom = bomTable(bill);
        for (const auto& row : bom.rows)
            for (const char* column : {"Net price", "Extended net", "Ext power (W)", "Extended low", "Extended high"})
                QVERIFY2(std::get_if<Formula>(&row[bom.columnOf(column)]), column);
    }
    // A bill in euros has no dollars anywhere, and no more decimals than a price has.
    void oneCurrencyInEverySheet() {
        const auto fabric = test::fabricOf("superpod-h100", {{"servers", "31"}, {"racks", "auto"}});
        const Metrics m = metricsOf(*fabric);
        const Currency euros = *parseCurrency("EUR=0.92");
        const Table bom = bomTable(m.instant.bill, euros, {"Hall 2", BomFor::Text});
        const Table sheets[] = {bom, powerTable(m.instant.bill, euros), assumptionsTable(*fabric, m.instant.bill, {false, {}, {}, euros}),
                                summaryTable(m, m.instant.bill, bom, {false, {}, {}, euros})};
        for (const Table& table : sheets) {
            std::string all = table.sumsLabel;
            for (const std::string& note : table.notes) all += "\n" + note;
            for (const auto& row : table.rows)
                for (const Cell& cell : row)
                    if (const auto* text = std::get_if<std::string>(&cell)) all += "\n" + *text;
            for (const char* dollar : {"$", "USD"}) QVERIFY2(all.find(dollar) == std::string::npos, (table.name + all).c_str());
        }
        const std::string csv = csvOf(bom), words = markdownOf(bom);
        QVERIFY2(csv.find("Exchange rate") != std::string::npos && csv.find("0.92 EUR per US dollar") != std::string::npos, csv.c_str());
        QVERIFY2(csv.find(",Total,") != std::string::npos && csv.find("Hall 2") != std::string::npos, csv.c_str());
        const QRegularExpression manyDecimals(QStringLiteral(",[0-9]+\\.[0-9]{5,}")); // 808.6800000000001
        QVERIFY2(!QString::fromStdString(csv).contains(manyDecimals), csv.c_str());
        QVERIFY2(words.starts_with("# Bill of materials: Hall 2\n") && words.find("0.92 EUR per US dollar") != std::string::npos,
                 words.c_str());
    }
    void citationsAreInTheSameCurrency() {
        const Currency euros = *parseCurrency("EUR=0.5");
        QCOMPARE(citationIn(euros, "US$1,124, https://x; low US$66.50 to US$3.1 M, \"box from $500K\" at US$10,000"),
                 std::string("562.00 EUR, https://x; low 33.25 EUR to 1,550,000.00 EUR, \"box from 250,000.00 EUR\" at 5,000.00 EUR"));
        QCOMPARE(citationIn(Currency(), "US$1,124"), std::string("US$1,124"));
        for (const auto& [id, part] : shippedCatalog()->parts()) {
            if (!part.price) continue;
            const std::string text = citationIn(euros, part.price->source);
            QVERIFY2(text.find('$') == std::string::npos && text.find("USD") == std::string::npos, text.c_str());
        }
    }
    void aMaximumIsNotCalledTypical() {
        const auto fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const Bill bill = instantMetrics(*fabric).bill;
        const Table table = bomTable(bill);
        int maxima = 0;
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            const Part* part = bill.lines[r].part;
            const auto typical = numberIn(table.rows[r][table.columnOf("Power typ (W)")]);
            if (part && !part->typical && part->maximum && bill.lines[r].category == BillCategory::Server) {
                QVERIFY(!typical && numberIn(table.rows[r][table.columnOf("Ext power (W)")]) > 0);
                ++maxima;
            } else if (part && part->typical && bill.lines[r].category == BillCategory::Switch) {
                QCOMPARE(typical.value_or(-1), part->typical->value());
            }
        }
        QVERIFY(maxima > 0);
    }
    // LibreOffice computes the formulas anew; where it is installed it must come to the cached total.
    void spreadsheetComesToTheSameTotal() {
        if (office().isEmpty()) QSKIP(withoutOffice);
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "128"}});
        const QString path = folder.filePath(QStringLiteral("bom.xlsx"));
        const Metrics m = metricsOf(*fabric);
        QVERIFY(writeBom(*fabric, m, path.toStdString()));
        const QString text = recalculated(folder, path, 2);
        QVERIFY2(text.contains(QStringLiteral("3,567,392")) || text.contains(QStringLiteral("3567392")), qPrintable(text.right(600)));
        // The sheet Summary has the values that it was written with.
        const QString summary = recalculated(folder, path, 1);
        for (const auto& row : summaryTable(m, m.instant.bill, bomTable(m.instant.bill)).rows)
            if (const auto* formula = std::get_if<Formula>(&row[1]); formula && formula->value)
                QVERIFY2(std::abs(amountAfter(summary, std::get<std::string>(row[0])) - *formula->value) < 0.006,
                         (std::get<std::string>(row[0]) + "\n" + summary.toStdString()).c_str());
    }
    // A quote and a discount typed into a line without a price: the cached values are the old ones, and the formulas give the new.
    void aQuoteChangesTheSummary() {
        if (office().isEmpty()) QSKIP(withoutOffice);
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "31"}});
        const Metrics m = metricsOf(*fabric);
        const Bill& bill = m.instant.bill;
        Table bom = bomTable(bill, {}, {"quoted", BomFor::Sheet});
        const Table summary = summaryTable(m, bill, bom);
        const auto server = std::find_if(bill.lines.begin(), bill.lines.end(),
                                         [](const BillLine& line) { return line.category == BillCategory::Server && !line.base; });
        QVERIFY(server != bill.lines.end());
        std::vector<Cell>& row = bom.rows[static_cast<std::size_t>(server - bill.lines.begin())];
        row[bom.columnOf("Unit price")] = 1000.0;
        row[bom.columnOf("Discount %")] = 10.0;
        const QString path = folder.filePath(QStringLiteral("quoted.xlsx"));
        QVERIFY(writeWorkbook({summary, bom, powerTable(bill)}, path.toStdString(), "quoted"));
        const QString text = recalculated(folder, path, 1);
        const double more = static_cast<double>(server->quantity) * 900;
        const auto now = [&](const char* name) { return amountAfter(text, name); };
        QCOMPARE(now("Total cost, lines with a price"), bill.total.inDollars() + more);
        QCOMPARE(now("Total cost, low estimate, lines with a price"), bill.low.inDollars() + more);
        QCOMPARE(now("Total cost, high estimate, lines with a price"), bill.high.inDollars() + more);
        QCOMPARE(now("Network cost, lines with a price"), bill.network.inDollars());
        QCOMPARE(now("Lines without a price"), static_cast<double>(bill.unpricedLines - 1));
        QCOMPARE(now("  Items without a price, category server"), 0.0);
    }
    void numbersLookLikeNumbers() {
        QCOMPARE(shownNumber(4096, CellFormat::Decimal), std::string("4,096"));
        QCOMPARE(shownNumber(1234567.25, CellFormat::Decimal), std::string("1,234,567.25"));
        QCOMPARE(shownNumber(32870, CellFormat::Money), std::string("32,870.00"));
        QCOMPARE(shownNumber(-0.00001, CellFormat::Decimal), std::string("0"));
        QCOMPARE(shownNumber(-1536.4, CellFormat::Integer), std::string("−1,536"));
        QCOMPARE(shownNumber(0.125, CellFormat::Percent), std::string("12.5 %"));
        QCOMPARE(shownNumber(0.125, CellFormat::Change), std::string("+12.5 %"));
        QCOMPARE(shownNumber(999, CellFormat::Integer), std::string("999"));
    }
    // What a buyer writes on an order: the maker's number with the length in it, or nothing, and how many lines have nothing.
    void linesCanBeOrdered() {
        for (const char* racks : {"none", "auto"}) {
            const auto fabric =
                test::fabricOf("superpod-h100", std::string(racks) == "auto"
                                                    ? test::Parameters{{"servers", "64"}, {"racks", "auto"}, {"medium", "by-length"}}
                                                    : test::Parameters{{"servers", "64"}});
            const Bill bill = instantMetrics(*fabric).bill;
            const Table table = bomTable(bill);
            std::size_t column = 0, without = 0;
            while (table.columns[column].name != "Part number") ++column;
            std::set<std::string> numbers;
            for (const auto& row : table.rows) {
                const std::string& number = std::get<std::string>(row[column]);
                without += number.empty() ? 1 : 0;
                numbers.insert(number);
                QVERIFY2(number.find("xxx") == std::string::npos && number.find('{') == std::string::npos, number.c_str());
                QVERIFY2(number.empty() || !shippedCatalog()->find(number), number.c_str());
            }
            for (const char* number : {"MQM9700-NS2F", "MMA4Z00-NS"}) QVERIFY2(numbers.contains(number), number);
            if (std::string(racks) == "none") QVERIFY(numbers.contains("MFP7E10-N030"));
            const std::string count = fmt::format("{} of {} lines {} no part number (not published, or labour).", without,
                                                  table.rows.size(), without == 1 ? "has" : "have");
            QVERIFY2(std::any_of(table.notes.begin(), table.notes.end(), [&](const std::string& note) { return note.starts_with(count); }),
                     count.c_str());
            const Table summary = summaryTable(metricsOf(*fabric), bill, table);
            for (const auto& row : summary.rows)
                if (std::get<std::string>(row[0]) == "Lines without a part number")
                    QCOMPARE(numberIn(row[1]).value_or(-1), static_cast<double>(without));
        }
    }
    void partNumbersHoldTheLength() {
        const Part* splitter = shippedCatalog()->find("dac-800g-2x400g-osfp");
        QCOMPARE(partNumberOf(splitter, Metres(1.5)).number, std::string("MCP7Y00-N01A"));
        QCOMPARE(partNumberOf(splitter, Metres(3)).number, std::string("MCP7Y00-N003"));
        QCOMPARE(partNumberOf(splitter, Metres(4)).number, std::string()); // no such length
        QCOMPARE(partNumberOf(shippedCatalog()->find("dac-800g-osfp"), Metres(0.5)).number, std::string("MCP4Y10-N00A"));
        const Part* fibre = shippedCatalog()->find("fib-mpo12-om4-straight");
        QCOMPARE(partNumberOf(fibre, Metres(50)).number, std::string("MFP7E10-N050"));
        QVERIFY(!partNumberOf(fibre, Metres(50)).isLengthUnlisted);
        const Part* single = shippedCatalog()->find("fib-mpo12-os2-straight"); // nobody publishes its lengths
        QVERIFY(partNumberOf(single, Metres(30)).isLengthUnlisted);
        QCOMPARE(partNumberOf(single, Metres(70)).number, std::string()); // made to measure
        QCOMPARE(partNumberOf(nullptr, Metres(1)).number, std::string());
        for (const auto& [id, part] : shippedCatalog()->parts())
            if (const CablePart* cable = part.as<CablePart>(); cable && part.original.find("{length}") != std::string::npos)
                for (const Metres length : cable->stockLengths)
                    QVERIFY2(!partNumberOf(&part, length).number.empty(), fmt::format("{} {}", id, length.value()).c_str());
    }
    // A document made before parts had numbers: the bill takes them from the catalogue, the document keeps its bytes.
    void olderDocumentsCanBeOrderedToo() {
        std::string text = designText(*test::designOf("superpod-h100", {{"servers", "32"}}));
        const std::string newer = text;
        for (std::size_t at = text.find("\"part_number\""); at != std::string::npos; at = text.find("\"part_number\""))
            text.erase(text.rfind('\n', at), text.find('\n', at) - text.rfind('\n', at)); // a line of its own
        QVERIFY(text != newer);
        const auto design = readDesign(text, "old.railyard");
        QVERIFY(design);
        QCOMPARE(designText(**design), text);
        const std::string csv = csvOf(bomTable(instantMetrics(*elaborate(*design)).bill));
        QVERIFY2(csv.find("MQM9700-NS2F") != std::string::npos, csv.c_str());
    }
    // The row of the total says what is not in it, and the counts are those of the lines.
    void totalsNameWhatTheyLeaveOut() {
        const auto fabric = test::fabricOf("superpod-h100", {{"servers", "31"}});
        Bill bill = instantMetrics(*fabric).bill;
        const Table table = bomTable(bill);
        QVERIFY2(table.sumsLabel.find("excludes 504 cables and 31 servers without a price") != std::string::npos, table.sumsLabel.c_str());
        QVERIFY2(table.sumsLabel.starts_with("Total, priced items only; excludes"), table.sumsLabel.c_str());
        const Metrics m = metricsOf(*fabric);
        std::string names;
        for (const auto& row : summaryTable(m, bill, table).rows) names += std::get<std::string>(row[0]) + "\n";
        QVERIFY2(names.find("Total cost, lines with a price\n") != std::string::npos, names.c_str());
        QVERIFY2(names.find("Items without a price, category server\n") != std::string::npos, names.c_str());
        for (BillLine& line : bill.lines) line.base = line.low = line.high = Money::dollars(1), line.typical = Watts(1);
        QCOMPARE(bomTable(bill).sumsLabel, std::string("Total"));
        addSpares(bill, test::shippedRates(), 0.95);
        QCOMPARE(bomTable(bill).sumsLabel, std::string("Total with spares (low and high without them)"));
        names.clear();
        for (const auto& row : summaryTable(m, bill, bomTable(bill)).rows) names += std::get<std::string>(row[0]) + "\n";
        QVERIFY2(names.find("Spares, not in the total above\n") != std::string::npos &&
                     names.find("Total cost with spares\n") != std::string::npos,
                 names.c_str());
    }
    void unitsAndPortsAreNumbers() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}, {"racks", "auto"}});
        const Table table = cableTable(*fabric, cablingOf(*fabric));
        for (std::size_t c = 0; c < table.columns.size(); ++c) {
            const std::string& name = table.columns[c].name;
            if (name == "A-U" || name == "Z-U" || name == "A-Port" || name == "Z-Port")
                for (const auto& row : table.rows) QVERIFY2(std::get_if<double>(&row[c]), name.c_str());
        }
        // A lane is a name: 2.10 is not 2.1.
        const auto split = test::fabricOf("aipod", {{"servers", "64"}});
        const Table lanes = cableTable(*split, cablingOf(*split));
        bool isName = false;
        for (const auto& row : lanes.rows) isName = isName || std::get_if<std::string>(&row[13]);
        QVERIFY(isName);
    }
    void pricesAreCited() {
        const Table table = bomTable(instantMetrics(*test::fabricOf("superpod-h100")).bill);
        std::size_t column = 0;
        while (table.columns[column].name != "Price source and date") ++column;
        for (const auto& row : table.rows) {
            const std::string& source = std::get<std::string>(row[column]);
            QVERIFY2(source == "no published price" || source.find(". Confidence: ") != std::string::npos, source.c_str());
        }
    }
    void oneRowACable() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "31"}, {"manager_ports", "4"}});
        const Table table = cableTable(*fabric, cablingOf(*fabric));
        QCOMPARE(table.rows.size(), std::size_t{252 + 256});
        QCOMPARE(table.columns.size(), std::size_t{24});
        std::set<std::string> ids;
        for (const auto& row : table.rows) QVERIFY(ids.insert(std::get<std::string>(row[0])).second);
        QVERIFY(!checkLabelTemplate("{a.node} {colour}"));
    }
    // One row a device, rack by rack, from the top; and the schedule says the same of both ends of every cable.
    void racksOfTheWorkbook() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}, {"racks", "auto"}});
        const Cabling cabling = cablingOf(*fabric);
        const Table racks = racksTable(*fabric, cabling.floor);
        QCOMPARE(racks.rows.size(), std::size_t{32 + 8 + 4});
        QCOMPARE(std::get<std::string>(racks.rows[0][0]), std::string("A01"));
        QCOMPARE(std::get<double>(racks.rows[0][5]), 25.0); // the highest of four servers of eight units
        std::map<std::string, std::string> placeOf;
        for (const auto& row : racks.rows)
            placeOf[std::get<std::string>(row[7])] =
                std::get<std::string>(row[0]) + " " + std::to_string(static_cast<int>(std::get<double>(row[5])));
        for (const auto& row : cableTable(*fabric, cabling).rows)
            for (const std::size_t end : {std::size_t{3}, std::size_t{9}}) {
                std::string node = std::get<std::string>(row[end + 2]);
                const std::string unit = std::to_string(static_cast<int>(std::get<double>(row[end + 1])));
                if (const auto nic = node.find("/nic["); nic != std::string::npos) node.resize(nic);
                QCOMPARE(std::get<std::string>(row[end]) + " " + unit, placeOf.at(node));
            }
    }
    void flatFabricHoldsEverything() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const std::string devices = devicesCsv(*fabric, {}), links = linksCsv(*fabric, cablingOf(*fabric));
        QCOMPARE(static_cast<std::size_t>(std::count(devices.begin(), devices.end(), '\n')), fabric->devices.size() + 1);
        QCOMPARE(static_cast<std::size_t>(std::count(links.begin(), links.end(), '\n')), fabric->links.size() + 1);
        QVERIFY(links.find("su[1]/srv[1]/gpu[1],hb1,su[1]/srv[1]/hb-switch[1],hb1,hb,900,,,,\r\n") != std::string::npos);
    }
    void comparisonsAreAgainstTheFirst() {
        const std::vector<Json> both{toJson(metrics("superpod-h100", "512")), toJson(metrics("rail-only", "512"))};
        const Json delta = compareJson(both)["delta"][0];
        QCOMPARE(delta["counts.switches"]["absolute"].get<double>(), -128.0);
        QCOMPARE(delta["counts.switches"]["relative_fraction"].get<double>(), -0.4);
        QCOMPARE(delta["counts.switches_by_tier.superspine"]["absolute"].get<double>(), -64.0);
        QVERIFY(delta["ratios.oversubscription_by_tier.spine"]["relative_fraction"].is_null() ||
                delta["ratios.oversubscription_by_tier.spine"]["relative_fraction"].is_number());
        QVERIFY(std::abs(delta["collectives.all-to-all@256MiB.time_s"]["relative_fraction"].get<double>() - 0.0974) < 1e-4);
        // People read words and units, programs read keys.
        const std::string words = markdownOf(comparisonTable(both));
        QVERIFY2(words.find("| Switches | Switches |  | 320 | 192 | −128 | −40.0 % |") != std::string::npos, words.c_str());
        QVERIFY(words.find("| Cost | Network cost (switches, cables and modules) | USD |") != std::string::npos);
        QVERIFY(words.find("All-to-all of 256 MiB, time | ms |") != std::string::npos);
        QVERIFY(csvOf(compareTable(both)).find("counts.switches,320,192,-128,-40\r\n") != std::string::npos);
    }
    void comparisonsHaveNoKeys() {
        for (const char* recipe : {"superpod-h100", "aipod", "superpod-b300"}) {
            const Table table = comparisonTable({toJson(metrics(recipe, "128")), toJson(metrics("rail-only", "128"))});
            std::set<std::string> titles;
            for (const auto& row : table.rows) {
                const std::string &section = std::get<std::string>(row[0]), &title = std::get<std::string>(row[1]);
                QVERIFY2(title.find('_') == std::string::npos && title.find('@') == std::string::npos, title.c_str());
                QVERIFY2(section != "Other", title.c_str());
                QVERIFY2(titles.insert(title).second, title.c_str());
            }
        }
        const auto unknown = wordsOf("new_group.some_value_w");
        QVERIFY(unknown && unknown->title == "New group, some value" && unknown->unit == "W");
        QVERIFY(!wordsOf("collectives.all-reduce@1GiB.size_bytes"));
    }
    // A total without its servers is no cheaper than one with them: the two are not compared.
    void totalsOfDifferentPartsAreNotCompared() {
        std::vector<Metrics> both{metrics("superpod-h100", "8"), metrics("superpod-h100", "16")};
        const auto compared = [&] { return compareJson({toJson(both[0]), toJson(both[1])})["delta"][0]; };
        for (Metrics& each : both)
            for (BillLine& line : each.instant.bill.lines) line.base = line.low = line.high = Money::dollars(1);
        QVERIFY(compared()["cost.total_usd"]["absolute"].is_number());
        for (BillLine& line : both[1].instant.bill.lines)
            if (line.category == BillCategory::Server) line.base = line.low = line.high = {};
        const Json delta = compared();
        for (const char* key : {"cost.total_usd", "cost.low_usd", "cost.high_usd", "cost.by_category_usd.server"})
            QVERIFY2(delta[key]["absolute"].is_null() && delta[key]["relative_fraction"].is_null(), key);
        for (const char* key : {"cost.network_usd", "cost.by_category_usd.switch", "counts.switches"})
            QVERIFY2(delta[key]["absolute"].is_number(), key);
        // A total of all networks leaves out unpriced switches of storage, that of the compute network does not contain them.
        BillLine unpriced;
        unpriced.category = BillCategory::Storage;
        unpriced.quantity = 1;
        both[1].instant.bill.lines.push_back(unpriced);
        const Json networks = compared();
        QVERIFY(networks["cost.all_networks_usd"]["absolute"].is_null());
        QVERIFY(networks["cost.network_usd"]["absolute"].is_number());
        both[1].instant.bill.lines.pop_back();
        QVERIFY(differenceOf(both[0].instant.bill, both[1].instant.bill, &Bill::network));
        QVERIFY(!differenceOf(both[0].instant.bill, both[1].instant.bill, &Bill::total));
        const Table words = comparisonTable({toJson(both[0]), toJson(both[1])});
        for (const auto& row : words.rows)
            if (std::get<std::string>(row[1]) == "Total cost (priced lines)") {
                QCOMPARE(std::get<std::string>(row[5]), std::string("–"));
                QCOMPARE(std::get<std::string>(row[6]), std::string("–"));
            }
        const std::string csv = csvOf(compareTable({toJson(both[0]), toJson(both[1])}));
        const std::size_t line = csv.find("\ncost.total_usd,") + 1;
        QVERIFY2(csv.substr(line, csv.find('\r', line) - line).ends_with(",,"), csv.substr(line, 100).c_str());
    }
    void labelsAreInTheSchedule() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "32"}, {"racks", "auto"}});
        const auto edit = labelElements(*design, {{"su[1]/srv[1]", "dgx-001"}, {"su[1]/leaf[2]", "Sue"}});
        QVERIFY(edit);
        const FabricPointer fabric = elaborate(edit->design);
        const Cabling cabling = cablingOf(*fabric);
        std::set<std::string> nodes, racked;
        const Table cables = cableTable(*fabric, cabling);
        for (const auto& row : cables.rows)
            for (const char* column : {"A-Node", "Z-Node"}) nodes.insert(std::get<std::string>(row[cables.columnOf(column)]));
        for (const char* name : {"dgx-001/nic[1]", "dgx-001/nic[8]", "Sue", "su[1]/leaf[1]"}) QVERIFY2(nodes.contains(name), name);
        QVERIFY(!nodes.contains("su[1]/leaf[2]") && !nodes.contains("su[1]/srv[1]/nic[1]"));
        const Table racks = racksTable(*fabric, cabling.floor);
        for (const auto& row : racks.rows) racked.insert(std::get<std::string>(row[racks.columnOf("Device")]));
        QVERIFY(racked.contains("dgx-001") && racked.contains("Sue") && racked.contains("su[1]/srv[2]"));
        // Programs keep paths.
        QVERIFY(devicesCsv(*fabric, cabling.floor).find("Sue") == std::string::npos);
    }
    void atOneThousandNothingIsSaved() {
        const Json delta = compareJson({toJson(metrics("superpod-h100", "128")), toJson(metrics("rail-only", "128"))})["delta"][0];
        QCOMPARE(delta["counts.switches"]["absolute"].get<double>(), 0.0);
        QCOMPARE(delta["cost.network_usd"]["absolute"].get<double>(), 0.0);
    }
};

QTEST_GUILESS_MAIN(tst_deliverables)
#include "tst_deliverables.moc"
