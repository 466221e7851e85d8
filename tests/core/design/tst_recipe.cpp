#include "core/design/recipes/recipe_remedies.h"
#include "tests/support/designs.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace railyard;
using test::Parameters;

static QJsonArray publishedCases() {
    QFile file(QStringLiteral(RAILYARD_SOURCE_DIR "/tests/data/published/cases.json"));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("cases")].toArray()
                                          : QJsonArray();
}

static Result<ClosPlan> planFor(const std::string& recipe, Parameters parameters) {
    const auto settings = resolve({recipe, std::move(parameters)}, *shippedCatalog());
    if (!settings) return settings.errors();
    return plan(*settings);
}

class tst_recipe : public QObject {
    Q_OBJECT

private slots:
    // Whatever a part of the catalogue lacks is said.
    void everyServerIsBuiltOrRefused() {
        int refused = 0;
        for (const auto& [id, part] : shippedCatalog()->parts()) {
            if (!part.as<ServerPart>()) continue;
            for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree", "superpod-h100", "hpn-pod"})
                for (const char* speed : {"", "400"}) {
                    RecipeCall call{recipe, {{"server", id}}};
                    if (*speed) call.parameters["nic_gbps"] = speed;
                    const auto design = build(call, "x", shippedCatalog());
                    QVERIFY2(design || !design.error().text.empty(), id.c_str());
                    refused += design ? 0 : 1;
                }
        }
        QVERIFY(refused > 0);
        const auto board = build({"rail-optimized", {{"server", "srv-hgx-h100-board"}, {"nic_gbps", "400"}}}, "x", shippedCatalog());
        QVERIFY(!board && board.error().text.find("nics_per_server=8") != std::string::npos);
        QVERIFY(build({"rail-optimized", {{"server", "srv-hgx-h100-board"}, {"nic_gbps", "400"}, {"nics_per_server", "8"}}}, "x",
                      shippedCatalog()));
    }
    void publishedCounts_data() {
        QTest::addColumn<QJsonObject>("inputs");
        QTest::addColumn<QJsonObject>("expected");
        static const QStringList wanted{QStringLiteral("A01"), QStringLiteral("A02"), QStringLiteral("A03"),  QStringLiteral("A04"),
                                        QStringLiteral("A05"), QStringLiteral("A06"), QStringLiteral("A07a"), QStringLiteral("A07b"),
                                        QStringLiteral("A09"), QStringLiteral("A10"), QStringLiteral("A12"),  QStringLiteral("A13"),
                                        QStringLiteral("A14")};
        const QJsonArray cases = publishedCases();
        QVERIFY(cases.size() >= wanted.size());
        for (const QJsonValue& value : cases) {
            const QJsonObject one = value.toObject();
            const QString id = one[QStringLiteral("id")].toString();
            if (wanted.contains(id))
                QTest::newRow(qPrintable(id)) << one[QStringLiteral("inputs")].toObject() << one[QStringLiteral("expected")].toObject();
        }
    }
    void publishedCounts() {
        QFETCH(QJsonObject, inputs);
        QFETCH(QJsonObject, expected);
        const auto in = [&](const char* key) { return inputs[QLatin1String(key)]; };
        const auto number = [&](const char* key) { return std::to_string(in(key).toInt()); };
        const auto want = [&](const char* key) { return expected[QLatin1String(key)].toInteger(); };
        if (inputs.contains(QStringLiteral("tor_down_ports"))) {
            const auto p = planFor("hpn-pod", {});
            QVERIFY2(p, p ? "" : p.error().text.c_str());
            QCOMPARE(qint64{p->leaves}, want("tor_switches"));
            QCOMPARE(qint64{p->spines}, want("agg_switches"));
            QCOMPARE(qint64{countsOf(*test::fabricOf("hpn-pod")).gpus}, want("gpus"));
            return;
        }
        if (inputs.contains(QStringLiteral("nodes"))) { // a SuperPOD
            const int planes = in("planes").toInt(), perCable = in("links_per_cable").toInt();
            const auto p = planFor("rail-optimized", {{"servers", number("nodes")},
                                                      {"gpus_per_server", number("gpus_per_node")},
                                                      {"nic_gbps", std::to_string(in("link_gbps").toInt() * planes)},
                                                      {"nic_ports", std::to_string(planes)},
                                                      {"planes", number("planes")},
                                                      {"rails", number("rails")},
                                                      {"radix", number("switch_radix")},
                                                      {"su_servers", number("su_nodes")},
                                                      {"manager_ports", number("ufm_links")}});
            QVERIFY2(p, p ? "" : p.error().text.c_str());
            QCOMPARE(qint64{p->tiers}, want("tiers"));
            QCOMPARE(qint64{p->leaves}, want("leaf_switches"));
            QCOMPARE(qint64{p->spines}, want("spine_switches"));
            QCOMPARE(qint64{p->superspines}, want("core_switches"));
            QCOMPARE(qint64{p->hostLinks + p->managerLinks}, want("cables_node_leaf") * perCable);
            QCOMPARE(qint64{p->leafSpineLinks}, want("cables_leaf_spine") * perCable);
            QCOMPARE(qint64{p->spineSuperLinks}, want("cables_spine_core"));
        } else if (inputs.contains(QStringLiteral("endpoints"))) {
            const auto p = planFor(
                "fat-tree",
                {{"servers", number("endpoints")}, {"gpus_per_server", "1"}, {"nics_per_server", "1"}, {"radix", number("switch_radix")}});
            QVERIFY(p);
            QCOMPARE(qint64{p->tiers}, want("tiers"));
            QCOMPARE(qint64{p->switches()}, want("switches"));
            QCOMPARE(qint64{p->links() - p->hostLinks}, want("inter_switch_links"));
        } else if (inputs.contains(QStringLiteral("tiers"))) { // the most hosts that three tiers take
            const Parameters p{
                {"gpus_per_server", "1"}, {"nics_per_server", "1"}, {"radix", number("switch_radix")}, {"tiers", number("tiers")}};
            Parameters fits = p, tooMany = p;
            fits["servers"] = std::to_string(want("hosts_max"));
            tooMany["servers"] = std::to_string(want("hosts_max") + 1);
            QVERIFY(planFor("fat-tree", fits));
            QVERIFY(!planFor("fat-tree", tooMany));
        } else { // rail-only against rail-optimized
            const Parameters p{{"gpus", number("gpus")}, {"hb_domain_gpus", number("hb_domain_gpus")}, {"radix", number("switch_radix")}};
            const auto optimized = planFor("rail-optimized", p), only = planFor("rail-only", p);
            QVERIFY(optimized && only);
            QCOMPARE(qint64{optimized->tiers}, want("rail_optimized_tiers"));
            QCOMPARE(qint64{optimized->switches()}, want("rail_optimized_switches"));
            QCOMPARE(qint64{optimized->links() * 2}, want("rail_optimized_transceivers"));
            QCOMPARE(qint64{only->tiers}, want("rail_only_tiers"));
            QCOMPARE(qint64{only->switches()}, want("rail_only_switches"));
            QCOMPARE(qint64{only->links() * 2}, want("rail_only_transceivers"));
            const double radix = in("switch_radix").toDouble(), ratio = in("transceiver_price_per_switch_port_price").toDouble();
            const auto cost = [&](const ClosPlan& plan) {
                return static_cast<double>(plan.switches()) * radix + static_cast<double>(plan.links()) * 2 * ratio;
            };
            const double saving = 100 * (1 - cost(*only) / cost(*optimized));
            QVERIFY(std::abs(saving - expected[QStringLiteral("saving_pct")].toDouble()) <= 0.05);
        }
    }

    // The counts that the product's own documents promise, also where no validation file is at hand.
    void knownFabrics_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QList<int>>("counts"); // tiers, leaves, spines, superspines
        QTest::newRow("SuperPOD 4 SU") << "superpod-h100"
                                       << "servers"
                                       << "128" << QList<int>{2, 32, 16, 0};
        QTest::newRow("SuperPOD 3 SU keeps 16 spines") << "superpod-h100"
                                                       << "servers"
                                                       << "95" << QList<int>{2, 24, 16, 0};
        QTest::newRow("SuperPOD 16 SU") << "superpod-h100"
                                        << "servers"
                                        << "512" << QList<int>{3, 128, 128, 64};
        QTest::newRow("SuperPOD 64 SU") << "superpod-h100"
                                        << "servers"
                                        << "2048" << QList<int>{3, 512, 512, 256};
        QTest::newRow("B300 XDR") << "superpod-b300-xdr"
                                  << "servers"
                                  << "288" << QList<int>{2, 32, 18, 0};
        QTest::newRow("AIPod") << "aipod"
                               << "servers"
                               << "2048" << QList<int>{3, 256, 512, 128};
        QTest::newRow("rail-only GH200") << "rail-only-gh200"
                                         << "servers"
                                         << "4096" << QList<int>{2, 1024, 512, 0};
        QTest::newRow("rail-only 512 GPUs, one leaf a rail") << "rail-only"
                                                             << "servers"
                                                             << "64" << QList<int>{1, 8, 0, 0};
        QTest::newRow("one leaf") << "rail-optimized"
                                  << "servers"
                                  << "8" << QList<int>{1, 1, 0, 0};
    }
    void knownFabrics() {
        QFETCH(QString, recipe);
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QList<int>, counts);
        const auto p = planFor(recipe.toStdString(), {{key.toStdString(), value.toStdString()}});
        QVERIFY2(p, p ? "" : p.error().text.c_str());
        QCOMPARE((QList<int>{p->tiers, p->leaves, p->spines, p->superspines}), counts);
    }

    void tooLargeForFourTiersNamesTheMost() {
        for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"}) {
            const auto p = planFor(recipe, {{"servers", "100000"}, {"radix", "18"}});
            QVERIFY(!p);
            const int most = std::stoi(p.error().nearest.front());
            QVERIFY2(planFor(recipe, {{"servers", std::to_string(most)}, {"radix", "18"}}), p.error().text.c_str());
            QVERIFY(!planFor(recipe, {{"servers", std::to_string(most + 8)}, {"radix", "18"}}));
        }
    }
    void planesOfAFatTreeShareEvenly() {
        QCOMPARE(planFor("fat-tree", {{"servers", "64"}, {"planes", "4"}})->leaves, 4 * 4);
        const auto p = planFor("fat-tree", {{"servers", "64"}, {"planes", "3"}});
        QVERIFY(!p);
        QCOMPARE(p.error().nearest, (std::vector<std::string>{"2", "4"}));
    }
    void networksOfRailsInPlanes() {
        QCOMPARE(planFor("rail-only", {{"servers", "256"}, {"nic_ports", "2"}, {"planes", "2"}})->networks, 16);
        QCOMPARE(planFor("rail-only", {{"servers", "256"}, {"planes", "2"}})->networks, 8); // four rails in each
    }
    void exactRuleTakesJustEnough() {
        const auto p = planFor("superpod-h100", {{"servers", "96"}, {"spine_rule", "exact"}});
        QCOMPARE(p->spines, 12);
    }
    void oversubscriptionSplitsPorts() {
        const auto p = planFor("rail-optimized", {{"servers", "84"}, {"oversubscription", "2:1"}});
        QCOMPARE(p->leafDown, 42);
        QCOMPARE(p->leafUp, 21);
        QCOMPARE(p->scalableUnits, 2);
    }

    void refusals_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<int>("exit");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("nearest");
        const auto row = [](const char* name, const char* key, const char* value, int exit, const char* code, const char* nearest) {
            QTest::newRow(name) << QString::fromLatin1(key) << QString::fromLatin1(value) << exit << QString::fromLatin1(code)
                                << QString::fromLatin1(nearest);
        };
        row("unknown key", "no_such", "1", 2, "unknown", "");
        row("not a number", "servers", "many", 2, "choice", "");
        row("zero servers", "servers", "0", 1, "range", "1");
        row("negative", "servers", "-3", 1, "range", "1");
        row("far too many", "servers", "99999999999999999999", 1, "range", "131072");
        row("radix 1", "radix", "1", 1, "range", "2");
        row("no part", "switch", "sw-qm970", 2, "unknown", "");
        row("not a switch", "switch", "srv-dgx-h100", 2, "unknown", "");
        row("speed the switch lacks", "nic_gbps", "333", 1, "ports", "");
        row("bad ratio", "oversubscription", "2", 2, "choice", "");
        row("zero ratio", "oversubscription", "0:1", 2, "choice", "");
        row("bad choice", "spine_rule", "some", 2, "choice", "");
        row("too few tiers", "tiers", "1", 1, "ports", "2");
        row("uplinks beyond the radix", "leaf_up", "33", 1, "ports", "32");
        row("more planes than NIC ports", "planes", "9", 1, "range", "8");
        row("spines beyond the leaf", "spines", "64", 1, "ports", "32");
        row("SU beyond the leaf", "su_servers", "40", 1, "multiple", "32");
        row("managers without ports", "manager_ports", "4", 1, "ports", "0");
        row("domain no multiple", "hb_domain_gpus", "12", 1, "multiple", "8 16");
    }
    void refusals() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(int, exit);
        QFETCH(QString, code);
        QFETCH(QString, nearest);
        Parameters parameters{{"servers", "128"}};
        parameters[key.toStdString()] = value.toStdString();
        const auto p = planFor("rail-optimized", parameters);
        QVERIFY(!p);
        const Error& error = p.error();
        QCOMPARE(static_cast<int>(error.kind), exit);
        QCOMPARE(QString::fromStdString(error.code), code);
        // A speed that the switch lacks is a fault of the switch.
        QCOMPARE(QString::fromStdString(error.field), key == QStringLiteral("nic_gbps") ? QStringLiteral("switch") : key);
        QStringList near;
        for (const std::string& each : error.nearest) near << QString::fromStdString(each);
        QCOMPARE(near.join(QLatin1Char(' ')), nearest);
        QVERIFY2(error.text == error.parameterText(error.field) && error.text.starts_with(error.field), error.text.c_str());
    }
    void errorsAreSpelledWithAnyName() {
        const Error error =
            Error::parameter(Error::Kind::Unbuildable, "ports", "leaf_down", "65", "a leaf has 64 ports", {"32", "64"}, "a larger radix");
        QCOMPARE(error.text, std::string("leaf_down = 65: a leaf has 64 ports; nearest values that work: 32 and 64, or a larger radix"));
        QCOMPARE(error.parameterText("Leaf downlinks"),
                 std::string("Leaf downlinks = 65: a leaf has 64 ports; nearest values that work: 32 and 64, or a larger radix"));
    }
    // 512 leaves of 32 uplinks, spines of 32 ports down: a pod holds ⌊32 · spines / 32⌋ leaves, a superspine joins 64 pods.
    void fewerSpinesHaveParallelLinks() {
        for (const int spines : {8, 15, 16, 31, 32}) {
            const auto p = planFor("superpod-h100", {{"servers", "2048"}, {"tiers", "3"}, {"spines", std::to_string(spines)}});
            QVERIFY2(p, p ? "" : p.error().text.c_str());
            QCOMPARE(p->spinesPerPod, spines);
            QCOMPARE(p->leavesPerPod, spines);
            QCOMPARE(p->podsPerNetwork, (512 + spines - 1) / spines);
            QCOMPARE(p->leafSpineLinks, std::int64_t{512 * 32});
        }
        const auto few = planFor("superpod-h100", {{"servers", "2048"}, {"tiers", "3"}, {"spines", "7"}}); // 74 pods
        QVERIFY(!few);
        QCOMPARE(static_cast<int>(few.error().kind), 1);
        QCOMPARE(few.error().field, std::string("spines"));
        const auto nearest = build({"superpod-h100", {{"servers", "2048"}, {"tiers", "3"}, {"spines", "7"}}}, "", shippedCatalog());
        QCOMPARE(nearest.error().nearest, std::vector<std::string>{"8"});
        const Parameters thin{{"servers", "8"}, {"tiers", "3"}, {"spine_radix", "4"}, {"spines", "15"}}; // 30 ports for 32 uplinks
        QCOMPARE(planFor("superpod-h100", thin).error().field, std::string("spines"));
        QCOMPARE(planFor("superpod-h100", {{"servers", "512"}, {"tiers", "3"}, {"spines", "16"}, {"leaf_up", "16"}})->leavesPerPod, 32);
        QCOMPARE(planFor("superpod-h100", {{"servers", "512"}, {"leaf_up", "16"}, {"spines", "20"}})->leafUp, 20);
        QCOMPARE(planFor("superpod-h100", {{"servers", "512"}, {"spines", "40"}}).error().nearest, std::vector<std::string>{"32"});
        // Pods that are asked for must fit as well.
        const auto pods = planFor("superpod-h100", {{"servers", "2048"}, {"tiers", "3"}, {"spines", "16"}, {"pod_servers", "128"}});
        QCOMPARE(pods.error().field, std::string("pod_servers"));
        QCOMPARE(pods.error().nearest, std::vector<std::string>{"64"});
    }
    // DGX A100 SuperPOD reference architecture, 140 nodes: 56 leaves, 80 spines in ten groups of each rail, 1,120 links in each layer.
    void parallelLinksOfTheA100SuperPod() {
        const auto p = planFor("rail-optimized", {{"server", "srv-dgx-a100-640"},
                                                  {"switch", "sw-qm8700"},
                                                  {"su_servers", "20"},
                                                  {"servers", "140"},
                                                  {"rail_scope", "per-rail"},
                                                  {"tiers", "3"},
                                                  {"spines", "10"},
                                                  {"uplinks", "used"}});
        QVERIFY(p);
        QCOMPARE((QList<int>{p->leaves, p->spines}), (QList<int>{56, 80}));
        QCOMPARE(p->hostLinks, std::int64_t{1120});
        QCOMPARE(p->leafSpineLinks, std::int64_t{1120});
        QCOMPARE(p->spineSuperLinks, std::int64_t{1120});
    }
    // 9 SUs of 8 leaves fill two pods of 32 leaves and a quarter of the third; 56 leaves of 20 uplinks (DGX A100 SuperPOD, 140
    // nodes, 1,120 published) two of 20 and 16 of the third.
    void usedUplinksOfAPartOfAPod() {
        QCOMPARE(planFor("superpod-h100", {{"servers", "288"}})->spineSuperLinks, std::int64_t{3 * 32 * 32});
        QCOMPARE(planFor("superpod-h100", {{"servers", "288"}, {"uplinks", "used"}})->spineSuperLinks, std::int64_t{32 * (32 + 32 + 8)});
        const Parameters a100{{"server", "srv-dgx-a100-640"}, {"switch", "sw-qm8700"}, {"su_servers", "20"}, {"servers", "140"}};
        QCOMPARE(planFor("rail-optimized", a100)->spineSuperLinks, std::int64_t{1200});
        Parameters used = a100;
        used["uplinks"] = "used";
        QCOMPARE(planFor("rail-optimized", used)->spineSuperLinks, std::int64_t{1120});
    }
    // Uplinks of another speed: every pair of ports is tried here.
    void mixedSpeedsKeepTheRatio_data() {
        QTest::addColumn<int>("down");
        QTest::addColumn<int>("up");
        QTest::addColumn<int>("gbps");
        QTest::addColumn<int>("portsUp");
        for (const auto& [gbps, portsUp] : {std::pair(800, 64), std::pair(200, 256)})
            for (const auto& [down, up] : {std::pair(1, 1), std::pair(2, 1), std::pair(3, 2), std::pair(7, 3), std::pair(1, 2)})
                QTest::addRow("%d:%d at %d", down, up, gbps) << down << up << gbps << portsUp;
    }
    void mixedSpeedsKeepTheRatio() {
        QFETCH(int, down);
        QFETCH(int, up);
        QFETCH(int, gbps);
        QFETCH(int, portsUp);
        int mostDown = 0, fewestUp = 0; // SN5600: 51.2 Tb/s, 128 ports of 400G
        for (int d = 1; d <= 128; ++d)
            for (int u = portsUp; u >= 1; --u)
                if (d * 400 + u * gbps <= 51200 && u * gbps * down >= d * 400 * up) mostDown = d, fewestUp = u;
        const auto settings = resolve({"rail-optimized",
                                       {{"switch", "sw-sn5600"},
                                        {"uplink_gbps", std::to_string(gbps)},
                                        {"oversubscription", std::to_string(down) + ":" + std::to_string(up)}}},
                                      *shippedCatalog());
        QVERIFY2(settings, settings ? "" : settings.error().text.c_str());
        QCOMPARE(settings->leafDown, mostDown);
        QCOMPARE(settings->leafUp, fewestUp);
        if (down == 1 && up == 1 && gbps == 800) QCOMPARE((std::pair(mostDown, fewestUp)), (std::pair(64, 32)));
    }
    void uplinksNeedPortsOfTheirSpeed() {
        const auto p = planFor("rail-optimized", {{"servers", "64"}, {"spine_switch", "sw-q3400-ra"}, {"uplink_gbps", "800"}});
        QVERIFY(!p);
        QCOMPARE(p.error().field, std::string("uplink_gbps")); // the leaf has 400G and 200G
        QVERIFY(!planFor("rail-optimized",
                         {{"servers", "64"}, {"switch", "sw-sn5600"}, {"nic_gbps", "100"}, {"leaf_down", "256"}, {"leaf_up", "256"}}));
    }
    // 32 servers are what a leaf of 64 ports holds; the SU of another switch is what that one holds, unless it is stated.
    void theSuOfAPresetIsThatOfItsSwitch() {
        QCOMPARE(planFor("superpod-h100", {{"servers", "256"}, {"switch", "sw-qm9700"}})->suServers, 32);
        const auto other = planFor("superpod-h100", {{"servers", "256"}, {"switch", "sw-sn5600"}});
        QCOMPARE(other->suServers, 64);
        QCOMPARE(other->switches(), std::int64_t{48});
        QCOMPARE(planFor("superpod-h100", {{"servers", "256"}, {"switch", "sw-sn5600"}, {"su_servers", "32"}})->switches(),
                 std::int64_t{96});
    }
    void neighboursOfASmallNumberAreNamedOnce() {
        const auto p = planFor("rail-optimized", {{"servers", "1"}, {"hb_domain_gpus", "16"}});
        QCOMPARE(p.error().nearest, std::vector<std::string>{"2"});
    }
    void gpusThatAreNoMultipleNameBothNeighbours() {
        const auto p = planFor("rail-only", {{"gpus", "1000"}, {"hb_domain_gpus", "64"}});
        QVERIFY(!p);
        QCOMPARE(p.error().nearest, (std::vector<std::string>{"960", "1024"}));
    }
    // What fits one leaf a network takes all its ports: leaf ports and SUs of larger fabrics do not refuse it.
    void oneTierIgnoresLeafPortsAndSus() {
        for (const Parameters& parameters :
             {Parameters{{"servers", "6"}, {"leaf_down", "4"}}, Parameters{{"servers", "4"}, {"su_servers", "100"}}}) {
            const auto p = planFor("fat-tree", parameters);
            QVERIFY2(p, p ? "" : p.error().text.c_str());
            QCOMPARE(p->tiers, 1);
            QCOMPARE(p->switches(), std::int64_t{1});
        }
        QCOMPARE(planFor("rail-only", {{"gpus", "128"}, {"hb_domain_gpus", "128"}, {"rails", "2"}})->switches(), std::int64_t{2});
        QVERIFY(!planFor("fat-tree", {{"servers", "6"}, {"leaf_down", "4"}, {"tiers", "2"}}));
    }
    // Whatever is refused with one error and a value that works: with that value it builds. Nothing below 1 is ever named.
    void namedValuesWork() {
        test::Random random{11};
        const std::vector<std::pair<std::string, std::vector<std::string>>> settings{{"servers", {"0", "1", "7", "100", "520", "5000"}},
                                                                                     {"rails", {"0", "3", "5", "9", "auto"}},
                                                                                     {"radix", {"1", "3", "8", "64", "128"}},
                                                                                     {"spine_radix", {"1", "2", "3", "8", "128"}},
                                                                                     {"tiers", {"0", "1", "2", "3", "5"}},
                                                                                     {"oversubscription", {"2:1", "64:1", "100:1", "1:3"}},
                                                                                     {"leaf_down", {"0", "1", "16", "64", "65"}},
                                                                                     {"leaf_up", {"-1", "0", "8", "64"}},
                                                                                     {"core_oversubscription", {"2:1", "99:1"}},
                                                                                     {"uplink_gbps", {"-5", "0", "200", "800", "1600"}},
                                                                                     {"su_servers", {"0", "3", "33", "64"}},
                                                                                     {"pod_servers", {"0", "1", "1000"}},
                                                                                     {"planes", {"0", "2", "3", "9", "64"}},
                                                                                     {"manager_ports", {"2", "64", "1000"}},
                                                                                     {"spines", {"0", "1", "3", "64"}},
                                                                                     {"nic_ports", {"0", "2", "9"}},
                                                                                     {"hb_domain_gpus", {"0", "4", "12", "64", "256"}},
                                                                                     {"gpus_per_server", {"0", "2", "3"}},
                                                                                     {"nics_per_server", {"0", "2", "9"}},
                                                                                     {"rail_scope", {"per-rail"}},
                                                                                     {"uplinks", {"used"}},
                                                                                     {"nic_gbps", {"0", "50", "800"}}};
        int refused = 0;
        for (int i = 0; i < 4000; ++i) {
            RecipeCall call{std::vector<std::string>{"rail-optimized", "rail-only", "fat-tree", "superpod-b300", "meta-24k",
                                                     "hpn-pod"}[static_cast<std::size_t>(random.below(6))],
                            {}};
            for (int n = 1 + random.below(4); n > 0; --n) {
                const auto& [key, values] = settings[static_cast<std::size_t>(random.below(static_cast<int>(settings.size())))];
                call.parameters[key] = values[static_cast<std::size_t>(random.below(static_cast<int>(values.size())))];
            }
            const auto built = resolve(call, *shippedCatalog());
            const auto planned = built ? plan(*built) : Result<ClosPlan>(built.errors());
            if (planned) continue;
            const auto errors = withRemediesThatWork(call, *shippedCatalog(), planned.errors());
            for (const Error& error : errors) QVERIFY2(error.text.find(": -") == std::string::npos, error.text.c_str());
            const Error& error = errors.front();
            if (errors.size() > 1 || error.nearest.empty()) continue;
            ++refused;
            call.parameters[error.field] = error.nearest.front();
            const auto again = resolve(call, *shippedCatalog());
            QVERIFY2(again && plan(*again), error.text.c_str());
        }
        QVERIFY(refused > 500);
    }
    void everyErrorIsReported() {
        const auto settings = resolve({"rail-optimized", {{"a", "1"}, {"b", "2"}, {"servers", "x"}}}, *shippedCatalog());
        QVERIFY(!settings);
        QCOMPARE(settings.errors().size(), std::size_t{3});
    }
};

QTEST_GUILESS_MAIN(tst_recipe)
#include "tst_recipe.moc"
