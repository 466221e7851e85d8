#include "widgets/modes/group_territories.h"

#include "core/base/disjoint_sets.h"
#include "core/base/unit_text.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>

namespace railyard {
namespace {

QString words(const char* text) { return QCoreApplication::translate("railyard::PlayBar", text); }

struct Span {
    std::int64_t first, last;
    void add(std::int64_t value) { first = std::min(first, value), last = std::max(last, value); }
};

} // namespace

Territories stageTerritories(const Fabric& fabric, const IterationSteps& steps) {
    const TrainingJob& job = steps.estimate().job;
    const std::int64_t stages = job.by(Parallel::Pipeline);
    if (stages < 2) return {};
    const auto strideOf = [&](Parallel parallel) {
        std::int64_t stride = 1;
        for (const Parallel each : job.rankOrder) {
            if (each == parallel) break;
            stride *= job.by(each);
        }
        return stride;
    };
    const std::int64_t ofStage = strideOf(Parallel::Pipeline), ofReplica = strideOf(Parallel::Data);
    std::map<std::uint32_t, std::pair<Span, Span>> spans; // stages and replicas of a scope
    for (std::size_t rank = 0; rank < steps.gpus().size(); ++rank) {
        const DeviceId gpu = steps.gpus()[rank];
        const auto r = static_cast<std::int64_t>(rank), stage = r / ofStage % stages, replica = r / ofReplica % job.by(Parallel::Data);
        const ServerId server = fabric.devices.server[gpu];
        const DomainId domain = fabric.devices.hbDomain[gpu];
        for (const ScopeId scope :
             {server == none ? ScopeId() : fabric.servers[server], domain == none ? ScopeId() : fabric.hbDomains[domain]}) {
            if (scope == none) continue;
            auto& [ofStages, ofReplicas] = spans.try_emplace(scope, Span{stage, stage}, Span{replica, replica}).first->second;
            ofStages.add(stage);
            ofReplicas.add(replica);
        }
    }
    Territories territories;
    territories.ofScope.assign(fabric.scopes.size(), -1);
    territories.notes.resize(fabric.scopes.size());
    for (const auto& [scope, both] : spans) {
        const auto& [ofStages, ofReplicas] = both;
        if (ofStages.first != ofStages.last) continue;
        territories.ofScope[scope] = static_cast<int>(ofStages.first);
        territories.notes[scope] = ofReplicas.first == ofReplicas.last
                                       ? words("Stage %1 of %2, replica %3").arg(ofStages.first + 1).arg(stages).arg(ofReplicas.first + 1)
                                       : words("Stage %1 of %2, replicas %3 to %4")
                                             .arg(ofStages.first + 1)
                                             .arg(stages)
                                             .arg(ofReplicas.first + 1)
                                             .arg(ofReplicas.last + 1);
    }
    return territories;
}

Territories groupTerritories(const Fabric& fabric, const IterationSteps& steps, std::size_t step) {
    const Parallel kind = steps.kindOf(step);
    if (kind == Parallel::Pipeline || kind == Parallel::Data) return stageTerritories(fabric, steps);
    DisjointSets sets(fabric.scopes.size());
    std::vector<bool> isUsed(fabric.scopes.size());
    const auto serverOf = [&](DeviceId gpu) {
        const ServerId server = fabric.devices.server[gpu];
        return server == none ? ScopeId() : fabric.servers[server];
    };
    for (const DeviceId gpu : steps.gpus())
        if (const ScopeId server = serverOf(gpu); server != none) isUsed[server] = true;
    bool isAnyJoined = false;
    for (const GpuFlow& flow : steps.flowsOf(step)) {
        const ScopeId from = serverOf(flow.from), to = serverOf(flow.to);
        if (from == none || to == none || from == to) continue;
        sets.join(from, to);
        isAnyJoined = true;
    }
    std::map<std::uint32_t, int> groups; // by the set
    for (std::uint32_t scope = 0; scope < fabric.scopes.size(); ++scope)
        if (isUsed[scope]) groups.emplace(sets.find(scope), static_cast<int>(groups.size()));
    if (!isAnyJoined || groups.size() < 2) return stageTerritories(fabric, steps);
    Territories territories;
    territories.ofScope.assign(fabric.scopes.size(), -1);
    territories.notes.resize(fabric.scopes.size());
    const QString name = text(steps.steps()[step].name);
    for (std::uint32_t scope = 0; scope < fabric.scopes.size(); ++scope) {
        if (!isUsed[scope]) continue;
        const int group = groups.at(sets.find(scope));
        territories.ofScope[scope] = group;
        territories.notes[scope] =
            words("Group %1 of %2 in %3")
                .arg(text(formatCount(group + 1)), text(formatCount(static_cast<std::int64_t>(groups.size()))), name);
    }
    return territories;
}

} // namespace railyard
