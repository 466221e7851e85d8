#include "core/base/thread_cpu.h"
#include "core/json/json_text.h"

#include <QTest>

using namespace railyard;

class tst_json : public QObject {
    Q_OBJECT

private slots:
    void locatesValues() {
        const std::string text = "{\n  \"a\": [1, {\"b\": \"x]\\\"y\"}],\n  \"c\": {\"d\": 5}\n}\n";
        const SourcePosition d = locateInJson(text, "f", {"c", "d"});
        QCOMPARE(d.line, 3);
        QCOMPARE(d.column, 14);
        const SourcePosition b = locateInJson(text, "f", {"a", "1", "b"});
        QCOMPARE(b.line, 2);
        QCOMPARE(locateInJson(text, "f", {"c", "missing"}).line, 3); // the nearest there is
    }
    void aKeyTwiceIsAnError() {
        const auto parsed = parseJson("{\n  \"a\": 1,\n  \"b\": {\"x\": 1, \"y\": 2, \"x\": 3}\n}", "f");
        QVERIFY(!parsed);
        QCOMPARE(toText(parsed.error()), std::string("f:3:25: \"x\" is defined twice; remove one of the two"));
        QCOMPARE(parsed.error().code, std::string("duplicate"));
        QVERIFY(parseJson("[{\"a\": {\"a\": 1}}, {\"a\": 2}]", "f"));
        std::string many = "{\"k0\": 0";
        for (int i = 1; i < 100; ++i) many += ", \"k" + std::to_string(i) + "\": " + std::to_string(i);
        QVERIFY(parseJson(many + "}", "f"));
        QVERIFY(!parseJson(many + ", \"k3\": 0}", "f"));
        QVERIFY(!parseJson(many + ", \"k99\": 0}", "f"));
    }
    void controlCharactersAreReplaced() {
        const auto parsed = parseJson("{\"a\\u001b\": \"x\\u0007y\\n\"}", "f");
        QVERIFY(parsed);
        QCOMPARE(parsed->begin().key(), std::string("a\xEF\xBF\xBD"));
        QCOMPARE(parsed->begin()->get<std::string>(), std::string("x\xEF\xBF\xBDy\n"));
    }
    void faultsHaveTheirPlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("Latin-1") << QByteArray("{\n\"a\": \"Caf\xE9\"}") << "f:2:10: contains the byte 0xE9";
        QTest::newRow("number") << QByteArray("[1,\n 1e999]") << "f:2:2: a number is too large";
        QTest::newRow("depth") << QByteArray(100, '[') << "f:1:65: is nested more than 64";
        QTest::newRow("syntax") << QByteArray("{\"a\" 1}") << "f:1:6: invalid JSON";
        QTest::newRow("empty") << QByteArray() << "f:1:1: the file is truncated";
        QTest::newRow("after the end") << QByteArray("{} x") << "f:1:4: invalid JSON";
        QTest::newRow("half a surrogate pair") << QByteArray("[\"\\ud800\"]") << "invalid JSON";
    }
    void faultsHaveTheirPlace() {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const auto parsed = parseJson(text.toStdString(), "f");
        QVERIFY(!parsed);
        QVERIFY2(toText(parsed.error()).find(says.toStdString()) != std::string::npos, toText(parsed.error()).c_str());
    }
    void agreesWithTheLibrary() { // on what is valid, and on what it means
        for (const char* text : {"null", " true ", "-0.5e3", "18446744073709551615", "-9223372036854775808", "\"\\u00e9\\ud83d\\ude83\"",
                                 "[]", "{}", "[1, [2, {\"a\": [3]}], \"x\"]", "{\"a\": {}, \"b\": [[]], \"c\": null}"}) {
            const auto parsed = parseJson(text, "f");
            QVERIFY2(parsed, text);
            QVERIFY2(*parsed == Json::parse(text), text);
            QCOMPARE(parsed->dump(), Json::parse(text).dump());
        }
    }
    void truncatedTextSaysSo() {
        const auto parsed = parseJson("{\"format\": 1,", "f");
        QVERIFY(!parsed);
        QCOMPARE(parsed.error().code, std::string("syntax"));
        QVERIFY(parsed.error().where.line == 1);
    }
    void deepNestingIsRefused() { QVERIFY(!parseJson(std::string(100000, '[') + std::string(100000, ']'), "f")); }
    void everyErrorIsReportedUpToAHundred() {
        std::string text = "{\"rows\": [";
        for (int i = 0; i < 300; ++i) text += std::string(i ? "," : "") + "{\"n\": \"x\"}";
        JsonSource source{"f", text + "]}", {}, {}};
        source.root = *parseJson(source.text, "f");
        JsonView::root(source).eachItem("rows", [](const JsonView& row) { row.integer("n", 0, 5); });
        QCOMPARE(source.errors.size(), std::size_t{100});
        QVERIFY(source.errors[1].where.column > source.errors[0].where.column);
    }
    // Each error once walked the text from its start: 100 errors in 5 MB took 7 s.
    void positionsOfManyErrorsAreFoundInOneWalk() {
        std::string text = "{\"rows\": [\n";
        constexpr int rows = 200'000;
        for (int i = 0; i < rows; ++i)
            text += (i ? ",\n" : "") + std::string("{\"k\\u0065y\": \"a ] string\", \"n\": ") + (i < rows - 100 ? "1" : "\"x\"") + "}";
        JsonSource source{"f", text + "]}", {}, {}};
        source.root = *parseJson(source.text, "f");
        const double begin = threadCpuMilliseconds();
        JsonView::root(source).eachItem("rows", [](const JsonView& row) { row.integer("n", 0, 5); });
        const double ms = threadCpuMilliseconds() - begin;
        QCOMPARE(source.errors.size(), std::size_t{100});
        QCOMPARE(source.errors[99].where.line, rows + 1);
        QCOMPARE(source.errors[99].where.column, 33);
        QVERIFY2(ms < 3000, qPrintable(QString::number(ms)));
        QCOMPARE(locateInJson(text + "]}", "f", {"rows", "7", "key"}).column, 14); // a name that is written with an escape
    }
    // Whole numbers are written without a fraction; those beyond 2^53 stay what they were.
    void largeNumbersSurvive() {
        for (const char* text : {"{\n  \"a\": 4.11111e+77\n}", "{\n  \"a\": -1e+300\n}", "{\n  \"a\": 12\n}"}) {
            const auto json = parseJson(text, "f");
            QVERIFY(json);
            const auto again = parseJson(canonicalText(*json), "f");
            QVERIFY(again);
            QCOMPARE((*again)["a"].get<double>(), (*json)["a"].get<double>());
        }
        const auto whole = parseJson("{\"a\": 3.0}", "f");
        QVERIFY(canonicalText(*whole).find("3.0") == std::string::npos);
    }
    void canonicalTextIsStable() {
        const auto json = parseJson(
            R"({"b": 1.0, "a": [1, 2.5, {"x": null}], "long": ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"]})",
            "f");
        const std::string once = canonicalText(*json);
        QCOMPARE(canonicalText(*parseJson(once, "f")), once);
        QVERIFY(once.find("\"b\": 1,\n") != std::string::npos);
        QVERIFY(once.ends_with("}\n"));
    }
};

QTEST_GUILESS_MAIN(tst_json)
#include "tst_json.moc"
