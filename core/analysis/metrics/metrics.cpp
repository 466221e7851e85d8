#include "core/analysis/metrics/metrics.h"

#include "core/analysis/metrics/analysis_table.h"
#include "core/base/fingerprint.h"
#include "core/base/unit_text.h"
#include "core/training/job_request.h"
#include "core/training/training.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

CountedCables countedCablesOf(const Fabric& fabric, const Cabling& cabling) {
    return {modulesOf(fabric, cabling), cableCountsOf(fabric, cabling)};
}

CableCounts cablesOf(const Cabling& cabling, const CountedCables& counted) {
    CableCounts counts;
    std::array<std::int64_t, static_cast<std::size_t>(LinkTier::Pcie) + 1> byTier{};
    std::vector<std::int64_t> byChoice(cabling.choices.size()), linksByChoice(cabling.choices.size());
    for (const CableCount& own : counted.cables) {
        counts.cables += own.cables;
        counts.patchCables += own.patchCables;
        byTier[static_cast<std::size_t>(own.tier)] += own.cables;
        byChoice[own.choice] += own.cables;
        linksByChoice[own.choice] += own.links;
    }
    std::int64_t transceivers = 0;
    bool isMediumKnown = true;
    for (std::size_t c = 0; c < linksByChoice.size(); ++c) {
        const std::string& medium = cabling.choices[c].medium;
        if (linksByChoice[c] > 0 && medium.empty()) isMediumKnown = false;
        if (medium == "mmf" || medium == "smf") transceivers += 2 * linksByChoice[c];
    }
    if (isMediumKnown) counts.transceiversLogical = transceivers;
    for (std::size_t t = 0; t < byTier.size(); ++t)
        if (byTier[t] > 0) counts.byTier[std::string(toText(static_cast<LinkTier>(t)))] = byTier[t];
    for (std::size_t c = 0; c < byChoice.size(); ++c)
        if (byChoice[c] > 0 && !cabling.choices[c].medium.empty()) counts.byMedium[cabling.choices[c].medium] += byChoice[c];
    std::int64_t all = 0;
    bool known = true;
    for (const ModuleCount& module : counted.modules) {
        known = known && module.part;
        all += module.count;
        if (module.part) counts.pluggablesByPart[module.part->id] += module.count;
    }
    if (known) counts.pluggables = all;
    return counts;
}

Metres laidLength(const Cabling& cabling) {
    Metres sum;
    for (const CabledLinkId l : cabling.links.ids())
        if (cabling.patch[l] == l) sum += cabling.choiceOf(l).ordered;
    return sum;
}

std::optional<FloorFigures> floorFiguresOf(const Fabric& fabric, const Cabling& cabling) {
    const Floor& floor = cabling.floor;
    if (!floor.isPlaced()) return {};
    FloorFigures figures{static_cast<std::int64_t>(floor.racks.size()), floor.rows, floor.width, floor.depth, laidLength(cabling), {}, {}};
    Watts most;
    for (const Rack& rack : floor.racks) most = std::max(most, rack.power);
    const bool known = std::none_of(floor.racks.begin(), floor.racks.end(), [](const Rack& rack) { return rack.unknownPower; });
    if (known) figures.mostRackPower = most;
    if (floor.plan.leafRacks == LeafRacks::Middle && floor.plan.moved.empty())
        figures.saved = laidLength(cablingOf(fabric, LeafRacks::End)) - figures.cable;
    return figures;
}

// What all GPUs can send: the cabled ports of every NIC that GPUs use. A cable between two NICs takes a port of each.
Bandwidth injectionOf(const Fabric& fabric) {
    const LinkTable& links = fabric.links;
    std::vector<bool> isUsed(fabric.devices.size());
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie) isUsed[links.b[l]] = true;
    Bandwidth sum;
    for (const LinkId l : links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const DeviceKind above = fabric.devices.kind[links.b[l]];
        if (!infoOf(above).routes && above != DeviceKind::Nic) continue;
        for (const DeviceId end : {links.a[l], links.b[l]})
            if (fabric.devices.isNic(end) && isUsed[end]) sum += fabric.speedOf(l);
    }
    return sum;
}

std::array<double, 5> oversubscriptionOf(const Fabric& fabric) {
    std::array<double, 5> down{}, up{}, ratio{};
    for (const LinkId l : fabric.links.ids()) {
        if (!fabric.isNetworkLink(l)) continue;
        const double speed = fabric.speedOf(l).value();
        down[static_cast<std::size_t>(fabric.devices.tier[fabric.links.b[l]])] += speed;
        up[static_cast<std::size_t>(fabric.devices.tier[fabric.links.a[l]])] += speed;
    }
    for (std::size_t t = 1; t < ratio.size(); ++t) ratio[t] = up[t] > 0 ? down[t] / up[t] : 0;
    return ratio;
}

} // namespace

std::string NetworkFigures::key() const {
    std::string text = name;
    std::replace(text.begin(), text.end(), '-', '_');
    return text;
}

std::string sizeKey(Bytes size) {
    std::string bytes = formatBytes(size);
    std::erase(bytes, ' ');
    if (const auto again = parseBytes(bytes); !again || *again != size || bytes.find('.') != std::string::npos)
        bytes = fmt::format("{}B", size.count());
    return bytes;
}

std::string collectiveKey(std::string_view op, Bytes size) { return fmt::format("{}@{}", op, sizeKey(size)); }

std::string NamedCollective::key() const { return collectiveKey(toText(op), size); }

InstantMetrics instantMetrics(const Fabric& fabric) { return instantMetrics(fabric, cablingOf(fabric)); }

InstantMetrics instantMetrics(const Fabric& fabric, const Cabling& cabling) { return instantMetrics(fabric, cabling, Instant::Everything); }

InstantMetrics instantMetrics(const Fabric& fabric, const Cabling& cabling, unsigned parts) {
    InstantMetrics metrics;
    const bool countsCables = (parts & (Instant::Cables | Instant::Bill)) != 0;
    const CountedCables counted = countsCables ? countedCablesOf(fabric, cabling) : CountedCables();
    if (parts & Instant::Counts) metrics.counts = countsOf(fabric);
    if (parts & Instant::Cables) metrics.cables = cablesOf(cabling, counted);
    if (parts & Instant::Ratios) {
        metrics.oversubscription = oversubscriptionOf(fabric);
        metrics.injection = injectionOf(fabric);
    }
    if (parts & Instant::Networks)
        for (const AuxiliaryFabric& side : auxiliaryFabricsOf(cabling)) {
            const FabricCounts counts = countsOf(*side.fabric);
            const CableCounts cables = cablesOf(side.cabling, countedCablesOf(*side.fabric, side.cabling));
            metrics.networks.push_back({side.name, counts.switches, counts.links, cables.cables, cables.patchCables, cables.pluggables});
        }
    if (parts & Instant::Bill) metrics.bill = billOf(fabric, cabling, &counted);
    if (parts & Instant::Floor) metrics.floor = floorFiguresOf(fabric, cabling);
    if (parts & Instant::Buffers) {
        const PauseBuffers buffers = pauseBuffersOf(fabric, cabling);
        if (const PauseBuffer* tightest = buffers.tightest()) metrics.tightestBuffer = *tightest;
        metrics.unknownBuffers = buffers.unknown;
    }
    return metrics;
}

BackgroundMetrics backgroundMetrics(const Fabric& fabric) {
    return *runAnalyses({fabric, cablingOf(fabric)}, Analysis::Everything, {}, {.threads = 2});
}

TrainingFigures trainingFiguresOf(const Fabric& fabric) {
    const auto request = jobOf(*fabric.design);
    const auto placed = request ? placedOn(fabric, *request) : Result<PlacedJob>(request.errors());
    if (!placed) return {{}, placed.error().text};
    auto estimate = estimateTraining(fabric, *placed, request->planned.plan);
    return estimate ? TrainingFigures{std::move(*estimate), {}} : TrainingFigures{{}, estimate.error().text};
}

Metrics metricsOf(const Fabric& fabric) { return *metricsOf(fabric, {.threads = 2}); }

std::optional<Metrics> metricsOf(const Fabric& fabric, const TaskContext& context) {
    const Design& design = *fabric.design;
    const auto cabling = std::make_shared<const Cabling>(cablingOf(fabric));
    auto background = runAnalyses({fabric, *cabling}, Analysis::Everything, {}, context);
    if (!background) return {};
    return Metrics{design.name,
                   design.recipe ? design.recipe->name : "",
                   toText(fingerprintOf(fingerprintText(design))),
                   instantMetrics(fabric, *cabling),
                   std::move(*background),
                   cabling};
}

} // namespace railyard
