#include "core/analysis/maps/traffic_matrix.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

// What stands for a GPU at this grain: any number that is the same for all that are summed. What is in nothing stands alone.
std::uint64_t holderOf(const Fabric& fabric, DeviceId gpu, MatrixGrain grain) {
    const auto orAlone = [&](std::uint32_t holder, std::uint32_t nothing) {
        return holder == nothing ? (std::uint64_t{1} << 32) + gpu : std::uint64_t{holder};
    };
    switch (grain) {
    case MatrixGrain::Gpu: return gpu;
    case MatrixGrain::Server: return orAlone(fabric.devices.server[gpu], none);
    case MatrixGrain::HbDomain: return orAlone(fabric.devices.hbDomain[gpu], none);
    case MatrixGrain::Su: return orAlone(fabric.devices.su[gpu], 0); // counted from 1
    }
    return gpu;
}

std::string nameOf(const Fabric& fabric, DeviceId gpu, MatrixGrain grain) {
    const std::uint64_t holder = holderOf(fabric, gpu, grain);
    if (holder >> 32 != 0) return fabric.devicePath(gpu);
    switch (grain) {
    case MatrixGrain::Gpu: return fabric.devicePath(gpu);
    case MatrixGrain::Server: return fabric.scopePath(fabric.servers[holder]);
    case MatrixGrain::HbDomain: return fabric.scopePath(fabric.hbDomains[holder]);
    case MatrixGrain::Su: return "su[" + std::to_string(holder) + "]";
    }
    return {};
}

// The rails that a GPU reaches by NICs of its own, rising.
class RailsOfGpus {
public:
    explicit RailsOfGpus(const Fabric& fabric) : m_rails(fabric.devices.size()) {
        for (const LinkId l : fabric.links.ids())
            if (const auto rail = fabric.devices.rail[fabric.links.b[l]]; fabric.links.tier[l] == LinkTier::Pcie && rail != 0)
                m_rails[fabric.links.a[l]].push_back(rail);
        for (std::vector<std::uint32_t>& rails : m_rails) std::sort(rails.begin(), rails.end());
    }
    const std::vector<std::uint32_t>& railsOf(DeviceId gpu) const { return m_rails[gpu]; }
    bool isShared(DeviceId a, DeviceId b) const {
        return std::any_of(railsOf(a).begin(), railsOf(a).end(),
                           [&](auto rail) { return std::binary_search(railsOf(b).begin(), railsOf(b).end(), rail); });
    }

private:
    std::vector<std::vector<std::uint32_t>> m_rails;
};

} // namespace

std::optional<MatrixGrain> matrixGrainFrom(std::string_view text) {
    if (text == "gpu") return MatrixGrain::Gpu;
    if (text == "server") return MatrixGrain::Server;
    if (text == "hb-domain") return MatrixGrain::HbDomain;
    if (text == "su") return MatrixGrain::Su;
    return {};
}

double TrafficMatrix::Cell::total() const { return std::accumulate(bytes.begin(), bytes.end(), 0.0); }

Parallel TrafficMatrix::Cell::kind() const { return static_cast<Parallel>(std::max_element(bytes.begin(), bytes.end()) - bytes.begin()); }

double TrafficMatrix::most() const {
    double most = 0;
    for (const Cell& cell : cells) most = std::max(most, cell.total());
    return most;
}

TrafficMatrix trafficMatrix(const Fabric& fabric, const JobTraffic& traffic, MatrixGrain grain) {
    TrafficMatrix matrix;
    matrix.bytes = traffic.bytes;
    std::vector<DeviceId> gpus;
    for (const JobFlow& flow : traffic.flows) gpus.push_back(flow.from), gpus.push_back(flow.to);
    std::sort(gpus.begin(), gpus.end());
    gpus.erase(std::unique(gpus.begin(), gpus.end()), gpus.end());
    const RailsOfGpus rails(fabric);
    std::unordered_map<std::uint64_t, std::uint32_t> rowOfHolder;
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> rowOfGpu(fabric.devices.size(), none);
    for (const DeviceId gpu : gpus) {
        const auto [row, isNew] = rowOfHolder.emplace(holderOf(fabric, gpu, grain), static_cast<std::uint32_t>(matrix.names.size()));
        if (isNew) {
            matrix.names.push_back(nameOf(fabric, gpu, grain));
            matrix.gpus.push_back(gpu);
            matrix.domains.push_back(grain == MatrixGrain::Su ? none : fabric.devices.hbDomain[gpu]);
        }
        rowOfGpu[gpu] = row->second;
        for (const auto rail : rails.railsOf(gpu)) seen.insert(rail);
    }
    matrix.hasRails = seen.size() > 1;
    for (const JobFlow& flow : traffic.flows) {
        TrafficMatrix::Cell cell{rowOfGpu[flow.from], rowOfGpu[flow.to], {}, false};
        cell.bytes[static_cast<std::size_t>(flow.kind)] = flow.bytes;
        const bool isInside =
            fabric.devices.hbDomain[flow.from] != none && fabric.devices.hbDomain[flow.from] == fabric.devices.hbDomain[flow.to];
        (isInside                                                             ? matrix.inDomains
         : rails.railsOf(flow.from).empty() || rails.railsOf(flow.to).empty() ? matrix.withoutRails
         : rails.isShared(flow.from, flow.to)                                 ? matrix.onRails
                                                                              : matrix.acrossRails) += flow.bytes;
        cell.isAlongRail = grain == MatrixGrain::Gpu && matrix.hasRails && !isInside && rails.isShared(flow.from, flow.to);
        matrix.cells.push_back(cell);
    }
    const auto place = [](const TrafficMatrix::Cell& cell) { return std::pair(cell.row, cell.column); };
    std::stable_sort(matrix.cells.begin(), matrix.cells.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    std::size_t last = 0;
    for (std::size_t c = 1; c < matrix.cells.size(); ++c)
        if (place(matrix.cells[c]) == place(matrix.cells[last]))
            for (std::size_t k = 0; k < 5; ++k) matrix.cells[last].bytes[k] += matrix.cells[c].bytes[k];
        else
            matrix.cells[++last] = matrix.cells[c];
    if (!matrix.cells.empty()) matrix.cells.resize(last + 1);
    return matrix;
}

} // namespace railyard
