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
    void truncatedTextSaysSo() {
        const auto parsed = parseJson("{\"format\": 1,", "f");
        QVERIFY(!parsed);
        QVERIFY(parsed.error().text.find("cut off") != std::string::npos);
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
