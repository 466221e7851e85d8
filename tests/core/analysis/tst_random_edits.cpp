// Random edits of random designs: whatever people draw, every analysis answers, and answers that can be checked hold.
// RAILYARD_RANDOM_DESIGNS=N and RAILYARD_RANDOM_FIRST=S run N designs from seed S on.
#include "core/analysis/edit_text.h"
#include "core/analysis/figures/explain.h"
#include "core/analysis/rules/design_rules.h"
#include "core/collective/steps.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/io/document/design_json.h"
#include "core/routing/patterns.h"
#include "tests/support/brute_force.h"
#include "tests/support/designs.h"

#include <cmath>
#include <fmt/format.h>

using namespace railyard;

namespace {

using test::Random;

std::string oneOf(Random& random, const std::vector<std::string>& values) {
    return values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))];
}

RecipeCall anyCall(Random& random) {
    RecipeCall call{oneOf(random, {"rail-optimized", "rail-only", "fat-tree"}), {}};
    auto& set = call.parameters;
    set["servers"] = std::to_string(1 + random.below(12));
    set["gpus_per_server"] = oneOf(random, {"1", "2", "4"});
    set["nics_per_server"] = oneOf(random, {"1", "2", "4"});
    set["radix"] = oneOf(random, {"4", "6", "8", "16"});
    const auto maybe = [&](const std::string& key, const std::vector<std::string>& values) {
        if (random.below(3) == 0) set[key] = oneOf(random, values);
    };
    maybe("hb_domain_gpus", {"2", "4", "8", "16"});
    maybe("nic_ports", {"2", "4"});
    maybe("planes", {"2", "4"});
    maybe("tiers", {"2", "3", "4"});
    maybe("oversubscription", {"2:1", "3:1"});
    maybe("spine_rule", {"exact"});
    maybe("uplinks", {"used"});
    maybe("rail_scope", {"per-rail"});
    maybe("rails", {"1", "2"});
    maybe("manager_ports", {"1", "2"});
    return call;
}

// Any device, server or SU.
std::string anyPath(Random& random, const Fabric& fabric) {
    if (random.below(5) == 0 && fabric.scopes.size() > 1)
        return fabric.scopePath(ScopeId(1 + random.below(static_cast<int>(fabric.scopes.size()) - 1)));
    const auto count = static_cast<int>(fabric.devices.size());
    DeviceId device(random.below(count));
    for (int tries = 0; tries < 20 && random.below(4) != 0 && fabric.devices.kind[device] != DeviceKind::Switch; ++tries)
        device = DeviceId(random.below(count));
    return fabric.devicePath(device);
}

std::string anyEdit(Random& random, const DesignPointer& design) {
    const FabricPointer fabric = elaborate(design);
    if (fabric->devices.size() == 0) return {};
    const std::string path = anyPath(random, *fabric), other = anyPath(random, *fabric);
    switch (random.below(12)) {
    case 0:
    case 1:
    case 2:
    case 3: return "connect " + path + " " + other;
    case 4: {
        if (!design->free || design->free->links.empty()) return "connect " + path + " " + other;
        const auto& links = design->free->links;
        const FreeLink& link = links[static_cast<std::size_t>(random.below(static_cast<int>(links.size())))];
        return "disconnect " + link.a + " " + link.b;
    }
    case 5:
    case 6: return "remove " + path;
    case 7: return "set " + path + ".part=" + oneOf(random, {"sw-qm9700", "sw-sn5600", "srv-dgx-b300", "gpu-h100-80"});
    case 8: return "block " + path + " " + oneOf(random, {"leaf", "srv", "gpu", "nic", "spine"}) + " " + std::to_string(random.below(5));
    case 9: return "unique " + path;
    case 10: return oneOf(random, {"dissolve ", "reset "}) + path;
    default: {
        const RecipeCall call = anyCall(random);
        const auto at = std::next(call.parameters.begin(), random.below(static_cast<int>(call.parameters.size())));
        return "set " + at->first + "=" + at->second;
    }
    }
}

DesignPointer edited(Random& random, DesignPointer design, std::string& script) {
    for (int edits = random.below(14); edits > 0; --edits) {
        if (random.below(6) == 0) {
            const auto item = static_cast<PaletteItem>(random.below(8));
            if (auto drop = dropItem(*design, item, {100.0 * edits, 0})) {
                design = drop->design;
                script += fmt::format("; drop {}", toText(item));
            }
            continue;
        }
        const std::string command = anyEdit(random, design);
        if (auto edit = applyEdit(design, command)) {
            design = edit->design;
            script += "; " + command;
        }
    }
    return design;
}

bool isWithin(double low, double value, double high) {
    const double slack = 1e-6 * std::max(1.0, high);
    return low <= value + slack && value <= high + slack;
}

// Empty where all holds.
std::string wrongWithBisection(const Fabric& fabric, const Bisection& now, BisectionKey key) {
    const std::string name(toText(key));
    if (!std::isfinite(now.upperGbps) || !isWithin(0, now.lowerGbps, now.upperGbps))
        return fmt::format("{}: {} to {}", name, now.lowerGbps, now.upperGbps);
    if (now.sideA.size() < 2 || now.sideA.size() > 8) return {};
    const double exact = test::bruteForce(fabric, key);
    if (isWithin(now.lowerGbps, exact, now.upperGbps)) return {};
    return fmt::format("{}: {} to {} by {}, exactly {}", name, now.lowerGbps, now.upperGbps, now.method, exact);
}

std::string wrongWithLoads(const Fabric& fabric, Random& random) {
    for (const Pattern pattern : {Pattern::AllToAll, Pattern::Ring, Pattern::Incast, Pattern::Permutation}) {
        const RoutingOptions options{static_cast<Routing>(random.below(3)), 1, random.below(2) == 0, 1};
        const auto loads = linkLoads(fabric, trafficOf(fabric, pattern, 1), options);
        for (std::size_t l = 0; loads && l < fabric.links.size(); ++l)
            if (!(loads->aToB[l] >= -1e-9 && loads->bToA[l] >= -1e-9 && std::isfinite(loads->aToB[l] + loads->bToA[l])))
                return fmt::format("pattern {}: load {} and {}", static_cast<int>(pattern), loads->aToB[l], loads->bToA[l]);
    }
    return {};
}

std::string wrongWithCollectives(const Fabric& fabric) {
    const auto group = Communicator::create(fabric, 0, RankOrder::Near);
    if (!group) return {};
    for (const auto op : {CollectiveOp::AllReduce, CollectiveOp::AllGather, CollectiveOp::AllToAll, CollectiveOp::Broadcast}) {
        const auto result = group->time(op, Bytes(64 << 20));
        if (!result) continue;
        if (!std::isfinite(result->best.time.value()) || result->best.time.value() < 0)
            return fmt::format("{} takes {} s", toText(op), result->best.time.value());
        if (auto steps = CollectiveSteps::create(fabric, op, Bytes(64 << 20)))
            for (std::size_t s = 0; s < std::min<std::size_t>(steps->steps().size(), 4); ++s) (void)steps->loadsOf(fabric, s);
    }
    return {};
}

std::string wrongWith(const FabricPointer& fabric, Random& random) {
    const Cabling cabling = cablingOf(*fabric);
    (void)checkDesign(*fabric, cabling, billOf(*fabric, cabling));
    const Metrics metrics = metricsOf(*fabric);
    for (const Explanation& each : explainAll(*fabric, {metrics.instant, &metrics.background}))
        if (each.value && !std::isfinite(*each.value)) return fmt::format("{} is {}", each.key, *each.value);
    for (const auto key : {BisectionKey::Server, BisectionKey::GpuNetworkOnly, BisectionKey::GpuWithHb}) {
        std::string wrong = wrongWithBisection(*fabric, metrics.background.bisection[static_cast<std::size_t>(key)], key);
        if (!wrong.empty()) return wrong;
    }
    std::string wrong = wrongWithLoads(*fabric, random);
    return wrong.empty() ? wrongWithCollectives(*fabric) : wrong;
}

// What is wrong with the design of a seed, after edits and after failures; empty where nothing is.
std::string wrongWithSeed(std::uint64_t seed) {
    Random random{seed};
    RecipeCall call = anyCall(random);
    auto built = build(call, "random", shippedCatalog());
    for (int tries = 0; !built && tries < 20; ++tries) built = build(call = anyCall(random), "random", shippedCatalog());
    std::string script = built ? call.name : "by hand";
    for (const auto& [key, value] : call.parameters) script += built ? " " + key + "=" + value : "";
    const DesignPointer start = built ? std::make_shared<const Design>(std::move(*built)) : emptyDesign(shippedCatalog());
    const DesignPointer design = edited(random, start, script);
    if (qEnvironmentVariableIsSet("RAILYARD_RANDOM_DESIGNS")) fmt::print(stderr, "{}: {}\n", seed, script);
    const FabricPointer fabric = elaborate(design);
    std::string wrong = wrongWith(fabric, random);
    if (wrong.empty() && fabric->devices.size() > 0) {
        Removal removal;
        for (int failures = 1 + random.below(3); failures > 0; --failures) {
            const auto chosen = select(*fabric, anyPath(random, *fabric));
            if (!chosen) continue;
            removal = *chosen;
        }
        drawLinks(*fabric, 0.05 * random.below(4), seed, removal);
        wrong = wrongWith(without(fabric, removal.devices, removal.links), random);
        if (!wrong.empty()) wrong = "after failures, " + wrong;
    }
    return wrong.empty() ? wrong : fmt::format("seed {}: {}: {}", seed, script, wrong);
}

} // namespace

class tst_random_edits : public QObject {
    Q_OBJECT

private slots:
    void everyAnalysisAnswers() {
        bool isGiven = false;
        const int given = qEnvironmentVariableIntValue("RAILYARD_RANDOM_DESIGNS", &isGiven);
        const auto first = static_cast<std::uint64_t>(qMax(1, qEnvironmentVariableIntValue("RAILYARD_RANDOM_FIRST")));
        const auto designs = static_cast<std::uint64_t>(isGiven ? given : 60);
        QStringList wrong;
        for (std::uint64_t seed = first; seed < first + designs; ++seed)
            if (const std::string text = wrongWithSeed(seed); !text.empty()) wrong += QString::fromStdString(text);
        QVERIFY2(wrong.empty(), qPrintable(wrong.join("\n")));
    }

    // Cables between leaves that lead in a circle.
    void cablesInACircle() {
        DesignPointer design = test::designOf("rail-optimized", {{"servers", "33"}});
        for (const char* command : {"connect su[2]/leaf[1] su[2]/leaf[2]", "connect su[2]/leaf[2] su[2]/leaf[1]"}) {
            auto edit = applyEdit(design, command);
            QVERIFY2(edit, edit ? "" : toText(edit.error()).c_str());
            design = edit->design;
        }
        const FabricPointer fabric = elaborate(design);
        Random random{1};
        const std::string wrong = wrongWith(fabric, random);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
};

QTEST_APPLESS_MAIN(tst_random_edits)
#include "tst_random_edits.moc"
