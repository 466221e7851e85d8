#include "tests/support/designs.h"
#include "widgets/dialogs/price_book_dialog.h"

#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

using namespace railyard;

namespace {

PriceBook bookOf(const std::string& text) { return *PriceBook::read(text, "book.csv"); }

struct Desk {
    std::optional<PriceBook> stored;
    std::optional<Result<PriceBook>> imported;
    Status answer = Done{};
    PriceBookDialog dialog;
    explicit Desk(const PriceBook& book)
        : dialog(book, QStringLiteral("book.csv"),
                 {[this] { return imported; },
                  [this](const PriceBook& own) {
                      if (answer) stored = own;
                      return answer;
                  }}) {}
    QTableWidget& rows() { return *dialog.findChild<QTableWidget*>(); }
    void type(int row, int column, const QString& words) { rows().item(row, column)->setText(words); }
    void press(const char* name) { dialog.findChild<QPushButton*>(QLatin1String(name))->click(); }
    QString problem() {
        const auto* label = dialog.findChild<QLabel*>(QStringLiteral("price-problem"));
        return label->isHidden() ? QString() : label->text();
    }
};
enum { IdColumn, NameColumn, LengthColumn, PriceColumn = 4, KindColumn = 8 };

} // namespace

class tst_price_book_dialog : public QObject {
    Q_OBJECT

private slots:
    // What is shown is what is stored, whatever a book holds.
    void booksComeBack() {
        const PriceBook book = bookOf("id,length_m,low_usd,base_usd,high_usd,date,source,kind\n"
                                      "sw-qm9700,,1,2.5,3,2026-11,\"a, \"\"b\"\"\",reseller\nfib-mpo12-om4-straight,50,,90,,,,\n"
                                      "gone,,,12345678.25,,,<b>x</b>,\n");
        Desk desk(book);
        QCOMPARE(desk.rows().rowCount(), 3);
        QCOMPARE(desk.dialog.book()->text(), book.text());
        QCOMPARE(desk.rows().item(1, NameColumn)->text(), QStringLiteral("not in the catalogue"));
        desk.dialog.accept();
        QVERIFY(desk.stored && desk.dialog.result() == QDialog::Accepted);
        QCOMPARE(desk.stored->text(), book.text());
    }
    void pricesAreAddedByTheNumberOfTheMaker() {
        Desk desk({});
        desk.press("price-add");
        QCOMPARE(desk.rows().rowCount(), 1);
        desk.type(0, IdColumn, QStringLiteral("MFP7E10-N050"));
        QCOMPARE(desk.rows().item(0, IdColumn)->text(), QStringLiteral("fib-mpo12-om4-straight"));
        QCOMPARE(desk.rows().item(0, LengthColumn)->text(), QStringLiteral("50"));
        desk.dialog.accept();
        QVERIFY2(!desk.stored && desk.problem().contains(QStringLiteral("Row 1")), qPrintable(desk.problem()));
        QCOMPARE(desk.rows().currentColumn(), int(PriceColumn));
        desk.type(0, PriceColumn, QStringLiteral("90"));
        desk.type(0, KindColumn, QStringLiteral("street"));
        desk.dialog.accept();
        QVERIFY2(!desk.stored && desk.problem().contains(QStringLiteral("quote")), qPrintable(desk.problem()));
        QCOMPARE(desk.rows().currentColumn(), int(KindColumn));
        desk.type(0, KindColumn, QString());
        desk.dialog.accept();
        QVERIFY(desk.stored);
        QCOMPARE(desk.stored->prices().front().base.inDollars(), 90.0);
    }
    void pricesAreRemovedAndImported() {
        Desk desk(bookOf("id,base_usd\na,1\nb,2\nc,3\n"));
        auto* remove = desk.dialog.findChild<QPushButton*>(QStringLiteral("price-remove"));
        QVERIFY(!remove->isEnabled());
        desk.rows().selectRow(1);
        QVERIFY(remove->isEnabled());
        desk.press("price-remove");
        desk.press("price-import"); // cancelled
        QCOMPARE(desk.rows().rowCount(), 2);
        desk.imported = Result<PriceBook>(Error::file("quote.csv", "is empty", 1, 1));
        desk.press("price-import");
        QVERIFY2(desk.problem().contains(QStringLiteral("quote.csv")), qPrintable(desk.problem()));
        desk.imported = bookOf("id,base_usd\nc,30\nd,4\n");
        desk.press("price-import");
        QVERIFY(desk.problem().isEmpty());
        QCOMPARE(desk.dialog.book()->text(), bookOf("id,base_usd\na,1\nc,30\nd,4\n").text());
    }
    // Nothing is lost where the book cannot be written.
    void aBookThatCannotBeWritten() {
        Desk desk(bookOf("id,base_usd\na,1\n"));
        desk.answer = Error::file("/full/book.csv", "no space left on the device");
        desk.dialog.accept();
        QVERIFY(desk.dialog.result() != QDialog::Accepted);
        QVERIFY2(desk.problem().contains(QStringLiteral("no space")), qPrintable(desk.problem()));
        QCOMPARE(desk.rows().rowCount(), 1);
    }
};

QTEST_MAIN(tst_price_book_dialog)
#include "tst_price_book_dialog.moc"
