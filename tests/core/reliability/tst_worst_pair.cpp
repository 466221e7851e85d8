// The worst two failures, against all pairs of servers and switches.
#include "core/fabric/without.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/reliability.h"
#include "core/reliability/worst_pair.h"
#include "tests/support/designs.h"

#include <map>
#include <random>
#include <set>

using namespace railyard;

class tst_worst_pair : public QObject {
    Q_OBJECT

    // Devices of every server with all in it, and of every switch of the network.
    static std::vector<std::vector<DeviceId>> partsThatFail(const Fabric& fabric) {
        std::map<std::uint32_t, std::vector<DeviceId>> servers;
        std::vector<std::vector<DeviceId>> parts;
        for (const DeviceId d : fabric.devices.ids())
            if (fabric.devices.server[d] != none)
                servers[fabric.devices.server[d]].push_back(d);
            else if (fabric.devices.routes(d))
                parts.push_back({d});
        for (auto& [server, devices] : servers) parts.push_back(std::move(devices));
        return parts;
    }

private slots:
    void noPairTakesMore_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("parameters");
        QTest::addColumn<int>("seed");
        int seed = 0;
        for (const auto& [recipe, parameters] :
             std::vector<std::pair<const char*, const char*>>{{"superpod-h100", "servers=12"},
                                                              {"rail-only", "servers=12 leaf_down=4 leaf_up=4"},
                                                              {"rail-only", "servers=6 radix=8"},
                                                              {"fat-tree", "servers=12 nics_per_server=1 leaf_down=4 leaf_up=4"},
                                                              {"fat-tree", "servers=12 nics_per_server=1 radix=8"},
                                                              {"fat-tree", "servers=20 nics_per_server=1 radix=8"},
                                                              {"fat-tree", "servers=9 nics_per_server=1 nic_ports=2 planes=2 radix=8"},
                                                              {"fat-tree", "servers=13 nics_per_server=2 leaf_down=6 leaf_up=3"},
                                                              {"fat-tree", "servers=8 hb_domain_gpus=16 nics_per_server=1 radix=6"}})
            for (const int draw : {0, 1, 2, 3}) // some links are missing from the second on
                QTest::addRow("%s %s, draw %d", recipe, parameters, draw) << recipe << parameters << (draw == 0 ? 0 : ++seed);
    }
    void noPairTakesMore() {
        QFETCH(QString, recipe);
        QFETCH(QString, parameters);
        QFETCH(int, seed);
        RecipeCall call{recipe.toStdString(), {}};
        for (const QString& each : parameters.split(' ')) {
            const QStringList words = each.split('=');
            call.parameters[words[0].toStdString()] = words[1].toStdString();
        }
        FabricPointer fabric = test::fabricOf(call.name, call.parameters);
        if (seed > 0) {
            std::mt19937 random(static_cast<unsigned>(seed));
            std::vector<bool> links(fabric->links.size());
            for (const LinkId l : fabric->links.ids()) links[l] = fabric->isNetworkLink(l) && random() % 5 == 0;
            fabric = without(fabric, {}, links);
        }
        const JobParts parts = remainingPartsOf(*fabric, *jobPlaceOf(*fabric, {}), FailurePolicy::Strict);
        const auto found = worstPair(fabric, parts, FailurePolicy::Strict);
        QVERIFY(found);
        std::int64_t most = 0;
        const auto all = partsThatFail(*fabric);
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                std::vector<DeviceId> both = all[a];
                both.insert(both.end(), all[b].begin(), all[b].end());
                const JointLoss loss = lossOf({both, {}}, *fabric, parts, FailurePolicy::Tolerant);
                most = std::max(most, static_cast<std::int64_t>(loss.gpus.size()));
            }
        QCOMPARE(found->gpusLost, most);
    }
};

QTEST_APPLESS_MAIN(tst_worst_pair)
#include "tst_worst_pair.moc"
