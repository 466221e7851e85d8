// Training jobs that share a fabric.
#include "tests/support/designs.h" // first, because moc cannot parse <concepts>

#include "core/training/shared_cluster.h"
#include "core/workload/job_traffic.h"
#include "core/workload/models_json.h"

#include <cmath>
#include <set>

using namespace railyard;

class tst_shared_cluster : public QObject {
    Q_OBJECT

    static NamedJob job(const std::string& name, std::map<std::string, std::string> options) {
        const auto request = readJob(options);
        if (!request) qFatal("%s", request.error().text.c_str());
        return {name, *request};
    }

private slots:
    void oneJobIsAlone() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "32"}, {"oversubscription", "3:1"}});
        const auto found = trainTogether(*fabric, {job("a", {{"model", "llama3-8b"}})});
        QVERIFY(found);
        QCOMPARE(found->front().slowdown(), 1.0);
        QCOMPARE(found->front().worstSlowdown(), 1.0);
        const auto placed = placedOn(*fabric, job("a", {{"model", "llama3-8b"}}).request);
        QCOMPARE(found->front().alone.iteration, estimateTraining(*fabric, *placed, {})->iteration);
    }
    // Packed into SUs of their own, jobs share no link; spread over the same SUs they share the links above the leaves.
    void onlySharedLinksSlowDown() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "96"}, {"su_servers", "48"}, {"oversubscription", "3:1"}});
        const auto both = [&](const char* placement) {
            std::vector<NamedJob> jobs;
            for (const char* name : {"a", "b"})
                jobs.push_back(job(name, {{"model", "llama3-8b"}, {"gpus", "384"}, {"placement", placement}}));
            return *trainTogether(*fabric, jobs);
        };
        for (const JobOnCluster& each : both("packed")) QCOMPARE(each.worstSlowdown(), 1.0);
        std::set<std::uint32_t> gpus;
        for (const JobOnCluster& each : both("spread")) {
            QVERIFY(each.worstSlowdown() > 1.01);
            QVERIFY(each.slowdown() >= 1 && each.slowdown() <= each.worstSlowdown());
            for (const DeviceId gpu : each.placed.gpus) QVERIFY2(gpus.insert(gpu).second, "a GPU in two jobs");
        }
        QCOMPARE(gpus.size(), std::size_t{768});
    }
    // Messages within servers are not on the network: without them as with them, the others wait as long.
    void onlyTheNetworkIsShared() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "32"}, {"su_servers", "8"}, {"leaf_down", "8"}, {"leaf_up", "2"}});
        const NamedJob one = job("a", {{"gpus", "128"}, {"tp", "8"}, {"placement", "spread"}, {"global_batch", "512"}});
        const auto both = trainTogether(*fabric, {one, {"b", one.request}});
        QVERIFY(both);
        const JobOnCluster& first = both->front();
        TrainingPlan apart = one.request.planned.plan;
        apart.overlapsData = false;
        const auto serial = estimateTraining(*fabric, first.placed, apart);
        QVERIFY(serial);
        const double share = serial->breakdown.data / first.alone.iteration;
        QVERIFY(first.alone.breakdown.tensor > serial->breakdown.data); // most messages are those of servers
        // What DP waits for the other job is in proportion to the time that it is on the network.
        const double expected = (first.expected.iteration - first.alone.iteration) / (first.worst.iteration - first.alone.iteration);
        QVERIFY2(std::abs(expected - share) < 0.05, qPrintable(QStringLiteral("%1 %2").arg(expected).arg(share)));
    }
    // Messages that hide behind computing are on the links all the same: for more of an iteration that is shorter for it.
    void hiddenExchangesAreOnTheLinks() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "96"}, {"su_servers", "48"}, {"oversubscription", "3:1"}});
        const auto slowdownBeside = [&](const char* overlap) {
            const NamedJob own = job("a", {{"model", "llama3-8b"}, {"gpus", "384"}, {"placement", "spread"}}),
                           other = job("b", {{"model", "mixtral-8x7b"},
                                             {"gpus", "384"},
                                             {"tp", "8"},
                                             {"ep", "8"},
                                             {"global_batch", "1536"},
                                             {"overlap_ep", overlap},
                                             {"placement", "spread"}});
            const auto both = trainTogether(*fabric, {own, other});
            if (!both) qFatal("%s", both.error().text.c_str());
            return both->front().slowdown();
        };
        QVERIFY(slowdownBeside("off") > 1);
        QVERIFY(slowdownBeside("on") >= slowdownBeside("off") * (1 - 1e-9));
    }
    // At worst, two alike jobs are on the links as if they were one set of flows.
    void atWorstTheirFlowsAddUp() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "96"}, {"su_servers", "48"}, {"oversubscription", "3:1"}});
        const auto graph = std::make_shared<const SwitchGraph>(switchGraphOf(*fabric));
        const Contention contention(*fabric, graph);
        const std::vector<DeviceId> all = gpusInOrder(*fabric, RankOrder::Near);
        std::vector<GpuFlow> first, second, together;
        const std::size_t half = all.size() / 2;
        for (std::size_t i = 0; i < half; ++i) { // to the other SU: even servers are of the first job
            auto& own = i / 8 % 2 == 0 ? first : second;
            own.push_back({all[i], all[i + half], 1});
            own.push_back({all[i + half], all[i], 1});
        }
        together = first;
        together.insert(together.end(), second.begin(), second.end());
        const LinkShares own = contention.sharesOf(first);
        for (const double weight : {1.0, 0.3}) { // of the first one, which does not wait for itself
            SharedLinks both(fabric->links.size());
            both.add(contention.sharesOf(second), 1);
            both.add(own, weight);
            QVERIFY(std::abs(both.busiestWith(own, own, weight) - Contention::busiestOf(contention.sharesOf(together))) < 1e-9);
        }
        QVERIFY(Contention::busiestOf(own) < Contention::busiestOf(contention.sharesOf(together)));
    }
    void filesAreRead() {
        const auto jobs =
            readJobs("{\"jobs\": [{\"name\": \"a\", \"model\": \"gpt3-175b\", \"gpus\": 64, \"pp\": \"2\"}, {\"gpus\": 32}]}", "x");
        QVERIFY(jobs);
        QCOMPARE(jobs->size(), std::size_t{2});
        QCOMPARE((*jobs)[0].request.planned.job.model.id, std::string("gpt3-175b"));
        QCOMPARE((*jobs)[1].name, std::string("job 2"));
        QCOMPARE((*jobs)[1].request.gpus, std::int64_t{32});
    }
    void badFilesSayWhere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no list") << "{}"
                                 << "is missing; it lists the jobs";
        QTest::newRow("a list") << "[]"
                                << "is missing";
        QTest::newRow("empty") << "{\"jobs\": []}"
                               << "is empty";
        QTest::newRow("no object") << "{\"jobs\": [3]}"
                                   << "is not a job";
        QTest::newRow("unknown key") << "{\"jobs\": [{\n\"gpu\": 3}]}"
                                     << "x:2:";
        QTest::newRow("value") << "{\"jobs\": [{\"tp\": \"many\"}]}"
                               << "whole number";
        QTest::newRow("kind") << "{\"jobs\": [{\"tp\": true}]}"
                              << "neither a string nor a number";
        QTest::newRow("twice") << "{\"jobs\": [{\"name\": \"a\"}, {\"name\": \"a\"}]}"
                               << "as that of another job";
    }
    void badFilesSayWhere() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const auto jobs = readJobs(text.toStdString(), "x");
        QVERIFY(!jobs);
        QVERIFY2(QString::fromStdString(toText(jobs.error())).contains(said), toText(jobs.error()).c_str());
    }
    // Three jobs of different sizes: what they wait for is what the others have on their links, not on all.
    void jobsOfDifferentSizes() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "96"}, {"su_servers", "48"}, {"oversubscription", "3:1"}});
        const auto of = [&](std::vector<NamedJob> jobs) { return *trainTogether(*fabric, jobs); };
        const NamedJob large = job("a", {{"model", "llama3-8b"}, {"gpus", "384"}, {"placement", "spread"}}),
                       small = job("b", {{"model", "llama3-8b"}, {"gpus", "64"}, {"placement", "spread"}}),
                       inside = job("c", {{"model", "llama3-8b"}, {"gpus", "8"}});
        const auto two = of({large, small}), three = of({large, small, inside});
        for (std::size_t j = 0; j < two.size(); ++j) { // one within a server disturbs nobody
            QVERIFY(std::abs(three[j].worst.iteration / two[j].worst.iteration - 1) < 1e-9);
            QVERIFY(two[j].worstSlowdown() >= two[j].slowdown() && two[j].slowdown() >= 1);
        }
        QCOMPARE(three[2].worstSlowdown(), 1.0);
        // The smaller one meets more of the others: where computing hides none of it, its messages wait longer.
        NamedJob largeSerial = large, smallSerial = small;
        for (NamedJob* each : {&largeSerial, &smallSerial}) each->request.planned.plan.overlapsData = false;
        const auto serial = of({largeSerial, smallSerial});
        const auto stretched = [](const JobOnCluster& each) { return each.worst.breakdown.data / each.alone.breakdown.data; };
        QVERIFY(stretched(serial[1]) > stretched(serial[0]));
    }
    // Jobs that share the NIC of a server wait for each other.
    void jobsShareNics() {
        const FabricPointer fabric = test::fabricOf("fat-tree", {{"servers", "4"}, {"nics_per_server", "1"}});
        const NamedJob half = job("a", {{"model", "llama3-8b"}, {"gpus", "12"}, {"tp", "4"}, {"global_batch", "12"}});
        const auto found = trainTogether(*fabric, {half, {"b", half.request}});
        QVERIFY(found);
        QVERIFY2(found->front().worstSlowdown() > 1.01, qPrintable(QString::number(found->front().worstSlowdown())));
    }
    void moreThanIsLeftSaysSo() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "16"}});
        const auto found = trainTogether(
            *fabric, {job("a", {{"model", "llama3-8b"}, {"gpus", "96"}}), job("b", {{"model", "llama3-8b"}, {"gpus", "64"}})});
        QVERIFY(!found);
        QVERIFY2(found.error().text.find("job b: gpus = 64: the jobs before it leave 32 GPUs") != std::string::npos,
                 found.error().text.c_str());
        const auto none = trainTogether(*fabric, {job("a", {{"model", "llama3-8b"}}), job("b", {{"model", "llama3-8b"}})});
        QVERIFY(!none && none.error().text.find("job b: no GPU is left") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_shared_cluster)
#include "tst_shared_cluster.moc"
