#include "core/base/file.h"
#include "tests/support/designs.h"
#include "widgets/export/pictures.h"
#include "widgets/plots/cell_map.h"
#include "widgets/plots/parallel_plot.h"
#include "widgets/plots/scatter_plot.h"
#include "widgets/views/sweep_charts.h"
#include "widgets/views/sweep_form.h"
#include "widgets/views/sweep_view.h"

#include <QAbstractItemModel>
#include <QCheckBox>
#include <QComboBox>
#include <QCryptographicHash>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>
#include <qcustomplot.h>
#include <set>

using namespace railyard;

namespace {

struct Desk {
    Document document;
    SweepView view{document};

    explicit Desk(const DesignPointer& design) {
        document.open(design, {});
        view.resize(1300, 800);
        view.show();
        set(0, QStringLiteral("128, 256, 512"));
    }
    void set(int axis, const QString& values) { view.findChildren<QLineEdit*>(QStringLiteral("sweep-values"))[axis]->setText(values); }
    void run() {
        QTest::mouseClick(view.findChild<QPushButton*>(QStringLiteral("sweep-run")), Qt::LeftButton);
        view.wait();
    }
    QString words() {
        view.wait();
        return view.findChild<QLabel*>(QStringLiteral("sweep-words"))->text();
    }
    void page(int number) { view.findChild<QToolButton*>(QStringLiteral("sweep-page-%1").arg(number))->click(); }
};

} // namespace

class tst_sweep_view : public QObject {
    Q_OBJECT

private slots:
    // A result with the key of an axis reads as that figure.
    void titlesOfResultsWithTheKeyOfAnAxis() {
        QCOMPARE(sweepTitle("result.cost.network_usd"), sweepTitle("cost.network_usd") + QStringLiteral(" (result)"));
        QCOMPARE(sweepValueText("result.cost.network_usd", 4e6), sweepValueText("cost.network_usd", 4e6));
        QVERIFY(isLessBetter("result.cost.network_usd") && !isLessBetter("result.counts.gpus"));
    }
    void computesWhatTheFormAsksFor() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        QCOMPARE(desk.words(), QStringLiteral("6 designs."));
        desk.run();
        const SweepTable& table = desk.view.table();
        QCOMPARE(table.rows.size(), std::size_t{6});
        const auto* rows = desk.view.findChild<QTableView*>(QStringLiteral("sweep-rows"))->model();
        QCOMPARE(rows->rowCount(), 6);
        for (const SweepTable::Row& row : table.rows) {
            const auto metrics =
                metricsOf(*test::fabricOf(row.axes[1] == "rail-only" ? "rail-only" : "rail-optimized", {{"gpus", row.axes[0]}}));
            const auto column =
                std::find(table.results.begin(), table.results.end(), "counts.switches_all_networks") - table.results.begin();
            QCOMPARE(row.results[static_cast<std::size_t>(column)], std::optional(static_cast<double>(metrics.instant.counts.switches)));
        }
    }
    // Every chart has its designs, and a double click opens the one that was meant.
    void chartsOpenTheirDesigns() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        desk.run();
        QSignalSpy opened(&desk.view, &SweepView::openAsked);
        const auto gpusOf = [&](int call) { return qvariant_cast<DesignPointer>(opened[call][0])->recipe->parameters.at("gpus"); };
        auto* table = desk.view.findChild<QTableView*>(QStringLiteral("sweep-rows"));
        emit table->doubleClicked(table->model()->index(4, 0));
        QCOMPARE(opened.size(), 1);
        QCOMPARE(gpusOf(0), std::string("512"));
        desk.page(1);
        auto* map = desk.view.findChild<CellMap*>();
        emit map->chosen(1, 0);
        QCOMPARE(gpusOf(1), std::string("256"));
        for (int page = 0; page < 4; ++page) {
            desk.page(page);
            for (const Tokens* tokens : {&lightTokens(), &darkTokens()}) {
                desk.view.setTokens(*tokens);
                QVERIFY(!desk.view.grab().isNull());
            }
        }
        desk.page(2);
        auto* front = desk.view.findChild<ScatterPlot*>();
        QVERIFY2(front->title().contains(QStringLiteral("beaten by no other")), qPrintable(front->title()));
        const SweepTable& shown = desk.view.table();
        const auto columnOf = [&view = desk.view, &shown](const char* choice) {
            const std::string key = view.findChild<QComboBox*>(QLatin1String(choice))->currentData().toString().toStdString();
            return static_cast<std::size_t>(std::find(shown.results.begin(), shown.results.end(), key) - shown.results.begin());
        };
        for (const SweepTable::Row& row : shown.rows) {
            if (row.axes[0] != "512") continue; // the largest size is shown first
            const QPoint at(qRound(front->plot().xAxis->coordToPixel(*row.results[columnOf("sweep-result")])),
                            qRound(front->plot().yAxis->coordToPixel(*row.results[columnOf("sweep-other")])));
            QVERIFY(front->pointAt(at));
        }
        desk.page(3);
        QVERIFY(desk.view.findChild<ParallelPlot*>()->title().contains(QStringLiteral("2 designs")));
    }
    void whatIsWrongIsSaid() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        auto* run = desk.view.findChild<QPushButton*>(QStringLiteral("sweep-run"));
        desk.set(0, QStringLiteral("8..4"));
        QVERIFY2(desk.words().contains(QStringLiteral("no range")), qPrintable(desk.words()));
        QVERIFY(!run->isEnabled());
        desk.set(0, QStringLiteral("16,384"));
        QVERIFY2(desk.words().contains(QStringLiteral("\"16,384\" is ambiguous")) && !run->isEnabled(), qPrintable(desk.words()));
        desk.set(0, QStringLiteral("a lot"));
        QVERIFY2(desk.words().contains(QStringLiteral("GPUs = a lot")) && run->isEnabled(), qPrintable(desk.words()));
        desk.run(); // a row with its reason each
        QVERIFY(desk.view.findChild<QLabel*>(QStringLiteral("sweep-title"))->text().contains(QStringLiteral("cannot be built")));
        for (int page = 0; page < 4; ++page) desk.page(page);
        desk.set(0, QStringLiteral("1..1000+1"));
        desk.set(1, QStringLiteral("rail-only"));
        desk.view.form().addAxis(QStringLiteral("hb_domain_gpus"), QStringLiteral("1..1000+1"));
        emit desk.view.form().changed();
        QVERIFY2(desk.words().contains(QStringLiteral("job files")), qPrintable(desk.words()));
        desk.view.form().addAxis(QStringLiteral("planes"), QStringLiteral("1..1000+1"));
        emit desk.view.form().changed();
        QVERIFY2(desk.words().contains(QStringLiteral("maximum")) && !run->isEnabled(), qPrintable(desk.words()));
    }
    // A chart of very many designs stays legible and quick, says what it leaves out, and keeps the best.
    void chartsOfVeryManyDesignsAreBounded() {
        auto table = std::make_shared<SweepTable>();
        table->axes = {"gpus", "planes"};
        table->results = {"counts.switches", "cost.network_usd"};
        for (int x = 0; x < 300; ++x)
            for (int y = 0; y < 100; ++y) {
                SweepTable::Row row;
                row.axes = {std::to_string(x), std::to_string(y)};
                const double side = std::abs(x - 150.0) + 1;
                row.results = {side, 1e6 / side + y};
                table->rows.push_back(row);
            }
        const SweepGoal switches{0, true}, cost{1, true};
        const ScatterData front = sweepFront(table, {"", ""}, switches, cost);
        const auto best = paretoFront(*table, rowsAt(*table, {"", ""}), switches, cost);
        QCOMPARE(front.front.size(), best.size());
        QVERIFY(front.points.size() <= mostSweepMarks + best.size() && front.points.size() >= mostSweepMarks);
        for (std::size_t i = 0; i < best.size(); ++i) QCOMPARE(front.points[front.front[i]].x, *table->rows[best[i]].results[0]);
        QVERIFY2(front.subtitle.contains(QStringLiteral("Of 30,000 designs")) && front.subtitle.contains(QStringLiteral("a sample of")),
                 qPrintable(front.subtitle));
        const ParallelData lines = sweepLines(table, {"", ""}, best, QStringLiteral("Switches and Cost"));
        QVERIFY(lines.lines.size() <= mostSweepMarks + best.size());
        std::set<double> planes; // the sample has every value of the inner axis, which comes again every hundred rows
        for (const ParallelData::Line& line : lines.lines) planes.insert(*line.heights[1]);
        QCOMPARE(planes.size(), std::size_t{100});
        QCOMPARE(std::count_if(lines.lines.begin(), lines.lines.end(), [](const auto& line) { return line.isMarked; }),
                 std::ptrdiff_t(best.size()));
        QVERIFY(lines.title.startsWith(QStringLiteral("30,000 designs")));
        const SweepCells cells = sweepCells(*table, 0, 1, 0, {"", ""});
        QVERIFY(cells.data.xLabels.size() == 200 && cells.data.yLabels.size() == 20);
        QVERIFY2(cells.data.subtitle.contains(QStringLiteral("The first 200 of 300 values")) &&
                     cells.data.subtitle.contains(QStringLiteral("The first 20 of 100 values")),
                 qPrintable(cells.data.subtitle));
        const SweepCells few = sweepCells(*table, 1, 1, 0, {"7", ""});
        QVERIFY(few.data.xLabels.size() == 100 && !few.data.subtitle.contains(QStringLiteral("first")));
    }
    // A chart has room for a few results: those that differ between designs.
    void linesOfManyResults() {
        auto table = std::make_shared<SweepTable>();
        table->axes = {"gpus"};
        for (int c = 0; c < 150; ++c) table->results.push_back("counts.c" + std::to_string(c));
        for (int x = 0; x < 3; ++x) {
            SweepTable::Row row;
            row.axes = {std::to_string(x)};
            for (int c = 0; c < 150; ++c) row.results.emplace_back(c % 50 == 49 ? x : 7);
            table->rows.push_back(row);
        }
        const ParallelData lines = sweepLines(table, {""}, {}, {});
        QCOMPARE(lines.axes.size(), 1 + mostSweepLineResults);
        QCOMPARE(lines.lines.front().heights.size(), 1 + mostSweepLineResults);
        for (const char* name : {"counts.c49", "counts.c99", "counts.c149"})
            QVERIFY(std::any_of(lines.axes.begin(), lines.axes.end(), [&](const auto& axis) { return axis.name == sweepTitle(name); }));
        QVERIFY2(lines.subtitle.contains(QStringLiteral("8 of 150 results")), qPrintable(lines.subtitle));
    }
    // An opened table takes the place of what was computed here; "Compute again" brings that back.
    void opensByEnterAndComputesAgain() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        desk.run();
        const std::size_t rows = desk.view.table().rows.size();
        QVERIFY(rows > 0);
        auto* table = desk.view.findChild<QTableView*>(QStringLiteral("sweep-rows"));
        table->setCurrentIndex(table->model()->index(0, 0));
        QSignalSpy opened(&desk.view, &SweepView::openAsked);
        desk.view.show();
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        desk.view.openTable(SweepTable(), QStringLiteral("empty.csv"));
        QVERIFY(desk.view.table().rows.empty());
        QCOMPARE(desk.view.findChild<QLabel*>(QStringLiteral("sweep-title"))->text(), QStringLiteral("0 designs in empty.csv"));
        desk.view.computeAgain();
        desk.view.wait();
        QCOMPARE(desk.view.table().rows.size(), rows);
    }
    // A table that does not say what it is of is shown; for a design it asks for the sweep.
    void aTableAloneIsShown() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        desk.run();
        SweepTable table = desk.view.table();
        table.spec.reset();
        desk.view.openTable(table, QStringLiteral("alone.csv"));
        QVERIFY(desk.view.findChild<QLabel*>(QStringLiteral("sweep-title"))->text().contains(QStringLiteral("in alone.csv")));
        QSignalSpy opened(&desk.view, &SweepView::openAsked), asked(&desk.view, &SweepView::sweepAsked);
        auto* rows = desk.view.findChild<QTableView*>(QStringLiteral("sweep-rows"));
        emit rows->doubleClicked(rows->model()->index(2, 0));
        QVERIFY(opened.isEmpty() && asked.size() == 1);
        QCOMPARE(asked[0][0].toInt(), 2);
    }
    // Two figures with one title are told apart; sections of options stand before their options.
    void titlesAreUnique() {
        SweepTable table;
        table.axes = {"gpus", "training.gpus"};
        table.results = {"counts.gpus", "bisection.server.upper_gbps", "bisection.server.fraction_of_injection", "cost.network_usd"};
        const SweepTitles titles = sweepTitles(table);
        std::set<QString> known(titles.axes.begin(), titles.axes.end());
        known.insert(titles.results.begin(), titles.results.end());
        QCOMPARE(known.size(), std::size_t{6});
        QCOMPARE(titles.axes[0], QStringLiteral("GPUs"));
        QCOMPARE(titles.results[3], QStringLiteral("Network cost"));
    }
    // A chart of results that are equal in all designs says nothing: the first that differ are shown.
    void chartsShowWhatDiffers() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        SweepTable table;
        table.axes = {"recipe"};
        table.results = {"counts.gpus", "counts.switches", "counts.servers", "cost.network_usd"};
        for (int r = 0; r < 3; ++r) {
            SweepTable::Row row;
            row.axes = {std::to_string(r)};
            row.results = {64, r + 1.0, 8, 1e6 * (3 - r)};
            table.rows.push_back(row);
        }
        desk.view.openTable(table, QStringLiteral("a.csv"));
        QCOMPARE(desk.view.findChild<QComboBox*>(QStringLiteral("sweep-result"))->currentData().toString(),
                 QStringLiteral("counts.switches"));
        QCOMPARE(desk.view.findChild<QComboBox*>(QStringLiteral("sweep-other"))->currentData().toString(),
                 QStringLiteral("cost.network_usd"));
        desk.page(2);
        QVERIFY(desk.view.findChild<ScatterPlot*>()->title().startsWith(QStringLiteral("3 designs")));
    }
    // A row that somebody has added is refused in words.
    void addedRowsHaveNoDesign() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        desk.run();
        SweepTable table = desk.view.table();
        table.rows[1].point = SweepTable::noPoint;
        desk.view.openTable(table, QStringLiteral("edited.csv"));
        QSignalSpy opened(&desk.view, &SweepView::openAsked), refused(&desk.view, &SweepView::refused);
        desk.view.openRow(1);
        QVERIFY(opened.isEmpty() && refused.size() == 1);
        desk.view.openRow(0);
        QCOMPARE(opened.size(), 1);
    }
    // Headers are titles and values have units; tool tips have the key and the whole number.
    void theTableIsInWords() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        desk.run();
        const auto* rows = desk.view.findChild<QTableView*>(QStringLiteral("sweep-rows"))->model();
        const SweepTable& table = desk.view.table();
        const auto cost = std::find(table.results.begin(), table.results.end(), "cost.all_networks_usd") - table.results.begin();
        const int column = static_cast<int>(table.axes.size()) + static_cast<int>(cost);
        QCOMPARE(rows->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("GPUs"));
        const auto* shown = desk.view.findChild<QTableView*>(QStringLiteral("sweep-rows"));
        for (int c = 0; c < rows->columnCount(); ++c) {
            QCOMPARE(shown->isColumnHidden(c), c == rows->columnCount() - 1); // no notes
            QCOMPARE(shown->columnWidth(c) > 0, !shown->isColumnHidden(c));
        }
        QCOMPARE(rows->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(), sweepTitle("cost.all_networks_usd"));
        QCOMPARE(rows->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString(), QStringLiteral("cost.all_networks_usd"));
        QVERIFY(rows->index(0, column).data().toString().startsWith(QLatin1Char('$')));
        QCOMPARE(rows->index(0, column).data(Qt::ToolTipRole).toString(),
                 QString::number(*table.rows[0].results[static_cast<std::size_t>(cost)], 'f', 0));
        QCOMPARE(sweepTitle("cost.network_usd"), QStringLiteral("Network cost"));
        QCOMPARE(sweepTitle("counts.switches_by_tier.leaf"), QStringLiteral("Switches, leaf"));
        QCOMPARE(sweepValueText("cost.by_category_usd.switch", 2e6), QStringLiteral("$2.00 M"));
        QCOMPARE(sweepAxisText("16384"), QStringLiteral("16,384"));
        QCOMPARE(sweepAxisText("2:1"), QStringLiteral("2:1"));
        QCOMPARE(sweepValueText("train.iteration_s", 0.25), QStringLiteral("250 ms"));
        QCOMPARE(sweepValueText("train.unknown", 12345), QStringLiteral("12,345"));
    }
    // Each chart can be saved as it is shown.
    void chartsArePictures() {
        Desk desk(test::designOf("superpod-h100", {{"servers", "32"}}));
        desk.run();
        auto* button = desk.view.findChild<QPushButton*>(QStringLiteral("sweep-picture"));
        QTemporaryDir folder;
        PictureOptions options;
        std::set<QByteArray> pictures;
        for (int page = 0; page < 4; ++page) {
            desk.page(page);
            QCOMPARE(button->isVisibleTo(&desk.view), page > 0);
            const QString path = folder.filePath(QStringLiteral("%1.png").arg(page));
            QCOMPARE(bool(drawSweepChart(desk.view.chart(), path, options)), page > 0);
            if (page == 0) continue;
            const QImage picture(path);
            QCOMPARE(picture.size(), options.size);
            std::set<QRgb> colours; // of the chart: a page without one has the few of its title
            for (int x = 0; x < picture.width(); x += 3)
                for (int y = picture.height() / 4; y < picture.height(); y += 3) colours.insert(picture.pixel(x, y));
            QVERIFY2(colours.size() > 8, qPrintable(QString::number(colours.size())));
            QVERIFY(pictures
                        .insert(QCryptographicHash::hash(
                            QByteArray::fromRawData(reinterpret_cast<const char*>(picture.constBits()), picture.sizeInBytes()),
                            QCryptographicHash::Sha1))
                        .second);
        }
    }
};

QTEST_MAIN(tst_sweep_view)
#include "tst_sweep_view.moc"
