// Traffic between GPUs in one iteration of a training job, by GPU or summed by server, HB domain or SU.
#pragma once

#include "core/workload/job_traffic.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

enum class MatrixGrain { Gpu, Server, HbDomain, Su };
std::optional<MatrixGrain> matrixGrainFrom(std::string_view text); // gpu, server, hb-domain, su

struct TrafficMatrix {
    struct Cell {
        std::uint32_t row = 0, column = 0; // sender, receiver: into `names`
        std::array<double, 5> bytes{};     // by Parallel
        bool isAlongRail = false;          // between HB domains on the same rail; only for single GPUs
        double total() const;
        Parallel kind() const; // the parallelism with the most bytes
    };
    std::vector<std::string> names;     // paths of the participants, in fabric order
    std::vector<DeviceId> gpus;         // parallel to `names`: the first GPU, as a device index
    std::vector<std::uint32_t> domains; // parallel to `names`: the HB domain; none if there are several
    std::vector<Cell> cells;            // sorted by row and column; only cells with traffic
    std::array<double, 5> bytes{};      // sum over all ranks, by Parallel
    // Bytes inside HB domains, between domains on the same rail, between rails, and of GPUs without a rail.
    double inDomains = 0, onRails = 0, acrossRails = 0, withoutRails = 0;
    bool hasRails = false; // at least two rails take part
    double most() const;   // largest total of a cell
};

TrafficMatrix trafficMatrix(const Fabric& fabric, const JobTraffic& traffic, MatrixGrain grain);

} // namespace railyard
