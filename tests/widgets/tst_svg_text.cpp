#include "tests/support/designs.h"
#include "widgets/export/picture_table.h"
#include "widgets/export/svg_text.h"

#include <QFile>
#include <QFont>
#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <cmath>

using namespace railyard;

namespace {

QImage drawn(const QByteArray& svg) {
    QSvgRenderer renderer(svg);
    QImage image(960, 540, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    return image;
}

} // namespace

class tst_svg_text : public QObject {
    Q_OBJECT

private slots:
    // Every text has its width and fonts of other systems; with our fonts nothing moves.
    void textsKeepTheirPlace() {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.svg"));
        Design design = *test::designOf("superpod-h100", {{"servers", "64"}});
        design.name = "A & B <\"quoted\">";
        PictureOptions options;
        options.size = QSize(1920, 1080);
        options.carriesDesign = false;
        QVERIFY(drawPicture(*pictureNamed("slide").first, elaborate(std::make_shared<const Design>(design)), {}, path, options));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QXmlStreamReader reader(svg);
        int texts = 0, middles = 0;
        while (!reader.atEnd()) {
            if (reader.readNext() != QXmlStreamReader::StartElement || reader.name() != QStringLiteral("text")) continue;
            const auto value = [&](const char* name) { return reader.attributes().value(QLatin1String(name)).toString(); };
            ++texts;
            QVERIFY(value("font-family").endsWith(QStringLiteral("sans-serif")));
            const QString anchor = value("text-anchor"), length = value("textLength"), size = value("font-size"),
                          weight = value("font-weight");
            const QString words = reader.readElementText();
            middles += anchor == QStringLiteral("middle") ? 1 : 0;
            QCOMPARE(anchor == QStringLiteral("middle"), words.size() <= 12);
            QFont font(QStringLiteral("Noto Sans"));
            font.setPixelSize(size.toInt());
            font.setWeight(static_cast<QFont::Weight>(weight.toInt()));
            QVERIFY2(std::abs(QFontMetricsF(font).horizontalAdvance(words) - length.toDouble()) < 0.1, qPrintable(words));
        }
        QVERIFY(!reader.hasError());
        QVERIFY(texts > 40 && middles > 10);
    }
    void nothingElseChanges() {
        const QByteArray svg =
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" height=\"540\"><g font-family=\"Noto Sans\"><text x=\"10\" "
            "y=\"60\" font-family=\"Noto Sans\" font-size=\"40\" font-weight=\"400\" >a &amp; b</text>"
            "<text x=\"10\" y=\"160\" font-family=\"Noto Sans\" font-size=\"40\" font-weight=\"700\" >a longer text "
            "&lt;here&gt;</text></g></svg>";
        const QByteArray portable = withPortableText(svg);
        QCOMPARE(portable.count("textLength"), 2);
        QCOMPARE(portable.count("middle"), 1);
        QVERIFY(portable.contains(">a &amp; b</text>"));
        const QImage before = drawn(svg), after = drawn(portable);
        int different = 0; // Qt anchors in the middle to fractions of a pixel
        for (int y = 0; y < before.height(); ++y)
            for (int x = 0; x < before.width(); ++x) different += qAbs(qGray(before.pixel(x, y)) - qGray(after.pixel(x, y))) > 96 ? 1 : 0;
        QVERIFY2(different < 60, qPrintable(QString::number(different)));
        for (const char* odd : {"", "<svg></svg>", "<text ", "<text x=\"1\">", "<text >x</text>", "font-family=\"x"})
            QVERIFY(withPortableText(odd).startsWith(QByteArray(odd).left(5)));
    }
};

QTEST_MAIN(tst_svg_text)
#include "tst_svg_text.moc"
