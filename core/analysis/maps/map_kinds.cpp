#include "core/analysis/maps/map_kinds.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr unsigned times = MapKind::Operation | MapKind::Job;
constexpr MapKind kinds[] = {
    {"collective-time", "Collective time by message size and servers", times},
    {"difference", "Collective time, rail-only vs rail-optimized", times | MapKind::OtherDesigns},
    {"tcp", "Collective time, TCP vs RDMA", times},
    {"hb-nic", "Collective time by NIC and HB bandwidth", MapKind::Operation | MapKind::OtherDesigns},
    {"training", "Training iteration by NIC and HB bandwidth", MapKind::Job},
    {"traffic", "Traffic matrix of the training job", MapKind::Job | MapKind::Colour},
    {"link-load", "Link utilisation of all-to-all", MapKind::Nothing},
    {"collisions", "ECMP hash collisions", MapKind::Nothing},
    {"jobs", "Concurrent jobs", MapKind::Operation},
    {"failure", "Probability of an interruption by job size and failure rates", MapKind::Nothing},
    {"decision", "Rail-optimized or rail-only by cluster and HB-domain size",
     MapKind::Prices | MapKind::OtherDesigns | MapKind::ViewOfItsOwn},
};

} // namespace

std::span<const MapKind> mapKinds() { return kinds; }

const MapKind* mapKindNamed(std::string_view name) {
    const auto found = std::find_if(std::begin(kinds), std::end(kinds), [&](const MapKind& kind) { return kind.name == name; });
    return found == std::end(kinds) ? nullptr : found;
}

std::string mapKindNames() {
    std::string names;
    for (const MapKind& kind : kinds) names += (names.empty() ? "" : ", ") + std::string(kind.name);
    return names;
}

} // namespace railyard
