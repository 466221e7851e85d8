// Text from a document is never taken for rich text, and no picture makes the program read another file.
#include "app/gui/main_window.h"
#include "tests/support/designs.h"
#include "tests/support/painted.h"
#include "tests/support/watched_pipe.h"
#include "widgets/dialogs/bill_options_dialog.h"
#include "widgets/dialogs/new_fabric_dialog.h"
#include "widgets/dialogs/site_dialog.h"
#include "widgets/dialogs/tour.h"
#include "widgets/export/logo_file.h"
#include "widgets/export/pictures.h"
#include "widgets/theme/plain_text.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QInputDialog>
#include <QLabel>
#include <QTemporaryDir>
#include <QTextDocument>
#include <QTimer>
#include <QToolTip>
#include <QTreeView>

using namespace railyard;
using test::WatchedPipe;

static const char* const evil = "<img src=\"%1\">";

static DesignPointer evilDesign(const QString& picture) {
    const std::string name = QString::fromLatin1(evil).arg(picture).toStdString();
    Design design = *test::designOf("superpod-h100");
    design.name = name;
    design.views.push_back({name, 0, 0, 100, 100, {}});
    Callout callout{};
    callout.text = name;
    design.callouts.push_back(callout);
    design.overrides["su[1]/leaf[1]"].label = name;
    design.approvals.push_back({"RY-D001", name, name});
    return std::make_shared<const Design>(std::move(design));
}

static void checkTexts(const QWidget& root) {
    for (const QLabel* label : root.findChildren<QLabel*>()) {
        QVERIFY2(label->textFormat() != Qt::AutoText || !Qt::mightBeRichText(label->text()),
                 qPrintable(label->objectName() + QLatin1Char(' ') + label->text()));
        if (label->textFormat() == Qt::RichText) QVERIFY2(!label->text().contains(QStringLiteral("<img")), qPrintable(label->text()));
    }
    for (const QWidget* widget : root.findChildren<QWidget*>())
        for (const QString& words : {widget->toolTip(), widget->whatsThis()})
            QVERIFY2(!Qt::mightBeRichText(words) || !words.contains(QStringLiteral("<img")), qPrintable(words));
    for (const QAction* action : root.findChildren<QAction*>())
        QVERIFY2(!Qt::mightBeRichText(action->toolTip()), qPrintable(action->toolTip()));
    for (const auto* view : root.findChildren<QAbstractItemView*>()) {
        const QAbstractItemModel* model = view->model();
        for (int row = 0; model && row < std::min(model->rowCount(), 50); ++row)
            for (int column = 0; column < model->columnCount(); ++column) {
                const QString tip = model->index(row, column).data(Qt::ToolTipRole).toString();
                QVERIFY2(!Qt::mightBeRichText(tip) || !tip.contains(QStringLiteral("<img")), qPrintable(tip));
            }
    }
}

class tst_plain_text : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString m_picture;

private slots:
    void initTestCase() {
        m_picture = m_folder.filePath(QStringLiteral("local.png"));
        QImage image(300, 300, QImage::Format_ARGB32);
        image.fill(Qt::red);
        QVERIFY(image.save(m_picture));
    }
    void everyTextOfTheWindowIsPlain() {
        WatchedPipe pipe(m_folder.filePath(QStringLiteral("pipe")));
        MainWindow window;
        window.show();
        for (const QString& file : {m_picture, pipe.path()}) {
            window.openDesign(evilDesign(file));
            window.document().setFailures({{"su[1]/leaf[1]"}, 0});
            for (const ViewInfo& info : viewTable()) {
                window.showView(info.view);
                QApplication::processEvents();
                QVERIFY(test::isPainted(window.grab()));
                checkTexts(window);
            }
            window.showView(View::Draw);
        }
        window.document().setFailures({});
        NewFabricDialog fabric(shippedCatalog(), lightTokens());
        BillOptionsDialog bill({}, nullptr);
        SiteDialog site({});
        Tour tour(&window);
        for (const QWidget* dialog : std::initializer_list<QWidget*>{&fabric, &bill, &site, &tour}) checkTexts(*dialog);
        QVERIFY2(!pipe.wasRead(), "a name was taken for a picture, and its file was read");
    }
    void messagesAndQuestionsArePlain() {
        WatchedPipe pipe(m_folder.filePath(QStringLiteral("pipe2")));
        for (const QString& file : {m_picture, pipe.path()}) {
            const QString words = QString::fromLatin1(evil).arg(file);
            int seen = 0;
            const auto check = [&] {
                QWidget* box = QApplication::activeModalWidget();
                if (!box) return;
                checkTexts(*box);
                for (const QLabel* label : box->findChildren<QLabel*>()) seen += label->text().contains(QStringLiteral("img src"));
                QVERIFY(box->width() < 900 && box->height() < 290); // no picture of 300 px inside
                qobject_cast<QDialog*>(box)->reject();
            };
            QTimer::singleShot(100, this, check);
            warn(nullptr, QStringLiteral("Title"), words);
            QTimer::singleShot(100, this, check);
            askChoice(nullptr, QStringLiteral("Title"), words, {{QStringLiteral("Replace")}}, 0);
            QCOMPARE(seen, 2);
        }
        QVERIFY(!pipe.wasRead());
    }
    void toolTipsAreEscaped() {
        const QString words = QString::fromLatin1(evil).arg(m_picture);
        QVERIFY(Qt::mightBeRichText(words));
        QTextDocument shown;
        setRichText(shown, RichText::markup(asToolTip(words)));
        QCOMPARE(shown.toPlainText(), words);
        QCOMPARE(asToolTip(QStringLiteral("a < b, 3 > 2")), QStringLiteral("a < b, 3 > 2"));
        const RichText both = RichText::filled(QStringLiteral("<b>%1</b>%2"), words, RichText::plain(QStringLiteral("%1")));
        setRichText(shown, both);
        QCOMPARE(shown.toPlainText(), words + QStringLiteral("%1"));
        QCOMPARE(asMenuText(QStringLiteral("R&D")), QStringLiteral("R&&D"));
    }
    void logosLoadNoFiles_data() {
        QTest::addColumn<QString>("svg");
        const QString image = QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' "
                                             "width='300' height='300'>%1<rect width='9' height='9'/></svg>");
        const auto row = [&](const char* name, const char* inner) { QTest::newRow(name) << image.arg(QString::fromUtf8(inner)); };
        row("xlink", "<image width='300' height='300' xlink:href='FILE'/>");
        row("href", "<image width='300' height='300' href='file://FILE'/>");
        row("use", "<use xlink:href='FILE#a'/>");
        row("import", "<style>@import 'FILE';</style>");
        row("import in CDATA", "<style><![CDATA[ @IMPORT url(FILE); ]]></style>");
        row("style", "<rect style=\"fill:url('FILE#a')\" width=\"9\" height=\"9\"/>");
        row("font", "<style>@font-face { src: url( 'FILE' ) }</style>");
        row("picture in a picture", "<image width='300' height='300' xlink:href='data:image/png;base64,INNER'/>");
        QTest::newRow("style sheet") << QStringLiteral("<?xml-stylesheet type=\"text/css\" href=\"FILE\"?>") + image.arg(QString());
        QTest::newRow("entity") << QStringLiteral("<!DOCTYPE svg [<!ENTITY e SYSTEM \"FILE\">]>") + image.arg(QStringLiteral("&e;"));
        QTest::newRow("comment first") << QStringLiteral("<!-- a logo -->") +
                                              image.arg(QStringLiteral("<image width='3' height='3' xlink:href='FILE'/>"));
    }
    void logosLoadNoFiles() {
        QFETCH(QString, svg);
        WatchedPipe pipe(m_folder.filePath(QStringLiteral("pipe4")));
        for (const QString& file : {m_picture, pipe.path()}) {
            const QByteArray inner = QStringLiteral("<svg><image xlink:href='%1'/></svg>").arg(file).toUtf8().toBase64();
            QFile logo(m_folder.filePath(QStringLiteral("logo.svg")));
            QVERIFY(logo.open(QIODevice::WriteOnly));
            logo.write(
                QString(svg).replace(QStringLiteral("FILE"), file).replace(QStringLiteral("INNER"), QString::fromLatin1(inner)).toUtf8());
            logo.close();
            const auto read = pictureAsText(logo.fileName());
            QVERIFY(!read);
            QVERIFY2(read.error().text.find("may not load other files") != std::string::npos, read.error().text.c_str());
        }
        QVERIFY(!pipe.wasRead());
    }
    void logosThatStandByThemselvesAreRead() {
        QFile pixels(m_picture);
        QVERIFY(pixels.open(QIODevice::ReadOnly));
        QFile logo(m_folder.filePath(QStringLiteral("own.svg")));
        QVERIFY(logo.open(QIODevice::WriteOnly));
        logo.write("<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
                   "width=\"30\" height=\"30\"><defs><linearGradient id=\"g\"/><g id=\"k\"/></defs><use xlink:href=\"#k\"/>"
                   "<rect fill=\"url(#g)\" width=\"9\" height=\"9\"/><image width=\"9\" height=\"9\" xlink:href=\"data:image/png;base64," +
                   pixels.readAll().toBase64() + "\"/></svg>");
        logo.close();
        const auto read = pictureAsText(logo.fileName());
        QVERIFY2(static_cast<bool>(read), read ? "" : read.error().text.c_str());
    }
    void logosAreRegularFiles() {
        WatchedPipe pipe(m_folder.filePath(QStringLiteral("pipe5")));
        for (const QString& file : {pipe.path(), QStringLiteral("/dev/zero"), m_folder.path()}) {
            const auto read = pictureAsText(file);
            QVERIFY(!read && read.error().text.find("not a regular file") != std::string::npos);
        }
        QVERIFY(!pipe.wasRead());
    }
};

QTEST_MAIN(tst_plain_text)
#include "tst_plain_text.moc"
