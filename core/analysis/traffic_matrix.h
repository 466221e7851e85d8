// Who sends whom how much in one iteration of a training job: GPU by GPU, or summed over what holds them.
#pragma once

#include "core/training/job_traffic.h"

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
        bool isAlongRail = false;          // between HB domains, on one rail; of GPUs
        double total() const;
        Parallel kind() const; // most of it
    };
    std::vector<std::string> names;     // paths, of those that take part, in the order of the fabric
    std::vector<std::uint32_t> gpus;    // parallel: their first GPU, as device
    std::vector<std::uint32_t> domains; // parallel: their HB domain, none where they hold several
    std::vector<Cell> cells;            // by row, then column; only where something is sent
    std::array<double, 5> bytes{};      // sum over all ranks, by Parallel
    // Bytes: inside HB domains; between them on one rail; from rail to rail; from or to a GPU that is on no rail.
    double inDomains = 0, onRails = 0, acrossRails = 0, withoutRails = 0;
    bool hasRails = false; // at least two take part
    double most() const;   // of any cell
};

TrafficMatrix trafficMatrix(const Fabric& fabric, const JobTraffic& traffic, MatrixGrain grain);

} // namespace railyard
