#include "widgets/theme/style.h"

#include <QTest>
#include <array>
#include <cmath>

using namespace railyard;

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
