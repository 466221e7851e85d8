#include "core/fabric/network_runs.h"

#include "tests/support/designs.h"

#include <QTest>

using namespace railyard;

class tst_network_runs : public QObject {
    Q_OBJECT

private slots:
    // One link after another, for links of all tiers in any order and tables of any length.
    void runsAreThoseOfAWalk() {
        test::Random random{11};
        for (int table = 0; table < 2000; ++table) {
            LinkTable links;
            const int longest = 1 + random.below(40);
            for (int left = random.below(90); left > 0;) {
                const auto tier = static_cast<LinkTier>(random.below(7));
                for (int same = 1 + random.below(longest); same > 0 && left > 0; --same, --left)
                    links.append(DeviceId(0), PortId(1), DeviceId(1), PortId(1), tier, 0);
            }
            std::vector<LinkId> expected, found;
            for (const LinkId l : links.ids())
                if (links.tier[l] != LinkTier::Hb && links.tier[l] != LinkTier::Pcie) expected.push_back(l);
            LinkId before = none;
            for (const LinkRun& run : networkRuns(links)) {
                QVERIFY(run.size() > 0 && (before == none || run.first > before));
                for (const LinkId l : run.ids()) found.push_back(l);
                before = run.end;
            }
            QCOMPARE(found, expected);
        }
    }
};

QTEST_GUILESS_MAIN(tst_network_runs)
#include "tst_network_runs.moc"
