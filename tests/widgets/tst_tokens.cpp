#include "widgets/theme/style.h"

#include <QTest>
#include <array>
#include <cmath>

using namespace railyard;

// Distance of two colours in OKLab (B. Ottosson, 2020); 0.02 is just noticeable.
double difference(const QColor& a, const QColor& b) {
    const auto lab = [](const QColor& color) {
        const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        const double red = linear(color.redF()), green = linear(color.greenF()), blue = linear(color.blueF());
        const double l = std::cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue),
                     m = std::cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue),
                     s = std::cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
        return std::array{0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
                          0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s};
    };
    const auto x = lab(a), y = lab(b);
    return std::sqrt(std::pow(x[0] - y[0], 2) + std::pow(x[1] - y[1], 2) + std::pow(x[2] - y[2], 2));
}

// Contrast by WCAG 2: text at least 4.5, graphics at least 3, in both themes.
class tst_tokens : public QObject {
    Q_OBJECT

private slots:
    void textIsLegible() {
        for (const Tokens& t : {lightTokens(), darkTokens(), printTokens()}) {
            for (const auto& [ink, paper] : {std::pair(t.text, t.panel),
                                             {t.text, t.card},
                                             {t.text, t.canvas},
                                             {t.text, t.selectFill},
                                             {t.text2, t.panel},
                                             {t.text2, t.window},
                                             {t.text2, t.canvas},
                                             {t.accent, t.panel},
                                             {t.onAccent, t.accent},
                                             {t.danger, t.panel},
                                             {t.danger, t.dangerBg},
                                             {t.warn, t.panel},
                                             {t.ok, t.panel},
                                             {t.onTip, t.tip}})
                QVERIFY2(contrastRatio(ink, paper) >= 4.5, qPrintable(ink.name() + QStringLiteral(" on ") + paper.name()));
            for (const QColor& color : {t.controlBorder, t.select, t.ghost, t.neutral, t.focus})
                QVERIFY2(contrastRatio(color, t.canvas) >= 3, qPrintable(color.name()));
            for (const QColor& rail : t.rails)
                QVERIFY2(std::min(contrastRatio(rail, t.canvas), contrastRatio(rail, t.card)) >= 3, qPrintable(rail.name()));
        }
    }
    void railsDiffer() {
        for (const Tokens& t : {lightTokens(), darkTokens()})
            for (std::size_t i = 0; i < t.rails.size(); ++i)
                for (std::size_t j = 0; j < i; ++j) QVERIFY(t.rails[i] != t.rails[j]);
        QCOMPARE(lightTokens().rail(3, 16), lightTokens().neutral); // beyond eight, numbers tell them apart
    }
    // A job is taken neither for another job nor for a rail.
    void jobsDiffer() {
        for (const Tokens& t : {lightTokens(), darkTokens()})
            for (std::size_t i = 0; i < t.jobs.size(); ++i) {
                QVERIFY2(std::min(contrastRatio(t.jobs[i], t.canvas), contrastRatio(t.jobs[i], t.card)) >= 3, qPrintable(t.jobs[i].name()));
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(difference(t.jobs[i], t.jobs[j]) >= 0.06, qPrintable(t.jobs[i].name() + t.jobs[j].name()));
                for (const QColor& rail : t.rails)
                    QVERIFY2(difference(t.jobs[i], rail) >= 0.05, qPrintable(t.jobs[i].name() + rail.name()));
            }
    }
    void inkIsTheBetterOfTwo() {
        for (const QColor& stop : viridis()) QVERIFY(contrastRatio(inkOn(stop), stop) >= 4.0);
    }
    void nothingIsBelowEightPoints() {
        for (const auto role :
             {TextRole::Verdict, TextRole::ChartTitle, TextRole::ObjectName, TextRole::Body, TextRole::BodyBold, TextRole::Caption})
            QVERIFY(fontFor(role).pixelSize() >= 11);
    }
    void styleSheetHasNoUnknownToken() { QVERIFY(!styleSheetOf(lightTokens()).contains(QLatin1Char('@'))); }
};

QTEST_MAIN(tst_tokens)
#include "tst_tokens.moc"
