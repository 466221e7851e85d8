// How often the parts of a bill of materials fail, so that spares last until replacements arrive.
#pragma once

#include "core/bill/spares.h"
#include "core/reliability/reliability.h"

namespace railyard {

// Rates of the request where it states some, otherwise of the catalogue. A switch has the highest rate of the tiers, as a line does not say
// in which it stands. Nobody publishes a rate for passive fibre; a GPU is replaced with the board of its server.
RateOfLine spareRatesOf(const Design& design, const ReliabilityRequest& request);

// Of the trays of rack systems, which are no lines of the bill: those with a rate that needs at least one.
struct TraySpares {
    std::string part; // catalogue ID; of NVLink switch trays, which have none, their kind
    std::int64_t count = 0;
};
std::vector<TraySpares> traySparesOf(const Fabric& fabric, const ReliabilityRequest& request, double confidence); // of the whole design

} // namespace railyard
