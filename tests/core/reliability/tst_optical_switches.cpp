// Optical circuit switches: how many, what they add to bill, findings and failures, and what a fabric can be tiled into.
#include "core/analysis/edit_text.h"
#include "core/analysis/maps/decision.h"
#include "core/analysis/metrics/metrics.h"
#include "core/analysis/retiling.h"
#include "core/analysis/rules/design_rules.h"
#include "core/fabric/optical_switches.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/io/document/design_json.h"
#include "core/io/document/design_text.h"
#include "core/reliability/joint_loss.h"
#include "core/reliability/monte_carlo.h"
#include "core/reliability/optical_losses.h"
#include "core/reliability/single_failures.h"
#include "tests/support/designs.h"

#include <algorithm>
#include <set>

using namespace railyard;

class tst_optical_switches : public QObject {
    Q_OBJECT

    static DesignPointer with(const DesignPointer& design, const char* at) {
        const auto edit = applyEdit(design, std::string("set ocs.tier=") + at);
        if (!edit) qFatal("%s", edit.error().text.c_str());
        return edit->design;
    }
    static FabricPointer fabricWith(const char* at, test::Parameters parameters = {}, const std::string& recipe = "superpod-h100") {
        parameters.emplace("servers", "64");
        return elaborate(with(test::designOf(recipe, parameters), at));
    }
    static JobParts partsOf(const Fabric& fabric, const ReliabilityRequest& request = {}) {
        return jobPartsOf(fabric, *jobPlaceOf(fabric, request), request.policy);
    }
    static std::set<std::string> codesOf(const Fabric& fabric) {
        const Cabling cabling = cablingOf(fabric);
        std::set<std::string> codes;
        for (const Diagnostic& d : checkDesign(fabric, cabling, billOf(fabric, cabling))) codes.insert(d.code);
        return codes;
    }

private slots:
    // After failures they keep their numbers and their links, and what has become the only path counts in every answer.
    void failedOnesStayFailed() {
        const auto edit = applyEdit(test::designOf("superpod-h100", {{"servers", "256"}}), "set ocs.tier=leaf-spine");
        QVERIFY2(edit, edit ? "" : edit.error().text.c_str());
        const FabricPointer intact = elaborate(edit->design);
        const OpticalSwitches all = opticalSwitchesOf(*intact);
        QVERIFY(all.links.size() > 2);
        const auto removal = removalOf(*intact, {{"ocs=1"}});
        QVERIFY(removal);
        const FabricPointer left = without(intact, removal->devices, removal->links);
        const OpticalSwitches now = opticalSwitchesOf(*left);
        QCOMPARE(now.links.size(), all.links.size());
        QVERIFY(now.links[0].empty());
        for (std::size_t s = 1; s < all.links.size(); ++s) {
            QCOMPARE(now.links[s].size(), all.links[s].size());
            for (std::size_t i = 0; i < all.links[s].size(); ++i)
                QVERIFY(left->intactDevice[left->links.a[now.links[s][i]]] == intact->links.a[all.links[s][i]] &&
                        left->links.aPort[now.links[s][i]] == intact->links.aPort[all.links[s][i]]);
        }
        const auto place = jobPlaceOf(*left, {});
        bool interruptsAlone = false, interruptsInTable = false;
        for (const SingleFailure& each : singleFailures(left, remainingPartsOf(*left, *place, FailurePolicy::Strict), {})) {
            QVERIFY(each.path != "ocs=1");
            interruptsAlone = interruptsAlone || (each.kind == PartKind::Ocs && each.interruptsJob);
        }
        for (const FailureComponent& row : reliabilityOf(*left, jobPartsOf(*left, *place, FailurePolicy::Strict), {}).components)
            interruptsInTable = interruptsInTable || (row.kind == PartKind::Ocs && row.interruptsJob);
        QCOMPARE(interruptsInTable, interruptsAlone);
    }
    void asFewAsHoldTheLinksOfARail_data() {
        QTest::addColumn<QString>("at");
        QTest::addColumn<int>("servers");
        for (const char* at : {"host-leaf", "leaf-spine"})
            for (const int servers : {1, 40, 64, 136, 137, 300}) QTest::addRow("%s %d", at, servers) << QString::fromLatin1(at) << servers;
    }
    void asFewAsHoldTheLinksOfARail() {
        QFETCH(QString, at);
        QFETCH(int, servers);
        const FabricPointer fabric = fabricWith(qPrintable(at), {{"servers", std::to_string(servers)}});
        const OpticalSwitches switches = opticalSwitchesOf(*fabric);
        std::map<std::uint32_t, std::int64_t> ofRail;
        std::int64_t links = 0;
        for (const LinkId l : fabric->links.ids())
            if (toText(fabric->links.tier[l]) == at.toStdString()) ++ofRail[fabric->devices.rail[fabric->links.a[l]]], ++links;
        std::int64_t expected = 0;
        for (const auto& [rail, count] : ofRail) expected += (count + 135) / 136;
        QCOMPARE(static_cast<std::int64_t>(switches.links.size()), expected);
        QCOMPARE(switches.freePorts(), expected * 136 - links);
        std::set<LinkId> seen;
        for (const auto& own : switches.links) {
            QVERIFY(own.size() <= 136);
            std::set<std::uint32_t> rails;
            for (const LinkId l : own) {
                QVERIFY(seen.insert(l).second);
                rails.insert(fabric->devices.rail[fabric->links.a[l]]);
            }
            QCOMPARE(rails.size(), std::size_t{1});
        }
        QCOMPARE(static_cast<std::int64_t>(seen.size()), links);
    }
    void theBillHasThem() {
        const DesignPointer design = test::designOf("superpod-h100", {{"servers", "64"}});
        const InstantMetrics before = instantMetrics(*elaborate(design)), after = instantMetrics(*elaborate(with(design, "host-leaf")));
        QCOMPARE(after.bill.unpricedLines, before.bill.unpricedLines + 2);
        QCOMPARE(after.bill.network.inCents(), before.bill.network.inCents());
        QVERIFY(std::abs((*after.bill.networkPower - *before.bill.networkPower).value() - 8 * 108) < 1e-6);
        std::int64_t switches = 0, fibres = 0;
        for (const BillLine& line : after.bill.lines) {
            if (line.part && line.part->id == "ocs-apollo-136") switches += line.quantity;
            if (line.description.find("optical circuit switch") != std::string::npos && !line.part) fibres += line.quantity;
        }
        QCOMPARE(switches, std::int64_t{8});
        QCOMPARE(fibres, std::int64_t{512});
    }
    void mirrorsPassOnePairOfSingleModeFibres() {
        QVERIFY(!codesOf(*test::fabricOf("superpod-h100", {{"servers", "64"}})).contains("RY-O010"));
        QVERIFY(codesOf(*fabricWith("host-leaf")).contains("RY-O010"));        // multimode modules
        QVERIFY(codesOf(*fabricWith("spine-superspine")).contains("RY-O009")); // two tiers only
        const auto unknown = applyEdit(with(test::designOf("superpod-h100"), "host-leaf"), "set ocs.part=sw-qm9700");
        QVERIFY(unknown);
        QVERIFY(codesOf(*elaborate(unknown->design)).contains("RY-O009"));
        QVERIFY(!opticalSwitchesOf(*elaborate(unknown->design)).isAny());
    }
    void documentsKeepThem() {
        const DesignPointer design = with(test::designOf("superpod-h100"), "leaf-spine");
        const std::string text = designText(*design);
        QVERIFY(text.find("ocs-apollo-136") != std::string::npos);
        const auto again = readDesign(text, "again.railyard");
        QVERIFY(again && (*again)->ocs == design->ocs && designText(**again) == text);
        for (const char* wrong : {"set ocs.tier=everywhere", "set ocs.colour=red"}) QVERIFY2(!applyEdit(design, wrong), wrong);
        const auto removed = applyEdit(design, "set ocs=none");
        QVERIFY(removed && !removed->design->ocs);
    }
    void theyFailByNumber() {
        const FabricPointer fabric = fabricWith("host-leaf");
        const auto removal = removalOf(*fabric, {{"ocs=3"}});
        QVERIFY(removal);
        QCOMPARE(std::count(removal->links.begin(), removal->links.end(), true), 64);
        for (const LinkId l : fabric->links.ids())
            if (removal->links[l]) QCOMPARE(fabric->devices.rail[fabric->links.a[l]], 3U);
        for (const char* wrong : {"ocs=0", "ocs=9", "ocs=x"}) {
            const auto none = removalOf(*fabric, {{wrong}});
            QVERIFY2(!none && none.error().text.find("1 to 8") != std::string::npos, wrong);
        }
        QVERIFY(!removalOf(*test::fabricOf("superpod-h100"), {{"ocs=1"}}));
    }
    // No rate is published, so the total says that it is missing; with one, table and simulation agree.
    void reliability() {
        for (const auto& [at, interrupts] : {std::pair("host-leaf", true), {"leaf-spine", false}}) {
            // 10 leaves of a rail share three switches; two leaves would share one, which would take all of their uplinks.
            const FabricPointer fabric = fabricWith(at, {{"servers", "300"}});
            const Reliability usual = usualReliability(*fabric);
            const auto row = std::find_if(usual.components.begin(), usual.components.end(),
                                          [](const FailureComponent& each) { return each.kind == PartKind::Ocs; });
            QVERIFY(row != usual.components.end());
            QCOMPARE(row->interruptsJob, interrupts);
            QCOMPARE(static_cast<std::size_t>(row->count), opticalSwitchesOf(*fabric).links.size());
            QCOMPARE(std::count(usual.missingRates.begin(), usual.missingRates.end(), "ocs"), interrupts ? 1 : 0);
            ReliabilityRequest request;
            for (const std::string_view name : partKindNames) request.rates[*partKindFrom(name)] = {{}, 0, {}, ""};
            request.rates[PartKind::Ocs] = {{}, 0.5, {}, ""};
            const Reliability known = reliabilityOf(*fabric, partsOf(*fabric, request), request);
            const MonteCarlo m = simulate(operationOf(*fabric, *jobPlaceOf(*fabric, request), request), request, Seconds(3600), {4000, 1});
            QVERIFY(m.interruptProbability.low <= *known.probability && *known.probability <= m.interruptProbability.high);
            QVERIFY((*known.probability > 0) == interrupts);
        }
    }
    // What fails does not make the job safer: it is still that of the intact design.
    void failuresLeaveNoPartOut() {
        for (const char* at : {"host-leaf", "leaf-spine"})
            for (const FailurePolicy policy : {FailurePolicy::Strict, FailurePolicy::Tolerant}) {
                const FabricPointer intact = fabricWith(
                    at, {{"servers", "20"}, {"su_servers", "8"}, {"racks", "auto"}, {"power_feeds", "alternating"}, {"row_racks", "4"}},
                    "rail-optimized");
                ReliabilityRequest request;
                request.policy = policy;
                request.rates[PartKind::Ocs] = request.rates[PartKind::PowerFeed] = {{}, 1, {}, ""};
                const auto interruptions = [&](const FabricPointer& fabric) {
                    return reliabilityOf(*fabric, partsOf(*fabric, request), request).perYear;
                };
                const double before = interruptions(intact);
                for (const char* failed : {"ocs=1", "rail=1", "tier=spine", "feed=A/B", "su[1]/srv[2]"}) {
                    const auto removal = removalOf(*intact, {{failed}});
                    QVERIFY2(removal, failed);
                    QVERIFY2(interruptions(without(intact, removal->devices, removal->links)) >= before * (1 - 1e-9), failed);
                }
            }
    }
    // A NIC with ports in several planes keeps one of them.
    void planesHaveTheirOwn() {
        for (const char* at : {"host-leaf", "leaf-spine"}) {
            const FabricPointer fabric = fabricWith(
                at, {{"servers", "20"}, {"nic_ports", "2"}, {"planes", "2"}, {"radix", "16"}, {"spine_radix", "16"}, {"su_servers", "8"}},
                "rail-optimized");
            const JobParts parts = partsOf(*fabric);
            const OpticalLosses losses(*fabric, parts, FailurePolicy::Strict);
            QCOMPARE(losses.switches().links.size(), std::size_t{16}); // 8 rails, 2 planes
            for (std::size_t s = 0; s < losses.switches().links.size(); ++s) {
                std::set<std::uint32_t> planes;
                for (const LinkId l : losses.switches().links[s]) planes.insert(fabric->devices.plane[fabric->links.b[l]]);
                QCOMPARE(planes.size(), std::size_t{1});
                QVERIFY(!losses.of(s).interruptsJob());
            }
        }
    }
    void shortcutsAreExact() {
        for (const char* at : {"host-leaf", "leaf-spine"})
            for (const char* recipe : {"superpod-h100", "rail-only", "fat-tree"})
                for (const FailurePolicy policy : {FailurePolicy::Strict, FailurePolicy::Tolerant}) {
                    const FabricPointer fabric = fabricWith(at, {{"servers", "24"}}, recipe);
                    const JobParts parts = partsOf(*fabric);
                    const OpticalLosses losses(*fabric, parts, policy);
                    for (std::size_t s = 0; s < losses.switches().links.size(); ++s) {
                        const JointLoss quick = losses.of(s), exact = lossOf({{}, losses.switches().links[s]}, *fabric, parts, policy);
                        QVERIFY(quick.gpus == exact.gpus && quick.dividesJob == exact.dividesJob);
                    }
                }
    }
    void singleFailuresNameThem() {
        const FabricPointer hosts = fabricWith("host-leaf");
        std::int64_t count = 0;
        for (const SingleFailure& each : singleFailures(hosts, partsOf(*hosts), {}))
            if (each.kind == PartKind::Ocs) {
                count += each.count;
                QCOMPARE(each.gpusDegraded, 64);
                QCOMPARE(each.gpusLost, 0);
                QVERIFY(each.interruptsJob && each.path == "ocs=1");
            }
        QCOMPARE(count, 8);
    }
    void retiling() {
        const DesignPointer design = with(test::designOf("superpod-h100", {{"servers", "1024"}}), "leaf-spine");
        const auto found = retilingOf(*design);
        QVERIFY(found);
        Design plain = *design;
        plain.ocs.reset();
        const auto metrics = [](Design of) { return instantMetrics(*elaborate(std::make_shared<const Design>(std::move(of)))); };
        const InstantMetrics own = metrics(plain), twin = metrics(*twinOf(plain));
        QCOMPARE(found->railOptimized->switches, own.counts.switches);
        QCOMPARE(found->railOptimized->bill.network.inCents(), own.bill.network.inCents());
        QCOMPARE(found->railOnly->switches, twin.counts.switches);
        QVERIFY(found->railOnly->switches < found->railOptimized->switches);
        QVERIFY(!found->price && found->switching && found->opticalSwitches > 0);
        QCOMPARE(found->breakEven()->inCents(), (own.bill.network - twin.bill.network).inCents() / found->opticalSwitches);
        QVERIFY(!retilingOf(plain));
        // A preset of the other family, under its own name.
        const DesignPointer preset = with(test::designOf("rail-only-gh200"), "leaf-spine");
        const auto other = retilingOf(*preset);
        if (opticalSwitchesOf(*elaborate(preset)).isAny()) {
            Design without = *preset;
            without.ocs.reset();
            QVERIFY(other && other->railOnly && other->railOnly->switches == metrics(without).counts.switches);
        } else {
            QVERIFY(!other);
        }
        // Prices that leave out other kinds of parts cannot be compared; a drawing has no twin.
        Retiling priced = *found;
        priced.railOnly->bill.lines.push_back(
            {BillCategory::Switch, "Leaf", nullptr, "unpriced", 1, "each", {}, {}, {}, {}, {}, {}, {}, {}});
        ++priced.railOnly->bill.unpricedLines;
        QVERIFY(!priced.breakEven());
        Design drawn = *design;
        drawn.recipe.reset();
        const auto alone = retilingOf(drawn);
        QVERIFY(alone && alone->opticalSwitches == found->opticalSwitches && !alone->railOnly && !alone->breakEven() &&
                !alone->powerSaved());
    }
};

QTEST_APPLESS_MAIN(tst_optical_switches)
#include "tst_optical_switches.moc"
