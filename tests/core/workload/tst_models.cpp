// Models, and the closed forms of their size, operations and activations, held against published numbers.
#include "core/workload/activations.h"
#include "core/workload/models_json.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

class tst_models : public QObject {
    Q_OBJECT

    static TransformerModel named(const char* id) {
        for (const TransformerModel& model : shippedModels())
            if (model.id == id) return model;
        qFatal("no such model");
    }
    // With so many digits, as printed.
    static double printed(double value, int digits) {
        const double unit = std::pow(10, std::floor(std::log10(value)) - digits + 1);
        return std::round(value / unit) * unit;
    }
    static bool isAs(double value, double wanted) { return std::abs(value - wanted) <= 1e-9 * wanted; }

private slots:
    void parameters_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<double>("published");
        QTest::addColumn<int>("digits");
        const auto row = [](const char* id, double published, int digits) { QTest::newRow(id) << id << published << digits; };
        // Narayanan et al., SC'21, Table 1: billions, with one decimal place.
        row("megatron-1.7b", 1.7e9, 2), row("megatron-3.6b", 3.6e9, 2), row("megatron-7.5b", 7.5e9, 2), row("megatron-18.4b", 18.4e9, 3);
        row("megatron-39.1b", 39.1e9, 3), row("megatron-76.1b", 76.1e9, 3), row("megatron-145.6b", 145.6e9, 4);
        row("megatron-310.1b", 310.1e9, 4), row("megatron-529.6b", 529.6e9, 4), row("megatron-1008b", 1008e9, 4);
        row("korthikanti-22b", 22e9, 2), row("korthikanti-175b", 175e9, 3), row("korthikanti-530b", 530e9, 3),
            row("korthikanti-1t", 1e12, 2);
        row("gpt3-175b", 174.6e9, 4);
        // Counts of the published weights.
        row("llama2-70b", 68976648192.0, 11), row("llama3-8b", 8030261248.0, 10), row("llama3-70b", 70553706496.0, 11);
        row("llama3-405b", 405853388800.0, 12), row("mixtral-8x7b", 46702792704.0, 11);
        row("deepseek-v3", 671e9, 3); // arXiv 2412.19437, without the module that predicts further tokens
    }
    void parameters() {
        QFETCH(QString, id);
        QFETCH(double, published);
        QFETCH(int, digits);
        const auto count = named(id.toUtf8().constData()).parameters();
        QVERIFY(count);
        QVERIFY2(isAs(printed(static_cast<double>(*count), digits), published), qPrintable(QString::number(*count)));
    }
    // What the sources do not publish stays unknown until a file gives it, and the refusal names it.
    void unknownSizesStayUnknown() {
        QCOMPARE(shippedModels().size(), std::size_t{32});
        int unknown = 0;
        for (const TransformerModel& model : shippedModels()) {
            QCOMPARE(model.parameters().has_value(), model.unknown.empty());
            const auto found = modelOf(model.id);
            QCOMPARE(static_cast<bool>(found), model.unknown.empty());
            if (found) continue;
            ++unknown;
            for (const std::string& key : model.unknown)
                QVERIFY2(toText(found.error()).find(key) != std::string::npos, toText(found.error()).c_str());
        }
        QCOMPARE(unknown, 3); // the leak, and two without a vocabulary
        // ERNIE 3.0 Titan: with any vocabulary near 18,000 it has the published 260 billion.
        TransformerModel ernie = named("ernie-titan-260b");
        ernie.unknown.clear();
        ernie.vocab = 18000, ernie.sequenceTokens = 512;
        QVERIFY(isAs(printed(static_cast<double>(*ernie.parameters()), 2), 260e9));
        TransformerModel experts = named("deepspeed-moe-1.3b-128e");
        experts.unknown.clear();
        experts.vocab = 50257;
        QVERIFY(isAs(printed(static_cast<double>(*experts.parameters()), 2), 52e9));
        QCOMPARE(experts.mixtureLayers(), std::int64_t{12});
    }
    // Two keys of one name, in the model and in its experts, are told apart and found in the file.
    void anUnknownSizeIsNamedWhereItStands() {
        const auto model =
            modelFrom("{\"name\": \"x\", \"layers\": 4, \"hidden\": 1024, \"heads\": 8, \"kv_heads\": 8, \"ffn_hidden\": null,\n"
                      "\"gated_ffn\": false, \"vocab\": 51200, \"sequence_tokens\": 2048, \"tied_embeddings\": true,\n"
                      "\"moe\": {\"experts\": 8, \"top_k\": 2, \"ffn_hidden\": null}}",
                      "x.json");
        QVERIFY(!model);
        QCOMPARE(model.errors().size(), std::size_t{2});
        QVERIFY2(toText(model.errors()[0]).starts_with("x.json:1:"), toText(model.errors()[0]).c_str());
        QVERIFY(model.errors()[0].text.find("\"ffn_hidden\"") != std::string::npos);
        QVERIFY2(toText(model.errors()[1]).starts_with("x.json:3:"), toText(model.errors()[1]).c_str());
        QVERIFY(model.errors()[1].text.find("\"moe.ffn_hidden\"") != std::string::npos);
    }
    // Narayanan et al., SC'21, eq. 3; the numbers are those of the validation set, with four digits.
    void operationsWithFullRecomputation_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("batch");
        QTest::addColumn<double>("flops");
        QTest::newRow("1.7B") << "megatron-1.7b" << 512 << 1.547e16;
        QTest::newRow("18.4B") << "megatron-18.4b" << 1024 << 3.248e17;
        QTest::newRow("145.6B") << "megatron-145.6b" << 2304 << 5.642e18;
        QTest::newRow("1008B") << "megatron-1008b" << 3072 << 5.139e19;
    }
    void operationsWithFullRecomputation() {
        QFETCH(QString, id);
        QFETCH(int, batch);
        QFETCH(double, flops);
        const TransformerModel model = named(id.toUtf8().constData());
        const double hardware = flopsOf(model, batch, Recompute::Full).hardware;
        QVERIFY2(isAs(printed(hardware, 4), flops), qPrintable(QString::number(hardware)));
        const double h = static_cast<double>(model.hidden), l = static_cast<double>(model.layers), s = 2048, v = 51200;
        QVERIFY(isAs(hardware, 96 * batch * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h))));
    }
    // Korthikanti et al., section 6.3: utilisation of 312 TFLOP/s from measured times, 22B on 8 GPUs and 175B on 64.
    void utilisationFromMeasuredTimes() {
        const auto percent = [](double flops, double seconds, double gpus) { return printed(flops / seconds / gpus / 312e12 * 100, 4); };
        const TrainingFlops small = flopsOf(named("korthikanti-22b"), 4, Recompute::Selective),
                            large = flopsOf(named("korthikanti-175b"), 64, Recompute::Selective);
        QVERIFY(isAs(percent(small.model, 1.1, 8), 41.65));
        QVERIFY(isAs(percent(small.hardware, 1.1, 8), 43.81));
        QVERIFY(isAs(percent(large.model, 13.75, 64), 51.39));
        QVERIFY(isAs(percent(large.hardware, 13.75, 64), 52.77));
    }
    // A token of a mixture passes its active parameters: 37 of 671 billion in DeepSeek-V3, 12.9 of 46.7 in Mixtral.
    void onlyActiveParametersWork() {
        const auto active = [](const TransformerModel& model) {
            const ForwardFlops flops = forwardFlopsOf(model);
            const double embedding = static_cast<double>(model.vocab * model.hidden); // looked up, not multiplied
            return (flops.matrices + flops.head) / 2 / static_cast<double>(model.sequenceTokens) + embedding;
        };
        QVERIFY(isAs(printed(active(named("mixtral-8x7b")), 3), 12.9e9));
        QVERIFY2(std::abs(active(named("deepseek-v3")) / 37e9 - 1) < 0.02, qPrintable(QString::number(active(named("deepseek-v3")))));
    }
    // Korthikanti et al., Table 2, for 22B and 175B: GiB of the first stage.
    void activations() {
        constexpr double gib = 1024.0 * 1024 * 1024;
        const auto gibOf = [&](const char* id, ActivationSplit split) { return activationBytesOfFirstStage(named(id), split) / gib; };
        QCOMPARE(gibOf("korthikanti-22b", {4, 8, 1, 1, false, Recompute::None, false}), 59.25);
        QCOMPARE(gibOf("korthikanti-22b", {4, 8, 1, 1, true, Recompute::Selective, false}), 9.5625);
        QCOMPARE(gibOf("korthikanti-175b", {1, 8, 8, 3, false, Recompute::None, false}), 66.84375);
        QCOMPARE(gibOf("korthikanti-175b", {1, 8, 8, 3, true, Recompute::Selective, false}), 12.3515625);
        // Full recomputation keeps the input of every layer: 2 s b h.
        QCOMPARE(gibOf("korthikanti-22b", {4, 8, 1, 1, false, Recompute::Full}), 48 * 2 * 2048.0 * 4 * 6144 / gib);
        for (const TransformerModel& model : shippedModels()) { // keeping less never takes more
            if (!model.unknown.empty()) continue;
            double last = 1e300;
            for (const Recompute how : {Recompute::None, Recompute::Selective, Recompute::GemmLast, Recompute::Full}) {
                const double bytes = activationBytesOfFirstStage(model, {1, 8, 1, 1, true, how});
                QVERIFY2(bytes > 0 && bytes <= last, model.id.c_str());
                last = bytes;
            }
        }
    }
    void filesAreChecked_data() {
        QTest::addColumn<QString>("more");
        QTest::addColumn<QString>("words");
        QTest::newRow("no vocabulary") << "\"vocab\": null"
                                       << "vocab";
        QTest::newRow("too many dense layers")
            << "\"vocab\": 100, \"moe\": {\"experts\": 8, \"top_k\": 2, \"ffn_hidden\": 64, \"dense_layers\": 5}"
            << "dense_layers";
        QTest::newRow("half an attention") << "\"vocab\": 100, \"latent_attention\": {\"q_lora_rank\": 8}"
                                           << "kv_lora_rank";
        QTest::newRow("odd heads") << "\"vocab\": 100, \"heads\": 7"
                                   << "heads";
    }
    void filesAreChecked() {
        QFETCH(QString, more);
        QFETCH(QString, words);
        QString text =
            QStringLiteral("{\"layers\": 4, \"hidden\": 64, \"heads\": 8, \"ffn_hidden\": 256, \"sequence_tokens\": 32, %1}").arg(more);
        if (more.contains(QStringLiteral("heads"))) text.replace(QStringLiteral("\"heads\": 8, "), QString());
        const auto model = modelFrom(text.toStdString(), "model.json");
        QVERIFY(!model);
        QVERIFY2(QString::fromStdString(toText(model.error())).contains(words), toText(model.error()).c_str());
    }
};

QTEST_GUILESS_MAIN(tst_models)
#include "tst_models.moc"
