#include "core/analysis/traffic_matrix.h"

#include <algorithm>
#include <numeric>

namespace railyard {
namespace {

// What stands for a device at this grain: any number that is the same for all that are summed.
std::uint32_t holderOf(const Fabric& fabric, std::uint32_t gpu, MatrixGrain grain) {
    switch (grain) {
    case MatrixGrain::Gpu: return gpu;
    case MatrixGrain::Server: return fabric.devices.server[gpu];
    case MatrixGrain::HbDomain: return fabric.devices.hbDomain[gpu];
    case MatrixGrain::Su: return fabric.devices.su[gpu];
    }
    return gpu;
}

std::string nameOf(const Fabric& fabric, std::uint32_t gpu, MatrixGrain grain) {
    const std::uint32_t holder = holderOf(fabric, gpu, grain);
    switch (grain) {
    case MatrixGrain::Gpu: return fabric.devicePath(gpu);
    case MatrixGrain::Server: return holder == none ? fabric.devicePath(gpu) : fabric.scopePath(fabric.servers[holder]);
    case MatrixGrain::HbDomain: return holder == none ? fabric.devicePath(gpu) : fabric.scopePath(fabric.hbDomains[holder]);
    case MatrixGrain::Su: return "su[" + std::to_string(holder) + "]";
    }
    return {};
}

// The rail of the NIC that feeds every GPU; 0 where there is none, or several.
std::vector<std::uint32_t> railsOfGpus(const Fabric& fabric) {
    std::vector<std::uint32_t> rails(fabric.devices.size(), none);
    for (std::size_t l = 0; l < fabric.links.size(); ++l) {
        if (fabric.links.tier[l] != LinkTier::Pcie) continue;
        std::uint32_t& rail = rails[fabric.links.a[l]];
        const std::uint32_t ofNic = fabric.devices.rail[fabric.links.b[l]];
        rail = rail == none || rail == ofNic ? ofNic : 0;
    }
    for (std::uint32_t& rail : rails)
        if (rail == none) rail = 0;
    return rails;
}

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
    std::vector<std::uint32_t> gpus;
    for (const JobFlow& flow : traffic.flows) gpus.push_back(flow.from), gpus.push_back(flow.to);
    std::sort(gpus.begin(), gpus.end());
    gpus.erase(std::unique(gpus.begin(), gpus.end()), gpus.end());
    const std::vector<std::uint32_t> rails = railsOfGpus(fabric);
    std::vector<std::uint32_t> rowOfHolder, rowOfGpu(fabric.devices.size(), none);
    for (const std::uint32_t gpu : gpus) {
        const std::uint32_t holder = holderOf(fabric, gpu, grain);
        const std::uint32_t at = holder == none ? gpu : holder; // a GPU in no domain is one of its own
        if (at >= rowOfHolder.size()) rowOfHolder.resize(at + 1, none);
        if (rowOfHolder[at] == none) {
            rowOfHolder[at] = static_cast<std::uint32_t>(matrix.names.size());
            matrix.names.push_back(nameOf(fabric, gpu, grain));
            matrix.domains.push_back(grain == MatrixGrain::Su ? none : fabric.devices.hbDomain[gpu]);
            matrix.rails.push_back(grain == MatrixGrain::Gpu ? rails[gpu] : 0);
        }
        rowOfGpu[gpu] = rowOfHolder[at];
    }
    for (const JobFlow& flow : traffic.flows) {
        TrafficMatrix::Cell cell{rowOfGpu[flow.from], rowOfGpu[flow.to], {}};
        cell.bytes[static_cast<std::size_t>(flow.kind)] = flow.bytes;
        matrix.cells.push_back(cell);
        const bool isInside =
            fabric.devices.hbDomain[flow.from] != none && fabric.devices.hbDomain[flow.from] == fabric.devices.hbDomain[flow.to];
        (isInside ? matrix.inDomains : rails[flow.from] == rails[flow.to] ? matrix.onRails : matrix.acrossRails) += flow.bytes;
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
