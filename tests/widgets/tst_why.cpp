// Why a figure is what it is, what it counts on the drawing, and what it was to be.
#include "core/analysis/edit_text.h"
#include "core/analysis/figures/explain.h"
#include "core/analysis/targets.h"
#include "core/base/unit_text.h"
#include "core/io/document/design_json.h"
#include "tests/support/designs.h"
#include "widgets/canvas/canvas.h"
#include "widgets/panels/metrics_panel.h"
#include "widgets/panels/why_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

using namespace railyard;

class tst_why : public QObject {
    Q_OBJECT

private slots:
    // From the row to the formula; the figure there is the one of the command line.
    void aRowLeadsToItsFormula() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        document.waitForBackground();
        MetricsPanel metrics(document);
        WhyPanel why(document);
        why.show();
        connect(&metrics, &MetricsPanel::whyAsked, &why, &WhyPanel::explain);
        metrics.findChild<QPushButton*>(QStringLiteral("why-cost.network_usd"))->click();
        QCOMPARE(why.key(), QStringLiteral("cost.network_usd"));
        QVERIFY2(why.words().contains(QStringLiteral("3,567,392 USD")), qPrintable(why.words()));
        QVERIFY(why.words().contains(QStringLiteral("switch_usd + pluggable_usd")));
        QVERIFY(why.words().contains(QStringLiteral("Confidence")));
        for (const char* row : {"power.network_w", "ratios.oversubscription_by_tier.leaf", "counts.pluggables",
                                "collectives.all-reduce@1GiB.time_s", "collectives.all-to-all@256MiB.time_s", "failure.mttf_h",
                                "bisection.gpu_network_only.fraction_of_injection", "bisection.gpu_with_hb.fraction_of_injection"}) {
            metrics.findChild<QPushButton*>(QStringLiteral("why-") + QLatin1String(row))->click();
            QVERIFY2(why.words().contains(QLatin1Char('=')), row); // each has a formula
        }
        QVERIFY(document.apply(setServers(*document.now().design, 96)));
        document.waitForBackground();
        why.explain(QStringLiteral("counts.gpus"));
        QVERIFY(why.words().contains(QStringLiteral("768")));
        why.explain(QStringLiteral("no.such"));
        QVERIFY(why.words().contains(QStringLiteral("no.such")));
    }

    // The halves of the witness: rail-optimized SU against SU, rail-only half of every server.
    void bisectionShowsItsHalves() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        document.waitForBackground();
        Canvas canvas(document);
        canvas.resize(900, 700);
        canvas.showFigure(QStringLiteral("bisection.server.upper_gbps"));
        QVERIFY2(canvas.halvesText().contains(QStringLiteral("204.8 Tb/s across 512 links")), qPrintable(canvas.halvesText()));
        const Bisection& cut = document.background()->bisection[0];
        const auto share = shareOnSideA(*document.now().fabric, BisectionKey::Server, cut.sideA);
        QCOMPARE(std::count(share.begin(), share.end(), std::optional(1.0)), std::ptrdiff_t{64});
        QCOMPARE(std::count(share.begin(), share.end(), std::optional(0.0)), std::ptrdiff_t{64});
        canvas.grab();
        canvas.showFigure({});
        QVERIFY(canvas.halvesText().isEmpty());
        document.open(test::designOf("rail-only", {{"servers", "64"}}), {});
        document.waitForBackground();
        const auto rails = shareOnSideA(*document.now().fabric, BisectionKey::GpuNetworkOnly, document.background()->bisection[1].sideA);
        for (const auto& half : rails) QCOMPARE(half.value_or(-1), 0.5);
    }

    void targetsAreMetOrMissed() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        document.waitForBackground();
        MetricsPanel metrics(document);
        const auto words = [&] {
            QStringList all;
            for (const QLabel* label : metrics.findChildren<QLabel*>()) all << label->text();
            return all.join(QLatin1Char('|'));
        };
        QVERIFY(!words().contains(QStringLiteral("✓")) && !words().contains(QStringLiteral("✗")));
        QVERIFY(document.apply(setTarget(*document.now().design, "cost.network_usd", true, 4e6)));
        QVERIFY2(words().contains(QStringLiteral("✓ ≤ $433 k")), qPrintable(words()));
        QVERIFY(document.apply(setTarget(*document.now().design, "cost.network_usd", true, 3e6)));
        QVERIFY(words().contains(QStringLiteral("✗")));
        QCOMPARE(document.now().design->targets.size(), std::size_t{1});
        QVERIFY(document.apply(setTarget(*document.now().design, "cost.network_usd", true, {})));
        QVERIFY(!words().contains(QStringLiteral("✗")));
        QString reason;
        QVERIFY(!document.apply(setTarget(*document.now().design, "cost.network_usd", true, {}), &reason));
    }

    // Every figure that may have a target has the value that explain gives.
    void targetFiguresAreThoseOfMetrics() {
        for (const test::Parameters& parameters : {test::Parameters{}, test::Parameters{{"racks", "auto"}, {"servers", "100"}}}) {
            const FabricPointer fabric = test::fabricOf("superpod-h100", parameters);
            const Metrics metrics = metricsOf(*fabric);
            const auto all = explainAll(*fabric, {metrics.instant, &metrics.background});
            for (const FigureInfo& figure : figureTable()) {
                if (!figure.read) continue;
                const auto found =
                    std::find_if(all.begin(), all.end(), [&](const Explanation& each) { return stableKey(each.key) == figure.key; });
                const auto value = figureOf(figure.key, metrics.instant, &metrics.background);
                const std::string name(figure.key);
                QVERIFY2(found != all.end(), name.c_str());
                QVERIFY2(found->value == value, name.c_str());
                QVERIFY2(found->unit == figure.storedUnit, name.c_str());
            }
        }
    }

    void targetsAreKeptAndWrittenByHand() {
        const auto edit = applyEdit(test::designOf("superpod-h100"), "target bisection.server.fraction_of_injection at_least 0.5");
        QVERIFY(edit);
        const std::string text = designText(*edit->design);
        QVERIFY(text.find("\"at_least\": 0.5") != std::string::npos);
        const auto again = readDesign(text, "copy");
        QVERIFY(again);
        QVERIFY((*again)->targets == edit->design->targets);
        QVERIFY(setServers(**again, 64)->design->targets == edit->design->targets); // the recipe run again keeps it
        for (const char* wrong : {"target", "target cost.network_usd", "target cost.network_usd above 3", "target counts.gpus at_least 3",
                                  "target cost.network_usd at_most many", "target cost.network_usd at_most inf"})
            QVERIFY2(!applyEdit(edit->design, wrong), wrong);
    }

    void targetsByPositionAreRenamed() {
        const std::string name = "collectives.all-to-all@256MiB.time_s", position = "collectives.1.time_s";
        const auto edit = applyEdit(test::designOf("superpod-h100"), "target " + position + " at_most 0.005");
        QVERIFY(edit && edit->design->targets.front().figure == name);
        std::string text = designText(*edit->design);
        text.replace(text.find(name), name.size(), position);
        const auto old = readDesign(text, "old");
        QVERIFY(old && (*old)->targets.front().figure == name);
        QCOMPARE((*old)->migrations.size(), std::size_t{1});
        const FabricPointer fabric = elaborate(*old);
        const InstantMetrics instant = instantMetrics(*fabric);
        const BackgroundMetrics background = backgroundMetrics(*fabric);
        QCOMPARE(targetsOf(**old, instant, &background).front().value.value_or(0), background.collectives[1].result->best.time.value());
    }
};

QTEST_MAIN(tst_why)
#include "tst_why.moc"
