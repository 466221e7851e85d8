#include "tests/support/designs.h"

#include "core/analysis/maps/traffic_matrix.h"
#include "core/base/file.h"
#include "core/collective/collective.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/workload/job_messages.h"
#include "core/workload/models_json.h"
#include "core/workload/usual_job.h"

#include <cstdio>
#include <random>

using namespace railyard;

namespace {

TrainingJob jobOf(const std::string& model, std::array<std::int64_t, 5> ways, std::int64_t globalBatch) {
    TrainingJob job;
    job.model = *modelOf(model);
    job.degrees = ways;
    job.globalBatch = globalBatch;
    return job;
}
Result<JobTraffic> trafficOn(const Fabric& fabric, const TrainingJob& job) {
    return jobTrafficOf(fabric, job, gpusInOrder(fabric, RankOrder::Near));
}
double share(double a, double b) { return std::abs(a / b - 1); }

} // namespace

class tst_job_traffic : public QObject {
    Q_OBJECT

private slots:
    void parametersAreThoseOfTheModels() { // norms and biases left out
        for (const auto& [id, parameters] :
             {std::pair("llama3-70b", 70.5537e9), std::pair("llama3-8b", 8.0303e9), std::pair("gpt3-175b", 174.6e9),
              std::pair("mixtral-8x7b", 46.7028e9), std::pair("llama3-405b", 405.85e9)}) {
            const TransformerModel model = *modelOf(id);
            const double all = model.denseParametersOfLayers() + model.expertParametersOfLayers() +
                               model.embeddingParameters() * (model.hasTiedEmbeddings ? 1 : 2);
            QVERIFY2(share(all, parameters) < 2e-3, id);
        }
    }
    // Llama-3 70B by TP 8, DP 4, PP 2, 128 sequences, ZeRO 1: 1,203 GB, 19.8 GB and 0.537 GB from each GPU, worked out by hand.
    void volumesByTheClosedForms() {
        TrainingJob job = jobOf("llama3-70b", {8, 1, 1, 4, 2}, 128);
        job.zero = 1;
        const JobVolumes v = volumesOf(job);
        QVERIFY(share(v.tensor, 32 * 40 * 4 * 2 * (7.0 / 8) * 8192.0 * 8192 * 2) < 1e-12);
        QVERIFY(share(v.tensor, 1203e9) < 1e-3);
        QVERIFY(share(v.dataDense + v.dataEmbedding, 19.8e9) < 5e-3);
        QVERIFY(share(v.pipelineForward, 32.0 * 8192 * 8192 * 2 / 8) < 1e-12);
        QCOMPARE(v.context, 0.0);
        QCOMPARE(v.expert, 0.0);
        job.recompute = Recompute::Full; // the forward pass twice
        QVERIFY(share(volumesOf(job).tensor, v.tensor * 1.5) < 1e-12);
        job.isPipelineScattered = false;
        QVERIFY(share(volumesOf(job).pipelineForward, v.pipelineForward * 8) < 1e-12);
    }
    void contextAndExperts() {
        const TrainingJob context = jobOf("llama3-8b", {1, 4, 1, 1, 1}, 1); // 3 x 3 steps of a quarter of keys and values
        QVERIFY(share(volumesOf(context).context, 32 * 3 * 3 * 2 * 2048.0 * 1024 * 2) < 1e-12);
        const TrainingJob experts = jobOf("mixtral-8x7b", {1, 1, 8, 1, 1}, 8);
        QVERIFY(share(volumesOf(experts).expert, 32 * 4 * (7.0 / 8) * 32768.0 * 4096 * 2 * 2) < 1e-12);
        QCOMPARE(volumesOf(experts).dataExperts, 0.0); // one rank has each expert
    }
    void expertsAreDividedOverTensorRanksToo() { // each takes its tokens top_k times; the attention once
        const TrainingJob job = jobOf("mixtral-8x7b", {4, 1, 2, 1, 1}, 2);
        QVERIFY(share(volumesOf(job).tensor, 32 * (1 + 2) * 2 * 2 * 0.75 * 32768.0 * 4096 * 2) < 1e-12);
    }
    void keysAndValuesAreNotDividedFurtherThanTheirHeads() { // 8 of them, 16 ranks
        const TrainingJob eight = jobOf("llama3-70b", {8, 4, 1, 1, 1}, 1), sixteen = jobOf("llama3-70b", {16, 4, 1, 1, 1}, 1);
        QCOMPARE(volumesOf(sixteen).context, volumesOf(eight).context);
    }
    void sharingParametersCostsEveryMicroBatch() {
        TrainingJob job = jobOf("llama3-8b", {1, 1, 1, 4, 1}, 64); // 16 micro-batches
        const double part = 0.75 * job.model.denseParametersOfLayers();
        for (const auto& [zero, bytes] : {std::pair(0, 8.0), std::pair(1, 6.0), std::pair(2, 16 * 4 + 2.0), std::pair(3, 16 * (4 + 4.0))}) {
            job.zero = zero;
            QVERIFY2(share(volumesOf(job).dataDense, part * bytes) < 1e-12, std::to_string(zero).c_str());
        }
    }
    void stagesThatShareEmbeddingsExchangeGradients() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        TrainingJob job = jobOf("megatron-1.7b", {1, 1, 1, 1, 4}, 8);
        const double tied = trafficOn(*fabric, job)->bytes[4];
        job.model.hasTiedEmbeddings = false;
        QVERIFY(share(tied - trafficOn(*fabric, job)->bytes[4], 2 * 51200.0 * 2304 * 4) < 1e-9);
    }
    void groupsAreAsPublished() { // case A39: TP 8, PP 4, DP 3: 32 data-parallel groups of 3, all on their rail
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "12"}});
        const auto traffic = trafficOn(*fabric, jobOf("llama3-70b", {8, 1, 1, 3, 4}, 12));
        std::map<std::uint32_t, std::uint32_t> next;
        for (const JobFlow& flow : traffic->flows)
            if (flow.kind == Parallel::Data) next[flow.from] = flow.to;
        QCOMPARE(next.size(), std::size_t{96});
        for (const auto& [from, to] : next) {
            QCOMPARE(next[next[to]], from);
            QCOMPARE(fabric->devices.index[from], fabric->devices.index[to]);
        }
    }
    void mostPairsAreSilent() { // case A40: TP 8, PP 64, DP 6 on 3,072 GPUs
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "384"}});
        const auto traffic = trafficOn(*fabric, jobOf("llama3-70b", {8, 1, 1, 6, 64}, 24));
        const TrafficMatrix matrix = trafficMatrix(*fabric, *traffic, MatrixGrain::Gpu);
        const double pairs = 3072.0 * 3071;
        std::size_t tensor = 0;
        for (const TrafficMatrix::Cell& cell : matrix.cells) tensor += cell.bytes[0] > 0;
        QVERIFY(std::abs(static_cast<double>(tensor) / pairs * 100 - 0.0326) < 5e-5);
        QVERIFY(100 - static_cast<double>(matrix.cells.size()) / pairs * 100 >= 99.87);
        QCOMPARE(matrix.acrossRails, 0.0);
        QVERIFY(matrix.onRails > 0 && matrix.inDomains > 0);
    }
    void partsSumToTheWholeAtEveryGrain() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "64"}});
        for (const auto& job : {jobOf("mixtral-8x7b", {2, 2, 8, 4, 4}, 128), jobOf("llama3-70b", {8, 1, 1, 2, 5}, 40)}) {
            const auto traffic = trafficOn(*fabric, job);
            QVERIFY(traffic);
            for (const auto grain : {MatrixGrain::Gpu, MatrixGrain::Server, MatrixGrain::HbDomain, MatrixGrain::Su}) {
                const TrafficMatrix matrix = trafficMatrix(*fabric, *traffic, grain);
                double sum = 0, places = matrix.inDomains + matrix.onRails + matrix.acrossRails + matrix.withoutRails;
                for (const TrafficMatrix::Cell& cell : matrix.cells) sum += cell.total();
                QVERIFY(share(sum, traffic->total()) < 1e-9 && share(places, traffic->total()) < 1e-9);
                QVERIFY(std::is_sorted(matrix.cells.begin(), matrix.cells.end(),
                                       [](auto& a, auto& b) { return std::pair(a.row, a.column) < std::pair(b.row, b.column); }));
            }
        }
    }
    void whatGoesInComesOut() { // of every collective a rank receives what it sends
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}});
        for (const char* order : {"tp-cp-ep-dp-pp", "pp-dp-tp-ep-cp", "dp-tp-pp-cp-ep"}) {
            TrainingJob job = jobOf("mixtral-8x7b", {2, 2, 4, 4, 2}, 64);
            job.rankOrder = *TrainingJob::rankOrderFrom(order);
            std::map<std::uint32_t, double> balance, sent;
            const auto traffic = trafficOn(*fabric, job);
            for (const JobFlow& flow : traffic->flows)
                balance[flow.from] += flow.bytes, balance[flow.to] -= flow.bytes, sent[flow.from] += flow.bytes;
            QCOMPARE(balance.size(), std::size_t{128});
            for (const auto& [gpu, bytes] : balance) QVERIFY(std::abs(bytes) < 1e-9 * sent[gpu]);
        }
    }
    void ringsKeepToTheirRails() { // TP 4: two members of a data-parallel group in every server
        for (const char* recipe : {"rail-optimized", "rail-only"}) {
            const FabricPointer fabric = test::fabricOf(recipe, {{"servers", "16"}});
            for (const std::int64_t tensor : {1, 2, 4, 8}) {
                const auto traffic = trafficOn(*fabric, jobOf("llama3-70b", {tensor, 1, 1, 128 / tensor, 1}, 128));
                const TrafficMatrix matrix = trafficMatrix(*fabric, *traffic, MatrixGrain::Gpu);
                QCOMPARE(matrix.acrossRails, 0.0);
                QVERIFY(matrix.onRails > 0);
                QCOMPARE(linkLoads(*fabric, toGpuTraffic(*traffic), {})->unreachablePairs, std::int64_t{0});
            }
        }
    }
    void aLostGpuDoesNotFoldTheRings() { // TP 1: every other ring goes on along its rail
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "8"}});
        const FabricPointer left = without(intact, select(*intact, "su[1]/srv[3]/gpu[2]")->devices, {});
        TrainingJob job = jobOf("llama3-8b", {1, 1, 1, 63, 1}, 63);
        const auto traffic = trafficOn(*left, job);
        QCOMPARE(trafficMatrix(*left, *traffic, MatrixGrain::Gpu).acrossRails, 0.0);
        std::map<std::uint32_t, double> got, sent;
        for (const JobFlow& flow : traffic->flows) got[flow.to] += flow.bytes, sent[flow.from] += flow.bytes;
        for (const auto& [gpu, bytes] : sent) QVERIFY(share(bytes, sent.begin()->second) < 1e-12 && got[gpu] < 1.2 * bytes);
    }
    void interleavingCrossesMoreOften() { // v chunks a stage: v times to the next stage, v - 1 from the last to the first
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        TrainingJob job = jobOf("llama3-8b", {1, 1, 1, 1, 8}, 16);
        const double plain = trafficOn(*fabric, job)->bytes[4];
        job.interleave = 4;
        QVERIFY(share(trafficOn(*fabric, job)->bytes[4] / plain, (7.0 * 4 + 3) / 7) < 1e-12);
    }
    void loadsOfAJobAreOfItsFlows() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "4"}});
        const auto traffic = trafficOn(*fabric, jobOf("llama3-70b", {8, 1, 1, 4, 1}, 16));
        const auto loads = linkLoads(*fabric, toGpuTraffic(*traffic), {});
        for (const LinkId l : fabric->links.ids()) // every NIC carries the ring of its data-parallel group
            if (fabric->links.tier[l] == LinkTier::HostLeaf) QVERIFY(share(loads->aToB[l], traffic->bytes[3] / traffic->total()) < 1e-9);
    }
    void impossibleJobsSayWhy() {
        const auto reason = [](std::array<std::int64_t, 5> ways, std::int64_t batch, const char* model = "llama3-70b") {
            const auto problems = jobOf(model, ways, batch).problems();
            return problems.empty() ? std::string() : problems.front().text;
        };
        QVERIFY(reason({8, 1, 1, 4, 2}, 128).empty());
        QVERIFY(reason({3, 1, 1, 1, 1}, 1).find("64 heads") != std::string::npos);
        QVERIFY(reason({1, 1, 1, 1, 81}, 1).find("80 layers") != std::string::npos);
        QVERIFY(reason({1, 1, 2, 1, 1}, 2).find("no experts") != std::string::npos);
        QVERIFY(reason({1, 1, 3, 1, 1}, 3, "mixtral-8x7b").find("8 experts") != std::string::npos);
        QVERIFY(reason({1, 1, 1, 3, 1}, 4).find("multiple of") != std::string::npos);
        QVERIFY(reason({1, 1, 1, 0, 1}, 4).find("dp = 0") != std::string::npos);
        QVERIFY(!trafficOn(*test::fabricOf("rail-optimized", {{"servers", "1"}}), jobOf("llama3-70b", {8, 1, 1, 2, 1}, 2)));
        for (const char* order : {"tp", "tp-cp-ep-dp-dp", "tp-cp-ep-dp-pp-tp", "tp-cp-ep-dp-xx", ""})
            QVERIFY(!TrainingJob::rankOrderFrom(order));
    }
    void hugeJobsAreRefusedNotComputed() {
        TrainingJob job = jobOf("mixtral-8x7b", {1, 1, 1'000'000, 1'000'000, 1'000'000}, 0);
        job.microBatch = 1'000'000;
        QVERIFY(!placedJob(job, *test::fabricOf("rail-optimized", {{"servers", "1"}}), RankOrder::Near).job.problems().empty());
        job = jobOf("mixtral-8x7b", {1, 1, 4096, 8, 1}, 32768); // 32,768 ranks, 4,096 experts: 134 million pairs
        job.model.mixture->experts = 4096;
        const auto refused =
            jobTrafficOf(*test::fabricOf("rail-optimized", {{"servers", "1"}}), job, std::vector<DeviceId>(32768, DeviceId(0)));
        QVERIFY(!refused && refused.error().text.find("the maximum is") != std::string::npos);
    }
    // Products of huge degrees do not wrap around: by 128-bit arithmetic. What cannot run is refused by everybody that takes a job.
    void hugeProductsAreCounted() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        std::mt19937_64 random(7);
        const auto huge = [&] { // a power of two, of ten, or any number
            constexpr std::array<std::int64_t, 9> round{1, 2, 256, 65'536, 1 << 20, 10, 1'000, 1'000'000, 3};
            return random() % 3 > 0 ? round[random() % round.size()] : static_cast<std::int64_t>(1 + random() % 1'000'000);
        };
        std::size_t run = 0;
        for (int i = 0; i < 3000; ++i) {
            TrainingJob job = jobOf(i % 2 == 0 ? "mixtral-8x7b" : "llama3-70b", {huge(), huge(), huge(), huge(), huge()}, huge());
            job.microBatch = huge();
            job.interleave = huge();
            if (i % 5 == 0) { // one that may run
                for (std::int64_t& each : job.degrees) each = std::int64_t{1} << random() % 3;
                job.microBatch = job.interleave = 1;
                job.globalBatch = 1 << 20;
            }
            if (i % 4 < 2) // a model that allows everything
                job.model.heads = job.model.kvHeads = job.by(Parallel::Tensor), job.model.sequenceTokens = job.by(Parallel::Context);
            constexpr std::int64_t most = std::int64_t{1} << 60;
            const auto times = [&](std::int64_t a, std::int64_t b) { // by division, which cannot overflow
                return a > most / std::max<std::int64_t>(1, b) ? most : std::min(most, a * b);
            };
            std::int64_t product = 1, sequences = std::min(most, job.microBatch);
            for (const std::int64_t each : job.degrees) product = times(product, each);
            for (const Parallel each : {Parallel::Data, Parallel::Expert}) sequences = times(sequences, job.by(each));
            QCOMPARE(job.gpus(), product);
            QCOMPARE(job.sequencesAtOnce(), sequences);
            const std::vector<Error> problems = job.problems();
            QCOMPARE(job.brokenRules(), problems.size());
            const bool canRun = problems.empty() && product <= static_cast<std::int64_t>(gpus.size());
            run += canRun ? 1 : 0;
            QCOMPARE(static_cast<bool>(jobTrafficOf(*fabric, job, gpus)), canRun);
            QCOMPARE(static_cast<bool>(messagesOf(*fabric, {job, gpus})), canRun);
            TrainingJob open = job; // what is left to the program can be filled in
            open.degrees[static_cast<std::size_t>(Parallel::Data)] = open.globalBatch = 0;
            QVERIFY(placedJob(open, *fabric, gpus).job.by(Parallel::Data) >= 1);
        }
        QVERIFY(run > 0);
    }
    // By trying all numbers. Of a billion too, even if it is a prime number.
    void theNearestDivisorsAreSaid() {
        const auto nearest = [](std::int64_t degree, std::int64_t tokens) {
            TrainingJob job = jobOf("llama3-70b", {1, degree, 1, 1, 1}, 1);
            job.model.sequenceTokens = tokens;
            const auto problems = job.problems();
            return problems.empty() ? std::vector<std::string>() : problems.front().nearest;
        };
        for (std::int64_t tokens = 1; tokens <= 60; ++tokens)
            for (std::int64_t degree = 1; degree <= 70; ++degree) {
                std::vector<std::string> expected;
                if (tokens % degree != 0) {
                    std::int64_t below = degree, above = degree;
                    while (tokens % below != 0) --below;
                    while (above <= tokens && tokens % above != 0) ++above;
                    expected.push_back(std::to_string(below));
                    if (above <= tokens) expected.push_back(std::to_string(above));
                }
                QCOMPARE(nearest(degree, tokens), expected);
            }
        for (int i = 0; i < 1000; ++i) QCOMPARE(nearest(2 + i, 999'999'937), (std::vector<std::string>{"1", "999999937"}));
    }
    void jobsAreFilledInFromTheDesign() {
        TrainingJob job;
        job.model = *modelOf("llama3-70b");
        job.degrees = {0, 1, 1, 0, 2};
        job.globalBatch = 0;
        const TrainingJob filled = placedJob(job, *test::fabricOf("rail-optimized", {{"servers", "16"}}), RankOrder::Near).job;
        QCOMPARE(filled.degrees, (std::array<std::int64_t, 5>{8, 1, 1, 8, 2}));
        QCOMPARE(filled.globalBatch, std::int64_t{64});
        QVERIFY(filled.problems().empty());
        const FabricPointer intact = test::fabricOf("rail-optimized", {{"servers", "16"}});
        const FabricPointer damaged = without(intact, select(*intact, "su[1]/srv[1]/gpu[1]")->devices, {});
        const PlacedJob on = placedJob(job, *damaged, RankOrder::Near); // one GPU less: its server stays idle, the others go on
        QCOMPARE(on.job.by(Parallel::Tensor), std::int64_t{8});
        QCOMPARE(on.gpus.size(), std::size_t{120});
        job.degrees[0] = 4; // half of it runs
        QCOMPARE(placedJob(job, *damaged, RankOrder::Near).gpus.size(), std::size_t{124});
        const auto traffic = jobTrafficOf(*damaged, on.job, on.gpus);
        QCOMPARE(trafficMatrix(*damaged, *traffic, MatrixGrain::Gpu).acrossRails, 0.0);
        const std::vector<DeviceId> listed(on.gpus.begin(), on.gpus.begin() + 32); // of a list all are used, and no more
        QCOMPARE(placedJob(job, *damaged, listed).job.gpus(), std::int64_t{32});
    }
    void modelFilesSayWhatIsWrong() {
        const QTemporaryDir folder; // of this run alone
        const std::string path = folder.filePath(QStringLiteral("model.json")).toStdString();
        QVERIFY(
            writeFile(path, R"({"layers": 2, "hidden": 100, "heads": 3, "ffn_hidden": 8, "vocab": 10, "sequence_tokens": 4, "moe": 7})"));
        const auto read = modelOf(path);
        QVERIFY(!read && read.errors().size() == 2);
        QVERIFY(toText(read.errors().back()).find("does not divide hidden") != std::string::npos ||
                toText(read.errors().front()).find("does not divide hidden") != std::string::npos);
        std::remove(path.c_str());
        QVERIFY(!modelOf("gpt-9"));
    }
};

QTEST_GUILESS_MAIN(tst_job_traffic)
#include "tst_job_traffic.moc"
