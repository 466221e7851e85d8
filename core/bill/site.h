// The building that the design stands in: what its energy and space cost, and for how long.
#pragma once

#include "core/base/parameter.h"
#include "core/design/model/design.h"

namespace railyard {

struct Site {
    double pue = 1.3;        // facility power / equipment power; a modern data hall
    double usdPerKwh = 0.12; // US industrial planning value
    // Wholesale colocation, 250-500 kW, excluding energy: CBRE North America Data Center Trends H2 2024.
    double usdPerKwMonth = 184.06;
    double years = 5; // over which what was bought is written off, evenly
};

std::span<const Parameter<Site>> siteParameters();
// Errors: every option that is unknown or has a value that it cannot have.
Result<Site> readSite(const ParameterTexts& options);
Site siteOf(const Design& design); // with the usual values where the design states none

} // namespace railyard
