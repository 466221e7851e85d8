// The share of a bundle's links that has failed, against a count over all links.
#include "core/failure/impact.h"
#include "core/failure/removal.h"
#include "tests/support/designs.h"
#include "widgets/canvas/scene/bundle_keys.h"
#include "widgets/canvas/scene/scene_failures.h"
#include "widgets/export/pictures.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <map>

using namespace railyard;

class tst_scene_failures : public QObject {
    Q_OBJECT

    static Removal removalFor(const Fabric& fabric, const std::vector<std::string>& selectors, double share) {
        return *removalOf(fabric, {.selectors = selectors, .linkShare = share, .seed = 3});
    }

private slots:
    void sharesAreThoseOfAllLinks_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("gpus");
        QTest::addColumn<QString>("selector");
        QTest::addColumn<double>("share");
        for (const char* recipe : {"superpod-h100", "rail-only", "rail-only-gh200", "fat-tree", "hpn-pod", "meta-24k"})
            for (const char* gpus : {"1024", "4096", "8192"}) {
                QTest::addRow("%s %s leaves", recipe, gpus) << recipe << gpus << "tier=leaf" << 0.0;
                QTest::addRow("%s %s links", recipe, gpus) << recipe << gpus << "" << 0.1;
                QTest::addRow("%s %s both", recipe, gpus) << recipe << gpus << "**/srv[1]" << 0.02;
            }
    }
    void sharesAreThoseOfAllLinks() {
        QFETCH(QString, recipe);
        QFETCH(QString, gpus);
        QFETCH(QString, selector);
        QFETCH(double, share);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), {{"gpus", gpus.toStdString()}});
        std::vector<std::string> selectors;
        if (!selector.isEmpty()) selectors.push_back(selector.toStdString());
        const Removal removal = removalFor(*fabric, selectors, share);
        for (const Detail detail : {Detail::Folded, Detail::Full, Detail::Elided}) {
            const Scene scene = buildScene(*fabric, detail);
            std::map<BundleKey, FailedShare> expected;
            for (const LinkId l : fabric->links.ids()) {
                if (!fabric->isNetworkLink(l)) continue;
                const DeviceId a = fabric->links.a[l], b = fabric->links.b[l];
                const bool failed = (!removal.links.empty() && removal.links[l]) ||
                                    (!removal.devices.empty() && (removal.devices[a] || removal.devices[b]));
                for (const BundleKey& key : keysOf(*fabric, l)) {
                    expected[key].failed += failed ? 1 : 0;
                    ++expected[key].all;
                }
            }
            const std::vector<FailedShare> found = failedOfBundles(scene, *fabric, removal);
            QCOMPARE(found.size(), scene.bundles.size());
            for (std::size_t b = 0; b < found.size(); ++b) {
                const FailedShare own = scene.bundles[b].tier ? expected[keyOf(scene.bundles[b])] : FailedShare();
                QCOMPARE(found[b].failed, own.failed);
                QCOMPARE(found[b].all, own.all);
            }
        }
    }
    // Whatever fails leaves a mark where it is drawn: parts inside servers, HB switches of a rack, bundles whose switches work.
    void everythingThatFailsIsMarked_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("failed"); // what fails, with spaces between
        QTest::addColumn<QString>("part");   // of the drawing that is shown; empty: all of it
        const auto row = [](const char* name, const char* recipe, const QString& failed, const char* part) {
            QTest::newRow(name) << QString::fromLatin1(recipe) << failed << QString::fromLatin1(part);
        };
        row("GPU in an open server", "superpod-h100", QStringLiteral("su[1]/srv[4]/gpu[3]"), "su[1]/srv[4]");
        row("NIC in an open server", "superpod-h100", QStringLiteral("su[1]/srv[4]/nic[3]"), "su[1]/srv[4]");
        row("HB switch in an open server", "superpod-h100", QStringLiteral("su[1]/srv[4]/hb-switch[2]"), "su[1]/srv[4]");
        row("GPU in a closed server", "superpod-h100", QStringLiteral("su[1]/srv[4]/gpu[3]"), "");
        row("HB switch in a closed server", "superpod-h100", QStringLiteral("su[1]/srv[4]/hb-switch[2]"), "");
        row("HB switch of a rack", "superpod-gb200", QStringLiteral("su[1]/hb[1]/hb-switch[5]"), "");
        row("GPU of a tray", "superpod-gb200", QStringLiteral("su[1]/hb[1]/srv[3]/gpu[1]"), "");
        row("NIC of a tray", "superpod-gb200", QStringLiteral("su[1]/hb[1]/srv[3]/nic[2]"), "");
        row("GPU of an open tray", "superpod-gb200", QStringLiteral("su[1]/hb[1]/srv[3]/gpu[1]"), "su[1]/hb[1]/srv[3]");
        row("GPU under two levels of HB switches", "superpod-h100-nvlink", QStringLiteral("su[1]/hb[1]/srv[2]/gpu[1]"), "su[1]/hb[1]");
        QStringList uplinks;
        for (int port = 33; port <= 64; ++port) uplinks << QStringLiteral("su[1]/leaf[2]:%1").arg(port);
        row("some links of a bundle", "superpod-h100", uplinks.first(), "");
        row("all uplinks of a leaf", "superpod-h100", uplinks.join(QLatin1Char(' ')), "");
    }
    void everythingThatFailsIsMarked() {
        QFETCH(QString, recipe);
        QFETCH(QString, failed);
        QFETCH(QString, part);
        const FabricPointer fabric = test::fabricOf(recipe.toStdString());
        std::vector<std::string> selectors;
        for (const QString& each : failed.split(QLatin1Char(' '))) selectors.push_back(each.toStdString());
        const auto removal = removalOf(*fabric, {.selectors = selectors});
        QVERIFY2(removal, removal ? "" : removal.error().text.c_str());
        PictureOptions options;
        options.title = false;
        if (!part.isEmpty()) {
            const auto area = areaOf(*fabric, part.toStdString(), options.detail);
            QVERIFY2(area, area ? "" : area.error().text.c_str());
            options.area = *area;
        }
        const auto redsOf = [&] {
            QImage image(options.size, QImage::Format_RGB32);
            QPainter painter(&image);
            painter.setRenderHint(QPainter::Antialiasing);
            paintTopology(painter, *fabric, options);
            painter.end();
            const QColor danger = options.tokens.danger;
            int reds = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const QColor pixel = image.pixelColor(x, y);
                    reds += std::abs(pixel.red() - danger.red()) + std::abs(pixel.green() - danger.green()) +
                                        std::abs(pixel.blue() - danger.blue()) <
                                    30
                                ? 1
                                : 0;
                }
            return reds;
        };
        const int before = redsOf();
        options.removal = *removal;
        options.impacts = impactOf(*fabric, *removal).ofDevices;
        const int after = redsOf();
        QVERIFY2(after >= before + 8, qPrintable(QStringLiteral("%1 and %2").arg(before).arg(after)));
    }
    void nothingFails() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        for (const FailedShare& each : failedOfBundles(buildScene(*fabric, Detail::Folded), *fabric, {})) QCOMPARE(each.failed, 0);
    }
};

QTEST_MAIN(tst_scene_failures)
#include "tst_scene_failures.moc"
