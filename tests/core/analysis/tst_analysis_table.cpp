#include "core/analysis/edit_text.h"
#include "core/analysis/metrics/analysis_table.h"
#include "core/io/results/results_json.h"
#include "core/json/json_text.h"
#include "tests/support/designs.h"

using namespace railyard;

namespace {

FabricPointer after(const FabricPointer& fabric, const char* edit) { return elaborate(applyEdit(fabric->design, edit)->design); }

unsigned changed(const FabricPointer& before, const FabricPointer& now) {
    const Cabling a = cablingOf(*before), b = cablingOf(*now);
    return changedInputs({*before, a}, {*now, b});
}

} // namespace

class tst_analysis_table : public QObject {
    Q_OBJECT

private slots:
    void editsChangeWhatTheyChange() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "40"}, {"racks", "auto"}});
        QCOMPARE(changed(fabric, after(fabric, "set name=other")), unsigned{Analysis::Nothing});
        QCOMPARE(changed(fabric, after(fabric, "set bill.pue=1.2")), unsigned{Analysis::Nothing});
        QCOMPARE(changed(fabric, after(fabric, "set su[1]/leaf[2].at=10,20")), unsigned{Analysis::Nothing});
        QCOMPARE(changed(fabric, after(fabric, "set training.pp=2")), unsigned{Analysis::Job});
        QCOMPARE(changed(fabric, after(fabric, "set slack_m=3")), unsigned{Analysis::Lengths});
        QCOMPARE(changed(fabric, after(fabric, "set A01.place=C05")), unsigned{Analysis::Lengths});
        QCOMPARE(changed(fabric, after(fabric, "set servers=41")), unsigned{Analysis::Everything});
        QCOMPARE(changed(fabric, after(fabric, "remove su[1]/leaf[2]")), unsigned{Analysis::Everything});
    }
    // Running what has changed gives what running everything gives; nothing else is touched.
    void onlyWhatReadsTheChangeRuns() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "40"}, {"racks", "auto"}});
        const BackgroundMetrics before = backgroundMetrics(*fabric);
        for (const char* edit : {"set name=other", "set training.pp=2", "set slack_m=3", "set servers=41"}) {
            const FabricPointer now = after(fabric, edit);
            const Cabling cabling = cablingOf(*now);
            const unsigned inputs = changed(fabric, now);
            const auto found = runAnalyses({*now, cabling}, inputs, without(inputs, before));
            QVERIFY(found);
            Metrics partly{"", "", "", instantMetrics(*now), *found}, wholly{"", "", "", instantMetrics(*now), backgroundMetrics(*now)};
            QVERIFY2(jsonText(toJson(partly)) == jsonText(toJson(wholly)), edit);
        }
        QVERIFY(!without(Analysis::Job, before).training && without(Analysis::Job, before).latency.mean);
        QVERIFY(without(Analysis::Lengths, before).training && !without(Analysis::Lengths, before).latency.mean);
        QVERIFY(without(Analysis::Network, before).collectives.empty());
    }
    void threadsAndStops() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "40"}});
        const Cabling cabling = cablingOf(*fabric);
        const auto textOf = [&](int threads) {
            const auto found = runAnalyses({*fabric, cabling}, Analysis::Everything, {}, {.threads = threads});
            return jsonText(toJson(Metrics{"", "", "", instantMetrics(*fabric), *found}));
        };
        QVERIFY(textOf(1) == textOf(4));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!runAnalyses({*fabric, cabling}, Analysis::Everything, {}, {.stop = stop.get_token()}));
    }
    void everyRowReadsSomething() {
        for (const Analysis& row : analysisTable()) QVERIFY(!row.name.empty() && row.reads != Analysis::Nothing && row.run && row.clear);
    }
};

QTEST_GUILESS_MAIN(tst_analysis_table)
#include "tst_analysis_table.moc"
