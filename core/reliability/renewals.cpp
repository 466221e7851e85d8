#include "core/reliability/renewals.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace railyard {
namespace {

double hazardAt(const Lifetimes& lifetimes, double perYear, double years) {
    const double k = lifetimes.parameter;
    if (years <= 0) return 0;
    if (lifetimes.kind == Lifetimes::Kind::Weibull) return std::pow(years * perYear * std::tgamma(1 + 1 / k), k);
    if (lifetimes.kind == Lifetimes::Kind::Lognormal)
        return -std::log(0.5 * std::erfc((std::log(years * perYear) + k * k / 2) / (k * std::sqrt(2.0))));
    return perYear * years;
}

} // namespace

PartFailures failuresOf(const Lifetimes& lifetimes, double perYear, double years) {
    if (perYear <= 0 || years <= 0) return {};
    if (lifetimes.kind == Lifetimes::Kind::Exponential) return {perYear * years, perYear * years};
    constexpr std::size_t steps = 400;
    constexpr double mostLifetimes = 40; // from then on failures come at their mean rate, as nearly as steps this long can tell
    const double counted = std::min(years, mostLifetimes / perYear), step = counted / steps;
    const auto failedBy = [&](double at) { return -std::expm1(-hazardAt(lifetimes, perYear, at)); };
    std::vector<double> failed(steps); // by (j + 1/2) steps
    for (std::size_t j = 0; j < steps; ++j) failed[j] = failedBy((static_cast<double>(j) + 0.5) * step);
    std::vector<double> more(steps + 1); // failures expected in step j
    double sum = 0;
    for (std::size_t i = 1; i <= steps; ++i) {
        double expected = failedBy(static_cast<double>(i) * step);
        for (std::size_t j = 1; j < i; ++j) expected += more[j] * failed[i - j];
        more[i] = (expected - sum * failed[0]) / (1 - failed[0]) - sum;
        sum += more[i];
    }
    return {sum + (years - counted) * perYear, hazardAt(lifetimes, perYear, years)};
}

} // namespace railyard
