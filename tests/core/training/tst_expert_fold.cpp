// Expert parallelism folded over the ranks of tensor, context and data parallelism.
#include "core/training/job_request.h"
#include "core/training/training.h"
#include "core/workload/job_messages.h"
#include "core/workload/job_traffic.h"
#include "core/workload/models_json.h"
#include "tests/support/designs.h"

#include <set>

using namespace railyard;

namespace {

JobRequest requestOf(const std::string& model, std::array<std::int64_t, 5> degrees, std::int64_t gpus) {
    JobRequest request;
    request.planned.job = usualJob(*modelOf(model));
    request.planned.job.degrees = degrees;
    request.gpus = gpus;
    return request;
}

// The ranks of a stage in their order, by brute force over the places of a rank.
std::vector<std::vector<std::int64_t>> stagesOf(const TrainingJob& job) {
    std::vector<std::vector<std::int64_t>> stages(static_cast<std::size_t>(job.by(Parallel::Pipeline)));
    for (std::int64_t rank = 0; rank < job.gpus(); ++rank) {
        std::int64_t left = rank;
        for (const Parallel each : job.rankOrder) {
            if (each == Parallel::Pipeline) stages[static_cast<std::size_t>(left % job.by(each))].push_back(rank);
            left /= job.by(each);
        }
    }
    return stages;
}

} // namespace

class tst_expert_fold : public QObject {
    Q_OBJECT

private slots:
    // Qwen3-235B, tp 2, pp 8, ep 32 on 256 GPUs: dp 16, and no second copy of an expert.
    void foldsWhereRanksOfItsOwnWouldBeTooMany() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const auto folded = placedOn(*fabric, requestOf("qwen3-235b-a22b", {2, 1, 32, 0, 8}, 256));
        QVERIFY(folded);
        QCOMPARE(folded->job.by(Parallel::Data), std::int64_t{16});
        QCOMPARE(folded->job.expertRanks(), std::int64_t{32});
        QCOMPARE(folded->job.expertReplicas(), std::int64_t{1});
        QCOMPARE(folded->job.gpus(), std::int64_t{256});
        const auto estimate = estimateTraining(*fabric, *folded, withoutOverlap({}));
        QVERIFY2(estimate, estimate ? "" : estimate.error().text.c_str());
        QVERIFY(estimate->breakdown.expert > Seconds());
        // All 512 GPUs have room for ranks of its own.
        const auto apart = placedOn(*fabric, requestOf("qwen3-235b-a22b", {2, 1, 32, 0, 8}, 512));
        QVERIFY(apart && !apart->job.isExpertFolded() && apart->job.by(Parallel::Data) == 1);
        // Degrees that are all given fold if their product without ep fits.
        const auto given = placedOn(*fabric, requestOf("qwen3-235b-a22b", {2, 1, 32, 32, 8}, 512));
        QVERIFY(given && given->job.isExpertFolded() && given->job.expertReplicas() == 2);
    }
    void groupsAreRanksThatFollowEachOtherInAStage() {
        for (const auto& [degrees, fold, order] : {std::tuple(std::array<std::int64_t, 5>{2, 1, 1, 16, 8}, 32, "tp-cp-ep-dp-pp"),
                                                   {{2, 2, 1, 8, 2}, 8, "tp-cp-ep-dp-pp"},
                                                   {{4, 1, 1, 6, 3}, 12, "pp-tp-cp-ep-dp"},
                                                   {{2, 4, 1, 4, 1}, 16, "dp-pp-cp-tp-ep"}}) {
            TrainingJob job = usualJob(*modelOf("qwen3-235b-a22b"));
            job.degrees = degrees;
            job.expertFold = fold;
            job.rankOrder = *TrainingJob::rankOrderFrom(order);
            const TrainingJob layout = job.expertLayout();
            QCOMPARE(layout.gpus(), job.gpus());
            std::set<std::int64_t> seen;
            for (const auto& stage : stagesOf(job))
                for (std::size_t first = 0; first < stage.size(); first += static_cast<std::size_t>(fold)) {
                    const std::vector<std::int64_t> expected(stage.begin() + static_cast<std::ptrdiff_t>(first),
                                                             stage.begin() + static_cast<std::ptrdiff_t>(first) + fold);
                    QCOMPARE(groupOf(layout, expected.front(), {Parallel::Expert}), expected);
                    seen.insert(expected.begin(), expected.end());
                }
            QCOMPARE(seen.size(), static_cast<std::size_t>(job.gpus()));
            QCOMPARE(ranksOf(job, RankGroup::Expert) * ranksOf(job, RankGroup::OfExperts) * job.by(Parallel::Pipeline), job.gpus());
        }
    }
    // Without tensor parallelism it is the same job as with ranks of its own.
    void isTheSameJobWithoutTensorParallelism() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        for (const std::int64_t pp : {1, 2})
            for (const std::int64_t ep : {2, 8, 16}) {
                TrainingJob apart = usualJob(*modelOf("mixtral-8x7b")), folded = apart;
                apart.model.mixture->experts = folded.model.mixture->experts = 16;
                apart.degrees = {1, 1, ep, 128 / pp / ep, pp};
                folded.degrees = {1, 1, 1, 128 / pp, pp};
                folded.expertFold = ep;
                apart.globalBatch = folded.globalBatch = 256;
                const auto one = estimateTraining(*fabric, {apart, gpus}, {}), other = estimateTraining(*fabric, {folded, gpus}, {});
                QVERIFY(one && other);
                QVERIFY(std::abs(one->iteration / other->iteration - 1) < 1e-12);
                QVERIFY(std::abs(one->memory.total() / other->memory.total() - 1) < 1e-12);
                for (std::size_t kind = 0; kind < 5; ++kind)
                    QVERIFY(std::abs(one->bytesPerGpu[kind] - other->bytesPerGpu[kind]) <= 1e-9 * one->bytesPerGpu[kind]);
            }
    }
    // Tokens go to the ranks of the group alone, as many to each; an expert is whole, so its layer sums nothing over tensor parallelism.
    void sendsWhatItSays() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        TrainingJob job = usualJob(*modelOf("qwen3-235b-a22b"));
        job.degrees = {4, 1, 1, 8, 2};
        job.expertFold = 16;
        job.globalBatch = 16;
        job.dispatch = ExpertDispatch::Expert;
        const PlacedJob placed{job, gpusInOrder(*fabric, RankOrder::Near)};
        const auto traffic = jobTrafficOf(*fabric, job, placed.gpus);
        QVERIFY(traffic);
        std::map<std::uint32_t, std::int64_t> rankOf;
        for (std::size_t rank = 0; rank < placed.gpus.size(); ++rank) rankOf[placed.gpus[rank]] = static_cast<std::int64_t>(rank);
        double sum = 0;
        for (const JobFlow& flow : traffic->flows) {
            if (flow.kind != Parallel::Expert) continue;
            QCOMPARE(rankOf[flow.from] / 16, rankOf[flow.to] / 16);
            sum += flow.bytes;
        }
        const TransformerModel& model = job.model;
        const double tokens = job.tokensOfMicroBatch() / 4 * 8, perToken = static_cast<double>(model.hidden * model.mixture->topK);
        const double expected = 64 * tokens * perToken * (2 + 2) * 15 / 16 * static_cast<double>(model.mixtureLayers()) / 2 * 2 *
                                static_cast<double>(job.microBatches()) / 8;
        QVERIFY2(std::abs(sum / expected - 1) < 1e-9, qPrintable(QString::number(sum / expected)));
        const auto messages = messagesOf(*fabric, placed);
        QVERIFY(messages);
        for (const JobMessage& message : *messages) {
            if (message.kind == Parallel::Expert) QCOMPARE(message.ranks, std::int64_t{16});
            if (message.what == "gradients of experts") QCOMPARE(message.ranks, std::int64_t{2});
        }
    }
    void saysWhatItCannotFold() {
        TrainingJob job = usualJob(*modelOf("qwen3-235b-a22b"));
        job.degrees = {2, 1, 1, 8, 2};
        job.globalBatch = 8;
        const auto reason = [&](auto change) {
            TrainingJob other = job;
            other.expertFold = 16;
            change(other);
            const auto problems = other.problems();
            return problems.empty() ? std::string() : problems.front().text;
        };
        QCOMPARE(reason([](TrainingJob&) {}), std::string());
        QVERIFY(reason([](TrainingJob& j) { j.expertFold = 32; }).find("tp × cp × dp = 16") != std::string::npos);
        QVERIFY(reason([](TrainingJob& j) { j.isSequenceParallel = false; }).find("sequence parallelism") != std::string::npos);
        QVERIFY(reason([](TrainingJob& j) { j.rankOrder = *TrainingJob::rankOrderFrom("tp-pp-cp-ep-dp"); }).find("rank order") !=
                std::string::npos);
        QVERIFY(reason([](TrainingJob& j) { j.expertFold = 3; }).find("128 experts") != std::string::npos ||
                !reason([](TrainingJob& j) { j.expertFold = 3; }).empty());
    }
};

QTEST_GUILESS_MAIN(tst_expert_fold)
#include "tst_expert_fold.moc"
