#include "core/base/file.h"
#include "core/base/zip_file.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"
#include "widgets/export/picture_table.h"
#include "widgets/export/slide.h"
#include "widgets/export/slide_deck.h"

#include <QElapsedTimer>
#include <QImage>
#include <QPainter>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <map>
#include <set>

using namespace railyard;

namespace {

using Parts = std::map<std::string, std::string>;

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    bool holds(double px, double py) const {
        constexpr double reach = 12700; // a point
        return px >= x - reach && px <= x + width + reach && py >= y - reach && py <= y + height + reach;
    }
};
struct Connector {
    QString from, to;
    Box box;
    bool flipH = false, flipV = false;
};
struct Page {
    std::map<QString, Box> shapes; // by ID
    std::vector<Connector> connectors;
    QStringList texts;
    int tables = 0, charts = 0;
    bool hasUniqueIds = true;
};

Page pageOf(const std::string& xml) {
    Page page;
    QXmlStreamReader reader(QByteArray::fromStdString(xml));
    std::set<QString> ids;
    QString id;
    Connector* line = nullptr;
    while (!reader.atEnd()) {
        if (reader.readNext() != QXmlStreamReader::StartElement) continue;
        const auto attribute = [&](const char* name) { return reader.attributes().value(QLatin1String(name)).toString(); };
        const QString name = reader.name().toString();
        if (name == QStringLiteral("cNvPr")) {
            id = attribute("id");
            page.hasUniqueIds = page.hasUniqueIds && ids.insert(id).second;
        } else if (name == QStringLiteral("cxnSp")) {
            page.connectors.emplace_back();
            line = &page.connectors.back();
        } else if (name == QStringLiteral("sp") || name == QStringLiteral("graphicFrame")) {
            line = nullptr;
        } else if (name == QStringLiteral("stCxn")) {
            line->from = attribute("id");
        } else if (name == QStringLiteral("endCxn")) {
            line->to = attribute("id");
        } else if (name == QStringLiteral("xfrm")) {
            if (line) line->flipH = attribute("flipH") == QStringLiteral("1"), line->flipV = attribute("flipV") == QStringLiteral("1");
        } else if (name == QStringLiteral("off")) {
            Box& box = line ? line->box : page.shapes[id];
            box.x = attribute("x").toDouble(), box.y = attribute("y").toDouble();
        } else if (name == QStringLiteral("ext") && !attribute("cx").isEmpty()) {
            Box& box = line ? line->box : page.shapes[id];
            box.width = attribute("cx").toDouble(), box.height = attribute("cy").toDouble();
        } else if (name == QStringLiteral("tbl")) {
            ++page.tables;
        } else if (name == QStringLiteral("chart")) {
            ++page.charts;
        } else if (name == QStringLiteral("t")) {
            page.texts << reader.readElementText();
        }
    }
    if (reader.hasError()) throw std::runtime_error(reader.errorString().toStdString());
    return page;
}

std::string deckOf(const Fabric& fabric, const SlideOptions& options = {}) {
    QTemporaryDir folder;
    PictureOptions picture;
    picture.slide = options;
    const QString path = folder.filePath(QStringLiteral("a.pptx"));
    const Status written = writeSlideDeck(fabric, path, picture);
    if (!written) throw std::runtime_error(written.error().text);
    return *readFile(path.toStdString());
}

Parts partsOf(const std::string& bytes) {
    const auto entries = entriesOf(bytes, 1 << 28);
    if (!entries) throw std::runtime_error(entries.error().text);
    if (entries->front().first != "[Content_Types].xml") throw std::runtime_error("the types are not first");
    return {entries->begin(), entries->end()};
}

} // namespace

class tst_slide : public QObject {
    Q_OBJECT

private slots:
    void designs_data() {
        QTest::addColumn<QByteArray>("recipe");
        QTest::addColumn<QByteArray>("size");
        for (const auto& [recipe, size] : {std::pair("superpod-h100", "servers=512"),
                                           {"rail-only", "servers=128"},
                                           {"superpod-gb200", "servers=144"},
                                           {"fat-tree", "servers=64"},
                                           {"aipod", "servers=256"},
                                           {"superpod-b300", "servers=70"},
                                           {"superpod-h100", "servers=2048"},
                                           {"rail-optimized", "servers=1"},
                                           {"hpn-pod", "servers=256"}})
            QTest::addRow("%s %s", recipe, size) << QByteArray(recipe) << QByteArray(size);
    }
    void designs() {
        QFETCH(QByteArray, recipe);
        QFETCH(QByteArray, size);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), {{"servers", size.mid(8).toStdString()}});
        const std::string bytes = deckOf(*fabric);
        QVERIFY(bytes == deckOf(*fabric)); // same input, same bytes
        const Parts parts = partsOf(bytes);
        // Every relationship leads to a part, and every part has a type.
        const std::string& types = parts.at("[Content_Types].xml");
        for (const auto& [name, content] : parts) {
            if (name.ends_with(".xml") && name != "[Content_Types].xml")
                QVERIFY2(types.find("\"/" + name + "\"") != std::string::npos, name.c_str());
            if (!name.ends_with(".rels")) continue;
            const std::string folder = name.substr(0, name.find("_rels/"));
            QXmlStreamReader reader(QByteArray::fromStdString(content));
            while (!reader.atEnd()) {
                if (reader.readNext() != QXmlStreamReader::StartElement) continue;
                const std::string target = reader.attributes().value(QLatin1String("Target")).toString().toStdString();
                if (target.empty()) continue;
                const std::string path = target.starts_with("../") ? "ppt/" + target.substr(3) : folder + target;
                QVERIFY2(parts.contains(path), (name + ": " + path).c_str());
            }
        }
        const Page page = pageOf(parts.at("ppt/slides/slide1.xml"));
        QVERIFY(page.hasUniqueIds);
        QVERIFY2(page.shapes.size() + page.connectors.size() <= 400, QByteArray::number(qulonglong(page.shapes.size())).constData());
        for (const Connector& line : page.connectors) { // both ends on their shapes, which they follow
            QVERIFY(page.shapes.contains(line.from) && page.shapes.contains(line.to) && line.from != line.to);
            const double x1 = line.box.x + (line.flipH ? line.box.width : 0), x2 = line.box.x + (line.flipH ? 0 : line.box.width);
            const double y1 = line.box.y + (line.flipV ? line.box.height : 0), y2 = line.box.y + (line.flipV ? 0 : line.box.height);
            QVERIFY(page.shapes.at(line.from).holds(x1, y1) && page.shapes.at(line.to).holds(x2, y2));
        }
        for (const auto& [id, box] : page.shapes)
            QVERIFY(box.x >= 0 && box.y >= 0 && box.x + box.width <= 12192000 && box.y + box.height <= 6858000);
        if (fabric->design->recipe->name != "fat-tree" && size != "servers=1") {
            const Page second = pageOf(parts.at("ppt/slides/slide2.xml"));
            QVERIFY(second.tables == 1 && second.charts == 1);
        }
    }
    // What the slide says are the numbers of the design.
    void saysWhatTheDesignIs() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "512"}});
        const Metrics metrics = metricsOf(*fabric);
        const SlideContent content = slideContentOf(*fabric, {});
        QVERIFY2(content.title.find("4,096 GPUs") != std::string::npos && content.title.find("rail-only saves") != std::string::npos,
                 content.title.c_str());
        QCOMPARE(content.figures.size(), std::size_t{6});
        QCOMPARE(content.figures[1].value, std::string("320"));
        QCOMPARE(content.tiers.size(), std::size_t{3});
        for (const TierFacts& tier : content.tiers) {
            QCOMPARE(tier.ports, 64);
            QCOMPARE(tier.fewestUsed, 64);
            QCOMPARE(tier.switches, metrics.instant.counts.switchesByTier[static_cast<std::size_t>(tier.tier)]);
        }
        QCOMPARE(content.rows.size(), std::size_t{2});
        QCOMPARE(content.rows[1].cells[0].value, std::string("192"));
        QVERIFY(content.rows[1].cells[0].isBetter && std::abs(*content.rows[1].cells[0].share - 0.6) < 1e-9);
        const SlideContent plain = slideContentOf(*fabric, {{}, {}, {}, {}, false});
        QVERIFY(plain.figures.size() == 5 && plain.title.find('$') == std::string::npos && plain.basis.find("price") == std::string::npos);
        for (const SlideRow& row : plain.rows)
            for (const SlideCell& cell : row.cells) QVERIFY(cell.value.find('$') == std::string::npos);
    }
    // A slide of failures states nothing that could be compared with the design alone.
    void failuresStateNothing() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const auto removal = removalOf(*fabric, {.selectors = {"su[1]/leaf[1]"}});
        const SlideContent content = slideContentOf(*without(fabric, removal->devices, removal->links), {});
        QVERIFY(content.stated.figures.empty() && content.figures.front().key.empty() && content.figures.size() == 6);
    }
    void tiersEndAboveTheComparison() {
        for (const std::size_t tiers : {1, 2, 3, 4})
            for (const double top : {590.0, 630.0}) {
                SlideContent content;
                content.tiers.resize(tiers);
                const TierLines lines = tierLines(content, top);
                const double last = top + static_cast<double>(tiers - 1) * lines.pitch;
                QVERIFY(last + (lines.hasPorts ? 57 : 30) <= 804);
                QVERIFY(lines.pitch >= (lines.hasPorts ? 57 : 30));
            }
    }
    void fatTreesAreCalledSo() {
        const SlideContent content = slideContentOf(*test::fabricOf("fat-tree", {{"gpus", "512"}}), {});
        QCOMPARE(content.rows.front().name, std::string("Fat tree"));
        QCOMPARE(content.rails, 0);
        QCOMPARE(tierTitle(content.tiers.front()), std::string("Spine: 8 × Quantum-2 QM9700"));
    }
    void unevenPortsAreSaid() {
        const auto tiers = tierFactsOf(*test::fabricOf("rail-optimized", {{"servers", "33"}}));
        QCOMPARE(tiers.back().tier, SwitchTier::Leaf);
        QVERIFY(tiers.back().fewestUsed < tiers.back().mostUsed);
        QVERIFY2(tiers.back().portsText().find(" to 64 of 64 ports") != std::string::npos, tiers.back().portsText().c_str());
    }
    void hostileNames() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        design.name = "<a:t>&\"'\x01 ]]> \xff\xfe name";
        const auto fabric = elaborate(std::make_shared<const Design>(design));
        const Parts parts = partsOf(deckOf(*fabric, {"<b>", "&amp;", "\"2026\"", "\a", true}));
        for (const auto& [name, content] : parts)
            if (name.ends_with(".xml") || name.ends_with(".rels")) pageOf(content); // throws where it is not well-formed
    }
    void isDrawnInEveryFormat() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        PictureOptions options;
        options.size = QSize(1920, 1080);
        const auto [picture, argument] = pictureNamed("slide");
        QVERIFY(picture && picture->showsPrices);
        for (const char* name : {"a.png", "a.svg", "a.pdf", "a.pptx"})
            QVERIFY2(picture->draw(fabric, argument, folder.filePath(QLatin1String(name)), options), name);
        const QImage image(folder.filePath(QStringLiteral("a.png")));
        QCOMPARE(image.size(), QSize(1920, 1080));
        QVERIFY(!picture->draw(fabric, argument, folder.filePath(QStringLiteral("a.gif")), options));
        QVERIFY(!picture->draw(fabric, argument, folder.filePath(QStringLiteral("no/such/a.pptx")), options));
        // A drawing as shapes has no prices.
        QVERIFY(pictureNamed("topology").first->draw(fabric, {}, folder.filePath(QStringLiteral("t.pptx")), options));
        for (const auto& [name, content] : partsOf(*readFile(folder.filePath(QStringLiteral("t.pptx")).toStdString())))
            QVERIFY2(content.find('$') == std::string::npos || !name.starts_with("ppt/slides/"), name.c_str());
    }
    void damagedArchivesAreRefused() {
        const std::string bytes = deckOf(*test::fabricOf("superpod-h100", {{"servers", "64"}}));
        QVERIFY(!entriesOf("", 1000) && !entriesOf("PK\x03\x04", 1000) && !entriesOf(bytes.substr(0, bytes.size() / 2), 1 << 28));
        QVERIFY(!entriesOf(bytes, 1000)); // larger than allowed
        std::string changed = bytes;
        changed[bytes.size() / 3] = static_cast<char>(changed[bytes.size() / 3] ^ 0x55);
        const auto entries = entriesOf(changed, 1 << 28);
        QVERIFY(!entries || ZipEntries(*entries) != *entriesOf(bytes, 1 << 28) || changed != bytes);
    }
};

QTEST_MAIN(tst_slide)
#include "tst_slide.moc"
