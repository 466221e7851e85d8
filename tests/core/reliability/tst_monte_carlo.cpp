// The simulation of operation against closed forms.
#include "core/reliability/monte_carlo.h"

#include "core/fabric/without.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

class tst_monte_carlo : public QObject {
    Q_OBJECT

    static MonteCarlo simulated(const Fabric& fabric, const ReliabilityRequest& request, std::int64_t trials, int threads = 0,
                                std::uint64_t seed = 1) {
        const auto place = jobPlaceOf(fabric, request);
        if (!place) qFatal("%s", toText(place.error()).c_str());
        const Reliability known = reliabilityOf(fabric, jobPartsOf(fabric, *place, request.policy), request);
        return simulate(operationOf(fabric, *place, request), request, known.checkpoint ? known.checkpoint->interval : Seconds(0),
                        {trials, seed}, {.threads = threads});
    }
    static Reliability known(const Fabric& fabric, const ReliabilityRequest& request) {
        return reliabilityOf(fabric, jobPartsOf(fabric, *jobPlaceOf(fabric, request), request.policy), request);
    }
    static bool holds(const Simulated& of, double value) { return of.low <= value && value <= of.high; }
    static ReliabilityRequest only(PartKind kind, double perYear) {
        ReliabilityRequest request;
        for (const std::string_view name : partKindNames) request.rates[*partKindFrom(name)] = {{}, 0, {}, ""};
        request.rates[kind] = {{}, perYear, {}, ""};
        return request;
    }

private slots:
    // The chance of an interruption depends on the first one alone, so it is that of the closed form.
    void probabilityIsThatOfTheClosedForm_data() {
        QTest::addColumn<QString>("recipe");
        QTest::addColumn<bool>("isTolerant");
        for (const char* recipe : {"superpod-h100", "rail-only", "superpod-gb200"})
            for (const bool isTolerant : {false, true})
                QTest::addRow("%s %d", recipe, isTolerant) << QString::fromLatin1(recipe) << isTolerant;
    }
    void probabilityIsThatOfTheClosedForm() {
        QFETCH(QString, recipe);
        QFETCH(bool, isTolerant);
        const bool isRack = recipe == QStringLiteral("superpod-gb200");
        const FabricPointer fabric = test::fabricOf(recipe.toStdString(), {{"servers", isRack ? "18" : "8"}});
        for (const std::int64_t standbys : {std::int64_t{0}, std::int64_t{2}}) {
            ReliabilityRequest request;
            request.policy = isTolerant ? FailurePolicy::Tolerant : FailurePolicy::Strict;
            request.standbys = isRack ? 0 : standbys;
            const MonteCarlo m = simulated(*fabric, request, 20'000);
            QVERIFY(holds(m.interruptProbability, *known(*fabric, request).probability));
            QVERIFY(m.interruptProbability.high - m.interruptProbability.low < 0.02);
        }
    }
    // Lifetimes of all kinds, and servers that fail more often: the figures beside the simulation are not those of other lifetimes.
    void lifetimesAndLemonsAreThoseOfTheClosedForm() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "20"}});
        for (const auto& [kind, parameter, lemonShare, lemonMultiple] :
             std::vector<std::tuple<Lifetimes::Kind, double, double, double>>{{Lifetimes::Kind::Exponential, 0, 0.5, 10},
                                                                              {Lifetimes::Kind::Exponential, 0, 1, 2},
                                                                              {Lifetimes::Kind::Weibull, 0.7, 0, 1},
                                                                              {Lifetimes::Kind::Weibull, 2, 0.25, 3},
                                                                              {Lifetimes::Kind::Lognormal, 1, 0, 1}}) {
            ReliabilityRequest request = only(PartKind::Gpu, 0.4);
            request.lifetimes = {kind, parameter};
            request.lemonShare = lemonShare;
            request.lemonMultiple = lemonMultiple;
            request.repairServer = Seconds(1);
            request.checkpoint.restart = Seconds(0);
            const MonteCarlo m = simulated(*fabric, request, 20'000);
            const Reliability closed = known(*fabric, request);
            QVERIFY(holds(m.interruptProbability, *closed.probability));
            QVERIFY(std::abs(m.interruptions.mean / closed.expectedInterruptions() - 1) < 0.02);
        }
    }
    // A job under one leaf does not stop when the spine fails that only leads to its standbys.
    void networkOfStandbysDoesNotStopTheJob() {
        const FabricPointer fabric = test::fabricOf("fat-tree", {{"servers", "8"}, {"radix", "32"}, {"spine_radix", "64"}});
        for (const PartKind kind : {PartKind::Spine, PartKind::Link}) {
            ReliabilityRequest request = only(kind, 20);
            request.jobGpus = 16;
            request.standbys = 4;
            QCOMPARE(*known(*fabric, request).probability, 0.0);
            const MonteCarlo m = simulated(*fabric, request, 500);
            QCOMPARE(m.interruptProbability.mean, 0.0);
            QVERIFY(m.ettr.mean > 0.9999);
        }
    }
    // The other leaf of a NIC of two ports has failed, so its last link interrupts.
    void failuresCountInTheSimulationToo() {
        const FabricPointer intact =
            test::fabricOf("rail-optimized", {{"servers", "16"}, {"nic_ports", "2"}, {"planes", "2"}, {"radix", "64"}});
        std::vector<bool> gone(intact->devices.size());
        for (const DeviceId d : intact->devices.ids())
            if (intact->devicePath(d) == "su[1]/leaf[1]") gone[d] = true;
        const FabricPointer fabric = without(intact, gone, {});
        for (const PartKind kind : {PartKind::HostLink, PartKind::Leaf}) {
            const ReliabilityRequest request = only(kind, 0.8);
            const double probability = *known(*fabric, request).probability;
            QVERIFY(probability > 0.03 && probability < 0.97);
            QVERIFY(holds(simulated(*fabric, request, 4000).interruptProbability, probability));
            QCOMPARE(simulated(*intact, request, 500).interruptProbability.mean, 0.0);
        }
    }
    // A second in which two links recover is lost once: the time without any is exp(-rate * recovery).
    void recoveriesAtOnceAreOneStall() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request = only(PartKind::Software, 0);
        request.flapsPerLink = 600;
        std::int64_t links = 0;
        for (const LinkId l : fabric->links.ids()) links += fabric->isNetworkLink(l) ? 1 : 0;
        const double stalls = static_cast<double>(links) * 600 / (8760 * 3600) * 30;
        QVERIFY(stalls > 0.5);
        const MonteCarlo m = simulated(*fabric, request, 100);
        QVERIFY2(std::abs(m.ettr.mean - std::exp(-stalls)) < 0.003, qPrintable(QString::number(m.ettr.mean)));
        QCOMPARE(m.interruptions.mean, 0.0);
        // Where the library gives up first, every flap interrupts.
        request.flapsPerLink = 0.02;
        request.recovery = Seconds(1200);
        const double probability = *known(*fabric, request).probability;
        QVERIFY(probability > 0.3 && probability < 0.99);
        QVERIFY(holds(simulated(*fabric, request, 4000).interruptProbability, probability));
    }
    // Four GPUs of a server of eight: the others are no part of the job, in the simulation neither.
    void partOfAServer() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "8"}});
        ReliabilityRequest request = only(PartKind::Gpu, 0.5);
        request.jobGpus = 12;
        const MonteCarlo m = simulated(*fabric, request, 20'000);
        QVERIFY(holds(m.interruptProbability, 1 - std::exp(-12 * 0.5 * 720 / 8760)));
    }
    // With servers enough the job is always up, so that interruptions follow the rates but for the time of restarts.
    void ettrIsThatOfTheClosedForm() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "256"}});
        ReliabilityRequest request;
        request.standbys = 32;
        request.horizon = Seconds(90 * 86400.0);
        const MonteCarlo m = simulated(*fabric, request, 400);
        const Reliability closed = known(*fabric, request);
        QVERIFY(m.waiting.mean < 1e-3);
        QVERIFY(std::abs(m.ettr.mean - closed.checkpoint->ettr) < 0.003); // the closed form is of first order
        QVERIFY(std::abs(m.interruptions.mean / closed.expectedInterruptions() - 1) < 0.01);
        QVERIFY(std::abs(m.ettr.mean + m.waiting.mean + m.overhead.mean - 1) < 1e-9);
    }
    // One server that only fails as a whole and is repaired: it waits repair / (mean + repair) of the time, in the long run.
    void oneServerWaitsForItsRepair() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        ReliabilityRequest request = only(PartKind::Server, 36.5); // every ten days
        request.horizon = Seconds(20 * 8760 * 3600.0);
        request.repairServer = Seconds(2 * 86400.0);
        request.checkpoint.restart = Seconds(0);
        const MonteCarlo m = simulated(*fabric, request, 300);
        QVERIFY(std::abs(m.waiting.mean - 2.0 / 12) < 0.003);
        QVERIFY(std::abs(m.interruptions.mean / (20 * 365.0 / 12) - 1) < 0.01);
        QVERIFY(std::abs(m.sparesUsed.at(PartKind::Server) - m.interruptions.mean) < 1e-9);
        request.repairSuccess = 0.5; // takes twice as long on average
        QVERIFY(std::abs(simulated(*fabric, request, 300).waiting.mean - 4.0 / 14) < 0.005);
        request.repairSuccess = 1;
        request.retireAfter = 1; // the first failure is the last
        const MonteCarlo retired = simulated(*fabric, request, 300);
        QVERIFY(retired.interruptions.mean < 1.001 && retired.waiting.mean > 0.99);
    }
    // Erlang's loss: of two servers one works; the job waits while both are being repaired.
    void aStandbyHelps() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "2"}});
        ReliabilityRequest request = only(PartKind::Server, 36.5);
        request.standbys = 1;
        request.horizon = Seconds(40 * 8760 * 3600.0);
        request.repairServer = Seconds(2 * 86400.0);
        request.checkpoint.restart = Seconds(0);
        // Both fail independently, the standby too: each is down 1/6 of the time.
        const MonteCarlo m = simulated(*fabric, request, 300);
        QVERIFY(std::abs(m.waiting.mean - 1.0 / 36) < 0.001);
    }
    // A leaf takes a server's rail: with 1 % of a year down each, servers below one leaf are down together.
    void aLeafTakesItsServers() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "16"}, {"su_servers", "8"}});
        ReliabilityRequest request = only(PartKind::Leaf, 1);
        request.standbys = 7; // one too few for the 8 servers of an SU
        request.jobGpus = 8 * 8;
        request.horizon = Seconds(8760 * 3600.0);
        const MonteCarlo few = simulated(*fabric, request, 2000);
        QVERIFY(few.waiting.mean > 1e-4);
        request.standbys = 8; // the other SU takes over
        QVERIFY(simulated(*fabric, request, 2000).waiting.mean < few.waiting.mean / 20);
        request.policy = FailurePolicy::Tolerant;
        QCOMPARE(simulated(*fabric, request, 200).interruptions.mean, 0.0);
    }
    // NVL72 with 64 of 72 GPUs: a tray is replaced in its rack; with all 72 a whole other rack is needed.
    void traysAreReplacedInTheirRack() {
        const FabricPointer fabric = test::fabricOf("superpod-gb200", {{"servers", "36"}});
        ReliabilityRequest request = only(PartKind::Tray, 10);
        request.horizon = Seconds(8760 * 3600.0);
        request.jobGpus = 64;
        const MonteCarlo spare = simulated(*fabric, request, 200);
        request.jobGpus = 72;
        const MonteCarlo full = simulated(*fabric, request, 200);
        request.standbys = 18;
        const MonteCarlo migrates = simulated(*fabric, request, 200);
        QVERIFY(spare.waiting.mean < 0.05 && full.waiting.mean > 0.3 && migrates.waiting.mean < full.waiting.mean);
    }
    // Weibull with shape 1 is exponential; means hold for all.
    void distributions() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        ReliabilityRequest request = only(PartKind::Server, 36.5);
        request.horizon = Seconds(50 * 8760 * 3600.0); // long enough for renewals to settle
        request.repairServer = Seconds(3600);
        request.checkpoint.restart = Seconds(0);
        const double expected = 50 * 8760 / (240.0 + 1);
        for (const Lifetimes lifetimes : {Lifetimes{}, Lifetimes{Lifetimes::Kind::Weibull, 1}, Lifetimes{Lifetimes::Kind::Weibull, 2},
                                          Lifetimes{Lifetimes::Kind::Weibull, 0.7}, Lifetimes{Lifetimes::Kind::Lognormal, 0.8}}) {
            request.lifetimes = lifetimes;
            const MonteCarlo m = simulated(*fabric, request, 200);
            QVERIFY(std::abs(m.interruptions.mean / expected - 1) < 0.02);
        }
        // The first failures of many units, drawn in order: as many as their distribution says.
        const FabricPointer many = test::fabricOf("superpod-h100", {{"servers", "64"}});
        request = only(PartKind::Gpu, 0.5);
        request.lifetimes = {Lifetimes::Kind::Weibull, 2};
        request.repairServer = Seconds(1);
        request.checkpoint.restart = Seconds(0);
        const double scale = 2 / std::tgamma(1.5), share = 1 - std::exp(-std::pow(720 / 8760.0 / scale, 2));
        const MonteCarlo m = simulated(*many, request, 20'000);
        QVERIFY(std::abs(m.sparesUsed.at(PartKind::Gpu) / (512 * share) - 1) < 0.05);
    }
    void lemonsFailMoreOften() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "100"}});
        ReliabilityRequest request;
        request.standbys = 20;
        const double without = simulated(*fabric, request, 1000).sparesUsed.at(PartKind::Gpu);
        request.lemonShare = 0.1;
        request.lemonMultiple = 11;
        QVERIFY(std::abs(simulated(*fabric, request, 1000).sparesUsed.at(PartKind::Gpu) / without - 2) < 0.1);
    }
    void flapsStall() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "32"}});
        ReliabilityRequest request = only(PartKind::Gpu, 0);
        request.flapsPerLink = 12;
        const MonteCarlo m = simulated(*fabric, request, 500);
        QCOMPARE(m.interruptions.mean, 0.0);
        const double links = 32 * 8 + static_cast<double>(countsOf(*fabric).linksByTier[static_cast<std::size_t>(LinkTier::LeafSpine)]);
        QVERIFY(std::abs(1 - m.ettr.mean - links * 30 * 12 / (8760 * 3600.0)) < 0.002);
        QVERIFY(m.sparesUsed.empty());
    }
    // Trials that all show the same say little of what the next would.
    void agreementIsNoCertainty() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        const ReliabilityRequest rare = only(PartKind::Gpu, 1e-3);
        const double expected = known(*fabric, rare).expectedInterruptions();
        QVERIFY(expected > 0.001 && expected < 0.02);
        const MonteCarlo none = simulated(*fabric, rare, 20, 0, 2);
        QCOMPARE(none.interruptions.mean, 0.0);
        QVERIFY(holds(none.interruptions, expected) && none.interruptions.high < 0.3);
        QVERIFY(none.ettr.low < none.ettr.mean && none.ettr.low > 0.7 && none.ettr.high <= 1);
        const MonteCarlo one = simulated(*fabric, {}, 1), many = simulated(*fabric, {}, 4000);
        for (const auto& [single, all] : {std::pair(one.interruptions, many.interruptions), std::pair(one.ettr, many.ettr),
                                          std::pair(one.waiting, many.waiting), std::pair(one.overhead, many.overhead)}) {
            QVERIFY(single.low < single.high);
            QVERIFY(holds(single, all.mean));
        }
    }
    void threadsChangeNothing() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request;
        request.standbys = 4;
        for (const Lifetimes lifetimes : {Lifetimes{}, Lifetimes{Lifetimes::Kind::Weibull, 0.8}}) {
            request.lifetimes = lifetimes;
            const MonteCarlo one = simulated(*fabric, request, 1000, 1), other = simulated(*fabric, request, 1000, 3);
            QCOMPARE(one.ettr.mean, other.ettr.mean);
            QCOMPARE(one.interruptions.high, other.interruptions.high);
            QVERIFY(one.ettr.mean != simulated(*fabric, request, 1000, 1, 2).ettr.mean);
        }
    }
    void automaticTrialsAreEnough() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        const MonteCarlo m = simulated(*fabric, {}, 0);
        QVERIFY(m.trials >= 1024 && m.isComplete);
        QVERIFY(m.ettr.high - m.ettr.mean <= 0.01 * m.ettr.mean);
        QVERIFY(m.interruptProbability.high - m.interruptProbability.low <= 0.02);
    }
    void aStopKeepsWhatIsKnown() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "16"}});
        std::stop_source stop;
        stop.request_stop();
        const auto place = jobPlaceOf(*fabric, {});
        const MonteCarlo m =
            simulate(operationOf(*fabric, *place, {}), {}, Seconds(3600), {1000, 1}, {.threads = 1, .stop = stop.get_token()});
        QVERIFY(!m.isComplete && m.trials == 0);
    }
    // The public simulator AIReSim (karthikp-ubc/airesim at 7b139c7, 1,500 runs from seed 42): 240 servers, 16 standbys, a failure of each
    // in 100 days, 20 % repaired in 2 h and the others in 2 days more, 5 min to restart, checkpoints for nothing, 90 days of work. There
    // servers do not fail while the job restarts, which makes 0.00003 here.
    void airesimIsInsideTheInterval() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "256"}});
        ReliabilityRequest request = only(PartKind::Server, 3.65);
        request.standbys = 16;
        request.horizon = Seconds(90 * 86400.0);
        request.checkpoint = {Seconds(0), Seconds(300), Seconds(0)};
        request.repairServer = Seconds(48 * 3600.0);
        request.autoRepairShare = 0.2;
        request.autoRepair = Seconds(2 * 3600.0);
        const MonteCarlo m = simulated(*fabric, request, 400);
        QVERIFY2(holds(m.ettr, 0.99173), qPrintable(QStringLiteral("%1 to %2").arg(m.ettr.low).arg(m.ettr.high)));
        QVERIFY(m.ettr.high - m.ettr.low < 0.001);
    }
    // Copies at a peer are newer than checkpoints in storage, unless a leaf takes both servers.
    void copiesAtPeersLoseLess() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request = only(PartKind::Server, 6);
        request.standbys = 16;
        request.checkpoint.interval = Seconds(4 * 3600.0);
        request.horizon = Seconds(60 * 86400.0);
        const MonteCarlo stored = simulated(*fabric, request, 300);
        request.peerCopies = {Seconds(0), Seconds(1)}; // nothing is lost but the restart
        const MonteCarlo copied = simulated(*fabric, request, 300);
        QVERIFY(holds(copied.interruptions, stored.interruptions.mean));
        const double perHour = 48.0 * 6 / 8760, write = 60 / (4 * 3600.0);
        QVERIFY(std::abs(copied.ettr.mean - (1 - perHour * 300 / 3600) / (1 + write)) < 0.002);
        QVERIFY(std::abs(copied.ettr.mean - stored.ettr.mean - perHour * 2) < 0.006); // half an interval less for each interruption
        request.peerCopies.write = Seconds(0.1);                                      // a tenth of the time goes into copies
        const double slower = simulated(*fabric, request, 300).ettr.mean;
        QVERIFY(std::abs(slower / copied.ettr.mean - (1 + write) / (1.1 + write)) < 0.002);
    }
    void copiesAtPeersAreLostWithBoth() {
        const FabricPointer fabric = test::fabricOf("rail-only", {{"servers", "16"}});
        ReliabilityRequest request = only(PartKind::Leaf, 40); // one leaf has all servers below it
        request.repairSwitch = Seconds(60);
        request.checkpoint.interval = Seconds(6 * 3600.0);
        request.horizon = Seconds(60 * 86400.0);
        const MonteCarlo stored = simulated(*fabric, request, 300);
        request.peerCopies = {Seconds(0), Seconds(60)};
        const MonteCarlo copied = simulated(*fabric, request, 300);
        QVERIFY(stored.ettr.mean < 0.97);
        QVERIFY(std::abs(copied.ettr.mean - stored.ettr.mean) < 0.01);
    }
    // 1 / ratio of the work, as long as a slow server is part of the job.
    void allWaitForSlowServers() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request = only(PartKind::Server, 0);
        request.slowShare = 0.02; // one of 64
        request.slowRatio = 1.25;
        QVERIFY(std::abs(simulated(*fabric, request, 10).ettr.mean - 0.8) < 1e-9);
        request.standbys = 16; // it stands by in a quarter of the trials, and nothing fails
        const MonteCarlo some = simulated(*fabric, request, 20'000);
        QVERIFY(holds(some.ettr, 0.75 * 0.8 + 0.25));
    }
    // Each interruption is followed by others with this share: 1 / (1 - share) of them in all.
    void failedDiagnosisRepeatsThem() {
        const FabricPointer fabric = test::fabricOf("superpod-h100", {{"servers", "64"}});
        ReliabilityRequest request = only(PartKind::Server, 3);
        request.standbys = 16;
        const MonteCarlo sure = simulated(*fabric, request, 4000);
        request.misdiagnosis = 0.5;
        const MonteCarlo unsure = simulated(*fabric, request, 4000);
        QVERIFY(std::abs(unsure.interruptions.mean / sure.interruptions.mean - 2) < 0.05);
        QVERIFY(unsure.ettr.mean < sure.ettr.mean);
    }
    // One server: mean repair = automatic time + share by hand * time by hand.
    void repairWithoutPeopleIsShorter() {
        const FabricPointer fabric = test::fabricOf("rail-optimized", {{"servers", "1"}});
        ReliabilityRequest request = only(PartKind::Server, 36.5); // every ten days
        request.horizon = Seconds(20 * 8760 * 3600.0);
        request.repairServer = Seconds(2 * 86400.0);
        request.autoRepairShare = 0.75;
        request.autoRepair = Seconds(86400.0);
        const MonteCarlo m = simulated(*fabric, request, 400);
        QVERIFY(std::abs(m.waiting.mean - 1.5 / 11.5) < 0.003);
    }
};

QTEST_GUILESS_MAIN(tst_monte_carlo)
#include "tst_monte_carlo.moc"
