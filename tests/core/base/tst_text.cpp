#include "core/base/text.h"

#include <QTest>

using namespace railyard;

class tst_text : public QObject {
    Q_OBJECT

private slots:
    void everyLineEndBecomesLf() {
        QCOMPARE(*checkedText("a\r\nb\rc\n\rd\r", "f"), std::string("a\nb\nc\n\nd\n"));
        QCOMPARE(checkedText("a\rb\x01", "f").error().where.line, 2);
    }
    void faults_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("offset"); // -1: none
        QTest::newRow("plain") << QByteArray("spine[1]\tand\r\nmore") << -1;
        QTest::newRow("two, three and four bytes") << QByteArray("\xC3\xA9 \xE2\x88\x92 \xF0\x9F\x9A\x83") << -1;
        QTest::newRow("Latin-1") << QByteArray("Caf\xE9 1") << 3;
        QTest::newRow("a lone continuation") << QByteArray("a\x80") << 1;
        QTest::newRow("cut short") << QByteArray("ab\xE2\x88") << 2;
        QTest::newRow("longer than needed") << QByteArray("\xC0\xAF") << 0;
        QTest::newRow("longer than needed, three") << QByteArray("\xE0\x80\xAF") << 0;
        QTest::newRow("a surrogate") << QByteArray("\xED\xA0\x80") << 0;
        QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << 0;
        QTest::newRow("escape") << QByteArray("x\x1b[31m") << 1;
        QTest::newRow("bell and delete") << QByteArray("\x7f") << 0;
        QTest::newRow("an escape of one character") << QByteArray("ab\xC2\x9B") << 2;
        QTest::newRow("a null") << QByteArray("a\0b", 3) << 1;
        QTest::newRow("not for XML") << QByteArray("\xEF\xBF\xBF") << 0;
    }
    void faults() {
        QFETCH(QByteArray, text);
        QFETCH(int, offset);
        const auto fault = firstFault(text.toStdString());
        QCOMPARE(fault ? static_cast<int>(fault->offset) : -1, offset);
        const std::string clean = withoutFaults(text.toStdString());
        QVERIFY(!firstFault(clean));
        if (offset < 0) QCOMPARE(clean, text.toStdString());
    }
    void everyByteAloneOrAfterAnother() { // Qt's decoder shares no code with ours
        for (int first = 0; first < 256; ++first)
            for (int second = 0; second < 256; ++second) {
                const char pair[] = {static_cast<char>(first), static_cast<char>(second)};
                const bool valid = QString::fromUtf8(QByteArray(pair, 2)).toUtf8() == QByteArray(pair, 2);
                const auto fault = firstFault(std::string_view(pair, 2));
                const bool refusedAsBytes = fault && fault->what.find("UTF-8") != std::string::npos;
                const bool control = fault && !refusedAsBytes;
                QVERIFY2(refusedAsBytes == !valid || control, QByteArray(pair, 2).toHex());
            }
    }
    void tablesOfSpreadsheetsAreConverted() {
        QCOMPARE(*checkedTable("id;Caf\xE9 \x80 5\n", "f"), std::string("id;Caf\xC3\xA9 \xE2\x82\xAC 5\n"));                // Windows-1252
        QCOMPARE(*checkedTable(std::string("\xFF\xFEi\0d\0\x3D\xD8\x83\xDE", 10), "f"), std::string("id\xF0\x9F\x9A\x83")); // UTF-16
        QCOMPARE(*checkedTable(std::string("\xFE\xFF\0i\0d", 6), "f"), std::string("id"));
        QCOMPARE(*checkedTable("\xEF\xBB\xBFid\n", "f"), std::string("id\n"));
        QVERIFY(!firstFault(*checkedTable(std::string("\xFF\xFE\x00\xD8i\0", 6), "f"))); // half a pair
        const auto refused = checkedTable("id\nab\x1b", "f");
        QVERIFY(!refused);
        QCOMPARE(toText(refused.error()), std::string("f:2:3: contains the control character U+001B; save the file as UTF-8 text"));
    }
    void textIsRefusedWithItsPlace() {
        const auto refused = checkedText("set name=a\nset name=Caf\xE9\n", "edits.txt");
        QVERIFY(!refused);
        QCOMPARE(toText(refused.error()),
                 std::string("edits.txt:2:13: contains the byte 0xE9, which is not valid UTF-8; save the file as UTF-8 text"));
    }
};

QTEST_APPLESS_MAIN(tst_text)
#include "tst_text.moc"
