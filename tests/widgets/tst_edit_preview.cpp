#include "tests/support/designs.h"

#include "core/base/thread_cpu.h"
#include "core/base/unit_text.h"
#include "core/design/edits/edit.h"
#include "widgets/canvas/preview/edit_preview.h"
#include "widgets/theme/text.h"

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
    // What is announced is what happens: the figures are those of the design after the edit.
    void announcesWhatHappens() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        document.waitForBackground();
        int changes = 0;
        EditPreview preview(document, [&] { ++changes; });
        const auto tried = moreServers(document, 96);
        preview.show(tried, {QStringLiteral("a note")});
        QVERIFY(!preview.isRefused());
        QCOMPARE(preview.lines().first(), text(tried->label)); // at once
        QCOMPARE(preview.lines().last(), QStringLiteral("a note"));
        preview.wait();
        QCOMPARE(changes, 1);
        const QStringList lines = preview.lines();

        const InstantMetrics before = document.now().instant;
        const Bisection bisectionBefore = document.background()->bisection[0];
        QVERIFY(document.apply(tried));
        document.waitForBackground();
        const InstantMetrics& after = document.now().instant;
        QVERIFY(lines.contains(line("GPUs", formatCount(before.counts.gpus), formatCount(after.counts.gpus))));
        QVERIFY(lines.contains(line("Switches", formatCount(before.counts.switches), formatCount(after.counts.switches))));
        QVERIFY(lines.contains(line("Links", formatCount(before.counts.links), formatCount(after.counts.links))));
        const auto words = [](const Bisection& b) { return formatBandwidth(gigabitsPerSecond(b.upperGbps)); };
        QVERIFY(lines.contains(line("Bisection", words(bisectionBefore), words(document.background()->bisection[0]))));
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
