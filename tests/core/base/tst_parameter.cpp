#include "core/base/parameter.h"
#include "core/bill/site.h"
#include "core/collective/collective_parameters.h"
#include "core/design/recipes/recipe.h"
#include "core/fabric/optical_switches.h"
#include "core/inference/inference_parameters.h"
#include "core/reliability/reliability_parameters.h"
#include "core/routing/routing_parameters.h"
#include "core/training/job_parameters.h"

#include <QTest>
#include <set>

using namespace railyard;

namespace {

struct Machine {
    int count = 2;
    double speed = 1.5;
    bool isOn = false;
};
constexpr std::array<std::string_view, 2> switches{"off", "on"};
constexpr auto countOf = [](Machine & m) -> auto& { return m.count; };
constexpr auto speedOf = [](Machine & m) -> auto& { return m.speed; };
constexpr auto isOnOf = [](Machine & m) -> auto& { return m.isOn; };

std::span<const Parameter<Machine>> machineRows() {
    using Kind = ParameterInfo::Kind;
    static const std::vector<Parameter<Machine>> rows{
        numberParameter<Machine, countOf>({.key = "unit_count", .label = "Units", .help = "units", .low = 1, .high = 8}),
        numberParameter<Machine, speedOf>(
            {.key = "speed", .label = "Speed", .help = "speed", .kind = Kind::Real, .low = 0.5, .high = 1e18}),
        choiceParameter<Machine, isOnOf, switches>(
            {.key = "is_on", .label = "On", .help = "on or off", .kind = Kind::Switch, .choices = {{"off", "off"}, {"on", "on"}}})};
    return rows;
}

// What holds for every table of rows.
template <class Settings>
void checkRows(std::span<const Parameter<Settings>> rows, const Settings& usual) {
    std::set<std::string_view> keys, labels;
    for (const Parameter<Settings>& row : rows) {
        const std::string key(row.info.key), text = row.text(usual);
        QVERIFY2(keys.insert(row.info.key).second && labels.insert(row.info.label).second, key.c_str());
        QVERIFY2(!row.info.help.empty() && !row.info.label.empty(), key.c_str());
        if (text.empty()) continue;                              // nothing is usual: a model, or no part
        QVERIFY2(row.info.problemOf(text).empty(), key.c_str()); // the usual value is in its own range
        const auto again = withTexts(rows, usual, {{key, text}}, "x");
        QVERIFY2(again && row.text(*again) == text, key.c_str());
        for (const ParameterChoice& choice : row.info.choices) QVERIFY(!choice.label.empty() && !choice.value.empty());
        if (row.info.kind == ParameterInfo::Kind::Text || row.info.kind == ParameterInfo::Kind::Part) continue;
        for (const char* wrong : {"", " ", "nonsense", "1e400", "nan", "-1", "1.5.2"})
            QVERIFY2(!withTexts(rows, usual, {{key, wrong}}, "x"), (key + " = " + wrong).c_str());
    }
}

} // namespace

class tst_parameter : public QObject {
    Q_OBJECT

private slots:
    void rowsReadAndWrite() {
        const auto read = withTexts(machineRows(), Machine(), {{"unit_count", "8"}, {"speed", "300e9"}, {"is_on", "on"}}, "a machine");
        QVERIFY(read);
        QVERIFY(read->count == 8 && read->speed == 300e9 && read->isOn);
        QCOMPARE(textsOf(machineRows(), *read, Machine()),
                 (ParameterTexts{{"unit_count", "8"}, {"speed", "300000000000"}, {"is_on", "on"}}));
        QVERIFY(textsOf(machineRows(), Machine(), Machine()).empty());
        QCOMPARE(machineRows().front().info.option(), std::string("--unit-count"));
    }
    void everyProblemIsNamed() {
        const auto read =
            withTexts(machineRows(), Machine(), {{"unit_count", "9"}, {"speed", "0.1"}, {"is_on", "maybe"}, {"size", "1"}}, "a machine");
        QVERIFY(!read);
        std::set<std::string> texts;
        for (const Error& error : read.errors()) texts.insert(error.text);
        QCOMPARE(texts, (std::set<std::string>{"unit_count = 9: must be a whole number from 1 to 8",
                                               "speed = 0.1: must be a number from 0.5 to 1e+18", "is_on = maybe: must be one of off, on",
                                               "size = 1: is not an option of a machine; known are unit_count, speed, is_on"}));
    }
    void everyTableIsSound() {
        checkRows(machineRows(), Machine());
        checkRows(jobParameters(), usualRequest());
        checkRows(siteParameters(), Site());
        checkRows(reliabilityParameters(), ReliabilityRequest());
        checkRows(opticalSwitchingParameters(), OpticalSwitching());
        checkRows(collectiveParameters(), CollectiveQuery());
        checkRows(routingParameters(), RoutingOptions());
        checkRows(inferenceParameters(), InferenceRequest());
    }
    void recipeParametersHaveLabels() {
        std::set<std::string_view> labels;
        for (const ParameterInfo& row : recipeParameters())
            QVERIFY2(!row.label.empty() && labels.insert(row.label).second, std::string(row.key).c_str());
    }
};

QTEST_GUILESS_MAIN(tst_parameter)
#include "tst_parameter.moc"
