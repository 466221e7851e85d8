#include "core/bill/spares.h"

#include "core/base/unit_text.h"

#include <cmath>
#include <fmt/format.h>

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

Result<SparesRule> parseSpares(std::string_view text) {
    constexpr std::string_view quantity = "qty:";
    constexpr double leastLevel = 0.5; // below it the stock would more likely run out than last
    const bool isQuantity = text.starts_with(quantity);
    const auto fraction = parseFraction(isQuantity ? text.substr(quantity.size()) : text);
    if (!fraction) return fraction.errors();
    if (isQuantity) {
        if (*fraction <= 0) return Error::usage(fmt::format("{}: must be greater than 0%, for example qty:5%", text));
        return SparesRule{SparesRule::By::Quantity, *fraction};
    }
    if (*fraction < leastLevel || *fraction >= 1)
        return Error::usage(fmt::format("{0}: a service level must be from 50% to less than 100%, for example 95%; for {0} of the quantity "
                                        "write qty:{0}",
                                        text));
    return SparesRule{SparesRule::By::ServiceLevel, *fraction};
}

namespace {

// Lines of the same part share one stock: all its units on the first of them, none on the others.
std::int64_t stockedUnits(const Bill& bill, std::size_t at) {
    const auto same = [](const BillLine& a, const BillLine& b) {
        return a.part == b.part && (a.part || (a.category == b.category && a.description == b.description));
    };
    std::int64_t units = 0;
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        if (!same(bill.lines[i], bill.lines[at])) continue;
        if (i < at) return 0;
        units += bill.lines[i].quantity;
    }
    return units;
}

} // namespace

void addSpares(Bill& bill, const RateOfLine& rateOf, double confidence) {
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        BillLine& line = bill.lines[i];
        const std::optional<double> rate = rateOf(line);
        if (!rate) continue;
        const std::int64_t units = stockedUnits(bill, i);
        line.spares = units > 0 ? sparesFor(units, *rate, spareLeadTimeHours, confidence) : 0;
        line.leadTimeHours = spareLeadTimeHours;
    }
}

void addSparesByQuantity(Bill& bill, double share) {
    constexpr double rounding = 1e-9; // 5 % of 20 is 1, not the 2 that an error of the last bit would give
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        BillLine& line = bill.lines[i];
        if (line.category == BillCategory::Rack || line.category == BillCategory::Labour) continue;
        // Cables of one part but of different lengths do not replace one another.
        const std::int64_t units = line.category == BillCategory::Cable ? line.quantity : stockedUnits(bill, i);
        line.spares = static_cast<std::int64_t>(std::ceil(static_cast<double>(units) * share - rounding));
    }
}

} // namespace railyard
