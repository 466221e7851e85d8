// What can be played over the drawing, step by step.
#pragma once

#include "core/collective/schedule/schedule.h"
#include "core/routing/link_loads.h"

#include <string>
#include <utility>
#include <vector>

namespace railyard {

class PlayedSteps {
public:
    virtual ~PlayedSteps() = default;
    virtual std::string name() const = 0;  // all-reduce, for the name of a file
    virtual std::string title() const = 0; // "All-reduce of 1 GiB on 128 GPUs: ring, simple, 8.14 ms"
    virtual const std::vector<CollectiveStep>& steps() const = 0;
    // The flows between HB domains as pairs of GPUs, each the first of its domain. Empty if every domain sends to all or several others.
    virtual std::vector<std::pair<DeviceId, DeviceId>> hopsOf(std::size_t step) const = 0;
    // Loads in bytes, scaled so that utilisation() is the average utilisation of a link during the step.
    virtual Result<LinkLoads> loadsOf(const Fabric& fabric, std::size_t step) const = 0;
};

} // namespace railyard
