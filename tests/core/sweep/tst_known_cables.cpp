#include "core/sweep/known_cables.h"

#include "core/sweep/compute.h"
#include "core/sweep/plan.h"
#include "core/sweep/run.h"
#include "tests/support/designs.h"

#include <QTemporaryDir>
#include <mutex>

using namespace railyard;

class tst_known_cables : public QObject {
    Q_OBJECT

private slots:
    void figuresAreKeptByKey() {
        KnownCables known;
        const auto figures = std::make_shared<const CableFigures>(CableFigures{shippedCatalog(), {}, {}});
        QVERIFY(!known.find({1, 2}));
        known.add({1, 2}, figures);
        known.add({1, 2}, std::make_shared<const CableFigures>()); // another thread was first
        QCOMPARE(known.find({1, 2}), figures);
        QVERIFY(!known.find({2, 1}));
        for (std::uint64_t i = 0; i < 5000; ++i) known.add({i, 7}, figures); // the oldest are forgotten
        QVERIFY(!known.find({1, 2}) && !known.find({0, 7}) && known.find({4999, 7}));
    }
    // The answer at a point is what it would be alone, whatever designs the sweep has computed before.
    void pointsHaveTheirOwnAnswers_data() {
        QTest::addColumn<QString>("spec");
        QTest::newRow("HB domains") << R"("settings": {"gpus": 512}, "axes": {"recipe": ["rail-optimized", "rail-only"],
 "hb_domain_gpus": [8, 16, 32, 36, 64, 128], "oversubscription": ["1:1", "3:1"]})";
        QTest::newRow("site") << R"("settings": {"gpus": 256}, "axes": {"bill.pue": [1.1, 1.5], "bill.usd_per_kwh": [0.05, 0.2],
 "hb_domain_gpus": [8, 16]})";
        QTest::newRow("servers") << R"("settings": {"gpus": 576}, "axes": {"hb_domain_gpus": [8, 36, 72], "server": ["srv-gb200-tray",
 "srv-dgx-h100", "srv-dgx-b200"]})";
        QTest::newRow("racks and networks")
            << R"("settings": {"gpus": 256}, "axes": {"hb_domain_gpus": [8, 16, 32], "racks": ["none", "auto"],
 "storage": ["off", "on"]})";
        QTest::newRow("optical circuit switches")
            << R"("settings": {"gpus": 256}, "axes": {"hb_domain_gpus": [8, 16], "ocs.tier": ["none", "leaf-spine"]})";
    }
    void pointsHaveTheirOwnAnswers() {
        QFETCH(QString, spec);
        for (const std::string evaluate :
             {R"("counts", "cost", "power", "bisection.server")", R"("cost.network_usd")", R"("counts.cables")",
              R"("cost", "networks", "pfc")", R"("cost", "ratios", "bisection", "latency")"}) {
            const std::string text = R"({"base": "rail-optimized", )" + spec.toStdString() + R"(, "evaluate": [)" + evaluate + "]}";
            const auto read = readSweepSpec(text, "spec.json");
            QVERIFY2(read, read ? "" : read.error().text.c_str());
            std::vector<std::int64_t> points;
            for (std::int64_t point = 0; point < read->points(); ++point) points.push_back(point);
            std::mutex mutex;
            std::size_t answered = 0, withValues = 0;
            computePoints(*read, points, {.threads = 2}, [&](std::size_t place, SweepAnswer answer) {
                const SweepAnswer alone = computePoint(*read, points[place]);
                const std::lock_guard lock(mutex);
                if (alone.values == answer.values && alone.error == answer.error) ++answered;
                if (!answer.values.empty()) ++withValues;
                return true;
            });
            QCOMPARE(answered, points.size());
            QVERIFY2(2 * withValues >= points.size(), std::to_string(withValues).c_str()); // most can be built
        }
    }
};

QTEST_GUILESS_MAIN(tst_known_cables)
#include "tst_known_cables.moc"
