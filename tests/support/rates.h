// Failure rates for tests of spares.
#pragma once

#include "core/reliability/spare_rates.h"

namespace railyard::test {

inline RateOfLine shippedRates() {
    Design design;
    design.catalog = shippedCatalog();
    return spareRatesOf(design, {});
}

} // namespace railyard::test
