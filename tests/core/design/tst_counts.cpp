// Whatever settings a recipe takes, the fabric it makes is held against the rules of the field, counted here from the fabric
// itself: RAILYARD_RANDOM_DESIGNS=N tries N settings.
#include "core/analysis/metrics/metrics.h"
#include "core/design/edits/edit.h"
#include "tests/support/designs.h"

#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

using namespace railyard;

namespace {

std::string oneOf(test::Random& random, const std::vector<std::string>& values) {
    return values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))];
}

RecipeCall anyCall(test::Random& random) {
    RecipeCall call{oneOf(random, {"rail-optimized", "rail-only", "fat-tree"}), {}};
    auto& set = call.parameters;
    set["servers"] = std::to_string(1 + random.below(80));
    set["gpus_per_server"] = set["nics_per_server"] = oneOf(random, {"1", "2", "3", "4", "5", "8"});
    set["radix"] = oneOf(random, {"4", "6", "8", "12", "16", "32", "34"});
    const auto maybe = [&](const std::string& key, const std::vector<std::string>& values) {
        if (random.below(3) == 0) set[key] = oneOf(random, values);
    };
    maybe("hb_domain_gpus", {"4", "8", "12", "16", "32"});
    maybe("nic_ports", {"2", "3", "4"});
    maybe("planes", {"2", "3", "4", "5"});
    maybe("tiers", {"2", "3", "4"});
    maybe("oversubscription", {"2:1", "3:1", "3:2"});
    maybe("core_oversubscription", {"2:1"});
    maybe("spine_rule", {"exact"});
    maybe("uplinks", {"used"});
    maybe("rail_scope", {"per-rail"});
    maybe("rails", {"1", "2", "4"});
    maybe("manager_ports", {"1", "2", "4", "9"});
    maybe("su_servers", {"2", "4", "8"});
    maybe("spine_radix", {"8", "16", "24"});
    maybe("spines", {"1", "2", "3", "4", "5", "8", "12", "16"});
    maybe("pod_servers", {"2", "8", "24"});
    if (random.below(4) == 0) {
        set["uplink_gbps"] = oneOf(random, {"100", "200", "800"});
        set["spine_radix"] = oneOf(random, {"8", "16", "32"});
    }
    return call;
}

// Every port holds one link, and every link ends on a port that there is.
std::string wrongWithPorts(const Fabric& fabric) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> used;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        for (const auto& [device, port] :
             {std::pair(fabric.links.a[l], fabric.links.aPort[l]), {fabric.links.b[l], fabric.links.bPort[l]}}) {
            if (!used.emplace(device, port).second) return fmt::format("{} port {} used twice", fabric.devicePath(device), port);
            if (static_cast<int>(port) > fabric.portCount(device)) return fmt::format("{} has no port {}", fabric.devicePath(device), port);
        }
    }
    return {};
}

// No switch is bought for nothing; every NIC port hangs on one leaf, of its rail and plane.
std::string wrongWithSwitches(const Fabric& fabric, const RecipeSettings& settings) {
    const DeviceTable& devices = fabric.devices;
    std::vector<int> below(devices.size());
    std::map<std::uint32_t, int> position; // of the last NIC of a server or HB domain
    std::vector<int> positionOf(devices.size(), -1);
    for (const DeviceId d : devices.ids())
        if (devices.kind[d] == DeviceKind::Nic)
            positionOf[d] = position[settings.family == RecipeFamily::RailOnly ? devices.hbDomain[d] : devices.server[d]]++;
    std::int64_t hostLinks = 0;
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l) || fabric.links.tier[l] == LinkTier::ManagerLeaf) continue;
        const DeviceId a = fabric.links.a[l], b = fabric.links.b[l];
        ++below[b];
        if (fabric.links.tier[l] != LinkTier::HostLeaf) {
            if (devices.plane[a] != devices.plane[b]) return fmt::format("{} leads to another plane", fabric.devicePath(a));
            if (settings.family == RecipeFamily::RailOnly && devices.rail[a] != devices.rail[b])
                return fmt::format("{} leads to another rail", fabric.devicePath(a));
            continue;
        }
        ++hostLinks;
        const auto port = static_cast<int>(fabric.links.aPort[l]) - 1;
        const int plane = (positionOf[a] * settings.nicPorts + port) % settings.planes;
        if (static_cast<int>(devices.plane[b]) != plane + 1) return fmt::format("{} hangs in another plane", fabric.devicePath(a));
        if (devices.rail[b] != 0 && static_cast<int>(devices.rail[b]) != positionOf[a] % settings.rails + 1)
            return fmt::format("{} hangs on another rail", fabric.devicePath(a));
    }
    if (hostLinks != std::int64_t{settings.servers} * settings.nicsPerServer * settings.nicPorts) return "a NIC port has no link";
    // Pods are built whole: with uplinks=used the leaves of some may need fewer spines than those of others.
    const auto isNeeded = [&](std::uint32_t d) { return devices.tier[d] == SwitchTier::Leaf || !settings.usedUplinks; };
    for (const DeviceId d : devices.ids())
        if (devices.kind[d] == DeviceKind::Switch && below[d] == 0 && isNeeded(d))
            return fmt::format("nothing hangs on {}", fabric.devicePath(d));
    return {};
}

struct Ports {
    double down = 0, up = 0; // Gb/s of the links
    int uplinks = 0;
};

// No switch is worse than the ratio asked for, none has more links than it carries, and with uplinks=used none has one uplink more
// than it needs.
std::string wrongWithRatios(const Fabric& fabric, const RecipeCall& call, const RecipeSettings& settings, int tiers) {
    const auto asked = [&](const char* key) {
        const auto stated = call.parameters.find(key);
        if (stated == call.parameters.end()) return 1.0;
        const std::size_t colon = stated->second.find(':');
        return std::stod(stated->second.substr(0, colon)) / std::stod(stated->second.substr(colon + 1));
    };
    std::vector<Ports> ports(fabric.devices.size());
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        ports[fabric.links.b[l]].down += inGbps(fabric.speedOf(l));
        if (fabric.devices.kind[fabric.links.a[l]] != DeviceKind::Switch) continue;
        ports[fabric.links.a[l]].up += inGbps(fabric.speedOf(l));
        ++ports[fabric.links.a[l]].uplinks;
    }
    const double uplink = inGbps(settings.uplinkSpeed), tiny = 1e-6;
    for (const DeviceId d : fabric.devices.ids()) {
        if (fabric.devices.kind[d] != DeviceKind::Switch) continue;
        const bool isLeaf = fabric.devices.tier[d] == SwitchTier::Leaf;
        const double ratio = asked(isLeaf ? "oversubscription" : "core_oversubscription");
        const double carries = isLeaf ? settings.radix * inGbps(settings.linkSpeed) : settings.spineRadix * uplink;
        if (ports[d].down + ports[d].up > carries + tiny) return fmt::format("{} carries more than it can", fabric.devicePath(d));
        if (static_cast<int>(fabric.devices.tier[d]) >= tiers) continue; // the top tier has none above
        if (ports[d].up * ratio < ports[d].down - tiny)
            return fmt::format("{}: {} Gb/s down, {} up, {}:1 asked", fabric.devicePath(d), ports[d].down, ports[d].up, ratio);
        const bool moreAreAsked = isLeaf && settings.spines > settings.leafUp;
        if (settings.usedUplinks && !moreAreAsked && ports[d].uplinks > 0 && (ports[d].up - uplink) * ratio >= ports[d].down - tiny)
            return fmt::format("{} has an uplink more than it needs: {} Gb/s down, {} up", fabric.devicePath(d), ports[d].down,
                               ports[d].up);
    }
    return {};
}

std::string wrongWithDomains(const Fabric& fabric, const RecipeSettings& settings) {
    std::map<std::uint32_t, int> gpus;
    for (const DeviceId d : fabric.devices.ids())
        if (fabric.devices.kind[d] == DeviceKind::Gpu) ++gpus[fabric.devices.hbDomain[d]];
    if (static_cast<int>(gpus.size()) != settings.gpus() / settings.hbDomainGpus) return fmt::format("{} HB domains", gpus.size());
    for (const auto& [domain, count] : gpus)
        if (domain == none || count != settings.hbDomainGpus) return fmt::format("an HB domain of {} GPUs", count);
    return {};
}

std::string wrongWithCounts(const Fabric& fabric, const ClosPlan& plan) {
    const FabricCounts counts = countsOf(fabric);
    const std::vector<std::int64_t> switches{plan.leaves, plan.spines, plan.superspines, plan.cores};
    for (std::size_t tier = 0; tier < switches.size(); ++tier)
        if (counts.switchesByTier[tier + 1] != switches[tier])
            return fmt::format("tier {}: {} planned, {} made", tier + 1, switches[tier], counts.switchesByTier[tier + 1]);
    const std::vector<std::int64_t> links{plan.hostLinks, plan.managerLinks, plan.leafSpineLinks, plan.spineSuperLinks,
                                          plan.superCoreLinks};
    for (std::size_t tier = 0; tier < links.size(); ++tier)
        if (counts.linksByTier[tier] != links[tier])
            return fmt::format("links of layer {}: {} planned, {} made", tier, links[tier], counts.linksByTier[tier]);
    return {};
}

std::string wrongWith(const RecipeCall& call) {
    const auto settings = resolve(call, *shippedCatalog());
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    if (!planned) return {};
    auto design = build(call, "random", shippedCatalog());
    if (!design) return "planned, but not built: " + design.error().text;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*design)));
    for (std::string wrong : {wrongWithPorts(*fabric), wrongWithSwitches(*fabric, *settings), wrongWithDomains(*fabric, *settings),
                              wrongWithCounts(*fabric, *planned), wrongWithRatios(*fabric, call, *settings, planned->tiers)})
        if (!wrong.empty()) return wrong;
    return {};
}

} // namespace

class tst_counts : public QObject {
    Q_OBJECT

private slots:
    void anySettings() {
        bool isGiven = false;
        const int given = qEnvironmentVariableIntValue("RAILYARD_RANDOM_DESIGNS", &isGiven), calls = isGiven ? given : 1500;
        QStringList wrong;
        for (int seed = 1; seed <= calls; ++seed) {
            test::Random random{static_cast<std::uint64_t>(seed)};
            const RecipeCall call = anyCall(random);
            if (const std::string what = wrongWith(call); !what.empty()) {
                std::string text = call.name;
                for (const auto& [key, value] : call.parameters) text += " " + key + "=" + value;
                wrong += QString::fromStdString(text + ": " + what);
            }
        }
        QVERIFY2(wrong.empty(), qPrintable(QString("%1 of %2\n").arg(wrong.size()).arg(calls) + wrong.mid(0, 40).join("\n")));
    }

    // The search for the cheapest fabric plans leaves alone, and ends where one downlink port fewer cannot be built.
    void leavesAreThoseOfThePlan() {
        int equal = 0, unbuildable = 0;
        for (int seed = 1; seed <= 3000; ++seed) {
            test::Random random{static_cast<std::uint64_t>(seed)};
            auto settings = resolve(anyCall(random), *shippedCatalog());
            if (!settings) continue;
            const auto whole = plan(*settings);
            const auto leaves = planLeaves(*settings);
            if (whole) {
                QVERIFY2(leaves, leaves ? "" : leaves.error().text.c_str());
                const auto asTuple = [](const ClosPlan& p) {
                    return std::tuple(p.planes, p.networks, p.tiers, p.unitPorts, p.scalableUnits, p.suServers, p.leavesPerSu,
                                      p.leavesPerNetwork, p.leafDown, p.leaves, p.hostLinks, p.managerLinks);
                };
                QVERIFY2(asTuple(leaves->plan) == asTuple(*whole), qPrintable(QString::number(seed)));
                ++equal;
            }
            settings->managerPorts = settings->suServers = settings->podServers = settings->spines = settings->tiers = 0;
            settings->railPods = false;
            bool isBuilt = true;
            for (settings->leafDown = settings->radix; settings->leafDown > 0; --settings->leafDown) {
                const bool was = std::exchange(isBuilt, static_cast<bool>(planLeaves(*settings)));
                QVERIFY2(was || !isBuilt, qPrintable(QStringLiteral("%1: %2 ports").arg(seed).arg(settings->leafDown)));
                unbuildable += was && !isBuilt;
            }
        }
        QVERIFY2(equal > 500 && unbuildable > 500, qPrintable(QStringLiteral("%1, %2").arg(equal).arg(unbuildable)));
    }

    // Two servers without a switch: a cable between two NICs takes a port of each.
    void twoServersWithoutASwitch() {
        DesignPointer design = removeElements(*test::designOf("rail-optimized", {{"servers", "2"}}), {"su[1]/leaf[1]"})->design;
        for (int nic = 1; nic <= 8; ++nic) {
            const std::string port = "/nic[" + std::to_string(nic) + "]:1";
            design = addLink(*design, {"su[1]/srv[1]" + port, "su[1]/srv[2]" + port}).design;
        }
        QCOMPARE(inGbps(instantMetrics(*elaborate(design)).injection), 2 * 8 * 400.0);
    }

    // A rail has leaves only in planes that its NICs reach.
    void planesOfOnePortNics_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("planes");
        QTest::addColumn<int>("leaves");
        QTest::newRow("two planes") << "rail-optimized" << 2 << 16;
        QTest::newRow("three planes, uneven") << "rail-optimized" << 3 << 16;
        QTest::newRow("four planes") << "rail-optimized" << 4 << 16;
        QTest::newRow("rail-only, two planes") << "rail-only" << 2 << 8;
    }
    void planesOfOnePortNics() {
        QFETCH(QString, recipe);
        QFETCH(int, planes);
        const auto settings = resolve({recipe.toStdString(), {{"servers", "64"}, {"planes", std::to_string(planes)}}}, *shippedCatalog());
        QVERIFY(settings);
        const auto planned = plan(*settings);
        QVERIFY(planned);
        QTEST(planned->leaves, "leaves");
    }

    // HB domains larger than an SU span whole SUs, those smaller stay whole in one.
    void domainsSpanWholeUnits() {
        for (const auto& [settings, units] : std::vector<std::pair<test::Parameters, int>>{
                 {{{"gpus", "32768"}, {"hb_domain_gpus", "256"}, {"radix", "32"}}, 256},
                 {{{"gpus", "960"}, {"hb_domain_gpus", "96"}, {"radix", "20"}, {"tiers", "3"}}, 20}, // 12 servers in SUs of 6
                 {{{"gpus", "960"}, {"hb_domain_gpus", "96"}, {"radix", "64"}, {"tiers", "2"}}, 5}}) {
            const auto resolved = resolve({"rail-optimized", settings}, *shippedCatalog());
            const auto planned = plan(*resolved);
            QVERIFY2(planned, planned ? "" : planned.error().text.c_str());
            QCOMPARE(planned->scalableUnits, units);
            QCOMPARE(wrongWith({"rail-optimized", settings}), std::string());
        }
        const auto uneven =
            resolve({"rail-optimized", {{"gpus", "960"}, {"hb_domain_gpus", "96"}, {"su_servers", "8"}}}, *shippedCatalog());
        const auto refused = plan(*uneven);
        QVERIFY(!refused && refused.error().text.find("nearest value that works: 6") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(tst_counts)
#include "tst_counts.moc"
