// What leaves the window other than by a file dialog: the clipboard, paper, the whole screen.
#include "app/gui/main_window.h"
#include "app/gui/presenter.h"
#include "core/design/edits/edit_elements.h"
#include "tests/support/designs.h"
#include "tests/support/painted.h"
#include "widgets/canvas/canvas.h"
#include "widgets/dialogs/option_dialog.h"
#include "widgets/export/clipboard_picture.h"
#include "widgets/export/picture_table.h"
#include "widgets/export/print_page.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMimeData>
#include <QPrinter>
#include <QTemporaryDir>
#include <QTimer>
#include <QXmlStreamReader>
#include <set>

using namespace railyard;

namespace {

// Every name of the clipboard draws what it says.
void checkPicture(const QMimeData& copied) {
    const QImage image = qvariant_cast<QImage>(copied.imageData());
    QVERIFY(!image.isNull() && test::isPainted(QPixmap::fromImage(image)));
    QVERIFY(QImage::fromData(copied.data(QStringLiteral("image/png")), "PNG").size() == image.size());
    QXmlStreamReader reader(copied.data(QStringLiteral("image/svg+xml")));
    int paths = 0;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QStringLiteral("g")) ++paths;
    QVERIFY(!reader.hasError() && paths > 5);
}

// As with a keyboard: the shortcuts of the drawing belong to it.
void press(MainWindow& window, Qt::Key key) {
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) qFatal("the window is not active");
    window.canvas().setFocus();
    QTest::keyClick(&window.canvas(), key, Qt::ControlModifier);
}

DesignPointer withViews() {
    Design design = *test::designOf("superpod-h100", {{"servers", "64"}, {"racks", "auto"}});
    design.views = {{"Leaves", 0, 0, 400, 200, false, false}, {"All of it", 0, 0, 2000, 1000, true, false}};
    return std::make_shared<const Design>(design);
}

} // namespace

class tst_presenting : public QObject {
    Q_OBJECT
    bool m_hadCrop = false;

private slots:
    void theDrawingIsCopiedAsAPicture() {
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100", {{"servers", "64"}}));
        press(window, Qt::Key_C);
        const QMimeData* copied = QApplication::clipboard()->mimeData();
        QVERIFY(copied->hasFormat(QStringLiteral("image/svg+xml")) && !copied->hasText());
        checkPicture(*copied);
        window.canvas().selectPaths({"su[1]/leaf[2]"});
        press(window, Qt::Key_C);
        copied = QApplication::clipboard()->mimeData();
        QCOMPARE(copied->text(), QStringLiteral("su[1]/leaf[2]\n"));
        QVERIFY(!copied->hasFormat(QLatin1String(ClipboardPicture::elements))); // of a recipe, they cannot be pasted
        checkPicture(*copied);
    }
    // Between two windows, as within one.
    void elementsAreCopiedBetweenWindows() {
        MainWindow first, second;
        first.show();
        second.show();
        first.canvas().addFromPalette("spine");
        const auto devices = [](MainWindow& window) { return window.document().now().fabric->devices.size(); };
        QCOMPARE(devices(first), std::size_t(1));
        first.canvas().selectAll();
        press(first, Qt::Key_C);
        QVERIFY(QApplication::clipboard()->mimeData()->hasFormat(QLatin1String(ClipboardPicture::elements)));
        press(first, Qt::Key_V);
        QCOMPARE(devices(first), std::size_t(2));
        press(second, Qt::Key_V);
        QCOMPARE(devices(second), std::size_t(1));
        QCOMPARE(second.document().now().fabric->partOf(DeviceId(0)), first.document().now().fabric->partOf(DeviceId(0)));
        second.document().undoStack().undo();
        QCOMPARE(devices(second), std::size_t(0));
        // What another program put there under our name is refused.
        auto* damaged = new QMimeData;
        damaged->setData(QLatin1String(ClipboardPicture::elements), "{\"format\": 3, ");
        QApplication::clipboard()->setMimeData(damaged);
        press(second, Qt::Key_V);
        QCOMPARE(devices(second), std::size_t(0));
    }
    void pagesFollowEachOther() {
        Document document;
        document.open(withViews(), {});
        PictureOptions options;
        options.tokens = printTokens();
        Presenter presenter(document, options);
        presenter.setAttribute(Qt::WA_DeleteOnClose, false);
        presenter.resize(960, 540);
        presenter.QWidget::show();
        QCOMPARE(presenter.pages(), 4); // slide, two views, floor
        std::set<QByteArray> pictures;
        for (int page = 0; page < 4; ++page) {
            QCOMPARE(presenter.page(), page);
            presenter.wait();
            QVERIFY(test::isPainted(QPixmap::fromImage(presenter.image())));
            const QImage image = presenter.image();
            pictures.insert(QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes()));
            QVERIFY(!presenter.grab().isNull());
            QTest::keyClick(&presenter, Qt::Key_Space);
        }
        QCOMPARE(pictures.size(), std::size_t(4));
        QCOMPARE(presenter.page(), 3); // the last one stays
        QTest::keyClick(&presenter, Qt::Key_Home);
        QCOMPARE(presenter.page(), 0);
        QTest::keyClick(&presenter, Qt::Key_Left);
        QCOMPARE(presenter.page(), 0);
        QTest::keyClick(&presenter, Qt::Key_End);
        QCOMPARE(presenter.page(), 3);
        for (int fast = 0; fast < 3; ++fast) QTest::keyClick(&presenter, Qt::Key_PageUp);
        presenter.resize(640, 360); // only the visible page is drawn again
        presenter.wait();
        QCOMPARE(presenter.image().size() / presenter.devicePixelRatioF(), QSize(640, 360));
        QTest::keyClick(&presenter, Qt::Key_Escape);
        QVERIFY(!presenter.isVisible());
    }
    void anEmptyDrawingIsPresentedToo() {
        Document document;
        Presenter presenter(document, PictureOptions());
        presenter.setAttribute(Qt::WA_DeleteOnClose, false);
        presenter.resize(640, 360);
        presenter.QWidget::show();
        presenter.wait();
        QCOMPARE(presenter.pages(), 1);
        QVERIFY(!presenter.image().isNull());
    }
    // Size, theme and crop of the dialog are those of the picture.
    void drawingsAreExportedAsAsked() {
        QTemporaryDir folder;
        MainWindow window;
        window.show();
        window.openDesign(test::designOf("superpod-h100", {{"servers", "64"}}));
        const auto exported = [&](const QString& name, bool isCropped) {
            const QString path = folder.filePath(name);
            QTimer answers;
            QObject::connect(&answers, &QTimer::timeout, [&] {
                QWidget* top = QApplication::activeModalWidget();
                if (auto* files = qobject_cast<QFileDialog*>(top)) {
                    files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
                    QMetaObject::invokeMethod(files, "accept");
                } else if (auto* dialog = qobject_cast<OptionDialog*>(top)) {
                    dialog->findChild<QLineEdit*>(QStringLiteral("picture-size"))->setText(QStringLiteral("640x400"));
                    auto* crop = dialog->findChild<QCheckBox*>(QStringLiteral("picture-crop"));
                    if (crop) crop->setChecked(isCropped);
                    m_hadCrop = crop != nullptr;
                    dialog->accept();
                }
            });
            answers.start(20);
            for (QAction* action : window.findChildren<QAction*>())
                if (action->text() == QStringLiteral("Dra&wing…")) action->trigger();
            return QImage(path);
        };
        const QImage whole = exported(QStringLiteral("whole.png"), false);
        QVERIFY(!m_hadCrop); // nothing is selected
        QCOMPARE(whole.size(), QSize(640, 400));
        window.canvas().selectPaths({"su[1]/leaf[2]", "su[1]/leaf[4]"});
        const QImage cropped = exported(QStringLiteral("cropped.png"), true);
        QVERIFY(m_hadCrop);
        QCOMPARE(cropped.size(), QSize(640, 400));
        QVERIFY(cropped != whole && test::isPainted(QPixmap::fromImage(cropped)));
        QCOMPARE(exported(QStringLiteral("again.png"), false), whole);
    }
    void theDrawingIsPrinted() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        PictureOptions options;
        options.tokens = printTokens();
        for (const auto orientation : {QPageLayout::Landscape, QPageLayout::Portrait}) {
            const QString path = folder.filePath(QStringLiteral("paper.pdf"));
            QPrinter printer(QPrinter::HighResolution);
            printer.setOutputFormat(QPrinter::PdfFormat);
            printer.setOutputFileName(path);
            printer.setPageOrientation(orientation);
            QVERIFY(printTopology(printer, *fabric, options));
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly) && file.size() > 5000);
        }
        QPrinter nowhere;
        nowhere.setOutputFormat(QPrinter::PdfFormat);
        nowhere.setOutputFileName(folder.filePath(QStringLiteral("absent/paper.pdf")));
        QVERIFY(!printTopology(nowhere, *fabric, options));
    }
    void everySavedViewIsAPage() {
        QTemporaryDir folder;
        const FabricPointer fabric = elaborate(withViews());
        const auto draw = [&](const FabricPointer& of, const char* name) {
            return drawPicture(*pictureNamed("views").first, of, {}, folder.filePath(QLatin1String(name)), PictureOptions());
        };
        const auto images = draw(fabric, "views.png");
        QVERIFY(images && images->size() == 2 && QFile::exists(images->at(1)));
        QVERIFY(draw(fabric, "views.pdf"));
        const auto none = draw(test::fabricOf("superpod-h100"), "none.pdf");
        QVERIFY(!none && none.error().text.find("no saved views") != std::string::npos);
        QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("none.pdf"))));
    }
};

QTEST_MAIN(tst_presenting)
#include "tst_presenting.moc"
