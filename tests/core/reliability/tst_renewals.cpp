// Failures of parts that are replaced, against closed forms and against counting.
#include "core/base/random.h"
#include "core/reliability/lifetime_draw.h"
#include "core/reliability/renewals.h"

#include <QTest>
#include <cmath>

using namespace railyard;

class tst_renewals : public QObject {
    Q_OBJECT

private slots:
    void closedForms() {
        const PartFailures constant = failuresOf({Lifetimes::Kind::Exponential, 0}, 2, 3);
        QCOMPARE(constant.expected, 6.0);
        QCOMPARE(constant.hazard, 6.0);
        const PartFailures same = failuresOf({Lifetimes::Kind::Weibull, 1}, 2, 3); // exponential by another name
        QVERIFY(std::abs(same.expected - 6) < 1e-3 && std::abs(same.hazard - 6) < 1e-12);
        for (const Lifetimes& each : {Lifetimes{Lifetimes::Kind::Weibull, 0.7}, Lifetimes{Lifetimes::Kind::Lognormal, 1}}) {
            QCOMPARE(failuresOf(each, 0, 3).expected, 0.0);
            QCOMPARE(failuresOf(each, 3, 0).hazard, 0.0);
            const PartFailures little = failuresOf(each, 0.01, 0.1); // hardly ever a second one
            QVERIFY(std::abs(little.expected / -std::expm1(-little.hazard) - 1) < 0.05);
        }
    }
    void asCounted_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("parameter");
        QTest::addColumn<double>("perYear");
        for (const auto& [kind, parameter] :
             {std::pair(Lifetimes::Kind::Weibull, 0.5), std::pair(Lifetimes::Kind::Weibull, 0.7), std::pair(Lifetimes::Kind::Weibull, 3.0),
              std::pair(Lifetimes::Kind::Lognormal, 0.5), std::pair(Lifetimes::Kind::Lognormal, 1.5)})
            for (const double perYear : {0.2, 1.0, 7.0, 8760.0})
                QTest::addRow("%d %g, %g a year", static_cast<int>(kind), parameter, perYear)
                    << static_cast<int>(kind) << parameter << perYear;
    }
    void asCounted() {
        QFETCH(int, kind);
        QFETCH(double, parameter);
        QFETCH(double, perYear);
        constexpr double years = 1;
        const Lifetimes lifetimes{static_cast<Lifetimes::Kind>(kind), parameter};
        const int trials = perYear > 100 ? 60 : 60'000;
        const LifetimeDraw draw(lifetimes, 1 / perYear);
        RandomNumbers random(5);
        double failures = 0, none = 0;
        for (int trial = 0; trial < trials; ++trial) {
            int own = 0;
            for (double at = draw.draw(random); at < years; at += draw.draw(random)) ++own;
            failures += own;
            none += own == 0 ? 1 : 0;
        }
        const PartFailures known = failuresOf(lifetimes, perYear, years);
        const double chance = 4 / std::sqrt(std::max(1.0, failures)); // of so few failures
        QVERIFY2(std::abs(failures / trials / known.expected - 1) < 0.01 + chance,
                 qPrintable(QStringLiteral("%1 %2").arg(failures / trials).arg(known.expected)));
        QVERIFY(std::abs(none / trials - std::exp(-known.hazard)) < 0.01);
    }
    // Lifetimes so unequal that the mean rate is not reached for thousands of them.
    void skewed_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("parameter");
        QTest::addColumn<double>("lifetimes");
        const auto row = [](Lifetimes::Kind kind, double parameter, double lifetimes) {
            QTest::addRow("%d %g, %g lifetimes", static_cast<int>(kind), parameter, lifetimes)
                << static_cast<int>(kind) << parameter << lifetimes;
        };
        for (const double lifetimes : {1.0, 20.0, 120.0}) row(Lifetimes::Kind::Lognormal, 3, lifetimes);
        row(Lifetimes::Kind::Lognormal, 2, 200);
        row(Lifetimes::Kind::Weibull, 0.2, 200);
        row(Lifetimes::Kind::Weibull, 0.4, 50);
    }
    void skewed() {
        QFETCH(int, kind);
        QFETCH(double, parameter);
        QFETCH(double, lifetimes);
        const Lifetimes own{static_cast<Lifetimes::Kind>(kind), parameter};
        const LifetimeDraw draw(own, 1);
        RandomNumbers random(7);
        constexpr int trials = 20'000;
        double sum = 0, squares = 0;
        for (int trial = 0; trial < trials; ++trial) {
            int failures = 0;
            for (double at = draw.draw(random); at < lifetimes; at += draw.draw(random)) ++failures;
            sum += failures, squares += static_cast<double>(failures) * failures;
        }
        const double mean = sum / trials, error = std::sqrt((squares / trials - mean * mean) / trials);
        const double known = failuresOf(own, lifetimes, 1).expected;
        QVERIFY2(std::abs(known - mean) < 4 * error + 0.001 * mean, qPrintable(QStringLiteral("%1 %2 %3").arg(known).arg(mean).arg(error)));
    }
};

QTEST_APPLESS_MAIN(tst_renewals)
#include "tst_renewals.moc"
