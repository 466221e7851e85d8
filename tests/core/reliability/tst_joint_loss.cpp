// What parts that fail together take from a job, against a search of the fabric without them.
#include "core/fabric/without.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/reliability.h"
#include "tests/support/designs.h"

#include <map>
#include <queue>
#include <random>
#include <set>

using namespace railyard;

class tst_joint_loss : public QObject {
    Q_OBJECT

    struct Expected {
        std::set<DeviceId> gpus;
        bool isDivided = false;
    };

    // Follows the links one by one.
    static Expected searched(const Fabric& fabric, const std::vector<DeviceId>& job, const std::set<DeviceId>& devices,
                             const std::set<LinkId>& links, bool isTolerant) {
        const DeviceTable& d = fabric.devices;
        const auto works = [&](LinkId l) {
            return !links.contains(l) && !devices.contains(fabric.links.a[l]) && !devices.contains(fabric.links.b[l]);
        };
        const std::set<DeviceId> ofJob(job.begin(), job.end());
        std::map<DeviceId, std::set<DeviceId>> nicsOfGpu;
        std::map<DeviceId, int> before, now; // ways out of a NIC
        std::set<DeviceId> jobNics;
        for (const LinkId l : fabric.links.ids()) {
            const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
            if (fabric.links.tier[l] == LinkTier::Pcie)
                for (const auto& [gpu, nic] : {std::pair(a, b), std::pair(b, a)})
                    if (d.isGpu(gpu) && d.isNic(nic) && ofJob.contains(gpu)) nicsOfGpu[gpu].insert(nic), jobNics.insert(nic);
            if (!fabric.isNetworkLink(l)) continue;
            for (const DeviceId end : {a, b})
                if (d.isNic(end)) ++before[end], now[end] += works(l) ? 1 : 0;
        }
        std::set<DomainId> jobDomains;
        for (const DeviceId nic : jobNics)
            if (d.hbDomain[nic] != none) jobDomains.insert(d.hbDomain[nic]);
        const auto waysOf = [&](DomainId domain, std::map<DeviceId, int>& ways) {
            int sum = 0;
            for (const DeviceId each : d.ids())
                if (d.isNic(each) && d.hbDomain[each] == domain) sum += ways[each];
            return sum;
        };
        std::map<DomainId, bool> isDomainCut;
        if (isTolerant)
            for (const DomainId domain : jobDomains) isDomainCut[domain] = waysOf(domain, before) > 0 && waysOf(domain, now) == 0;
        std::set<DeviceId> lost;
        for (const DeviceId gpu : job) {
            bool isLost = devices.contains(gpu);
            for (const DeviceId nic : nicsOfGpu[gpu])
                isLost =
                    isLost || (isTolerant && d.hbDomain[nic] != none ? isDomainCut[d.hbDomain[nic]] : before[nic] > 0 && now[nic] == 0);
            if (isTolerant && d.hbDomain[gpu] != none && jobDomains.contains(d.hbDomain[gpu]))
                isLost = isLost || isDomainCut[d.hbDomain[gpu]];
            if (isLost) lost.insert(gpu);
        }
        std::set<ServerId> servers;
        for (const DeviceId gpu : lost)
            if (d.server[gpu] != none) servers.insert(d.server[gpu]);
        Expected result{lost, false};
        for (const DeviceId gpu : job)
            if (d.server[gpu] != none && servers.contains(d.server[gpu])) result.gpus.insert(gpu);
        // What reached each other before must still do so: NICs of the job that are up, over switches and over what their NIC joins, or
        // with the tolerant policy their HB domain.
        const auto serverIsLost = [&](DeviceId nic) { return d.server[nic] != none && servers.contains(d.server[nic]); };
        const auto isTerminal = [&](DeviceId nic) {
            return jobNics.contains(nic) || (isTolerant && d.hbDomain[nic] != none && jobDomains.contains(d.hbDomain[nic]));
        };
        const auto reached = [&](bool isIntact) {
            std::vector<int> part(fabric.devices.size(), -1);
            int parts = 0;
            std::map<DeviceId, std::vector<DeviceId>> next;
            std::map<DomainId, DeviceId> firstOfDomain;
            const auto join = [&](DeviceId a, DeviceId b) { next[a].push_back(b), next[b].push_back(a); };
            for (const LinkId l : fabric.links.ids()) {
                const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
                if (!fabric.isNetworkLink(l) || (!isIntact && !works(l))) continue;
                if (d.routes(a) && d.routes(b)) join(a, b);
                if (!d.isNic(a) || !isTerminal(a) || (!isIntact && serverIsLost(a))) continue;
                join(a, b);
                if (isTolerant && d.hbDomain[a] != none) join(a, firstOfDomain.try_emplace(d.hbDomain[a], a).first->second);
            }
            for (const DeviceId start : d.ids()) {
                if (part[start] >= 0) continue;
                std::queue<DeviceId> open({start});
                part[start] = parts;
                for (; !open.empty(); open.pop())
                    for (const DeviceId other : next[open.front()])
                        if (part[other] < 0) part[other] = parts, open.push(other);
                ++parts;
            }
            return part;
        };
        const std::vector<int> networks = reached(true), parts = reached(false);
        std::map<int, std::set<int>> partsOfNetwork;
        for (const LinkId l : fabric.links.ids()) {
            const DeviceId nic = fabric.links.a[l];
            if (fabric.links.tier[l] == LinkTier::HostLeaf && jobNics.contains(nic) && works(l) && !serverIsLost(nic))
                partsOfNetwork[networks[nic]].insert(parts[nic]);
        }
        for (const auto& [network, own] : partsOfNetwork) result.isDivided = result.isDivided || own.size() > 1;
        return result;
    }

private slots:
    void asSearched_data() {
        QTest::addColumn<QString>("call");
        for (const char* call : {"superpod-h100 servers=12", "rail-only servers=12 radix=8",
                                 "fat-tree servers=12 nics_per_server=1 radix=8", "fat-tree servers=40 nics_per_server=1 radix=8",
                                 "fat-tree servers=9 nics_per_server=1 nic_ports=2 planes=2 radix=8", "superpod-gb200 servers=36",
                                 "rail-optimized servers=8 nics_per_server=1 hb_domain_gpus=16 su_servers=4 leaf_down=4 leaf_up=4 tiers=2",
                                 "fat-tree servers=8 hb_domain_gpus=16 nics_per_server=1 radix=6"})
            QTest::addRow("%s", call) << call;
    }
    void asSearched() {
        QFETCH(QString, call);
        QStringList words = call.split(QLatin1Char(' '));
        std::map<std::string, std::string> parameters;
        for (const QString& each : words.mid(1))
            parameters[each.section(QLatin1Char('='), 0, 0).toStdString()] = each.section(QLatin1Char('='), 1).toStdString();
        const FabricPointer fabric = test::fabricOf(words[0].toStdString(), parameters);
        std::vector<DeviceId> gpus, parts;
        std::vector<LinkId> links;
        for (const DeviceId each : fabric->devices.ids()) {
            if (fabric->devices.isGpu(each)) gpus.push_back(each);
            if (fabric->devices.isGpu(each) || fabric->devices.isNic(each) || fabric->devices.routes(each)) parts.push_back(each);
        }
        std::vector<DeviceId> switches;
        for (const DeviceId each : fabric->devices.ids())
            if (fabric->devices.routes(each)) switches.push_back(each);
        for (const LinkId l : fabric->links.ids())
            if (fabric->isNetworkLink(l)) links.push_back(l);
        std::mt19937 random(7);
        const auto drawn = [&](std::size_t most, std::size_t mostLinks) {
            FailedTogether failed;
            for (std::size_t i = random() % (most + 1); i > 0; --i) failed.devices.push_back(parts[random() % parts.size()]);
            for (std::size_t i = random() % (most + 1); i > 0; --i) failed.devices.push_back(switches[random() % switches.size()]);
            for (std::size_t i = random() % (mostLinks + 1); i > 0; --i) failed.links.push_back(links[random() % links.size()]);
            return failed;
        };
        int divided = 0, lost = 0;
        for (int draw = 0; draw < 60; ++draw) {
            const auto policy = draw % 2 == 0 ? FailurePolicy::Strict : FailurePolicy::Tolerant;
            std::vector<DeviceId> job(gpus.begin(),
                                      gpus.begin() + static_cast<std::ptrdiff_t>(draw % 3 == 0 ? gpus.size() : gpus.size() / 2));
            JobParts own = jobPartsOf(*fabric, job, policy);
            const FailedTogether before = draw % 4 < 2 ? FailedTogether() : drawn(1, links.size() / 6);
            if (draw % 4 >= 2) {
                std::vector<bool> noDevices(fabric->devices.size()), noLinks(fabric->links.size());
                for (const DeviceId each : before.devices) noDevices[each] = true;
                for (const LinkId l : before.links) noLinks[l] = true;
                addFailed(*without(fabric, noDevices, noLinks), *fabric, policy, own);
            }
            JointLosses losses(*fabric, own, policy);
            const Expected already = searched(*fabric, job, {before.devices.begin(), before.devices.end()},
                                              {before.links.begin(), before.links.end()}, policy == FailurePolicy::Tolerant);
            const auto check = [&](const FailedTogether& failed, bool isDivided, const std::set<DeviceId>* taken) {
                std::set<DeviceId> allDevices(before.devices.begin(), before.devices.end());
                std::set<LinkId> allLinks(before.links.begin(), before.links.end());
                allDevices.insert(failed.devices.begin(), failed.devices.end());
                allLinks.insert(failed.links.begin(), failed.links.end());
                Expected expected = searched(*fabric, job, allDevices, allLinks, policy == FailurePolicy::Tolerant);
                for (const DeviceId gpu : already.gpus) expected.gpus.erase(gpu);
                // The job is still that of the intact fabric.
                const Expected intact = searched(*fabric, job, {failed.devices.begin(), failed.devices.end()},
                                                 {failed.links.begin(), failed.links.end()}, policy == FailurePolicy::Tolerant);
                expected.gpus.insert(intact.gpus.begin(), intact.gpus.end());
                expected.isDivided = (expected.isDivided && !already.isDivided) || intact.isDivided;
                QCOMPARE(isDivided, expected.isDivided);
                if (taken) QVERIFY(*taken == expected.gpus);
                divided += isDivided ? 1 : 0;
                lost += expected.gpus.empty() ? 0 : 1;
            };
            for (int i = 0; i < 6; ++i) {
                const FailedTogether failed = drawn(2, i % 2 == 0 ? 3 : links.size() / 3);
                const JointLoss loss = losses.of(failed);
                if (failed.devices.empty() && failed.links.empty()) continue;
                const std::set<DeviceId> taken(loss.gpus.begin(), loss.gpus.end());
                check(failed, loss.dividesJob, &taken);
                if (QTest::currentTestFailed()) return;
            }
            // Sets of links between switches, as those of optical circuit switches are.
            std::vector<std::vector<LinkId>> sets(2 + random() % 8);
            std::map<std::pair<DeviceId, DeviceId>, std::size_t> setOf; // most links between two switches are in one
            for (const LinkId l : links) {
                if (fabric->links.tier[l] == LinkTier::HostLeaf || random() % 40 == 0) continue;
                const std::size_t any = random() % 3 > 0 ? 0 : random() % sets.size();
                const std::size_t chosen = setOf.try_emplace({fabric->links.a[l], fabric->links.b[l]}, any).first->second;
                sets[random() % 40 == 0 ? random() % sets.size() : chosen].push_back(l);
            }
            const std::vector<bool> dividing = losses.dividing(sets);
            for (std::size_t s = 0; s < sets.size(); ++s) {
                check({{}, sets[s]}, dividing[s], nullptr);
                if (QTest::currentTestFailed()) return;
            }
        }
        QVERIFY(lost > 10);
        QVERIFY(divided > 10);
    }
};

QTEST_APPLESS_MAIN(tst_joint_loss)
#include "tst_joint_loss.moc"
