#include "widgets/modes/stage_territories.h"

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

} // namespace railyard
