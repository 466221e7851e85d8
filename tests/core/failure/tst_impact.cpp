// The blast radius of failures: closed forms, the kinds of single failures, and more failures that never do less.
#include "core/failure/impact.h"
#include "core/reliability/single_failures.h"
#include "tests/support/designs.h"

using namespace railyard;

class tst_impact : public QObject {
    Q_OBJECT

    static Impacts after(const FabricPointer& fabric, const std::vector<std::string>& selectors, double linkShare = 0,
                         std::uint64_t seed = 1) {
        const auto removal = removalOf(*fabric, {selectors, linkShare, seed});
        if (!removal) qFatal("%s", removal.error().text.c_str());
        return impactOf(*fabric, *removal);
    }

private slots:
    void nothingFailsNothingHappens() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        QVERIFY(impactOf(*fabric, {}).ofDevices.empty());
        QVERIFY(after(fabric, {}).ofDevices.empty());
    }
    // What is below a spine of a pod that is half empty finds room on its other uplinks.
    void aHalfEmptyPodLosesNothing() {
        const FabricPointer fabric =
            test::fabricOf("rail-optimized", {{"servers", "20"}, {"su_servers", "8"}, {"radix", "16"}, {"spine_radix", "16"}});
        QCOMPARE(after(fabric, {"pod[3]/spine[1]"}).degraded, 0);
        QCOMPARE(after(fabric, {"pod[1]/spine[1]"}).degraded, 64);
        QCOMPARE(after(fabric, {"superspine[1]"}).degraded, 128); // those of the full pods
    }
    void closedForms_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("selectors");
        QTest::addColumn<int>("failed");
        QTest::addColumn<int>("cutOff");
        QTest::addColumn<int>("degraded");
        const auto row = [](const char* recipe, const char* selectors, int failed, int cutOff, int degraded) {
            QTest::addRow("%s %s", recipe, selectors)
                << QString::fromLatin1(recipe) << QString::fromLatin1(selectors) << failed << cutOff << degraded;
        };
        row("superpod-h100", "su[1]/srv[3]", 8, 0, 0);
        row("superpod-h100", "su[1]/srv[3]/gpu[2]", 1, 0, 0);
        row("superpod-h100", "su[1]/srv[3]/nic[2]", 0, 0, 1);
        row("superpod-h100", "su[1]/leaf[2]", 0, 0, 32);
        row("superpod-h100", "su[1]/leaf[2] su[1]/srv[1]", 8, 0, 31);
        row("superpod-h100", "tier=leaf", 0, 512, 0);
        row("superpod-h100", "su[1]/leaf[*]", 0, 256, 0);
        row("superpod-h100", "spine[1]", 0, 0, 512); // every leaf has fewer uplinks than servers
        row("superpod-h100", "rail=3", 0, 0, 64);
        row("superpod-h100", "rail=3 su[1]/srv[1]", 8, 0, 63);
        row("fat-tree", "su[1]/leaf[1]", 0, 32, 0); // all NICs of a server on one leaf
    }
    void closedForms() {
        QFETCH(QString, recipe);
        QFETCH(QString, selectors);
        const bool isSmall = recipe != QStringLiteral("superpod-h100");
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), {{"servers", isSmall ? "32" : "64"}});
        std::vector<std::string> all;
        for (const QString& each : selectors.split(QLatin1Char(' '))) all.push_back(each.toStdString());
        const Impacts impacts = after(fabric, all);
        QTEST(static_cast<int>(impacts.failed), "failed");
        QTEST(static_cast<int>(impacts.cutOff), "cutOff");
        QTEST(static_cast<int>(impacts.degraded), "degraded");
    }
    // As the table of single failures counts them, which finds its kinds in another way.
    void singleFailuresAgree_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("rails") << "superpod-h100"
                               << "servers"
                               << "40";
        QTest::newRow("racks") << "superpod-gb200"
                               << "servers"
                               << "36";
        QTest::newRow("towers") << "fat-tree"
                                << "servers"
                                << "24";
        QTest::newRow("one NIC") << "fat-tree"
                                 << "nics_per_server"
                                 << "1";
        QTest::newRow("planes") << "rail-optimized"
                                << "nic_ports"
                                << "2";
        QTest::newRow("three tiers") << "rail-optimized"
                                     << "radix"
                                     << "8";
        QTest::newRow("2:1") << "rail-optimized"
                             << "oversubscription"
                             << "2:1";
    }
    void singleFailuresAgree() {
        QFETCH(QString, recipe);
        QFETCH(QString, key);
        QFETCH(QString, value);
        test::Parameters parameters{{key.toStdString(), value.toStdString()}};
        parameters.emplace("servers", "24");
        if (key == QStringLiteral("nic_ports")) parameters.emplace("planes", "2");
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), parameters);
        const ReliabilityRequest request;
        for (const SingleFailure& each :
             singleFailures(fabric, jobPartsOf(*fabric, *jobPlaceOf(*fabric, request), request.policy), request)) {
            if (each.kind == PartKind::Gpu) continue; // its whole server leaves the job
            const Impacts impacts = after(fabric, {each.path});
            QVERIFY2(impacts.degraded == each.gpusDegraded && impacts.failed + impacts.cutOff == each.gpusLost,
                     qPrintable(QStringLiteral("%1: %2 degraded, %3 lost; table %4, %5")
                                    .arg(QString::fromStdString(each.path))
                                    .arg(impacts.degraded)
                                    .arg(impacts.failed + impacts.cutOff)
                                    .arg(each.gpusDegraded)
                                    .arg(each.gpusLost)));
        }
    }
    // Of uplinks; where servers are cut off too, the others get their share.
    void moreFailedUplinksNeverDoLess() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "24"}, {"radix", "16"}});
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            std::int64_t before = 0;
            for (const double share : {0.02, 0.05, 0.1, 0.3, 1.0}) {
                Removal removal;
                drawLinks(*fabric, share, seed, removal); // the same ones and more
                for (const LinkId l : fabric->links.ids())
                    removal.links[l] = removal.links[l] && fabric->links.tier[l] != LinkTier::HostLeaf;
                const Impacts impacts = impactOf(*fabric, removal);
                QCOMPARE(impacts.cutOff, 0);
                QVERIFY(impacts.degraded >= before);
                before = impacts.degraded;
            }
            QCOMPARE(before, std::int64_t{24 * 8});
        }
    }
};

QTEST_APPLESS_MAIN(tst_impact)
#include "tst_impact.moc"
