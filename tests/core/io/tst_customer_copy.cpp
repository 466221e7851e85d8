#include "core/base/file.h"
#include "core/base/zip_file.h"
#include "core/io/tables/bom_workbook.h"
#include "tests/support/designs.h"

#include <QTemporaryDir>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

using namespace railyard;

class tst_customer_copy : public QObject {
    Q_OBJECT

private slots:
    // A copy for the customer holds no amount, no source of one, and no word about them, in any format or sheet.
    void customersSeeNoPrice_data() {
        QTest::addColumn<bool>("byBlock");
        QTest::addColumn<bool>("hasSpares");
        QTest::newRow("flat") << false << false;
        QTest::newRow("by block, spares") << true << true;
    }
    void customersSeeNoPrice() {
        QFETCH(bool, byBlock);
        QFETCH(bool, hasSpares);
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}, {"racks", "auto"}, {"storage", "on"}});
        const Metrics metrics = metricsOf(*fabric);
        BomOptions options;
        options.byBlock = byBlock;
        options.isCustomer = true;
        options.currency = *parseCurrency("EUR=0.5");
        options.discounts = *parseDiscounts("switch=37%"); // what the last inside copy had
        options.margin = 0.123;
        if (hasSpares) options.sparesShare = 0.05;
        std::set<std::string> amounts; // of the inside copy, as they are written there
        for (const BillLine& line : metrics.instant.bill.lines)
            if (line.base && line.base->inDollars() >= 100)
                for (const double factor : {1.0, 0.5}) amounts.insert(std::to_string(std::llround(line.base->inDollars() * factor)));
        QVERIFY(amounts.size() > 4);
        for (const char* name : {"a.csv", "a.md", "a.json", "a.xlsx"}) {
            const std::string path = folder.filePath(QLatin1String(name)).toStdString();
            QVERIFY(writeBom(*fabric, metrics, path, options));
            ZipEntries parts{{name, *readFile(path)}};
            if (path.ends_with(".xlsx")) parts = *entriesOf(parts.front().second, 1 << 28);
            for (const auto& [part, content] : parts) {
                std::string lower = content;
                std::transform(lower.begin(), lower.end(), lower.begin(),
                               [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
                if (part.find("theme") != std::string::npos || part.find("styles") != std::string::npos) continue; // formats of numbers
                for (const char* word : {"price", "usd", "eur", "cost", "discount", "reseller", "per dollar", "/kwh"}) {
                    const std::size_t at = lower.find(word);
                    const std::string around = at == std::string::npos ? std::string() : lower.substr(at > 60 ? at - 60 : 0, 140);
                    QVERIFY2(at == std::string::npos, (part + ": " + word + ": " + around).c_str());
                }
                for (const std::string& amount : amounts) {
                    const std::size_t at = content.find(amount);
                    const bool isAlone =
                        at != std::string::npos && (at == 0 || !std::isdigit(static_cast<unsigned char>(content[at - 1]))) &&
                        (at + amount.size() >= content.size() || !std::isdigit(static_cast<unsigned char>(content[at + amount.size()])));
                    QVERIFY2(!isAlone || amount.size() < 5, (part + ": " + amount).c_str());
                }
            }
        }
        // The quantities are the same.
        const auto quantities = [&](bool isCustomer) {
            options.isCustomer = isCustomer;
            std::vector<std::int64_t> all;
            const Json bill = *bomJson(*fabric, metrics, options);
            for (const Json& line : bill["lines"]) all.push_back(line["quantity"].get<std::int64_t>());
            return all;
        };
        QVERIFY(quantities(true) == quantities(false));
    }
};

QTEST_GUILESS_MAIN(tst_customer_copy)
#include "tst_customer_copy.moc"
