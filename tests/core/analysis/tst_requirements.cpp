#include "core/analysis/option_sections.h"
#include "tests/support/candidates.h"

#include <cmath>
#include <set>

using namespace railyard;
using namespace railyard::test;

class tst_requirements : public QObject {
    Q_OBJECT

private slots:
    // The usual model is divided where it does not fit, as if it were stated.
    void theUsualModelIsDividedToo() {
        Requirements asked;
        asked.gpus = 64;
        const auto usual = figuresOf(rankingOf(asked).candidates.front().found);
        asked.training = {{"model", "llama3-70b"}};
        const auto stated = figuresOf(rankingOf(asked).candidates.front().found);
        QVERIFY(std::isfinite(usual.trainingDays));
        QCOMPARE(usual.trainingDays, stated.trainingDays);
    }
    // Unknown is not free.
    void budgetNeedsPrices() {
        Requirements asked;
        asked.budget = Money::dollars(1);
        asked.switchId = "sw-sn6600";
        QVERIFY(rankingOf(asked).candidates.empty());
    }
    // Over all leaves as drawn, which the name repeats.
    void ratiosStayWithinTheLimit() {
        for (const auto& [gpus, bisection, ratio] : {std::tuple(512, 0.8, 4), {608, 0.6, 2}, {768, 0.3, 4}, {1032, 0.5, 2}}) {
            Requirements asked;
            asked.gpus = gpus;
            asked.bisection = bisection;
            asked.oversubscription = std::to_string(ratio) + ":1";
            asked.most = 20;
            const Ranking ranking = rankingOf(asked);
            QVERIFY(!ranking.candidates.empty());
            for (const RankedCandidate& each : ranking.candidates) {
                QVERIFY(each.found.instant->oversubscription[static_cast<std::size_t>(SwitchTier::Leaf)] <= ratio + 1e-9);
                const std::size_t colon = each.name.find(':'), before = each.name.rfind(' ', colon);
                if (colon != std::string::npos)
                    QVERIFY2(std::stod(each.name.substr(before)) / std::stod(each.name.substr(colon + 1)) <= ratio + 1e-9,
                             each.name.c_str());
            }
        }
    }
    // By days a size is the smallest that ends in time: a smaller one is no advice. The title says what the cheapest has more of.
    void sizesByDaysAreNotMadeSmaller() {
        Requirements asked;
        asked.training = {{"model", "llama3-70b"}, {"tokens", "1e12"}};
        asked.days = 4.5;
        asked.oversubscription = "1:1";
        QVERIFY(!rankingOf(asked).candidates.empty());
        QCOMPARE(rankingOf(asked).hint, std::string());
        asked.oversubscription.clear();
        asked.training = {{"model", "deepseek-v3"}, {"tokens", "3e12"}};
        asked.days = 30;
        const std::string title = rankingOf(asked).title; // of 1,152 and 1,024 GPUs
        QVERIFY2(title.find(", has 128 more GPUs and gives up ") != std::string::npos, title.c_str());
    }
    void largestSizesSaySo() {
        Requirements asked;
        asked.power = Watts(1e12);
        asked.oversubscription = "1:1";
        asked.settings["gpus_per_server"] = "8";
        const std::string title = rankingOf(asked).title;
        QVERIFY2(title.ends_with("sizes above 262,144 GPUs are not tried"), title.c_str());
    }
    // Fabrics within what is asked for are found, whatever ratio they need.
    void limitsSetTheRatios() {
        Requirements asked;
        asked.gpus = 2048;
        for (const auto& [bisection, millions] : {std::pair(0.5, 5.4), {0.6, 5.8}}) {
            asked.bisection = bisection;
            asked.budget = Money::dollars(millions * 1e6);
            const Ranking ranking = rankingOf(asked);
            QVERIFY(!ranking.candidates.empty());
            for (const RankedCandidate& each : ranking.candidates)
                QVERIFY(bisectionOf(each) >= bisection && costOf(each) <= millions * 1e6);
        }
        asked.budget.reset();
        asked.bisection = 0.5;
        asked.oversubscription = "2:1";
        QVERIFY(costOf(rankingOf(asked).candidates.front()) < 5.4e6);
        QCOMPARE(rankingOf(asked).candidates.front().found.best->call.name, std::string("rail-only"));
    }
    // What is offered at a lower floor, and has more, is offered at that floor too, or something cheaper.
    void higherFloorsFindWhatLowerOnesDid() {
        for (const auto& [gpus, server] : {std::pair(1152, "srv-dgx-h100"), {2048, ""}, {5760, "srv-gb200-tray"}, {1152, "srv-gaudi3-8"}}) {
            Requirements asked;
            asked.gpus = gpus;
            asked.server = server;
            asked.bisection = 0.3;
            for (const RankedCandidate& known : rankingOf(asked).candidates) {
                Requirements higher = asked;
                higher.bisection = bisectionOf(known);
                const Ranking found = rankingOf(higher);
                QVERIFY(!found.candidates.empty());
                const auto switchesOf = [](const RankedCandidate& each) { return each.found.instant->counts.switches; };
                const auto fewest = std::min_element(found.candidates.begin(), found.candidates.end(),
                                                     [&](const auto& a, const auto& b) { return switchesOf(a) < switchesOf(b); });
                QVERIFY2(switchesOf(*fewest) <= switchesOf(known), (known.name + " " + std::to_string(*higher.bisection)).c_str());
            }
        }
    }
    void looseRatiosMayHaveTheBisection() {
        struct Case {
            int gpus;
            const char* server;
            double bisection, dollars;
        };
        for (const Case& each : {Case{2048, "", 0.53, 5.4e6},
                                 {1152, "", 0.56, 3'057'381},
                                 {4096, "", 0.62, 11'264'313},
                                 {5760, "srv-gb200-tray", 0.4, 13e6},
                                 {1152, "srv-gaudi3-8", 0.55, 1'882'057},
                                 {3072, "srv-dgx-b300", 0.4, 4'048'354}}) {
            Requirements asked;
            asked.gpus = each.gpus;
            asked.server = each.server;
            asked.bisection = each.bisection;
            asked.budget = Money::dollars(each.dollars);
            const Ranking found = rankingOf(asked);
            QVERIFY2(!found.candidates.empty(), std::to_string(each.gpus).c_str());
            for (const RankedCandidate& one : found.candidates)
                QVERIFY(bisectionOf(one) >= each.bisection - 1e-9 && costOf(one) <= each.dollars);
        }
    }
    // Without a stated size it is the largest within all limits.
    void severalLimitsHoldTogether() {
        Requirements asked;
        asked.power = Watts(4e6);
        asked.budget = Money::dollars(1e6);
        const Ranking cheap = rankingOf(asked);
        QVERIFY(!cheap.candidates.empty());
        for (const RankedCandidate& each : cheap.candidates)
            QVERIFY(costOf(each) <= 1e6 && each.found.instant->bill.facilityPower()->value() <= 4e6);
        asked.power.reset();
        asked.budget = Money::dollars(20e6);
        asked.intervalHours = 20;
        const Ranking calm = rankingOf(asked);
        QVERIFY(!calm.candidates.empty());
        for (const RankedCandidate& each : calm.candidates) {
            QVERIFY(*each.found.background->interrupts.meanTimeHours >= 20);
            QVERIFY(each.found.instant->counts.gpus > 3300); // 3,520 are interrupted every 19.7 h
        }
        asked.budget = Money::dollars(100);
        QCOMPARE(rankingOf(asked).nearestMiss->misses.front().requirement, std::string("budget"));
    }
    // The power of a facility follows from how it is cooled.
    void optionsOfTheDocumentCount() {
        Requirements asked;
        asked.power = Watts(2e6);
        const auto largest = [&] {
            std::int64_t most = 0;
            for (const RankedCandidate& each : rankingOf(asked).candidates) most = std::max(most, each.found.instant->counts.gpus);
            return most;
        };
        const std::int64_t usual = largest();
        const auto with = [](const char* key, const char* value) {
            return [=](Design design) { return withOptions(std::move(design), {{key, value}}); };
        };
        asked.change = with("bill.pue", "1.05");
        QVERIFY(largest() > usual);
        asked.change = with("bill.colour", "red");
        QVERIFY(!candidatesFor(asked, shippedCatalog(), {}));
    }
    // A job that ends in time only with another division than the usual one, at sizes where that does not fit or is too slow.
    void fewestGpusInTime() {
        Requirements asked;
        asked.server = "srv-dgx-h100";
        asked.training = {{"model", "llama3-70b"}, {"tokens", "300e9"}};
        asked.days = 166.4;
        const Ranking ranking = rankingOf(asked);
        QVERIFY(!ranking.candidates.empty());
        for (const RankedCandidate& each : ranking.candidates) {
            QCOMPARE(each.found.best->settings.gpus(), 24);
            QVERIFY(each.found.background->training->estimate->days() <= 166.4);
        }
        asked.gpus = 16;
        QVERIFY(rankingOf(asked).candidates.empty());
        asked.gpus = 112; // the usual division takes 33 days
        asked.days = 30;
        QVERIFY(!rankingOf(asked).candidates.empty());
    }
    // The limit that is named helps when it alone is loosened by what is missing, and a little less does not.
    void theBindingLimitBinds() {
        for (const auto& [gpus, bisection, budget] : {std::tuple(1704, 1.0, 2'556'000.0), {1784, 0.5, 2'676'000.0}}) {
            Requirements asked;
            asked.server = "srv-dgx-h100";
            asked.gpus = gpus;
            asked.bisection = bisection;
            asked.budget = Money::dollars(budget);
            const Ranking ranking = rankingOf(asked);
            QVERIFY(ranking.candidates.empty() && ranking.nearestMiss);
            QCOMPARE(ranking.nearestMiss->misses.size(), std::size_t{1});
            QCOMPARE(ranking.nearestMiss->misses.front().requirement, std::string("budget"));
            const double needed = figuresOf(ranking.nearestMiss->found).cost;
            asked.budget = Money::dollars(std::ceil(needed));
            QVERIFY(!rankingOf(asked).candidates.empty());
            asked.budget = Money::dollars(needed * 0.99);
            QVERIFY(rankingOf(asked).candidates.empty());
        }
    }
    // A division that was found for one size says nothing about the global batch of another.
    void daysDoNotFixTheBatch() {
        Requirements asked;
        asked.days = 40;
        asked.server = "srv-dgx-b200";
        asked.training = {{"model", "llama3-405b"}, {"tokens", "1e12"}};
        const Ranking ranking = rankingOf(asked);
        QVERIFY(!ranking.candidates.empty());
        for (const RankedCandidate& each : ranking.candidates) QVERIFY(each.found.instant->counts.gpus < 2048);
    }
    void limitsHold() {
        Requirements asked;
        asked.gpus = 2048;
        asked.bisection = 0.9;
        const Ranking strict = rankingOf(asked);
        for (const RankedCandidate& each : strict.candidates) QVERIFY2(bisectionOf(each) >= 0.9, each.name.c_str());
        QVERIFY(strict.nearestMiss && strict.nearestMiss->misses.front().requirement == "bisection");
        QVERIFY(bisectionOf(*strict.nearestMiss) < 0.9);
        asked.budget = Money::dollars(costOf(strict.candidates.front()) - 1);
        for (const RankedCandidate& each : rankingOf(asked).candidates) QVERIFY(each.name != strict.candidates.front().name);
        asked.budget = Money::dollars(1000);
        const Ranking none = rankingOf(asked);
        QVERIFY(none.candidates.empty() && none.nearestMiss && !none.nearestMiss->misses.empty());
        QVERIFY2(none.title.ends_with(": " + none.nearestMiss->misses.front().text), none.title.c_str());
    }
    void sizesFollowFromPowerBudgetAndDays() {
        Requirements power;
        power.power = Watts(2e6);
        for (const RankedCandidate& each : rankingOf(power).candidates) QVERIFY(each.found.instant->bill.facilityPower()->value() <= 2e6);
        Requirements budget;
        budget.budget = Money::dollars(5e6);
        for (const RankedCandidate& each : rankingOf(budget).candidates) QVERIFY(costOf(each) <= 5e6);
        for (const double millions : {1.0, 2.0, 7.0, 10.0, 20.0, 33.0}) { // three to five, and a row names only what stands there
            budget.budget = Money::dollars(millions * 1e6);
            const std::vector<RankedCandidate> rows = rankingOf(budget).candidates;
            QVERIFY2(rows.size() >= 3 && rows.size() <= 5, qPrintable(QStringLiteral("%1: %2").arg(millions).arg(rows.size())));
            std::set<std::string> names;
            for (const RankedCandidate& each : rows) names.insert(each.name);
            QCOMPARE(names.size(), rows.size());
            for (const RankedCandidate& each : rows)
                for (const std::string& reason : each.reasons)
                    for (const auto& [before, after] : {std::pair(std::string("no better than "), std::string(" in any figure")),
                                                        {std::string(" GPUs than "), std::string(", with no more bisection")}}) {
                        const std::size_t from = reason.find(before), to = reason.find(after);
                        if (from == std::string::npos || to == std::string::npos) continue;
                        const std::size_t name = from + before.size();
                        QVERIFY2(names.contains(reason.substr(name, to - name)), reason.c_str());
                    }
        }
        // Of two of one size the cheaper one is not taken for a repetition.
        power.power = Watts(1e6);
        const std::vector<RankedCandidate> ofPower = rankingOf(power).candidates;
        QVERIFY(std::any_of(ofPower.begin(), ofPower.end(), [](const RankedCandidate& each) { return each.name == "Rail-only"; }));
        Requirements days;
        days.training = {{"model", "llama3-8b"}, {"tokens", "100000000000"}};
        days.days = 10;
        const Ranking ranking = rankingOf(days);
        QVERIFY(!ranking.candidates.empty());
        for (const RankedCandidate& each : ranking.candidates) {
            QVERIFY(each.found.background->training->estimate->days() <= 10);
            QVERIFY(each.found.instant->counts.gpus < 1024); // no more than it needs
        }
    }
    // Managers have no port on full leaves at the sizes at which a division is sought; the model is divided all the same.
    void modelsAreDividedWithManagers() {
        Requirements asked;
        asked.gpus = 2048;
        asked.server = "srv-dgx-b200";
        asked.training = {{"model", "deepseek-v3"}};
        asked.settings["manager_ports"] = "2";
        const Ranking ranking = rankingOf(asked);
        QVERIFY(!ranking.candidates.empty());
        for (const RankedCandidate& each : ranking.candidates) QVERIFY(each.found.background->training->estimate->isFeasible());
    }
    // Below the usual ratios: a limit more must not find what one less does not.
    void thinFabricsWhereNothingElseFits() {
        Requirements asked;
        asked.gpus = 1024;
        asked.budget = Money::dollars(2.1e6);
        const Ranking few = rankingOf(asked);
        QVERIFY(!few.candidates.empty());
        for (const RankedCandidate& each : few.candidates) QVERIFY(costOf(each) <= 2.1e6);
        asked.oversubscription = "4:1"; // which these exceed
        QVERIFY(rankingOf(asked).candidates.empty());
        asked.oversubscription.clear();
        asked.budget = Money::dollars(1e9);
        for (const RankedCandidate& each : rankingOf(asked).candidates) QVERIFY(each.name.find(" 8:1") == std::string::npos);
    }
    void limitsAtBothEnds() {
        Requirements asked;
        asked.gpus = 1024;
        asked.oversubscription = "1:2"; // no layout has fewer downlinks than uplinks
        const Ranking none = rankingOf(asked);
        QVERIFY(none.candidates.empty() && none.nearestMiss && none.nearestMiss->misses.front().requirement == "oversubscription");
        asked.oversubscription = "100:1";
        const std::size_t all = rankingOf(asked).candidates.size();
        asked.oversubscription.clear();
        QCOMPARE(rankingOf(asked).candidates.size(), all);
        const std::string titleOfAll = rankingOf(asked).title;
        asked.most = 1; // the title counts all
        QVERIFY(std::stoul(rankingOf(asked).title) >= all && std::stoul(rankingOf(asked).title) == std::stoul(titleOfAll));
        asked.most = 5;
        asked.gpus = 8;
        asked.bisection = 0.5;
        QVERIFY(rankingOf(asked).nearestMiss->misses.front().text.find("0.000") == std::string::npos);
    }
    // By how much it takes too long counts like the money that is missing.
    void theNearestMissIsNear() {
        Requirements asked;
        asked.gpus = 2048;
        asked.training = {{"model", "deepseek-v3"}, {"tokens", "1e12"}};
        asked.days = 5;
        asked.budget = Money::dollars(5.3e6);
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.empty() && ranking.nearestMiss);
        QVERIFY2(ranking.nearestMiss->name != "Rail-optimized 4:1", ranking.nearestMiss->name.c_str());
    }
    void aModelThatDoesNotFitIsNoCandidate() {
        Requirements asked;
        asked.gpus = 16;
        asked.training = {{"model", "gpt3-175b"}, {"tp", "8"}};
        asked.days = 1e6;
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.empty());
        QCOMPARE(ranking.nearestMiss->misses.front().requirement, std::string("days"));
    }
    void planesNeedPorts() {
        Requirements asked;
        asked.gpus = 512;
        for (const RankedCandidate& each : rankingOf(asked).candidates) QVERIFY(each.found.best->settings.planes == 1); // one port each
        Requirements oneNic;
        oneNic.gpus = 512;
        oneNic.settings = {{"nics_per_server", "1"}};
        const Ranking found = rankingOf(oneNic); // the layout in two planes is none of it
        QVERIFY(!found.candidates.empty() && !found.nearestMiss);
    }
    // At 1:1, one server more than two tiers hold needs a third.
    void aTierThatIsCrossedIsSaid() {
        Requirements asked;
        asked.gpus = 2056;
        const std::string hint = rankingOf(asked).hint;
        QVERIFY2(hint.find(": 2,048 GPUs save a tier: ") != std::string::npos && hint.find("switches and $") != std::string::npos,
                 hint.c_str());
        asked.gpus = 1024;
        QCOMPARE(rankingOf(asked).hint, std::string());
        Requirements racks; // one rack of 17 is more than 5 %
        racks.gpus = 1224;
        racks.server = "srv-gb200-tray";
        racks.bisection = 1;
        QVERIFY2(rankingOf(racks).hint.find("1,152 GPUs save a tier") != std::string::npos, rankingOf(racks).hint.c_str());
    }
    void impossibleSizesNameTheNearest() {
        Requirements asked;
        asked.gpus = 100;
        const Ranking ranking = rankingOf(asked);
        QVERIFY(ranking.candidates.empty());
        QVERIFY2(ranking.nearestMiss->misses.front().text.find("96 and 104") != std::string::npos,
                 ranking.nearestMiss->misses.front().text.c_str());
        QVERIFY(!candidatesFor({}, shippedCatalog(), {}));
        asked.server = "srv-none";
        QVERIFY(!candidatesFor(asked, shippedCatalog(), {}));
        Requirements model;
        model.days = 1;
        model.training = {{"model", "no-such-model"}};
        QVERIFY(!candidatesFor(model, shippedCatalog(), {}));
    }
};

QTEST_GUILESS_MAIN(tst_requirements)
#include "tst_requirements.moc"
