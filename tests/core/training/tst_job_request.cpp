// The training job of a document: options as text, on a fabric, and as figures.
#include "core/analysis/edit_text.h"
#include "core/analysis/figures/explain.h"
#include "core/analysis/targets.h"
#include "core/io/document/design_json.h"
#include "core/training/job_request.h"
#include "core/training/training.h"
#include "core/workload/models_json.h"
#include "tests/support/designs.h"

#include <QTemporaryDir>
#include <set>

using namespace railyard;

class tst_job_request : public QObject {
    Q_OBJECT

    // A value that is not the usual one, for every option.
    static const std::map<std::string, std::string>& others() {
        static const std::map<std::string, std::string> values{{"model", "gpt3-175b"},
                                                               {"tp", "4"},
                                                               {"pp", "2"},
                                                               {"dp", "3"},
                                                               {"cp", "2"},
                                                               {"ep", "2"},
                                                               {"sequence_parallel", "off"},
                                                               {"attention", "unfused"},
                                                               {"per_domain", "4"},
                                                               {"overlap_ep", "off"},
                                                               {"ep_dispatch", "expert"},
                                                               {"micro_batch", "2"},
                                                               {"global_batch", "96"},
                                                               {"interleave", "2"},
                                                               {"recompute", "gemm-last"},
                                                               {"zero", "3"},
                                                               {"overlap_dp", "off"},
                                                               {"overlap_tp", "bulk"},
                                                               {"offload", "activations"},
                                                               {"grad_bytes", "2"},
                                                               {"pp_scatter", "off"},
                                                               {"precision", "fp8"},
                                                               {"tokens", "1000000000000"},
                                                               {"rank_order", "tp-dp-pp-cp-ep"},
                                                               {"gate_skew", "1.5"},
                                                               {"straggler", "1.25"},
                                                               {"slow", "su[1]/srv[1]=1.5"},
                                                               {"gpus", "64"},
                                                               {"placement", "random"}};
        return values;
    }
    static DesignPointer after(DesignPointer design, const std::vector<std::string>& commands) {
        for (const std::string& command : commands) {
            const auto edit = applyEdit(design, command);
            if (!edit) qFatal("%s: %s", command.c_str(), edit.error().text.c_str());
            design = edit->design;
        }
        return design;
    }

private slots:
    void everyOptionComesBack() {
        std::vector<std::string> names;
        for (const auto& row : jobParameters()) names.emplace_back(row.info.key);
        QCOMPARE(std::set(names.begin(), names.end()).size(), others().size());
        std::map<std::string, std::string> all;
        for (const std::string& name : names) {
            QVERIFY2(others().contains(name), name.c_str());
            all[name] = others().at(name);
            const auto one = readJob({{name, others().at(name)}});
            QVERIFY2(one, name.c_str());
            QCOMPARE(toCall(*one).options, (std::map<std::string, std::string>{{name, others().at(name)}})); // and nothing else
        }
        const auto read = readJob(all);
        QVERIFY(read);
        QCOMPARE(toCall(*read).options, all);
        QVERIFY(toCall(usualRequest()).options.empty());
        const TrainingJob& job = read->planned.job;
        QCOMPARE(job.degrees, (std::array<std::int64_t, 5>{4, 2, 2, 3, 2}));
        QVERIFY(job.recompute == Recompute::GemmLast && job.zero == 3 && !job.isSequenceParallel && job.gradientBytes == 2);
        QVERIFY(!read->planned.plan.overlapsData && job.precision == Precision::Fp8 && job.dispatch == ExpertDispatch::Expert &&
                !read->planned.plan.overlapsExperts);
        QCOMPARE(read->planned.plan.straggler, 1.25);
        QVERIFY(read->gpus == 64 && read->placement == Placement::Random);
    }
    void badValuesSayWhatIsRight_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("said");
        QTest::newRow("text") << "tp"
                              << "eight"
                              << "tp = eight: must be a whole number from 0 to 1000000";
        QTest::newRow("fraction") << "pp"
                                  << "1.5"
                                  << "whole number";
        QTest::newRow("zero") << "pp"
                              << "0"
                              << "from 1";
        QTest::newRow("overflow") << "global_batch"
                                  << "99999999999999999999"
                                  << "whole number";
        QTest::newRow("not a number") << "straggler"
                                      << "nan"
                                      << "from 1";
        QTest::newRow("below 1") << "gate_skew"
                                 << "0.5"
                                 << "from 1";
        QTest::newRow("choice") << "recompute"
                                << "some"
                                << "none, selective, full, gemm-last";
        QTest::newRow("switch") << "overlap_dp"
                                << "yes"
                                << "off, on";
        QTest::newRow("bytes") << "grad_bytes"
                               << "3"
                               << "one of 2, 4";
        QTest::newRow("order") << "rank_order"
                               << "tp-tp"
                               << "once each";
        QTest::newRow("unknown") << "overlap-dp"
                                 << "on"
                                 << "is not an option of a training job; known are model, gpus";
        QTest::newRow("model") << "model"
                               << "gpt9"
                               << "must be one of";
        QTest::newRow("file") << "model"
                              << "own.json"
                              << "content of a model file";
        QTest::newRow("empty") << "tp"
                               << ""
                               << "whole number";
    }
    void badValuesSayWhatIsRight() {
        QFETCH(QString, name);
        QFETCH(QString, value);
        QFETCH(QString, said);
        const auto read = readJob({{name.toStdString(), value.toStdString()}});
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().text).contains(said), read.error().text.c_str());
    }
    void aDocumentKeepsItsJob() {
        const DesignPointer design =
            after(test::designOf("superpod-h100"), {"set training.model=gpt3-175b", "set training.pp=8", "set training.straggler=1.1"});
        const std::string text = designText(*design);
        const auto again = readDesign(text, "x");
        QVERIFY(again);
        QCOMPARE(designText(**again), text);
        QCOMPARE((*again)->training, design->training);
        QCOMPARE(after(design, {"set training.pp="})->training->options.count("pp"), std::size_t{0});
        QVERIFY(!after(design, {"set training=none"})->training);
        QVERIFY(after(design, {"set servers=64"})->training); // rebuilt by the recipe
        for (const char* wrong : {"set training.pp=0", "set training.speed=9", "set training=all", "set training.model=absent.json"})
            QVERIFY2(!applyEdit(design, wrong), wrong);
    }
    void aDocumentWithABadJobSaysWhere() {
        std::string text = designText(*after(test::designOf("superpod-h100"), {"set training.pp=8"}));
        text.replace(text.find("\"pp\": \"8\""), 9, "\"pp\": \"none\"");
        const auto read = readDesign(text, "bad.railyard");
        QVERIFY(!read);
        QVERIFY(read.error().where.line > 10);
        QVERIFY2(read.error().text.find("must be a whole number") != std::string::npos, read.error().text.c_str());
        QVERIFY(read.error().field.find("training.options.pp") != std::string::npos);
    }
    void whatIsNoJobIsRefused() {
        const std::string text = designText(*after(test::designOf("superpod-h100"), {"set training.pp=8"}));
        for (const char* other : {"5", "null", "[]", "\"gpt3-175b\""}) {
            std::string broken = text;
            const std::string own = "\"training\": {\"options\": {\"pp\": \"8\"}}";
            broken.replace(broken.find(own), own.size(), std::string("\"training\": ") + other);
            const auto read = readDesign(broken, "bad.railyard");
            QVERIFY2(!read && read.error().text.find("is not a training job") != std::string::npos, other);
        }
    }
    // A model of one's own travels in the document.
    void aModelOfAFileIsKept() {
        QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("own.json")).toStdString();
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"id\": \"own\", \"name\": \"Own 3B\", \"layers\": 24, \"hidden\": 2560, \"heads\": 32, \"ffn_hidden\": 10240, "
                   "\"vocab\": 51200, \"sequence_tokens\": 2048}");
        file.close();
        const DesignPointer design = after(test::designOf("superpod-h100", {{"servers", "4"}}), {"set training.model=" + path});
        QVERIFY(file.remove());
        const auto again = readDesign(designText(*design), "x");
        QVERIFY2(again, again ? "" : toText(again.error()).c_str());
        const auto job = jobOf(**again);
        QVERIFY(job);
        QCOMPARE(job->planned.job.model.name, std::string("Own 3B"));
        QCOMPARE(job->planned.job.model.layers, std::int64_t{24});
    }
    // Every figure is that of the estimate on the fabric as it is, with targets and explanations.
    void figuresAreThoseOfTheJob() {
        const DesignPointer design = after(test::designOf("rail-only", {{"servers", "32"}}),
                                           {"set training.model=gpt3-175b", "set training.pp=4", "set training.tokens=1e12",
                                            "target training.iteration_s at_most 1", "target training.mfu_fraction at_least 0.1"});
        const FabricPointer fabric = elaborate(design);
        TrainingJob job = usualJob(*modelOf("gpt3-175b"));
        job.degrees = {0, 1, 1, 0, 4};
        TrainingPlan plan;
        plan.tokens = 1e12;
        const auto expected = estimateTraining(*fabric, placedJob(job, *fabric, RankOrder::Near), plan);
        QVERIFY(expected);
        const Metrics metrics = metricsOf(*fabric);
        const auto figure = [&](const char* key) { return explain(*fabric, {metrics.instant, &metrics.background}, key)->value.value(); };
        QCOMPARE(figure("training.iteration_s"), expected->iteration.value());
        QCOMPARE(figure("training.days"), expected->days());
        QCOMPARE(figure("training.breakdown_s.bubble"), expected->breakdown.bubble.value());
        QCOMPARE(figure("training.memory_gib.total"), expected->memory.total());
        QCOMPARE(figure("training.gpus"), 256.0);
        const auto targets = targetsOf(*design, metrics.instant, &metrics.background);
        QCOMPARE(targets.size(), std::size_t{2});
        QCOMPARE(targets[0].margin, std::optional(1 - expected->iteration.value()));
        QCOMPARE(targets[1].margin, std::optional(expected->modelShare() - 0.1));
    }
    void aJobThatCannotRunIsUnknown() {
        const FabricPointer fabric = elaborate(after(test::designOf("superpod-h100", {{"servers", "4"}}), {"set training.gpus=64"}));
        const Metrics metrics = metricsOf(*fabric);
        const auto found = explain(*fabric, {metrics.instant, &metrics.background}, "training.iteration_s");
        QVERIFY(found && !found->value);
        QVERIFY2(found->origin.note.find("gpus = 64: 32 GPUs are available") != std::string::npos, found->origin.note.c_str());
    }
    void placementChoosesTheGpus() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "64"}, {"su_servers", "16"}});
        JobRequest request = usualRequest();
        request.gpus = 64;
        std::map<Placement, std::size_t> sus;
        for (const Placement each : {Placement::Packed, Placement::Spread, Placement::Random}) {
            request.placement = each;
            const auto placed = placedOn(*fabric, request);
            QVERIFY(placed);
            QCOMPARE(placed->gpus.size(), std::size_t{64});
            std::set<std::uint32_t> used;
            for (const DeviceId gpu : placed->gpus) used.insert(fabric->devices.su[gpu]);
            sus[each] = used.size();
        }
        QCOMPARE(sus[Placement::Packed], std::size_t{1});
        QCOMPARE(sus[Placement::Spread], std::size_t{4});
    }
};

QTEST_GUILESS_MAIN(tst_job_request)
#include "tst_job_request.moc"
