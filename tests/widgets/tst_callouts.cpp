// What is said on the drawing, for slides: beside what it is about, in the pictures, and nowhere in a figure.
#include "core/fabric/group.h"
#include "core/io/document/design_json.h"
#include "tests/support/canvas_gestures.h"
#include "tests/support/designs.h"
#include "widgets/export/pictures.h"
#include "widgets/panels/inspector_panel.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTemporaryDir>

Q_DECLARE_METATYPE(railyard::Callout)

using namespace railyard;

class tst_callouts : public QObject {
    Q_OBJECT

    static Callout said(Callout::Kind kind, std::vector<std::string> of, Point at, std::string text = "words") {
        return {.kind = kind, .text = std::move(text), .of = std::move(of), .at = at};
    }
    static const SceneNode& nodeOf(const Canvas& canvas, std::size_t callout) {
        const auto& nodes = canvas.scene().nodes;
        const auto found = std::find_if(nodes.begin(), nodes.end(),
                                        [&](const SceneNode& node) { return node.shape == Shape::Callout && node.callout == callout; });
        if (found == nodes.end()) qFatal("no such callout on the drawing");
        return *found;
    }
    static QPoint centreOf(const Canvas& canvas, const QRectF& rect) { return canvas.view().toScreen(rect.center()).toPoint(); }

private slots:
    void theyStayBesideWhatTheyAreAbout() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        QVERIFY(document.apply(addCallout(*document.now().design, said(Callout::Kind::Text, {"su[2]/leaf[8]"}, {50, -60}))));
        const QPointF leaf = canvas.scene().callouts[0].about.center();
        QCOMPARE(nodeOf(canvas, 0).rect.center(), leaf + QPointF(50, -60));
        QVERIFY(document.apply(setParameters(*document.now().design, {{"su_servers", "8"}})));
        const QPointF moved = canvas.scene().callouts[0].about.center();
        QVERIFY(moved != leaf);
        QCOMPARE(nodeOf(canvas, 0).rect.center(), moved + QPointF(50, -60));
    }
    void figuresAreNotTouched() {
        const DesignPointer before = test::designOf("superpod-h100");
        const auto after = addCallout(*before, said(Callout::Kind::Legend, {}, {0, 0}, ""));
        const FabricPointer a = elaborate(before), b = elaborate(after->design);
        QCOMPARE(b->devices.size(), a->devices.size());
        QVERIFY(isSameNetwork(*a, *b));
        QVERIFY(instantMetrics(*b).bill.network == instantMetrics(*a).bill.network);
    }
    void theyAreKeptInTheFile() {
        DesignPointer design = test::designOf("rail-only", {{"servers", "64"}});
        for (const auto kind : {Callout::Kind::Text, Callout::Kind::Arrow, Callout::Kind::Bracket, Callout::Kind::Legend})
            design = addCallout(*design, said(kind, {"su[1]", "su[2]"}, {1.5, -2}, "a \"b\"\n=1+1 ü"))->design;
        Callout logo = said(Callout::Kind::Logo, {}, {3, 4});
        logo.width = 90;
        logo.picture = SharedText("iVBORw0KGgo=");
        design = addCallout(*design, logo)->design;
        const auto again = readDesign(designText(*design), "x.railyard");
        QVERIFY(static_cast<bool>(again));
        QVERIFY((*again)->callouts == design->callouts);
        QVERIFY((*again)->unknown.empty());
        QCOMPARE(designText(**again), designText(*design));
    }
    void badOnesAreNamed_data() {
        QTest::addColumn<QString>("callout");
        QTest::addColumn<QString>("says");
        QTest::newRow("kind") << R"({"kind":"cloud","text":"a","x":0,"y":0})"
                              << "one of text, arrow, bracket, legend, logo";
        QTest::newRow("no words") << R"({"kind":"text","x":0,"y":0})"
                                  << "has no text";
        QTest::newRow("no place") << R"({"kind":"text","text":"a","x":0})"
                                  << "callouts.0.y";
        QTest::newRow("no list") << R"({"kind":"text","text":"a","of":"su[1]","x":0,"y":0})"
                                 << "not a list";
        QTest::newRow("no text in the list") << R"({"kind":"text","text":"a","of":[1],"x":0,"y":0})"
                                             << "write it in quotes";
        QTest::newRow("no picture") << R"({"kind":"logo","x":0,"y":0})"
                                    << "has no picture";
        QTest::newRow("no PNG") << R"({"kind":"logo","x":0,"y":0,"picture":"PHN2Zz4="})"
                                << "PNG in base64";
        QTest::newRow("far") << R"({"kind":"text","text":"a","x":1e300,"y":0})"
                             << "outside the drawing";
        QTest::newRow("negative") << R"({"kind":"text","text":"a","x":0,"y":0,"width":-1})"
                                  << "less than 0";
    }
    void badOnesAreNamed() {
        QFETCH(QString, callout);
        QFETCH(QString, says);
        const std::string text =
            R"({"format":1,"name":"x","blocks":{},"free":{},"overrides":{},"callouts":[)" + callout.toStdString() + "]}";
        const auto read = readDesign(text, "x.railyard");
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(toText(read.error())).contains(says), toText(read.error()).c_str());
    }
    // One undo step each: moved, renamed, removed with others, copied.
    void theyAreEditedLikeElements() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        for (int i = 0; i < 3; ++i)
            QVERIFY(document.apply(addCallout(*document.now().design,
                                              said(Callout::Kind::Text, {"su[1]"}, {i * 140.0, -300}, "text " + std::to_string(i + 1)))));
        canvas.fit();
        const QPoint from = centreOf(canvas, nodeOf(canvas, 1).rect);
        const int steps = document.undoStack().count();
        test::drag(canvas, from, {40, 20});
        QCOMPARE(canvas.selectedPaths(), std::vector<std::string>{"callout[2]"});
        QCOMPARE(document.undoStack().count(), steps + 1);
        const Point at = document.now().design->callouts[1].at;
        QVERIFY(std::abs(at.x - (140 + 40 / canvas.view().scale)) <= 1 && std::abs(at.y - (-300 + 20 / canvas.view().scale)) <= 1);
        QVERIFY(document.apply(labelElements(*document.now().design, {{"callout[2]", "other words"}})));
        QCOMPARE(document.now().design->callouts[1].text, std::string("other words"));
        QVERIFY(!labelElements(*document.now().design, {{"callout[2]", ""}}));
        QVERIFY(!removeElements(*document.now().design, {"callout[4]"}));
        QVERIFY(document.apply(removeElements(*document.now().design, {"callout[1]", "callout[3]", "spine[1]"})));
        QCOMPARE(document.now().design->callouts.size(), std::size_t{1});
        QCOMPARE(document.now().design->callouts[0].text, std::string("other words"));
        canvas.selectPaths({"callout[1]"});
        canvas.duplicate();
        QCOMPARE(document.now().design->callouts.size(), std::size_t{2});
        document.undoStack().undo();
        document.undoStack().undo();
        QCOMPARE(document.now().design->callouts.size(), std::size_t{3});
        QVERIFY(document.now().design->overrides.empty());
    }
    // A drop says what it is about; its words are asked for, and a legend needs none.
    void droppedOnWhatTheyAreAbout() {
        qRegisterMetaType<Callout>();
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        const QSignalSpy wanted(&canvas, &Canvas::calloutWanted);
        const auto leaf = std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(),
                                       [](const SceneNode& node) { return node.shape == Shape::Leaf; });
        test::drop(canvas, "callout-arrow", centreOf(canvas, leaf->rect));
        QApplication::processEvents(); // the question comes once the drag has ended
        QCOMPARE(wanted.count(), 1);
        const auto arrow = wanted[0][0].value<Callout>();
        QVERIFY(arrow.kind == Callout::Kind::Arrow);
        QCOMPARE(arrow.of, std::vector<std::string>{"su[1]/leaf[1]"});
        QCOMPARE(document.undoStack().count(), 0);
        test::drop(canvas, "callout-legend", {900, 600});
        QApplication::processEvents();
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(document.now().design->callouts.size(), std::size_t{1});
        canvas.selectPaths({"su[1]/leaf[1]", "su[1]/leaf[2]"});
        canvas.addFromPalette("callout-bracket"); // Enter on the palette
        QCOMPARE(wanted.count(), 2);
        QCOMPARE(wanted[1][0].value<Callout>().of.size(), std::size_t{2});
    }
    void tiedToAnotherElement() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QVERIFY(document.apply(addCallout(*document.now().design, said(Callout::Kind::Arrow, {"spine[1]"}, {0, -80}))));
        canvas.fit();
        const QPointF middle = nodeOf(canvas, 0).rect.center();
        const auto leaf = std::find_if(canvas.scene().nodes.begin(), canvas.scene().nodes.end(),
                                       [](const SceneNode& node) { return node.shape == Shape::Leaf; });
        const QPoint from = centreOf(canvas, nodeOf(canvas, 0).rect), to = centreOf(canvas, leaf->rect);
        QTest::mousePress(&canvas, Qt::LeftButton, Qt::AltModifier, from);
        QTest::mouseMove(&canvas, to);
        QTest::mouseRelease(&canvas, Qt::LeftButton, Qt::AltModifier, to);
        QCOMPARE(document.now().design->callouts[0].of, std::vector<std::string>{"su[1]/leaf[1]"});
        QVERIFY(QLineF(nodeOf(canvas, 0).rect.center(), middle).length() < 2);
    }
    // What it is about goes: it waits below the drawing, is not moved there, and stands where it stood when that comes back.
    void parkedWhileWhatTheyAreAboutIsGone() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "128"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QVERIFY(document.apply(addCallout(*document.now().design, said(Callout::Kind::Arrow, {"su[4]"}, {80, -60}))));
        const QPointF before = nodeOf(canvas, 0).rect.center();
        QVERIFY(document.apply(setServers(*document.now().design, 64)));
        QVERIFY(canvas.scene().callouts[0].isParked);
        const QPointF parked = nodeOf(canvas, 0).rect.center();
        QVERIFY(parked.y() > canvas.scene().cards.front().rect.bottom());
        canvas.fit();
        test::drag(canvas, centreOf(canvas, nodeOf(canvas, 0).rect), {60, 0});
        QCOMPARE(nodeOf(canvas, 0).rect.center(), parked);
        QVERIFY(document.apply(setServers(*document.now().design, 128)));
        QCOMPARE(nodeOf(canvas, 0).rect.center(), before);
    }
    void groupsTakeThemAlong() {
        DesignPointer design = emptyDesign(shippedCatalog());
        for (int i = 0; i < 2; ++i) design = dropItem(*design, PaletteItem::Leaf, {i * 100.0, 0})->design;
        design = addCallout(*design, said(Callout::Kind::Arrow, {"leaf[2]"}, {40, -50}))->design;
        const auto grouped = groupElements(*design, {"leaf[1]", "leaf[2]"});
        QVERIFY(grouped);
        QVERIFY(!buildScene(*elaborate(grouped->design), Detail::Folded).callouts[0].isParked);
        const auto apart = railyard::dissolve(*elaborate(grouped->design), "group[1]", {});
        QVERIFY(apart);
        QVERIFY(!buildScene(*elaborate(apart->design), Detail::Folded).callouts[0].isParked);
    }
    // A second Delete does not take another one that has the first one's number now.
    void aDeletedOneIsNoLongerSelected() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        for (int i = 0; i < 2; ++i)
            QVERIFY(document.apply(addCallout(*document.now().design, said(Callout::Kind::Text, {}, {i * 100.0, 900}))));
        canvas.selectPaths({"callout[1]"});
        QVERIFY(document.apply(removeElements(*document.now().design, canvas.selectedPaths())));
        QVERIFY(canvas.selectedPaths().empty());
    }
    void bracketsKeepTheirSide() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        QVERIFY(document.apply(addCallout(*document.now().design, said(Callout::Kind::Bracket, {"su[1]"}, {0, -40}))));
        canvas.fit();
        const double before = nodeOf(canvas, 0).rect.center().y();
        test::drag(canvas, centreOf(canvas, nodeOf(canvas, 0).rect), {0, 50});
        QVERIFY(nodeOf(canvas, 0).rect.center().y() - before < 60 / canvas.view().scale);
        QVERIFY(!canvas.scene().callouts[0].bracketBelow);
    }
    void bracketsStandOutside() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "128"}}), {});
        Canvas canvas(document);
        QVERIFY(document.apply(addCallout(*document.now().design, said(Callout::Kind::Bracket, {"su[1]", "su[2]"}, {0, 24}))));
        const QRectF about = canvas.scene().callouts[0].about, bracket = nodeOf(canvas, 0).rect;
        QCOMPARE(bracket.width(), about.width());
        QVERIFY(canvas.scene().callouts[0].bracketBelow);
        QCOMPARE(bracket.top(), about.bottom() + 24); // however many lines its words take
        QVERIFY(canvas.scene().bounds.contains(bracket));
    }
    void theInspectorSaysAndChanges() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        QVERIFY(document.apply(addCallout(*document.now().design, said(Callout::Kind::Arrow, {"spine[1]"}, {0, -80}))));
        InspectorPanel panel(document);
        panel.show();
        const auto type = [&](const char* field, const QString& words) {
            panel.showSelection({"callout[1]"});
            auto* line = panel.findChild<QLineEdit*>(QLatin1String(field));
            QVERIFY(line);
            line->setText(words);
            emit line->editingFinished();
            QApplication::processEvents();
        };
        type("callout-text", QStringLiteral("first\\nsecond"));
        QCOMPARE(document.now().design->callouts[0].text, std::string("first\nsecond"));
        type("callout-about", QStringLiteral("su[1], su[2]/leaf[3]"));
        QCOMPARE(document.now().design->callouts[0].of, (std::vector<std::string>{"su[1]", "su[2]/leaf[3]"}));
        const int steps = document.undoStack().count();
        type("callout-about", QStringLiteral("su[99]"));
        type("callout-width", QStringLiteral("-3"));
        QCOMPARE(document.undoStack().count(), steps);
        type("callout-width", QStringLiteral("220"));
        QCOMPARE(document.now().design->callouts[0].width, 220.0);
    }
    void theyAreInThePictures() {
        const QTemporaryDir folder;
        const QString picture = folder.filePath(QStringLiteral("logo.png")), page = folder.filePath(QStringLiteral("page.svg"));
        QImage logo(1600, 400, QImage::Format_ARGB32);
        logo.fill(Qt::green);
        QVERIFY(logo.save(picture));
        const auto text = pictureAsText(picture);
        QVERIFY(static_cast<bool>(text));
        QVERIFY(QImage::fromData(QByteArray::fromBase64(QByteArray::fromStdString(*text))).width() == 800);
        Callout mark = said(Callout::Kind::Logo, {}, {0, 0});
        mark.picture = SharedText(*text);
        DesignPointer design = addCallout(*test::designOf("superpod-h100"), mark)->design;
        design = addCallout(*design, said(Callout::Kind::Arrow, {"su[1]"}, {0, -300}, "Hall B only"))->design;
        QVERIFY(static_cast<bool>(drawTopology(*elaborate(design), page, {})));
        QFile file(page);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QVERIFY(svg.contains("Hall B only") && svg.contains("<image"));
        QFile broken(folder.filePath(QStringLiteral("broken.png")));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("no picture");
        broken.close();
        QVERIFY(!pictureAsText(broken.fileName()));
    }
};

QTEST_MAIN(tst_callouts)
#include "tst_callouts.moc"
