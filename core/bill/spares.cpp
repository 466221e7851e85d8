#include "core/bill/spares.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include <boost/math/distributions/poisson.hpp>
#pragma GCC diagnostic pop

namespace railyard {

namespace {

// Nobody publishes a rate for passive fibre. A GPU is replaced with its server's board, so servers count without them.
std::string_view rateOf(const BillLine& line) {
    const std::string_view kind = line.part ? line.part->kind() : std::string_view();
    if (line.category == BillCategory::Switch || kind == "switch") return "rel-switch-hpn-tor";
    if (line.category == BillCategory::Pluggable || kind == "optic") return "rel-optic-field-2xfr4";
    if (line.category == BillCategory::Nic) return "rel-nic-llama3";
    return line.category == BillCategory::Server ? "rel-server-llama3" : "";
}

} // namespace

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

void addSpares(Bill& bill, const Catalog& catalog, double confidence) {
    const auto same = [](const BillLine& a, const BillLine& b) {
        return a.part == b.part && (a.part || (a.category == b.category && a.description == b.description));
    };
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        BillLine& line = bill.lines[i];
        const FailureRate* rate = catalog.rate(rateOf(line));
        if (!rate || !rate->base) continue;
        std::int64_t units = 0;
        bool first = true;
        for (std::size_t j = 0; j < bill.lines.size(); ++j) {
            if (!same(bill.lines[j], line)) continue;
            units += bill.lines[j].quantity;
            first = first && j >= i;
        }
        line.spares = first ? sparesFor(units, *rate->base, spareLeadTimeHours, confidence) : 0;
    }
}

} // namespace railyard
