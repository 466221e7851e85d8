#include "core/bill/discounts.h"
#include "core/design/recipes/recipe.h"
#include "core/sweep/evaluation.h"

#include <QTest>

using namespace railyard;

class tst_error : public QObject {
    Q_OBJECT
private slots:
    void longListsEndWithACount_data() {
        QTest::addColumn<int>("wrong");
        for (const int wrong : {1, 100, 101, 102, 1000}) QTest::addRow("%d", wrong) << wrong;
    }
    // Of everything that people write as a list.
    void longListsEndWithACount() {
        QFETCH(int, wrong);
        std::string discounts;
        std::vector<std::string> evaluations;
        RecipeCall call{"rail-optimized", {}};
        for (int i = 0; i < wrong; ++i) {
            discounts += "=;";
            evaluations.push_back("nothing" + std::to_string(i));
            call.parameters["key" + std::to_string(i)] = "1";
        }
        const auto ofDiscounts = parseDiscounts(discounts);
        const auto ofEvaluations = readEvaluations(evaluations);
        const auto ofSettings = resolve(call, *shippedCatalog());
        for (const std::vector<Error>& errors : {ofDiscounts.errors(), ofEvaluations.errors(), ofSettings.errors()}) {
            QCOMPARE(errors.size(), std::min<std::size_t>(static_cast<std::size_t>(wrong), 101));
            if (wrong <= 101) continue;
            QCOMPARE(errors.back().text, "and " + std::to_string(wrong - 100) + " more errors");
            QCOMPARE(errors.back().kind, errors.front().kind);
        }
    }
    void filesAreStillNamed() {
        const std::vector<Error> many(300, Error::file("rates.csv", "is wrong", 3, 1));
        const Status refused(many);
        QCOMPARE(toText(refused.errors().back()), std::string("rates.csv: and 200 more errors"));
    }
};

QTEST_GUILESS_MAIN(tst_error)
#include "tst_error.moc"
