#include "core/base/random.h"
#include "core/base/tasks.h"

#include <QTest>
#include <atomic>
#include <cmath>

using namespace railyard;

namespace {

// A Monte Carlo that counts to a million: how many of random points lie in the unit circle. Pieces have seeds of their own.
constexpr std::size_t pieces = 100;
constexpr int pointsOfPiece = 10'000;

std::int64_t hitsOf(std::size_t piece) {
    RandomNumbers random(piece + 1);
    std::int64_t hits = 0;
    for (int i = 0; i < pointsOfPiece; ++i) {
        const double x = random.fraction(), y = random.fraction();
        if (x * x + y * y < 1) ++hits;
    }
    return hits;
}

std::vector<std::optional<std::int64_t>> simulate(const TaskContext& context) { return runTasks<std::int64_t>(pieces, context, hitsOf); }

} // namespace

class tst_tasks : public QObject {
    Q_OBJECT

private slots:
    void anyNumberOfThreadsGivesTheSame() {
        const auto one = simulate({.threads = 1});
        for (const int threads : {2, 3, 16}) QVERIFY(simulate({.threads = threads}) == one);
        std::int64_t hits = 0;
        for (const auto& each : one) hits += *each;
        const double pi = 4.0 * static_cast<double>(hits) / (pieces * pointsOfPiece);
        QVERIFY2(std::abs(pi - 3.14159265) < 0.006, qPrintable(QString::number(pi))); // 3.6 standard deviations
    }
    void progressIsToldByTheAsker() {
        std::int64_t last = 0;
        const auto asker = std::this_thread::get_id();
        simulate({.threads = 2, .progress = [&](std::int64_t done, std::int64_t all) {
                      QCOMPARE(std::this_thread::get_id(), asker);
                      QVERIFY(done > last && done <= all && all == static_cast<std::int64_t>(pieces));
                      last = done;
                  }});
        QVERIFY(last > 0);
    }
    void aStopLeavesOutWhatHasNotBegun() {
        for (const int threads : {1, 4}) {
            std::stop_source stop;
            std::atomic<int> begun = 0;
            const auto found = runTasks<int>(1000, {.threads = threads, .stop = stop.get_token()}, [&](std::size_t piece) {
                if (++begun == 10) stop.request_stop();
                return static_cast<int>(piece);
            });
            std::size_t made = 0;
            for (std::size_t i = 0; i < found.size(); ++i)
                if (found[i]) {
                    QCOMPARE(*found[i], static_cast<int>(i));
                    ++made;
                }
            QVERIFY(made >= 10 && made < 10U + static_cast<unsigned>(threads));
        }
    }
    void theOrderChangesNoResult() {
        std::vector<std::size_t> order(pieces);
        for (std::size_t i = 0; i < pieces; ++i) order[i] = pieces - 1 - i;
        QVERIFY(runTasks<std::int64_t>(pieces, {.threads = 2}, hitsOf, order) == simulate({.threads = 1}));
    }
    void whatAPieceThrowsPassesOn() {
        QVERIFY_EXCEPTION_THROWN(runTasks<int>(10, {.threads = 2},
                                               [](std::size_t piece) -> int {
                                                   if (piece == 5) throw std::runtime_error("x");
                                                   return 0;
                                               }),
                                 std::runtime_error);
        QVERIFY(runTasks<int>(0, {}, [](std::size_t) { return 0; }).empty());
    }
    // The published reference values of SplitMix64 for the seed 1234567.
    void randomNumbersAreThoseOfThePaper() {
        RandomNumbers random(1234567);
        for (const std::uint64_t wanted :
             {6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL, 4593380528125082431ULL, 16408922859458223821ULL})
            QCOMPARE(random.next(), wanted);
    }
};

QTEST_GUILESS_MAIN(tst_tasks)
#include "tst_tasks.moc"
