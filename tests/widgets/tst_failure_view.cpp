// The Failure view: its sentences, its settings, which are part of the design, and its pictures.
#include "core/analysis/option_sections.h"
#include "tests/support/designs.h"
#include "widgets/export/picture_table.h"
#include "widgets/views/failure_cards.h"
#include "widgets/views/failure_table.h"
#include "widgets/views/failure_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

using namespace railyard;

class tst_failure_view : public QObject {
    Q_OBJECT

    static QString label(const QWidget& view, const char* name) { return view.findChild<QLabel*>(QLatin1String(name))->text(); }

private slots:
    void saysHowOftenAndWhy() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        FailureView view(document);
        view.resize(1400, 900);
        view.show();
        view.wait();
        QVERIFY(label(view, "failure-headline")
                    .startsWith(QStringLiteral("A job on 512 GPUs is interrupted every 5.64 days; GPUs cause 88 %")));
        QVERIFY(label(view, "failure-note").contains(QStringLiteral("interruptions are expected in 30 days")));
        QVERIFY(label(view, "failure-verdict").contains(QStringLiteral("cost per token")));
        QVERIFY(label(view, "policy-verdict").contains(QStringLiteral("orwarding loses")));
        QVERIFY(view.findChild<FailureTable*>()->accessibleName().contains(QStringLiteral("GPU: 512")));
        QSignalSpy located(&view, &FailureView::locateAsked);
        auto* list = view.findChild<SingleFailureList*>();
        QTest::mouseClick(list, Qt::LeftButton, {}, QPoint(60, 40));
        QCOMPARE(located.count(), 1);
        QVERIFY(!located.front().front().toString().isEmpty());
        if (const QByteArray pictures = qgetenv("RAILYARD_PICTURES"); !pictures.isEmpty())
            for (const bool isDark : {false, true}) {
                view.setTokens(isDark ? darkTokens() : lightTokens());
                view.grab().save(QString::fromLocal8Bit(pictures) +
                                 (isDark ? QStringLiteral("/failure_dark.png") : QStringLiteral("/failure_light.png")));
            }
    }
    // A field is an edit of the design, with undo; a bad value says why and changes nothing.
    void fieldsEditTheFailureModel() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "64"}}), {});
        FailureView view(document);
        view.show();
        view.wait();
        const QString before = label(view, "failure-headline");
        auto* rate = view.findChild<QLineEdit*>(QStringLiteral("reliability-rate-gpu"));
        QVERIFY(rate);
        rate->setText(QStringLiteral("0.05/0.3/0.4"));
        emit rate->editingFinished();
        QCOMPARE(document.now().design->reliability->options.at("rate_gpu"), std::string("0.05/0.3/0.4"));
        view.wait();
        QVERIFY(label(view, "failure-headline") != before);
        document.waitForBackground(); // the figures of the design are of the same rates
        QCOMPARE(*document.background()->interrupts.components.front().rate.base, 0.3);
        document.undoStack().undo();
        QVERIFY(!document.now().design->reliability);
        view.wait();
        QCOMPARE(label(view, "failure-headline"), before);
        rate = view.findChild<QLineEdit*>(QStringLiteral("reliability-rate-gpu"));
        rate->setText(QStringLiteral("-1"));
        emit rate->editingFinished();
        QVERIFY(!document.now().design->reliability);
    }
    void keepsTheBestStandbys() {
        Document document;
        document.open(test::designOf("superpod-h100", {{"servers", "128"}}), {});
        FailureView view(document);
        view.show();
        view.wait();
        auto* keep = view.findChild<QPushButton*>(QStringLiteral("failure-keep"));
        QVERIFY(keep->isVisible());
        keep->click();
        const std::string standbys = document.now().design->reliability->options.at("standbys");
        QVERIFY(keep->text().contains(QString::fromStdString(standbys)));
        view.wait();
        QVERIFY(label(view, "failure-headline").contains(QString::number((128 - std::stoi(standbys)) * 8)) ||
                label(view, "failure-headline").contains(QLatin1Char(',')));
    }
    void otherDesigns_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("servers");
        for (const auto& [recipe, servers] : {std::pair("rail-only", "16"), {"superpod-gb200", "36"}, {"rail-optimized", "1"}})
            QTest::addRow("%s %s", recipe, servers) << QString::fromLatin1(recipe) << QString::fromLatin1(servers);
        QTest::addRow("empty") << QString() << QString();
    }
    void otherDesigns() {
        QFETCH(QString, recipe);
        QFETCH(QString, servers);
        Document document;
        document.open(recipe.isEmpty() ? emptyDesign(shippedCatalog())
                                       : test::designOf(recipe.toStdString(), {{"servers", servers.toStdString()}}),
                      {});
        FailureView view(document);
        view.resize(1300, 800);
        view.show();
        view.wait();
        QVERIFY(!label(view, "failure-headline").isEmpty());
        view.setTokens(darkTokens());
        QVERIFY(!view.grab().isNull());
    }
    void pictures() {
        QTemporaryDir folder;
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        PictureOptions options;
        options.size = QSize(900, 600);
        for (const char* view :
             {"failure:components", "failure:standbys", "failure:bandwidth-left", "failure:ettr-over-gpus", "heatmap:failure"})
            for (const char* ending : {"png", "svg"}) {
                const auto [picture, argument] = pictureNamed(view);
                QVERIFY(picture);
                const QString path = folder.filePath(QStringLiteral("p.") + QLatin1String(ending));
                const auto files = picture->draw(fabric, argument, path, options);
                QVERIFY2(files, view);
                QVERIFY(QFileInfo(path).size() > 2000);
            }
        QVERIFY(!pictureNamed("failure:components").first->draw(fabric, "nothing", folder.filePath(QStringLiteral("x.png")), options));
        // Crosses over what has failed.
        options.impacts.assign(fabric->devices.size(), Impact::None);
        const QString intact = folder.filePath(QStringLiteral("a.png")), failed = folder.filePath(QStringLiteral("b.png"));
        QVERIFY(drawTopology(*fabric, intact, options));
        options.impacts[0] = Impact::Failed;
        QVERIFY(drawTopology(*fabric, failed, options));
        QVERIFY(QImage(intact) != QImage(failed));
        options.impacts[0] = Impact::Degraded; // and tints what it reaches
        const QString reached = folder.filePath(QStringLiteral("c.png"));
        QVERIFY(drawTopology(*fabric, reached, options));
        QVERIFY(QImage(intact) != QImage(reached) && QImage(failed) != QImage(reached));
    }
};

QTEST_MAIN(tst_failure_view)
#include "tst_failure_view.moc"
