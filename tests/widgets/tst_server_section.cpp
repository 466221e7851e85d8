// The inspector of one server: what stands in it, where its NICs lead, and that the tray of a rack is not deleted.
#include "core/analysis/cable_edits.h"
#include "core/design/edits/edit.h"
#include "tests/support/designs.h"
#include "widgets/document/server_facts.h"
#include "widgets/panels/inspector_panel.h"
#include "widgets/panels/scope_bar.h"
#include "widgets/panels/server_picture.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <numeric>

using namespace railyard;

class tst_server_section : public QObject {
    Q_OBJECT

    static std::optional<ServerFacts> factsOf(const char* recipe, const test::Parameters& parameters, const char* path) {
        const auto fabric = test::fabricOf(recipe, parameters);
        return serverFactsAt(*fabric, cablingOf(*fabric), path);
    }

private slots:
    void aTrayOfARack() {
        const auto facts = factsOf("superpod-gb200", {{"servers", "36"}}, "su[2]/hb[1]/srv[5]");
        QVERIFY(facts);
        QCOMPARE(facts->gpus, (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(facts->nics, (std::vector<int>{1, 2, 3, 4}));
        QCOMPARE(facts->rows.size(), std::size_t{4});
        for (std::size_t n = 0; n < 4; ++n) {
            QCOMPARE(facts->rows[n].rail, static_cast<int>(n) + 1);
            QCOMPARE(facts->rows[n].farPath, QStringLiteral("su[2]/leaf[%1]:5").arg(n + 1));
            QCOMPARE(facts->rows[n].farEnd, QStringLiteral("leaf[%1]:5").arg(n + 1));
            QCOMPARE(facts->nicsOf[n], (std::vector<std::size_t>{n}));
        }
        QCOMPARE(facts->hbSwitches.size(), std::size_t{18});
        QCOMPARE(facts->hbSwitchesPerTray, 2);
        QCOMPARE(facts->hbLinks, std::vector<std::vector<int>>(4, std::vector<int>(18, 1)));
        QCOMPARE(inGbytesPerSecond(facts->hbOfGpu), 900.0);
        QCOMPARE(inGbytesPerSecond(facts->hbLink), 50.0);
    }
    // 18 links of a GPU to four switches, which stand in no tray: 5, 5, 4 and 4, or a link of their joint speed.
    void aServerWithItsOwnSwitches() {
        const auto facts = factsOf("rail-optimized", {{"servers", "32"}}, "su[1]/srv[3]");
        QVERIFY(facts);
        QCOMPARE(facts->gpus.size(), std::size_t{8});
        QCOMPARE(facts->hbSwitches.size(), std::size_t{4});
        QCOMPARE(facts->hbSwitchesPerTray, 0);
        QCOMPARE(inGbytesPerSecond(facts->hbOfGpu), 450.0);
        for (const auto& row : facts->hbLinks) QVERIFY(std::accumulate(row.begin(), row.end(), 0) > 0);
    }
    // Every port of a NIC with two has a row; a NIC without a cable says so.
    void portsAndFreeNics() {
        const auto two = factsOf("rail-optimized", {{"servers", "32"}, {"nic_ports", "2"}, {"planes", "2"}}, "su[1]/srv[3]");
        QVERIFY(two);
        QCOMPARE(two->nics.size(), std::size_t{8});
        QCOMPARE(two->rows.size(), std::size_t{16});
        const auto design = test::designOf("rail-optimized", {{"servers", "32"}});
        const auto edit = railyard::disconnect(*elaborate(design), "su[1]/leaf[2]:3");
        QVERIFY(edit);
        const auto without = elaborate(edit->design);
        const auto facts = serverFactsAt(*without, cablingOf(*without), "su[1]/srv[3]");
        QVERIFY(facts);
        QCOMPARE(facts->rows.size(), std::size_t{8});
        QVERIFY(facts->rows[1].farEnd.isEmpty() && !facts->rows[2].farEnd.isEmpty());
    }
    void onlyServersHaveOne() {
        for (const char* path : {"spine[1]", "su[1]", "su[1]/srv[99]", "", "su[1]/srv[3]/gpu[1]"})
            QVERIFY2(!factsOf("rail-optimized", {{"servers", "32"}}, path), path);
    }
    void theInspectorShowsIt() {
        Document document;
        document.open(test::designOf("superpod-gb200", {{"servers", "36"}}), {});
        InspectorPanel panel(document);
        panel.resize(330, 700);
        panel.showSelection({"su[1]/hb[1]/srv[5]"});
        auto* table = panel.findChild<QTableWidget*>(QStringLiteral("server-nics"));
        QVERIFY(table);
        QCOMPARE(table->rowCount(), 4);
        QCOMPARE(table->item(1, 2)->text(), QStringLiteral("leaf[2]:5"));
        QVERIFY(panel.findChild<QWidget*>(QStringLiteral("server-picture")) &&
                panel.findChild<QWidget*>(QStringLiteral("hb-link-squares")));
        QSignalSpy located(&panel, &InspectorPanel::locateAsked);
        emit table->cellDoubleClicked(1, 0);
        QCOMPARE(located.count(), 1);
        QCOMPARE(located.front().front().toString(), QStringLiteral("su[1]/leaf[2]:5"));
        if (const QByteArray picture = qgetenv("RAILYARD_PICTURES"); !picture.isEmpty())
            panel.grab().save(QString::fromLocal8Bit(picture) + QStringLiteral("/server_section.png"));
        panel.setTokens(darkTokens());
        QVERIFY(panel.findChild<QTableWidget*>(QStringLiteral("server-nics")));
        panel.showSelection({"spine[1]"});
        QVERIFY(!panel.findChild<QTableWidget*>(QStringLiteral("server-nics")));
    }
    void aTrayFailsButIsNotDeleted() {
        Document document;
        document.open(test::designOf("superpod-gb200", {{"servers", "36"}}), {});
        InspectorPanel panel(document);
        ScopeBar bar(document, panel);
        QSignalSpy fails(&bar, &ScopeBar::failAsked), deletes(&bar, &ScopeBar::deleteAsked);
        auto* button = bar.findChild<QPushButton*>(QStringLiteral("scope-delete"));
        panel.showSelection({"su[1]/hb[1]/srv[5]"});
        QCOMPARE(bar.findChild<QLabel*>(QStringLiteral("scope-takes"))->text(),
                 QStringLiteral("A tray is part of its rack: it can fail, not be deleted."));
        QCOMPARE(bar.findChild<QLabel*>(QStringLiteral("scope-breaks"))->text(),
                 QStringLiteral("If it fails: 4 GPUs lost · su[1]/hb[1] keeps 68 of 72 GPUs"));
        button->click();
        QCOMPARE(fails.count(), 1);
        QCOMPARE(deletes.count(), 0);
        panel.setScope(EditScope::Position);
        QCOMPARE(bar.findChild<QLabel*>(QStringLiteral("scope-breaks"))->text(),
                 QStringLiteral("If they fail: 8 GPUs lost · each of 2 racks keeps 68 of 72 GPUs"));
        panel.showSelection({"spine[1]"});
        QCOMPARE(button->text(), QStringLiteral("Delete"));
        button->click();
        QCOMPARE(deletes.count(), 1);
    }
    // Servers of a chassis of their own are bought alone, so that they can be deleted; so is a rack as a whole.
    void othersAreDeleted() {
        const auto h100 = test::fabricOf("superpod-h100", {}), racks = test::fabricOf("superpod-gb200", {{"servers", "36"}});
        QVERIFY(!areTraysOfRacks(*h100, {"su[1]/srv[1]"}));
        QVERIFY(areTraysOfRacks(*racks, {"su[1]/hb[1]/srv[1]", "su[2]/hb[1]/srv[18]"}));
        for (const std::vector<std::string>& paths :
             {std::vector<std::string>{}, {"su[1]/hb[1]"}, {"su[1]/hb[1]/srv[1]", "spine[1]"}, {"su[1]/hb[1]/srv[19]"}})
            QVERIFY(!areTraysOfRacks(*racks, paths));
    }
};

QTEST_MAIN(tst_server_section)
#include "tst_server_section.moc"
