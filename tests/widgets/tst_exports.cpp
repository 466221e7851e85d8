// What the window writes: every rack, words instead of keys, text that can be read from a slide, files beside the document.
#include "core/base/file.h"
#include "core/io/presentation/slide_parameters.h"
#include "core/io/results/results_json.h"
#include "core/io/tables/bom.h"
#include "core/io/tables/compare.h"
#include "tests/support/designs.h"
#include "widgets/dialogs/bill_options_dialog.h"
#include "widgets/document/document_folder.h"
#include "widgets/export/compare_pages.h"
#include "widgets/export/picture_parameters.h"
#include "widgets/export/pictures.h"
#include "widgets/plots/cell_map.h"
#include "widgets/theme/text.h"
#include "widgets/views/compare_view.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cmath>
#include <qcustomplot.h>

using namespace railyard;

namespace {

QString bytesOf(const QString& path) { return QString::fromUtf8(readFile(path.toStdString())->c_str()); }

// The smallest text of an SVG of Qt, in pixels of the page: its size times the scale of its group.
double smallestText(const QString& svg) {
    static const QRegularExpression group(
        QStringLiteral("<g [^>]*transform=\"matrix\\(([-0-9.e]+),([-0-9.e]+),[^>]*font-size=\"([0-9.]+)\"[^>]*>\\s*<text"));
    double smallest = 1e9;
    for (auto found = group.globalMatch(svg); found.hasNext();) {
        const auto match = found.next();
        smallest =
            std::min(smallest, std::hypot(match.captured(1).toDouble(), match.captured(2).toDouble()) * match.captured(3).toDouble());
    }
    return smallest;
}

} // namespace

class tst_exports : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    // 37 racks do not fit one page; every rack is on one of the pages, and once.
    void everyRackIsDrawn() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"racks", "auto"}});
        const Floor floor = floorOf(*fabric);
        PictureOptions options;
        options.size = QSize(1920, 1080);
        options.tokens = printTokens();
        const auto files = drawRacks(*fabric, m_folder.filePath(QStringLiteral("racks.svg")), options);
        QVERIFY(files);
        QVERIFY(files->size() > 1);
        QCOMPARE(files->front(), m_folder.filePath(QStringLiteral("racks.svg")));
        QString all;
        for (const QString& file : *files) all += bytesOf(file);
        for (const Rack& rack : floor.racks) QCOMPARE(all.count(QStringLiteral(">%1  ").arg(QString::fromStdString(rack.label))), 1);
        const auto pdf = drawRacks(*fabric, m_folder.filePath(QStringLiteral("racks.pdf")), options);
        QVERIFY(pdf && pdf->size() == 1);
        const std::string bytes = *readFile(pdf->front().toStdString());
        qsizetype pages = 0;
        for (std::size_t at = bytes.find("/Type /Page\n"); at != std::string::npos; at = bytes.find("/Type /Page\n", at + 1)) ++pages;
        QCOMPARE(pages, files->size());
        QVERIFY(drawRacks(*fabric, m_folder.filePath(QStringLiteral("again.pdf")), options));
        QCOMPARE(*readFile(m_folder.filePath(QStringLiteral("again.pdf")).toStdString()), bytes);
    }
    void aFewRacksTakeOnePage() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}, {"racks", "auto"}});
        PictureOptions options;
        options.size = QSize(1920, 1080);
        const auto files = drawRacks(*fabric, m_folder.filePath(QStringLiteral("few.png")), options);
        QVERIFY(files && *files == QStringList{m_folder.filePath(QStringLiteral("few.png"))});
        QVERIFY(!drawRacks(*test::fabricOf("superpod-h100", {{"servers", "8"}}), m_folder.filePath(QStringLiteral("none.png")), options));
    }
    void comparisonsAreInWords() {
        const FabricPointer a = test::fabricOf("superpod-h100", {{"servers", "64"}}), b = test::fabricOf("rail-only", {{"servers", "64"}});
        const Metrics of = metricsOf(*a), against = metricsOf(*b);
        PictureOptions options;
        options.size = QSize(1920, 1080);
        options.tokens = printTokens();
        const auto files = drawComparison({*a, *b, of, against}, m_folder.filePath(QStringLiteral("compare.svg")), options);
        QVERIFY(files);
        QCOMPARE(files->size(), 2); // drawings with what differs, and all figures
        QString all;
        for (const QString& file : *files) all += bytesOf(file);
        for (const ComparedFigure& row : comparedFigures(of, against))
            QVERIFY2(all.contains(row.name.toHtmlEscaped()) && all.contains(QString(row.b).remove(QStringLiteral("≥ ")).toHtmlEscaped()),
                     qPrintable(row.name));
        QVERIFY(all.contains(text(comparisonVerdict(of, against)).left(10)) && !all.contains(QStringLiteral("_usd")));
        QVERIFY2(smallestText(all) >= 20, qPrintable(QString::number(smallestText(all))));
        QVERIFY(drawComparison({*a, *b, of, against}, m_folder.filePath(QStringLiteral("compare.pdf")), options));
    }
    // A slide of 1920 × 1080: 18 pixels are what 12 points are on a page 1280 wide; nobody points at a slide.
    void mapsCanBeReadFromASlide() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        PictureOptions options;
        options.size = QSize(1920, 1080);
        options.tokens = printTokens();
        for (const char* view : {"decision", "collective-time"}) {
            const QString path = m_folder.filePath(QString::fromLatin1(view) + QStringLiteral(".svg"));
            QVERIFY(drawHeatMap(*fabric, QString::fromLatin1(view), path, options));
            const QString svg = bytesOf(path);
            QVERIFY2(smallestText(svg) >= 18 && smallestText(svg) < 1e9, qPrintable(QString::number(smallestText(svg))));
            for (const char* hint : {"click", "Point at", "Hover", "oom in"}) QVERIFY2(!svg.contains(QLatin1String(hint)), hint);
        }
    }
    void hintsAreForTheScreen() {
        CellMapData cells;
        cells.title = QStringLiteral("Title");
        cells.subtitle = QStringLiteral("What it shows.");
        cells.xLabels = cells.yLabels = QStringList{QStringLiteral("1")};
        cells.values = {0.5};
        cells.cellText = {QStringLiteral("5")};
        cells.tips = {RichText::plain(QStringLiteral("5"))};
        const auto picture = [&](const QString& hint) {
            cells.hint = hint;
            CellMap map;
            map.setAttribute(Qt::WA_DontShowOnScreen);
            map.resize(900, 600);
            map.show(cells, printTokens());
            QStringList labels;
            for (const QLabel* label : map.findChildren<QLabel*>()) labels << label->text();
            QImage image(960, 540, QImage::Format_RGB32);
            QCPPainter painter;
            painter.begin(&image);
            map.paintOn(painter, image.size());
            painter.end();
            return std::pair(image, labels.join(QLatin1Char('\n')));
        };
        const auto [with, seen] = picture(QStringLiteral("Point at a cell."));
        const auto [without, plain] = picture({});
        QVERIFY2(seen.contains(QStringLiteral("What it shows. Point at a cell.")), qPrintable(seen));
        QVERIFY(!plain.contains(QStringLiteral("Point")));
        QCOMPARE(with, without);
    }
    void filesStartBesideTheDocument() {
        Document document;
        Design design = *test::designOf("superpod-h100", {{"servers", "8"}});
        design.name = "Pod 7: A/B";
        document.open(std::make_shared<const Design>(design), {});
        const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
        QCOMPARE(folderOf(document), QDir(documents).exists() ? documents : QDir::homePath());
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("plans")));
        document.open(std::make_shared<const Design>(design), m_folder.filePath(QStringLiteral("plans/pod.railyard")));
        QCOMPARE(folderOf(document), m_folder.filePath(QStringLiteral("plans")));
        QCOMPARE(fileNextTo(document, QStringLiteral("-bom.xlsx")), m_folder.filePath(QStringLiteral("plans/Pod 7- A-B-bom.xlsx")));
        document.open(std::make_shared<const Design>(design), m_folder.filePath(QStringLiteral("gone/pod.railyard")));
        QVERIFY(folderOf(document) != m_folder.filePath(QStringLiteral("gone")));
    }
    // The drawing fills a page of any size, and its text grows with it.
    void drawingsFillTheirPage() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "512"}});
        for (const QSize size : {QSize(1920, 1080), QSize(3840, 2160), QSize(2880, 2160)}) {
            PictureOptions options;
            options.size = size;
            options.tokens = printTokens();
            options.title = false;
            const QString path = m_folder.filePath(QStringLiteral("page.png"));
            QVERIFY(drawTopology(*fabric, path, options));
            const QImage image(path);
            const QRgb ground = image.pixel(0, 0);
            int left = size.width(), right = 0, top = size.height(), bottom = 0;
            for (int y = 0; y < size.height(); y += 2)
                for (int x = 0; x < size.width(); x += 2)
                    if (image.pixel(x, y) != ground)
                        left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
            QVERIFY2(
                bottom - top > size.height() * 85 / 100 || right - left > size.width() * 85 / 100,
                qPrintable(QStringLiteral("%1 x %2 of %3 x %4").arg(right - left).arg(bottom - top).arg(size.width()).arg(size.height())));
        }
    }
    // Size and look of pictures as text, and what cannot be.
    void lookOfPicturesIsRows() {
        const auto settings = readPictureSettings({{"size", "640x400"}, {"dpi", "192"}, {"theme", "dark"}, {"transparent", "on"}});
        QVERIFY(settings);
        PictureOptions options;
        options.tokens.scale = ColorScale::Gray;
        settings->apply(options);
        QCOMPARE(options.size, QSize(640, 400));
        QCOMPARE(options.dpi, 192.0);
        QVERIFY(options.isTransparent() && options.tokens.scale == ColorScale::Gray);
        QCOMPARE(options.tokens.text, darkTokens().text);
        for (const auto& [key, wrong] :
             ParameterTexts{{"size", "63x400"}, {"size", "1920"}, {"dpi", "1201"}, {"theme", "pink"}, {"crop", "all"}})
            QVERIFY2(!readPictureSettings({{key, wrong}}), wrong.c_str());
        for (const char* wrong : {"1920x", "x1080", "1920x1080x", "99999x10", "wide", ""}) QVERIFY(!readPictureSettings({{"size", wrong}}));
        const PictureSettings usual;
        for (const Parameter<PictureSettings>& row : pictureParameters()) QCOMPARE(row.info.problemOf(row.text(usual)), std::string());
        QCOMPARE(readSlideOptions({{"project", "Ärger <b>"}, {"copy", "customer"}})->project, std::string("Ärger <b>"));
        QVERIFY(!readSlideOptions({{"copy", "both"}}));
    }
    void theBillAsksForItsOptions() {
        BillOptionsDialog dialog({});
        QVERIFY(!dialog.options().sparesConfidence && !dialog.options().byBlock && dialog.options().discounts.empty());
        const auto line = [&](const char* name) { return dialog.findChild<QLineEdit*>(QLatin1String(name)); };
        line("bill-spares")->setText(QStringLiteral("99%"));
        line("bill-currency")->setText(QStringLiteral("EUR"));
        line("bill-discount")->setText(QStringLiteral("switch=35%; NVIDIA=20%"));
        line("bill-margin")->setText(QStringLiteral("12%"));
        dialog.accept(); // a currency without its rate
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
        const auto* problem = dialog.findChild<QLabel*>(QStringLiteral("bill-problem"));
        QVERIFY2(!problem->isHidden() && problem->text().contains(QStringLiteral("exchange rate")), qPrintable(problem->text()));
        line("bill-currency")->setText(QStringLiteral("EUR=0.92"));
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        const BomOptions options = dialog.options();
        QCOMPARE(*options.sparesConfidence, 0.99);
        QCOMPARE(options.currency.code, std::string("EUR"));
        QCOMPARE(options.currency.perDollar, 0.92);
        QCOMPARE(discountsText(options.discounts), std::string("switch=35%; NVIDIA=20%"));
        QCOMPARE(options.margin, 0.12);
        BillOptionsDialog again(options);
        again.accept();
        QCOMPARE(*again.options().sparesConfidence, 0.99);
        QCOMPARE(again.options().currency.code, std::string("EUR"));
        QCOMPARE(discountsText(again.options().discounts), discountsText(options.discounts));
    }
};

QTEST_MAIN(tst_exports)
#include "tst_exports.moc"
