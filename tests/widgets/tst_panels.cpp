#include "core/analysis/cable_edits.h"
#include "core/analysis/edit_effect.h"
#include "core/base/unit_text.h"
#include "core/io/tables/cable_schedule.h"
#include "tests/support/designs.h"
#include "widgets/dialogs/command_palette.h"
#include "widgets/dialogs/tour.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/panels/panel_scroll.h"
#include "widgets/panels/scope_bar.h"
#include "widgets/panels/tables_panel.h"
#include "widgets/panels/toast.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

using namespace railyard;

class tst_panels : public QObject {
    Q_OBJECT

    static void type(QWidget& panel, const char* field, const QString& text) {
        auto* edit = panel.findChild<QLineEdit*>(QLatin1String(field));
        QVERIFY2(edit, field);
        edit->setText(text);
        emit edit->editingFinished();
        QCoreApplication::processEvents();
    }

private slots:
    void fieldsTakeExpressions() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        InspectorPanel panel(document);
        type(panel, "parameter-servers", QStringLiteral("*1.5"));
        QCOMPARE(document.now().instant.counts.servers, 192);
        type(panel, "parameter-servers", QStringLiteral("64 + 32"));
        QCOMPARE(document.now().instant.counts.servers, 96);
        QCOMPARE(document.undoStack().count(), 2);
    }
    void refusalsStayInTheFieldWithTheirReason() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        InspectorPanel panel(document);
        panel.show();
        QSignalSpy refused(&panel, &InspectorPanel::refused);
        for (const char* text : {"abc", "/0", "0", "-500", "99999999999"}) {
            type(panel, "parameter-servers", QLatin1String(text));
            QCOMPARE(panel.findChild<QLineEdit*>(QStringLiteral("parameter-servers"))->text(), QLatin1String(text));
            auto* error = panel.findChild<QLabel*>(QStringLiteral("inspector-error"));
            QVERIFY2(error->isVisible() && error->text().size() > 15, text);
        }
        QCOMPARE(refused.size(), 5);
        QCOMPARE(document.undoStack().count(), 0);
        type(panel, "parameter-servers", QStringLiteral("64"));
        QVERIFY(!panel.findChild<QLabel*>(QStringLiteral("inspector-error"))->isVisible());
        QCOMPARE(document.now().instant.counts.servers, 64);
    }
    void severalElementsAreNamedAtOnce() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        InspectorPanel panel(document);
        panel.showSelection({"su[1]/leaf[1]", "su[1]/leaf[2]", "su[2]/srv[3]"});
        type(panel, "name", QStringLiteral("rack-#"));
        QCOMPARE(document.undoStack().count(), 1);
        QCOMPARE(document.now().design->overrides.at("su[1]/leaf[2]").label, std::string("rack-2"));
        QCOMPARE(panel.findChild<QLineEdit*>(QStringLiteral("name"))->placeholderText(), QStringLiteral("Several names"));
        type(panel, "name", QStringLiteral("same for all")); // would clash
        QCOMPARE(document.undoStack().count(), 1);
        panel.showSelection({"su[1]/leaf[2]"});
        QCOMPARE(panel.findChild<QLineEdit*>(QStringLiteral("name"))->text(), QStringLiteral("rack-2"));
        type(panel, "name", QString());
        QVERIFY(!document.now().design->overrides.contains("su[1]/leaf[2]"));
    }
    void pastedControlCharactersDoNotEnterADesign() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        InspectorPanel panel(document);
        panel.showSelection({"su[1]/leaf[1]"});
        type(panel, "name", QStringLiteral("red\x1b[31m"));
        QCOMPARE(QString::fromStdString(document.now().design->overrides.at("su[1]/leaf[1]").label), QStringLiteral("red\uFFFD[31m"));
    }
    // What a block holds is changed where one sees it: for the one, or with the scope for all.
    void blocksAreEditedInPlace() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        InspectorPanel panel(document);
        panel.showSelection({"su[3]/leaf[2]"});
        QCOMPARE(panel.findChild<QLineEdit*>(QStringLiteral("block-srv"))->text(), QStringLiteral("32"));
        type(panel, "block-srv", QStringLiteral("-12"));
        QCOMPARE(document.now().instant.counts.servers, 116);
        QCOMPARE(panel.findChild<QLineEdit*>(QStringLiteral("block-srv"))->text(), QStringLiteral("20"));
        panel.setScope(EditScope::All);
        type(panel, "block-srv", QStringLiteral("16"));
        QCOMPARE(document.now().instant.counts.servers, 64);
        document.undoStack().undo();
        document.undoStack().undo();
        QCOMPARE(document.now().instant.counts.servers, 128);
        panel.showSelection({"su[2]"});
        type(panel, "block-leaf", QStringLiteral("5000"));
        QCOMPARE(document.now().instant.counts.servers, 128); // refused
        for (auto* button : panel.findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Make unique")) button->click();
        QTRY_VERIFY(document.now().design->overrides.contains("su[2]"));
        QCOMPARE(document.now().instant.counts.servers, 128);
    }
    void tablesAreEditedInPlace() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        DeviceModel model(document);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy refused(&model, &DeviceModel::refused);
        const int row = model.rowOf("su[1]/leaf[3]");
        QVERIFY(model.flags(model.index(row, 9)) & Qt::ItemIsEditable);
        QVERIFY(!(model.flags(model.index(row, 4)) & Qt::ItemIsEditable));
        QVERIFY(model.setData(model.index(row, 9), QStringLiteral("odd one"), Qt::EditRole));
        QCoreApplication::processEvents();
        QCOMPARE(document.now().design->overrides.at("su[1]/leaf[3]").label, std::string("odd one"));
        QCOMPARE(model.data(model.index(row, 9), Qt::DisplayRole).toString(), QStringLiteral("odd one"));
        QVERIFY(!model.setData(model.index(row, 3), QStringLiteral("no-such-part"), Qt::EditRole));
        QVERIFY(!model.setData(model.index(row, 3), QStringLiteral("srv-dgx-h100"), Qt::EditRole)); // no switch
        QCOMPARE(refused.size(), 2);
    }
    // Switches of networks beside the compute fabric are listed too, as what follows from their parameters.
    void tablesListEveryNetwork() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"storage", "on"}, {"out_of_band", "on"}}), {});
        DeviceModel model(document);
        QCOMPARE(model.rowCount(), 176 + 17 + 6); // 8 leaves and 9 spines of storage; 5 leaves and a spine out of band
        const int row = model.rowOf("storage/su[1]/leaf[2]");
        QVERIFY(row >= 176);
        const auto cell = [&](int column) { return model.data(model.index(row, column), Qt::DisplayRole).toString(); };
        QCOMPARE(cell(1), QStringLiteral("storage leaf"));
        QCOMPARE(cell(2), QString());
        QCOMPARE(cell(4), QStringLiteral("63 of 64")); // 36 servers down, 27 up
        QCOMPARE(cell(5) + QLatin1Char(' ') + cell(6), QStringLiteral("36 27"));
        QVERIFY(!(model.flags(model.index(row, 3)) & Qt::ItemIsEditable) && !(model.flags(model.index(row, 9)) & Qt::ItemIsEditable));
    }
    void tablesSortNumbersAsNumbers() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "100"}}), {});
        TablesPanel panel(document);
        auto* view = panel.findChild<QTableView*>(QStringLiteral("devices"));
        view->sortByColumn(0, Qt::AscendingOrder);
        QStringList first;
        for (int row = 0; row < 16; ++row) first << view->model()->index(row, 0).data().toString();
        QVERIFY2(first.indexOf(QStringLiteral("spine[2]")) < first.indexOf(QStringLiteral("spine[10]")),
                 qPrintable(first.join(QLatin1Char(' '))));
        view->sortByColumn(5, Qt::DescendingOrder);
        int last = 1 << 20;
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            const int down = view->model()->index(row, 5).data().toInt();
            QVERIFY(down <= last);
            last = down;
        }
    }
    void linksAreATableToo() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        LinkModel model(document);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 2048);
        QCOMPARE(model.endsOf(0).size(), std::size_t{2});
        TablesPanel panel(document);
        QSignalSpy selected(&panel, &TablesPanel::selected);
        auto* view = panel.findChild<QTableView*>(QStringLiteral("links"));
        view->selectRow(3);
        QCOMPARE(selected.size(), 1);
        // One row is its cable, in the menu too.
        const auto paths = selected[0][0].value<std::vector<std::string>>();
        QCOMPARE(paths, std::vector<std::string>{model.cableOf(3)});
        const auto link = cableAt(*document.now().fabric, paths[0]);
        QVERIFY(link && view->model()->index(3, LinkModel::UpperEnd).data().toString().toStdString() ==
                            portPath(*document.now().fabric, *link, false));
        // Cable, length and part as the cable schedule has them.
        const Table schedule = cableTable(*document.now().fabric, cablingOf(*document.now().fabric));
        const auto cell = [&](LinkModel::Column column) { return view->model()->index(3, column).data().toString().toStdString(); };
        bool isFound = false;
        for (const auto& row : schedule.rows) {
            if (std::get<std::string>(row[0]) != cell(LinkModel::Cable)) continue;
            isFound = true;
            bool hasPart = false;
            for (const auto& each : row)
                if (const auto* words = std::get_if<std::string>(&each))
                    hasPart = hasPart || (!words->empty() && cell(LinkModel::PartName).starts_with(*words));
            QVERIFY2(hasPart, cell(LinkModel::PartName).c_str());
        }
        QVERIFY(isFound);
        QCOMPARE(cell(LinkModel::Length), std::string("30"));
        // The cable that is selected in the drawing is its row.
        panel.showSelection({portPath(*document.now().fabric, LinkId(*link), true)});
        QCOMPARE(view->selectionModel()->selectedRows().size(), qsizetype{1});
        QCOMPARE(view->selectionModel()->selectedRows()[0].row(), 3);
        QSignalSpy menu(&panel, &TablesPanel::menuAsked);
        emit view->customContextMenuRequested({4, 4});
        QCOMPARE(menu.size(), 1);
        QCOMPARE(menu[0][0].value<std::vector<std::string>>(), paths);
        panel.findChild<QLineEdit*>(QStringLiteral("device-filter"))->setText(QStringLiteral("su[2]/leaf[4]:1"));
        QVERIFY(view->model()->rowCount() > 0 && view->model()->rowCount() < 20);
        // Ends with a label show it beside their path, and are found by it.
        QVERIFY(document.apply(labelElements(*document.now().design, {{"su[2]/leaf[4]", "DC1-L12"}})));
        panel.findChild<QLineEdit*>(QStringLiteral("device-filter"))->setText(QStringLiteral("DC1-L12"));
        QCOMPARE(view->model()->rowCount(), 64);
        QVERIFY(view->model()->index(0, LinkModel::UpperEnd).data().toString().contains(QStringLiteral(" · DC1-L12")) ||
                view->model()->index(0, LinkModel::LowerEnd).data().toString().contains(QStringLiteral(" · DC1-L12")));
    }
    void whatWasRemovedComesBack() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        QVERIFY(document.apply(removeElements(*document.now().design, {"spine[3]", "su[1]/srv[2]"})));
        QVERIFY(document.apply(labelElements(*document.now().design, {{"su[1]/leaf[1]", "x"}})));
        InspectorPanel panel(document);
        QPushButton* back = nullptr;
        for (QPushButton* button : panel.findChildren<QPushButton*>())
            if (button->text().contains(QStringLiteral("Revert all overrides"))) back = button;
        QVERIFY(back);
        back->click();
        QCoreApplication::processEvents();
        QCOMPARE(document.now().instant.counts.switches, std::int64_t{48});
        QVERIFY(document.now().design->overrides.empty());
    }
    // Figures pinned under two names; the last column shows the difference to the one that is chosen.
    void baselinesAreKeptByName() {
        Document document;
        document.open(test::designOf("rail-optimized", {{"servers", "64"}, {"su_servers", "32"}}), {});
        document.waitForBackground();
        const auto bisectionNow = [&] { return document.background()->bisection[1].upperGbps; };
        const double of64 = bisectionNow();
        MetricsPanel panel(document);
        auto* choice = panel.findChild<QComboBox*>(QStringLiteral("baseline"));
        const auto delta = [&](const char* row) { // beside the value
            const auto labels = panel.findChildren<QLabel*>(QStringLiteral("delta-") + QLatin1String(row));
            return labels.isEmpty() ? QStringLiteral("no such row") : labels.front()->text();
        };
        panel.baselines().pin(QStringLiteral("64 servers"));
        QCOMPARE(delta("bisection.gpu_network_only.fraction_of_injection"), QString()); // nothing changed yet
        QVERIFY(document.apply(setServers(*document.now().design, 128)));
        panel.baselines().pin(QStringLiteral("128 servers")); // before its background figures are there
        document.waitForBackground();
        const double of128 = bisectionNow();
        QVERIFY(document.apply(setParameters(*document.now().design, {{"oversubscription", "2:1"}})));
        document.waitForBackground();
        QCOMPARE(choice->count(), 3);
        QCOMPARE(choice->currentText(), QStringLiteral("128 servers"));
        QCOMPARE(delta("bisection.gpu_network_only.fraction_of_injection"),
                 QStringLiteral("−%1 %").arg((1 - bisectionNow() / of128) * 100, 0, 'f', 0));
        QCOMPARE(delta("counts.gpus"), QString());
        choice->setCurrentIndex(1);
        QCOMPARE(delta("bisection.gpu_network_only.fraction_of_injection"),
                 QStringLiteral("+%1 %").arg((bisectionNow() / of64 - 1) * 100, 0, 'f', 0));
        QCOMPARE(delta("counts.gpus"), QStringLiteral("+512"));
        panel.baselines().forget(QStringLiteral("64 servers"));
        QCOMPARE(choice->count(), 2);
        // Pinned while the figures of the whole are computed: those of what is left do not become them.
        QVERIFY(document.apply(setServers(*document.now().design, 96)));
        panel.baselines().pin(QStringLiteral("96 servers"));
        document.setFailures({{"tier=spine"}, 0, 1});
        document.waitForBackground();
        QVERIFY(!panel.baselines().chosen()->background);
        document.setFailures({});
        document.waitForBackground();
        choice->setCurrentIndex(0);
        QVERIFY(!panel.baselines().chosen());
        QCOMPARE(delta("bisection.gpu_network_only.fraction_of_injection"), QStringLiteral("certified"));
    }
    void aToastTakesTheEditBack() {
        QWidget view;
        view.resize(600, 400);
        Toast toast(&view);
        int taken = 0;
        toast.say(QStringLiteral("1 override of the recipe"), QStringLiteral("Revert"), [&] { ++taken; });
        QVERIFY(toast.isVisibleTo(&view) && view.rect().contains(toast.geometry()));
        toast.findChild<QPushButton*>()->click();
        QCOMPARE(taken, 1);
        QVERIFY(!toast.isVisibleTo(&view));
    }
    // An empty drawing has no bisection, so none is called certified.
    void anEmptyDrawingCertifiesNothing() {
        Document document;
        MetricsPanel panel(document);
        document.waitForBackground();
        for (const char* row : {"bisection.gpu_network_only.fraction_of_injection", "bisection.gpu_with_hb.fraction_of_injection"}) {
            QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("metric-") + QLatin1String(row))->text(), QStringLiteral("–"));
            QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("delta-") + QLatin1String(row))->text(), QString());
        }
        document.open(test::designOf("superpod-h100"), {});
        document.waitForBackground();
        QCOMPARE(panel.findChild<QLabel*>(QStringLiteral("delta-bisection.gpu_network_only.fraction_of_injection"))->text(),
                 QStringLiteral("certified"));
    }
    // Several kinds or positions are not called by the first one.
    void mixedSelectionsAreNamedByAllTheirKinds() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        InspectorPanel panel(document);
        ScopeBar bar(document, panel);
        bar.resize(1400, 60);
        const auto segments = [&] {
            QStringList words;
            for (const auto* button : bar.findChildren<QToolButton*>())
                if (button->property("segment").toBool()) words << button->text();
            return words.join(QStringLiteral(" | "));
        };
        auto* takes = bar.findChild<QLabel*>(QStringLiteral("scope-takes"));
        panel.showSelection({"su[2]/leaf[1]", "su[2]/srv[5]"});
        QCOMPARE(segments(), QStringLiteral("1  These 2 elements | 3  Same positions in every SU (8) | 4  All of these kinds (160)"));
        QTRY_VERIFY(takes->text().startsWith(QStringLiteral("Delete: 1 leaf, 1 server, 71 cables"))); // 32 up, 32 down, 8 − 1 of the server
        bar.resize(460, 140); // short names, and all words on lines of their own
        bar.show();
        QApplication::processEvents();
        QCOMPARE(segments(), QStringLiteral("1  This | 3  In each SU (8) | 4  All (160)"));
        QVERIFY(takes->heightForWidth(takes->width()) <= takes->height() && takes->width() > 200);
        bar.resize(1400, 60);
        QApplication::processEvents();
        QVERIFY(segments().startsWith(QStringLiteral("1  These 2 elements")));
        QVERIFY(!panel.findChild<QLineEdit*>(QStringLiteral("block-leaf"))); // a server has no leaves to count
        panel.showSelection({"su[2]/leaf[1]", "su[3]/leaf[2]"});
        QVERIFY(panel.findChild<QLineEdit*>(QStringLiteral("block-leaf")));
        QCOMPARE(segments(), QStringLiteral("1  These 2 leaves | 3  Same positions in every SU (8) | 4  All leaves (32)"));
        QTRY_VERIFY(takes->text().startsWith(QStringLiteral("Delete: 2 leaves, 128 cables")));
    }
    // Below the drawing: the edit scopes, each with its key and number of elements, and what Delete would save and cut off.
    void scopesAreShown() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "512"}}), {});
        document.waitForBackground();
        InspectorPanel panel(document);
        ScopeBar bar(document, panel);
        bar.resize(1400, 60);
        const auto segments = [&] {
            QStringList words;
            for (const auto* button : bar.findChildren<QToolButton*>())
                if (button->property("segment").toBool()) words << (button->isChecked() ? QStringLiteral("*") : QString()) + button->text();
            return words.join(QStringLiteral(" | "));
        };
        QVERIFY(bar.isHidden());
        panel.showSelection({"su[6]/leaf[4]"});
        QVERIFY(!bar.isHidden());
        QCOMPARE(segments(),
                 QStringLiteral("*1  This leaf | 2  Position 4 in its pod (4) | 3  Position 4 in every SU (16) | 4  All leaves (128)"));
        panel.setScope(EditScope::Position);
        QCOMPARE(segments(),
                 QStringLiteral("1  This leaf | 2  Position 4 in its pod (4) | *3  Position 4 in every SU (16) | 4  All leaves (128)"));
        panel.showSelection({"pod[2]/spine[3]"}); // counted in pods, not in SUs
        QVERIFY2(segments().contains(QStringLiteral("Position 3 in every pod (4)")), qPrintable(segments()));
        panel.showSelection({"su[6]/leaf[4]"});
        panel.setScope(EditScope::Position);
        const auto without = costOfRemoving(*document.now().fabric, document.now().instant, gpusOnFabric(*document.now().fabric),
                                            inScope(*document.now().fabric, {"su[6]/leaf[4]"}, EditScope::Position));
        QVERIFY(without && without->change->inCents() < 0 && !without->isComplete);
        QCOMPARE(without->switches, 16);
        QCOMPARE(without->cables, 16 * 64);
        QCOMPARE(without->gpusCutOff, 16 * 32);
        auto* takes = bar.findChild<QLabel*>(QStringLiteral("scope-takes"));
        QTRY_VERIFY(!takes->text().isEmpty());
        const QString said = takes->text(), breaks = bar.findChild<QLabel*>(QStringLiteral("scope-breaks"))->text();
        // What is said is what Delete does.
        const InstantMetrics before = document.now().instant;
        const double bisection = document.background()->bisection[1].upperGbps;
        QVERIFY(document.apply(removeElements(*document.now().design, panel.affected())));
        document.waitForBackground();
        const InstantMetrics& after = document.now().instant;
        QCOMPARE(before.counts.switches - after.counts.switches, 16);
        const auto money = [](Money amount) { return QString::fromStdString(formatMoney(amount)); };
        QCOMPARE(said, QStringLiteral("Delete: 16 leaves, %1 cables, %2 modules · ≥ %3 less")
                           .arg(QString::fromStdString(formatCount(before.cables.cables - after.cables.cables)))
                           .arg(*before.cables.pluggables - *after.cables.pluggables)
                           .arg(money(before.bill.total - after.bill.total)));
        const auto bandwidth = [](double gbps) { return QString::fromStdString(formatBandwidth(gigabitsPerSecond(gbps))); };
        QCOMPARE(breaks, QStringLiteral("512 GPUs lose their NIC · bisection %1 to %2")
                             .arg(bandwidth(bisection), bandwidth(document.background()->bisection[1].upperGbps)));
        panel.showSelection({"spine[1]"}); // gone, or the only one of its position: no scope that adds nothing
        QVERIFY(!segments().contains(QStringLiteral("(1)")));
        panel.showSelection({});
        QVERIFY(bar.isHidden());
    }
    // A language with longer words makes a panel wider, up to where the drawing would suffer.
    void panelsAreAsWideAsTheirWords() {
        auto* content = new QWidget;
        PanelScroll panel(content, 300);
        QCOMPARE(panel.minimumWidth(), 300);
        panel.show();
        for (const auto& [needs, least, most] : {std::tuple(380, 380, 420), std::tuple(2000, 480, 480), std::tuple(50, 300, 300)}) {
            content->setMinimumWidth(0);
            delete content->layout();
            qDeleteAll(content->children());
            auto* layout = new QVBoxLayout(content);
            auto* label = new QLabel;
            label->setMinimumWidth(needs);
            layout->addWidget(label);
            QTRY_VERIFY(panel.minimumWidth() >= least && panel.minimumWidth() <= most);
        }
    }
    void theTourLeadsThroughEveryStep() {
        Tour tour(nullptr);
        QSignalSpy sample(&tour, &Tour::sampleAsked);
        QPushButton* next = nullptr;
        for (QPushButton* button : tour.findChildren<QPushButton*>())
            if (button->isDefault()) next = button;
        QVERIFY(next);
        QStringList texts;
        for (int step = 0; step < Tour::stepCount(); ++step) {
            QCOMPARE(tour.step(), step);
            for (QLabel* label : tour.findChildren<QLabel*>()) texts << label->text();
            next->click();
        }
        QCOMPARE(tour.result(), static_cast<int>(QDialog::Accepted));
        QVERIFY(texts.filter(QStringLiteral("Ctrl+Shift+P")).size() == 1);
    }
    void thePaletteFindsActionsElementsAndParts() {
        const FabricPointer fabric = test::fabricOf("superpod-h100");
        QAction fit(QStringLiteral("&Fit the design")), off(QStringLiteral("Fit the selection"));
        off.setEnabled(false);
        const auto chosen = [&](const char* text) {
            auto palette = std::make_unique<CommandPalette>(QList<QAction*>{&fit, &off}, fabric, false, nullptr);
            palette->findChild<QLineEdit*>()->setText(QLatin1String(text));
            emit palette->findChild<QLineEdit*>()->returnPressed();
            return palette;
        };
        QCOMPARE(chosen("design fit")->action(), &fit);
        // Actions of submenus, by the words of the menus and of their tips too.
        QMenu edit(QStringLiteral("&Edit"));
        QAction* row = edit.addMenu(QStringLiteral("Al&ign"))->addAction(QStringLiteral("In a &row"));
        row->setStatusTip(QStringLiteral("Side by side"));
        for (const char* words : {"align", "edit row", "side by"}) {
            CommandPalette palette({edit.menuAction()}, fabric, false, nullptr);
            palette.findChild<QLineEdit*>()->setText(QLatin1String(words));
            emit palette.findChild<QLineEdit*>()->returnPressed();
            QCOMPARE(palette.action(), row);
        }
        QCOMPARE(chosen("su 2 leaf 4:17")->path(), QStringLiteral("su[2]/leaf[4]:17"));
        QCOMPARE(chosen("sn5600")->partId(), QStringLiteral("sw-sn5600"));
        const auto nothing = chosen("zebra");
        QVERIFY(!nothing->action() && nothing->path().isEmpty() && nothing->partId().isEmpty());
        QVERIFY(nothing->findChild<QListWidget*>()->item(0)->text().contains(QStringLiteral("zebra")));
    }
    // The job of the design, with its model; one that does not fit says so.
    void theTrainingJobIsAmongTheMetrics() {
        Document document;
        MetricsPanel panel(document);
        document.open(test::designOf("superpod-h100", {{"servers", "32"}}), {});
        document.waitForBackground();
        const auto text = [&](const char* name) { return panel.findChild<QLabel*>(QLatin1String(name))->text(); };
        const TrainingEstimate& usual = *document.background()->training->estimate;
        QCOMPARE(panel.findChild<QPushButton*>(QStringLiteral("why-training.iteration_s"))->text(),
                 QStringLiteral("Iteration, Llama-3 70B"));
        QCOMPARE(text("metric-training.iteration_s"), QString::fromStdString(formatSeconds(usual.iteration)));
        QVERIFY(text("metric-training.exposed_network_fraction")
                    .startsWith(QString::fromStdString(formatShare(usual.exposedOnNetwork() / usual.iteration))));
        QVERIFY(document.apply(setTraining(*document.now().design, NamedOptions{{{"model", "gpt3-175b"}}, {}})));
        document.waitForBackground();
        QCOMPARE(panel.findChild<QPushButton*>(QStringLiteral("why-training.iteration_s"))->text(),
                 QStringLiteral("Iteration, GPT-3 175B"));
        QCOMPARE(text("delta-training.iteration_s"), QStringLiteral("too large"));
        QVERIFY(document.apply(setTraining(*document.now().design, NamedOptions{{{"tp", "3"}}, {}})));
        document.waitForBackground();
        QCOMPARE(text("metric-training.iteration_s"), QStringLiteral("–"));
    }
};

QTEST_MAIN(tst_panels)
#include "tst_panels.moc"
