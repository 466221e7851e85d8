// Training over one quantity: every point against an estimate of its own, and what must rise or fall.
#include "tests/support/designs.h"

#include "core/analysis/curves/training_curves.h"
#include "core/collective/collective.h"
#include "core/workload/models_json.h"

using namespace railyard;

class tst_training_curves : public QObject {
    Q_OBJECT

    static PlacedJob placedOn(const Fabric& fabric) {
        TrainingJob job = usualJob(*modelOf("llama3-70b"));
        job.degrees = {8, 1, 1, 0, 2};
        job.globalBatch = 256;
        return placedJob(job, fabric, RankOrder::Near);
    }
    static bool isClose(double a, double b) { return std::abs(a / b - 1) < 1e-9; }

private slots:
    // 200 speeds, each of network links and of HB links, are 400 once only one kind is faster.
    void tooManySpeedsAreRefused() {
        Fabric many = *test::fabricOf("superpod-h100", {{"servers", "32"}});
        many.speeds.clear();
        for (int i = 0; i < 200; ++i) many.speeds.push_back(gigabitsPerSecond(101 + 2 * i));
        std::map<LinkTier, int> count;
        for (const LinkId l : many.links.ids()) many.links.speed[l] = static_cast<std::uint8_t>(count[many.links.tier[l]]++ % 200);
        const auto same = atSpeeds(many, 1, 1);
        QVERIFY(same && same->speeds.size() == 200);
        QVERIFY(atSpeeds(many, 2, 2));
        const auto other = atSpeeds(many, 2, 1);
        QVERIFY(!other && other.error().text.find("255") != std::string::npos);
    }
    // Figure 9 of the rail-only paper (arXiv 2307.12169), GPT-1T where nothing overlaps: with HB domains of 8, four times the NIC bandwidth
    // (100 to 400 Gb/s) gains far more than four times the HB bandwidth (2.4 to 9.6 Tb/s), with domains of 256 it is the other way round.
    void smallDomainsNeedNicsAndLargeOnesHbLinks() {
        TrainingPlan plan;
        plan.overlapsData = false;
        for (const char* domain : {"8", "256"}) {
            const FabricPointer slow = test::fabricOf("rail-only", {{"gpus", "16384"},
                                                                    {"hb_domain_gpus", domain},
                                                                    {"nic_gbps", "100"},
                                                                    {"hb_gbps", "2400"},
                                                                    {"radix", "128"},
                                                                    {"spine_radix", "128"}});
            TrainingJob job = usualJob(*modelOf("megatron-1008b"));
            job.degrees = {8, 1, 1, 0, 32};
            job.globalBatch = 1024;
            job.recompute = Recompute::Selective;
            const auto gain = [&](double network, double hb) {
                const Fabric fast = *atSpeeds(*slow, network, hb);
                const auto before = estimateTraining(*slow, placedJob(job, *slow, RankOrder::Near), plan),
                           after = estimateTraining(fast, placedJob(job, fast, RankOrder::Near), plan);
                return before->iteration / after->iteration - 1;
            };
            const double nics = gain(4, 1), links = gain(1, 4);
            const QString said = QStringLiteral("%1: NICs %2, HB links %3").arg(QLatin1String(domain)).arg(nics).arg(links);
            QVERIFY2(domain == std::string("8") ? nics > 2 * links : links > 2 * nics, qPrintable(said));
        }
    }
    void speedsAreScaledByKind() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        const Fabric same = *atSpeeds(*fabric, 1, 1), other = *atSpeeds(*fabric, 2, 0.5);
        for (const LinkId l : fabric->links.ids()) {
            QCOMPARE(same.speedOf(l).value(), fabric->speedOf(l).value());
            const double factor = fabric->links.tier[l] == LinkTier::Hb ? 0.5 : 2;
            QCOMPARE(other.speedOf(l).value(), factor * fabric->speedOf(l).value());
        }
        // Between servers, a ring is as fast as the network.
        const auto time = [](const Fabric& of) {
            std::vector<DeviceId> gpus;
            for (const DeviceId gpu : gpusInOrder(of, RankOrder::Near))
                if (of.devices.rail[gpu] == 1 || of.devices.index[gpu] == 1) gpus.push_back(gpu);
            return Communicator::create(of, gpus)->links().ring.speed.value();
        };
        QVERIFY(isClose(time(other), 2 * time(*fabric)));
    }
    void everyPointIsAnEstimate() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        const PlacedJob placed = placedOn(*fabric);
        const auto own = estimateTraining(*fabric, placed, {});
        QVERIFY(own);
        for (const auto& [axis, x] : {std::pair(TrainingAxis::Gpus, 128.0),
                                      {TrainingAxis::Batch, 256.0},
                                      {TrainingAxis::Network, 1.0},
                                      {TrainingAxis::Hb, 1.0},
                                      {TrainingAxis::HbDomain, 8.0}}) {
            const auto curve = trainingCurve(*fabric, placed, {}, axis);
            QVERIFY(curve && curve->points.size() >= 4);
            bool isThere = false;
            for (std::size_t i = 0; i < curve->points.size(); ++i) {
                const TrainingPoint& point = curve->points[i];
                QVERIFY2(point.estimate, point.why.c_str());
                if (i > 0) QVERIFY(point.x > curve->points[i - 1].x);
                if (point.x != x) continue;
                isThere = true;
                QVERIFY(isClose(point.estimate->iteration.value(), own->iteration.value()));
            }
            QVERIFY(isThere);
        }
    }
    void moreIsFaster() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "32"}});
        const PlacedJob placed = placedOn(*fabric);
        for (const TrainingAxis axis : {TrainingAxis::Gpus, TrainingAxis::Network, TrainingAxis::Hb}) {
            const auto curve = trainingCurve(*fabric, placed, {}, axis);
            QVERIFY(curve);
            for (std::size_t i = 1; i < curve->points.size(); ++i)
                QVERIFY(curve->points[i].estimate->iteration <= curve->points[i - 1].estimate->iteration);
        }
        const auto batch = trainingCurve(*fabric, placed, {}, TrainingAxis::Batch); // less of the time is bubble
        QVERIFY(batch && batch->points.back().estimate->modelShare() > batch->points.front().estimate->modelShare());
        const auto gpus = trainingCurve(*fabric, placed, {}, TrainingAxis::Gpus);
        QVERIFY(gpus && gpus->points.front().estimate->modelShare() > gpus->points.back().estimate->modelShare());
    }
    // A job that is larger than the design runs at no point, and each says so.
    void aJobThatIsTooLargeSaysSo() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        TrainingJob job = usualJob(*modelOf("llama3-70b"));
        job.degrees = {8, 1, 1, 0, 8};
        const PlacedJob placed = placedJob(job, *fabric, RankOrder::Near);
        QCOMPARE(placed.gpus.size(), std::size_t{32});
        QCOMPARE(placed.job.gpus(), std::int64_t{64});
        for (const TrainingAxis axis :
             {TrainingAxis::Gpus, TrainingAxis::Batch, TrainingAxis::Network, TrainingAxis::Hb, TrainingAxis::HbDomain}) {
            const auto curve = trainingCurve(*fabric, placed, {}, axis);
            QVERIFY(curve && !curve->points.empty());
            for (const TrainingPoint& point : curve->points)
                QVERIFY2(!point.estimate && point.why.find("64 GPUs, but 32 are available") != std::string::npos, point.why.c_str());
        }
        PlacedJob some = placed; // of several replicas, those that there are GPUs for
        some.job.degrees = {8, 1, 1, 8, 1};
        some.job.globalBatch = 64;
        const auto curve = trainingCurve(*fabric, some, {}, TrainingAxis::Gpus);
        QVERIFY(curve);
        QCOMPARE(curve->points.size(), std::size_t{4});
        for (const TrainingPoint& point : curve->points) QCOMPARE(point.estimate.has_value(), point.x <= 32);
    }
    // 32 sequences cannot be divided over 64 replicas; the other points stay.
    void whatCannotRunSaysWhy() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        PlacedJob placed = placedOn(*fabric);
        placed.job.globalBatch = 8; // one for each replica
        const auto curve = trainingCurve(*fabric, placed, {}, TrainingAxis::Batch);
        QVERIFY(curve);
        QVERIFY(!curve->points.front().estimate && curve->points.front().why.find("global_batch = 2") != std::string::npos);
        QVERIFY(curve->points.back().estimate);
        Design drawn = *test::designOf("superpod-h100", {{"servers", "16"}});
        drawn.recipe.reset();
        const FabricPointer hand = elaborate(std::make_shared<const Design>(std::move(drawn)));
        const auto refused = trainingCurve(*hand, placedOn(*fabric), {}, TrainingAxis::HbDomain);
        QVERIFY(!refused && refused.error().text.find("hand-drawn") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_training_curves)
#include "tst_training_curves.moc"
