#include "core/reliability/renewals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
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

// E(1 - exp(-s x)) of lifetimes x with mean 1. In the logarithm of x the integrand is smooth and fades on both sides, so that the
// trapezoidal rule is exact to rounding.
double failedInTransform(const Lifetimes& lifetimes, double s) {
    const double k = lifetimes.parameter;
    double sum = 0;
    if (lifetimes.kind == Lifetimes::Kind::Lognormal) {
        constexpr double step = 0.05, end = 12, rootOfTwoPi = 2.5066282746310002; // of the normal variable
        for (int i = -static_cast<int>(end / step); i <= static_cast<int>(end / step); ++i) {
            const double z = i * step;
            sum -= std::exp(-z * z / 2) / rootOfTwoPi * std::expm1(-s * std::exp(k * z - k * k / 2));
        }
        return sum * step;
    }
    constexpr double step = 0.02, from = -40, to = 4.5; // of the logarithm of a variable with mean 1 and exponential distribution
    for (int i = static_cast<int>(from / step); i <= static_cast<int>(to / step); ++i) {
        const double w = i * step;
        sum -= std::exp(w - std::exp(w)) * std::expm1(-s * std::exp(w / k) / std::tgamma(1 + 1 / k));
    }
    return sum * step;
}

// Failures expected within a time, counted in mean lifetimes.
double renewalsBy(const Lifetimes& lifetimes, double time) {
    constexpr std::array<double, 10> weights{1.0 / 12,      -385.0 / 12,   1279,           -46871.0 / 3, 505465.0 / 6,
                                             -473915.0 / 2, 1127735.0 / 3, -1020215.0 / 3, 328125.0 / 2, -65625.0 / 2};
    double sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double s = static_cast<double>(i + 1) * std::numbers::ln2 / time;
        const double failed = failedInTransform(lifetimes, s);
        sum += weights[i] * (1 - failed) / (s * failed);
    }
    return sum * std::numbers::ln2 / time;
}

// Most lifetimes end early and a few last very long: failures become rarer with time, and their number is a smooth function of it.
bool isSkewed(const Lifetimes& lifetimes) {
    return lifetimes.kind == Lifetimes::Kind::Weibull ? lifetimes.parameter < 0.9 : lifetimes.parameter > 1;
}

} // namespace

PartFailures failuresOf(const Lifetimes& lifetimes, double perYear, double years) {
    if (perYear <= 0 || years <= 0) return {};
    if (lifetimes.kind == Lifetimes::Kind::Exponential) return {perYear * years, perYear * years};
    const double hazard = hazardAt(lifetimes, perYear, years);
    constexpr double fewFail = 0.2; // hazard up to which hardly any part fails twice within a step
    if (isSkewed(lifetimes) && hazard > fewFail) return {renewalsBy(lifetimes, perYear * years), hazard};
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
    return {sum + (years - counted) * perYear, hazard};
}

FailuresInHorizon::FailuresInHorizon(const ReliabilityRequest& request, std::size_t servers)
    : m_request(request),
      m_years(request.horizon.value() / 3600 / 8760),
      m_lemonShare(servers > 0 ? std::round(request.lemonShare * static_cast<double>(servers)) / static_cast<double>(servers)
                               : request.lemonShare) {} // as many whole servers as the simulation takes

PartFailures FailuresInHorizon::of(PartKind kind, double perYear) const {
    const bool isOfServer = kind == PartKind::Gpu || kind == PartKind::Nic || kind == PartKind::Server || kind == PartKind::Tray;
    const PartFailures usual = failuresOf(m_request.lifetimes, perYear, m_years);
    if (!isOfServer || m_lemonShare <= 0) return usual;
    const PartFailures lemon = failuresOf(m_request.lifetimes, perYear * m_request.lemonMultiple, m_years);
    const auto mixed = [&](double PartFailures::*value) { return (1 - m_lemonShare) * usual.*value + m_lemonShare * lemon.*value; };
    return {mixed(&PartFailures::expected), mixed(&PartFailures::hazard)};
}

YearlyRate FailuresInHorizon::mean(PartKind kind, YearlyRate rate) const {
    if (m_years <= 0) return rate;
    for (std::optional<double>* each : {&rate.low, &rate.base, &rate.high})
        if (*each) *each = of(kind, **each).expected / m_years;
    return rate;
}

} // namespace railyard
