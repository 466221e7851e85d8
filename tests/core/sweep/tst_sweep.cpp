#include "core/analysis/metrics/metrics.h"
#include "core/base/file.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/design_json.h"
#include "core/sweep/merge.h"
#include "tests/support/designs.h"
#include "tests/support/sweeps.h"

#include <QFile>
#include <QTemporaryDir>
#include <atomic>
#include <filesystem>
#include <thread>

using namespace railyard;
using test::errorsOf;
using test::json;
using test::planned;
using test::planOf;
using test::smallSpec;

namespace {

std::string tableOf(const SweepPlan& plan, const std::string& file) {
    const auto merged = mergeSweep(plan);
    if (!merged) throw std::runtime_error(merged.error().text);
    if (!writeSweepTable(plan, *merged, file)) throw std::runtime_error("not written");
    return *readFile(file);
}

} // namespace

class tst_sweep : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup() { m_folder.reset(); }

    // A figure of a collective is found in the list of them, and does not erase what the list says.
    void figuresOfCollectives() {
        const std::string key = "collectives.all-to-all@256MiB.time_s";
        for (const std::string& asked : std::vector<std::string>{"\"" + key + "\"", "\"collectives\", \"" + key + "\""}) {
            const SweepPlan plan =
                planned(R"({"base": "rail-only", "axes": {"servers": [16]}, "evaluate": [)" + asked + "]}", path(asked.substr(1, 14)));
            QVERIFY(runShard(plan, {1, 1}, {}));
            const auto merged = mergeSweep(plan);
            QVERIFY(merged && merged->answer(0).values.contains(key));
            QVERIFY(merged->answer(0).values[key].is_number());
        }
    }
    // The options of a verb that are no parameters, too.
    void optionsOfReliability() {
        const SweepPlan plan = planned(R"({"base": "rail-only", "axes": {"servers": [16]}, "evaluate":
            ["reliability --horizon 30d --rate gpu=2 --repair server=4h --monte-carlo 300 --seed 7"]})",
                                       path("options"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const auto merged = mergeSweep(plan);
        QVERIFY(merged);
        const Json& values = merged->answer(0).values;
        QCOMPARE(values.at("reliability.monte_carlo.trials").get<int>(), 300);
        QCOMPARE(values.at("reliability.monte_carlo.seed").get<int>(), 7);
        const double expected = values.at("reliability.expected_interruptions").get<double>();
        QVERIFY(expected > 128 * 2.0 * 720 / 8760); // 128 GPUs at the stated rate, and the rest
        for (const char* wrong :
             {"reliability --monte-carlo 0", "reliability --seed x", "reliability --rate fan=1", "reliability --repair"})
            QVERIFY2(!errorsOf(std::string(R"({"base": "rail-only", "axes": {"servers": [16]}, "evaluate": [")") + wrong + "\"]}").empty(),
                     wrong);
    }
    // Options that are no parameters do what they do on the command line.
    void optionsOfOtherVerbs() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "128"}, {"leaf_down", "32"}, {"leaf_up", "8"}});
        const auto valuesOf = [&](const std::string& text) { return *evaluate(*fabric, *readEvaluations({text})); };
        const std::string size = "collective.all-reduce@4GiB", time = size + ".time_s";
        const Json near = valuesOf("collective all-reduce@4GiB --algorithm ring"),
                   far = valuesOf("collective all-reduce@4GiB --algorithm ring --order=far"),
                   swept = valuesOf("collective all-reduce@4GiB --algorithm ring --sweep 1GiB:8GiB");
        QVERIFY(far.at(time) > near.at(time));
        QVERIFY(swept.at(time) == near.at(time));
        QVERIFY(swept.at(size + ".points.4GiB.time_s") == near.at(time));
        QVERIFY(swept.at(size + ".points.8GiB.time_s") > near.at(time) && !swept.contains(size + ".points.16GiB.time_s"));

        const std::string job = " --model gpt3-175b --tp 8 --pp 8 --global-batch 256";
        QVERIFY(valuesOf("train" + job + " --order far").at("train.iteration_s") > valuesOf("train" + job).at("train.iteration_s"));
        QVERIFY(!valuesOf("train" + job).contains("train.run_cost.energy_kwh"));
        QVERIFY(valuesOf("train" + job + " --cost").at("train.run_cost.energy_kwh") > 0);
        const Json found = valuesOf("search" + job + " --top 2");
        QVERIFY(found.at("search.best.iteration_s") <= found.at("search.best[2].iteration_s"));
        QVERIFY(!found.contains("search.best[3].iteration_s"));
        QVERIFY(valuesOf("search" + job + " --objective cost").contains("search.best.iteration_s"));
        for (const char* wrong : {"collective all-reduce@1MiB --order sideways", "collective all-reduce@1MiB --sweep 2MiB:1MiB",
                                  "train --cost=yes", "train --order far --placement spread", "search --objective beauty", "search --top 0",
                                  "search --top", "reliability --order far"})
            QVERIFY2(!readEvaluations({wrong}), wrong);
        QVERIFY(valuesOf("collective all-reduce@4GiB --algorithm ring --fail rail=1 --fail rail=2").at(time) > near.at(time));
        QVERIFY(valuesOf("collective all-reduce@4GiB --algorithm ring --fail-links 5% --seed 3").at(time) > near.at(time));
        QVERIFY(valuesOf("reliability --fail su[1]/leaf[1]").at("reliability.mttf_h") <= valuesOf("reliability").at("reliability.mttf_h"));
        QVERIFY(!readEvaluations({"train --fail-links 200%"}) && !readEvaluations({"train --fail"}));
        QVERIFY(!evaluate(*fabric, *readEvaluations({"train --fail spine[99]"})));
        const auto unknown = readEvaluations({"search --colour red"});
        QVERIFY(unknown.errors().front().text.find("--objective") != std::string::npos); // says which there are
    }
    // Without its parts a sweep has none of its points, and begins again.
    void partsThatWereRemoved() {
        const SweepPlan plan =
            planned(R"({"base": "fat-tree", "axes": {"servers": [8, 16, 24]}, "evaluate": ["counts.gpus"]})", path("lost"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const std::string table = tableOf(plan, path("before.csv"));
        std::filesystem::remove_all(plan.partsFolder());
        const auto merged = mergeSweep(plan);
        QVERIFY(!merged && merged.errors().size() >= 3 && merged.error().text.find("point") != std::string::npos);
        const auto again = runShard(plan, {1, 1}, {});
        QVERIFY(again && again->computed == 3);
        QCOMPARE(tableOf(plan, path("after.csv")), table);
        std::filesystem::remove_all(plan.partsFolder());
        QVERIFY(planSweep(plan.spec, plan.folder));
        QVERIFY(std::filesystem::is_directory(plan.partsFolder()));

        QVERIFY(saveDesign(*build({"rail-only", {{"servers", "16"}}}, "mine", shippedCatalog()), path("mine.railyard")));
        const auto spec =
            readSweepSpec(R"({"base": "mine.railyard", "axes": {"servers": [16]}, "evaluate": ["counts.gpus"]})", path("spec.json"));
        QVERIFY(spec && planSweep(*spec, path("based")));
        const SweepPlan ofDesign = *planSweep(*spec, path("based"));
        std::filesystem::remove(ofDesign.folder + "/base.railyard");
        QVERIFY(!openSweep(ofDesign.folder));
        QVERIFY(planSweep(ofDesign.spec, ofDesign.folder)); // the base is written again
        QVERIFY(openSweep(ofDesign.folder));
    }
    // What an evaluation states and an axis varies stays the value of the axis, in both formats.
    void anAxisKeepsItsValues() {
        const SweepPlan plan = planned(
            R"({"base": "rail-optimized", "settings": {"gpus": 512}, "axes": {"reliability.policy": ["strict", "tolerant"]}, "evaluate": ["reliability --policy strict"]})",
            path("same"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const auto merged = mergeSweep(plan);
        QVERIFY(merged && writeSweepTable(plan, *merged, path("same.json")));
        const auto json = parseJson(*readFile(path("same.json")), "same.json");
        QVERIFY(json && (*json)["rows"].size() == 2);
        QCOMPARE((*json)["rows"][0]["reliability.policy"].get<std::string>(), std::string("strict"));
        QCOMPARE((*json)["rows"][1]["reliability.policy"].get<std::string>(), std::string("tolerant"));
    }
    void namesThatBatchesCannotTake() {
        const auto spec =
            readSweepSpec(R"({"base": "fat-tree", "axes": {"servers": [8]}, "evaluate": ["counts.gpus"]})", path("spec.json"));
        for (const char* name : {"a%jb", "two words", "it's", "50%"}) {
            const auto plan = planSweep(*spec, path(name));
            QVERIFY(plan && writeJobFiles(*plan, {2, "railyard-cli", true}));
            const std::string script = *readFile(plan->folder + "/railyard.sbatch");
            const std::size_t at = script.find("#SBATCH --output=");
            std::string line = script.substr(at, script.find('\n', at) - at);
            for (std::size_t i = line.find("%%"); i != std::string::npos; i = line.find("%%", i)) line.erase(i, 2);
            QCOMPARE(std::count(line.begin(), line.end(), '%'), 1); // that of the task
        }
        for (const char* name : {"back\\slash", "q\"uote", "line\nbreak"}) {
            const auto plan = planSweep(*spec, path(name));
            QVERIFY(plan && !writeJobFiles(*plan, {2, "railyard-cli", true}));
            QVERIFY(writeJobFiles(*plan, {2, "railyard-cli", false}));
        }
    }
    void axesKeepTheirColumn() {
        const SweepPlan plan =
            planned(R"({"base": "rail-only", "axes": {"recipe": ["rail-only", "fat-tree"]}, "evaluate": ["metrics"]})", path("twice"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const std::string table = tableOf(plan, path("twice.csv"));
        const std::string header = table.substr(0, table.find('\n'));
        QVERIFY(header.starts_with("point,recipe,"));
        QCOMPARE(header.find(",recipe,", 8), std::string::npos);
        QVERIFY(errorsOf(R"({"base": "", "axes": {"servers": [16]}, "evaluate": ["counts"]})").find("is empty") != std::string::npos);
    }
    // Every way to divide the points gives the same bytes, and they are those of the metrics of each design.
    void shardsAndThreadsGiveTheSameTable() {
        std::string first;
        for (const int shards : {1, 3, 5, 40}) {
            const SweepPlan plan = planned(smallSpec, path("shards-" + std::to_string(shards)));
            for (int index = shards; index >= 1; --index) QVERIFY(runShard(plan, {index, shards}, {.threads = 1 + index % 2}));
            const std::string table = tableOf(plan, path("table.csv"));
            if (first.empty()) first = table;
            QCOMPARE(table, first);
        }
        QVERIFY(first.starts_with("point,recipe,servers,hb_domain_gpus,counts.gpus,"));
    }
    void valuesAreThoseOfTheDesign() {
        const SweepPlan plan = planned(smallSpec, path("values"));
        QCOMPARE(plan.spec.points(), 12);
        QCOMPARE(plan.ids.size(), std::size_t{12});
        const auto asked = [&](std::int64_t point) { return computePoint(plan.spec, point); };
        const SweepAnswer answer = asked(8); // rail-only, 32 servers, 8
        QCOMPARE(plan.spec.valuesAt(8), (std::vector<std::size_t>{1, 1, 0}));
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "32"}, {"hb_domain_gpus", "8"}});
        const Metrics metrics = metricsOf(*fabric);
        QCOMPARE(answer.values["counts.switches"].get<std::int64_t>(), metrics.instant.counts.switches);
        QCOMPARE(answer.values["bisection.server.fraction_of_injection"].get<double>(),
                 *metrics.background.bisection[0].fractionOfInjection);
        QVERIFY(!answer.values.contains("bisection.gpu_with_hb.fraction_of_injection"));
        QVERIFY(!answer.values.contains("training.iteration_s"));
        for (const NamedCollective& each : metrics.background.collectives)
            if (each.op == CollectiveOp::AllToAll)
                QCOMPARE(answer.values["collective.all-to-all@256MiB.time_s"].get<double>(), each.result->best.time.value());
        QVERIFY(answer.error.empty() && answer.note.empty());
    }
    // Values that build the same design are computed once, and give each point the answer that it has alone.
    void pointsOfOneDesignShareItsAnswer() {
        std::vector<std::int64_t> designs;
        const std::string axes = R"({"base": "rail-optimized", "axes": {"spine_rule": ["even-split", "exact"], "servers": [64, 96, 200],
 "training.tp": [4, 8], "oversubscription": ["1:1", "2:2"], "uplinks": ["all", "used"]}, "evaluate": )";
        for (const auto& [evaluate, name] :
             {std::pair(R"(["counts", "cost", "bisection.server", "ratios", "power", "train", "reliability"]})", "some"),
              {R"(["metrics"]})", "all"}}) {
            const SweepPlan plan = planned(axes + evaluate, path(name));
            const bool hasFingerprint = std::string_view(name) == "all";
            const auto run = runShard(plan, {1, 1}, {.threads = 2});
            QVERIFY(run);
            QCOMPARE(run->computed, 48);
            designs.push_back(run->designs);
            const auto merged = mergeSweep(plan);
            for (std::int64_t point = 0; point < 48; point += hasFingerprint ? 7 : 1) {
                const SweepAnswer alone = computePoint(plan.spec, point), &shared = merged->answer(static_cast<std::size_t>(point));
                QVERIFY(shared.values == alone.values && shared.error == alone.error && shared.note == alone.note);
            }
        }
        // The sizes and tp differ, and some of the others. All metrics have the fingerprint of the document with its recipe.
        QVERIFY2(designs[0] >= 6 && designs[0] < designs[1] && designs[1] < 48, qPrintable(QString::number(designs[0])));
    }
    // What a killed worker has written is kept; its last line, which is cut off, is computed again.
    void whatAKilledWorkerHasLeftIsUsed() {
        const SweepPlan plan = planned(smallSpec, path("killed"));
        const SweepPlan whole = planned(smallSpec, path("whole"));
        QVERIFY(runShard(whole, {1, 1}, {}));
        const std::string lines = *readFile(whole.partsFolder() + "/part-1-of-1.jsonl");
        std::size_t cut = 0;
        for (int line = 0; line < 5; ++line) cut = lines.find('\n', cut) + 1;
        QVERIFY(writeFile(plan.partsFolder() + "/part-1-of-1.jsonl.12345.unfinished", lines.substr(0, cut + 20)));
        QVERIFY(!mergeSweep(plan)); // it is not whole
        const auto run = runShard(plan, {1, 1}, {});
        QVERIFY(run);
        QCOMPARE(run->known, 5);
        QCOMPARE(run->computed, 7);
        QVERIFY(run->problems.empty());
        QCOMPARE(tableOf(plan, path("a.csv")), tableOf(whole, path("b.csv")));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(plan.partsFolder()), {}), 1);
    }
    void whatIsDoneStaysAsItIs() {
        const SweepPlan plan = planned(smallSpec, path("again"));
        QVERIFY(runShard(plan, {1, 2}, {}));
        const std::string file = plan.partsFolder() + "/part-1-of-2.jsonl";
        const auto time = std::filesystem::last_write_time(file);
        const auto again = runShard(plan, {1, 2}, {});
        QCOMPARE(again->computed, 0);
        QCOMPARE(std::filesystem::last_write_time(file), time);
        // another division takes what is there
        const auto other = runShard(plan, {1, 1}, {});
        QCOMPARE(other->known, 6);
        QCOMPARE(other->computed, 6);
    }
    void missingPointsAndShardsAreNamed() {
        const SweepPlan plan = planned(smallSpec, path("missing"));
        for (const int index : {1, 2, 4}) QVERIFY(runShard(plan, {index, 4}, {}));
        const auto merged = mergeSweep(plan);
        QVERIFY(!merged);
        std::string all;
        for (const Error& error : merged.errors()) all += error.text + "\n";
        const auto missing = Shard{3, 4}.pointsOf(12);
        QCOMPARE(missing.size(), std::size_t{3});
        for (const auto point : missing) QVERIFY2(all.find(plan.ids[static_cast<std::size_t>(point)]) != std::string::npos, all.c_str());
        QVERIFY(all.find(plan.ids[static_cast<std::size_t>(Shard{2, 4}.pointsOf(12)[0])]) == std::string::npos);
        QVERIFY2(all.find("missing shards: 3/4") != std::string::npos, all.c_str());
        QVERIFY2(all.find("recipe=rail-optimized servers=32 hb_domain_gpus=8") != std::string::npos, all.c_str());
    }
    void damagedAndForeignFilesAreNamedAndComputedAgain() {
        const SweepPlan plan = planned(smallSpec, path("damaged"));
        const SweepPlan other = planned(R"({"base": "fat-tree", "axes": {"servers": [16]}, "evaluate": ["counts"]})", path("other"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        QVERIFY(runShard(other, {1, 1}, {}));
        const std::string file = plan.partsFolder() + "/part-1-of-1.jsonl", good = *readFile(file);
        QVERIFY(writeFile(file, good.substr(0, good.size() / 2) + "\n" + *readFile(other.partsFolder() + "/part-1-of-1.jsonl")));
        const auto run = runShard(plan, {1, 1}, {});
        QVERIFY(run);
        QCOMPARE(run->problems.size(), std::size_t{2});
        QVERIFY(run->computed > 0 && run->known > 0);
        QCOMPARE(*readFile(file), good);
    }
    void aDigitThatChangedIsNoticed() {
        const SweepPlan plan = planned(smallSpec, path("digit"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const std::string file = plan.partsFolder() + "/part-1-of-1.jsonl", good = *readFile(file);
        std::string bad = good;
        const std::size_t at = bad.find("\"counts.switches\":") + std::string("\"counts.switches\":").size();
        bad[at] = bad[at] == '9' ? '8' : '9';
        QVERIFY(writeFile(file, bad));
        QVERIFY(!mergeSweep(plan)); // the point counts as missing
        const auto run = runShard(plan, {1, 1}, {});
        QCOMPARE(run->computed, 1);
        QCOMPARE(run->problems.size(), std::size_t{1});
        QCOMPARE(*readFile(file), good);
    }
    void twoWorkersOfOneShardDoNotDisturbEachOther() {
        const SweepPlan plan = planned(smallSpec, path("two"));
        std::atomic<int> good = 0;
        std::vector<std::thread> workers;
        for (int i = 0; i < 4; ++i) workers.emplace_back([&] { good += bool(runShard(plan, {1, 1}, {.threads = 1})); });
        for (std::thread& each : workers) each.join();
        QCOMPARE(good.load(), 4);
        QVERIFY(mergeSweep(plan));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(plan.partsFolder()), {}), 1);
    }
    // A part of the metrics that is asked for alone is that of all metrics.
    void partsAreThoseOfAllMetrics() {
        const FabricPointer fabric =
            test::fabricOf("rail-only", {{"servers", "32"}, {"storage", "on"}, {"racks", "auto"}, {"medium", "by-length"}});
        const auto all = evaluate(*fabric, *readEvaluations({"metrics"}));
        QVERIFY(all && (*all)["fingerprint"].get<std::string>().size() == 32);
        for (const char* part : {"counts", "ratios", "bisection", "bisection.server", "bisection.gpu_with_hb", "cost", "power", "floor",
                                 "networks", "failure", "latency", "collectives", "training", "pfc"}) {
            const auto alone = evaluate(*fabric, *readEvaluations({part}));
            QVERIFY2(alone && !alone->empty(), part);
            for (const auto& [key, value] : alone->items())
                QVERIFY2(value == (*all)[key], (key + ": " + value.dump() + " " + (*all)[key].dump()).c_str());
            std::size_t count = 0;
            for (const auto& [key, value] : all->items()) count += key == part || key.starts_with(std::string(part) + ".");
            QCOMPARE(alone->size(), count);
        }
    }
    // What is computed without the links inside servers is what it is with them.
    void figuresOfTheNetworkNeedNoInsideLinks() {
        const std::vector<std::string> ofNetwork{"counts", "cost", "power", "floor", "networks", "pfc", "bisection.server"};
        QVERIFY(!readInsideLinks(*readEvaluations(ofNetwork)));
        for (const std::vector<std::string>& others : {std::vector<std::string>{"metrics"},
                                                       {"ratios"},
                                                       {"counts", "ratios.injection_gbps"},
                                                       {"bisection"},
                                                       {"bisection.gpu_with_hb"},
                                                       {"bisection.server", "bisection.gpu_network_only"},
                                                       {"failure"},
                                                       {"latency"},
                                                       {"collectives"},
                                                       {"training"},
                                                       {"collective all-reduce@1GiB"},
                                                       {"counts", "reliability"}})
            QVERIFY2(readInsideLinks(*readEvaluations(others)), others.back().c_str());
        for (const auto& [recipe, settings] : std::vector<std::pair<std::string, test::Parameters>>{
                 {"rail-optimized", {{"servers", "37"}, {"racks", "auto"}, {"storage", "on"}, {"medium", "by-length"}}},
                 {"rail-optimized", {{"gpus", "1024"}, {"nic_gbps", "200"}, {"oversubscription", "3:1"}}},
                 {"rail-only", {{"gpus", "1024"}, {"hb_domain_gpus", "64"}, {"nic_gbps", "800"}, {"radix", "64"}}},
                 {"rail-only", {{"servers", "130"}, {"nic_ports", "2"}, {"planes", "2"}}},
                 {"superpod-gb200", {{"racks", "auto"}}},
                 {"fat-tree", {{"servers", "100"}, {"radix", "32"}}},
                 {"hpn-pod", {}},
                 {"aipod", {{"servers", "70"}}}}) {
            const DesignPointer design = test::designOf(recipe, settings);
            const auto asked = *readEvaluations(ofNetwork);
            const auto all = evaluate(*elaborate(design), asked), some = evaluate(*elaborate(design, InsideLinks::Omitted), asked);
            QVERIFY(all && some);
            QCOMPARE(some->dump(), all->dump());
        }
    }
    void theSizeOfADesignIsReplaced() {
        QVERIFY(saveDesign(*build({"rail-only", {{"servers", "16"}}}, "mine", shippedCatalog()), path("mine.railyard")));
        for (const char* axis : {R"("gpus": [256])", R"("servers": [32])"}) {
            const auto spec = readSweepSpec(
                std::string(R"({"base": "mine.railyard", "axes": {)") + axis + R"(}, "evaluate": ["counts.gpus"]})", path("spec.json"));
            const auto design = designAt(*spec, 0);
            QVERIFY2(design, design ? "" : design.error().text.c_str());
            QCOMPARE(countsOf(*elaborate(*design)).gpus, 256);
        }
    }
    void infeasibleValuesAreRowsWithTheirReason() {
        const SweepPlan plan = planned(
            R"({"base": "rail-optimized", "axes": {"gpus": [128, 100, 256]}, "evaluate": ["counts.gpus", "train --model gpt3-175b --tp 8 --pp 96"]})",
            path("infeasible"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const auto merged = mergeSweep(plan);
        QVERIFY(merged);
        QCOMPARE(merged->answer(0).values["counts.gpus"].get<int>(), 128); // the metrics are there, the job is not
        QVERIFY2(merged->answer(0).error.find("train") != std::string::npos, merged->answer(0).error.c_str());
        QVERIFY2(merged->answer(1).error.find("96 and 104") != std::string::npos, merged->answer(1).error.c_str());
        QVERIFY(merged->answer(1).values.empty());
    }
    // A job that does not fit has figures, and a reason with which nobody takes it for one that runs.
    void jobsThatDoNotFitSayWhy() {
        const SweepPlan plan = planned(R"({"base": "rail-optimized", "settings": {"training.model": "llama3-405b"},
 "axes": {"gpus": [128, 1024], "training.tp": [3, 8]}, "evaluate": ["training.iteration_s", "train --model llama3-405b --gpus 8"]})",
                                       path("large"));
        for (const int point : {0, 1, 2, 3}) {
            const SweepAnswer answer = computePoint(plan.spec, point);
            QVERIFY2(answer.error.find(point % 2 == 0 ? "must divide the 128 heads" : "training.iteration_s: the job cannot run") !=
                         std::string::npos,
                     answer.error.c_str());
            QVERIFY(answer.error.find("train --model llama3-405b --gpus 8: the job cannot run") != std::string::npos);
        }
        const SweepPlan small = planned(
            R"({"base": "rail-optimized", "axes": {"gpus": [128, 256]}, "evaluate": ["training.iteration_s", "train --model llama3-8b"]})",
            path("small"));
        QVERIFY2(computePoint(small.spec, 0).error.empty(), computePoint(small.spec, 0).error.c_str());
    }
    // What a model file says belongs to the point, not where the file stands.
    void modelsOfFilesAreKept() {
        const auto write = [&](int layers) {
            const std::string model = "{\"layers\": " + std::to_string(layers) +
                                      ", \"hidden\": 2048, \"heads\": 16, \"kv_heads\": 16, \"ffn_hidden\": 8192, \"gated_ffn\": false, "
                                      "\"vocab\": 51200, \"sequence_tokens\": 2048, \"tied_embeddings\": true, \"moe\": false}";
            QVERIFY(writeFile(path("own.json"), model));
        };
        const std::string text =
            R"({"base": "superpod-h100", "axes": {"servers": [32], "training.model": ["own.json", "llama3-8b"]}, "evaluate": ["train"]})";
        write(24);
        const auto first = planOf(text, path("spec.json"), path("models"));
        QVERIFY(first);
        const double before = computePoint(first->spec, 0).values["train.parameters"].get<double>();
        write(48);
        const auto again = openSweep(path("models"));
        QVERIFY(again);
        QCOMPARE(computePoint(again->spec, 0).values["train.parameters"].get<double>(), before);
        QVERIFY(!planOf(text, path("spec.json"), path("models"))); // another sweep
        const auto other = planOf(text, path("spec.json"), path("others"));
        QVERIFY(other && other->ids[0] != first->ids[0] && other->ids[1] == first->ids[1]);
        QVERIFY(computePoint(other->spec, 0).values["train.parameters"].get<double>() > before);
    }
    void anotherRadixThanThatOfTheSwitchIsMarked() {
        const SweepPlan plan =
            planned(R"({"base": "rail-optimized", "axes": {"radix": [64, 128]}, "evaluate": ["cost.network_usd"]})", path("radix"));
        QVERIFY(computePoint(plan.spec, 0).note.empty());
        QVERIFY(computePoint(plan.spec, 1).note.find("leaves with 64 ports") != std::string::npos);
        const SweepPlan spines = planned(R"({"base": "rail-optimized", "settings": {"gpus": 512, "spine_switch": "sw-q3400-ra"},
 "axes": {"spine_radix": [32, 288]}, "evaluate": ["cost.network_usd"]})",
                                         path("spines"));
        QVERIFY(computePoint(spines.spec, 0).note.find("spines with 288 ports") != std::string::npos);
        QVERIFY(computePoint(spines.spec, 1).note.empty());
        const SweepPlan fast = planned(R"({"base": "rail-optimized", "settings": {"servers": 16, "nic_gbps": 800},
 "axes": {"radix": [32, 64]}, "evaluate": ["cost.network_usd"]})",
                                       path("fast")); // a switch of 400 Gb/s ports
        for (const int point : {0, 1})
            QVERIFY2(computePoint(fast.spec, point).note.find("leaves that have no 800 Gb/s ports") != std::string::npos,
                     computePoint(fast.spec, point).note.c_str());
        QVERIFY(runShard(plan, {1, 1}, {}));
        QVERIFY(tableOf(plan, path("radix.csv")).starts_with("point,radix,cost.network_usd,note,error"));
    }
    void aDesignCanBeTheBase() {
        const auto design = build({"rail-only", {{"servers", "16"}}}, "mine", shippedCatalog());
        QVERIFY(saveDesign(*design, path("mine.railyard")));
        QVERIFY(writeFile(
            path("spec.json"),
            R"({"base": "mine.railyard", "axes": {"servers": [16, 32], "training.tp": [4, 8]}, "evaluate": ["training", "counts.gpus"]})"));
        const auto plan = planOf(*readFile(path("spec.json")), path("spec.json"), path("of-design"));
        QVERIFY2(plan, plan ? "" : plan.error().text.c_str());
        const auto reopened = openSweep(path("of-design"));
        QVERIFY2(reopened, reopened ? "" : reopened.error().text.c_str());
        QVERIFY(runShard(*reopened, {1, 1}, {}));
        const auto merged = mergeSweep(*reopened);
        QCOMPARE(merged->answer(2).values["counts.gpus"].get<int>(), 256);
        QVERIFY(merged->answer(0).values["training.iteration_s"] != merged->answer(1).values["training.iteration_s"]);
    }
    void changedManifestsAreRefused() {
        const SweepPlan plan = planned(smallSpec, path("changed"));
        const std::string file = path("changed/manifest.json"), good = *readFile(file);
        QVERIFY(openSweep(path("changed")));
        for (const auto& [from, to] : {std::pair<std::string, std::string>("32", "48"),
                                       {"railyard.sweep/1", "railyard.sweep/9"},
                                       {"\"prices\": \"", "\"prices\": \"0"}}) {
            std::string bad = good;
            bad.replace(bad.find(from), from.size(), to);
            QVERIFY(writeFile(file, bad));
            QVERIFY2(!openSweep(path("changed")), to.c_str());
        }
        QVERIFY(!planOf(R"({"base": "fat-tree", "axes": {"servers": [16]}, "evaluate": ["counts"]})", "spec.json", path("changed")));
    }
    void specsAreChecked_data() {
        QTest::addColumn<QByteArray>("spec");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const char* spec, const char* said) {
            QTest::newRow(name) << QByteArray(spec) << QByteArray(said);
        };
        row("no base", R"({"axes": {"servers": [1]}, "evaluate": ["counts"]})", "base");
        row("no file", R"({"base": "none.railyard", "axes": {"servers": [1]}, "evaluate": ["counts"]})", "neither a recipe nor a design");
        row("no axes", R"({"base": "fat-tree", "axes": {}, "evaluate": ["counts"]})", "at least one axis");
        row("empty axis", R"({"base": "fat-tree", "axes": {"servers": []}, "evaluate": ["counts"]})",
            "axes.servers\" needs at least one value");
        row("twice", R"({"base": "fat-tree", "axes": {"servers": [16, 16]}, "evaluate": ["counts"]})", "16 is listed twice");
        row("unknown option of a section", R"({"base": "fat-tree", "axes": {"training.nope": [1]}, "evaluate": ["counts"]})",
            "axes.training.nope\" is no parameter");
        row("unknown axis", R"({"base": "fat-tree", "axes": {"colour": [1]}, "evaluate": ["counts"]})", "axes.colour\" is no parameter");
        row("unknown key", R"({"base": "fat-tree", "axis": {}, "axes": {"servers": [1]}, "evaluate": ["counts"]})", "axis");
        row("no evaluation", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": []})", "at least one text");
        row("unknown evaluation", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["price"]})",
            "must be metrics, one of its objects");
        row("unknown option", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["train --colour red"]})",
            "no option --colour");
        row("bad option", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["train --tp x"]})", "tp");
        row("no value", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["train --tp"]})", "--tp needs a value");
        row("no size", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["collective all-to-all"]})", "OPERATION@SIZE");
        row("null as a setting", R"({"base": "fat-tree", "settings": {"gpus": null}, "axes": {"servers": [1]}, "evaluate": ["counts"]})",
            "settings.gpus\" must be a number or a text");
        row("list as a setting", R"({"base": "fat-tree", "settings": {"server": ["a"]}, "axes": {"servers": [1]}, "evaluate": ["counts"]})",
            "settings.server\" must be a number or a text");
        row("option twice", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["train --tp 4 --tp 8"]})",
            "--tp is given twice");
        row("size twice", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["collective all-reduce@1GiB --size 2GiB"]})",
            "--size is given twice");
        row("flag twice", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["train --cost --cost"]})",
            "--cost is given twice");
        row("model in a file", R"({"base": "fat-tree", "axes": {"servers": [1]}, "evaluate": ["train --model m.json"]})", "training.model");
        row("no object", R"([])", "must be an object");
    }
    void specsAreChecked() {
        QFETCH(QByteArray, spec);
        QFETCH(QByteArray, said);
        const std::string errors = errorsOf(spec.toStdString());
        QVERIFY2(errors.find(said.toStdString()) != std::string::npos, errors.c_str());
    }
    void allErrorsAreReported() {
        const auto bad = readSweepSpec(
            R"({"base": "fat-tree", "axes": {"colour": [1], "servers": []}, "evaluate": ["price", "train --tp x"]})", "s.json");
        QVERIFY(!bad);
        QCOMPARE(bad.errors().size(), std::size_t{4});
        for (const Error& error : bad.errors()) QVERIFY2(toText(error).find("s.json:1:") != std::string::npos, toText(error).c_str());
    }
    void tooManyPointsAreRefused() {
        std::string values = "1";
        for (int i = 2; i <= 1001; ++i) values += "," + std::to_string(i);
        const std::string spec =
            R"({"base": "fat-tree", "axes": {"servers": [)" + values + R"(], "radix": [)" + values + R"(]}, "evaluate": ["counts"]})";
        QVERIFY(errorsOf(spec).find("1,002,001 points; the maximum is 1,000,000") != std::string::npos);
    }
    // training.gpus = 0 is all GPUs: the answer is another number than the axis says. What says the same has one column.
    void resultsWithTheKeyOfAnAxis() {
        const SweepPlan plan = planned(json("{'base': 'rail-optimized', 'settings': {'training.model': 'llama3-8b'},"
                                            " 'axes': {'servers': [16], 'training.gpus': [0, 64]},"
                                            " 'evaluate': ['training.gpus', 'counts.servers']}"),
                                       path("keys"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const auto merged = mergeSweep(plan);
        QVERIFY(merged);
        QCOMPARE(merged->columns, (std::vector<std::string>{"result.training.gpus", "counts.servers"}));
        for (const char* name : {"keys.csv", "keys.json"}) {
            const std::string text = tableOf(plan, path(name));
            QVERIFY2(text.find("result.training.gpus") != std::string::npos, text.c_str());
        }
        QVERIFY(readFile(path("keys.csv"))->find(",16,0,128,16,") != std::string::npos);
        const SweepPlan same = planned(json("{'base': 'rail-optimized', 'settings': {'training.model': 'llama3-8b'},"
                                            " 'axes': {'training.gpus': [64, 128]}, 'evaluate': ['training.gpus', 'counts.servers']}"),
                                       path("same"));
        QVERIFY(runShard(same, {1, 1}, {}));
        QCOMPARE(mergeSweep(same)->columns, std::vector<std::string>{"counts.servers"});
    }
    // Of a search that finds nothing too: how much it tried.
    void searchesSayWhatTheyTried() {
        const SweepPlan plan =
            planned(json("{'base': 'rail-only', 'axes': {'servers': [1, 2]},"
                         " 'evaluate': ['search --model gpt3-175b --offload none', 'train --model llama3-8b --fail rail=1']}"),
                    path("search"));
        QVERIFY(runShard(plan, {1, 1}, {}));
        const auto merged = mergeSweep(plan);
        QVERIFY(merged);
        const SweepAnswer none = merged->answer(0);
        QVERIFY2(none.error.find("nothing fits in memory") != std::string::npos, none.error.c_str());
        QCOMPARE(none.values.at("search.evaluated").get<int>(), 0);
        QVERIFY(none.values.at("search.too_large").get<int>() > 0);
        QVERIFY(!none.values.at("search.space").get<std::string>().empty());
    }
    // A key of a family must have a member that some design has.
    void keysOfFamilies() {
        for (const char* good : {"counts.switches_by_tier.superspine", "ratios.oversubscription_by_tier.leaf", "networks.in_band.cables",
                                 "networks.storage", "bisection.server.cut_links.leaf-spine", "counts.pluggables_by_part.opt-800g-2xsr4",
                                 "cost.by_category_usd.rack", "collectives.all-reduce@1GiB.time_s", "collectives.0.time_s",
                                 "training.breakdown_s.bubble", "training.model", "counts.cables_by_medium.dac"})
            QVERIFY2(readEvaluation(good), good);
        for (const char* bad :
             {"counts.switches_by_tier.nonsense", "ratios.oversubscription_by_tier.x", "networks.x", "networks.storage.x",
              "bisection.server.cut_links.y", "cost.by_category_usd.z", "collectives.all-to-all@512MiB.time_s", "collectives.nonsense@1GiB",
              "training.breakdown_s.coffee", "counts.x", "counts.", "counts.gpus.", "training.", "counts.cables_by_medium.foo"})
            QVERIFY2(!readEvaluation(bad), bad);
    }

private:
    std::string path(const std::string& name) const { return m_folder->filePath(QString::fromStdString(name)).toStdString(); }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_sweep)
#include "tst_sweep.moc"
