// How often jobs are interrupted: published cases, sums by hand, and which parts of the network interrupt, by brute force.
#include "core/bill/cabling.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/reliability/reliability_parameters.h"
#include "tests/support/designs.h"

#include <cmath>
#include <set>

using namespace railyard;

class tst_reliability : public QObject {
    Q_OBJECT

    static bool isClose(double a, double b, double by = 1e-9) { return std::abs(a - b) <= by * std::abs(b); }
    static JobParts partsOf(const Fabric& fabric, const ReliabilityRequest& request = {}) {
        const auto place = jobPlaceOf(fabric, request);
        if (!place) qFatal("%s", toText(place.error()).c_str());
        return jobPartsOf(fabric, *place, request.policy);
    }
    static Reliability of(const Fabric& fabric, const ReliabilityRequest& request = {}) {
        return reliabilityOf(fabric, partsOf(fabric, request), request);
    }
    static const FailureComponent* row(const Reliability& r, PartKind kind, bool interrupts) {
        for (const FailureComponent& each : r.components)
            if (each.kind == kind && each.interruptsJob == interrupts) return &each;
        return nullptr;
    }
    static std::int64_t count(const Reliability& r, PartKind kind, bool interrupts) {
        std::int64_t sum = 0;
        for (const FailureComponent& each : r.components)
            if (each.kind == kind && each.interruptsJob == interrupts) sum += each.count;
        return sum;
    }
    // Walks over network links between devices that are left; nothing in common with what is tested. The parts that terminals are in.
    static std::set<std::set<std::uint32_t>> groupsOf(const Fabric& fabric, const std::vector<std::set<std::uint32_t>>& terminals,
                                                      std::uint32_t deadDevice, std::uint32_t deadLink) {
        std::vector<std::uint32_t> mark(fabric.devices.size(), 0);
        for (std::uint32_t d = 0; d < mark.size(); ++d) mark[d] = d;
        for (bool changed = true; changed;) {
            changed = false;
            const auto join = [&](std::uint32_t a, std::uint32_t b) {
                if (mark[a] == mark[b]) return;
                mark[a] = mark[b] = std::min(mark[a], mark[b]);
                changed = true;
            };
            for (const LinkId l : fabric.links.ids())
                if (fabric.isNetworkLink(l) && l != deadLink && fabric.links.a[l] != deadDevice && fabric.links.b[l] != deadDevice)
                    join(fabric.links.a[l], fabric.links.b[l]);
            for (const auto& terminal : terminals)
                for (const std::uint32_t nic : terminal) join(nic, *terminal.begin());
        }
        std::map<std::uint32_t, std::set<std::uint32_t>> parts;
        for (std::uint32_t t = 0; t < terminals.size(); ++t) parts[mark[*terminals[t].begin()]].insert(t);
        std::set<std::set<std::uint32_t>> groups;
        for (const auto& [root, members] : parts) groups.insert(members);
        return groups;
    }

private slots:
    // A job counts what its links use, not what stands beside them on the same switches.
    void opticsAreThoseOfTheJob() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "20"}, {"su_servers", "8"}});
        const Cabling cabling = cablingOf(*fabric);
        for (const std::int64_t gpus : {std::int64_t{1}, std::int64_t{8}, std::int64_t{160}}) {
            ReliabilityRequest request;
            request.jobGpus = gpus;
            const JobParts parts = partsOf(*fabric, request);
            std::set<std::uint32_t> cages;
            for (const CabledLinkId l : cabling.links.ids())
                if (parts.links[cabling.links[l]] != PartUse::None) cages.insert(cabling.cageA[l]), cages.insert(cabling.cageB[l]);
            std::int64_t optics = 0;
            for (const FailureComponent& row : reliabilityOf(*fabric, parts, request, &cabling).components)
                if (row.kind == PartKind::Optic) optics += row.count;
            QCOMPARE(optics, static_cast<std::int64_t>(cages.size()));
        }
    }
    // A job with one leaf in each of two pods needs the spines through which they reach what joins them.
    void partialJobsUseTheSpinesOnTheirWay() {
        const FabricPointer tree = test::fabricOf("fat-tree", {{"servers", "16"},
                                                               {"gpus_per_server", "1"},
                                                               {"nics_per_server", "1"},
                                                               {"leaf_down", "4"},
                                                               {"leaf_up", "1"},
                                                               {"radix", "5"},
                                                               {"spine_radix", "4"},
                                                               {"tiers", "3"}});
        ReliabilityRequest request;
        request.jobGpus = 9; // two leaves of the first pod, one of the second
        const Reliability nine = of(*tree, request);
        QCOMPARE(count(nine, PartKind::Spine, true), 2);
        QCOMPARE(count(nine, PartKind::Link, true), 3);
        const FabricPointer aipod = test::fabricOf("aipod", {{"servers", "256"}});
        request.jobGpus = 512; // one SU: each of its leaves is in a pod of its own
        const Reliability unit = of(*aipod, request);
        QVERIFY(count(unit, PartKind::Spine, false) + count(unit, PartKind::Spine, true) > 0);
        QVERIFY(count(unit, PartKind::Link, false) + count(unit, PartKind::Link, true) > 0);
    }
    // Traffic of a part of an HB domain is forwarded over all of its NICs.
    void idleNicsOfTheDomainAreWaysOut() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        ReliabilityRequest request;
        request.jobGpus = 1;
        QCOMPARE(count(of(*fabric, request), PartKind::Nic, true), 1);
        request.policy = FailurePolicy::Tolerant;
        const Reliability tolerant = of(*fabric, request);
        for (const PartKind kind : {PartKind::Nic, PartKind::HostLink, PartKind::Leaf}) QCOMPARE(count(tolerant, kind, true), 0);
        QCOMPARE(count(tolerant, PartKind::Nic, false), 1); // those of the others are no part of the job
    }
    // A library that gives up early makes no difference to what a failure divides.
    void partitionsDoNotDependOnTheTimeout() {
        const FabricPointer fabric = test::fabricOf("fat-tree", {{"servers", "8"}, {"radix", "32"}, {"spine_radix", "64"}});
        ReliabilityRequest request;
        const double before = of(*fabric, request).partitionProbability;
        request.recovery = Seconds(1200);
        const Reliability after = of(*fabric, request);
        QVERIFY(before > 0 && isClose(after.partitionProbability, before));
        QVERIFY(*after.probability > *of(*fabric).probability);
    }
    // A low rate without a base is a bound, and no more often than the base.
    void boundsWithoutABaseKeepTheOrder() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        ReliabilityRequest request;
        request.rates[PartKind::Gpu] = {0.5, {}, {}, {}};
        const Reliability r = of(*fabric, request);
        QVERIFY(r.lowPerYear <= r.perYear && r.perYear <= r.highPerYear);
        QCOMPARE(r.missingRates, std::vector<std::string>{"gpu"});
    }
    void publishedCases() {
        // A33: 419 interruptions in 54 days on 16,384 GPUs.
        ReliabilityRequest request;
        for (const std::string_view kind : partKindNames) request.rates[*partKindFrom(kind)] = {{}, 0, {}, ""};
        const double perGpu = 419 / 54.0 * 365 / 16384;
        request.rates[PartKind::Gpu] = {{}, perGpu, {}, ""};
        const FabricPointer large = test::fabricOf("superpod-h100", {{"servers", "2048"}});
        QVERIFY(isClose(*of(*large, request).meanTimeHours, 3.093, 0.005));
        // A34: 6.5 failures per 1,000 node-days.
        request.rates[PartKind::Gpu] = {{}, 0, {}, ""};
        request.rates[PartKind::Server] = {{}, 6.5 / 1000 * 365, {}, ""};
        QVERIFY(isClose(*of(*large, request).meanTimeHours, 1.803, 0.01));
        // A35: 100,000 modules of 10 million hours; A37: intervals at 3.09 h; A38: 1,024 nodes, a checkpoint an hour.
        FailureComponent optics{PartKind::Optic, {}, 100'000, false, {{}, 8760 / 1e7, {}, ""}, {}};
        QVERIFY(isClose(24 / *optics.expected(24) / 24, 4.167, 0.001));
        const CheckpointPlan plan = checkpointPlan({Seconds(60), Seconds(300), Seconds(0)}, Seconds(3.09 * 3600));
        QVERIFY(std::abs(plan.young.value() - 1155) < 1 && std::abs(plan.daly.value() - 1095) < 1);
        const double mean = 86400 / (1024 * 0.0065);
        QVERIFY(std::abs(checkpointPlan({Seconds(0), Seconds(300), Seconds(3600)}, Seconds(mean)).ettr - 0.838) < 0.001);
        // A36: 1,000 GPUs, each available 99.9 % of a month.
        request.rates[PartKind::Server] = {{}, 0, {}, ""};
        request.rates[PartKind::Gpu] = {{}, -std::log(0.999) * 8760 / 720, {}, ""};
        request.jobGpus = 1000;
        QVERIFY(std::abs(*of(*large, request).probability - 0.6323) < 0.001);
    }
    void sumsPartRates() { // by hand, for 4 SU: GPUs, NICs, host links, leaves, servers
        const Reliability r = usualReliability(*test::fabricOf("superpod-h100"));
        const double perYear = 1024 * 0.1106 + 1024 * 0.00289 + 1024 * 0.00684 + 32 * 0.00612 + 128 * 0.04624;
        QVERIFY(isClose(*r.meanTimeHours, 8760 / perYear));
        QVERIFY(isClose(*r.probability, 1 - std::exp(-perYear * 720 / 8760)));
        QVERIFY(isClose(r.expectedInterruptions(), perYear * 720 / 8760));
        QVERIFY(isClose(r.partitionProbability, 1 - std::exp(-(1024 * 0.00684 + 32 * 0.00612) * 720 / 8760)));
        QVERIFY(r.lowPerYear < r.perYear && r.perYear < r.highPerYear);
        QCOMPARE(count(r, PartKind::Spine, false), 16);
        QCOMPARE(count(r, PartKind::Link, false), 1024);
        QVERIFY(!row(r, PartKind::Spine, true) && !row(r, PartKind::Leaf, false));
    }
    // Two ports of a NIC on two leaves: neither a link nor a leaf interrupts, but the NIC does.
    void dualPortsSurvive() {
        const Reliability r = of(*test::fabricOf("rail-optimized", {{"servers", "32"}, {"nic_ports", "2"}, {"planes", "2"}}));
        QCOMPARE(count(r, PartKind::HostLink, true), 0);
        QCOMPARE(count(r, PartKind::HostLink, false), 32 * 8 * 2);
        QCOMPARE(count(r, PartKind::Leaf, true), 0);
        QCOMPARE(count(r, PartKind::Nic, true), 256);
        QCOMPARE(r.partitionProbability, 0.0);
    }
    // Trays and NVLink switch trays in place of servers; the latter have no published rate, which widens the range.
    void racksFailByTray() {
        const Reliability r = of(*test::fabricOf("superpod-gb200", {{"servers", "36"}}));
        QCOMPARE(count(r, PartKind::Tray, true), 36);
        QCOMPARE(count(r, PartKind::NvlinkSwitchTray, true), 18);
        QCOMPARE(count(r, PartKind::Server, true), 0);
        QCOMPARE(r.missingRates, std::vector<std::string>{"nvlink-switch-tray"});
        QVERIFY(!row(r, PartKind::NvlinkSwitchTray, true)->expected(720));
        ReliabilityRequest known;
        known.rates[PartKind::NvlinkSwitchTray] = {{}, 0.01, {}, ""};
        const Reliability with = of(*test::fabricOf("superpod-gb200", {{"servers", "36"}}), known);
        QVERIFY(isClose(with.perYear, r.perYear + 18 * 0.01) && with.missingRates.empty());
    }
    // Bridges and articulation points against removing every switch and every link in turn.
    void interruptionsByBruteForce_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("edit"); // the first of its kind is removed; loop: a cable from every switch to itself is added
        QTest::addColumn<bool>("isTolerant");
        const std::pair<const char*, const char*> designs[] = {{"rail-optimized", "servers=16 su_servers=4"},
                                                               {"rail-only", "servers=16 su_servers=4"},
                                                               {"rail-optimized", "servers=8 nic_ports=2 planes=2"},
                                                               {"rail-optimized", "servers=6 su_servers=2 rails=1 spines=1"}};
        for (const auto& [recipe, settings] : designs)
            for (const char* edit : {"", "spine", "leaf", "cable", "loop"})
                for (const bool isTolerant : {false, true})
                    QTest::addRow("%s %s %s %d", recipe, settings, edit, isTolerant)
                        << QString::fromLatin1(recipe) << QString::fromLatin1(settings) << QString::fromLatin1(edit) << isTolerant;
    }
    void interruptionsByBruteForce() {
        QFETCH(QString, recipe);
        QFETCH(QString, settings);
        QFETCH(QString, edit);
        QFETCH(bool, isTolerant);
        test::Parameters parameters;
        for (const QString& each : settings.split(QLatin1Char(' ')))
            parameters[each.section(QLatin1Char('='), 0, 0).toStdString()] = each.section(QLatin1Char('='), 1).toStdString();
        FabricPointer fabric = test::fabricOf(recipe.toStdString(), parameters);
        if (edit == QStringLiteral("loop")) {
            auto looped = std::make_shared<Fabric>(*fabric);
            for (const DeviceId d : fabric->devices.ids())
                if (fabric->devices.routes(d)) looped->links.append(d, PortId(101), d, PortId(102), LinkTier::LeafSpine, 0);
            fabric = looped;
        } else if (!edit.isEmpty()) {
            std::vector<bool> devices(fabric->devices.size()), links(fabric->links.size());
            if (edit == QStringLiteral("cable"))
                links[static_cast<std::size_t>(std::find(fabric->links.tier.begin(), fabric->links.tier.end(), LinkTier::HostLeaf) -
                                               fabric->links.tier.begin())] = true;
            else
                for (const DeviceId d : fabric->devices.ids())
                    if (fabric->devices.routes(d) && toText(fabric->devices.tier[d]) == edit.toStdString()) {
                        devices[d] = true;
                        break;
                    }
            fabric = test::asDrawn(*without(fabric, devices, links));
        }
        ReliabilityRequest request;
        request.policy = isTolerant ? FailurePolicy::Tolerant : FailurePolicy::Strict;
        const JobParts parts = partsOf(*fabric, request);
        std::map<std::uint32_t, std::set<std::uint32_t>> of;
        for (const DeviceId d : fabric->devices.ids())
            if (fabric->devices.isNic(d)) of[isTolerant ? std::uint32_t{fabric->devices.hbDomain[d]} : std::uint32_t{d}].insert(d);
        std::vector<std::set<std::uint32_t>> terminals;
        for (auto& [key, nics] : of) terminals.push_back(nics);
        const auto cables = [&](const std::set<std::uint32_t>& nics, std::uint32_t device, std::uint32_t link) {
            std::int64_t left = 0;
            for (const LinkId l : fabric->links.ids())
                left += fabric->isNetworkLink(l) && nics.contains(fabric->links.a[l]) && l != link && fabric->links.b[l] != device;
            return left;
        };
        // A failure interrupts if terminals that were together are not any more, or if one loses its last cable.
        const auto interrupts = [&](std::uint32_t device, std::uint32_t link) {
            for (const auto& terminal : terminals)
                if (cables(terminal, none, none) > 0 && cables(terminal, device, link) == 0) return true;
            return groupsOf(*fabric, terminals, device, link) != groupsOf(*fabric, terminals, none, none);
        };
        for (const DeviceId d : fabric->devices.ids())
            if (fabric->devices.routes(d) && parts.devices[d] != PartUse::None)
                QVERIFY2((parts.devices[d] == PartUse::Interrupts) == interrupts(d, none), fabric->devicePath(d).c_str());
        for (const LinkId l : fabric->links.ids())
            if (fabric->isNetworkLink(l) && parts.links[l] != PartUse::None)
                QVERIFY2((parts.links[l] == PartUse::Interrupts) == interrupts(none, l), fabric->devicePath(fabric->links.a[l]).c_str());
    }
    // A job in one SU leaves the spines of the others alone; all of its own parts are counted.
    void countsWhatTheJobUses() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "128"}});
        ReliabilityRequest request;
        request.jobGpus = 64;
        const Reliability small = of(*fabric, request);
        QCOMPARE(small.jobGpus, 64);
        QCOMPARE(count(small, PartKind::Server, true), 8);
        QCOMPARE(count(small, PartKind::Leaf, true), 8);
        QCOMPARE(count(small, PartKind::HostLink, true), 64);
        QCOMPARE(count(small, PartKind::Spine, false), 16); // rails meet there
        QCOMPARE(count(small, PartKind::Link, false), 8 * 32);
        const FabricPointer pods = test::fabricOf("superpod-h100", {{"servers", "4096"}});
        request.jobGpus = 256;
        QCOMPARE(count(of(*pods, request), PartKind::Superspine, false), 0);
        request.placement = Placement::Spread;
        QVERIFY(count(of(*pods, request), PartKind::Superspine, false) > 0);
        const FabricPointer railOnly = test::fabricOf("rail-only", {{"servers", "128"}});
        request = {};
        request.jobGpus = 64; // a rail of one leaf needs no spine
        QCOMPARE(count(of(*railOnly, request), PartKind::Spine, false) + count(of(*railOnly, request), PartKind::Spine, true), 0);
    }
    // Standbys are taken out of the job; a job that is stated keeps its size.
    void standbysLeaveTheJob() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request;
        request.standbys = 4;
        const auto rest = jobPlaceOf(*fabric, request);
        QVERIFY(rest && rest->gpus.size() == 60 * 8 && rest->standbys.size() == 4);
        request.jobGpus = 60 * 8;
        QVERIFY(jobPlaceOf(*fabric, request));
        request.jobGpus = 61 * 8;
        const auto refused = jobPlaceOf(*fabric, request);
        QVERIFY(!refused && refused.error().field == "standbys" && refused.error().nearest == std::vector<std::string>{"3"});
        // Of racks one tray of each in turn, because a tray replaces another one of its own rack.
        const FabricPointer racks = test::fabricOf("superpod-gb200", {{"servers", "72"}});
        request = {};
        request.standbys = 4;
        const auto trays = jobPlaceOf(*racks, request);
        QVERIFY(trays && trays->gpus.size() == 68 * 4);
        std::set<ScopeId> domains;
        for (const ServerId tray : trays->standbys) domains.insert(racks->scopes[racks->servers[tray]].parent);
        QCOMPARE(domains.size(), std::size_t{4});
        request = {};
        request.standbys = 64;
        QVERIFY(!jobPlaceOf(*fabric, request));
        request = {};
        request.jobGpus = 100'000;
        QCOMPARE(jobPlaceOf(*fabric, request).error().field, std::string("job_gpus"));
    }
    // After a leaf has failed its GPUs still belong to the job, and of a NIC with two ports the other one has become the only path.
    void failuresDoNotImprove() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const double before = *usualReliability(*fabric).meanTimeHours;
        for (const char* selector : {"su[1]/leaf[1]", "su[1]/srv[3]", "tier=spine", "su[1]/srv[3]/gpu[2]"}) {
            const auto gone = select(*fabric, selector);
            QVERIFY(gone);
            QVERIFY2(*usualReliability(*without(fabric, gone->devices, gone->links)).meanTimeHours <= before * (1 + 1e-12), selector);
        }
        const FabricPointer dual = test::fabricOf("rail-optimized", {{"servers", "32"}, {"nic_ports", "2"}, {"planes", "2"}});
        const auto leaf = select(*dual, "su[1]/leaf[1]");
        const Reliability after = usualReliability(*without(dual, leaf->devices, leaf->links));
        QVERIFY(count(after, PartKind::HostLink, true) > 0 && count(after, PartKind::Leaf, true) > 0);
        QVERIFY(*after.meanTimeHours < *usualReliability(*dual).meanTimeHours);
    }
    // New paths that come after the library has given up are of no use.
    void slowRecoveryInterrupts() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest slow;
        slow.recovery = Seconds(700);
        QCOMPARE(count(of(*fabric, slow), PartKind::Spine, true), count(of(*fabric), PartKind::Spine, false));
        slow.libraryTimeout = Seconds(800);
        QCOMPARE(count(of(*fabric, slow), PartKind::Spine, true), 0);
    }
    void ratesOfPartsAndFactors() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request;
        request.partRates.push_back({{PartKind::Gpu, "h100-sxm5-80"}, {{}, 0.2, {}, ""}});
        request.partRates.push_back({{PartKind::Gpu, "a100-sxm4-80"}, {{}, 9, {}, ""}});
        QCOMPARE(*row(of(*fabric, request), PartKind::Gpu, true)->rate.base, 0.2);
        request = {};
        request.earlyLife = 2;
        QVERIFY(isClose(of(*fabric, request).perYear, 2 * of(*fabric).perYear));
        request = {};
        request.isSoftware = true;
        QVERIFY(isClose(of(*fabric, request).perYear, of(*fabric).perYear + 64 * 0.2081));
    }
    void opticsAreInNoSum() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const Cabling cabling = cablingOf(*fabric);
        const Reliability r = reliabilityOf(*fabric, partsOf(*fabric), {}, &cabling);
        std::int64_t modules = 0;
        for (const ModuleCount& each : modulesOf(*fabric, cabling)) modules += each.count;
        QCOMPARE(count(r, PartKind::Optic, false), modules);
        QCOMPARE(r.perYear, of(*fabric).perYear);
    }
    // Optics are of the intact design too. Rates of 0 are known: nothing interrupts.
    void failuresAndZeroRates() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        const Cabling cabling = cablingOf(*fabric);
        const auto gone = select(*fabric, "su[1]/leaf[1]");
        const FabricPointer degraded = without(fabric, gone->devices, gone->links);
        QCOMPARE(count(reliabilityOf(*degraded, partsOf(*degraded), {}, &cabling), PartKind::Optic, false),
                 count(reliabilityOf(*fabric, partsOf(*fabric), {}, &cabling), PartKind::Optic, false));
        ReliabilityRequest none;
        for (const std::string_view kind : partKindNames) none.rates[*partKindFrom(kind)] = {{}, 0, {}, ""};
        const Reliability never = of(*fabric, none);
        QVERIFY(never.probability && *never.probability == 0 && !never.meanTimeHours && !never.checkpoint);
    }
    void longerHorizonsAreWorse() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "4"}});
        ReliabilityRequest day;
        day.horizon = Seconds(86400);
        QVERIFY(*of(*fabric, day).probability < *of(*fabric).probability);
    }
    // A drawing whose only cables lead from a switch to itself; it once ended the program.
    void cablesToItselfAlone() {
        const FabricPointer one = test::fabricOf("rail-optimized", {{"servers", "4"}});
        std::vector<bool> devices(one->devices.size()), links(one->links.size(), true);
        Fabric fabric(*test::asDrawn(*without(one, devices, links)));
        for (const DeviceId d : fabric.devices.ids())
            if (fabric.devices.routes(d)) fabric.links.append(d, PortId(1), d, PortId(1), LinkTier::LeafSpine, 0);
        const JobParts parts = partsOf(fabric, {});
        QVERIFY(std::none_of(parts.links.begin(), parts.links.end(), [](PartUse use) { return use == PartUse::Interrupts; }));
    }
    void nothingToFail() {
        const FabricPointer empty = elaborate(std::make_shared<const Design>(
            Design{.name = "empty", .recipe = {}, .blocks = {}, .overrides = {}, .floor = {}, .catalog = shippedCatalog(), .unknown = {}}));
        const Reliability r = usualReliability(*empty);
        QVERIFY(!r.probability && !r.meanTimeHours && !r.checkpoint);
    }
};

QTEST_GUILESS_MAIN(tst_reliability)
#include "tst_reliability.moc"
