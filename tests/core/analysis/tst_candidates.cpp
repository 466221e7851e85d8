// Candidates of "New fabric…": totals of all networks that are asked for, and the size just below that saves a tier.
#include "core/analysis/sizing/candidates.h"
#include "core/fabric/elaborate.h"
#include "tests/support/designs.h"

#include <QtTest>

using namespace railyard;

class tst_candidates : public QObject {
    Q_OBJECT

    static SizeCandidate found(const test::Parameters& parameters, const char* recipe = "rail-optimized") {
        auto candidate = candidateFor(SizeWish{RecipeCall{recipe, parameters}}, shippedCatalog(), {});
        Q_ASSERT(candidate);
        return *candidate;
    }

private slots:
    // Against the lines of the bill, one network ticked after the other.
    void networksChangeTheTotals() {
        std::optional<NetworksTotal> before;
        test::Parameters parameters{{"gpus", "1024"}};
        for (const char* key : {"", "storage", "in_band", "out_of_band"}) {
            if (*key) parameters[key] = "on";
            const SizeCandidate candidate = found(parameters);
            QVERIFY(candidate.best && candidate.instant && candidate.background && candidate.fabric);
            const NetworksTotal total = networksTotal(*candidate.instant);
            std::int64_t cents = 0;
            for (const BillLine& line : candidate.instant->bill.lines)
                if (line.base && line.category != BillCategory::Server && line.category != BillCategory::Nic &&
                    line.category != BillCategory::Rack && line.category != BillCategory::Labour)
                    cents += line.base->inCents() * line.quantity;
            QCOMPARE(total.cost.inCents(), cents);
            if (before) QVERIFY2(total.switches > before->switches && (total.cost > before->cost || total.leftOut != before->leftOut), key);
            before = total;
        }
    }
    // Fabric managers take two leaf ports: 2,048 GPUs then need a third tier, and a server less saves it. Checked against every size.
    void aTierThatIsCrossedIsSaid() {
        QVERIFY(!found({{"gpus", "2048"}}).smaller); // two tiers are enough
        for (const auto& [gpus, managers] : {std::pair(2056, "0"), {2112, "0"}, {72, "0"}, {2048, "2"}}) {
            const test::Parameters asked{{"gpus", std::to_string(gpus)}, {"manager_ports", managers}};
            const SizeCandidate candidate = found(asked);
            QVERIFY(candidate.best);
            int most = 0; // the largest size within 5 %, or one server less, whose best fabric has fewer tiers
            for (int size = gpus - 8; size >= std::min(gpus * 0.95, gpus - 8.0); size -= 8) {
                test::Parameters smaller = asked;
                smaller["gpus"] = std::to_string(size);
                const auto choice = cheapestFabric(RecipeCall{"rail-optimized", smaller}, *shippedCatalog());
                if (choice && choice->plan.tiers < candidate.best->plan.tiers) most = std::max(most, size);
            }
            QCOMPARE(candidate.smaller.has_value(), most > 0);
            if (!candidate.smaller) continue;
            QCOMPARE(candidate.smaller->gpus, std::int64_t{most});
            test::Parameters smaller = asked;
            smaller["gpus"] = std::to_string(most);
            const SizeCandidate below = found(smaller);
            const NetworksTotal own = networksTotal(*candidate.instant), less = networksTotal(*below.instant);
            QCOMPARE(candidate.smaller->switches, own.switches - less.switches);
            QCOMPARE(candidate.smaller->networksCost->inCents(), (own.cost - less.cost).inCents());
            QCOMPARE(below.best->plan.tiers, candidate.smaller->tiers);
        }
    }
    // A budget pays for all networks that are asked for.
    void aBudgetHoldsForAllNetworks() {
        constexpr double most = 9e6; // for 2,048 GPUs without storage
        std::int64_t gpus = 0;
        for (const bool isWithStorage : {false, true}) {
            test::Parameters parameters;
            if (isWithStorage) parameters["storage"] = "on";
            const auto candidate =
                candidateFor(SizeWish{RecipeCall{"rail-optimized", parameters}, {{SizeLimit::NetworkCost, most}}}, shippedCatalog(), {});
            QVERIFY(candidate && candidate->best && candidate->instant);
            const double cost = networksTotal(*candidate->instant).cost.inDollars();
            QVERIFY(cost <= most && cost > most / 2);
            QVERIFY(!isWithStorage || candidate->best->settings.gpus() < gpus);
            gpus = candidate->best->settings.gpus();
        }
    }
    void whatCannotBeBuiltSaysWhy() {
        const SizeCandidate none = found({{"gpus", "1021"}});
        QVERIFY(!none.best && none.problem && !none.problem->text.empty());
        std::stop_source stopped;
        stopped.request_stop();
        QVERIFY(!candidateFor(SizeWish{RecipeCall{"rail-optimized", {{"gpus", "1024"}}}}, shippedCatalog(), stopped.get_token()));
        const auto large = found({{"gpus", "131072"}});
        QVERIFY(large.best && !large.instant && !large.fabric);
    }
};

QTEST_GUILESS_MAIN(tst_candidates)
#include "tst_candidates.moc"
