#include "tests/support/designs.h"

#include "core/base/thread_cpu.h"
#include "core/base/unit_text.h"
#include "core/design/edits/edit.h"
#include "widgets/canvas/preview/edit_preview.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/theme/text.h"

#include <QLabel>
#include <QTest>

using namespace railyard;

class tst_edit_preview : public QObject {
    Q_OBJECT

    static Result<Edit> moreServers(const Document& document, int servers) {
        return setParameters(*document.now().design, {{"servers", std::to_string(servers)}});
    }
    static QString line(const char* what, const std::string& was, const std::string& is) {
        return QStringLiteral("%1: %2 → %3").arg(QLatin1String(what), text(was), text(is));
    }

private slots:
    // What is crossed is said with what it brings.
    void aTierIsAnnounced() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "8192"}}), {});
        const auto announced = [&](const Result<Edit>& edit) {
            EditPreview preview(document, [] {});
            preview.show(edit);
            preview.wait();
            const InstantMetrics before = document.now().instant, after = instantMetrics(*elaborate(edit->design));
            const std::int64_t switches = after.counts.switches - before.counts.switches;
            const QString count = text(formatCount(switches));
            const QString words = preview.announcement().tiers;
            if (!words.isEmpty() &&
                !(words.contains((switches > 0 ? QStringLiteral("+") : QString()) + count + QStringLiteral(" switches")) &&
                  preview.lines().contains(words)))
                return QStringLiteral("%1, but %2 switches").arg(words, count);
            return words.section(QLatin1Char(':'), 0, 0);
        };
        QCOMPARE(announced(moreServers(document, 8193)), QStringLiteral("Adds a fourth tier"));
        QCOMPARE(announced(moreServers(document, 8191)), QString());
        QCOMPARE(announced(moreServers(document, 64)), QStringLiteral("Removes the third tier"));
    }
    // What is announced is what happens: every figure of the preview is what the metrics panel shows after the edit.
    void announcesWhatHappens_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("servers");
        QTest::addColumn<QString>("item"); // of the palette, or a step of a tier
        for (const char* recipe : {"superpod-h100", "rail-only", "fat-tree"})
            for (const int servers : {16, 64, 125, 128, 130})
                for (const char* item : {"server", "hb-domain", "rail", "leaf", "spine", "superspine", "plane", "step -3 servers",
                                         "step 1 SUs", "step 1 leaf part", "step 1 upper part", "off rung 3 spines"})
                    QTest::addRow("%s %d %s", recipe, servers, item) << QString::fromLatin1(recipe) << servers << QString::fromLatin1(item);
    }
    void announcesWhatHappens() {
        QFETCH(QString, recipe);
        QFETCH(int, servers);
        QFETCH(QString, item);
        Document document;
        document.open(test::designOf(recipe.toStdString(), {{"servers", std::to_string(servers)}}), {});
        document.waitForBackground();
        MetricsPanel panel(document);
        const Design& design = *document.now().design;
        const auto tried = item == QStringLiteral("step -3 servers")     ? stepTier(design, TierStep::Servers, -3)
                           : item == QStringLiteral("step 1 SUs")        ? stepTier(design, TierStep::ScalableUnits, 1)
                           : item == QStringLiteral("step 1 leaf part")  ? stepTier(design, TierStep::LeafPart, 1)
                           : item == QStringLiteral("step 1 upper part") ? stepTier(design, TierStep::UpperPart, 1)
                           : item == QStringLiteral("off rung 3 spines") ? dropOffRung(design, PaletteItem::Spine, 3, {})
                                                                         : dropNamed(design, item.toStdString(), {});
        EditPreview preview(document, [] {});
        preview.show(tried);
        preview.wait();
        if (!tried) {
            QVERIFY(preview.isRefused());
            QCOMPARE(preview.lines().size(), 1);
            return;
        }
        QCOMPARE(preview.lines().first(), text(tried->label)); // at once
        const auto shown = [&](const char* name) { return panel.findChild<QLabel*>(QLatin1String(name))->text(); };
        const std::pair<const char*, const char*> figures[] = {
            {"GPUs", "metric-counts.gpus"},
            {"Switches", "metric-counts.switches"},
            {"Links", "metric-counts.links"},
            {"Network cost", "metric-cost.network_usd"},
            {"Bisection, NIC fabric only", "metric-bisection.gpu_network_only.fraction_of_injection"},
            {"Bisection, with HB forwarding", "metric-bisection.gpu_with_hb.fraction_of_injection"}};
        std::map<std::string, QString> before;
        for (const auto& [name, label] : figures) before[name] = shown(label);
        // The table of the side panel: every figure now, and after the edit.
        const std::vector<Announcement::Figure> table = preview.announcement().figures;
        const auto isAs = [&](const char* what, const char* label, bool isAfter) {
            const auto row = std::find_if(table.begin(), table.end(), [&](const auto& each) { return each.what == QLatin1String(what); });
            const QString panelText = shown(label).section(QStringLiteral(" · "), 0, 0);
            return row != table.end() && (isAfter ? row->after : row->before) == panelText;
        };
        constexpr std::pair<const char*, const char*> tabled[] = {{"Pluggable modules", "metric-counts.pluggables"},
                                                                  {"Network power", "metric-power.network_w"},
                                                                  {"Oversubscription", "metric-ratios.oversubscription_by_tier.leaf"}};
        for (const auto& [what, label] : tabled) QVERIFY2(isAs(what, label, false), what);
        QVERIFY(document.apply(tried));
        document.waitForBackground();
        QCoreApplication::processEvents();
        for (const auto& [what, label] : tabled) QVERIFY2(isAs(what, label, true), what);
        for (const auto& [name, label] : figures) {
            const QStringList found = preview.lines().filter(QLatin1String(name) + QStringLiteral(": "));
            const QString after = shown(label);
            // The panel shows a bisection as its fraction too: "1.00 · 204.8 Tb/s".
            const auto figure = [](const QString& text) { return text.section(QStringLiteral(" · "), -1).remove(QStringLiteral("≤ ")); };
            if (found.isEmpty())
                QCOMPARE(figure(after), figure(before[name])); // nothing was announced
            else
                QCOMPARE(found.first(), QStringLiteral("%1: %2 → %3").arg(QLatin1String(name), figure(before[name]), figure(after)));
        }
    }

    // Targets after the drop, on figures that are known then; each says how much is to spare or short.
    void targetsAfterTheDrop() {
        Document document;
        Design design = *test::designOf("superpod-h100", {{"servers", "512"}, {"leaf_up", "16"}, {"spines", "16"}});
        design.targets = {{"bisection.gpu_network_only.fraction_of_injection", false, 0.8},
                          {"cost.network_usd", true, 20e6},
                          {"failure.mttf_h", false, 10}};
        document.open(std::make_shared<const Design>(design), {});
        document.waitForBackground();
        EditPreview preview(document, [] {});
        preview.show(setParameters(*document.now().design, {{"spines", "32"}, {"leaf_up", "32"}}));
        QVERIFY(preview.announcement().goals.empty());
        preview.wait();
        const auto& goals = preview.announcement().goals;
        QCOMPARE(goals.size(), std::size_t{2}); // not the mean time between interrupts
        QVERIFY(goals[0].isMet && !goals[1].isMet);
        QVERIFY2(goals[0].words.contains(QStringLiteral("at least 0.8")) && goals[0].words.contains(QStringLiteral("to spare")),
                 qPrintable(goals[0].words));
        QVERIFY2(goals[0].words.contains(QStringLiteral("(now ")) && goals[0].words.contains(QStringLiteral("short")),
                 qPrintable(goals[0].words));
        QVERIFY2(goals[1].words.contains(QStringLiteral("at most $20.0")) && goals[1].words.contains(QStringLiteral("$2.08 M short")),
                 qPrintable(goals[1].words));
    }
    void aRefusedEditSaysWhyAndComputesNothing() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        int changes = 0;
        EditPreview preview(document, [&] { ++changes; });
        const auto tried = moreServers(document, -1);
        QVERIFY(!tried);
        preview.show(tried);
        preview.wait();
        QVERIFY(preview.isRefused());
        QCOMPARE(preview.lines(), QStringList{QStringLiteral("Servers = -1: must be from 1 to 131072; nearest value that works: 1")});
        QCOMPARE(changes, 0);
    }

    // A drag over many counts: only the figures of the last one arrive, and none after the drag has ended.
    void onlyTheLastEditCounts() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        int changes = 0;
        EditPreview preview(document, [&] { ++changes; });
        for (const int servers : {65, 70, 90, 128}) preview.show(moreServers(document, servers));
        preview.wait();
        QVERIFY(preview.lines().contains(line("GPUs", "512", "1,024")));
        QCOMPARE(changes, 1);
        preview.show(moreServers(document, 32));
        preview.clear();
        preview.wait();
        QVERIFY(preview.lines().isEmpty());
        QCOMPARE(changes, 1);
    }

    // The thread of the window only starts the work, whatever the size of the design.
    void theWindowDoesNotWait() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "2048"}}), {});
        EditPreview preview(document, [] {});
        const auto tried = moreServers(document, 1024);
        const double start = threadCpuMilliseconds();
        preview.show(tried);
        const double shown = threadCpuMilliseconds() - start;
        static_cast<void>(effectOf(tried->design));
        const double computed = threadCpuMilliseconds() - start - shown;
        QVERIFY2(shown < computed / 4, qPrintable(QStringLiteral("%1 ms against %2 ms").arg(shown).arg(computed)));
        preview.wait();
    }
};

QTEST_MAIN(tst_edit_preview)
#include "tst_edit_preview.moc"
