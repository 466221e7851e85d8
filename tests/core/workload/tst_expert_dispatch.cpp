// Copies of tokens on their way to experts, against a count of all choices of experts.
#include "core/workload/expert_dispatch.h"
#include "core/workload/job_traffic.h"
#include "core/workload/models_json.h"
#include "core/workload/usual_job.h"

#include <QTest>
#include <bit>
#include <cmath>
#include <set>

using namespace railyard;

namespace {

Mixture mixtureOf(std::int64_t experts, std::int64_t topK, std::int64_t groups = 1, std::int64_t groupsOfToken = 1) {
    Mixture mixture;
    mixture.experts = experts;
    mixture.topK = topK;
    mixture.groups = groups;
    mixture.groupsOfToken = groupsOfToken;
    return mixture;
}

// Over all sets of `topK` experts that are in at most the allowed groups, of a token that starts at rank 0.
struct Counted {
    double domains = 0, ranks = 0, most = 0; // mean of other domains reached, mean of ranks reached, the most domains of any token
};
Counted counted(const Mixture& mixture, std::int64_t domains, std::int64_t ranksPerDomain) {
    const std::int64_t onRank = mixture.experts / (domains * ranksPerDomain), onDomain = mixture.experts / domains,
                       inGroup = mixture.experts / mixture.groups;
    Counted sum;
    double sets = 0;
    for (std::uint32_t set = 0; set < 1U << mixture.experts; ++set) {
        if (std::popcount(set) != mixture.topK) continue;
        std::set<std::int64_t> ofDomains, ofRanks, ofGroups;
        for (std::int64_t e = 0; e < mixture.experts; ++e)
            if ((set >> static_cast<unsigned>(e) & 1U) != 0) {
                ofDomains.insert(e / onDomain);
                ofRanks.insert(e / onRank);
                ofGroups.insert(e / inGroup);
            }
        if (static_cast<std::int64_t>(ofGroups.size()) > mixture.groupsOfToken) continue;
        ++sets;
        sum.domains += static_cast<double>(ofDomains.size() - ofDomains.count(0));
        sum.ranks += static_cast<double>(ofRanks.size());
        sum.most = std::max(sum.most, static_cast<double>(ofDomains.size()));
    }
    sum.domains /= sets;
    sum.ranks /= sets;
    return sum;
}

bool isClose(double a, double b) { return std::abs(a - b) < 1e-9 * std::max(1.0, std::abs(b)); }

} // namespace

class tst_expert_dispatch : public QObject {
    Q_OBJECT

private slots:
    void everyChoiceCounts_data() {
        QTest::addColumn<int>("experts");
        QTest::addColumn<int>("topK");
        QTest::addColumn<int>("domains");
        QTest::addColumn<int>("ranks");
        for (const auto& [experts, topK, domains, ranks] :
             {std::tuple(8, 2, 2, 4), {8, 2, 4, 1}, {8, 8, 2, 2}, {12, 3, 3, 2}, {12, 1, 6, 2}, {16, 4, 2, 8}, {16, 5, 4, 2}})
            QTest::addRow("%d of %d on %d x %d", topK, experts, domains, ranks) << experts << topK << domains << ranks;
    }
    void everyChoiceCounts() {
        QFETCH(int, experts);
        QFETCH(int, topK);
        QFETCH(int, domains);
        QFETCH(int, ranks);
        const Mixture mixture = mixtureOf(experts, topK);
        const ExpertCopies copies = expertCopies(mixture, domains, ranks);
        const Counted all = counted(mixture, domains, ranks);
        QVERIFY2(isClose(copies.across, all.domains), qPrintable(QString::number(copies.across)));
        // All ranks send alike; of the copies for the ranks of a domain, one in as many is already where it entered.
        QVERIFY2(isClose(copies.inside, all.ranks * (ranks - 1) / ranks), qPrintable(QString::number(copies.inside)));
    }
    // No token leaves for more domains than its groups fill, and never for more than without the limit.
    void limitedRoutingReachesFewerDomains() {
        for (const auto& [groups, ofToken] : {std::pair(4, 1), {4, 2}, {8, 2}, {2, 1}})
            for (const auto& [domains, ranks] : {std::pair(2, 2), {4, 1}, {4, 2}, {8, 1}}) {
                const Mixture limited = mixtureOf(16, 3, groups, ofToken);
                const double across = expertCopies(limited, domains, ranks).across, share = (domains - 1.0) / domains;
                const Counted all = counted(limited, domains, ranks);
                QVERIFY2(across <= all.most * share + 1e-9, qPrintable(QString::number(across)));
                QVERIFY(across <= expertCopies(mixtureOf(16, 3), domains, ranks).across + 1e-9);
                QVERIFY(across >= 0.99 * std::min(all.domains, all.most * share) || all.most > ofToken);
            }
        QVERIFY(isClose(expertCopies(mixtureOf(256, 8, 8, 4), 8, 8).across, 3.5)); // DeepSeek-V3 on 8 servers: 4 of 8, its own seldom
    }
    // fp8 sends 1 byte and a scale of 4 for 128 values there, 2 bytes back: 0.76 of 16 bits both ways.
    void precisionCountsOnTheWayThere() {
        QCOMPARE(bytesToExperts(Precision::Bf16), 2.0);
        TrainingJob job = usualJob(*modelOf("deepseek-v3"));
        job.degrees = {1, 1, 64, 1, 1};
        job.globalBatch = 64;
        const double wide = volumesOf(job).expert;
        job.precision = Precision::Fp8;
        QVERIFY(isClose(volumesOf(job).expert / wide, (1 + 4.0 / 128 + 2) / 4));
        job.precision = Precision::Fp4;
        QVERIFY(isClose(volumesOf(job).expert / wide, (0.5 + 1.0 / 16 + 2) / 4));
    }
};

QTEST_GUILESS_MAIN(tst_expert_dispatch)
#include "tst_expert_dispatch.moc"
