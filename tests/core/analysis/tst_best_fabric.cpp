#include "core/analysis/sizing/best_fabric.h"
#include "core/bisection/bisection.h"
#include "tests/support/designs.h"

#include <functional>
#include <limits>

using namespace railyard;

namespace {

bool qualifies(const RecipeCall& call, double asked) {
    auto built = build(call, "tried", shippedCatalog());
    if (!built) return false;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
    const Bisection found = bisection(*fabric, BisectionKey::Server);
    return found.certified && found.lowerGbps >= found.halfInjectionGbps / asked * (1 - 1e-9);
}

std::string textOf(const RecipeCall& call) {
    std::string text = call.name;
    for (const auto& [key, value] : call.parameters) text += " " + key + "=" + value;
    return text;
}

using Measure = std::function<std::int64_t(const ClosPlan&)>;

std::int64_t measureOf(const RecipeCall& call, const Measure& measure) {
    const auto settings = resolve(call, *shippedCatalog());
    const auto planned = settings ? plan(*settings) : Result<ClosPlan>(settings.errors());
    return planned ? measure(*planned) : std::numeric_limits<std::int64_t>::max();
}
std::int64_t switchesOfPlan(const ClosPlan& p) { return p.switches(); }
std::int64_t switchesOf(const RecipeCall& call) { return measureOf(call, switchesOfPlan); }

PlanPrices pricesWithDearOptics(const RecipeCall& call, double factor) {
    PlanPrices prices = planPricesOf(*resolve(call, *shippedCatalog()), *shippedCatalog());
    for (auto* price : prices.modules())
        if (*price) **price *= factor;
    return prices;
}

// Counted in the elaborated fabric, cable by cable.
bool isWithinAsDrawn(const RecipeCall& call, double ratio) {
    auto built = build(call, "tried", shippedCatalog());
    if (!built) return false;
    const FabricPointer fabric = elaborate(std::make_shared<const Design>(std::move(*built)));
    double down = 0, up = 0;
    for (const LinkId l : fabric->links.ids()) {
        const LinkTier tier = fabric->links.tier[l];
        if (tier == LinkTier::HostLeaf || tier == LinkTier::ManagerLeaf) down += fabric->speedOf(l).value();
        if (tier == LinkTier::LeafSpine) up += fabric->speedOf(l).value();
    }
    return up == 0 || down <= up * ratio * (1 + 1e-9);
}

// Every rail count, every split of the leaf, both rules, every number of tiers: nothing is pruned but what would not be better.
// `wanted`: the injection that crosses half over the bisection.
std::int64_t leastByEnumeration(const RecipeCall& asked, int radix, double ratio, double wanted, std::int64_t than,
                                const Measure& measure) {
    const auto base = resolve(asked, *shippedCatalog());
    const int nics = base->nicsPerRailUnit();
    for (int rails = 1; rails <= nics; ++rails) {
        const bool isRailOnly = base->family == RecipeFamily::RailOnly;
        if (isRailOnly ? nics % rails != 0 || (rails == 1 && nics > 1) : rails != base->nicsPerServer) continue;
        for (int down = 1; down < radix; ++down)
            for (int up = 1; down + up <= radix; ++up)
                for (const char* tiers : {"auto", "2", "3"})
                    for (const char* rule : {"even-split", "exact"})
                        for (const char* uplinks : {"full-su", "used"}) {
                            RecipeCall call = asked;
                            call.parameters.erase("oversubscription");
                            for (const auto& [key, value] : {std::pair("rails", std::to_string(rails)),
                                                             {"tiers", std::string(tiers)},
                                                             {"leaf_down", std::to_string(down)},
                                                             {"leaf_up", std::to_string(up)},
                                                             {"spine_rule", std::string(rule)},
                                                             {"uplinks", std::string(uplinks)}})
                                call.parameters[key] = value;
                            if (measureOf(call, measure) < than && isWithinAsDrawn(call, ratio) && qualifies(call, wanted))
                                than = measureOf(call, measure);
                        }
    }
    return than;
}

} // namespace

class tst_best_fabric : public QObject {
    Q_OBJECT

private slots:
    // The settings of the outside check: 256 GPUs in HB domains of 128 need 4 switches on 4 rails, not 128 on 128.
    void oneSwitchMayCarrySeveralRails() {
        const RecipeCall call{"rail-only", {{"gpus", "256"}, {"hb_domain_gpus", "128"}}};
        QCOMPARE(switchesOf(call), 4);
        QCOMPARE(resolve(call, *shippedCatalog())->rails, 4);
        const auto best = cheapestFabric(call, *shippedCatalog());
        QVERIFY(best);
        QCOMPARE(best->plan.switches(), 4);
        QCOMPARE(QString::fromStdString(best->words), QStringLiteral("4 rails, one switch each"));
        const auto other = cheapestFabric(RecipeCall{"rail-optimized", {{"gpus", "256"}, {"hb_domain_gpus", "128"}}}, *shippedCatalog());
        QCOMPARE(other->plan.switches(), 12);
    }
    // 128 servers at 2:1: 53 switches by the recipe's defaults; 32 ports down and 16 up build it with 40.
    // A single switch uses all its ports for servers, whatever leaf_down says; fewer than a server needs once made the search endless.
    void oneSwitchWithFewLeafPorts() {
        for (int leafDown = 1; leafDown <= 17; ++leafDown) {
            const auto best = cheapestFabric(RecipeCall{"fat-tree",
                                                        {{"servers", "16"},
                                                         {"switch", "sw-sn5600"},
                                                         {"uplink_gbps", "800"},
                                                         {"leaf_down", std::to_string(leafDown)},
                                                         {"leaf_up", "4"},
                                                         {"core_oversubscription", "2:1"}}},
                                             *shippedCatalog());
            QVERIFY2(best, qPrintable(QString::number(leafDown)));
            QCOMPARE(best->plan.switches(), std::int64_t{1});
        }
    }
    void leafPortsWithinTheAskedRatio() {
        const RecipeCall call{"superpod-h100", {{"servers", "128"}, {"oversubscription", "2:1"}}};
        QCOMPARE(switchesOf(call), 53);
        const auto best = cheapestFabric(call, *shippedCatalog());
        QCOMPARE(best->plan.switches(), 40);
        QCOMPARE(best->settings.leafDown, 32);
        QCOMPARE(best->settings.leafUp, 16);
        QCOMPARE(switchesOf(best->call), 40);
    }
    // With optics four times as dear, 30 switches with fewer cables above the leaves cost less than 28.
    void moreSwitchesMayCostLess() {
        const RecipeCall call{"rail-only", {{"gpus", "520"}}};
        const PlanPrices prices = pricesWithDearOptics(call, 4);
        const auto fewest = cheapestFabric(call, *shippedCatalog(), prices),
                   cheapest = cheapestFabric(call, *shippedCatalog(), prices, CheapestBy::Cost);
        QCOMPARE(fewest->plan.switches(), std::int64_t{28});
        QCOMPARE(cheapest->plan.switches(), std::int64_t{30});
        QVERIFY(cheapest->cost.network.inDollars() < fewest->cost.network.inDollars() * 0.98);
        PlanPrices none = prices; // without prices there is nothing to compare but switches
        none.leafSwitch.reset();
        QCOMPARE(cheapestFabric(call, *shippedCatalog(), none, CheapestBy::Cost)->plan.switches(), std::int64_t{28});
    }
    // Uplinks of another speed: a leaf has ports for its downlinks before its capacity is used up.
    void leavesHaveTheirPorts() {
        const std::map<std::string, std::string> volta{
            {"gpus", "4096"}, {"server", "srv-dgx1-v100"}, {"switch", "sw-dell-z9864f"}, {"uplink_gbps", "400"}};
        const std::map<std::string, std::string> pods{{"servers", "288"}};
        for (const auto& [recipe, settings] : {std::pair("rail-only", volta), {"rail-optimized", volta}, {"hpn-pod", pods}})
            for (const char* ratio : {"1:1", "3:2", "2:1", "4:1"}) {
                RecipeCall call{recipe, settings};
                call.parameters["oversubscription"] = ratio;
                const auto best = cheapestFabric(call, *shippedCatalog());
                if (!best) continue;
                const auto built = build(best->call, "built", shippedCatalog());
                QVERIFY2(built, built ? "" : built.error().text.c_str());
                QCOMPARE(countsOf(*elaborate(std::make_shared<const Design>(*built))).switches, best->plan.switches());
            }
        RecipeCall call{"rail-only", volta};
        call.parameters["oversubscription"] = "4:1";
        QCOMPARE(cheapestFabric(call, *shippedCatalog())->plan.switches(), std::int64_t{10});
    }
    void defaultsThatAreBestAreNotSpelledOut() {
        const auto best = cheapestFabric(RecipeCall{"rail-only", {{"servers", "512"}}}, *shippedCatalog());
        QCOMPARE(best->call, (RecipeCall{"rail-only", {{"servers", "512"}}}));
        QCOMPARE(best->plan.switches(), 192);
    }
    void autoTakesTheMostRailsAmongEquals_data() {
        QTest::addColumn<QString>("gpus");
        QTest::addColumn<QString>("domain");
        QTest::addColumn<int>("rails");
        QTest::newRow("full two tiers cost the same on any rails") << "32768"
                                                                   << "256" << 256;
        QTest::newRow("one switch holds 64 NICs") << "512"
                                                  << "8" << 8;
        QTest::newRow("a switch for two rails") << "256"
                                                << "8" << 4;
        QTest::newRow("one server") << "8"
                                    << "8" << 2;
    }
    void autoTakesTheMostRailsAmongEquals() {
        QFETCH(QString, gpus);
        QFETCH(QString, domain);
        QFETCH(int, rails);
        const RecipeCall call{"rail-only", {{"gpus", gpus.toStdString()}, {"hb_domain_gpus", domain.toStdString()}, {"rails", "auto"}}};
        QCOMPARE(resolve(call, *shippedCatalog())->rails, rails);
    }
    // A port of a manager gives its leaf one uplink more in use, without which the ratio is not kept.
    void managersAddUplinksInUse() {
        const RecipeCall call{"rail-optimized",
                              {{"servers", "25"},
                               {"radix", "44"},
                               {"spine_radix", "9"},
                               {"nic_gbps", "400"},
                               {"gpus_per_server", "7"},
                               {"nics_per_server", "7"},
                               {"hb_domain_gpus", "7"},
                               {"manager_ports", "5"},
                               {"oversubscription", "7:1"},
                               {"switch", "sw-qm9700"},
                               {"uplink_gbps", "400"}}};
        const auto best = cheapestFabric(call, *shippedCatalog());
        QVERIFY(best);
        QCOMPARE(best->plan.switches(), std::int64_t{10});
        QVERIFY(isWithinAsDrawn(best->call, 7) && qualifies(best->call, 7));
    }
    // Small radices, odd sizes, any ratio: never dearer than what trying everything finds, and always as good as promised.
    void matchesFullEnumeration_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("seed");
        for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"})
            for (int seed = 1; seed <= 20; ++seed)
                QTest::newRow(qPrintable(QString::fromLatin1(recipe) + QString::number(seed))) << QString(recipe) << seed;
    }
    void matchesFullEnumeration() {
        QFETCH(QString, recipe);
        QFETCH(int, seed);
        test::Random random{static_cast<std::uint64_t>(seed)};
        const auto pick = [&](int low, int high) { return low + random.below(high - low + 1); };
        const int radix = pick(5, 14), down = pick(1, 3), up = pick(1, 2), domainServers = pick(1, 3);
        const int nics = pick(1, 4), servers = domainServers * pick(2, 9), planes = recipe == u"fat-tree" ? 1 : pick(1, 2);
        RecipeCall call{recipe.toStdString(),
                        {{"radix", std::to_string(radix)},
                         {"gpus_per_server", std::to_string(nics)},
                         {"nics_per_server", std::to_string(nics)},
                         {"hb_domain_gpus", std::to_string(nics * domainServers)},
                         {"servers", std::to_string(servers)},
                         {"planes", std::to_string(planes)},
                         {"oversubscription", QStringLiteral("%1:%2").arg(std::max(down, up)).arg(up).toStdString()}}};
        if (seed % 4 == 0 && recipe != u"fat-tree") call.parameters["manager_ports"] = std::to_string(pick(1, 3));
        if (!resolve(call, *shippedCatalog())) return; // this leaf cannot be split so
        const double ratio = askedOversubscription(*resolve(call, *shippedCatalog()));
        const auto best = cheapestFabric(call, *shippedCatalog());
        const std::int64_t found = best ? best->plan.switches() : std::numeric_limits<std::int64_t>::max();
        if (best) {
            QCOMPARE(switchesOf(best->call), found);
            QVERIFY2(qualifies(best->call, ratio), best->words.c_str());
            QVERIFY2(isWithinAsDrawn(best->call, ratio), best->words.c_str());
        }
        // Of the fewest switches, those with the lowest cost.
        const PlanPrices usual = planPricesOf(*resolve(call, *shippedCatalog()), *shippedCatalog());
        const Measure both = [&](const ClosPlan& p) { return p.switches() * 1'000'000'000'000 + costOf(p, usual).network.inCents(); };
        const std::int64_t price = best ? both(best->plan) : std::numeric_limits<std::int64_t>::max();
        QCOMPARE(price, leastByEnumeration(call, radix, ratio, ratio, price, both));
        // By cost, where transceivers decide as much as switches do.
        const PlanPrices prices = pricesWithDearOptics(call, pick(1, 10));
        const Measure cents = [&](const ClosPlan& p) { return costOf(p, prices).network.inCents(); };
        const auto cheapest = cheapestFabric(call, *shippedCatalog(), prices, CheapestBy::Cost);
        QCOMPARE(bool(cheapest), bool(best));
        if (!cheapest) return;
        QVERIFY(qualifies(cheapest->call, ratio) && isWithinAsDrawn(cheapest->call, ratio));
        const std::int64_t cost = measureOf(cheapest->call, cents);
        QCOMPARE(cost, cheapest->cost.network.inCents());
        QCOMPARE(cost, leastByEnumeration(call, radix, ratio, ratio, cost, cents));
        // With a floor of its own, above or below what the ratio leaves.
        const double wanted = 1 + random.below(30) / 10.0;
        const auto asked = cheapestFabric({call, 1 / wanted}, *shippedCatalog());
        const std::int64_t fewest = asked ? asked->plan.switches() : std::numeric_limits<std::int64_t>::max();
        if (asked) QVERIFY2(qualifies(asked->call, wanted) && isWithinAsDrawn(asked->call, ratio), textOf(asked->call).c_str());
        QCOMPARE(fewest, leastByEnumeration(call, radix, ratio, wanted, fewest, switchesOfPlan));
    }
    // Cells of the map that an outside enumeration found with fewer switches: a rail has leaves only in one of two planes, spine counts
    // that divide no uplinks, and the nineteenth cheaper candidate is the first that keeps its bisection.
    void atMostWhatOthersFound_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("settings");
        QTest::addColumn<int>("most");
        QTest::addRow("two planes, 2:1") << "rail-optimized"
                                         << "planes=2 oversubscription=2:1 gpus=1744 hb_domain_gpus=16" << 68;
        QTest::addRow("two planes, radix 36, 3:1") << "rail-optimized"
                                                   << "planes=2 radix=36 oversubscription=3:1 gpus=680 hb_domain_gpus=8" << 40;
        QTest::addRow("two planes, whole domains") << "rail-optimized"
                                                   << "planes=2 oversubscription=2:1 gpus=2048 hb_domain_gpus=16" << 76;
        QTest::addRow("rail-only, radix 36, 3:1") << "rail-only"
                                                  << "planes=2 radix=36 oversubscription=3:1 gpus=1360 hb_domain_gpus=8" << 72;
    }
    void atMostWhatOthersFound() {
        QFETCH(QString, recipe);
        QFETCH(QString, settings);
        QFETCH(int, most);
        RecipeCall call{recipe.toStdString(), {}};
        for (const QString& each : settings.split(' '))
            call.parameters[each.section('=', 0, 0).toStdString()] = each.section('=', 1).toStdString();
        const double ratio = askedOversubscription(*resolve(call, *shippedCatalog()));
        const auto best = cheapestFabric(call, *shippedCatalog());
        QVERIFY(best);
        QVERIFY2(best->plan.switches() <= most, best->words.c_str());
        QCOMPARE(switchesOf(best->call), best->plan.switches());
        QVERIFY2(qualifies(best->call, ratio) && isWithinAsDrawn(best->call, ratio), textOf(best->call).c_str());
    }
    // The question whether there is enough is answered as the bisection itself answers it.
    void enoughMeansWhatTheBisectionSays() {
        test::Random random{11};
        const auto pick = [&](int low, int high) { return low + random.below(high - low + 1); };
        for (int i = 0; i < 200; ++i) {
            const int down = pick(1, 12);
            const FabricPointer fabric =
                test::fabricOf(i % 2 == 0 ? "rail-optimized" : "rail-only", {{"radix", "16"},
                                                                             {"gpus_per_server", "4"},
                                                                             {"nics_per_server", "4"},
                                                                             {"hb_domain_gpus", "4"},
                                                                             {"servers", std::to_string(pick(2, 60))},
                                                                             {"planes", std::to_string(pick(1, 2))},
                                                                             {"leaf_down", std::to_string(down)},
                                                                             {"leaf_up", std::to_string(pick(1, 16 - down))},
                                                                             {"rails", "4"},
                                                                             {"spine_rule", pick(0, 1) == 1 ? "exact" : "even-split"},
                                                                             {"uplinks", pick(0, 1) == 1 ? "used" : "full-su"}});
            const Bisection found = bisection(*fabric, BisectionKey::Server);
            for (const double fraction : {1.0, 0.75, 0.5, 0.25})
                QCOMPARE(certifiesBisection(*fabric, BisectionKey::Server, fraction),
                         found.certified && found.lowerGbps >= found.halfInjectionGbps * fraction * (1 - 1e-9));
        }
    }
    // What is chosen without bisecting it keeps its promise, in planes and tiers too.
    void chosenFabricsKeepTheirBisection() {
        test::Random random{7};
        const auto pick = [&](int low, int high) { return low + random.below(high - low + 1); };
        int tried = 0;
        for (int i = 0; i < 400 && tried < 60; ++i) {
            const int ports = pick(1, 2), domain = 1 << pick(0, 3);
            RecipeCall call{i % 3 == 0   ? "rail-optimized"
                            : i % 3 == 1 ? "rail-only"
                                         : "fat-tree",
                            {{"radix", std::to_string(8 << pick(0, 2))},
                             {"servers", std::to_string(domain * pick(2, 120))},
                             {"hb_domain_gpus", std::to_string(8 * domain)},
                             {"nic_ports", std::to_string(ports)},
                             {"planes", std::to_string(pick(1, ports))},
                             {"oversubscription", std::to_string(pick(1, 3)) + ":1"}}};
            const auto best = cheapestFabric(call, *shippedCatalog());
            if (!best) continue;
            ++tried;
            const double ratio = askedOversubscription(*resolve(call, *shippedCatalog()));
            QVERIFY2(qualifies(best->call, ratio), textOf(best->call).c_str());
        }
        QCOMPARE(tried, 60);
    }
};

QTEST_GUILESS_MAIN(tst_best_fabric)
#include "tst_best_fabric.moc"
