// The mode of several jobs: what it says, whom it shows where, and that it is gone when left.
#include "tests/support/designs.h"

#include "core/collective/concurrent_jobs.h"
#include "widgets/canvas/canvas.h"
#include "widgets/modes/job_bar.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>

using namespace railyard;

namespace {

struct Shown {
    Document document;
    JobBar bar{document};
    Territories territories;
    JobBar::Utilisations loads;

    explicit Shown(const char* servers, const char* oversubscription = "1:1") {
        document.open(test::designOf("rail-optimized", {{"servers", servers}, {"oversubscription", oversubscription}}), {});
        QObject::connect(&bar, &JobBar::territoriesChanged, &bar, [this](const Territories& of) { territories = of; });
        QObject::connect(&bar, &JobBar::loadsChanged, &bar, [this](const JobBar::Utilisations& of) { loads = of; });
    }
    void ask(int jobs, bool isSpread, CollectiveOp op) {
        bar.findChild<QSpinBox*>(QStringLiteral("job-count"))->setValue(jobs);
        bar.findChild<QComboBox*>(QStringLiteral("job-placement"))->setCurrentIndex(isSpread);
        auto* ops = bar.findChild<QComboBox*>(QStringLiteral("job-op"));
        ops->setCurrentIndex(ops->findData(static_cast<int>(op)));
        bar.wait();
    }
    QString words() const { return bar.findChild<QLabel*>(QStringLiteral("job-text"))->text(); }
    int jobOf(const char* path) const {
        const Fabric& fabric = *document.now().fabric;
        for (ScopeId s(0); s < fabric.scopes.size(); ++s)
            if (fabric.scopePath(s) == path) return territories.ofScope[s];
        return -2;
    }
};

} // namespace

class tst_job_bar : public QObject {
    Q_OBJECT

private slots:
    void everyServerHasItsJob() {
        Shown shown("64");
        shown.bar.setOn(true);
        shown.ask(4, false, CollectiveOp::AllReduce);
        QCOMPARE(shown.jobOf("su[1]/srv[1]"), 0);
        QCOMPARE(shown.jobOf("su[1]/srv[17]"), 1);
        QCOMPARE(shown.jobOf("su[2]/srv[32]"), 3);
        QVERIFY2(shown.words().contains(QStringLiteral("do not slow each other")), qPrintable(shown.words()));
        shown.ask(4, true, CollectiveOp::AllReduce);
        for (int server = 1; server <= 8; ++server)
            QCOMPARE(shown.jobOf(("su[1]/srv[" + std::to_string(server) + "]").c_str()), (server - 1) % 4);
        shown.bar.setOn(false);
        QVERIFY(shown.territories.isEmpty() && !shown.loads && shown.bar.isHidden());
    }
    void itSaysWhatTheCommandLineSays() {
        Shown shown("128", "4:1");
        shown.bar.setOn(true);
        shown.ask(4, true, CollectiveOp::AllToAll);
        const Fabric& fabric = *shown.document.now().fabric;
        std::vector<CollectiveJob> jobs;
        const auto tiles = tilesOf(fabric, 4, JobPlacement::Spread);
        for (const auto& tile : *tiles) jobs.push_back({tile, CollectiveOp::AllToAll, Bytes(std::int64_t{1} << 30), 1});
        const auto times = concurrentTimes(fabric, jobs);
        double most = 1;
        for (const JobTime& job : times->jobs) most = std::max(most, job.slowdown);
        QVERIFY2(shown.words().contains(QStringLiteral("×%1").arg(most, 0, 'f', 2)), qPrintable(shown.words()));
        QVERIFY(shown.words().contains(QStringLiteral("Bottleneck: ")));
        QCOMPARE(*shown.loads, times->ofLinks);
        QVERIFY(std::abs(*std::max_element(shown.loads->begin(), shown.loads->end()) - 1) < 1e-9); // the link that holds them is full
    }
    void failuresAndEditsAreFollowed() {
        Shown shown("16");
        shown.bar.setOn(true);
        shown.ask(16, false, CollectiveOp::AllReduce);
        QCOMPARE(shown.jobOf("su[1]/srv[16]"), 15);
        shown.document.setFailures({{"su[1]/srv[16]"}, 0, 1});
        shown.bar.wait();
        QVERIFY2(shown.words().contains(QStringLiteral("from 1 to 15")), qPrintable(shown.words()));
    }
    void itIsDrawn() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        Canvas canvas(document);
        canvas.resize(1200, 800);
        canvas.show();
        const QImage before = canvas.grab().toImage();
        JobBar bar(document);
        connect(&bar, &JobBar::territoriesChanged, &canvas, &Canvas::showTerritories);
        bar.setOn(true);
        bar.wait();
        QVERIFY(canvas.grab().toImage() != before);
        bar.setOn(false);
        QCOMPARE(canvas.grab().toImage(), before);
    }
};

QTEST_MAIN(tst_job_bar)
#include "tst_job_bar.moc"
