#include "core/analysis/figures/keyed_text.h"
#include "core/sweep/compute.h"
#include "tests/support/designs.h"

#include <cmath>
#include <limits>

using namespace railyard;

class tst_keyed_text : public QObject {
    Q_OBJECT

private slots:
    void unitsFollowFromKeys() {
        const auto text = [](const char* key, double value) { return QString::fromStdString(keyedText(key, value)); };
        QCOMPARE(text("cost.network_usd", 4e6), QStringLiteral("$4.00 M"));
        QCOMPARE(text("cost.by_category_usd.switch", 2e6), QStringLiteral("$2.00 M"));
        QCOMPARE(text("cost.by_category_usd.in_band", 0), QStringLiteral("$0"));
        QCOMPARE(text("power.energy_usd_year", 938280.096), QStringLiteral("$938 k a year"));
        QCOMPARE(text("power.by_category_w.out_of_band", 1500), QStringLiteral("1.5 kW"));
        QCOMPARE(text("train.iteration_s", 0.25), QStringLiteral("250 ms"));
        QCOMPARE(text("training.breakdown_s.tp_exposed", 1.5), QStringLiteral("1.50 s"));
        for (const char* key : {"train.tokens_per_s", "training.tokens_per_s"}) QCOMPARE(text(key, 1010600), QStringLiteral("1,010,600/s"));
        QCOMPARE(text("training.bytes_per_gpu.tp", 1048576), QStringLiteral("1 MiB"));
        QCOMPARE(text("collective.all-to-all@256MiB.bytes.hb", 1048576), QStringLiteral("1 MiB"));
        for (const char* key : {"train.days", "training.days"}) QCOMPARE(text(key, 29), QStringLiteral("29 d"));
        QCOMPARE(text("collective.all-to-all@256MiB.busbw_gbytes_s", 47.64984), QStringLiteral("47.6 GB/s"));
        QCOMPARE(text("collective.all-to-all@256MiB.size_bytes", 268435456), QStringLiteral("256 MiB"));
        QCOMPARE(text("train.memory_gib.total", 41.5), QStringLiteral("41.5 GiB"));
        QCOMPARE(text("train.memory_gib.host_capacity", 256), QStringLiteral("256 GiB"));
        QCOMPARE(text("reliability.horizon_h", 720), QStringLiteral("720 h"));
        QCOMPARE(text("training.run_energy_kwh", 160874.7), QStringLiteral("160,875 kWh"));
        QCOMPARE(text("train.placement.gpus_per_domain", 8), QStringLiteral("8"));
        QCOMPARE(text("train.unknown", 12345), QStringLiteral("12,345"));
        QCOMPARE(text("train.model_flops", 1.76e20), QStringLiteral("1.76e+20"));
        for (const char* key : {"cost.network_usd", "train.iteration_s", "counts.gpus", "train.unknown", "power.network_w", "a.size_bytes"})
            for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300, -1e300, -0.25, 0.0})
                QVERIFY2(!keyedText(key, value).empty(), key);
    }
    // Every number that a sweep can compute: none is text with another unit than its key has.
    void resultsOfEveryVerbHaveTheirUnits() {
        const auto spec =
            readSweepSpec(R"({"base": "rail-optimized", "axes": {"gpus": [128]}, "evaluate": ["metrics", "collective all-reduce@1GiB",
            "train --model llama3-8b", "search --model llama3-8b", "reliability --horizon 30d"]})",
                          "spec.json");
        QVERIFY(spec);
        const std::pair<std::string, std::string> units[] = {
            {"_gbytes_s", "GB/s"}, {"_per_s", "/s"}, {"_gib", "GiB"}, {"_usd", "$"}, {"_kwh", "kWh"}};
        const SweepAnswer answer = computePoint(*spec, 0);
        QVERIFY2(answer.error.empty(), answer.error.c_str());
        int checked = 0;
        for (const auto& [key, value] : answer.byKey()) {
            if (!value->is_number()) continue;
            const std::string text = keyedText(key, value->get<double>());
            for (const auto& [end, unit] : units) {
                if (!key.ends_with(end)) continue;
                QVERIFY2(text.find(unit) != std::string::npos, (std::string(key) + ": " + text).c_str());
                ++checked;
            }
            QVERIFY2(text.find(" 1/s") == std::string::npos && text.find("byte") == std::string::npos, text.c_str());
            if (key.ends_with("_s") && !key.ends_with("_gbytes_s") && !key.ends_with("_per_s"))
                QVERIFY2(text.ends_with("s") && !text.ends_with("/s"), (std::string(key) + ": " + text).c_str());
        }
        QVERIFY(checked > 8);
    }
    // The ticks of an axis have one unit, and none is rounded to another value.
    void ticksOfAnAxis() {
        const auto ticks = [](const char* key, double first, double step, int count) {
            QStringList texts;
            const double last = first + (count - 1) * step;
            for (int t = 0; t < count; ++t)
                texts << QString::fromStdString(tickText(key, {first + t * step, step, std::max(std::abs(first), std::abs(last))}));
            return texts.join(QStringLiteral(" | "));
        };
        QCOMPARE(ticks("cost.network_usd", 22e6, 25e3, 3), QStringLiteral("$22.000 M | $22.025 M | $22.050 M"));
        QCOMPARE(ticks("cost.network_usd", -1e6, 1e6, 3), QStringLiteral("−$1 M | $0 M | $1 M"));
        QCOMPARE(ticks("train.iteration_s", 0.995, 0.0025, 4), QStringLiteral("0.9950 s | 0.9975 s | 1.0000 s | 1.0025 s"));
        QCOMPARE(ticks("train.iteration_s", -0.25, 0.25, 3), QStringLiteral("−250 ms | 0 ms | 250 ms"));
        QCOMPARE(ticks("train.memory_gib.total", 74, 0.05, 3), QStringLiteral("74.00 GiB | 74.05 GiB | 74.10 GiB"));
        QCOMPARE(ticks("bisection.server.fraction_of_injection", 0.975, 0.025, 3), QStringLiteral("0.975 | 1.000 | 1.025"));
        QCOMPARE(ticks("bisection.server.upper_gbps", 0, 50000, 3), QStringLiteral("0 Tb/s | 50 Tb/s | 100 Tb/s"));
        QCOMPARE(ticks("counts.switches", 1000, 500, 3), QStringLiteral("1,000 | 1,500 | 2,000"));
    }
};

QTEST_APPLESS_MAIN(tst_keyed_text)
#include "tst_keyed_text.moc"
