// What servers and HB domains show when they are drawn open is what the tables of the fabric have in them.
#include "tests/support/designs.h"
#include "widgets/canvas/canvas.h"

#include <QTest>

using namespace railyard;

class tst_server_inside : public QObject {
    Q_OBJECT

    template <class Id>
    static std::vector<Id> sorted(std::vector<Id> ids) {
        std::sort(ids.begin(), ids.end());
        return ids;
    }

private slots:
    void contentsAreThoseOfTheFabric_data() {
        QTest::addColumn<QString>("recipe");
        for (const char* recipe : {"superpod-h100", "rail-only-gh200", "aipod", "fat-tree"})
            QTest::newRow(recipe) << QString::fromLatin1(recipe);
    }
    void contentsAreThoseOfTheFabric() {
        QFETCH(QString, recipe);
        const FabricPointer pointer = test::fabricOf(recipe.toStdString());
        const Fabric& fabric = *pointer;
        const ServerInsides insides(fabric);
        const auto check = [&](ScopeId scope, auto isIn) {
            std::vector<DeviceId> gpus, nics, switches;
            for (std::uint32_t i = 0; i < fabric.devices.size(); ++i) {
                const DeviceId d(i);
                if (!isIn(d)) continue;
                const DeviceKind kind = fabric.devices.kind[d];
                (kind == DeviceKind::Gpu ? gpus : kind == DeviceKind::Nic ? nics : switches).push_back(d);
            }
            std::vector<LinkId> hb, pcie;
            for (std::uint32_t i = 0; i < fabric.links.size(); ++i) {
                const LinkId l(i);
                if (!isIn(fabric.links.a[l])) continue;
                if (fabric.links.tier[l] == LinkTier::Hb) hb.push_back(l);
                if (fabric.links.tier[l] == LinkTier::Pcie) pcie.push_back(l);
            }
            const ServerInsides::Inside inside = insides.insideOf(fabric, scope);
            QCOMPARE(sorted(inside.gpus), gpus);
            QCOMPARE(sorted(inside.nics), nics);
            QCOMPARE(sorted(inside.switches), switches);
            QCOMPARE(sorted(inside.hb), hb);
            QCOMPARE(sorted(inside.pcie), pcie);
            QVERIFY(!gpus.empty());
        };
        for (const std::uint32_t s : {std::uint32_t{0}, static_cast<std::uint32_t>(fabric.servers.size() - 1)})
            check(fabric.servers[s], [&](DeviceId d) { return fabric.devices.server[d] == s; });
        QVERIFY(!fabric.servers.empty() && !fabric.hbDomains.empty());
        for (const std::uint32_t h : {std::uint32_t{0}, static_cast<std::uint32_t>(fabric.hbDomains.size() - 1)})
            check(fabric.hbDomains[h], [&](DeviceId d) { return fabric.devices.hbDomain[d] == h; });
    }
    // The cube mesh of the first DGX systems shows the rings through all its GPUs; a full mesh and HB switches have none to show.
    void ringsOfACubeMesh() {
        for (const auto& [part, count] :
             {std::pair<const char*, std::size_t>("srv-dgx1-p100", 2), {"srv-dgx1-v100", 3}, {"srv-mi300x-8", 0}, {"srv-dgx-h100", 0}}) {
            const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "2"}, {"server", part}, {"radix", "16"}});
            const ServerInsides insides(*fabric);
            const ServerInsides::Inside inside = insides.insideOf(*fabric, fabric->servers.back());
            QCOMPARE(inside.rings.size(), count);
            for (const auto& ring : inside.rings) {
                QCOMPARE(sorted(ring), sorted(inside.gpus));
                for (std::size_t i = 0; i < ring.size(); ++i)
                    QVERIFY(std::any_of(inside.hb.begin(), inside.hb.end(), [&](LinkId l) {
                        const DeviceId a = fabric->links.a[l], b = fabric->links.b[l], next = ring[(i + 1) % ring.size()];
                        return (a == ring[i] && b == next) || (b == ring[i] && a == next);
                    }));
            }
            QImage picture(600, 400, QImage::Format_RGB32);
            picture.fill(lightTokens().card);
            QPainter painter(&picture);
            paintInside(painter, *fabric, inside, QRectF(0, 0, 600, 400), lightTokens(), 4);
            painter.end();
            for (std::size_t r = 0; r < 3; ++r) { // the colour of a ring is seen where there is such a ring
                int seen = 0;
                for (int y = 0; y < picture.height(); ++y)
                    for (int x = 0; x < picture.width(); ++x) seen += picture.pixelColor(x, y) == lightTokens().jobs[r] ? 1 : 0;
                QCOMPARE(seen > 20, r < count);
            }
        }
    }
    // Where the part says how many there are, each has its share of the GPUs and NICs in order. A server that is wired in another way has
    // none: fewer GPUs than the part, or NICs that GPUs behind another switch use.
    void pcieSwitchesOfThePart() {
        using Settings = std::map<std::string, std::string>;
        for (const auto& [settings, count] :
             std::vector<std::pair<Settings, std::size_t>>{{{{"server", "srv-dgx-a100-640"}}, 4},
                                                           {{{"server", "srv-dgx-h100"}}, 8},
                                                           {{{"server", "srv-dgx-h200"}}, 0},
                                                           {{{"server", "srv-mi300x-8"}}, 0},
                                                           {{{"server", "srv-dgx-a100-640"}, {"gpus_per_server", "4"}}, 0},
                                                           {{{"server", "srv-dgx-a100-640"}, {"nics_per_server", "4"}}, 4},
                                                           {{{"server", "srv-dgx-h100"}, {"nics_per_server", "4"}}, 0}}) {
            Settings all = settings;
            all.insert({{"servers", "2"}, {"radix", "16"}});
            const FabricPointer fabric = test::fabricOf("rail-optimized", all);
            const ServerInsides insides(*fabric);
            const ServerInsides::Inside inside = insides.insideOf(*fabric, fabric->servers.back());
            QCOMPARE(inside.pcieSwitches.size(), count);
            QCOMPARE(insides.insideOf(*fabric, fabric->hbDomains[DomainId(0)]).pcieSwitches.size(), count);
            std::vector<DeviceId> gpus, nics;
            for (const auto& each : inside.pcieSwitches) {
                QCOMPARE(each.gpus.size() * count, inside.gpus.size());
                gpus.insert(gpus.end(), each.gpus.begin(), each.gpus.end());
                nics.insert(nics.end(), each.nics.begin(), each.nics.end());
                for (const LinkId l : inside.pcie) // who uses a NIC of it stands behind it
                    if (std::find(each.nics.begin(), each.nics.end(), fabric->links.b[l]) != each.nics.end())
                        QVERIFY(std::find(each.gpus.begin(), each.gpus.end(), fabric->links.a[l]) != each.gpus.end());
            }
            if (count > 0) QCOMPARE(sorted(gpus), sorted(inside.gpus));
            if (count > 0) QCOMPARE(sorted(nics), sorted(inside.nics));
        }
    }
    // Two levels of HB switches: a row of servers, and below it the switches that join them.
    void twoLevelsAreDrawn() {
        const FabricPointer fabric = test::fabricOf("superpod-h100-nvlink", {{"servers", "32"}});
        const ServerInsides insides(*fabric);
        const ServerInsides::Inside inside = insides.insideOf(*fabric, fabric->hbDomains[DomainId(0)]);
        QCOMPARE(inside.servers, 32);
        QCOMPARE(inside.switches.size(), std::size_t{32 * 4 + 18});
        QCOMPARE(inside.hb.size(), std::size_t{32 * (8 * 4 + 72)});
        QPixmap picture(1200, 900);
        picture.fill(lightTokens().card);
        QPainter painter(&picture);
        paintInside(painter, *fabric, inside, QRectF(0, 0, 1200, 900), lightTokens(), 8);
        painter.end();
        const QImage drawn = picture.toImage();
        int frames = 0; // left and right edges of the 32 boxes, in a row through their middle
        for (int x = 1; x < drawn.width(); ++x)
            frames += drawn.pixelColor(x, 300) != lightTokens().card && drawn.pixelColor(x - 1, 300) == lightTokens().card ? 1 : 0;
        QVERIFY2(frames >= 64, qPrintable(QString::number(frames)));
    }
    // The drawing does not wait for the contents, which take a while in a large design: it shows them once they are found.
    void theDrawingDoesNotWait() {
        Document document;
        document.open(test::designOf("superpod-h100"), {});
        Canvas canvas(document);
        canvas.resize(1000, 700);
        canvas.show();
        canvas.selectPaths({"su[1]/srv[2]"});
        canvas.fitSelection();
        canvas.selectPaths({});
        canvas.zoomBy(12.0 / canvas.view().scale);
        const QImage closed = canvas.grab().toImage();
        canvas.waitForInsides();
        const QImage open = canvas.grab().toImage();
        QVERIFY(open != closed);
        QVERIFY(canvas.grab().toImage() == open);
    }
};

QTEST_MAIN(tst_server_inside)
#include "tst_server_inside.moc"
