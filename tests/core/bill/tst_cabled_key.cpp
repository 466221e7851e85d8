#include "core/bill/cabled_key.h"

#include "core/bill/cable_counts.h"
#include "core/fabric/without.h"
#include "core/sweep/evaluation.h"
#include "tests/support/designs.h"

#include <functional>
#include <map>

using namespace railyard;

namespace {

struct Call {
    std::string recipe;
    test::Parameters parameters;
};

std::string nameOf(const Call& call) {
    std::string name = call.recipe;
    for (const auto& [key, value] : call.parameters) name += " " + key + "=" + value;
    return name;
}

// What follows from the cables: all that is counted and paid, but for the HB domains.
std::string billOfCables(const Fabric& fabric) {
    auto all = *evaluate(fabric, *readEvaluations({"counts", "cost", "power", "networks"}));
    all.erase("counts.hb_domains");
    return all.dump();
}

// Every call with HB domains of several sizes.
std::vector<Call> callsWithDomains() {
    std::vector<Call> calls;
    for (const Call& call : std::vector<Call>{{"rail-optimized", {{"gpus", "512"}}},
                                              {"rail-optimized", {{"servers", "37"}, {"su_servers", "8"}}},
                                              {"rail-optimized", {{"gpus", "1024"}, {"nic_gbps", "200"}, {"oversubscription", "3:1"}}},
                                              {"rail-optimized", {{"gpus", "512"}, {"trunk", "per-cage"}}},
                                              {"rail-only", {{"gpus", "512"}, {"nic_gbps", "800"}, {"radix", "64"}}},
                                              {"rail-only", {{"gpus", "512"}, {"nic_ports", "2"}, {"planes", "2"}}},
                                              {"rail-optimized", {{"gpus", "576"}, {"server", "srv-gb200-tray"}}},
                                              {"rail-optimized", {{"gpus", "512"}, {"server", "srv-dgx-b200"}}},
                                              {"rail-optimized", {{"gpus", "512"}, {"racks", "auto"}}},
                                              {"rail-optimized", {{"gpus", "512"}, {"storage", "on"}}}})
        for (const char* domain : {"8", "16", "32", "36", "64", "72"}) {
            calls.push_back(call);
            calls.back().parameters["hb_domain_gpus"] = domain;
        }
    return calls;
}

} // namespace

class tst_cabled_key : public QObject {
    Q_OBJECT

private slots:
    void designsWithTheSameKeyHaveTheSameBill() {
        struct Known {
            std::string name, bill;
            std::int64_t domains = 0;
        };
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<Known>> byKey;
        for (const Call& call : callsWithDomains()) {
            const auto design = build({call.recipe, call.parameters}, "test", shippedCatalog());
            if (!design) continue; // HB domains that do not go into the fabric
            for (const auto links : {InsideLinks::Listed, InsideLinks::Omitted}) {
                const FabricPointer fabric = elaborate(std::make_shared<const Design>(*design), links);
                if (const auto key = cabledKeyOf(*fabric))
                    byKey[{key->high, key->low}].push_back({nameOf(call), billOfCables(*fabric), countsOf(*fabric).hbDomains});
            }
        }
        std::size_t shared = 0;
        for (const auto& [key, designs] : byKey)
            for (const Known& each : designs) {
                QVERIFY2(each.bill == designs[0].bill, (each.name + " and " + designs[0].name).c_str());
                shared += each.domains != designs[0].domains ? 1 : 0;
            }
        QVERIFY2(shared >= 2 * 3 * 6, std::to_string(shared).c_str()); // of both elaborations, for most sizes of HB domains
    }
    void whatTheBillGoesByIsInTheKey() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "37"}, {"nic_gbps", "200"}, {"oversubscription", "3:1"}});
        const Fingerprint key = *cabledKeyOf(*fabric);
        const LinkId link(fabric->links.size() - 1); // of the network, as those inside servers come before
        QVERIFY(fabric->isNetworkLink(link));
        const auto firstOf = [&](const auto& isOne) {
            for (const DeviceId d : fabric->devices.ids())
                if (isOne(d)) return d;
            return DeviceId(none);
        };
        const DeviceId nic = firstOf([&](DeviceId d) { return fabric->devices.isNic(d); }),
                       leaf = firstOf([&](DeviceId d) { return fabric->devices.tier[d] == SwitchTier::Leaf; }),
                       gpu = firstOf([&](DeviceId d) { return fabric->devices.isGpu(d); });
        const auto lastPart = static_cast<std::uint16_t>(fabric->parts.size() - 1);
        const std::map<std::string, std::function<void(Fabric&)>> changes{
            {"lower end", [&](Fabric& f) { f.links.a[link] = nic; }},
            {"upper end", [&](Fabric& f) { f.links.b[link] = leaf; }},
            {"lower port", [&](Fabric& f) { f.links.aPort[link] = PortId(f.links.aPort[link] + 1); }},
            {"upper port", [&](Fabric& f) { f.links.bPort[link] = PortId(f.links.bPort[link] + 1); }},
            {"tier", [&](Fabric& f) { f.links.tier[link] = LinkTier::SuperspineCore; }},
            {"speed",
             [&](Fabric& f) { f.speeds.push_back(Bandwidth(1e9)), f.links.speed[link] = static_cast<std::uint8_t>(f.speeds.size() - 1); }},
            {"all speeds", [&](Fabric& f) { f.speeds[f.links.speed[link]] = Bandwidth(1e9); }},
            {"a link less", [&](Fabric& f) { f.links.resizeUnset(f.links.size() - 1); }},
            {"part of a leaf", [&](Fabric& f) { f.devices.part[leaf] = f.devices.part[leaf] == lastPart ? std::uint16_t{0} : lastPart; }},
            {"part of a NIC", [&](Fabric& f) { f.devices.part[nic] = f.devices.part[nic] == lastPart ? std::uint16_t{0} : lastPart; }},
            {"IDs of parts", [&](Fabric& f) { f.partIds[f.devices.part[leaf]] += "-other"; }},
            {"tier of a switch", [&](Fabric& f) { f.devices.tier[leaf] = SwitchTier::Core; }},
            {"kind", [&](Fabric& f) { f.devices.kind[leaf] = DeviceKind::Manager; }},
            {"number of a NIC", [&](Fabric& f) { f.devices.index[nic] += 8; }},
            {"ports", [&](Fabric& f) { f.devices.ports[leaf] = 0; }},
            {"layout", [&](Fabric& f) { ++f.portLayouts[f.devices.ports[leaf]][0].count; }},
            {"lanes", [&](Fabric& f) { ++f.portLayouts[f.devices.ports[leaf]][0].lanes; }},
            {"server", [&](Fabric& f) { f.devices.server[nic] = none; }},
            {"part of a server", [&](Fabric& f) { f.serverParts[f.devices.server[nic]] = 0; }},
            {"a server that only has GPUs", [&](Fabric& f) { f.devices.server[gpu] = ServerId(f.servers.size() - 1); }},
            {"trunks", [&](Fabric& f) {
                 auto design = std::make_shared<Design>(*f.design);
                 design->trunk = Trunk::PerCage;
                 f.design = design;
             }}};
        for (const auto& [what, change] : changes) {
            Fabric other = *fabric;
            change(other);
            QVERIFY2(cabledKeyOf(other) && *cabledKeyOf(other) != key, what.c_str());
        }
        Fabric other = *fabric; // what the bill does not go by
        for (DomainId& domain : other.devices.hbDomain) domain = DomainId(0);
        for (std::uint32_t& su : other.devices.su) su = 7;
        QVERIFY(*cabledKeyOf(other) == key);
    }
    void noKeyWhereMoreCounts() {
        const auto keyOf = [](const test::Parameters& parameters) { return cabledKeyOf(*test::fabricOf("rail-optimized", parameters)); };
        QVERIFY(keyOf({{"servers", "16"}}));
        QVERIFY(!keyOf({{"servers", "16"}, {"racks", "auto"}}));
        QVERIFY(!keyOf({{"servers", "16"}, {"storage", "on"}}));
        QVERIFY(!keyOf({{"gpus", "144"}, {"server", "srv-gb200-tray"}}));
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}});
        QVERIFY(!cabledKeyOf(*without(fabric, std::vector<bool>(fabric->devices.size()), std::vector<bool>(fabric->links.size()))));
        Design switched = *fabric->design;
        switched.ocs = NamedOptions{{{"tier", "leaf-spine"}}, {}};
        QVERIFY(!cabledKeyOf(*elaborate(std::make_shared<const Design>(switched))));
    }
    // Against one link after the other.
    void cablesAreCounted() {
        for (const Call& call : std::vector<Call>{{"rail-optimized", {{"servers", "37"}, {"nic_gbps", "200"}, {"oversubscription", "3:1"}}},
                                                  {"rail-optimized", {{"gpus", "512"}, {"trunk", "per-cage"}}},
                                                  {"rail-only", {{"gpus", "512"}, {"nic_ports", "2"}, {"planes", "2"}}},
                                                  {"superpod-h100", {{"racks", "auto"}}},
                                                  {"aipod", {{"servers", "70"}}}}) {
            const FabricPointer fabric = test::fabricOf(call.recipe, call.parameters);
            const Cabling cabling = cablingOf(*fabric);
            using Counted = std::map<std::pair<std::uint32_t, LinkTier>, std::array<std::int64_t, 3>>;
            Counted expected, found;
            for (const CabledLinkId l : cabling.links.ids()) {
                auto& own = expected[{cabling.choice[l], fabric->links.tier[cabling.links[l]]}];
                ++own[0];
                own[1] += cabling.cable[l] == l ? 1 : 0;
                own[2] += cabling.patch[l] == l ? 1 : 0;
            }
            for (const CableCount& each : cableCountsOf(*fabric, cabling)) {
                auto& own = found[{each.choice, each.tier}];
                own[0] += each.links;
                own[1] += each.cables;
                own[2] += each.patchCables;
            }
            QVERIFY2(found == expected, nameOf(call).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(tst_cabled_key)
#include "tst_cabled_key.moc"
