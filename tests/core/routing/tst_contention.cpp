// How much busier links between switches get than NICs, against the loads of all links.
#include "tests/support/designs.h"

#include "core/collective/collective.h"
#include "core/routing/contention.h"
#include "core/routing/load_summary.h"
#include "core/workload/job_traffic.h"
#include "core/workload/models_json.h"
#include "core/workload/usual_job.h"

#include <random>

using namespace railyard;

class tst_contention : public QObject {
    Q_OBJECT

    static double expected(const Fabric& fabric, const std::vector<GpuFlow>& flows) {
        const auto loads = linkLoads(fabric, {false, flows, {}}, {});
        if (!loads || loads->unreachablePairs > 0) return 1;
        const LoadSummary summary = summaryOf(fabric, *loads);
        double nics = 0, between = 0;
        for (std::size_t tier = 0; tier < static_cast<std::size_t>(LinkTier::Hb); ++tier)
            (static_cast<LinkTier>(tier) == LinkTier::HostLeaf ? nics : between) =
                std::max(static_cast<LinkTier>(tier) == LinkTier::HostLeaf ? nics : between, summary.tiers[tier].mostUtilisation);
        return nics > 0 ? std::max(1.0, between / nics) : 1;
    }
    static double found(const Fabric& fabric, const std::vector<GpuFlow>& flows) {
        return Contention::busiestOf(Contention(fabric, std::make_shared<const SwitchGraph>(switchGraphOf(fabric))).sharesOf(flows));
    }

private slots:
    void isThatOfTheLoads_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        for (const auto& [recipe, name, value] : {std::array{"superpod-h100", "servers", "40"},
                                                  {"fat-tree", "servers", "33"},
                                                  {"rail-only", "servers", "32"},
                                                  {"rail-optimized", "oversubscription", "3:1"},
                                                  {"rail-optimized", "nic_ports", "2"},
                                                  {"hpn-pod", "servers", "24"}})
            QTest::newRow((std::string(recipe) + " " + name + " " + value).c_str())
                << QString::fromLatin1(recipe) << QString::fromLatin1(name) << QString::fromLatin1(value);
    }
    void isThatOfTheLoads() {
        QFETCH(QString, recipe);
        QFETCH(QString, name);
        QFETCH(QString, value);
        std::map<std::string, std::string> settings{{name.toStdString(), value.toStdString()}};
        if (name != QLatin1String("servers")) settings["servers"] = "96"; // two SUs with 3:1
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), settings);
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        std::mt19937 random(7);
        for (const std::size_t count : {std::size_t{1}, std::size_t{20}, gpus.size(), 5 * gpus.size()}) {
            std::vector<GpuFlow> flows;
            for (std::size_t i = 0; i < count; ++i)
                flows.push_back({gpus[random() % gpus.size()], gpus[random() % gpus.size()], 1.0 + static_cast<double>(random() % 3)});
            const double own = found(*fabric, flows);
            QVERIFY2(std::abs(own / expected(*fabric, flows) - 1) < 1e-9, qPrintable(QString::number(own)));
        }
        std::vector<GpuFlow> across; // to the other half of the GPUs
        for (std::size_t i = 0; i < gpus.size(); ++i) across.push_back({gpus[i], gpus[(i + gpus.size() / 2) % gpus.size()]});
        QVERIFY(std::abs(found(*fabric, across) / expected(*fabric, across) - 1) < 1e-9);
        if (name == QLatin1String("oversubscription"))
            QVERIFY2(std::abs(found(*fabric, across) - 3) < 1e-9, qPrintable(QString::number(found(*fabric, across))));
    }
    // The flows of a group are those of the job's traffic of the same kind, each in the same proportion.
    void groupsSendWhatTheJobSends() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        TrainingJob job = usualJob(*modelOf("mixtral-8x7b"));
        job.degrees = {2, 2, 4, 4, 2};
        job.globalBatch = 64;
        const std::vector<DeviceId> gpus = gpusInOrder(*fabric, RankOrder::Near);
        const auto traffic = jobTrafficOf(*fabric, job, gpus);
        QVERIFY(traffic);
        for (const auto& [over, kind] : {std::pair(std::vector{Parallel::Tensor}, Parallel::Tensor),
                                         {std::vector{Parallel::Context}, Parallel::Context},
                                         {std::vector{Parallel::Expert}, Parallel::Expert},
                                         {std::vector{Parallel::Pipeline}, Parallel::Pipeline}}) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, double> sent, own;
            double total = 0, ofGroups = 0;
            for (const JobFlow& flow : traffic->flows)
                if (flow.kind == kind) sent[{flow.from, flow.to}] += flow.bytes, total += flow.bytes;
            for (const GpuFlow& flow : groupFlows(*fabric, job, gpus, over))
                own[{flow.from, flow.to}] += flow.volume, ofGroups += flow.volume;
            QCOMPARE(own.size(), sent.size());
            for (const auto& [pair, volume] : own) {
                QVERIFY(sent.contains(pair));
                QVERIFY(std::abs(volume / ofGroups - sent[pair] / total) < 1e-12);
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_contention)
#include "tst_contention.moc"
