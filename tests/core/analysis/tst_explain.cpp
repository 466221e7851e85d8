#include "core/analysis/figures/explain.h"
#include "core/analysis/figures/figure_table.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/io/results/results_json.h"
#include "tests/support/designs.h"

#include <cctype>
#include <cmath>
#include <map>
#include <set>

using namespace railyard;

namespace {

// Works out + - * / ( ) - and functions of one or two numbers over named values: what a reader would do by hand.
class Calculator {
public:
    Calculator(const std::string& text, const std::map<std::string, double>& values) : m_text(text), m_values(values) {}
    double result() {
        const double value = sum();
        skip();
        if (m_at != m_text.size()) throw std::runtime_error("cannot read on at: " + m_text.substr(m_at));
        return value;
    }

private:
    void skip() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
    }
    bool take(char c) {
        skip();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    double sum() {
        double value = product();
        for (;;) {
            if (take('+'))
                value += product();
            else if (take('-'))
                value -= product();
            else
                return value;
        }
    }
    double product() {
        double value = factor();
        for (;;) {
            if (take('*'))
                value *= factor();
            else if (take('/'))
                value /= factor();
            else
                return value;
        }
    }
    double factor() {
        if (take('-')) return -factor();
        if (take('(')) {
            const double value = sum();
            if (!take(')')) throw std::runtime_error("a bracket is open");
            return value;
        }
        skip();
        if (std::isdigit(static_cast<unsigned char>(m_text[m_at]))) {
            std::size_t length = 0;
            const double value = std::stod(m_text.substr(m_at), &length);
            m_at += length;
            return value;
        }
        std::string name;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            name += m_text[m_at++];
        if (name == "exp") return std::exp(factor());
        const auto found = m_values.find(name);
        if (found == m_values.end()) throw std::runtime_error("no input is called \"" + name + "\"");
        return found->second;
    }

    const std::string& m_text;
    const std::map<std::string, double>& m_values;
    std::size_t m_at = 0;
};

// Every number and null of the JSON, by dotted path.
void leaves(const Json& json, const std::string& at, std::map<std::string, std::optional<double>>& found) {
    if (json.is_object())
        for (const auto& [key, value] : json.items()) leaves(value, at.empty() ? key : at + "." + key, found);
    else if (json.is_array())
        for (std::size_t i = 0; i < json.size(); ++i) leaves(json[i], at + "." + std::to_string(i), found);
    else if (json.is_number())
        found[at] = json.get<double>();
    else if (json.is_null())
        found[at] = std::nullopt;
}

FabricPointer damaged(const FabricPointer& intact) {
    Removal removal;
    drawLinks(*intact, 0.02, 3, removal);
    return without(intact, {}, removal.links);
}

} // namespace

class tst_explain : public QObject {
    Q_OBJECT

private slots:
    void everyFigureCanBeWorkedOut_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("servers");
        QTest::addColumn<bool>("failures");
        for (const char* recipe : {"superpod-h100", "rail-only", "superpod-b300", "aipod", "hpn-pod", "fat-tree", "superpod-b200"})
            for (const bool failures : {false, true})
                QTest::addRow("%s%s", recipe, failures ? " with failures" : "")
                    << QString::fromLatin1(recipe) << QStringLiteral("130") << failures;
        QTest::newRow("racks") << QStringLiteral("superpod-h100 in racks") << QStringLiteral("130") << false;
        QTest::newRow("racks with failures") << QStringLiteral("meta-24k in racks") << QStringLiteral("130") << true;
        QTest::newRow("with networks beside it") << QStringLiteral("superpod-b200 beside") << QStringLiteral("70") << false;
        QTest::newRow("a job that does not fit") << QStringLiteral("superpod-h100 with a job") << QStringLiteral("4") << false;
        QTest::newRow("a job that cannot run") << QStringLiteral("superpod-h100 with a job") << QStringLiteral("2") << false;
        QTest::newRow("lifetimes that are not exponential") << QStringLiteral("superpod-h100 that ages") << QStringLiteral("32") << false;
        QTest::newRow("one server") << QStringLiteral("rail-optimized") << QStringLiteral("1") << false;
    }
    void everyFigureCanBeWorkedOut() {
        QFETCH(QString, recipe);
        QFETCH(QString, servers);
        QFETCH(bool, failures);
        test::Parameters parameters{{"servers", servers.toStdString()}};
        if (recipe.endsWith(QLatin1String(" in racks"))) parameters["medium"] = "by-length";
        if (recipe.endsWith(QLatin1String(" beside")))
            for (const char* key : {"storage", "in_band", "out_of_band"}) parameters[key] = "on";
        FabricPointer intact = test::fabricOf(recipe.section(QLatin1Char(' '), 0, 0).toStdString(), parameters);
        if (recipe.endsWith(QLatin1String(" with a job"))) {
            Design design = *intact->design;
            design.training = NamedOptions{{{"model", "gpt3-175b"}, {"pp", "4"}, {"recompute", "full"}}, {}};
            intact = elaborate(std::make_shared<const Design>(std::move(design)));
        }
        if (recipe.endsWith(QLatin1String(" that ages"))) {
            Design design = *intact->design;
            design.reliability = NamedOptions{{{"distribution", "weibull:0.5"}, {"lemons", "10%:8"}}, {}};
            intact = elaborate(std::make_shared<const Design>(std::move(design)));
        }
        const FabricPointer fabric = failures ? damaged(intact) : intact;
        const Metrics metrics = metricsOf(*fabric);
        std::map<std::string, std::optional<double>> figures;
        leaves(toJson(metrics), "", figures);
        std::map<std::string, Explanation> explained;
        for (const Explanation& e : explainAll(*fabric, {metrics.instant, &metrics.background}))
            QVERIFY2(explained.emplace(e.key, e).second, e.key.c_str());
        for (const auto& [path, value] : figures) {
            const std::string key = stableKey(path);
            if (key.ends_with(".algorithm") || key == "recipe" || key == "training.model") continue; // texts that may be null
            const auto found = explained.find(key);
            QVERIFY2(found != explained.end(), key.c_str());
            const Explanation& e = found->second;
            QCOMPARE(e.value.has_value(), value.has_value());
            if (!value) {
                QVERIFY2(e.origin.note.starts_with("Unknown: "), key.c_str());
                continue;
            }
            std::map<std::string, double> inputs;
            for (const ExplainedInput& input : e.origin.inputs) {
                QVERIFY2(input.value && !input.source.empty() && !input.confidence.empty(), (key + " " + input.name).c_str());
                QVERIFY2(inputs.emplace(input.name, *input.value).second, (key + ": two inputs are called " + input.name).c_str());
            }
            double worked = 0;
            try {
                worked = Calculator(e.origin.formula, inputs).result();
            } catch (const std::exception& problem) {
                QFAIL((key + ": " + problem.what() + ": " + e.origin.formula).c_str());
            }
            QVERIFY2(std::abs(worked - *value) <= 1e-9 * std::max(1.0, std::abs(*value)),
                     (key + ": " + e.origin.formula + " = " + std::to_string(worked) + ", not " + std::to_string(*value)).c_str());
        }
        std::set<std::string> known;
        for (const auto& [path, value] : figures) known.insert(stableKey(path));
        for (const auto& [key, e] : explained) QVERIFY2(known.contains(key), (key + " is no figure of metrics").c_str());
    }
    void everyNameOfAKeyIsAccepted() {
        const FabricPointer fabric = test::fabricOf("superpod-h100");
        const Metrics metrics = metricsOf(*fabric);
        const FigureSource source{metrics.instant, &metrics.background};
        for (const char* name : {"collectives.1.time_s", "collectives.all-to-all@256MiB.time_s", "collectives.all-to-all@268435456.time_s",
                                 "collectives.all-to-all@262144KiB.time_s"}) {
            const auto found = explain(*fabric, source, name);
            QVERIFY2(found, name);
            QCOMPARE(found->key, std::string("collectives.all-to-all@256MiB.time_s"));
        }
        for (const char* none : {"", "counts", "counts.", "collectives.2.time_s", "collectives.all-to-all@1GiB.time_s",
                                 "ratios.oversubscription_by_tier.core", "collectives.@.time_s"})
            QVERIFY2(!explain(*fabric, source, none), none);
    }
    void whatIsBeingComputedIsUnknown() {
        const FabricPointer fabric = test::fabricOf("superpod-h100");
        const InstantMetrics instant = instantMetrics(*fabric);
        for (const Explanation& e : explainAll(*fabric, {instant, nullptr}))
            QVERIFY2(e.value || e.origin.note.starts_with("Unknown: "), e.key.c_str());
        QCOMPARE(explain(*fabric, {instant, nullptr}, "counts.gpus")->value, std::optional(1024.0));
        QVERIFY(!explain(*fabric, {instant, nullptr}, "latency.mean_s")->value);
    }
    void confidenceIsThatOfTheWeakestInput() {
        Explanation e;
        QCOMPARE(e.confidence(), std::string("counted"));
        e.origin.inputs = {{"a", 1.0, "", "", "datasheet"}, {"b", 1.0, "", "", "street-estimate"}, {"c", 1.0, "", "", "counted"}};
        QCOMPARE(e.confidence(), std::string("street-estimate"));
    }
};

QTEST_GUILESS_MAIN(tst_explain)
#include "tst_explain.moc"
