#include "core/analysis/metrics/metrics.h"
#include "core/analysis/sizing/best_fabric.h"
#include "core/analysis/sizing/sizing.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_sizing : public QObject {
    Q_OBJECT

    static Bill billOf(const RecipeCall& call, int servers) {
        auto parameters = call.parameters;
        parameters["servers"] = std::to_string(servers);
        const auto best = cheapestFabric(RecipeCall{call.name, parameters}, *shippedCatalog()); // which is what a candidate shows
        return instantMetrics(*test::fabricOf(best->call.name, best->call.parameters)).bill;
    }

private slots:
    // The answer is within, one domain more is not.
    void oneMoreIsTooMuch_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<int>("gpusOfDomain");
        QTest::addColumn<double>("megawatts");
        QTest::addColumn<double>("millions");
        for (const char* recipe : {"rail-optimized", "rail-only", "fat-tree"})
            for (const int domain : {8, 32})
                for (const double power : {0.3, 1.7, 9.0})
                    QTest::addRow("%s, %d, %g MW", recipe, domain, power) << recipe << domain << power << 1.2 + power * 2.3;
    }
    void oneMoreIsTooMuch() {
        QFETCH(QString, recipe);
        QFETCH(int, gpusOfDomain);
        QFETCH(double, megawatts);
        QFETCH(double, millions);
        const RecipeCall call{recipe.toStdString(), {{"hb_domain_gpus", std::to_string(gpusOfDomain)}, {"gpus", "64"}}};
        const int step = gpusOfDomain / 8;
        const auto byPower = largestWithin(call, shippedCatalog(), SizeLimit::FacilityPower, megawatts * 1e6);
        QVERIFY2(byPower, byPower ? "" : byPower.error().text.c_str());
        RecipeCall plain = call;
        plain.parameters.erase("gpus");
        QCOMPARE(*byPower % step, 0);
        QVERIFY(billOf(plain, *byPower).facilityPower()->value() <= megawatts * 1e6);
        QVERIFY(billOf(plain, *byPower + step).facilityPower()->value() > megawatts * 1e6);
        const auto byCost = largestWithin(call, shippedCatalog(), SizeLimit::NetworkCost, millions * 1e6);
        QVERIFY(byCost);
        QVERIFY(billOf(plain, *byCost).network.inDollars() <= millions * 1e6);
        QVERIFY(billOf(plain, *byCost + step).network.inDollars() > millions * 1e6);
    }
    void whatCannotBeSays() {
        const RecipeCall call{"rail-optimized", {}};
        const auto little = largestWithin(call, shippedCatalog(), SizeLimit::FacilityPower, 100);
        QVERIFY(!little && little.error().text.find("too low") != std::string::npos);
        QVERIFY(!largestWithin(call, shippedCatalog(), SizeLimit::NetworkCost, std::nan("")));
        QVERIFY(!largestWithin(RecipeCall{"no-such", {}}, shippedCatalog(), SizeLimit::NetworkCost, 1e6));
    }
    void endsAtTheLargest() {
        const auto all =
            largestWithin(RecipeCall{"rail-only", {{"hb_domain_gpus", "256"}}}, shippedCatalog(), SizeLimit::FacilityPower, 1e15);
        QVERIFY(all);
        QCOMPARE(*all, 262'144 / 8);
    }
};

QTEST_APPLESS_MAIN(tst_sizing)
#include "tst_sizing.moc"
