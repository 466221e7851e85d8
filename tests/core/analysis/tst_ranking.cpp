// Which of the fabrics that meet the requirements are shown, in which order, and with which reasons.
#include "tests/support/candidates.h"

#include <map>
#include <set>

using namespace railyard;
using namespace railyard::test;

class tst_ranking : public QObject {
    Q_OBJECT

private slots:
    // Figures that differ do not read as if they were equal.
    void missesShowTheDifference() {
        Requirements asked;
        asked.gpus = 2048;
        asked.bisection = 0.99995;
        asked.oversubscription = "4:1";
        asked.budget = Money::dollars(7e6);
        const Ranking none = rankingOf(asked);
        QVERIFY(none.nearestMiss);
        asked.budget.reset();
        asked.power = Watts(rankingOf(asked).candidates.front().found.instant->bill.facilityPower()->value() - 0.3);
        const Ranking close = rankingOf(asked);
        for (const Miss& miss : close.nearestMiss->misses) QVERIFY2(miss.text.find(" 0 W above") == std::string::npos, miss.text.c_str());
    }
    // Half of a network may have no price. What is known of its cost must fit, and the title says what is not.
    void budgetsSayWhatTheyLeaveOut() {
        Requirements asked;
        asked.gpus = 1024;
        asked.server = "srv-dgx-b300";
        asked.budget = Money::dollars(1e9);
        const Ranking some = rankingOf(asked);
        QVERIFY(!some.candidates.empty());
        QVERIFY2(some.title.find("; the budget leaves out parts without a price, such as ") != std::string::npos, some.title.c_str());
        asked.switchId = "sw-sn6600"; // has none itself
        QVERIFY(rankingOf(asked).candidates.empty());
        asked.switchId.clear();
        asked.budget.reset(); // no claim of costs either
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.size() > 1);
        QVERIFY2(ranking.title.find("saves") == std::string::npos && ranking.title.find("costs") == std::string::npos,
                 ranking.title.c_str());
        for (const RankedCandidate& each : ranking.candidates)
            for (const std::string& reason : each.reasons) QVERIFY2(reason.find("cost") == std::string::npos, reason.c_str());
    }
    // The cheapest of all is found whatever its layout.
    void fatTreesHaveRatiosToo() {
        Requirements asked;
        asked.gpus = 1000;
        asked.server = "srv-mi300x-8";
        asked.bisection = 0.25;
        const RankedCandidate cheapest = rankingOf(asked).candidates.front();
        QCOMPARE(cheapest.found.best->call.name, std::string("fat-tree"));
        QVERIFY(cheapest.found.instant->counts.switches < 26); // of rail-only 4:1
    }
    // What is best at something alone is shown, and a reason that nearly all share is none.
    void theBestAreShown() {
        for (const auto& [gpus, server] : {std::pair(1288, "srv-dgx-b200"), {1360, "srv-mi300x-8"}, {512, "srv-dgx-b300"}, {1024, ""}}) {
            Requirements asked;
            asked.gpus = gpus;
            asked.server = server;
            if (gpus == 512) asked.settings["nic_ports"] = "2";
            asked.most = 20;
            double bisection = 0, allToAll = 1e9;
            for (const RankedCandidate& each : rankingOf(asked).candidates) {
                bisection = std::max(bisection, bisectionOf(each));
                allToAll = std::min(allToAll, figuresOf(each.found).allToAll);
            }
            asked.most = 5;
            const std::vector<RankedCandidate> shown = rankingOf(asked).candidates;
            QVERIFY(std::any_of(shown.begin(), shown.end(), [&](const auto& each) { return bisectionOf(each) == bisection; }));
            QVERIFY(std::any_of(shown.begin(), shown.end(), [&](const auto& each) { return figuresOf(each.found).allToAll == allToAll; }));
            std::map<std::string, std::size_t> holders;
            for (const RankedCandidate& each : shown)
                for (const std::string& reason : each.reasons) ++holders[reason];
            for (const auto& [reason, count] : holders) QVERIFY2(4 * count <= 3 * shown.size(), reason.c_str());
        }
    }
    // Of a recipe that others beat, its cheapest.
    void theBeatenOneIsTheCheapestOfItsRecipe() {
        Requirements asked;
        asked.gpus = 1120;
        asked.server = "srv-gh200-nvl32";
        asked.bisection = 0.9;
        const Ranking ranking = rankingOf(asked);
        std::size_t railOptimized = 0;
        for (const RankedCandidate& each : ranking.candidates)
            if (each.found.best->call.name == "rail-optimized" && ++railOptimized) QVERIFY(each.found.instant->counts.switches <= 37);
        QCOMPARE(railOptimized, std::size_t{1});
    }
    // All fabrics of a size train the same job, or their steps say nothing.
    void candidatesOfASizeTrainOneJob() {
        struct Case {
            int gpus;
            const char *server, *model;
            double days;
        };
        for (const Case& each : {Case{512, "srv-dgx-b300", "llama3-70b", 4},
                                 {256, "srv-dgx-a100-640", "llama3-70b", 500},
                                 {64, "srv-dgx-h100", "llama3-8b", 100}}) {
            Requirements asked;
            asked.gpus = each.gpus;
            asked.server = each.server;
            if (each.gpus == 512) asked.settings["nic_ports"] = "2";
            asked.training = {{"model", each.model}};
            asked.days = each.days;
            asked.most = 20;
            const Ranking ranking = rankingOf(asked);
            QVERIFY2(ranking.candidates.size() > 1, each.model);
            std::set<ParameterTexts> jobs;
            for (const RankedCandidate& one : ranking.candidates) jobs.insert(one.found.fabric->design->training->options);
            QCOMPARE(jobs.size(), std::size_t{1});
        }
    }
    // A compromise gains something over all that cost less.
    void compromisesSayWhatTheyGain() {
        for (const int gpus : {1024, 1200, 2032}) {
            Requirements asked;
            asked.gpus = gpus;
            asked.most = 20;
            double bisection = 0;
            std::size_t compromises = 0;
            for (const RankedCandidate& each : rankingOf(asked).candidates) {
                for (const std::string& reason : each.reasons)
                    if (reason.starts_with("bisection between servers ") && ++compromises)
                        QVERIFY2(bisectionOf(each) > bisection, reason.c_str());
                bisection = std::max(bisection, bisectionOf(each));
            }
            QVERIFY(compromises > 0);
        }
    }
    // The nearest miss is a fabric that one would build, and its numbers differ from those that are asked for.
    void missesAreUsual() {
        Requirements asked;
        asked.gpus = 1024;
        asked.intervalHours = 100;
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.empty() && ranking.nearestMiss);
        QVERIFY2(ranking.nearestMiss->found.instant->oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)] <= 4 + 1e-9,
                 ranking.nearestMiss->name.c_str());
        asked.intervalHours = *ranking.nearestMiss->found.background->interrupts.meanTimeHours * 1.0001;
        const Ranking close = rankingOf(asked);
        const std::string text = close.nearestMiss ? close.nearestMiss->misses.front().text : std::string();
        const std::size_t every = text.find("every "), limit = text.find("limit is ");
        QVERIFY2(every != std::string::npos && limit != std::string::npos, text.c_str());
        QVERIFY(std::stod(text.substr(every + 6)) < std::stod(text.substr(limit + 9)));
    }
    // The largest stays, and equal sizes are told apart by something else.
    void theLargestIsShown() {
        Requirements asked;
        asked.power = Watts(1.25e6);
        asked.server = "srv-dgx-b200";
        std::int64_t largest = 0;
        for (const std::size_t most : {20, 5, 2}) {
            asked.most = most;
            const std::vector<RankedCandidate> shown = rankingOf(asked).candidates;
            largest = std::max(largest, shown.front().found.instant->counts.gpus);
            QCOMPARE(shown.front().found.instant->counts.gpus, largest);
            for (const RankedCandidate& each : shown)
                for (const std::string& reason : each.reasons)
                    QVERIFY2(reason.find(" 0.0 % fewer GPUs") == std::string::npos, reason.c_str());
        }
    }
    // Cables with fixed ends replace transceivers, and may cost as much.
    void unpricedCopperIsNamed() {
        Requirements asked;
        asked.gpus = 144;
        asked.server = "srv-dgx-h200";
        asked.switchId = "sw-sn5600";
        asked.settings["medium"] = "by-length";
        asked.budget = Money::dollars(5e6);
        const Ranking ranking = rankingOf(asked);
        QVERIFY(!ranking.candidates.empty());
        QVERIFY2(ranking.title.find("such as ") != std::string::npos && ranking.title.find("saves") == std::string::npos,
                 ranking.title.c_str());
    }
    void candidatesDifferAndHaveReasons_data() {
        QTest::addColumn<int>("gpus");
        QTest::addColumn<QByteArray>("server");
        for (const int gpus : {64, 512, 2048, 4096}) QTest::addRow("%d", gpus) << gpus << QByteArray("srv-dgx-b200");
        QTest::newRow("NICs of 800 Gb/s") << 1024 << QByteArray("srv-dgx-b300");
        QTest::newRow("racks of 72") << 576 << QByteArray("srv-gb200-tray");
    }
    void candidatesDifferAndHaveReasons() {
        QFETCH(int, gpus);
        QFETCH(QByteArray, server);
        Requirements asked;
        asked.gpus = gpus;
        asked.server = server.toStdString();
        const Ranking ranking = rankingOf(asked);
        QVERIFY(!ranking.candidates.empty() && ranking.candidates.size() <= 5);
        std::set<std::string> names;
        std::set<std::vector<double>> figures;
        for (const RankedCandidate& each : ranking.candidates) {
            QVERIFY2(!each.reasons.empty(), each.name.c_str());
            QVERIFY(each.misses.empty());
            QVERIFY(names.insert(each.name).second);
            QCOMPARE(each.found.instant->counts.gpus, std::int64_t{gpus});
            const double allToAll = each.found.background->collectives[1].result->best.time.value();
            const auto switches = static_cast<double>(each.found.instant->counts.switches);
            QVERIFY2(figures.insert({switches, costOf(each), bisectionOf(each), allToAll}).second, each.name.c_str());
        }
        for (std::size_t i = 1; i < ranking.candidates.size(); ++i)
            QVERIFY(costOf(ranking.candidates[i - 1]) <= costOf(ranking.candidates[i]));
    }
    // Where no switch has a price, nothing is said of costs, and no number comes of dividing by them.
    void withoutPricesNothingIsSaidOfThem() {
        Requirements asked;
        asked.gpus = 2048;
        asked.vendor = "alibaba";
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.size() > 1);
        QVERIFY2(ranking.title.find("cost") == std::string::npos && ranking.hint.find("$0") == std::string::npos, ranking.title.c_str());
        double switches = 0;
        for (const RankedCandidate& each : ranking.candidates) {
            for (const std::string& reason : each.reasons)
                QVERIFY2(reason.find("nan") == std::string::npos && reason.find("cost") == std::string::npos, reason.c_str());
            const double own = figuresOf(each.found).switches;
            QVERIFY(own >= switches);
            switches = own;
        }
    }
};

QTEST_GUILESS_MAIN(tst_ranking)
#include "tst_ranking.moc"
