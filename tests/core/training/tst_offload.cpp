// The host of the GPUs: its memory, and what is offloaded to it.
#include "core/fabric/without.h"
#include "core/training/memory.h"
#include "core/training/search.h"
#include "core/training/training.h"
#include "core/workload/models_json.h"
#include "tests/support/designs.h"

#include <algorithm>
#include <cmath>

using namespace railyard;

namespace {

TrainingJob jobOf(const char* model, std::array<std::int64_t, 5> degrees, std::int64_t microBatch, std::int64_t globalBatch) {
    TrainingJob job = usualJob(*modelOf(model));
    job.degrees = degrees;
    job.microBatch = microBatch;
    job.globalBatch = globalBatch;
    return job;
}
TrainingEstimate estimateOf(const Fabric& fabric, const TrainingJob& job, const TrainingPlan& plan) {
    const auto estimate = estimateTraining(fabric, placedJob(job, fabric, RankOrder::Near), plan);
    if (!estimate) qFatal("%s", estimate.error().text.c_str());
    return *estimate;
}

} // namespace

class tst_offload : public QObject {
    Q_OBJECT

private slots:
    // The CPUs move 40 bytes a parameter through the memory of the host, which the GPUs of a server share: 614.4 GB/s and 2 TB for 8.
    void anOffloadedOptimizerWorksOnTheHost() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        TrainingJob job = jobOf("llama3-70b", {8, 1, 1, 16, 1}, 1, 64);
        TrainingPlan plan;
        plan.offload = Offload::Optimizer;
        for (const int zero : {0, 1}) {
            job.zero = zero;
            const TrainingEstimate e = estimateOf(*fabric, job, plan);
            const StageContent all = contentOfStages(job).front();
            const double updated = all.dense / (zero == 1 ? 16 : 1);
            QVERIFY(std::abs(e.breakdown.optimizer.value() / (updated * 40 / (614.4e9 / 8)) - 1) < 1e-9);
            QVERIFY(std::abs(e.memory.host / (16 * updated / (1 << 30)) - 1) < 1e-9);
            QCOMPARE(e.memory.hostCapacity, 256.0);
            QCOMPARE(e.memory.optimizer, 0.0);
            QVERIFY(e.isFeasible());
        }
    }
    // 405B on two stages: 16 bytes of 25 billion parameters for each GPU are more than an eighth of 2 TB.
    void theHostLimitsOffload() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        TrainingJob job = jobOf("llama3-405b", {8, 1, 1, 8, 2}, 1, 64);
        job.zero = 0;
        TrainingPlan plan;
        plan.offload = Offload::Optimizer;
        const TrainingEstimate e = estimateOf(*fabric, job, plan);
        QVERIFY(e.memory.isHostFull());
        QVERIFY2(std::any_of(e.reasons.begin(), e.reasons.end(),
                             [](const std::string& r) { return r.find("of the host") != std::string::npos; }),
                 qPrintable(QString::fromStdString(e.reasons.front())));
        const auto gpus = gpusInOrder(*fabric, RankOrder::Near);
        const auto found = searchTraining(*fabric, job, gpus, {}, usualSpace(*fabric, job, gpus), {.most = 20});
        QVERIFY(found);
        for (const TrainingEstimate& each : found->best) QVERIFY(!each.memory.isHostFull() && each.isFeasible());
        // Nothing is published of the memory of a generic server: no limit is known.
        const FabricPointer generic = test::fabricOf("rail-optimized", {{"servers", "16"}, {"server", "srv-hgx-h200"}});
        const TrainingEstimate unknown = estimateOf(*generic, job, plan);
        QCOMPARE(unknown.memory.hostCapacity, 0.0);
        QVERIFY(!unknown.memory.isHostFull() && unknown.memory.host > 0);
    }
    // Four GPUs in a server of eight share its host, also where one of them is gone.
    void theHostIsSharedByTheGpusThatAreThere() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"server", "srv-dgx-h100"}, {"gpus_per_server", "4"}, {"nics_per_server", "4"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const double gib = 1 << 30;
        QCOMPARE(hostOf(*fabric, gpus.front(), shippedTrainingCalibration()).memoryBytes / gib, 512.0);
        std::vector<bool> gone(fabric->devices.size());
        gone[gpus.front()] = true;
        const FabricPointer damaged = without(fabric, gone, {});
        QCOMPARE(hostOf(*damaged, gpusInOrder(*damaged, RankOrder::Near).front(), shippedTrainingCalibration()).memoryBytes / gib, 512.0);
    }
    // PCIe 5.0 of DGX H100, PCIe 4.0 of DGX A100; a calibration may say otherwise.
    void theLinkToTheHostIsAFactOfTheServer() {
        const auto linkOf = [](const test::Parameters& parameters, const TrainingCalibration& calibration) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", parameters);
            return hostOf(*fabric, gpusInOrder(*fabric, RankOrder::Near).front(), calibration).linkBandwidth;
        };
        TrainingCalibration own = shippedTrainingCalibration();
        QCOMPARE(linkOf({{"server", "srv-dgx-h100"}}, own), 63e9);
        QCOMPARE(linkOf({{"server", "srv-dgx-a100-640"}}, own), 31e9);
        QCOMPARE(linkOf({{"server", "srv-gb200-tray"}}, own), 225e9);
        own.hostBandwidth = 40e9;
        QCOMPARE(linkOf({{"server", "srv-dgx-h100"}}, own), 40e9);
    }
};

QTEST_GUILESS_MAIN(tst_offload)
#include "tst_offload.moc"
