#include "core/analysis/edit_text.h"
#include "core/analysis/metrics/metrics.h"
#include "core/base/file.h"
#include "core/fabric/elaborate.h"
#include "tests/support/designs.h"
#include "tests/support/painted.h"
#include "widgets/dialogs/new_fabric_dialog.h"
#include "widgets/dialogs/requirement_form.h"
#include "widgets/document/busy_line.h"
#include "widgets/export/pictures.h"
#include "widgets/panels/findings_panel.h"
#include "widgets/views/compare_view.h"
#include "widgets/views/decide_view.h"
#include "widgets/views/heat_maps.h"
#include "widgets/views/map_table.h"
#include "widgets/views/traffic_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QThread>
#include <QToolButton>
#include <qcustomplot.h>
#include <set>

using namespace railyard;

class tst_views : public QObject {
    Q_OBJECT

private slots:
    void approvedFindingsCountApart() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        design.overrides["su[1]/leaf[1]"].label = design.overrides["su[1]/leaf[2]"].label = "x";
        Document document;
        FindingsPanel panel(document);
        const auto summary = [&] {
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return panel.findChild<QLabel*>(QStringLiteral("findings-summary"))->text();
        };
        document.open(std::make_shared<const Design>(design), {});
        QVERIFY2(summary().startsWith(QStringLiteral("1 error ·")), qPrintable(summary()));
        design.approvals = {{"RY-A001", "", "renamed at hand-over"}};
        document.open(std::make_shared<const Design>(design), {});
        QVERIFY2(summary().startsWith(QStringLiteral("0 errors")) && summary().endsWith(QStringLiteral("1 approved")),
                 qPrintable(summary()));
    }
    void aFindingIsFixedByAClick() {
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        design.overrides["su[1]/leaf[1]"].label = design.overrides["su[1]/leaf[2]"].label = "x";
        Document document;
        FindingsPanel panel(document);
        document.open(std::make_shared<const Design>(design), {});
        QPushButton* fix = nullptr;
        for (QPushButton* button : panel.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Fix")) fix = button;
        QVERIFY(fix);
        fix->click();
        QCoreApplication::processEvents();
        QCOMPARE(document.undoStack().count(), 1);
        QVERIFY(std::none_of(document.now().findings().begin(), document.now().findings().end(),
                             [](const Diagnostic& d) { return d.code == "RY-A001"; }));
    }
    void compareSaysWhatIsSaved() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        CompareView view(document);
        view.resize(1200, 800);
        view.show();
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("compare-verdict"))->text().contains(QStringLiteral("comparing")));
        view.wait();
        const QString verdict = view.findChild<QLabel*>(QStringLiteral("compare-verdict"))->text();
        QVERIFY2(verdict.contains(QStringLiteral("128 switches")) && verdict.contains(QStringLiteral("9.7 % slower")), qPrintable(verdict));
        auto* table = view.findChild<QTableWidget*>(QStringLiteral("compare-table"));
        QCOMPARE(table->item(1, 1)->text(), QStringLiteral("320"));
        QCOMPARE(table->item(1, 2)->text(), QStringLiteral("192"));
    }
    void atOneThousandNothingIsSaved() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        CompareView view(document);
        view.show();
        view.wait();
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("compare-verdict"))->text().contains(QStringLiteral("saves nothing")));
    }
    void decisionMarksTheDesign() {
        const DecisionMap map = usualDecisionMap({"superpod-h100", {{"servers", "512"}}}, *shippedCatalog());
        const CellMapData cells = decisionCells(map, 4096, 8);
        QVERIFY(cells.mark);
        QCOMPARE(cells.xLabels[cells.mark->first], QStringLiteral("4,096"));
        QVERIFY(cells.tips[static_cast<std::size_t>(cells.mark->second) * map.gpus.size() + static_cast<std::size_t>(cells.mark->first)]
                    .html()
                    .contains(QStringLiteral("9.7 %")));
    }
    void aCellOpensWithoutARecipe() { // an empty drawing shows the map of a SuperPOD
        Document document;
        DecideView view(document);
        view.resize(1000, 700);
        view.show();
        QSignalSpy opened(&view, &DecideView::openAsked);
        emit view.map().chosen(4, 0); // no map yet
        QCOMPARE(opened.count(), 0);
        view.waitForMap();
        emit view.map().chosen(4, 0);
        QCOMPARE(opened.count(), 1);
    }
    // The map of a design that is gone is given up; the window may be closed meanwhile.
    void aMapThatNobodyWaitsForStops() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "32"}}), {});
        auto view = std::make_unique<DecideView>(document);
        view->show();
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {}); // while the first map is being computed
        view->waitForMap();
        QVERIFY(view->isCurrent());
        QVERIFY(view->findChild<QLabel*>(QStringLiteral("verdict"))->text().size() > 0);
        emit view->map().hovered(0, 0);
        QVERIFY(!view->findChild<QLabel*>(QStringLiteral("verdict"))->text().contains(QStringLiteral("not computed")));
        view->refresh();
        view.reset();
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::sendPostedEvents();
    }
    void aHandDrawnDesignHasNoTwin() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        CompareView view(document);
        view.show();
        document.open(dropItem(*emptyDesign(shippedCatalog()), PaletteItem::Leaf, {})->design, {}); // while the twin is being built
        view.wait();
        QVERIFY(!view.hasOther());
        QVERIFY(view.findChild<QLabel*>(QStringLiteral("compare-verdict"))->text().contains(QStringLiteral("hand-drawn")));
        QCOMPARE(view.findChild<QTableWidget*>(QStringLiteral("compare-table"))->rowCount(), 0);
    }
    void viewsDrawInBothThemes() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        TrafficView traffic(document);
        DecideView decide(document);
        for (const Tokens& tokens : {lightTokens(), darkTokens()})
            for (QWidget* view : std::initializer_list<QWidget*>{&traffic, &decide}) {
                traffic.setTokens(tokens);
                decide.setTokens(tokens);
                view->resize(1000, 700);
                view->show();
                QVERIFY(test::isPainted(view->grab()));
            }
        QCOMPARE(traffic.picture(), QStringLiteral("heatmap:collective-time"));
        const auto isThere = [&](const char* words) {
            for (const QLabel* label : traffic.findChildren<QLabel*>())
                if (label->text().contains(QString::fromUtf8(words))) return true;
            return false;
        };
        const QImage before = traffic.grab().toImage();
        auto* kind = traffic.findChild<QComboBox*>(QStringLiteral("traffic-map"));
        const auto choose = [&](const char* map) {
            kind->setCurrentIndex(kind->findData(QString::fromUtf8(map)));
            return traffic.picture() == QString::fromUtf8(map);
        };
        QVERIFY(choose("heatmap:hb-nic"));
        QTRY_VERIFY(traffic.map().isEnabled() && traffic.grab().toImage() != before);
        QVERIFY(choose("heatmap:difference"));
        QTRY_VERIFY(isThere("takes the same time on "));
        QVERIFY(choose("heatmap:tcp"));
        QTRY_VERIFY(isThere("longer with TCP than with RDMA"));
        QTRY_VERIFY(isThere("Llama-3 70B uses no all-reduce with this parallelism; it uses all-gather and reduce-scatter."));
        QVERIFY(choose("heatmap:collective-time"));
        QTRY_VERIFY(isThere("is within 20 % of link bandwidth"));
        const QImage colours = traffic.grab().toImage();
        traffic.findChild<QComboBox*>(QStringLiteral("traffic-scale"))->setCurrentIndex(2);
        QVERIFY(traffic.grab().toImage() != colours && traffic.scale() == ColorScale::Gray);
        QVERIFY(choose("heatmap:jobs"));
        QTRY_VERIFY(isThere("16 concurrent jobs do not slow each other"));
        QVERIFY(choose("heatmap:collisions"));
        QTRY_VERIFY(isThere("ECMP hashing slows a permutation"));
        QVERIFY(choose("heatmap:traffic"));
        QTRY_VERIFY(isThere("TP 8 · DP 64"));
        for (const auto& [set, said] : {std::pair("set training.pp=4", "DP 16 · PP 4"),
                                        {"set training.model=gpt3-175b", "GPT-3 175B on 512 GPUs"},
                                        {"set training.gpus=256", "GPT-3 175B on 256 of 512 GPUs"},
                                        {"set training.tp=7", "This job cannot run here"}}) { // the job of the design
            QVERIFY(document.apply(applyEdit(document.now().design, set)));
            QTRY_VERIFY2(isThere(said), said);
        }
    }
    void aJobThatCannotRunLeavesNothingBehind() { // the pointer is on the map, and leaves it as it is hidden
        MatrixMap map;
        map.resize(700, 500);
        map.show(jobTrafficMap(*test::fabricOf("rail-optimized", {{"servers", "4"}}), usualRequest(), false), lightTokens());
        map.grab();
        QTest::mouseMove(&map.plot(), map.plot().rect().center());
        map.show({QStringLiteral("This job cannot run here"), {}, {}}, lightTokens());
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&map.plot(), &leave);
        map.show(jobTrafficMap(*test::fabricOf("rail-optimized", {{"servers", "2"}}), usualRequest(), false), lightTokens());
        QVERIFY(test::isPainted(map.grab()));
    }
    void jobsSlowEachOtherWhereLinksAreShort() {
        const auto curvesOf = [](const FabricPointer& fabric, CollectiveOp op) {
            return jobCurves(*concurrentJobsGrid(*fabric, op, Bytes(1 << 28)), op, Bytes(1 << 28));
        };
        const CurveData curves =
            curvesOf(test::fabricOf("rail-optimized", {{"servers", "64"}, {"oversubscription", "4:1"}}), CollectiveOp::AllToAll);
        QCOMPARE(curves.lines.size(), std::size_t{2});
        for (const CurveData::Line& line : curves.lines) {
            QCOMPARE(line.points.front(), std::pair(1.0, 1.0));
            for (const auto& [jobs, slowdown] : line.points) QVERIFY(slowdown >= 1 - 1e-12);
        }
        QVERIFY(curves.lines[1].points.back().second > 1.5);
        QVERIFY(curves.subtitle.contains(QStringLiteral("Bottleneck: links such as")));
        QVERIFY(curvesOf(test::fabricOf("rail-optimized", {{"servers", "1"}}), CollectiveOp::AllReduce)
                    .subtitle.contains(QStringLiteral("A single HB domain")));
    }
    void everyKindOfMapHasItsContent() {
        QCOMPARE(mapTable().size(), mapKinds().size());
        for (const char* servers : {"8", "64"}) { // one tier, two tiers
            const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", servers}});
            for (const MapInfo& map : mapTable()) {
                const auto content = map.content({*fabric, CollectiveOp::AllReduce, usualRequest(), false, {1, 8}});
                QVERIFY2(content, map.kind->name.data());
            }
        }
    }
    // The line appears for what takes long, its button stops the work, and what was complete by then is taken.
    void aLongComputationCanBeStopped() {
        std::optional<std::size_t> taken;
        LatestTask<std::size_t> task(
            [] {
                return [](const TaskContext& context) {
                    std::size_t rounds = 0;
                    for (; !context.stop.stop_requested(); ++rounds) QThread::msleep(1);
                    return rounds;
                };
            },
            [&](std::size_t rounds) { taken = rounds; });
        int again = 0;
        BusyLine line(task, QStringLiteral("Counting…"), [&] { ++again; });
        task.ask();
        QVERIFY(!line.isVisibleTo(nullptr) && line.isHidden());
        QTRY_VERIFY(!line.isHidden());
        auto* button = line.findChild<QPushButton*>(QStringLiteral("busy-button"));
        QCOMPARE(button->text(), QStringLiteral("Stop"));
        button->click();
        QTRY_VERIFY(taken.has_value());
        QCOMPARE(button->text(), QStringLiteral("Compute again"));
        button->click();
        QCOMPARE(again, 1);
        task.ask(); // a new request stops what nobody waits for
        task.ask();
        task.drop();
        QTRY_VERIFY(line.isHidden());
        task.wait();
    }
    // With ZeRO 1 and sequence parallelism: 128 MiB of activations inside a server, and over 64 servers 408 MiB of a layer's gradients,
    // which come back as 204 MiB of parameters.
    void dotsStandAtTheMessages() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "64"}});
        CellMapData data;
        for (const auto& [op, least] : {std::pair(CollectiveOp::ReduceScatter, 10.0), {CollectiveOp::AllGather, 9.0}}) {
            data = {};
            addMessageDots(*fabric, usualRequest(), op, usualSizes(), {1, 16, 64, 128}, data);
            QCOMPARE(data.dots.size(), std::size_t{3});
            QCOMPARE(data.dots[0].y, 0.0);
            QCOMPARE(data.dots[0].x, 9.0); // 128 MiB = 256 KiB * 2^9
            for (const std::size_t d : {1, 2}) QCOMPARE(data.dots[d].y, 2.0);
            QVERIFY(data.dots[1].x > least && data.dots[1].x < least + 1);
        }
        data = {};
        addMessageDots(*fabric, usualRequest(), CollectiveOp::AllReduce, usualSizes(), {1, 16, 64, 128}, data);
        QVERIFY(data.dots.empty());
        QVERIFY2(data.dotText.contains(QStringLiteral("it uses all-gather and reduce-scatter")), qPrintable(data.dotText));
        addMessageDots(*fabric, *readJob({{"tp", "3"}}), CollectiveOp::AllReduce, usualSizes(), {1}, data);
        QVERIFY2(data.dotText.contains(QStringLiteral("TP = 3")), qPrintable(data.dotText));
    }
    void pairsOfTheMatrixAreNamed() {
        const MatrixMapData data = jobTrafficMap(*test::fabricOf("rail-optimized", {{"servers", "4"}}), usualRequest(), false);
        MatrixMap map;
        map.resize(700, 500);
        map.show(data, lightTokens());
        map.grab();
        const auto at = [&](double receiver, double sender) {
            return map.tipAt(QPoint(qRound(map.plot().xAxis->coordToPixel(receiver)), qRound(map.plot().yAxis->coordToPixel(sender))))
                .html();
        };
        QVERIFY2(at(2, 1).contains(QStringLiteral("su[1]/srv[1]/gpu[1] → su[1]/srv[1]/gpu[2]")), qPrintable(at(2, 1)));
        QVERIFY(at(9, 1).contains(QStringLiteral("DP")));
        QVERIFY(at(20, 1).isEmpty());
        QVERIFY(std::abs(map.plot().axisRect()->width() - map.plot().axisRect()->height()) <= 1);
    }
    void newFabricShowsCandidatesWhileTyping() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* gpus = dialog.findChild<QLineEdit*>(QStringLiteral("new-gpus"));
        auto* table = dialog.findChild<CandidateTable*>(QStringLiteral("candidates"));
        auto* create = dialog.findChild<QDialogButtonBox*>()->buttons().first();
        const auto cell = [&](int row, std::string_view key) { return table->item(row, table->columnOf(key))->text(); };
        const auto rowOf = [&](const QString& layout) {
            for (int row = 0; row < table->rowCount(); ++row)
                if (table->item(row, 0)->text().startsWith(layout + QLatin1Char('\n'))) return row;
            return -1;
        };
        gpus->setText(QStringLiteral("4,096"));
        dialog.waitForCandidates();
        QCOMPARE(cell(rowOf(QStringLiteral("Rail-optimized")), "counts.switches_all_networks"), QStringLiteral("320"));
        QCOMPARE(cell(rowOf(QStringLiteral("Rail-only")), "counts.switches_all_networks"), QStringLiteral("192"));
        std::set<QString> rows; // no two with equal figures, none without a reason
        for (int row = 0; row < table->rowCount(); ++row) {
            QVERIFY(!table->item(row, 0)->icon().isNull());
            QVERIFY(!table->item(row, table->reasonColumn())->text().isEmpty());
            QString figures;
            for (int column = 1; column < table->reasonColumn(); ++column) figures += table->item(row, column)->text() + QLatin1Char('|');
            QVERIFY2(rows.insert(figures).second, qPrintable(figures));
        }
        QVERIFY(table->rowCount() >= 3);
        // A layout that was chosen stays chosen.
        table->selectRow(rowOf(QStringLiteral("Rail-only")));
        gpus->setText(QStringLiteral("2048"));
        dialog.waitForCandidates();
        QCOMPARE(dialog.call().name, std::string("rail-only"));
        QVERIFY(create->isEnabled());
        // What no server holds: the nearest, and nothing to create.
        gpus->setText(QStringLiteral("4099"));
        dialog.waitForCandidates();
        QVERIFY2(table->item(0, table->reasonColumn())->text().contains(QStringLiteral("4096 and 4104")),
                 qPrintable(table->item(0, table->reasonColumn())->text()));
        QVERIFY(!create->isEnabled());
        gpus->setText(QStringLiteral("a lot"));
        dialog.waitForCandidates();
        QVERIFY(!create->isEnabled() && table->rowCount() == 0);
    }
    void newFabricAsksForWhatCandidatesTake() {
        RequirementForm form(*shippedCatalog());
        const auto type = [&](const char* name, const char* typed) {
            form.findChild<QLineEdit*>(QLatin1String(name))->setText(QLatin1String(typed));
        };
        const auto none = form.requirements();
        QVERIFY(none && none->vendor.empty() && !none->link && !none->intervalHours && !none->training.contains("tokens"));
        auto* vendor = form.findChild<QComboBox*>(QStringLiteral("new-vendor"));
        auto* part = form.findChild<QComboBox*>(QStringLiteral("new-switch"));
        vendor->setCurrentIndex(vendor->findData(QStringLiteral("Arista")));
        type("new-link", "400");
        type("new-interval", "12.5");
        const auto asked = form.requirements();
        QVERIFY(asked);
        QCOMPARE(asked->vendor, std::string("Arista"));
        QCOMPARE(*asked->link, Bandwidth(400e9));
        QCOMPARE(*asked->intervalHours, 12.5);
        part->setCurrentIndex(1); // a switch has its vendor
        QVERIFY(!vendor->isEnabled() && form.requirements()->vendor.empty());
        type("new-link", "fast");
        QVERIFY(!form.requirements());
        QVERIFY(form.findChild<QLineEdit*>(QStringLiteral("new-link"))->property("danger").toBool());
        for (const char* size : {"inf", "nan", "1e30", "1e10", "-5", "0"}) {
            type("new-link", "");
            type("new-gpus", size);
            QVERIFY2(!form.requirements(), size);
        }
        type("new-gpus", "1,024");
        QVERIFY(form.requirements());
        QVERIFY(!form.findChild<QLineEdit*>(QStringLiteral("new-link"))->property("danger").toBool());
        type("new-link", "");
        form.findChild<QToolButton*>(QStringLiteral("new-basis-3"))->setChecked(true);
        type("new-tokens", "15,000");
        QCOMPARE(form.requirements()->training.at("tokens"), std::string("15000000000000"));
        type("new-tokens", "-1");
        QVERIFY(!form.requirements());
    }
    // A power or a budget says how many GPUs there are; sizes differ then, so costs are not compared.
    void newFabricTakesABudget() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* table = dialog.findChild<CandidateTable*>(QStringLiteral("candidates"));
        dialog.findChild<QToolButton*>(QStringLiteral("new-basis-2"))->click();
        dialog.waitForCandidates();
        const auto gpusOf = [&](int row) { return table->item(row, 1)->text().remove(QLatin1Char(',')).toInt(); };
        QVERIFY(table->rowCount() >= 3 && gpusOf(0) > gpusOf(1));
        QCOMPARE(std::stoi(dialog.call().parameters.at("servers")) * 8, gpusOf(0));
        QVERIFY(!dialog.findChild<QLabel*>(QStringLiteral("new-title"))->text().contains(QStringLiteral("cost")));
        for (int row = 0; row < table->rowCount(); ++row) {
            QVERIFY(!table->item(row, table->columnOf("cost.all_networks_usd"))->font().bold());
            QVERIFY(!table->item(row, table->reasonColumn())->text().contains(QStringLiteral("cost")));
        }
        QVERIFY(table->item(0, table->columnOf("counts.gpus"))->font().bold());
    }
    // What may be less than the figure of another fabric is not called the best.
    void aBoundIsNotTheBest() {
        const auto candidateWith = [](double fraction, bool isCertified) {
            DrawnCandidate candidate;
            candidate.ranked.found.instant = InstantMetrics();
            candidate.ranked.found.background = BackgroundMetrics();
            for (Bisection& each : candidate.ranked.found.background->bisection) {
                each.fractionOfInjection = fraction;
                each.certified = isCertified;
            }
            return candidate;
        };
        CandidateTable table(lightTokens());
        const int column = table.columnOf("bisection.gpu_network_only.fraction_of_injection");
        QVERIFY(column < table.reasonColumn());
        const auto bolds = [&](const std::vector<DrawnCandidate>& candidates) {
            table.show(candidates, {});
            return std::pair(table.item(0, column)->font().bold(), table.item(1, column)->font().bold());
        };
        QCOMPARE(bolds({candidateWith(0.5, true), candidateWith(1, true)}), std::pair(false, true));
        QCOMPARE(bolds({candidateWith(0.5, true), candidateWith(1, false)}), std::pair(false, false));
        QCOMPARE(bolds({candidateWith(0.5, false), candidateWith(1, true)}), std::pair(false, true));
        QCOMPARE(bolds({candidateWith(0.5, false), candidateWith(1, false)}), std::pair(false, false));
        for (const bool isFirst : {true, false}) // none can have more than the certain one
            QCOMPARE(bolds({candidateWith(1, isFirst), candidateWith(1, !isFirst)}), std::pair(isFirst, !isFirst));
    }
    // By every figure, the best first; what was chosen stays chosen, and what is unknown or missed stands last.
    void candidatesAreSorted() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* table = dialog.findChild<CandidateTable*>(QStringLiteral("candidates"));
        auto* order = dialog.findChild<QComboBox*>(QStringLiteral("new-order"));
        dialog.findChild<QLineEdit*>(QStringLiteral("new-gpus"))->setText(QStringLiteral("4,096"));
        dialog.waitForCandidates();
        const auto names = [&] {
            QStringList all;
            for (int row = 0; row < table->rowCount(); ++row) all << table->item(row, 0)->text();
            return all;
        };
        const QStringList ranked = names();
        QVERIFY(ranked.size() >= 3);
        table->selectRow(1);
        const RecipeCall chosen = dialog.call();
        for (int by = 1; by < order->count(); ++by) {
            order->setCurrentIndex(by);
            QCOMPARE(dialog.call().parameters, chosen.parameters);
            const QStringList now = names();
            QCOMPARE(std::set<QString>(now.begin(), now.end()), std::set<QString>(ranked.begin(), ranked.end()));
        }
        order->setCurrentIndex(order->findData(QStringLiteral("counts.switches_all_networks")));
        int before = 0;
        for (int row = 0; row < table->rowCount() && !table->item(row, 0)->text().startsWith(QStringLiteral("Nearest miss")); ++row) {
            const int switches = table->item(row, table->columnOf("counts.switches_all_networks"))->text().remove(QLatin1Char(',')).toInt();
            QVERIFY(switches >= before);
            before = switches;
        }
        QVERIFY(before > 0);
        order->setCurrentIndex(0);
        QCOMPARE(names(), ranked);
        std::vector<DrawnCandidate> rows(3); // without figures, and a miss among them
        rows[0].ranked.misses = {{"budget", "too dear"}};
        rows[1].ranked.name = "first", rows[2].ranked.name = "second";
        const auto sorted = sortedCandidates(rows, "cost.all_networks_usd");
        QVERIFY(sorted[2].isMiss());
        QCOMPARE(sorted[0].ranked.name, std::string("first"));
    }
    void newFabricTakesAModelInDays() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* model = dialog.findChild<QComboBox*>(QStringLiteral("new-model"));
        model->setCurrentIndex(model->findData(QStringLiteral("llama3-405b")));
        dialog.findChild<QToolButton*>(QStringLiteral("new-basis-3"))->click();
        dialog.waitForCandidates();
        QVERIFY(!dialog.call().name.empty());
        const auto design = dialog.design();
        QVERIFY(design && design->training);
        QCOMPARE(design->training->options.at("model"), std::string("llama3-405b"));
        const TrainingFigures figures = trainingFiguresOf(*elaborate(std::make_shared<const Design>(*design)));
        QVERIFY(figures.estimate && figures.estimate->isFeasible() && figures.estimate->days() <= 30);
    }
    void theNearestMissCannotBeChosen() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* table = dialog.findChild<CandidateTable*>(QStringLiteral("candidates"));
        dialog.findChild<QLineEdit*>(QStringLiteral("new-bisection"))->setText(QStringLiteral("0.9"));
        dialog.waitForCandidates();
        const int last = table->rowCount() - 1;
        QVERIFY2(table->item(last, 0)->text().startsWith(QStringLiteral("Nearest miss")), qPrintable(table->item(last, 0)->text()));
        QVERIFY(!(table->item(last, 0)->flags() & Qt::ItemIsSelectable));
        QVERIFY(table->item(last, table->reasonColumn())->text().contains(QStringLiteral("at least 0.9 is required")));
        for (int row = 0; row < last; ++row)
            QVERIFY(table->item(row, table->columnOf("bisection.gpu_with_hb.fraction_of_injection"))->text().toDouble() >= 0.9);
    }
    // At 1,024 GPUs the usual settings use every leaf port: others make room for managers.
    void managersDoNotBlankTheCandidates() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* table = dialog.findChild<CandidateTable*>(QStringLiteral("candidates"));
        dialog.findChild<QLineEdit*>(QStringLiteral("new-gpus"))->setText(QStringLiteral("1024"));
        dialog.findChild<QCheckBox*>(QStringLiteral("manager_ports"))->setChecked(true);
        dialog.waitForCandidates();
        QVERIFY(table->rowCount() >= 3);
        for (int row = 0; row < table->rowCount(); ++row) {
            QCOMPARE(table->item(row, 1)->text(), QStringLiteral("1,024"));
            table->selectRow(row);
            QCOMPARE(dialog.call().parameters.at("manager_ports"), std::string("2"));
            const auto built = build(dialog.call(), "managers", shippedCatalog());
            QVERIFY2(built, built ? "" : built.error().text.c_str());
        }
    }
    // 16 GPUs have no memory for the largest models, which is the reason why there is no step time.
    void aMissingStepTimeIsExplained() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* table = dialog.findChild<CandidateTable*>(QStringLiteral("candidates"));
        dialog.findChild<QLineEdit*>(QStringLiteral("new-gpus"))->setText(QStringLiteral("16"));
        auto* models = dialog.findChild<QComboBox*>(QStringLiteral("new-model"));
        models->setCurrentIndex(models->findData(QStringLiteral("llama3-405b")));
        dialog.waitForCandidates();
        QVERIFY(table->rowCount() > 0);
        const QTableWidgetItem* reason = table->item(0, table->reasonColumn());
        const QString brief = QStringLiteral("no step time: the fullest GPU needs ");
        QVERIFY2(reason->text().contains(brief) && !reason->text().contains(QLatin1Char(';')), qPrintable(reason->text()));
        QVERIFY2(reason->toolTip().contains(brief) && reason->toolTip().contains(QLatin1Char(';')), qPrintable(reason->toolTip()));
        models->setCurrentIndex(models->findData(QStringLiteral("llama3-8b")));
        dialog.waitForCandidates();
        QVERIFY(!table->item(0, table->reasonColumn())->text().contains(QStringLiteral("no step time")));
    }
    // At 2,048 GPUs managers need a tier more, which is said with the size that does not.
    void aTierThatManagersCrossIsSaid() {
        const Tokens tokens = lightTokens();
        NewFabricDialog dialog(shippedCatalog(), tokens);
        auto* gpus = dialog.findChild<QLineEdit*>(QStringLiteral("new-gpus"));
        gpus->setText(QStringLiteral("2048"));
        dialog.findChild<QCheckBox*>(QStringLiteral("manager_ports"))->setChecked(true);
        dialog.waitForCandidates();
        const QString hint = dialog.findChild<QLabel*>(QStringLiteral("new-hint"))->text();
        QVERIFY2(hint.contains(QStringLiteral("2,040 GPUs save a tier")), qPrintable(hint));
        dialog.findChild<QPushButton*>(QStringLiteral("new-use-smaller"))->click();
        QCOMPARE(gpus->text(), QStringLiteral("2040"));
    }
    void zoomedOutTheMatrixIsSquareAndWhole() {
        MatrixMap map;
        map.resize(900, 500);
        map.show(jobTrafficMap(*test::fabricOf("rail-optimized", {{"servers", "4"}}), usualRequest(), false), lightTokens());
        QCustomPlot& plot = map.plot();
        const auto isInside = [&] {
            plot.replot(QCustomPlot::rpImmediateRefresh);
            const QCPRange x = plot.xAxis->range(), y = plot.yAxis->range();
            return std::abs(x.size() - y.size()) < 1e-9 && x.lower >= 0.5 - 1e-9 && y.lower >= 0.5 - 1e-9 && x.upper < 32.5 + 1e-9 &&
                   y.upper < 32.5 + 1e-9;
        };
        plot.xAxis->setRange(3, 9), plot.yAxis->setRange(20, 26);
        QVERIFY(isInside() && plot.xAxis->range().size() < 6.1);
        plot.yAxis->moveRange(40); // dragged out at the bottom
        QVERIFY(isInside());
        plot.xAxis->scaleRange(9, 1), plot.yAxis->scaleRange(9, 30);
        QVERIFY(isInside() && plot.xAxis->range().size() > 31);
    }
    void picturesAreWritten() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        PictureOptions options;
        options.size = QSize(800, 500);
        for (const char* name : {"a.png", "a.svg", "a.pdf"}) QVERIFY(drawTopology(*fabric, folder.filePath(QLatin1String(name)), options));
        QCOMPARE(QImage(folder.filePath(QStringLiteral("a.png"))).size(), QSize(800, 500));
        const auto pdf = [&](const char* name) {
            const Status isDrawn = drawHeatMap(*fabric, QStringLiteral("traffic"), folder.filePath(QLatin1String(name)), options);
            return isDrawn ? *readFile(folder.filePath(QLatin1String(name)).toStdString()) : std::string();
        };
        const std::string page = pdf("b.pdf");
        QVERIFY(page.starts_with("%PDF") && page.find("MediaBox [0 0 600") != std::string::npos); // points
        QVERIFY(page == pdf("c.pdf"));
        options.dpi = 192;
        QVERIFY(drawHeatMap(*fabric, QStringLiteral("decision"), folder.filePath(QStringLiteral("d.png")), options));
        QCOMPARE(QImage(folder.filePath(QStringLiteral("d.png"))).size(), QSize(1600, 1000));
        QVERIFY(!drawHeatMap(*fabric, QStringLiteral("weather"), folder.filePath(QStringLiteral("w.png")), options));
        QVERIFY(!drawTopology(*fabric, folder.filePath(QStringLiteral("no/such/a.png")), options));
    }
};

QTEST_MAIN(tst_views)
#include "tst_views.moc"
