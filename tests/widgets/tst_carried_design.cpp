#include "core/base/file.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/design_json.h"
#include "core/io/tables/bom_workbook.h"
#include "tests/support/designs.h"
#include "widgets/export/picture_table.h"

#include <QImage>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace railyard;

namespace {

// With what is hard to carry: ends of sections, comments, line ends and other letters in its texts.
FabricPointer hostileFabric() {
    Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
    design.name = "]]> %railyard-end %%EOF <svg> \"quoted\" \\ Ärger\nIEND";
    Callout note;
    note.text = "]]></metadata> endobj\n%%EOF";
    design.callouts.push_back(note);
    return elaborate(std::make_shared<const Design>(std::move(design)));
}

std::string bytesAt(const QString& path) { return *readFile(path.toStdString()); }

} // namespace

class tst_carried_design : public QObject {
    Q_OBJECT

private slots:
    void files_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"a.png", "a.svg", "a.pdf", "a.pptx", "a.xlsx"}) QTest::newRow(name) << QByteArray(name);
    }
    void files() {
        QFETCH(QByteArray, name);
        QTemporaryDir folder;
        const QString path = folder.filePath(QString::fromLatin1(name));
        const FabricPointer fabric = hostileFabric();
        PictureOptions options;
        options.size = QSize(640, 400);
        const auto write = [&] {
            if (name.endsWith(".xlsx")) return bool(writeBom(*fabric, metricsOf(*fabric), path.toStdString()));
            return bool(drawPicture(*pictureNamed("slide").first, fabric, {}, path, options));
        };
        QVERIFY(write());
        const std::string bytes = bytesAt(path);
        QVERIFY(canCarryDesign(bytes));
        const auto design = loadDesignFile(path.toStdString());
        QVERIFY2(design, design ? "" : design.error().text.c_str());
        QVERIFY(design->isCarried);
        QCOMPARE(designText(*design->design), designText(*fabric->design));
        QVERIFY(write() && bytesAt(path) == bytes); // same input, same bytes
        if (name.endsWith(".png")) QVERIFY(!QImage(path).isNull());
        if (name.endsWith(".svg")) {
            QXmlStreamReader reader(QByteArray::fromStdString(bytes));
            while (!reader.atEnd()) reader.readNext();
            QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        }
        if (name.endsWith(".pdf")) QVERIFY(bytes.ends_with("%%EOF\n") && bytes.rfind("startxref") > bytes.size() - 100);
        // Damaged anywhere in the document: it is said. Never a crash, never another design.
        const std::string document = **carriedText(CarriedText::Design, bytes, "x"); // in an SVG, "]]>" is written otherwise
        for (std::size_t step = 0; step < 60; ++step) {
            std::string changed = bytes;
            changed[changed.size() * (step + 1) / 62] = static_cast<char>(changed[changed.size() * (step + 1) / 62] ^ 0x20);
            const auto carried = carriedText(CarriedText::Design, changed, "x");
            if (carried && *carried) QCOMPARE(**carried, document);
        }
        for (std::size_t part = 1; part < 20; ++part) {
            const auto carried = carriedText(CarriedText::Design, bytes.substr(0, bytes.size() * part / 20), "x");
            if (carried && *carried) QCOMPARE(**carried, document);
        }
        // Without it there is none, which is said too.
        options.carriesDesign = false;
        BomOptions customer;
        customer.isCustomer = true;
        const bool isWritten = name.endsWith(".xlsx") ? bool(writeBom(*fabric, metricsOf(*fabric), path.toStdString(), customer)) : write();
        QVERIFY(isWritten);
        QVERIFY(!*carriedText(CarriedText::Design, bytesAt(path), "x"));
        const auto none = loadDesign(path.toStdString());
        QVERIFY(!none && none.error().text.find("carries no design") != std::string::npos);
    }
    void otherFilesCarryNothing() {
        for (const char* text : {"", "{", "<svg", "%PDF-1.4", "PK", "PK\x03\x04", "\x89PNG\r\n\x1a\n", "<html></html>"}) {
            const auto carried = carriedText(CarriedText::Design, text, "x");
            QVERIFY2(!carried || !*carried, text);
        }
    }
};

QTEST_MAIN(tst_carried_design)
#include "tst_carried_design.moc"
