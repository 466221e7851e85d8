#include "core/analysis/figures/explain.h"
#include "core/analysis/metrics/latency.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"

#include <QTest>
#include <functional>
#include <limits>
#include <map>

using namespace railyard;

namespace {

struct Found {
    double mean = 0, longest = 0, pairs = 0;
};

// Every pair of GPUs over every path, link by link and without the engine's graph: at a switch a packet takes each link of a shortest
// up-down path as often as the others.
class EveryPath {
public:
    EveryPath(const Fabric& fabric, const Cabling& cabling) : m_fabric(fabric), m_cabling(cabling), m_links(fabric.devices.size()) {
        for (const LinkId l : fabric.links.ids())
            if (fabric.isNetworkLink(l)) m_links[fabric.links.a[l]].push_back(l), m_links[fabric.links.b[l]].push_back(l);
    }

    Found all() {
        std::map<DeviceId, std::vector<LinkId>> ports; // of a GPU: links of its NICs
        for (const LinkId l : m_fabric.links.ids())
            if (m_fabric.links.tier[l] == LinkTier::Pcie)
                for (const auto port : m_links[m_fabric.links.b[l]]) ports[m_fabric.links.a[l]].push_back(port);
        Found found;
        for (const auto& [from, out] : ports)
            for (const auto& [to, in] : ports) {
                if (from == to || m_fabric.devices.hbDomain[from] == m_fabric.devices.hbDomain[to]) continue;
                pair(out, in, found);
            }
        found.mean /= found.pairs;
        return found;
    }

private:
    bool isSwitch(DeviceId device) const { return m_fabric.devices.kind[device] == DeviceKind::Switch; }
    double ofLink(LinkId l) const { return 64 * 8 / m_fabric.speedOf(l).value() + m_cabling.choiceOf(l).ordered.value() * 5e-9; }
    double ofSwitch(DeviceId device) const { return *m_fabric.partOf(device)->as<SwitchPart>()->latencyNs * 1e-9; }

    // Switches to the target: down only, and up first.
    void aimAt(std::uint32_t target) {
        if (m_target == target && !m_down.empty()) return;
        m_target = target;
        constexpr int far = 1000;
        m_down.assign(m_fabric.devices.size(), far);
        m_any = m_down;
        m_down[target] = 0;
        const auto relax = [&](std::vector<int>& hops, const std::vector<int>& from, bool isDown) {
            bool isMore = false;
            for (const LinkId l : m_fabric.links.ids()) {
                const DeviceId a = m_fabric.links.a[l], b = m_fabric.links.b[l]; // a below b
                if (!m_fabric.isNetworkLink(l) || !isSwitch(a) || !isSwitch(b)) continue;
                int& own = hops[isDown ? b : a];
                const int next = from[isDown ? a : b] + 1;
                if (next < own) own = next, isMore = true;
            }
            return isMore;
        };
        while (relax(m_down, m_down, true)) {}
        m_any = m_down;
        while (relax(m_any, m_any, false)) {}
    }

    // (mean, longest) from this switch on, itself included; longest below 0 without a path.
    std::pair<double, double> from(DeviceId device) {
        if (device == m_target) return {ofSwitch(device), ofSwitch(device)};
        const bool isUp = m_down[device] > m_any[device];
        double sum = 0, count = 0, longest = -1;
        for (const auto l : m_links[device]) {
            const DeviceId next = isUp ? m_fabric.links.b[l] : m_fabric.links.a[l];
            if (next == device || !isSwitch(next) || (isUp ? m_any : m_down)[next] != m_any[device] - 1) continue;
            const auto rest = from(next);
            sum += ofLink(l) + rest.first;
            count += 1;
            longest = std::max(longest, ofLink(l) + rest.second);
        }
        return {sum / count + ofSwitch(device), longest + ofSwitch(device)};
    }

    // A GPU divides its traffic evenly over its ports that lead to a port of the destination, and that over those.
    void pair(const std::vector<LinkId>& out, const std::vector<LinkId>& in, Found& found) {
        std::vector<std::pair<double, double>> ways; // by own port
        for (const auto own : out) {
            double sum = 0, longest = -1, count = 0;
            for (const auto end : in) {
                aimAt(m_fabric.links.b[end]);
                if (m_any[m_fabric.links.b[own]] >= 1000) continue;
                const auto between = from(m_fabric.links.b[own]);
                sum += ofLink(own) + between.first + ofLink(end);
                longest = std::max(longest, ofLink(own) + between.second + ofLink(end));
                count += 1;
            }
            if (count > 0) ways.emplace_back(sum / count, longest);
        }
        if (ways.empty()) return;
        double sum = 0;
        for (const auto& [mean, longest] : ways) {
            sum += mean;
            found.longest = std::max(found.longest, longest);
        }
        found.mean += sum / static_cast<double>(ways.size());
        found.pairs += 1;
    }

    const Fabric& m_fabric;
    const Cabling& m_cabling;
    std::vector<std::vector<LinkId>> m_links; // by device
    std::uint32_t m_target = 0;
    std::vector<int> m_down, m_any;
};

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

} // namespace

class tst_latency : public QObject {
    Q_OBJECT

private slots:
    // Two SUs of 32 servers, each GPU on the leaf of its rail: one switch inside an SU's rail, three across.
    void closedForm() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const NetworkLatency latency = latencyOf(*fabric, cablingOf(*fabric));
        const double link = 64 * 8 / 400e9 + 30 * 5e-9, node = 130e-9;
        const double inside = 2 * link + node, across = 4 * link + 3 * node;
        QVERIFY(near(latency.longest->total().value(), across));
        const double same = 31, others = 63 * 8 - 31; // of one GPU: on its leaf, elsewhere
        QVERIFY(near(latency.mean->total().value(), (same * inside + others * across) / (same + others)));
    }
    void everyPathOfSmallDesigns_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("settings");
        const std::pair<const char*, const char*> rows[] = {
            {"rail-optimized", "servers=6 radix=8 racks=auto"},
            {"rail-optimized", "servers=20 radix=8 gpus_per_server=2 nics_per_server=2 racks=auto"},
            {"rail-optimized", "servers=6 radix=16 nic_ports=2 planes=2 racks=auto"},
            {"rail-optimized", "servers=5 radix=16 nics_per_server=4"},
            {"rail-only", "servers=12 radix=8 rails=8 racks=auto"},
            {"rail-only", "servers=8 radix=16 rails=4 hb_domain_gpus=16"},
            {"fat-tree", "servers=9 radix=8 gpus_per_server=1 nics_per_server=1 racks=auto"},
            {"fat-tree", "servers=40 radix=8 gpus_per_server=1 nics_per_server=1 racks=auto"}};
        for (const auto& [recipe, settings] : rows) QTest::newRow(qPrintable(QString("%1 %2").arg(recipe, settings))) << recipe << settings;
    }
    void everyPathOfSmallDesigns() {
        QFETCH(QString, recipe);
        QFETCH(QString, settings);
        std::map<std::string, std::string> set;
        for (const QString& each : settings.split(' ')) set[each.section('=', 0, 0).toStdString()] = each.section('=', 1).toStdString();
        const FabricPointer whole = test::fabricOf(recipe.toStdString(), set);
        test::Random random{5};
        for (const int oneOf : {0, 20, 6}) { // links that fail
            std::vector<bool> gone(whole->links.size());
            for (const LinkId l : indices<LinkId>(gone.size())) gone[l] = oneOf > 0 && whole->isNetworkLink(l) && random.below(oneOf) == 0;
            const FabricPointer fabric = oneOf > 0 ? without(whole, {}, gone) : whole;
            const Cabling cabling = cablingOf(*fabric);
            const NetworkLatency latency = latencyOf(*fabric, cabling);
            const Found real = EveryPath(*fabric, cabling).all();
            QVERIFY2(latency.mean && latency.longest, latency.why.c_str());
            QVERIFY2(near(latency.mean->total().value(), real.mean),
                     qPrintable(QString("%1, not %2").arg(latency.mean->total().value()).arg(real.mean)));
            QVERIFY2(near(latency.longest->total().value(), real.longest),
                     qPrintable(QString("%1, not %2").arg(latency.longest->total().value()).arg(real.longest)));
            QVERIFY(near(longestOneByOne(*fabric, cabling)->total().value(), real.longest));
        }
    }
    // Pairs whose packets would have to go down and up again are in neither figure; they are counted.
    void pairsWithoutAPathAreCounted() {
        const FabricPointer intact =
            test::fabricOf("fat-tree", {{"servers", "45"}, {"radix", "16"}, {"spine_radix", "16"}, {"tiers", "3"}});
        QCOMPARE(latencyOf(*intact, cablingOf(*intact)).unreachablePairs, std::int64_t{0});
        Failures failures;
        failures.linkShare = 0.5;
        const auto removal = removalOf(*intact, failures);
        const FabricPointer fabric = without(intact, removal->devices, removal->links);
        const NetworkLatency latency = latencyOf(*fabric, cablingOf(*fabric));
        QVERIFY(latency.unreachablePairs > 0);
        const Metrics metrics = metricsOf(*fabric);
        const auto explained = explain(*fabric, {metrics.instant, &metrics.background}, "latency.mean_s");
        QVERIFY(explained && explained->origin.note.find("no path up and then down") != std::string::npos);
    }
    void unknownIsSaid() {
        const FabricPointer silent = test::fabricOf("rail-optimized", {{"servers", "4"}, {"switch", "sw-sn5600"}});
        const FabricPointer alone = test::fabricOf("rail-optimized", {{"servers", "1"}});
        for (const FabricPointer& fabric : {silent, alone}) {
            const NetworkLatency latency = latencyOf(*fabric, cablingOf(*fabric));
            QVERIFY(!latency.mean && !latency.longest);
            QVERIFY(!latency.why.empty());
        }
    }
};

QTEST_APPLESS_MAIN(tst_latency)
#include "tst_latency.moc"
