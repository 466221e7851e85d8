#include "core/failure/spares.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/math/distributions/poisson.hpp>
#pragma GCC diagnostic pop

namespace railyard {

std::int64_t sparesFor(std::int64_t units, double ratePerYear, double leadTimeHours, double confidence) {
    using boost::math::policies::discrete_quantile;
    using Whole = boost::math::policies::policy<discrete_quantile<boost::math::policies::integer_round_up>>;
    const double mean = static_cast<double>(units) * ratePerYear * leadTimeHours / 8760;
    if (mean <= 0) return 0;
    const boost::math::poisson_distribution<double, Whole> failures(mean);
    auto spares = static_cast<std::int64_t>(boost::math::quantile(failures, confidence));
    // Rounding up may pass over the exact answer by one where the quantile falls on a step.
    while (spares > 0 && boost::math::cdf(failures, static_cast<double>(spares - 1)) >= confidence) --spares;
    return spares;
}

} // namespace railyard
