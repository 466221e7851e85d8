#include "tests/support/candidates.h"

using namespace railyard;
using namespace railyard::test;

class tst_asked_parts : public QObject {
    Q_OBJECT

private slots:
    // Of every network, as the option says.
    void linkLimitsHoldForAllNetworks() {
        Requirements asked;
        asked.gpus = 256;
        asked.server = "srv-dgx-a100-640";
        asked.link = gigabitsPerSecond(200);
        asked.settings = {{"storage", "on"}, {"storage_gbps", "200"}};
        QVERIFY(!rankingOf(asked).candidates.empty());
        asked.settings["storage_gbps"] = "400";
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.empty());
        QCOMPARE(ranking.nearestMiss->misses.front().requirement, std::string("link"));
    }
    void vendorsThatHaveNothing() {
        Requirements asked;
        asked.gpus = 1024;
        asked.server = "srv-dgx-b300";
        asked.vendor = "Alibaba";
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.empty());
        QCOMPARE(ranking.nearestMiss->misses.size(), std::size_t{1});
        QCOMPARE(ranking.nearestMiss->misses.front().requirement, std::string("vendor"));
        QVERIFY2(ranking.nearestMiss->misses.front().text.ends_with("ports of 800 Gb/s"), ranking.nearestMiss->misses.front().text.c_str());
        asked.gpus.reset();
        asked.days = 30;
        asked.training = {{"model", "llama3-70b"}};
        QCOMPARE(rankingOf(asked).nearestMiss->misses.front().requirement, std::string("vendor"));
        asked.days.reset();
        asked.gpus = 1024;
        asked.server.clear();
        asked.vendor = "Arista"; // which has switches, but none with these uplinks
        asked.settings["uplink_gbps"] = "1600";
        QVERIFY(rankingOf(asked).nearestMiss->misses.front().text.find("no switch of") == std::string::npos);
        asked.switchId = "sw-q3400-ra"; // of another vendor
        QVERIFY(!candidatesFor(asked, shippedCatalog(), {}));
    }
    // A part that is missing is no size.
    void theBindingPartIsNamed() {
        Requirements asked;
        asked.gpus = 64;
        asked.switchId = "sw-q3450-ld"; // without ports of 400 Gb/s
        QCOMPARE(rankingOf(asked).nearestMiss->misses.front().requirement, std::string("switch"));
        asked.switchId.clear();
        asked.server = "srv-hgx-h200";
        asked.power = Watts(2e6);
        const Miss miss = rankingOf(asked).nearestMiss->misses.front();
        QVERIFY2(miss.requirement == "power" && miss.text.find("srv-hgx-h200") != std::string::npos, miss.text.c_str());
    }
    // A NIC whose port is split, or that is faster than usual, gets a switch with such ports.
    void switchesFollowTheSettingsOfNics() {
        for (const auto& [server, key, value] : {std::tuple("srv-dgx-h100", "nic_gbps", "800"), {"srv-dgx-b300", "nic_ports", "2"}}) {
            Requirements asked;
            asked.gpus = 512;
            asked.server = server;
            asked.settings = {{key, value}};
            const Ranking ranking = rankingOf(asked);
            QVERIFY2(!ranking.candidates.empty(), key);
            for (const RankedCandidate& each : ranking.candidates) {
                const RecipeSettings& settings = each.found.best->settings;
                QVERIFY(settings.leafSwitch->as<SwitchPart>()->portsAt(settings.linkSpeed) > 0);
            }
        }
        for (const char* key : {"gpus", "server", "planes", "tiers", "oversubscription"}) {
            Requirements asked;
            asked.gpus = 512;
            asked.settings = {{key, "2"}};
            QVERIFY2(!candidatesFor(asked, shippedCatalog(), {}), key);
        }
    }
};

QTEST_GUILESS_MAIN(tst_asked_parts)
#include "tst_asked_parts.moc"
