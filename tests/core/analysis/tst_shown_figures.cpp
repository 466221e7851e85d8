#include "core/analysis/figures/shown_figures.h"
#include "core/bill/unpriced.h"
#include "tests/support/designs.h"

#include <set>

using namespace railyard;

namespace {

constexpr FigureDisplay::Place places[] = {FigureDisplay::Text,    FigureDisplay::Panel,   FigureDisplay::Headline,  FigureDisplay::Preview,
                                           FigureDisplay::Pointer, FigureDisplay::Summary, FigureDisplay::Comparison};

} // namespace

class tst_shown_figures : public QObject {
    Q_OBJECT

private slots:
    void everyPlaceHasTitlesAndTexts() {
        const Metrics metrics = metricsOf(*test::fabricOf("superpod-h100", {{"servers", "40"}, {"racks", "auto"}}));
        for (const auto place : places) {
            std::set<std::string> titles;
            for (const ShownFigure& figure : shownFigures(place, {metrics.instant, &metrics.background})) {
                QVERIFY2(!figure.title.empty() && !figure.text.empty(), figure.key.c_str());
                QVERIFY2(titles.insert(figure.title).second, figure.title.c_str());
                QVERIFY2(figureNamed(figure.key) == figure.row, figure.key.c_str());
            }
            QVERIFY(titles.size() >= 4);
        }
        for (const FigureInfo& row : figureTable()) {
            if (row.display.companion.empty()) continue;
            QVERIFY2(figureNamed(row.display.companion) && !row.display.line.empty(), std::string(row.key).c_str());
        }
    }
    // The value that is written and the value that is explained are one.
    void textsAreOfTheValues() {
        const Metrics metrics = metricsOf(*test::fabricOf("rail-optimized", {{"servers", "40"}}));
        const FigureSource source{metrics.instant, &metrics.background};
        for (const auto place : places)
            for (const ShownFigure& figure : shownFigures(place, source))
                if (!figure.row->isFamily()) QVERIFY2(figure.row->read(source) == figure.value, figure.key.c_str());
    }
    void beforeTheBackgroundNothingIsInvented() {
        const InstantMetrics instant = instantMetrics(*test::fabricOf("rail-optimized", {{"servers", "40"}}));
        for (const auto place : places)
            for (const ShownFigure& figure : shownFigures(place, {instant, nullptr}))
                if (isOfBackground(*figure.row)) QVERIFY2(!figure.value && figure.text == "–", figure.key.c_str());
    }
    // Two totals that leave out different kinds of parts have no difference, in no place.
    void totalsOfDifferentCoverageAreNotCompared() {
        Metrics a = metricsOf(*test::fabricOf("superpod-h100", {{"servers", "40"}})), b = a;
        for (BillLine& line : b.instant.bill.lines)
            if (line.category == BillCategory::Switch) line.base.reset();
        b.instant.bill.network = Money::dollars(1);
        QVERIFY(unpricedKinds(a.instant.bill, &Bill::network) != unpricedKinds(b.instant.bill, &Bill::network));
        int compared = 0;
        for (const auto place : places)
            for (const auto& [x, y] : shownFigures(place, {a.instant, &a.background}, {b.instant, &b.background})) {
                if (x.row->pricesOf == PricesOf::Nothing) continue;
                QVERIFY2(!differenceOf(x, y, a.instant.bill, b.instant.bill), x.key.c_str());
                QCOMPARE(differenceText(x, y, a.instant.bill, b.instant.bill), std::string("–"));
                ++compared;
            }
        QVERIFY(compared > 0);
    }
    void differencesReadAsTheirUnits() {
        const Metrics a = metricsOf(*test::fabricOf("rail-optimized", {{"servers", "40"}})),
                      b = metricsOf(*test::fabricOf("rail-optimized", {{"servers", "64"}}));
        std::map<std::string, std::string> texts;
        for (const auto place : places)
            for (const auto& [x, y] : shownFigures(place, {a.instant, &a.background}, {b.instant, &b.background}))
                texts[x.key] = differenceText(x, y, a.instant.bill, b.instant.bill);
        QCOMPARE(texts.at("counts.gpus"), std::string("+192"));
        QVERIFY2(texts.at("cost.network_usd").starts_with("+$"), texts.at("cost.network_usd").c_str());
        QVERIFY2(texts.at("power.network_w").starts_with("+") && texts.at("power.network_w").ends_with("W"),
                 texts.at("power.network_w").c_str());
        QCOMPARE(texts.at("bisection.gpu_network_only.fraction_of_injection"), std::string("+60 %")); // of the bandwidth
        QVERIFY(texts.at("failure.mttf_h").starts_with("−"));
    }
    // A tier that one of the designs does not have.
    void missingMembersAreZero() {
        const Metrics a = metricsOf(*test::fabricOf("rail-optimized", {{"servers", "8"}})),
                      b = metricsOf(*test::fabricOf("rail-optimized", {{"servers", "40"}}));
        std::map<std::string, std::pair<std::string, std::string>> texts;
        for (const auto& [x, y] : shownFigures(FigureDisplay::Comparison, {a.instant, &a.background}, {b.instant, &b.background}))
            texts[x.key] = {x.text, y.text};
        QCOMPARE(texts.at("counts.switches_by_tier.spine").first, std::string("0"));
        QVERIFY(texts.at("counts.switches_by_tier.spine").second != "0");
    }
};

QTEST_GUILESS_MAIN(tst_shown_figures)
#include "tst_shown_figures.moc"
