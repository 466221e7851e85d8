// Slower parts, less bandwidth and more work make nothing faster: random fabrics and requests, through what the verbs infer, rlhf, search,
// train --jobs, loads, collective and bisection answer. Training by itself: tst_iteration. RAILYARD_RANDOM_DESIGNS=N tries N of them,
// RAILYARD_RANDOM_FIRST=S others.
#include "tests/support/designs.h" // first, because moc cannot parse <concepts>

#include "core/analysis/curves/training_curves.h"
#include "core/bisection/bisection.h"
#include "core/collective/collective.h"
#include "core/fabric/without.h"
#include "core/failure/removal.h"
#include "core/inference/reinforcement.h"
#include "core/routing/link_loads.h"
#include "core/training/search.h"
#include "core/training/shared_cluster.h"
#include "core/workload/models_json.h"

#include <map>

using namespace railyard;

namespace {

int rounds() {
    bool isGiven = false;
    const int given = qEnvironmentVariableIntValue("RAILYARD_RANDOM_DESIGNS", &isGiven);
    return isGiven ? given : 40;
}
std::uint64_t firstRound() { return static_cast<std::uint64_t>(qEnvironmentVariableIntValue("RAILYARD_RANDOM_FIRST")) * 1000; }

// By name; the larger, the worse.
using Costs = std::map<std::string, double>;

struct Asked {
    std::string model;
    std::int64_t servers = 0, prompt = 0, output = 0, batch = 0, answers = 0, globalBatch = 0, expert = 1;
    double prefillShare = 0;
    Bytes message{0};
};

FabricPointer anyFabric(test::Random& random) {
    static const char* recipes[] = {"rail-optimized", "rail-only", "fat-tree", "superpod-b300"};
    test::Parameters set{{"servers", random.below(2) ? "8" : "12"}};
    const int recipe = random.below(4);
    if (recipe < 3 && random.below(2)) set["radix"] = "16";
    if (recipe < 3 && random.below(2)) set["oversubscription"] = "3:1";
    if (recipe < 2 && random.below(3) == 0) set["hb_domain_gpus"] = "16";
    return test::fabricOf(recipes[recipe], set);
}

Asked anyRequest(test::Random& random) {
    Asked asked;
    asked.model = random.below(3) == 0 ? "mixtral-8x7b" : "llama3-8b";
    asked.prompt = 256 << random.below(4);
    asked.output = 128 << random.below(3);
    asked.batch = 1 << random.below(6);
    asked.answers = 64 << random.below(3);
    asked.globalBatch = 64 << random.below(3);
    asked.expert = asked.model == "mixtral-8x7b" ? 1 << random.below(4) : 1;
    asked.prefillShare = random.below(3) == 0 ? 0.25 : 0;
    asked.message = Bytes(std::int64_t{1} << (10 + random.below(19)));
    return asked;
}

void addServing(const Fabric& fabric, const Asked& asked, Costs& costs) {
    InferenceRequest request;
    request.model = *modelOf(asked.model);
    request.promptTokens = asked.prompt;
    request.outputTokens = asked.output;
    request.batch = asked.batch;
    request.expert = asked.expert;
    request.prefillShare = asked.prefillShare;
    const auto found = estimateInference(fabric, request);
    if (!found) return;
    costs["infer: first token"] = found->timeToFirstToken.value();
    costs["infer: each token"] = found->timePerOutputToken.value();
    costs["infer: seconds a request"] = 1 / found->requestsPerSecond;
}

void addReinforcement(const Fabric& fabric, const Asked& asked, Costs& costs) {
    TrainingJob job = usualJob(*modelOf("llama3-8b"));
    job.degrees = {8, 1, 1, 0, 1};
    job.globalBatch = asked.answers;
    ReinforcementRequest request;
    request.training = placedJob(job, fabric, RankOrder::Near);
    request.promptTokens = asked.prompt;
    request.outputTokens = asked.output;
    if (const auto found = estimateReinforcement(fabric, request)) costs["rlhf"] = found->iteration().value();
}

void addTraining(const Fabric& fabric, const Asked& asked, Costs& costs) {
    TrainingJob job = usualJob(*modelOf(asked.model));
    job.globalBatch = asked.globalBatch;
    const std::vector<DeviceId> gpus = gpusInOrder(fabric, RankOrder::Near);
    SearchSpace space = usualSpace(fabric, job, gpus);
    space.context = {1};
    if (const auto found = searchTraining(fabric, job, gpus, {}, space, {}); found && !found->best.empty())
        costs["search"] = found->best.front().iteration.value();
    std::vector<NamedJob> jobs;
    for (const char* placement : {"packed", "spread"})
        jobs.push_back({placement, *readJob({{"model", asked.model}, {"gpus", "32"}, {"placement", placement}})});
    if (const auto found = trainTogether(fabric, jobs))
        for (const JobOnCluster& each : *found) {
            costs["train --jobs: alone, " + each.name] = each.alone.iteration.value();
            costs["train --jobs: expected, " + each.name] = each.expected.iteration.value();
            costs["train --jobs: worst, " + each.name] = each.worst.iteration.value();
        }
}

void addNetwork(const Fabric& fabric, const Asked& asked, Costs& costs) {
    const std::array<Bisection, 3> cuts = bisections(fabric);
    for (std::size_t key = 0; key < cuts.size(); ++key)
        if (cuts[key].certified && cuts[key].lowerGbps > 0) costs["bisection " + std::to_string(key)] = 1 / cuts[key].lowerGbps;
    if (const auto group = Communicator::create(fabric, 0, RankOrder::Near))
        for (const CollectiveOp op : {CollectiveOp::AllReduce, CollectiveOp::AllGather, CollectiveOp::AllToAll, CollectiveOp::Broadcast,
                                      CollectiveOp::Gather, CollectiveOp::PointToPoint})
            if (const auto found = group->time(op, asked.message))
                costs["collective " + std::string(toText(op))] = found->best.time.value();
    RoutingOptions forwarded;
    forwarded.isForwarded = true;
    if (const auto loads = linkLoads(fabric, {true, {}}, forwarded); loads && loads->unreachablePairs == 0) {
        double worst = 0;
        for (const LinkId l : fabric.links.ids())
            if (fabric.isNetworkLink(l)) worst = std::max(worst, std::max(loads->aToB[l], loads->bToA[l]) / fabric.speedOf(l).value());
        costs["loads: busiest link"] = worst;
    }
}

Costs costsOf(const Fabric& fabric, const Asked& asked) {
    Costs costs;
    addServing(fabric, asked, costs);
    addReinforcement(fabric, asked, costs);
    addTraining(fabric, asked, costs);
    addNetwork(fabric, asked, costs);
    return costs;
}

// Half of the links of one switch above the leaves, or of one leaf upwards, are gone: no GPU is.
FabricPointer withFewerLinks(const FabricPointer& fabric, test::Random& random) {
    std::vector<LinkId> between;
    for (const LinkId l : fabric->links.ids())
        if (fabric->links.tier[l] == LinkTier::LeafSpine) between.push_back(l);
    if (between.empty()) return {};
    std::vector<bool> gone(fabric->links.size());
    for (int lost = 1 + random.below(3); lost > 0; --lost)
        gone[between[static_cast<std::size_t>(random.below(static_cast<int>(between.size())))]] = true;
    return without(fabric, {}, gone);
}

} // namespace

class tst_nothing_gets_faster : public QObject {
    Q_OBJECT

private slots:
    void lessBandwidth() {
        test::Random random{91 + firstRound()};
        QStringList wrong;
        std::map<std::string, int> compared;
        for (int round = 0; round < rounds(); ++round) {
            const FabricPointer fabric = anyFabric(random);
            const Asked asked = anyRequest(random);
            const Costs usual = costsOf(*fabric, asked);
            std::vector<std::pair<const char*, FabricPointer>> worse;
            worse.emplace_back("half the network", std::make_shared<const Fabric>(*atSpeeds(*fabric, 0.5, 1)));
            worse.emplace_back("a tenth of the HB speed", std::make_shared<const Fabric>(*atSpeeds(*fabric, 1, 0.1)));
            if (FabricPointer fewer = withFewerLinks(fabric, random)) worse.emplace_back("failed links", std::move(fewer));
            for (const auto& [what, other] : worse)
                for (const auto& [name, cost] : costsOf(*other, asked)) {
                    const auto before = usual.find(name);
                    if (before == usual.end()) continue;
                    ++compared[name];
                    if (cost < before->second * (1 - 1e-9))
                        wrong +=
                            QStringLiteral("round %1, %2, %3: %4 of before").arg(round).arg(what, name.c_str()).arg(cost / before->second);
                }
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
        QVERIFY(compared.size() >= 20);
        for (const auto& [name, count] : compared)
            QVERIFY2(count >= rounds() / 2, qPrintable(QStringLiteral("%1: %2").arg(name.c_str()).arg(count)));
    }
    void moreWork() {
        test::Random random{92 + firstRound()};
        QStringList wrong;
        for (int round = 0; round < rounds(); ++round) {
            const FabricPointer fabric = anyFabric(random);
            const Asked asked = anyRequest(random);
            Costs usual, more;
            addServing(*fabric, asked, usual);
            addReinforcement(*fabric, asked, usual);
            addTraining(*fabric, asked, usual);
            addNetwork(*fabric, asked, usual);
            Asked longer = asked;
            longer.prompt *= 2;
            longer.globalBatch *= 2;
            longer.answers *= 2;
            longer.message = Bytes(asked.message.count() * 2);
            const Costs after = costsOf(*fabric, longer);
            for (const auto& [name, cost] : after)
                if (const auto before = usual.find(name); before != usual.end() && cost < before->second * (1 - 1e-9))
                    wrong += QStringLiteral("round %1, %2: %3 of before").arg(round).arg(name.c_str()).arg(cost / before->second);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join(QLatin1Char('\n'))));
    }
};

QTEST_GUILESS_MAIN(tst_nothing_gets_faster)
#include "tst_nothing_gets_faster.moc"
