#include "core/base/file.h"
#include "core/base/zip_file.h"
#include "core/design/edits/edit_elements.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/design_json.h"
#include "core/io/presentation/offer.h"
#include "core/io/presentation/slide_content.h"
#include "core/io/tables/bom_workbook.h"
#include "core/io/verification/verification.h"
#include "tests/support/designs.h"
#include "widgets/export/picture_table.h"
#include "widgets/export/report.h"
#include "widgets/export/report_layout.h"
#include "widgets/export/slide.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <cctype>
#include <set>

using namespace railyard;

namespace {

std::string bytesAt(const QString& path) { return *readFile(path.toStdString()); }

// The words of a PDF, by a program that is not ours; empty where there is none.
QString wordsOf(const QString& pdf) {
    const QString program = QStandardPaths::findExecutable(QStringLiteral("pdftotext"));
    if (program.isEmpty()) return {};
    QProcess process;
    process.start(program, {QStringLiteral("-layout"), pdf, QStringLiteral("-")});
    process.waitForFinished();
    return QString::fromUtf8(process.readAllStandardOutput());
}

PictureOptions printed() {
    PictureOptions options;
    options.tokens = printTokens();
    return options;
}

} // namespace

class tst_report : public QObject {
    Q_OBJECT

private slots:
    void designs_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("servers");
        QTest::addColumn<bool>("hasRacks");
        QTest::newRow("two tiers") << "superpod-h100"
                                   << "31" << false;
        QTest::newRow("racks") << "superpod-gb200"
                               << "36" << true;
        QTest::newRow("unknown power") << "aipod"
                                       << "128" << false;
        QTest::newRow("no twin") << "fat-tree"
                                 << "24" << true;
    }
    // The offer holds its sections, and every figure that it states follows from its design.
    void designs() {
        QFETCH(QString, recipe);
        QFETCH(QString, servers);
        QFETCH(bool, hasRacks);
        test::Parameters settings{{"servers", servers.toStdString()}};
        if (hasRacks) settings["racks"] = "auto";
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), settings);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("offer.pdf"));
        const auto files = drawReport(fabric, path, printed());
        QVERIFY2(files, files ? "" : files.error().text.c_str());
        const std::string bytes = bytesAt(path);
        QVERIFY(drawReport(fabric, path, printed()) && bytesAt(path) == bytes); // same input, same bytes
        const auto design = loadDesignFile(path.toStdString());
        QVERIFY(design && design->isCarried);
        const Metrics metrics = metricsOf(*fabric);
        const auto found = verifyFigures(bytes, "offer.pdf", {fabric, metrics});
        QVERIFY2(found, found ? "" : found.error().text.c_str());
        QVERIFY2(found->stale.empty(), found->stale.empty() ? "" : found->stale.front().key.c_str());
        QVERIFY(found->figures > 40);
        QCOMPARE(found->fingerprint, metrics.fingerprint);
        const QString words = wordsOf(path);
        if (words.isEmpty()) return;
        for (const char* title : {"Summary", "Bill of materials", "Power and cooling", "Floor and racks", "Failures", "Training",
                                  "Assumptions and sources", "counts.gpus", "Not included"})
            QVERIFY2(words.contains(QLatin1String(title)), title);
        QVERIFY(words.contains(QString::fromStdString(metrics.fingerprint).left(12)));
        QCOMPARE(words.contains(QStringLiteral("No racks are placed")), !hasRacks);
    }
    // Nothing of prices in a copy for the customer: not in its words, nor in what it carries.
    void customersSeeNoPrice() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}, {"racks", "auto"}, {"storage", "on"}});
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("customer.pdf"));
        PictureOptions options = printed();
        options.slide.showsPrices = false;
        QVERIFY(drawReport(fabric, path, options));
        const std::string bytes = bytesAt(path);
        QVERIFY(!*carriedText(CarriedText::Design, bytes, "x"));
        const auto figures = carriedText(CarriedText::Figures, bytes, "x");
        QVERIFY(figures && *figures);
        for (const char* word : {"usd", "cost", "price"}) QVERIFY2((**figures).find(word) == std::string::npos, word);
        const QString words = wordsOf(path).toLower();
        for (const char* word : {"usd", "price", "cost", "discount", "$", "reseller"})
            QVERIFY2(!words.contains(QLatin1String(word)), qPrintable(words.mid(words.indexOf(QLatin1String(word)) - 60, 120)));
        const auto found = verifyFigures(bytes, "x", {fabric, metricsOf(*fabric)});
        QVERIFY(found && found->stale.empty());
    }
    void comparesWithAnyDesign() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        Design other = *test::designOf("superpod-h100", {{"servers", "48"}});
        other.name = "Larger hall";
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.pdf"));
        PictureOptions options = printed();
        options.other = elaborate(std::make_shared<const Design>(other));
        QVERIFY(drawReport(fabric, path, options));
        if (const QString words = wordsOf(path); !words.isEmpty()) QVERIFY(words.contains(QStringLiteral("Larger hall")));
        QVERIFY(!drawReport(fabric, folder.filePath(QStringLiteral("a.png")), options));
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("a.png"))));
    }
    // Nothing to say is said: an empty drawing, one server, GPUs of a maker without published constants.
    void smallAndOddDesigns() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("odd.pdf"));
        for (const DesignPointer& design : {emptyDesign(shippedCatalog()), test::designOf("fat-tree", {{"servers", "1"}}),
                                            test::designOf("rail-optimized", {{"server", "srv-gaudi3-8"}, {"servers", "4"}})}) {
            const auto files = drawReport(elaborate(design), path, printed());
            QVERIFY2(files, files ? "" : files.error().text.c_str());
            const auto found = verifyFigures(bytesAt(path), "x", {elaborate(design), metricsOf(*elaborate(design))});
            QVERIFY2(found, found ? "" : found.error().text.c_str());
            QVERIFY2(found->stale.empty(), found->stale.empty() ? "" : found->stale.front().key.c_str());
        }
    }
    void unitsStayWithTheirNumbers() {
        QCOMPARE(withWholeNumbers(QStringLiteral("costs at least $49.9 k; 66 % more than 4,096 GPUs and 3 Kinds, 5 kW, 2 Tb/s")),
                 QStringLiteral("costs at least $49.9\u00a0k; 66\u00a0% more than 4,096 GPUs and 3 Kinds, 5\u00a0kW, 2\u00a0Tb/s"));
    }
    // No heading stands alone at the end of a page, and every page has something.
    void pagesAreLaidOut() {
        Offer offer;
        for (int s = 0; s < 12; ++s) {
            OfferSection section{"Section " + std::to_string(s), {"<b>A sentence</b> & more."}};
            OfferTable table{{{"Figure", 3}, {"Value", 1, true}}, {}};
            for (int r = 0; r < 3 + s * 4; ++r) table.rows.push_back({"row " + std::to_string(r), std::to_string(r)});
            section.tables.push_back(table);
            offer.sections.push_back(section);
        }
        const ReportLayout layout({QStringLiteral("<i>Title</i>"), QStringLiteral("subtitle"), {}}, offer, printTokens(), {});
        QVERIFY(layout.pages() >= 6);
        for (int page = 0; page < layout.pages(); ++page) {
            QImage image(ReportLayout::page.toSize(), QImage::Format_RGB32);
            QPainter painter(&image);
            layout.paint(painter, page, QStringLiteral("foot"));
            painter.end();
            int inked = 0; // lines with ink, between the margins
            for (int y = 56; y < image.height() - 100; ++y)
                for (int x = 56; x < image.width() - 56; ++x)
                    if (qGray(image.pixel(x, y)) < 128) {
                        ++inked;
                        break;
                    }
            QVERIFY2(inked > 20, qPrintable(QString::number(page)));
        }
    }
    // 16,384 GPUs take 5 s at most.
    void largeDesignsAreQuick() {
        const FabricPointer fabric = test::fabricOf("aipod");
        QTemporaryDir folder;
        QElapsedTimer timer;
        timer.start();
        QVERIFY(drawReport(fabric, folder.filePath(QStringLiteral("large.pdf")), printed()));
        QVERIFY2(timer.elapsed() < 2 * 5000, qPrintable(QString::number(timer.elapsed())));
    }

    // What files state is compared with another design, and what was changed by hand is found.
    void files_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"a.png", "a.svg", "a.pdf", "a.pptx", "a.xlsx", "blocks.xlsx", "customer.xlsx", "euro.xlsx", "offer.pdf"})
            QTest::newRow(name) << QByteArray(name);
    }
    void files() {
        QFETCH(QByteArray, name);
        QTemporaryDir folder;
        const QString path = folder.filePath(QString::fromLatin1(name));
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const Metrics metrics = metricsOf(*fabric);
        if (name.endsWith(".xlsx")) {
            BomOptions options;
            options.byBlock = name.startsWith("blocks");
            options.isCustomer = name.startsWith("customer");
            options.sparesShare = options.byBlock ? std::optional(0.1) : std::nullopt;
            if (name.startsWith("euro")) options.currency = *parseCurrency("EUR=0.9");
            QVERIFY(writeBom(*fabric, metrics, path.toStdString(), options));
        } else if (name == "offer.pdf") {
            QVERIFY(drawReport(fabric, path, printed()));
        } else {
            QVERIFY(drawPicture(*pictureNamed("slide").first, fabric, {}, path, printed()));
        }
        const std::string bytes = bytesAt(path);
        const auto same = verifyFigures(bytes, "x", {fabric, metrics});
        QVERIFY2(same, same ? "" : same.error().text.c_str());
        QVERIFY2(same->stale.empty(), same->stale.empty() ? "" : same->stale.front().key.c_str());
        QVERIFY(same->figures >= 8);
        const OtherDesign other = otherDesign(test::fabricOf("superpod-h100", {{"servers", "65"}}));
        const auto stale = verifyFigures(bytes, "x", {other.fabric, other.metrics});
        QVERIFY(stale && !stale->stale.empty());
        QVERIFY(std::any_of(stale->stale.begin(), stale->stale.end(), [](const StaleFigure& each) { return each.key == "counts.gpus"; }));
        QVERIFY(stale->figures == same->figures || name.endsWith(".xlsx"));
    }
    void whatWasTypedInIsFound() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const Metrics metrics = metricsOf(*fabric);
        const auto changed = [&](const QString& path, const std::string& part, const std::string& from, const std::string& to) {
            ZipEntries entries = *entriesOf(bytesAt(path), 1 << 28);
            bool isThere = false;
            for (auto& [name, content] : entries)
                if (name == part)
                    if (const auto at = content.find(from); at != std::string::npos) content.replace(at, from.size(), to), isThere = true;
            if (!isThere) qFatal("not there");
            return verifyFigures(*zipOf(entries), "x", {fabric, metrics});
        };
        const QString deck = folder.filePath(QStringLiteral("a.pptx")), book = folder.filePath(QStringLiteral("a.xlsx"));
        QVERIFY(drawPicture(*pictureNamed("slide").first, fabric, {}, deck, printed()));
        const auto slide = changed(deck, "ppt/slides/slide1.xml", ">512 GPUs<", ">5,120 GPUs<");
        QVERIFY(slide && slide->stale.size() == 1);
        QCOMPARE(slide->stale.front().key, std::string("counts.gpus"));
        QCOMPARE(slide->stale.front().stated, std::string("5,120 GPUs"));
        QVERIFY(writeBom(*fabric, metrics, book.toStdString()));
        const auto sheet = changed(book, "xl/worksheets/sheet1.xml", "<v>512</v>", "<v>513</v>");
        QVERIFY(sheet && sheet->stale.size() == 1);
        QCOMPARE(sheet->stale.front().key, std::string("counts.gpus"));
        QCOMPARE(sheet->stale.front().stated, std::string("513"));
        // A price typed over no longer follows, and what its formulas show was made of the old one.
        const auto price = changed(book, "xl/worksheets/sheet2.xml", "<v>32870</v>", "<v>30000</v>");
        QVERIFY(price && price->stale.size() == 2);
        QCOMPARE(price->stale[0].key, std::string("bill.sw-qm9700.unit_price"));
        QCOMPARE(price->stale[0].stated, std::string("30,000.00 USD"));
        QCOMPARE(price->stale[1].key, std::string("bill.sw-qm9700.net"));
        // A title in other words with the same numbers is as good; one with another number is not.
        const std::string title = slideContentOf(*fabric, {}).title;
        const auto worded = changed(deck, "ppt/slides/slide1.xml", title, "For 512 GPUs");
        QVERIFY(worded && worded->stale.empty());
        const auto wrong = changed(deck, "ppt/slides/slide1.xml", title, "For 513 GPUs");
        QVERIFY(wrong && wrong->stale.size() == 1 && wrong->stale.front().key == "title");
        // Impress renames the placeholders of titles.
        const auto renamed = changed(deck, "ppt/slides/slide1.xml", "name=\"Title\"", "name=\"PlaceHolder 1\"");
        QVERIFY(renamed && renamed->stale.empty() && renamed->figures == worded->figures);
        const auto cell = changed(deck, "ppt/slides/slide2.xml", ">24<", ">25<");
        QVERIFY(cell && cell->stale.size() == 1 && cell->stale.front().key == "counts.switches");
        const auto tier = changed(deck, "ppt/slides/slide1.xml", "Leaf: 16 ×", "Leaf: 17 ×");
        QVERIFY(tier && tier->stale.size() == 1 && tier->stale.front().key == "tiers.leaf");
    }
    void everyNumberOfAnOfferHasAKey_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<bool>("isCustomer");
        for (const char* recipe : {"superpod-h100", "superpod-gb200", "aipod", "fat-tree", "rail-only"})
            for (const bool isCustomer : {false, true})
                QTest::addRow("%s%s", recipe, isCustomer ? ", customer" : "") << QString::fromLatin1(recipe) << isCustomer;
    }
    void everyNumberOfAnOfferHasAKey() {
        QFETCH(QString, recipe);
        QFETCH(bool, isCustomer);
        test::Parameters settings{{"servers", "72"}, {"racks", "auto"}};
        if (recipe == QStringLiteral("superpod-h100")) settings["storage"] = "on";
        const OtherDesign own = otherDesign(test::fabricOf(recipe.toStdString(), settings));
        const auto twin = twinBeside(*own.fabric->design);
        const Offer offer = offerOf({own.fabric, own.metrics, twin ? &*twin : nullptr, nullptr, isCustomer});
        std::set<std::string> keys, texts;
        for (const StatedFigure& figure : offer.stated.figures) {
            QVERIFY2(keys.insert(figure.key).second, figure.key.c_str());
            texts.insert(figure.text);
        }
        const auto isNumber = [](const std::string& text) {
            return std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        };
        for (const OfferSection& section : offer.sections) {
            for (const auto* sentences : {&section.sentences, &section.notes})
                for (const std::string& sentence : *sentences) QVERIFY2(!isNumber(sentence) || texts.contains(sentence), sentence.c_str());
            for (const OfferTable& table : section.tables) {
                const bool hasKeys = !table.columns.empty() && table.columns.back().name == "Key";
                if (!hasKeys && !table.rows.empty()) QVERIFY2(!table.keys.empty(), section.title.c_str());
                for (const auto& row : table.rows)
                    for (std::size_t c = 0; c < row.size(); ++c) {
                        if (!table.columns[c].isNumber || !isNumber(row[c])) continue;
                        const bool isKnown = texts.contains(row[c]) || (hasKeys && keys.contains(row.back()));
                        QVERIFY2(isKnown, (section.title + ": " + table.columns[c].name + " " + row[c]).c_str());
                    }
            }
        }
        QVERIFY(texts.contains(offer.title) && texts.contains(offer.subtitle));
    }
    // Numbers of the design that an offer compares with are checked where it is given, and said not to be where not.
    void comparedNumbers() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.pdf"));
        const OtherDesign own = otherDesign(test::fabricOf("superpod-h100", {{"servers", "32"}})),
                          beside = otherDesign(test::fabricOf("superpod-h100", {{"servers", "48"}})),
                          wrong = otherDesign(test::fabricOf("superpod-h100", {{"servers", "49"}}));
        PictureOptions options = printed();
        options.other = beside.fabric;
        QVERIFY(drawReport(own.fabric, path, options));
        const std::string bytes = bytesAt(path);
        const auto without = verifyFigures(bytes, "x", {own.fabric, own.metrics}),
                   with = verifyFigures(bytes, "x", {own.fabric, own.metrics, &beside}),
                   other = verifyFigures(bytes, "x", {own.fabric, own.metrics, &wrong});
        QVERIFY(without && without->stale.empty() && without->unchecked > 20);
        QCOMPARE(without->otherFingerprint, beside.metrics.fingerprint);
        QVERIFY(with && with->stale.empty() && with->unchecked == 0);
        QCOMPARE(with->figures, without->figures + without->unchecked);
        QVERIFY(other && std::any_of(other->stale.begin(), other->stale.end(),
                                     [](const StaleFigure& each) { return each.key == "other.counts.gpus"; }));
        for (const StaleFigure& each : other->stale) QVERIFY2(isOfOther(each.key), each.key.c_str());
    }
    // Damaged and hostile files are refused, or read as far as they say something.
    void hostileFiles() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        const Metrics metrics = metricsOf(*fabric);
        const QString book = folder.filePath(QStringLiteral("a.xlsx"));
        QVERIFY(writeBom(*fabric, metrics, book.toStdString()));
        const std::string bytes = bytesAt(book);
        for (std::size_t part = 0; part < 20; ++part)
            QVERIFY(!verifyFigures(bytes.substr(0, bytes.size() * part / 20), "x", {fabric, metrics}));
        QVERIFY(!verifyFigures("", "x", {fabric, metrics}));
        QVERIFY(!verifyFigures("counts.gpus = 5", "x", {fabric, metrics}));
        std::string deep;
        for (int i = 0; i < 100'000; ++i) deep += "<p:sp>";
        for (const std::string& slide : {deep, std::string("<p:sp"), std::string("<a>&#xffffffff;</a>"), std::string()}) {
            const auto found =
                verifyFigures(*zipOf({{"ppt/presentation.xml", ""}, {"ppt/slides/slide1.xml", slide}}), "x", {fabric, metrics});
            QVERIFY(!found);
        }
        const std::string cells =
            "<worksheet><row><c r=\"A1\" t=\"s\"><v>99999999999999999999</v></c><c r=\"ZZZZZZZ1\"><v>1</v></c></row></worksheet>";
        const auto found = verifyFigures(*zipOf({{"xl/workbook.xml", "<workbook><sheet name=\"Summary\" r:id=\"r1\"/></workbook>"},
                                                 {"xl/_rels/workbook.xml.rels", "<R><Relationship Id=\"r1\" Target=\"s.xml\"/></R>"},
                                                 {"xl/s.xml", cells}}),
                                         "x", {fabric, metrics});
        QVERIFY(!found && found.error().text.find("states no figures") != std::string::npos);
    }
};

QTEST_MAIN(tst_report)
#include "tst_report.moc"
