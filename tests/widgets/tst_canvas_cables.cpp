// Cables drawn one by one: those of a selection, and all of them from close by.
#include "core/io/tables/cable_schedule.h"
#include "tests/support/canvas_gestures.h"
#include "tests/support/designs.h"
#include "tests/support/painted.h"

using namespace railyard;

class tst_canvas_cables : public QObject {
    Q_OBJECT

private slots:
    void selectionShowsItsCables() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        QVERIFY(canvas.cablesText().isEmpty());
        canvas.selectPaths({"su[2]/leaf[4]"});
        QCOMPARE(canvas.cablesText(), QStringLiteral("64 cables"));
        canvas.selectPaths({"su[2]/leaf[4]", "su[2]/srv[1]"}); // one of them joins the two
        QCOMPARE(canvas.cablesText(), QStringLiteral("71 cables"));
        canvas.selectPaths({"spine[3]"});
        QCOMPARE(canvas.cablesText(), QStringLiteral("64 cables"));
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        canvas.selectPaths({"su[1]/leaf[1]"}); // its spines stand drawn once for every pod
        QVERIFY2(canvas.cablesText().startsWith(QStringLiteral("64 cables")), qPrintable(canvas.cablesText()));
        QVERIFY(test::isPainted(canvas.grab()));
    }
    // From close by every cable is a line of its own; from afar they are bundles.
    void singleCablesFromCloseBy() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        QString said;
        connect(&canvas, &Canvas::said, this, [&](const QString& text) { said = text; });
        canvas.resize(900, 700);
        canvas.show();
        canvas.fit();
        canvas.grab();
        QApplication::processEvents();
        QVERIFY(said.contains(QStringLiteral("drawn as bundles")));
        canvas.zoomBy(3.5 / canvas.view().scale);
        canvas.grab();
        QApplication::processEvents();
        QVERIFY2(said.contains(QStringLiteral("individual cables")), qPrintable(said));
        const QImage all = canvas.grab().toImage();
        canvas.selectPaths({"su[1]/leaf[1]"});
        QVERIFY(canvas.grab().toImage() != all);
        QTest::keyClick(&canvas, Qt::Key_Escape); // the cables of the selection give way to all of them
        QVERIFY(canvas.grab().toImage() == all);
    }
    // Close by, the cable under the pointer tells its ends, ID, length and modules, as the cable schedule has them; a click selects both
    // ends.
    void aCableIsToldAndSelected() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        canvas.selectPaths({"su[2]/leaf[3]"});
        canvas.fitSelection();
        canvas.selectPaths({});
        canvas.zoomBy(3.0 / canvas.view().scale);
        canvas.grab();
        CableTool& cables = canvas.cableTool();
        QPoint at;
        for (int y = 60; y < 740 && !cables.hovered(); y += 7)
            for (int x = 60; x < 1140 && !cables.hovered(); x += 3) QTest::mouseMove(&canvas, at = QPoint(x, y));
        QVERIFY(cables.hovered());
        const LinkId link = *cables.hovered();
        cables.wait();
        const QStringList words = cables.wordsOf(link);
        QCOMPARE(words.size(), 4);
        const Fabric& fabric = *document.now().fabric;
        const Table schedule = cableTable(fabric, cablingOf(fabric));
        const std::string id = cableId(link);
        bool isFound = false;
        for (const auto& row : schedule.rows) {
            const auto cell = [&](std::size_t column) {
                const auto* text = std::get_if<std::string>(&row[column]);
                return text ? QString::fromStdString(*text) : QString();
            };
            if (cell(0).toStdString() != id) continue;
            isFound = true;
            QVERIFY2(words[1].startsWith(QStringLiteral("Cable %1 · 400 Gb/s · rail ").arg(cell(0))), qPrintable(words[1]));
            QString all;
            for (std::size_t column = 0; column < row.size(); ++column) all += cell(column) + QLatin1Char('|');
            for (const QString& end : words[0].split(QStringLiteral(" – ")))
                QVERIFY2(all.contains(end + QLatin1Char('|')) || all.contains(end + QLatin1Char(' ')),
                         qPrintable(end + QStringLiteral(" in ") + all));
            const QString cable = words[2].section(QStringLiteral(" · "), 1, 1), module = words[3].section(QLatin1Char(' '), 1, 1);
            QVERIFY2(all.contains(QStringLiteral("|") + cable + QLatin1Char('|')), qPrintable(cable + QStringLiteral(" in ") + all));
            QVERIFY2(all.contains(QStringLiteral("|") + module + QLatin1Char('|')), qPrintable(module + QStringLiteral(" in ") + all));
        }
        QVERIFY(isFound);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, at);
        const auto selected = canvas.selectedPaths();
        QCOMPARE(selected.size(), std::size_t{2});
        for (const std::string& path : selected) QVERIFY2(words[0].contains(QString::fromStdString(path)), path.c_str());
    }
};

QTEST_MAIN(tst_canvas_cables)
#include "tst_canvas_cables.moc"
