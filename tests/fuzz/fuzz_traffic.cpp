#include "core/io/imports/traffic_csv.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto traffic = trafficFrom(*fuzz::smallFabric(), fuzz::textOf(data, size), "fuzz.csv");
    if (!fuzz::isRead(traffic)) return 0;
    for (const GpuFlow& flow : traffic->flows) fuzz::require(std::isfinite(flow.volume) && flow.volume >= 0, "volumes are finite");
    return 0;
}
