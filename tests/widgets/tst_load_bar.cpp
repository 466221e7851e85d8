// Loads on the drawing: the same figures as the command line, of what is left, gone with the mode.
#include "tests/support/designs.h"

#include "tests/support/painted.h"
#include "widgets/canvas/canvas.h"
#include "widgets/canvas/scene/scene_loads.h"
#include "widgets/modes/load_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace railyard;

class tst_load_bar : public QObject {
    Q_OBJECT

    struct Desk {
        Document document;
        Canvas canvas{document};
        LoadBar bar{document};
        LoadBar::Utilisations shown;
        explicit Desk(const DesignPointer& design) {
            document.open(design, {});
            canvas.resize(1000, 700);
            QObject::connect(&bar, &LoadBar::loadsChanged, &canvas, &Canvas::showLoads);
            QObject::connect(&bar, &LoadBar::loadsChanged, &bar, [this](const LoadBar::Utilisations& loads) { shown = loads; });
            bar.setTokens(lightTokens());
            bar.setOn(true);
            bar.wait();
        }
        void choose(const char* name, int index) {
            auto* box = bar.findChild<QComboBox*>(QString::fromLatin1(name));
            box->setCurrentIndex(index);
            emit box->activated(index);
            bar.wait();
        }
        QString text() const { return bar.findChild<QLabel*>(QStringLiteral("load-text"))->text(); }
    };

private slots:
    void theLoadsAreThoseOfTheCore() {
        Desk desk(test::designOf("superpod-h100"));
        const Fabric& fabric = *desk.document.now().fabric;
        const auto loads = linkLoads(fabric, trafficOf(fabric, Pattern::AllToAll, 1), {});
        QVERIFY(desk.shown && loads);
        for (const LinkId l : fabric.links.ids()) QCOMPARE((*desk.shown)[l], loads->utilisation(fabric, l));
        QVERIFY2(desk.text().contains(QStringLiteral("99 %")), qPrintable(desk.text()));
        desk.choose("load-pattern", 2); // rings of the rails: 1 of 32 leaves the SU
        QCOMPARE(desk.bar.summary().tiers[static_cast<std::size_t>(LinkTier::LeafSpine)].most, 1.0 / 32);
    }
    // A bundle has the colour of its busiest link.
    void bundlesShowTheirBusiestLink() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "512"}});
        std::vector<double> ofLink(fabric->links.size(), 0.25);
        std::uint32_t hot = none; // of a leaf that is drawn
        for (std::uint32_t l = 0; l < ofLink.size(); ++l)
            if (fabric->links.tier[l] == LinkTier::LeafSpine && fabric->devicePath(fabric->links.a[l]) == "su[1]/leaf[3]") hot = l;
        ofLink[hot] = 0.75;
        for (const Detail detail : {Detail::Folded, Detail::Full, Detail::Elided}) {
            const Scene scene = buildScene(*fabric, detail);
            const std::vector<double> shown = largestOfBundles(scene, *fabric, ofLink);
            int hotRisers = 0;
            for (std::size_t b = 0; b < shown.size(); ++b) {
                const SceneBundle& bundle = scene.bundles[b];
                QVERIFY(bundle.tier.has_value());
                if (bundle.lower == fabric->links.a[hot] && bundle.upper == none) {
                    QCOMPARE(shown[b], 0.75);
                    ++hotRisers;
                } else if (detail != Detail::Elided && bundle.tier == LinkTier::LeafSpine && bundle.lower == none) {
                    QCOMPARE(shown[b], bundle.rail == 3 ? 0.75 : 0.25); // its lane
                } else if (bundle.upper == none || detail != Detail::Elided) {
                    QCOMPARE(shown[b], 0.25);
                }
            }
            if (detail != Detail::Elided) QCOMPARE(hotRisers, 1);
        }
    }
    void failuresAndSeparateRailsAreSaid() {
        Desk desk(test::designOf("rail-only", {{"servers", "128"}}));
        QVERIFY2(desk.text().contains(QStringLiteral("have no path")), qPrintable(desk.text()));
        desk.bar.findChild<QCheckBox*>()->setChecked(true);
        desk.bar.wait();
        QVERIFY2(!desk.text().contains(QStringLiteral("have no path")), qPrintable(desk.text()));
        const double before = desk.bar.summary().utilisation;
        desk.document.setFailures({{"rail[1]/spine[1]"}, 0, 1});
        desk.bar.wait();
        QVERIFY(desk.bar.summary().utilisation > before);
        const auto gone = std::count(desk.shown->begin(), desk.shown->end(), -1.0);
        QVERIFY(gone > 0);
        QCOMPARE(desk.shown->size(), desk.document.now().fabric->links.size()); // of the whole design
    }
    void editsAreFollowed() {
        Desk desk(test::designOf("superpod-h100"));
        QVERIFY(desk.document.apply(setServers(*desk.document.now().design, 256)));
        desk.bar.wait();
        QVERIFY(desk.shown);
        QCOMPARE(desk.shown->size(), desk.document.now().fabric->links.size());
        QVERIFY(test::isPainted(desk.canvas.grab()));
        desk.bar.setOn(false);
        QVERIFY(!desk.shown);
    }
    void aTrafficFileIsReadOrRefused() {
        Desk desk(test::designOf("superpod-h100"));
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("traffic.csv"));
        const auto write = [&](const QByteArray& bytes) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(bytes);
        };
        write("from,to,volume\nsu[1]/srv[1]/gpu[1],su[4]/srv[2]/gpu[1],5\n");
        desk.bar.useTraffic(path);
        desk.bar.wait();
        QCOMPARE(desk.bar.summary().utilisation, 1.0); // one GPU sends all it can over its NIC
        QSignalSpy refused(&desk.bar, &LoadBar::refused);
        write("from,to\nsu[1]/srv[1]/gpu[1],nobody\n");
        desk.bar.useTraffic(path);
        desk.bar.wait();
        QCOMPARE(refused.count(), 1);
        QVERIFY2(desk.text().contains(QStringLiteral("row 2, column 2")), qPrintable(desk.text()));
        QVERIFY(!desk.shown);
    }
};

QTEST_MAIN(tst_load_bar)
#include "tst_load_bar.moc"
