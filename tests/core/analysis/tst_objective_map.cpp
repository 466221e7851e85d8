#include "core/analysis/maps/decision.h"
#include "core/analysis/maps/objective_map.h"
#include "core/analysis/metrics/metrics.h"
#include "core/io/results/decision_json.h"
#include "tests/support/designs.h"

using namespace railyard;

namespace {

const RecipeCall h100{"superpod-h100", {}};

ObjectiveMap mapOf(ObjectiveMapRequest request, const RecipeCall& base = h100) {
    auto map = objectiveMap(base, shippedCatalog(), std::move(request), {});
    return map ? *map : throw std::runtime_error(map.error().text);
}

FabricPointer builtFrom(const FabricChoice& choice) {
    auto design = build(choice.call, "cell", shippedCatalog());
    return elaborate(std::make_shared<const Design>(std::move(*design)));
}

} // namespace

class tst_objective_map : public QObject {
    Q_OBJECT

private slots:
    // Lengths decide media and prices; links between other switches than leaves and spines have modules of their own.
    void networkCostIsThatOfTheBill() {
        struct Case {
            test::Parameters parameters;
            std::int64_t gpus;
        };
        for (const Case& each : {Case{{{"server", "srv-dgx-h100"}, {"medium", "by-length"}}, 128},
                                 {{{"server", "srv-dgx-h100"}, {"medium", "by-length"}}, 1024},
                                 {{{"server", "srv-dgx-b200"}, {"medium", "by-length"}}, 512},
                                 {{{"server", "srv-dgx-a100-320"}, {"switch", "sw-qm8700"}, {"spine_switch", "sw-sn4700"}}, 4096},
                                 {{{"server", "srv-dgx-h100"}, {"switch", "sw-sn4700"}, {"spine_switch", "sw-qm9700"}}, 4096},
                                 {{{"server", "srv-dgx-h100"}, {"switch", "sw-qm9700"}, {"spine_switch", "sw-sn4700"}}, 16384}}) {
            RecipeCall base{"rail-optimized", each.parameters};
            base.parameters["gpus"] = "64";
            const ObjectiveMap map = mapOf({.gpus = {each.gpus}, .y = {"8"}, .objective = MapObjective::NetworkCost}, base);
            QCOMPARE(map.cells[0].sides.size(), std::size_t{2});
            for (const ObjectiveSide& side : map.cells[0].sides) {
                const Bill bill = instantMetrics(*builtFrom(side.choice)).bill;
                QVERIFY2(side.objective, map.cells[0].why.c_str());
                const double ofBill = bill.network.inDollars(); // shares of a cage: see docs/status.md
                QVERIFY2(std::abs(*side.objective / ofBill - 1) < (each.parameters.contains("medium") ? 1e-9 : 0.002),
                         (std::to_string(*side.objective) + " " + std::to_string(ofBill)).c_str());
            }
        }
    }
    // The core ratio counts once for every tier above the spines.
    void floorsHoldInFourTiers() {
        RecipeCall base{"rail-optimized", {{"switch", "sw-sn4700"}, {"core_oversubscription", "2:1"}, {"gpus", "1024"}}};
        const ObjectiveMap map = mapOf({.gpus = {16384}, .y = {"8"}, .bisection = 0.5}, base);
        QCOMPARE(map.cells[0].sides.size(), std::size_t{2});
        int most = 0;
        for (const ObjectiveSide& side : map.cells[0].sides) {
            QVERIFY(bisection(*builtFrom(side.choice), BisectionKey::Server).fractionOfInjection.value_or(0) >= 0.5 - 1e-9);
            most = std::max(most, side.choice.plan.tiers);
        }
        QCOMPARE(most, 4);
    }
    void equalValuesOfAnAxisAreRefused() {
        for (const auto& [axis, y] : {std::pair(MapAxis::OpticPrice, std::vector<std::string>{"1", "1.0"}),
                                      {MapAxis::Oversubscription, {"2:1", "4:2"}},
                                      {MapAxis::HbDomain, {"8", "08"}}})
            QVERIFY(!objectiveMap(h100, shippedCatalog(), {.gpus = {1024}, .axis = axis, .y = y}, {}));
    }
    // As the bill has it: racks of rack systems, and NICs that are bought apart.
    void totalCostIsThatOfTheBill() {
        for (const auto& [recipe, gpus, domain, parameters] :
             std::vector<std::tuple<std::string, int, std::string, test::Parameters>>{{"superpod-gb200", 576, "72", {}},
                                                                                      {"superpod-gb200", 576, "144", {}},
                                                                                      {"superpod-gb200", 576, "36", {}},
                                                                                      {"rail-optimized",
                                                                                       1024,
                                                                                       "8",
                                                                                       {{"server", "srv-dgx-b300"},
                                                                                        {"nic_ports", "2"},
                                                                                        {"planes", "2"},
                                                                                        {"switch", "sw-sn5600"},
                                                                                        {"nic", "nic-cx8-2x400-qsfp112"}}}}) {
            RecipeCall base{recipe, parameters};
            base.parameters["gpus"] = std::to_string(gpus);
            const auto design = build(base, "base", shippedCatalog());
            QVERIFY2(design, design ? "" : design.error().text.c_str());
            const auto map =
                objectiveMap(*design->recipe, shippedCatalog(), {.gpus = {gpus}, .y = {domain}, .objective = MapObjective::TotalCost}, {});
            QVERIFY(map);
            QVERIFY2(map->cells[0].winner, map->cells[0].why.c_str());
            for (const ObjectiveSide& side : map->cells[0].sides) {
                const auto built = build(side.choice.call, "side", shippedCatalog());
                const Bill bill = instantMetrics(*elaborate(std::make_shared<const Design>(*built))).bill;
                double expected = side.choice.cost.network.inDollars();
                for (const BillLine& line : bill.lines)
                    if ((line.category == BillCategory::Server || line.category == BillCategory::Nic) && line.base)
                        expected += line.base->inDollars() * static_cast<double>(line.quantity);
                for (const BillLine& line :
                     bill.lines) // 72 GPUs in each rack, also where a domain is larger; with 36 a rack for each domain
                    if (line.category == BillCategory::Server && recipe == "superpod-gb200")
                        QCOMPARE(line.quantity, std::int64_t{domain == "36" ? 16 : 8});
                QVERIFY2(std::abs(*side.objective - expected) < 1, qPrintable(QStringLiteral("%1 %2").arg(*side.objective).arg(expected)));
            }
        }
    }
    // By switches, the map decides as the one that compares both layouts.
    void switchesAgreeWithTheDecisionMap() {
        const ObjectiveMap map = mapOf({{512, 2048, 16384}, MapAxis::HbDomain, {"8", "32"}});
        QCOMPARE(map.cells.size(), std::size_t{6});
        for (const ObjectiveCell& cell : map.cells) {
            const DecisionCell known = decide(h100, *shippedCatalog(), cell.gpus, std::stoll(cell.y));
            QCOMPARE(cell.switchSaving, known.switchSaving);
            QVERIFY(cell.winner);
            const auto winner = cell.sides[*cell.winner].side;
            if (*known.switchSaving > 0) QCOMPARE(winner, FabricSide::RailOnly);
            if (*known.switchSaving < 0) QCOMPARE(winner, FabricSide::RailOptimized);
            QVERIFY(*cell.difference <= 0);
        }
    }
    // Costs, switches and step times are those of the designs that the settings build.
    void figuresAreThoseOfTheDesigns() {
        const ObjectiveMapRequest byDomain{{512, 1024}, MapAxis::HbDomain, {"8", "16"}};
        const ObjectiveMapRequest byRatio{{512}, MapAxis::Oversubscription, {"1:1", "2:1", "4:1"}}; // cells that share designs
        for (const auto& [axes, objective] :
             {std::pair(byDomain, MapObjective::NetworkCost), {byDomain, MapObjective::StepTime}, {byRatio, MapObjective::StepTime}}) {
            ObjectiveMapRequest request = axes;
            request.objective = objective;
            request.sides = {FabricSide::RailOptimized, FabricSide::RailOnly, FabricSide::Oversubscribed};
            request.training = {{"model", "llama3-8b"}};
            for (const ObjectiveCell& cell : mapOf(request).cells)
                for (const ObjectiveSide& side : cell.sides) {
                    const FabricPointer fabric = builtFrom(side.choice);
                    const Metrics metrics = metricsOf(*fabric);
                    QCOMPARE(side.choice.plan.switches(), metrics.instant.counts.switches);
                    QCOMPARE(metrics.instant.counts.gpus, cell.gpus);
                    if (objective == MapObjective::NetworkCost) {
                        const double built = metrics.instant.bill.network.inDollars();
                        QVERIFY2(std::abs(*side.objective - built) <= 0.01 * built,
                                 (std::to_string(*side.objective) + " " + std::to_string(built)).c_str());
                    } else {
                        Design design = *fabric->design;
                        design.training = NamedOptions{request.training, {}};
                        const auto figures = trainingFiguresOf(*elaborate(std::make_shared<const Design>(design)));
                        QCOMPARE(*side.objective, figures.estimate->iteration.value());
                    }
                }
        }
    }
    // Modules follow from the speeds, ports and switches that the base sets, and from servers of racks.
    void pricesAreThoseOfTheBase_data() {
        QTest::addColumn<QByteArray>("recipe");
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("value");
        QTest::newRow("uplinks") << QByteArray("rail-optimized") << QByteArray("uplink_gbps") << QByteArray("800");
        QTest::newRow("NICs") << QByteArray("rail-optimized") << QByteArray("nic_gbps") << QByteArray("200");
        QTest::newRow("ports") << QByteArray("rail-optimized") << QByteArray("nic_ports") << QByteArray("2");
        QTest::newRow("more rails than a spine has ports")
            << QByteArray("rail-optimized") << QByteArray("server") << QByteArray("srv-dgx-gh200-256");
        QTest::newRow("racks") << QByteArray("superpod-gb200") << QByteArray("servers") << QByteArray("144");
    }
    void pricesAreThoseOfTheBase() {
        QFETCH(QByteArray, recipe);
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, value);
        RecipeCall base{recipe.toStdString(), {{key.toStdString(), value.toStdString()}}};
        if (key == "uplink_gbps" || key == "server") base.parameters["switch"] = "sw-sn5600";
        const std::int64_t domain = recipe == "superpod-gb200" ? 72 : key == "server" ? 256 : 8;
        ObjectiveMapRequest request{{recipe == "superpod-gb200" ? 576
                                     : key == "server"          ? 1024
                                                                : 512},
                                    MapAxis::HbDomain,
                                    {std::to_string(domain)},
                                    MapObjective::NetworkCost};
        const ObjectiveMap map = mapOf(request, base);
        const ObjectiveCell& cell = map.cells.front();
        QVERIFY2(cell.winner && cell.sides.size() == 2, cell.why.c_str());
        for (const ObjectiveSide& side : cell.sides) {
            const double built = metricsOf(*builtFrom(side.choice)).instant.bill.network.inDollars();
            QVERIFY2(std::abs(*side.objective - built) <= 0.01 * built,
                     qPrintable(QStringLiteral("%1, built %2").arg(*side.objective).arg(built)));
        }
    }
    // Without the price of a switch nobody knows what a network costs, and no number says so.
    void unknownCostsAreNull() {
        const RecipeCall base{"rail-optimized", {{"server", "srv-dgx-h100"}, {"switch", "sw-th3-32x400"}}};
        for (const auto& [call, isKnown] : {std::pair(base, false), {h100, true}}) {
            const Json json = toJson(mapOf({{512}, MapAxis::HbDomain, {"8"}}, call));
            const Json& sides = json.at("cells")[0].at("sides");
            QVERIFY(!sides.empty());
            for (const Json& side : sides) QCOMPARE(side.at("network_usd").is_null(), !isKnown);
        }
    }
    // A floor of the bisection leaves out ratios below it.
    void bisectionIsAFloor() {
        ObjectiveMapRequest request{{1536}, MapAxis::HbDomain, {"8"}};
        request.sides = {FabricSide::RailOnly, FabricSide::Oversubscribed};
        request.bisection = 0.4;
        const ObjectiveMap map = mapOf(request);
        QVERIFY(!map.cells.front().sides.empty());
        for (const ObjectiveSide& side : map.cells.front().sides)
            QVERIFY(*bisection(*builtFrom(side.choice), BisectionKey::Server).fractionOfInjection >= 0.4 - 1e-9);
    }
    // A ratio above the spines counts only where there is a tier above them.
    void ratiosOfMissingTiersDoNotCount() {
        ObjectiveMapRequest request{{1024, 16384}, MapAxis::HbDomain, {"8"}};
        request.bisection = 0.9;
        const ObjectiveMap map = mapOf(request, {"rail-optimized", {{"core_oversubscription", "2:1"}}});
        QVERIFY2(map.cells[0].winner, map.cells[0].why.c_str());
        for (const ObjectiveCell& cell : map.cells)
            for (const ObjectiveSide& side : cell.sides)
                QVERIFY(*bisection(*builtFrom(side.choice), BisectionKey::Server).fractionOfInjection >= 0.9 - 1e-9);
    }
    // The price of optics enters in proportion; at 0 only switches are left.
    void priceOfOpticsIsAFactor() {
        const ObjectiveMap map = mapOf({{1024}, MapAxis::OpticPrice, {"0", "1", "3"}, MapObjective::NetworkCost});
        for (std::size_t s = 0; s < 2; ++s) {
            const double none = *map.cells[0].sides[s].objective, one = *map.cells[1].sides[s].objective,
                         three = *map.cells[2].sides[s].objective;
            QVERIFY(none > 0 && one > none);
            QVERIFY(std::abs((three - none) - 3 * (one - none)) <= 1);
        }
    }
    void moreKindsNeverMakeTheBestWorse() {
        ObjectiveMapRequest two{{512, 4096}, MapAxis::HbDomain, {"8"}};
        ObjectiveMapRequest all = two;
        all.sides = {FabricSide::RailOptimized, FabricSide::RailOnly, FabricSide::Oversubscribed, FabricSide::MultiPlane};
        const RecipeCall base{"superpod-b300", {}}; // NICs of two ports
        const ObjectiveMap few = mapOf(two, base), many = mapOf(all, base);
        for (std::size_t c = 0; c < few.cells.size(); ++c)
            QVERIFY(*many.cells[c].sides[*many.cells[c].winner].objective <= *few.cells[c].sides[*few.cells[c].winner].objective);
        QVERIFY(std::any_of(many.cells[0].sides.begin(), many.cells[0].sides.end(),
                            [](const auto& side) { return side.side == FabricSide::MultiPlane; }));
    }
    void planesNeedPorts() {
        ObjectiveMapRequest request{{512}, MapAxis::HbDomain, {"8"}};
        request.sides = {FabricSide::RailOptimized, FabricSide::RailOnly, FabricSide::MultiPlane};
        const ObjectiveMap map = mapOf(request); // NICs of one port
        QCOMPARE(map.cells[0].sides.size(), std::size_t{2});
        QVERIFY(map.cells[0].winner);
    }
    void ratiosAndFloorsAreKept() {
        for (const ObjectiveCell& cell : mapOf({{1024, 4096}, MapAxis::Oversubscription, {"1:1", "2:1"}}).cells)
            for (const ObjectiveSide& side : cell.sides) {
                const double floor = cell.y == "1:1" ? 1 : 0.5;
                const Bisection server = metricsOf(*builtFrom(side.choice)).background.bisection.front();
                QVERIFY(*server.fractionOfInjection >= floor - 1e-9);
            }
    }
    // A lower floor is no other ratio; of any ratio the cheapest that has the floor is found.
    void floorsAreNoRatios() {
        ObjectiveMapRequest request{{1000, 4096}, MapAxis::HbDomain, {"8"}};
        request.sides = {FabricSide::RailOptimized, FabricSide::RailOnly, FabricSide::Oversubscribed};
        const ObjectiveMap usual = mapOf(request);
        request.bisection = 0.3;
        const ObjectiveMap loose = mapOf(request);
        for (std::size_t c = 0; c < loose.cells.size(); ++c)
            for (std::size_t s = 0; s < 3; ++s) {
                const ObjectiveSide &low = loose.cells[c].sides[s], &own = usual.cells[c].sides[s];
                if (s == 2)
                    QVERIFY(*low.objective < *loose.cells[c].sides[0].objective);
                else
                    QVERIFY(*low.objective <= *own.objective && low.choice.plan.hostLinks <= low.choice.plan.leafSpineLinks);
                QVERIFY(*bisection(*builtFrom(low.choice), BisectionKey::Server).fractionOfInjection >= 0.3 - 1e-9);
            }
    }
    // Found by hand outside: fabrics of a looser ratio whose bisection is above what the ratio alone leaves.
    void looseRatiosMayHaveTheFloor_data() {
        QTest::addColumn<int>("gpus");
        QTest::addColumn<QString>("ratio");
        QTest::addColumn<double>("floor");
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("most");
        QTest::addRow("4:1") << 1152 << "4:1" << 0.4 << 0 << 29;
        QTest::addRow("2:1 rail-optimized") << 1000 << "2:1" << 0.65 << 0 << 32;
        QTest::addRow("2:1 rail-only") << 1000 << "2:1" << 0.65 << 1 << 32;
        QTest::addRow("2:1 of 2,048") << 2048 << "2:1" << 0.52 << 1 << 68;
        QTest::addRow("any ratio") << 1000 << "1:1" << 0.5 << 2 << 29;
    }
    void looseRatiosMayHaveTheFloor() {
        QFETCH(int, gpus);
        QFETCH(QString, ratio);
        QFETCH(double, floor);
        QFETCH(int, side);
        QFETCH(int, most);
        ObjectiveMapRequest request{{gpus}, MapAxis::Oversubscription, {ratio.toStdString()}};
        request.sides = {FabricSide::RailOptimized, FabricSide::RailOnly, FabricSide::Oversubscribed};
        request.bisection = floor;
        const ObjectiveMap map = mapOf(request);
        const ObjectiveSide& found = map.cells[0].sides[static_cast<std::size_t>(side)];
        QVERIFY(*found.objective <= most);
        QVERIFY(*bisection(*builtFrom(found.choice), BisectionKey::Server).fractionOfInjection >= floor - 1e-9);
    }
    // A looser ratio never empties a cell.
    void ratiosAndFloorsHoldTogether() {
        ObjectiveMapRequest request{{512, 2048}, MapAxis::Oversubscription, {"1:1", "2:1", "4:1"}};
        request.bisection = 0.75;
        for (const ObjectiveCell& cell : mapOf(request).cells) {
            QVERIFY2(cell.winner, cell.why.c_str());
            for (const ObjectiveSide& side : cell.sides)
                QVERIFY(*bisection(*builtFrom(side.choice), BisectionKey::Server).fractionOfInjection >= 0.75 - 1e-9);
        }
    }
    // Rail-optimized with whatever ratio others are asked for is one of any ratio.
    void oversubscribedHoldsWhatIsAskedFor() {
        for (const double floor : {0.3, 0.6}) {
            ObjectiveMapRequest request{{512, 2048, 4096}, MapAxis::HbDomain, {"8"}};
            request.sides = {FabricSide::RailOptimized, FabricSide::Oversubscribed};
            request.bisection = floor;
            for (const ObjectiveCell& cell : mapOf(request).cells) QVERIFY(*cell.sides[1].objective <= *cell.sides[0].objective);
        }
    }
    void fibreCostsWhatItCosts() {
        Catalog catalog;
        for (const auto& [id, shipped] : shippedCatalog()->parts()) {
            Part part = shipped;
            if (id == "fib-mpo12-om4-straight") part.price = Price{{}, Money::dollars(250), {}, {}, {}, {}, {}, {}};
            catalog.add(part);
        }
        const auto map = objectiveMap(h100, std::make_shared<const Catalog>(catalog),
                                      {{512, 1024}, MapAxis::HbDomain, {"8"}, MapObjective::NetworkCost}, {});
        QVERIFY(map);
        for (const ObjectiveCell& cell : map->cells)
            for (const ObjectiveSide& side : cell.sides) {
                auto design = build(side.choice.call, "cell", std::make_shared<const Catalog>(catalog));
                const double network =
                    instantMetrics(*elaborate(std::make_shared<const Design>(std::move(*design)))).bill.network.inDollars();
                QVERIFY(std::abs(*side.objective / network - 1) < 0.001);
            }
    }
    void emptyCellsSayWhy() {
        const ObjectiveMap small = mapOf({{8}, MapAxis::HbDomain, {"8"}});
        QVERIFY(!small.cells[0].winner && small.cells[0].why.find("no network") != std::string::npos);
        const ObjectiveMap total = mapOf({{512}, MapAxis::HbDomain, {"8"}, MapObjective::TotalCost});
        if (!total.cells[0].winner) QVERIFY2(total.cells[0].why.find("has no price") != std::string::npos, total.cells[0].why.c_str());
        const Json json = toJson(total);
        QCOMPARE(json["schema"].get<std::string>(), std::string("railyard.decision/1"));
        QVERIFY(json["cells"][0]["probability"].is_null() && json["cells"][0]["flips"].is_null());
        ObjectiveMapRequest unpriced{{512}, MapAxis::Oversubscription, {"2:1"}, MapObjective::NetworkCost};
        unpriced.sides = {FabricSide::RailOptimized, FabricSide::RailOnly, FabricSide::Oversubscribed, FabricSide::MultiPlane};
        const ObjectiveCell cell = mapOf(unpriced, {"rail-optimized", {{"server", "srv-dgx-a100-640"}}}).cells.front();
        QVERIFY(!cell.winner);
        QVERIFY2(cell.why.find("no price") != std::string::npos, cell.why.c_str()); // not that one of the kinds needs other NICs
        QVERIFY(cell.sides[2].choice.plan.switches() <= cell.sides[0].choice.plan.switches());
    }
    void threadsDoNotMatter() {
        const ObjectiveMapRequest request{{512, 1024, 2048}, MapAxis::HbDomain, {"8", "16"}, MapObjective::NetworkCost};
        const auto one = objectiveMap(h100, shippedCatalog(), request, {.threads = 1}),
                   four = objectiveMap(h100, shippedCatalog(), request, {.threads = 4});
        QCOMPARE(toJson(*one).dump(), toJson(*four).dump());
    }
    void axesAreChecked() {
        QCOMPARE(*sizesOfAxis("512..4096"), (std::vector<std::int64_t>{512, 1024, 2048, 4096}));
        QCOMPARE(*sizesOfAxis("512,1000"), (std::vector<std::int64_t>{512, 1000}));
        for (const char* bad : {"", "x", "512,", "4096..512", "0..8", "8..", "1.5"}) QVERIFY2(!sizesOfAxis(bad), bad);
        for (const auto& [axis, value] : {std::pair(MapAxis::HbDomain, "x"),
                                          {MapAxis::HbDomain, "0"},
                                          {MapAxis::Oversubscription, "two"},
                                          {MapAxis::OpticPrice, "-1"},
                                          {MapAxis::OpticPrice, "nan"}})
            QVERIFY2(!objectiveMap(h100, shippedCatalog(), {{512}, axis, {value}}, {}), value);
        QVERIFY(!sizesOfAxis("512,512"));
        std::string many = "16";
        for (int i = 17; i < 5000; ++i) many += "," + std::to_string(i);
        QVERIFY(sizesOfAxis(many).error().text.size() < 200);
        QVERIFY(!objectiveMap({"rail-only", {}}, shippedCatalog(), {{512}, MapAxis::HbDomain, {"8", "8"}}, {}));
    }
};

QTEST_GUILESS_MAIN(tst_objective_map)
#include "tst_objective_map.moc"
