// Messages of a job: closed forms, and sums that agree with its volumes.
#include "tests/support/designs.h"

#include "core/workload/job_messages.h"
#include "core/workload/job_traffic.h"
#include "core/workload/models_json.h"

using namespace railyard;

namespace {

PlacedJob placed(const Fabric& fabric, const char* model, std::array<std::int64_t, 5> ways, int zero = 0) {
    TrainingJob job;
    job.model = *modelOf(model);
    job.degrees = ways;
    job.globalBatch = 0;
    job.zero = zero;
    return placedJob(std::move(job), fabric, RankOrder::Near);
}

// What a rank sends for it: rings pass (n-1)/n of what they sum or gather, an all-to-all of what it sends.
double sent(const JobMessage& message) {
    const auto n = static_cast<double>(message.ranks);
    const double passes = message.op == CollectiveOp::PointToPoint ? 1 : (message.op == CollectiveOp::AllReduce ? 2 : 1) * (n - 1) / n;
    return message.count * static_cast<double>(message.size.count()) * passes;
}

} // namespace

class tst_job_messages : public QObject {
    Q_OBJECT

private slots:
    void sumsAreTheVolumes_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("zero");
        QTest::addColumn<int>("experts");
        QTest::addColumn<int>("stages");
        for (const int zero : {0, 1, 2, 3})
            for (const int stages : {1, 4}) {
                QTest::addRow("dense, zero %d, %d stages", zero, stages) << "llama3-70b" << zero << 1 << stages;
                QTest::addRow("mixture, zero %d, %d stages", zero, stages) << "mixtral-8x7b" << zero << 8 << stages;
            }
    }
    void sumsAreTheVolumes() {
        QFETCH(QString, model);
        QFETCH(int, zero);
        QFETCH(int, experts);
        QFETCH(int, stages);
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "64"}});
        PlacedJob job = placed(*fabric, model.toUtf8().constData(), {4, 1, experts, 0, stages}, zero);
        job.job.isSequenceParallel = stages > 1;
        const auto messages = messagesOf(*fabric, job);
        QVERIFY(messages);
        const JobVolumes volumes = volumesOf(job.job);
        std::array<double, 5> of{};
        for (const JobMessage& message : *messages) of[static_cast<std::size_t>(message.kind)] += sent(message);
        const auto is = [&](Parallel kind, double expected) {
            QVERIFY2(std::abs(of[static_cast<std::size_t>(kind)] - expected) <= 1e-4 * expected, std::string(toText(kind)).c_str());
        };
        if (!job.job.model.mixture) is(Parallel::Tensor, volumes.tensor); // experts take a token top-k times, in messages of their own
        is(Parallel::Expert, volumes.expertCopy * tokenCopies(*fabric, job.job, job.gpus)); // by HB domain
        job.job.dispatch = ExpertDispatch::Expert;
        QVERIFY(std::abs(volumes.expertCopy * tokenCopies(*fabric, job.job, job.gpus) - volumes.expert) <= 1e-9 * volumes.expert);
        // Forward and backward, of a stage in the middle; the first and the last stage exchange what they share.
        is(Parallel::Pipeline, 2 * volumes.pipelineForward + (stages > 1 ? volumes.tiedEmbedding : 0));
        const double embeddings = stages > 1 || job.job.model.hasTiedEmbeddings ? 1 : 2;
        is(Parallel::Data, volumes.dataDense + volumes.dataExperts + embeddings * volumes.dataEmbedding);
    }
    // 512 ranks fill buckets of 512 million parameters, which is more than a layer of 218 million; 8 ranks fill 40 million.
    void manyRanksSendBuckets() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "64"}});
        const TransformerModel model = *modelOf("llama3-8b");
        const double all = model.denseParametersOfLayers();
        for (const auto& [ways, count] : {std::pair(std::array<std::int64_t, 5>{1, 1, 1, 512, 1}, std::ceil(all / 512e6)),
                                          {std::array<std::int64_t, 5>{8, 1, 1, 8, 1}, std::ceil(all / 8 / 40e6)}}) {
            const auto messages = messagesOf(*fabric, placed(*fabric, "llama3-8b", ways));
            const auto found =
                std::find_if(messages->begin(), messages->end(), [](const JobMessage& each) { return each.what == "gradients of layers"; });
            QVERIFY(found != messages->end());
            QCOMPARE(found->count, std::min(count, static_cast<double>(model.layers)));
            QVERIFY(std::abs(found->count * static_cast<double>(found->size.count()) / (4 * all / static_cast<double>(ways[0])) - 1) <
                    1e-6);
        }
    }
    void groupsAreWhereTheyAre() { // TP 8 in a server, DP over all 64 of them, PP 4 in steps of 16
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "64"}});
        const auto messages = messagesOf(*fabric, placed(*fabric, "llama3-70b", {8, 1, 1, 0, 4}));
        QVERIFY(!messages->empty());
        for (const JobMessage& message : *messages) {
            const std::int64_t servers = message.kind == Parallel::Tensor ? 1 : message.kind == Parallel::Data ? 16 : 4;
            QCOMPARE(message.servers, servers);
            QCOMPARE(message.domains, servers);
        }
    }
    void oneRankSendsNothing() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        QVERIFY(messagesOf(*fabric, placed(*fabric, "llama3-70b", {1, 1, 1, 1, 1}))->empty());
    }
    void whatCannotRunIsRefused() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        QVERIFY(!messagesOf(*fabric, placed(*fabric, "llama3-70b", {3, 1, 1, 0, 1})));
        QVERIFY(!messagesOf(*fabric, placed(*fabric, "llama3-70b", {8, 1, 1, 2, 1})));
    }
};

QTEST_GUILESS_MAIN(tst_job_messages)
#include "tst_job_messages.moc"
