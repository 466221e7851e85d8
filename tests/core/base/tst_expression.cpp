#include "core/base/expression.h"

#include <QTest>

using namespace railyard;

class tst_expression : public QObject {
    Q_OBJECT

private slots:
    void counts_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("value"); // of a field that holds 128
        for (const auto& [text, value] : std::initializer_list<std::pair<const char*, int>>{{"64", 64},
                                                                                            {" 96 + 32 ", 128},
                                                                                            {"*1.5", 192},
                                                                                            {"/2", 64},
                                                                                            {"+4", 132},
                                                                                            {"-8", 120},
                                                                                            {"110 %", -1},
                                                                                            {"50%", 64},
                                                                                            {"2*(3+4)", 14},
                                                                                            {"2+3*4", 14},
                                                                                            {"100-10-20", 70},
                                                                                            {"64/2/2", 16},
                                                                                            {"+2*3", 134},
                                                                                            {"*2+1", 257}})
            QTest::newRow(text) << std::string(text) << value;
    }
    void counts() {
        QFETCH(std::string, text);
        QFETCH(int, value);
        const auto result = evaluateCount(text, 128);
        if (value < 0) {
            QVERIFY(!result);
            QVERIFY2(result.error().text.find("140 or 141") != std::string::npos, result.error().text.c_str());
            return;
        }
        QVERIFY2(result, text.c_str());
        QCOMPARE(*result, std::int64_t{value});
    }
    void lengths() {
        QCOMPARE(*evaluateField("2 ft", 1, FieldUnit::Length), 0.6096);
        QCOMPARE(*evaluateField("1.2m + 30 cm", 1, FieldUnit::Length), 1.5);
        QCOMPARE(*evaluateField("1000 mm", 1, FieldUnit::Length), 1.0);
        QVERIFY(!evaluateField("2 ft", 1)); // a count has no unit
    }
    void nonsenseSaysWhy() {
        for (const char* text :
             {"", " ", "abc", "2+", "*", "(2", "2)", "1/0", "2 3", "1e", "--", "4x4", "\xff", "999999999999999999999", "-200"}) {
            const auto result = evaluateCount(text, 128);
            QVERIFY2(!result && result.error().text.size() > 10, text);
        }
        QVERIFY(!evaluateCount(std::string(100000, '('), 1));
        QVERIFY(!evaluateCount(std::string(100000, '-'), 1));
    }
};

QTEST_APPLESS_MAIN(tst_expression)
#include "tst_expression.moc"
