#include "core/base/file.h"
#include "core/io/document/design_json.h"
#include "core/sweep/merge.h"
#include "tests/support/designs.h"
#include "tests/support/sweeps.h"

#include <QTemporaryDir>
#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

using namespace railyard;
using test::json;
using test::planned;
using test::smallSpec;

class tst_sweep_plan : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    // Planned again for another engine, the job files of the first are not left to be submitted.
    void jobFilesOfAnEarlierPlan() {
        const SweepPlan plan = planned(smallSpec, path("again"));
        QVERIFY(writeJobFiles(plan, {4, "railyard-cli", true}));
        QVERIFY(readFile(path("again/railyard.sbatch")));
        QVERIFY(writeJobFiles(plan, {3, "railyard-cli", false}));
        QVERIFY(!std::filesystem::exists(path("again/railyard.sbatch")));
        QVERIFY(writeJobFiles(plan, {3, "railyard-cli", false}));
    }
    // The same sweep at other prices is not called another one.
    void thisSweepWithOtherPrices() {
        const SweepPlan plan = planned(smallSpec, path("prices"));
        std::string manifest = *readFile(path("prices/manifest.json"));
        manifest.replace(manifest.find(plan.ids[0]), 4, "0000");
        QVERIFY(writeFile(path("prices/manifest.json"), manifest));
        const auto again = test::planOf(smallSpec, "spec.json", path("prices"));
        QVERIFY(!again);
        QVERIFY2(again.error().text.find("this sweep, planned with other prices") != std::string::npos, again.error().text.c_str());
        const auto other =
            test::planOf(json("{'base': 'rail-only', 'axes': {'servers': [16]}, 'evaluate': ['counts']}"), "spec.json", path("prices"));
        QVERIFY2(other.error().text.find("another sweep") != std::string::npos, other.error().text.c_str());
    }
    // The base was edited: the specification reads the same and is another sweep.
    void anEditedBaseIsAnotherSweep() {
        const std::string text = json("{'base': 'b.railyard', 'axes': {'servers': [16, 32]}, 'evaluate': ['counts']}");
        std::string said;
        for (const char* rails : {"8", "4"}) {
            const auto base = build({"rail-only", {{"servers", "16"}, {"rails", rails}}}, "base", shippedCatalog());
            QVERIFY2(base, base ? "" : base.error().text.c_str());
            std::filesystem::remove(path("b.railyard"));
            QVERIFY(writeFile(path("b.railyard"), designText(*base)));
            const auto plan = test::planOf(text, path("s.json"), path("edited"));
            if (!plan) said = plan.error().text;
        }
        QVERIFY2(said.find("holds another sweep") != std::string::npos, said.c_str());
    }
    void shardsAreRead() {
        QCOMPARE(readShard("3/8")->fileName(), std::string("part-3-of-8.jsonl"));
        for (const char* bad : {"", "3", "0/8", "9/8", "3/0", "a/b", "-1/2", "1/99999999", "1/2/3"}) QVERIFY2(!readShard(bad), bad);
        QCOMPARE(shardsFor(10, 0.001), 1);
        QCOMPARE(shardsFor(1000, 0.3), 10);
        QCOMPARE(shardsFor(1'000'000, 1), 1000);
        QCOMPARE(shardsFor(5, 1000), 5);
    }
    // Two rules that build the same fabric of whole SUs.
    void sharedDesignsMakeShardsShort() {
        const auto spec =
            readSweepSpec(R"({"base": "rail-optimized", "axes": {"servers": [32, 64, 128, 0], "spine_rule": ["even-split", "exact"]},
                                            "evaluate": ["counts"]})",
                          "spec.json");
        QVERIFY(spec);
        QCOMPARE(shareOfDesigns(*spec, 1), 5.0 / 8); // three designs, and two points that have none
        QCOMPARE(shareOfDesigns(*spec, 8), 1.0);
        QCOMPARE(shardsByTrial(*spec), 1);
    }
    // Every point is in one shard, shards are equally large, and none has only points with one value of an axis.
    void shardsDivideThePoints() {
        for (const auto& [all, of] : {std::pair(1000, 7), {64, 64}, {5, 8}, {4096, 2}, {4096, 64}}) {
            std::vector<int> times(static_cast<std::size_t>(all));
            for (int index = 1; index <= of; ++index) {
                const auto points = Shard{index, of}.pointsOf(all);
                QVERIFY(std::is_sorted(points.begin(), points.end()));
                QVERIFY(static_cast<int>(points.size()) >= all / of && static_cast<int>(points.size()) <= all / of + 1);
                for (const auto point : points) ++times[static_cast<std::size_t>(point)];
                if (all < 4096) continue;
                const auto even = std::count_if(points.begin(), points.end(), [](std::int64_t point) { return point % 2 == 0; });
                QVERIFY(even > static_cast<std::ptrdiff_t>(points.size()) / 4 && even < static_cast<std::ptrdiff_t>(points.size()) * 3 / 4);
            }
            QVERIFY(std::all_of(times.begin(), times.end(), [](int each) { return each == 1; }));
        }
    }
    // Whatever axis is the last, a trial meets its small and its large values, and those of the first.
    void trialsFollowNoPatternOfTheAxes() {
        for (const auto& [first, last] : {std::pair(8, 256), {256, 8}, {64, 64}, {1000, 2}, {2, 1000}, {100, 100}, {1000, 1000}}) {
            const auto points = trialPoints(std::int64_t{first} * last);
            QCOMPARE(points.size(), std::size_t{64});
            QCOMPARE(std::set<std::int64_t>(points.begin(), points.end()).size(), points.size());
            const auto upper = std::count_if(points.begin(), points.end(), [&](std::int64_t p) { return p % last >= last / 2; });
            const auto later = std::count_if(points.begin(), points.end(), [&](std::int64_t p) { return p / last >= first / 2; });
            for (const auto half : {upper, later}) QVERIFY2(half >= 20 && half <= 44, std::to_string(half).c_str());
        }
        QCOMPARE(trialPoints(3), (std::vector<std::int64_t>{0, 1, 2}));
    }
    void twoPlansAtOnceDoNotMix() {
        const std::string one = path("one.railyard"), two = path("two.railyard");
        QVERIFY(saveDesign(*test::designOf("rail-optimized", {{"servers", "16"}}), one));
        QVERIFY(saveDesign(*test::designOf("rail-only", {{"servers", "32"}}), two));
        for (int round = 0; round < 30; ++round) {
            const std::string folder = path("both" + std::to_string(round));
            std::atomic<int> good = 0;
            std::vector<std::thread> planners;
            for (const std::string& base : {one, two})
                planners.emplace_back([&, base] {
                    good += bool(test::planOf(json("{'base': '" + base + "', 'axes': {'training.tp': [1, 2]}, 'evaluate': ['counts']}"),
                                              path("spec.json"), folder));
                });
            for (std::thread& each : planners) each.join();
            QCOMPARE(good.load(), 1); // the other one is refused
            const auto plan = openSweep(folder);
            QVERIFY2(plan, plan ? "" : plan.error().text.c_str());
        }
    }
    // What is damaged is written again from the spec, and what is computed stays.
    void planningAgainRepairsASweep() {
        const std::string base = path("base.railyard");
        QVERIFY(saveDesign(*test::designOf("rail-optimized", {{"servers", "16"}}), base));
        const std::string spec = json("{'base': '" + base + "', 'axes': {'training.tp': [1, 2]}, 'evaluate': ['counts']}");
        const std::string folder = path("repaired");
        const SweepPlan plan = planned(spec, folder);
        QVERIFY(runShard(plan, {1, 1}, {}));
        const std::string manifest = *readFile(folder + "/manifest.json"), copy = *readFile(folder + "/base.railyard");
        std::string other = copy;
        other.replace(other.find("rail-optimized"), 14, "rail-only");
        for (const auto& [name, text] : {std::pair("/manifest.json", std::string()),
                                         {"/manifest.json", manifest.substr(0, manifest.size() / 2)},
                                         {"/base.railyard", other},
                                         {"/base.railyard", std::string()}}) {
            QVERIFY(writeFile(folder + name, text));
            QVERIFY(!openSweep(folder));
            const auto again = test::planOf(spec, "spec.json", folder);
            QVERIFY2(again, again ? "" : again.error().text.c_str());
            QCOMPARE(*readFile(folder + "/manifest.json"), manifest);
            QCOMPARE(*readFile(folder + "/base.railyard"), copy);
            const auto run = runShard(*openSweep(folder), {1, 1}, {});
            QVERIFY(run && run->computed == 0);
        }
        QVERIFY(!test::planOf(smallSpec, "spec.json", folder)); // another sweep
    }
    void filesOfOthersAreNotReplaced() {
        const std::string base = path("base.railyard");
        QVERIFY(saveDesign(*test::designOf("rail-optimized", {{"servers", "16"}}), base));
        for (const char* name : {"base.railyard", "joblist", "railyard.sbatch", "manifest.json"}) {
            const std::string folder = path(std::string("own ") + name), file = folder + "/" + name;
            std::filesystem::create_directory(folder);
            QVERIFY(writeFile(file, "mine"));
            QVERIFY(!test::planOf(json("{'base': '" + base + "', 'axes': {'training.tp': [1, 2]}, 'evaluate': ['counts']}"), "spec.json",
                                  folder));
            QCOMPARE(*readFile(file), std::string("mine"));
            QCOMPARE(std::distance(std::filesystem::directory_iterator(folder), {}), 1); // nothing else is left there
        }
    }
    // A file without some of its points, as a crash of the machine leaves it, is named.
    void shortFilesAreNamed() {
        const SweepPlan plan = planned(smallSpec, path("short"));
        for (const int index : {1, 2}) QVERIFY(runShard(plan, {index, 2}, {}));
        const std::string file = plan.partsFolder() + "/part-1-of-2.jsonl", good = *readFile(file);
        for (const std::string& left : {std::string(), good.substr(0, good.find('\n') + 1)}) {
            QVERIFY(writeFile(file, left));
            const auto merged = mergeSweep(plan);
            QVERIFY(!merged);
            QVERIFY2(merged.error().text.find("part-1-of-2.jsonl: holds ") != std::string::npos, merged.error().text.c_str());
            const auto run = runShard(plan, {1, 2}, {});
            QCOMPARE(run->problems.size(), std::size_t{1});
            QCOMPARE(run->computed, left.empty() ? 6 : 5);
            QCOMPARE(*readFile(file), good);
        }
    }
    void jobFilesNameEveryShard() {
        const SweepPlan plan = planned(smallSpec, path("it's a folder"));
        QVERIFY(writeJobFiles(plan, {3, "/opt/rail yard/railyard-cli", true}));
        const std::string list = *readFile(path("it's a folder/joblist")), script = *readFile(path("it's a folder/railyard.sbatch"));
        QCOMPARE(std::count(list.begin(), list.end(), '\n'), 3);
        QVERIFY(list.find("'/opt/rail yard/railyard-cli' sweep run '") == 0 && list.find("--shard 3/3") != std::string::npos);
        QVERIFY(script.find("#SBATCH --array=1-3\n") != std::string::npos && script.find("--dependency=afterany:") != std::string::npos);
        QVERIFY(script.find("exec '/opt/rail yard/railyard-cli' sweep run ") != std::string::npos);
    }

private:
    std::string path(const std::string& name) const { return m_folder->filePath(QString::fromStdString(name)).toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_sweep_plan)
#include "tst_sweep_plan.moc"
