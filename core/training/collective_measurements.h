// Measured collectives against the times that the engine gives for the same GPUs, as factors for other groups.
#pragma once

#include "core/fabric/fabric.h"
#include "core/training/nccl_tests.h"

#include <vector>

namespace railyard {

// A test with n ranks is taken to have run on the first n GPUs. Groups of the same operation that stay in an HB domain like it, or that
// leave one like it, take as many times as long as the engine says as the test did at this size; between two sizes the factor changes
// evenly with the logarithm of the size, and beyond the smallest and the largest it stays. Of several tests that could serve the one with
// most ranks does. Without one the factor is 1.
class CollectiveMeasurements {
public:
    CollectiveMeasurements(const Fabric& fabric, const std::vector<DeviceId>& gpus, const std::vector<NcclTest>& tests);
    double factor(CollectiveOp op, bool leavesDomain, std::int64_t bytes) const;

    struct Curve {
        CollectiveOp op = CollectiveOp::AllReduce;
        std::int64_t ranks = 0;
        bool leavesDomain = false;
        std::vector<std::pair<std::int64_t, double>> factors; // measured / engine, by size
    };
    const std::vector<Curve>& curves() const { return m_curves; }

private:
    std::vector<Curve> m_curves; // most ranks first
};

} // namespace railyard
