// Properties of the estimate over random jobs: slower parts, less bandwidth and more work make nothing faster, and memory falls as more is
// computed again. What hides behind the same computing, in closed form.
#include "tests/support/designs.h"

#include "core/analysis/curves/training_curves.h"
#include "core/training/job_times.h"
#include "core/training/memory.h"
#include "core/training/training.h"
#include "core/workload/models_json.h"

#include <cmath>
#include <set>

using namespace railyard;

namespace {

struct Case {
    TrainingJob job;
    TrainingPlan plan;
    TrainingCalibration calibration = shippedTrainingCalibration();
    QString text() const {
        QString words = QString::fromStdString(job.model.id);
        for (const Parallel each : allParallel)
            words += QStringLiteral(" %1 %2").arg(toText(each).data()).arg(static_cast<qlonglong>(job.by(each)));
        for (const std::int64_t each : {job.microBatch, job.globalBatch, job.interleave, std::int64_t{job.zero}, job.model.sequenceTokens,
                                        std::int64_t{job.isSequenceParallel}, std::int64_t{plan.overlapsData}})
            words += QStringLiteral(" %1").arg(static_cast<qlonglong>(each));
        return words + QStringLiteral(" %1 overlap-tp %2 offload %3 straggler %4")
                           .arg(toText(job.recompute).data(), toText(plan.overlapTensor).data(), toText(plan.offload).data())
                           .arg(plan.straggler);
    }
};

Case randomCase(test::Random& random, std::int64_t gpus) {
    static const char* models[] = {"llama3-8b", "megatron-1.7b", "korthikanti-22b", "gpt3-175b", "mixtral-8x7b", "deepseek-v3"};
    for (;;) {
        Case made;
        TrainingJob& job = made.job;
        job = usualJob(*modelOf(models[random.below(6)]));
        const auto powerOf2 = [&](int most) { return std::int64_t{1} << random.below(most + 1); };
        job.model.sequenceTokens = 2048 * powerOf2(4);
        job.degrees = {powerOf2(4), powerOf2(2), job.model.mixture ? powerOf2(3) : 1, 0, powerOf2(2)};
        const std::int64_t others = job.degrees[0] * job.degrees[1] * job.degrees[2] * job.degrees[4];
        if (gpus % others != 0) continue;
        job.degrees[static_cast<std::size_t>(Parallel::Data)] = gpus / others;
        job.microBatch = powerOf2(2);
        job.globalBatch = job.microBatch * job.by(Parallel::Data) * job.by(Parallel::Expert) * job.by(Parallel::Pipeline) * powerOf2(2);
        job.interleave = powerOf2(2);
        job.zero = random.below(4);
        job.recompute = static_cast<Recompute>(random.below(4));
        job.isSequenceParallel = random.below(2) == 0;
        made.plan.overlapsData = random.below(4) > 0;
        made.plan.overlapTensor = static_cast<TensorOverlap>(random.below(3));
        made.plan.offload = static_cast<Offload>(random.below(3));
        made.plan.straggler = 1 + random.below(3) / 2.0;
        made.calibration.hostBandwidth = 25e9 / static_cast<double>(powerOf2(4));
        made.calibration.hostMemoryBandwidth = 50e9 / static_cast<double>(powerOf2(4));
        if (random.below(2) == 0) made.calibration.dataOverlapShare = 1;
        if (job.problems().empty()) return made;
    }
}

// A network whose groups are found once for all jobs.
class Network {
public:
    explicit Network(Fabric fabric)
        : m_fabric(std::make_shared<const Fabric>(std::move(fabric))),
          m_gpus(gpusInOrder(*m_fabric, RankOrder::Near)),
          m_groups(*m_fabric, m_gpus) {}
    TrainingBreakdown partsOf(const Case& made) {
        const PlacedJob placed{made.job, m_gpus};
        const auto times = JobTimes::create(*m_fabric, placed, made.plan, m_groups, made.calibration);
        if (!times) throw std::runtime_error(times.error().text);
        const auto parts = (*times)->iteration().at(scheduleOf(made.job, made.plan));
        if (!parts) throw std::runtime_error(parts.error().text);
        return *parts;
    }
    Seconds timeOf(const Case& made) { return partsOf(made).total(); }
    std::int64_t gpus() const { return static_cast<std::int64_t>(m_gpus.size()); }

private:
    FabricPointer m_fabric;
    std::vector<DeviceId> m_gpus;
    PlacedGroups m_groups;
};

// Changes that are more work, or slower parts, on the same fabric.
std::vector<std::pair<const char*, Case>> worseThan(const Case& made) {
    std::vector<std::pair<const char*, Case>> all;
    const auto add = [&](const char* name, const auto& change) {
        all.emplace_back(name, made);
        change(all.back().second);
    };
    for (const double factor : {1.1, 2.0}) add("straggler", [&](Case& c) { c.plan.straggler *= factor; });
    add("gate skew", [](Case& c) { c.plan.gateSkew = 1.3; });
    add("global batch", [](Case& c) { c.job.globalBatch *= 2; });
    add("layers", [](Case& c) { // as many in every stage, so that they are not divided in another way
        const std::int64_t each = c.job.by(Parallel::Pipeline) * c.job.interleave;
        c.job.model.layers += c.job.model.mixture ? c.job.model.layers : each;
    });
    add("host", [](Case& c) { c.calibration.hostBandwidth /= 3; });
    add("host memory", [](Case& c) { c.calibration.hostMemoryBandwidth /= 3; });
    add("overlap cost", [](Case& c) { c.calibration.tensorOverlapCost += 0.2; });
    add("overlap share", [](Case& c) { c.calibration.dataOverlapShare *= 0.7; });
    add("gradients", [](Case& c) { c.job.gradientBytes = 8; });
    for (const double factor : {0.9, 0.3}) {
        const auto slower = [&](const char* name, double GpuConstants::*share) {
            add(name, [&](Case& c) {
                for (GpuConstants& each : c.calibration.generations) each.*share *= factor;
            });
        };
        slower("matrix products", &GpuConstants::matrixShare);
        slower("attention", &GpuConstants::attentionShare);
        slower("memory bandwidth", &GpuConstants::memoryShare);
    }
    return all;
}

double memoryWith(Case made, Recompute recompute) {
    made.job.recompute = recompute;
    return memoryOf(made.job, made.plan, contentOfStages(made.job), {}, made.calibration).total();
}

double ratioOf(Seconds a, Seconds b) { return a / b; }

constexpr double rounding = 1e-9;

} // namespace

class tst_iteration : public QObject {
    Q_OBJECT

private slots:
    // Of every random job, also of those that do not fit.
    void theTimeAloneIsThatOfTheEstimate() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        test::Random random(5);
        int fit = 0, tooLarge = 0;
        for (int i = 0; i < 200; ++i) {
            const Case made = randomCase(random, static_cast<std::int64_t>(gpus.size()));
            const PlacedJob placed{made.job, gpus};
            const auto whole = estimateTraining(*fabric, placed, made.plan, made.calibration);
            const auto alone = iterationTime(*fabric, placed, made.plan, made.calibration);
            QVERIFY2(whole && alone, qPrintable(made.text()));
            QVERIFY2(alone->has_value() == whole->isFeasible(), qPrintable(made.text()));
            if (*alone) QCOMPARE((*alone)->value(), whole->iteration.value());
            ++(*alone ? fit : tooLarge);
        }
        QVERIFY2(fit > 20 && tooLarge > 20, qPrintable(QStringLiteral("%1 %2").arg(fit).arg(tooLarge)));
    }
    void nothingWorseIsFaster_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("rails, H100") << "superpod-h100"
                                     << "servers"
                                     << "8";
        QTest::newRow("rails, A100") << "rail-optimized"
                                     << "server"
                                     << "srv-dgx-a100-640";
        QTest::newRow("two NICs a server") << "rail-optimized"
                                           << "nics_per_server"
                                           << "2";
        QTest::newRow("oversubscribed") << "fat-tree"
                                        << "oversubscription"
                                        << "7:1";
    }
    void nothingWorseIsFaster() {
        QFETCH(QString, recipe);
        QFETCH(QString, key);
        QFETCH(QString, value);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), {{"servers", "8"}, {key.toStdString(), value.toStdString()}});
        Network usual(*fabric);
        std::vector<std::pair<const char*, std::unique_ptr<Network>>> slower;
        for (const auto& [name, ofNetwork, ofHb] :
             {std::tuple("network", 0.5, 1.0), {"slow network", 0.05, 1.0}, {"HB", 1.0, 0.5}, {"slow HB", 1.0, 0.1}})
            slower.emplace_back(name, std::make_unique<Network>(*atSpeeds(*fabric, ofNetwork, ofHb)));
        test::Random random{20};
        QStringList wrong;
        for (int i = 0; i < 150; ++i) {
            const Case made = randomCase(random, usual.gpus());
            Network& on = i % 2 == 0 ? usual : *slower[1].second; // where more is exposed
            const TrainingBreakdown parts = on.partsOf(made);
            const Seconds sum = parts.forward + parts.backward + parts.recompute + parts.tensor + parts.pipeline + parts.data +
                                parts.context + parts.expert + parts.bubble + parts.optimizer + parts.offload;
            QVERIFY(std::abs(ratioOf(sum, parts.total()) - 1) < rounding);
            for (const Seconds part : {parts.forward, parts.backward, parts.recompute, parts.tensor, parts.pipeline, parts.data,
                                       parts.context, parts.expert, parts.bubble, parts.optimizer, parts.offload})
                QVERIFY2(part >= Seconds(-1e-12), qPrintable(made.text()));
            const QString text = made.text();
            const auto compare = [&wrong, text](const char* name, Seconds worse, Seconds before) {
                if (worse < before * (1 - rounding))
                    wrong += QStringLiteral("%1: %2 of %3 s, %4").arg(name).arg(worse / before).arg(before.value()).arg(text);
            };
            for (const auto& [name, worse] : worseThan(made)) compare(name, on.timeOf(worse), parts.total());
            const Seconds before = usual.timeOf(made);
            std::vector<Seconds> times;
            for (const auto& [name, network] : slower) {
                times.push_back(network->timeOf(made));
                compare(name, times.back(), before);
            }
            compare("slower network", times[1], times[0]);
            compare("slower HB", times[3], times[2]);
            if (!recipe.startsWith(QStringLiteral("superpod"))) continue;
            Case fast = made; // H100; an A100 has no fp8
            fast.job.precision = Precision::Fp8;
            // Measured products in fp8 have a longer overhead, for scales: small ones are slower than in bf16. The peak alone never is.
            for (GpuConstants& each : fast.calibration.generations) each.fp8.reset();
            compare("bf16", parts.total(), on.timeOf(fast));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(QString::number(wrong.size()) + QLatin1Char('\n') + wrong.mid(0, 20).join(QLatin1Char('\n'))));
    }
    // Computing F, offload O and gradients G of one micro-batch use different resources: the backward pass takes the longest of the three.
    void whatHidesTogetherTakesTheLongest() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        Network slow(*atSpeeds(*fabric, 0.1, 1));
        Case made;
        made.job = usualJob(*modelOf("llama3-8b"));
        made.job.degrees = {1, 1, 1, slow.gpus(), 1};
        made.job.globalBatch = slow.gpus();
        made.job.zero = 0; // only gradients
        made.calibration.dataOverlapShare = 0;
        made.calibration.hostMemoryBandwidth = 1e18; // so that the optimizer takes no time on the host
        const TrainingBreakdown alone = slow.partsOf(made);
        made.calibration.dataOverlapShare = 1;
        const double f = alone.forward.value(), b = alone.backward.value(), g = alone.data.value(),
                     o = activationBytesOfStage(made.job, contentOfStages(made.job).front());
        QVERIFY(g > 2 * b);
        for (const double offload : {0.1 * b, 1.5 * b, 0.9 * g, 1.7 * g}) {
            made.calibration.hostBandwidth = o / offload;
            made.plan.offload = Offload::Activations;
            const double own = (slow.timeOf(made) - alone.optimizer).value(), expected = std::max(f, offload) + std::max({b, offload, g});
            // What is sent after the pass, the table of the embedding, remains where the pass would hide everything.
            if (offload < 0.9 * g)
                QVERIFY2(std::abs(own / expected - 1) < rounding, qPrintable(QString::number(own / expected)));
            else
                QVERIFY2(own >= expected * (1 - rounding) && own < expected + g / 4, qPrintable(QString::number(own / expected)));
            made.plan.offload = Offload::Optimizer;
            const double parameters = static_cast<double>(made.job.model.parameters().value_or(0)),
                         down = 4 * parameters / made.calibration.hostBandwidth, other = f + std::max({b, g, down}) + down / 2;
            QVERIFY2(std::abs(slow.timeOf(made).value() / other - 1) < 0.01,
                     qPrintable(QString::number(slow.timeOf(made).value() / other)));
        }
    }
    // Messages of tensor parallelism that are on the NICs leave them no time for gradients; within an HB domain they do.
    void gradientsWaitForMessagesOfTheirWire() {
        Network network(*test::fabricOf("superpod-h100", {{"servers", "8"}}));
        Network slow(*atSpeeds(*test::fabricOf("superpod-h100", {{"servers", "8"}}), 0.02, 1));
        for (const std::int64_t tensor : {8, 16}) {
            Case made;
            made.job = usualJob(*modelOf("llama3-8b"));
            made.job.degrees = {tensor, 1, 1, slow.gpus() / tensor, 1};
            made.job.globalBatch = made.job.by(Parallel::Data);
            made.job.zero = 0;
            made.calibration.dataOverlapShare = 0;
            const TrainingBreakdown alone = slow.partsOf(made);
            made.calibration.dataOverlapShare = 1;
            const TrainingBreakdown parts = slow.partsOf(made);
            const Seconds hidden = alone.data - parts.data, computing = parts.backward;
            if (tensor == 8)
                QVERIFY(hidden > computing + 0.3 * parts.tensor && hidden < computing + parts.tensor);
            else
                QVERIFY(hidden <= computing * (1 + rounding) && hidden > computing * 0.98);
        }
    }
    // The layer whose backward pass is computed has all its activations, whatever of them was kept. 175B, TP 8: by Korthikanti, Table 2.
    void recomputationSavesMemory() {
        test::Random random{3};
        for (int i = 0; i < 300; ++i) {
            const Case made = randomCase(random, 64);
            const double none = memoryWith(made, Recompute::None), selective = memoryWith(made, Recompute::Selective),
                         gemmLast = memoryWith(made, Recompute::GemmLast), full = memoryWith(made, Recompute::Full);
            QVERIFY2(full * (1 - rounding) <= gemmLast && full * (1 - rounding) <= selective && selective * (1 - rounding) <= none &&
                         gemmLast * (1 - rounding) <= none,
                     qPrintable(QStringLiteral("%1 %2 %3 %4, %5").arg(none).arg(selective).arg(gemmLast).arg(full).arg(made.text())));
        }
        TrainingJob job = usualJob(*modelOf("gpt3-175b"));
        job.degrees = {8, 1, 1, 1, 1};
        job.globalBatch = 1;
        const double sbh = 2048.0 * 12288, scores = 5.0 * 96 * 2048 * 2048, gib = 1 << 30;
        for (const auto& [recompute, bytes] : {std::pair(Recompute::None, 96 * (34 * sbh + scores)),
                                               {Recompute::Selective, 96 * 34 * sbh + scores},
                                               {Recompute::Full, 95 * 2 * sbh + 34 * sbh + scores}}) {
            job.recompute = recompute;
            job.isSequenceParallel = true;
            job.isAttentionFused = false;
            const TrainingMemory memory = memoryOf(job, {}, contentOfStages(job), {}, shippedTrainingCalibration());
            QVERIFY2(std::abs(memory.activations / (bytes / 8 / gib) - 1) < 1e-9, qPrintable(QString::number(memory.activations)));
        }
    }
    // H100 and H200 have the same peak; the memory of the H200 is faster. One slower server slows the job, wherever it stands.
    void theSlowerOfTwoWithTheSamePeakCounts() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const auto withH200 = [&](const std::set<std::uint32_t>& servers) {
            Fabric mixed = *fabric;
            const Part* fast = mixed.design->catalog->find("h200-sxm-141");
            mixed.partIds.emplace_back(fast->id);
            mixed.parts.push_back(fast);
            for (const DeviceId d : mixed.devices.ids())
                if (mixed.devices.kind[d] == DeviceKind::Gpu && servers.contains(mixed.devices.server[d]))
                    mixed.devices.part[d] = static_cast<std::uint16_t>(mixed.parts.size() - 1);
            return std::make_unique<Network>(std::move(mixed));
        };
        std::set<std::uint32_t> servers;
        for (const DeviceId d : fabric->devices.ids())
            if (fabric->devices.kind[d] == DeviceKind::Gpu) servers.insert(fabric->devices.server[d]);
        QCOMPARE(servers.size(), std::size_t{4});
        Case made;
        made.job = usualJob(*modelOf("llama3-8b"));
        made.job.degrees = {8, 1, 1, 4, 1};
        made.job.globalBatch = 16;
        const Seconds slow = withH200({})->timeOf(made), fast = withH200(servers)->timeOf(made);
        QVERIFY(fast < slow);
        for (const std::uint32_t server : servers) {
            QCOMPARE(withH200({server})->timeOf(made), slow);
            std::set<std::uint32_t> others = servers;
            others.erase(server);
            QCOMPARE(withH200(others)->timeOf(made), slow);
        }
    }
};

QTEST_GUILESS_MAIN(tst_iteration)
#include "tst_iteration.moc"
