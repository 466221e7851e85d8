// Kernels measured on single GPUs against the curves of the calibration (tests/data/published, times of TensorRT-LLM 1.0 and 1.3 in bf16 as
// ai-dynamo/aiconfigurator publishes them).
#include "core/catalog/catalog.h"
#include "core/training/gpu_speed.h"
#include "core/training/layer_times.h"
#include "tests/support/designs.h"
#include "tests/support/published_rows.h"

#include <cmath>
#include <map>

using namespace railyard;

namespace {

GpuSpeed speedOf(const std::string& gpu) {
    const Part* part = shippedCatalog()->find(gpu);
    const GpuPart& spec = *part->as<GpuPart>();
    GpuSpeed speed;
    speed.id = gpu;
    speed.matrixPeak = speed.attentionPeak = spec.halfPrecisionFlops.value();
    speed.memoryBandwidth = spec.memoryBandwidth.value();
    speed.constants = shippedTrainingCalibration().constantsOf(gpu);
    return speed;
}

double meanOf(const std::vector<double>& values) {
    double sum = 0;
    for (const double each : values) sum += each;
    return sum / static_cast<double>(values.size());
}

} // namespace

class tst_kernel_curves : public QObject {
    Q_OBJECT

private slots:
    // How the time of attention changes with keys and with the width of heads. Its level is that of training, which has backward passes and
    // other kernels; so each machine is compared with its own mean.
    void attentionFollowsKeysAndWidth() {
        std::map<std::string, std::vector<double>> ratios;
        for (const test::PublishedRow& row : test::publishedRows("attention_measured.csv")) {
            const double keys = row.number("keys"), tokens = keys * row.number("sequences");
            MeasuredOperation operation;
            operation.kind = MeasuredOperation::Kind::Attention;
            operation.keys = keys;
            operation.width = row.number("head_width");
            operation.work = 2 * tokens * keys * row.number("heads") * operation.width; // half of the tiles: the mask is causal
            const GpuSpeed speed = speedOf(row.text("gpu"));
            const double busy = timeOf(operation, speed).value() - 2 * speed.constants.kernelOverhead;
            if (row.number("measured_us") > 200) ratios[row.text("gpu")].push_back(std::log(busy / (row.number("measured_us") * 1e-6)));
        }
        QCOMPARE(ratios.size(), std::size_t{7});
        for (auto& [gpu, logs] : ratios) {
            const double level = meanOf(logs);
            QVERIFY2(std::abs(level) < std::log(1.8), (gpu + ": " + std::to_string(level)).c_str());
            for (double& each : logs) each = std::abs(each - level);
            QVERIFY2(meanOf(logs) <= 0.12, (gpu + ": " + std::to_string(meanOf(logs))).c_str());
        }
    }
    // The products of all experts of a rank, in one kernel, with the tokens moved to them and back.
    void groupedProductsTakeAsLongAsMeasured() {
        std::map<std::string, std::vector<double>> errors;
        for (const test::PublishedRow& row : test::publishedRows("experts_measured.csv")) {
            const double tokens = row.number("tokens"), hidden = row.number("hidden"), width = row.number("ffn_hidden"),
                         share = row.number("top_k") / row.number("experts"), local = row.number("experts") / row.number("expert_parallel"),
                         routed = tokens * row.number("top_k") / row.number("expert_parallel");
            const double used = local * (1 - std::pow(1 - share, tokens)), each = routed / used;
            const GpuSpeed speed = speedOf(row.text("gpu"));
            double time = 2 * speed.constants.kernelOverhead;
            for (const auto& [columns, depth] : {std::pair(2 * width, hidden), std::pair(hidden, width)}) {
                MeasuredOperation product;
                product.rows = each, product.columns = columns, product.depth = depth;
                time += used * (timeOf(product, speed).value() - speed.constants.matrixOverhead);
            }
            time += 2 * routed * hidden * 8 / (speed.memoryBandwidth * speed.constants.matrixMemoryShare);
            errors[row.text("gpu")].push_back(std::abs(std::log(time / (row.number("measured_us") * 1e-6))));
        }
        QCOMPARE(errors.size(), std::size_t{6});
        for (const auto& [gpu, logs] : errors) QVERIFY2(meanOf(logs) <= 0.25, (gpu + ": " + std::to_string(meanOf(logs))).c_str());
    }
    void narrowHeadsAndShortSequencesReachLess() {
        GpuConstants constants;
        constants.attentionShare = 0.5;
        QCOMPARE(constants.attentionShareOf(4096, 64), 0.5); // no curve
        constants.attentionHalfKeys = 1000;
        constants.attentionHalfWidth = 32;
        QCOMPARE(constants.attentionShareOf(0, 0), 0.5);
        QCOMPARE(constants.attentionShareOf(1000, 128), 0.25);
        QCOMPARE(constants.attentionShareOf(0, 64), 0.5 * (64.0 / 96) * (160.0 / 128));
        QVERIFY(constants.attentionShareOf(1e9, 1e9) <= 1);
    }
};

QTEST_GUILESS_MAIN(tst_kernel_curves)
#include "tst_kernel_curves.moc"
