#include "core/bill/part_number.h"
#include "core/io/document/design_json.h"
#include "core/io/formats/drawn_fabric.h"
#include "core/io/formats/flat_csv.h"
#include "core/io/formats/format.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/fabric_csv.h"
#include "core/json/json_text.h"
#include "tests/support/designs.h"
#include "tests/support/random_edits.h"

#include <QTemporaryDir>
#include <fmt/format.h>
#include <set>

using namespace railyard;

namespace {

std::string textOf(const Fabric& fabric, bool isDevices) {
    const Cabling cabling = cablingOf(fabric);
    return isDevices ? devicesCsv(fabric, cabling.floor) : linksCsv(fabric, cabling);
}

// The columns that an import keeps, of every row, sorted: racks, lengths and numbers of cables are derived.
std::set<std::string> rowsOf(const std::string& csv, std::set<int> left) {
    std::set<std::string> rows;
    for (std::size_t from = 0; from < csv.size();) {
        const std::size_t end = std::min(csv.find('\n', from), csv.size());
        std::string row;
        int column = 0;
        for (const char c : csv.substr(from, end - from)) {
            if (c == ',') ++column;
            if (!left.contains(column)) row += c;
        }
        rows.insert(row);
        from = end + 1;
    }
    return rows;
}

Result<DrawnFabric> again(const Fabric& fabric) {
    const auto flat = readFlatCsv(textOf(fabric, true), "devices.csv", textOf(fabric, false), "links.csv");
    if (!flat) return flat.errors();
    return drawnFabric(*flat, shippedCatalog());
}

Result<FlatFabric> readText(const std::string& devices, const std::string& links) { return readFlatCsv(devices, "d.csv", links, "l.csv"); }

const std::string header = "path,kind,tier,rail,plane,su,hb_domain,server,part\n",
                  linkHeader = "a_device,a_port,b_device,b_port,tier,speed_gbps\n";

} // namespace

class tst_formats : public QObject {
    Q_OBJECT

private slots:
    void aFabricComesBack_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QStringList>("settings");
        const auto row = [](const char* name, const char* recipe, QStringList settings) {
            QTest::newRow(name) << QString::fromUtf8(recipe) << settings;
        };
        const auto s = [](const char* text) { return QString::fromUtf8(text).split(QLatin1Char(' '), Qt::SkipEmptyParts); };
        row("two tiers, partial", "superpod-h100", s("servers=45"));
        row("one tier", "rail-optimized", s("servers=3"));
        row("three tiers", "rail-optimized", s("servers=520"));
        row("managers", "superpod-h100", s("servers=20 manager_ports=2"));
        row("two planes, split ports", "superpod-b300", s("servers=70"));
        row("dual-ToR, faster uplinks", "hpn-pod", s("servers=140"));
        row("rail-only", "rail-only", s("servers=130"));
        row("HB domains of servers", "rail-only", s("servers=64 hb_domain_gpus=64"));
        row("two HB levels", "superpod-h100-nvlink", s("servers=64"));
        row("spines per rail", "aipod", s("servers=130"));
        row("fat tree", "fat-tree", s("servers=20"));
        row("oversubscribed", "rail-optimized", s("servers=50 oversubscription=3:1"));
        row("mesh", "rail-optimized", s("servers=4 server=srv-mi300x-8 switch=sw-th5-64x800"));
    }
    void aFabricComesBack() {
        QFETCH(QString, recipe);
        QFETCH(QStringList, settings);
        test::Parameters parameters;
        for (const QString& each : settings)
            parameters[each.section(QLatin1Char('='), 0, 0).toStdString()] = each.section(QLatin1Char('='), 1).toStdString();
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), parameters);
        const auto drawn = again(*fabric);
        QVERIFY(drawn);
        QVERIFY2(drawn->losses.empty(), drawn->losses.empty() ? "" : drawn->losses.front().c_str());
        QVERIFY(!drawn->design->recipe);
        const FabricPointer other = elaborate(drawn->design);
        QVERIFY(rowsOf(textOf(*fabric, true), {9, 10, 11, 12}) == rowsOf(textOf(*other, true), {9, 10, 11, 12}));
        QVERIFY(rowsOf(textOf(*fabric, false), {6, 7, 8, 9}) == rowsOf(textOf(*other, false), {6, 7, 8, 9}));
        // Every metric is the same, for none looks at more than devices and links. Without racks.
        Metrics a = metricsOf(*fabric), b = metricsOf(*other);
        a.name = b.name, a.recipe = b.recipe, a.fingerprint = b.fingerprint;
        if (fabric->design->trunk == Trunk::PerLink) QCOMPARE(jsonText(toJson(b)), jsonText(toJson(a)));
        // And the same once more.
        const auto twice = again(*other);
        QVERIFY(twice && twice->losses.empty());
        QCOMPARE(designText(*twice->design), designText(*drawn->design));
    }
    // What people draw and change comes back too, or the losses say what does not.
    void editedFabricsComeBack() {
        test::RandomEdits edits(7);
        FabricPointer now = test::fabricOf("superpod-h100", {{"servers", "6"}, {"su_servers", "3"}});
        for (int i = 0; i < 300; ++i) {
            if (const auto edit = edits.make(edits.anyName(), now)) now = elaborate(edit->design);
            if (now->devices.size() > 4000) now = elaborate(edits.smallAgain(*now->design)->design);
            if (i % 5 != 0) continue;
            const FabricPointer fabric = now;
            const auto drawn = again(*fabric);
            if (!drawn) continue; // two cables on one port
            const FabricPointer other = elaborate(drawn->design);
            const bool isSame = rowsOf(textOf(*fabric, true), {9, 10, 11, 12}) == rowsOf(textOf(*other, true), {9, 10, 11, 12}) &&
                                rowsOf(textOf(*fabric, false), {6, 7, 8, 9}) == rowsOf(textOf(*other, false), {6, 7, 8, 9});
            const bool saysSo = std::any_of(drawn->losses.begin(), drawn->losses.end(),
                                            [](const std::string& loss) { return loss.find("server part") == std::string::npos; });
            QCOMPARE(isSame, !saysSo);
        }
    }
    // A spreadsheet sorts by text: gpu[10] before gpu[2].
    void theOrderOfRowsDoesNotMatter() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "12"}, {"gpus_per_server", "16"}, {"nics_per_server", "16"}});
        {
            const std::string devices = textOf(*fabric, true), links = textOf(*fabric, false);
            const auto sorted = [](const std::string& csv) {
                const std::size_t body = csv.find('\n') + 1;
                std::vector<std::string> rows;
                for (std::size_t from = body; from < csv.size();) {
                    const std::size_t end = csv.find('\n', from);
                    rows.push_back(csv.substr(from, end - from + 1));
                    from = end + 1;
                }
                std::sort(rows.begin(), rows.end());
                std::string text = csv.substr(0, body);
                for (const std::string& row : rows) text += row;
                return text;
            };
            const auto flat = readText(sorted(devices), sorted(links));
            QVERIFY2(flat, flat ? "" : toText(flat.error()).c_str());
            const auto drawn = drawnFabric(*flat, shippedCatalog());
            QVERIFY(drawn);
            QVERIFY2(drawn->losses.empty(), drawn->losses.empty() ? "" : drawn->losses.front().c_str());
            QVERIFY(rowsOf(textOf(*elaborate(drawn->design), false), {6, 7, 8, 9}) == rowsOf(links, {6, 7, 8, 9}));
        }
    }
    void trunksComeBack() {
        for (const char* trunk : {"per-link", "per-cage"}) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "40"}, {"trunk", trunk}});
            const auto drawn = again(*fabric);
            QVERIFY(drawn && drawn->losses.empty());
            QCOMPARE(drawn->design->trunk, fabric->design->trunk);
            QCOMPARE(elaborate(drawn->design)->links.size(), fabric->links.size());
        }
        // Cables that no design has: the loss says so.
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "3"}});
        auto flat = readText(textOf(*fabric, true), textOf(*fabric, false));
        QVERIFY(flat);
        for (FlatLink& link : flat->links)
            if (!link.cable.empty()) link.cable = "one";
        const auto drawn = drawnFabric(*flat, shippedCatalog());
        QVERIFY(drawn && drawn->losses.size() == 1);
        QVERIFY2(drawn->losses.front().find("names 1 cable,") != std::string::npos, drawn->losses.front().c_str());
    }
    // Whatever a file says, the design that is made of it can be read again.
    void whatIsMadeCanBeRead() {
        const std::string other = header + "x[1],switch,leaf,,,,,,sw-of-tomorrow\nx[2],switch,spine,,,,,,sw-qm9700\n";
        const auto flat = readText(other, linkHeader + "x[1],1,x[2],1,leaf-spine,400\n");
        QVERIFY(flat);
        const auto drawn = drawnFabric(*flat, shippedCatalog());
        QVERIFY(drawn && drawn->losses.size() == 1); // the part is named
        QVERIFY(readDesign(designText(*drawn->design), "again"));
        std::string mesh = header, meshLinks = linkHeader; // three of four GPUs, at speeds that no rule has
        for (int i = 1; i <= 4; ++i) mesh += fmt::format("h[1]/gpu[{}],gpu,,,,,h[1],,\n", i);
        meshLinks += "h[1]/gpu[1],hb1,h[1]/gpu[2],hb1,hb,1000000\nh[1]/gpu[2],hb2,h[1]/gpu[3],hb1,hb,1e-300\n";
        const auto odd = readText(mesh, meshLinks);
        QVERIFY(odd);
        if (const auto made = drawnFabric(*odd, shippedCatalog())) QVERIFY(readDesign(designText(*made->design), "again"));
    }
    void everyErrorHasItsPlace_data() {
        QTest::addColumn<QString>("devices");
        QTest::addColumn<QString>("links");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& devices, const std::string& links, const char* said) {
            QTest::newRow(name) << QString::fromStdString(devices) << QString::fromStdString(links) << QString::fromUtf8(said);
        };
        const std::string two = header + "leaf[1],switch,leaf,,,,,,\nspine[1],switch,spine,,,,,,\n";
        row("empty", "", linkHeader, "d.csv: is empty");
        row("no column", "path,kind\n", linkHeader, "d.csv:1:1: has no column \"tier\"");
        row("path", header + "leaf,switch,leaf,,,,,,\n", linkHeader, "d.csv:2:1: \"leaf\" is not a path");
        row("index 0", header + "leaf[0],switch,leaf,,,,,,\n", linkHeader, "d.csv:2:1:");
        row("kind", header + "leaf[1],router,,,,,,,\n", linkHeader, "d.csv:2:2: \"router\" is not a kind of device");
        row("tier", header + "leaf[1],switch,top,,,,,,\n", linkHeader, "d.csv:2:3: \"top\" is not a tier");
        row("tier of a GPU", header + "gpu[1],gpu,leaf,,,,,,\n", linkHeader, "d.csv:2:3: \"leaf\": only switches have a tier");
        row("rail", header + "leaf[1],switch,leaf,x,,,,,\n", linkHeader, "d.csv:2:4: rail is \"x\"");
        row("plane", header + "leaf[1],switch,leaf,,65,,,,\n", linkHeader, "d.csv:2:5: plane is \"65\"");
        row("index", header + "leaf[2000000000],switch,leaf,,,,,,\n", linkHeader, "d.csv:2:1:");
        row("twice, written in two ways", two + "leaf[01],switch,leaf,,,,,,\n", linkHeader,
            "d.csv:4:1: leaf[1] is already defined on line 2");
        row("in a device", two + "leaf[1]/x[1],switch,leaf,,,,,,\n", linkHeader, "d.csv:4:1: leaf[1]/x[1] is inside leaf[1]");
        row("twice", two + "leaf[1],switch,leaf,,,,,,\n", linkHeader, "d.csv:4:1: leaf[1] is already defined on line 2");
        row("deep", header + "leaf[1]" + std::string(20, '/') + ",switch,leaf,,,,,,\n", linkHeader, "d.csv:2:1:");
        row("no device", two, linkHeader + "leaf[2],1,spine[1],1,leaf-spine,400\n", "l.csv:2:1: there is no device \"leaf[2]\" in d.csv");
        row("speed", two, linkHeader + "leaf[1],1,spine[1],1,leaf-spine,fast\n", "l.csv:2:6: \"fast\" is not a speed");
        row("port twice", two, linkHeader + "leaf[1],1,spine[1],1,leaf-spine,400\nleaf[1],1,spine[1],2,leaf-spine,400\n",
            "l.csv:3:2: port 1 of leaf[1] already has a link, on line 2");
        row("itself", two, linkHeader + "leaf[1],1,leaf[1],2,leaf-spine,400\n", "l.csv:2:3: the two ends are the same device");
        row("link tier", two, linkHeader + "leaf[1],1,spine[1],1,up,400\n", "l.csv:2:5: \"up\" is not a tier of links");
    }
    void everyErrorHasItsPlace() {
        QFETCH(QString, devices);
        QFETCH(QString, links);
        QFETCH(QString, said);
        const auto flat = readText(devices.toStdString(), links.toStdString());
        QVERIFY(!flat);
        QVERIFY2(toText(flat.error()).find(said.toStdString()) == 0, toText(flat.error()).c_str());
    }
    void allErrorsOfAFileAreReported() {
        std::string devices = header;
        for (int i = 0; i < 250; ++i) devices += "leaf,switch,leaf,,,,,,\n";
        const auto flat = readText(devices, linkHeader);
        QVERIFY(!flat);
        QCOMPARE(flat.errors().size(), mostErrors);
    }
    // What cannot be drawn is a loss with its line, not a silent change.
    void lossesNameTheirLines() {
        const auto flat = readText(header + "leaf[1],switch,leaf,,,,,,\nspine[1],switch,spine,,,,,,\n",
                                   linkHeader + "leaf[1],swp1,spine[1],1,leaf-spine,400\nleaf[1],2,spine[1],2,leaf-spine,400\n");
        QVERIFY(flat);
        const auto drawn = drawnFabric(*flat, shippedCatalog());
        QVERIFY(drawn);
        QCOMPARE(drawn->losses.size(), std::size_t{1});
        QVERIFY2(drawn->losses.front().find("l.csv:2: the link leaf[1]:swp1 – spine[1]:1 cannot be drawn") == 0,
                 drawn->losses.front().c_str());
        QCOMPARE(countsOf(*elaborate(drawn->design)).links, 1);
    }
    void aServerPartIsFound() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        auto flat = readFlatCsv(textOf(*fabric, true), "d", textOf(*fabric, false), "l");
        for (FlatDevice& device : flat->devices) device.serverPart.clear(); // files of others do not have the column
        const auto drawn = drawnFabric(*flat, shippedCatalog());
        QVERIFY(drawn);
        QCOMPARE(drawn->losses.size(), std::size_t{1});
        QVERIFY2(drawn->losses.front().find("was taken, which has these GPUs and NICs") != std::string::npos,
                 drawn->losses.front().c_str());
    }
    void contentDecides() {
        const auto of = [](const char* name, const char* bytes) { return ImportSource{name, {{name, name, bytes}}, {}}; };
        const auto is = [&](const ImportSource& source, std::string_view wanted) {
            const auto format = detectFormat(source);
            return wanted.empty() ? !format : format && (*format)->name == wanted;
        };
        QVERIFY(is(of("x.txt", "{ \"format\": 2, \"name\": \"x\" }"), "railyard"));
        QVERIFY(is(of("prices.railyard", "part_number,base_usd\nMQM9700-NS2F,1\n"), "prices"));
        QVERIFY(is(of("devices.csv", "path,kind,tier\n"), "csv"));
        for (const char* other : {"", "hello", "{}", "<svg/>", "path,kind\n"}) QVERIFY2(is(of("a.csv", other), ""), other);
    }
    void namesAreUnique() {
        std::set<std::string_view> names;
        for (const Format& format : formatTable()) {
            QVERIFY(names.insert(format.name).second && !format.title.empty() && !format.extensions.empty());
            QVERIFY(format.canImport() || format.canExport());
            QCOMPARE(format.read != nullptr, format.detect != nullptr);
        }
    }
    void pricesByPartNumber() {
        const auto lookup = [](const std::string& number) { return partWithNumber(*shippedCatalog(), number); };
        const auto book = PriceBook::read("part_number,base_usd\nMQM9700-NS2F,30000\n", "p.csv", lookup);
        QVERIFY2(book, book ? "" : book.error().text.c_str());
        QCOMPARE(book->prices().size(), std::size_t{1});
        QCOMPARE(book->prices().front().id, std::string("sw-qm9700"));
        const auto wrong = PriceBook::read("part_number,base_usd\nnone,1\n,2\n", "p.csv", lookup);
        QVERIFY(!wrong);
        QCOMPARE(wrong.errors().size(), std::size_t{2});
        QCOMPARE(toText(wrong.error()).find("p.csv:2:1: the catalogue has no part with the number"), std::size_t{0});
        // Every number that a bill prints leads back to its part and length.
        int found = 0;
        for (const auto& [id, part] : shippedCatalog()->parts())
            for (const double metres : {1.0, 1.5, 3.0, 30.0, 50.0}) {
                const std::string number = partNumberOf(&part, Metres(metres)).number;
                if (number.empty()) continue;
                const auto own = partWithNumber(*shippedCatalog(), number);
                if (!own) continue; // of several parts
                QCOMPARE(own->id, id);
                if (own->length) QCOMPARE(own->length->value(), metres);
                ++found;
            }
        QVERIFY(found > 50);
    }
};

QTEST_GUILESS_MAIN(tst_formats)
#include "tst_formats.moc"
