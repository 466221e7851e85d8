#include "core/reliability/lifetime_draw.h"

#include <cmath>

namespace railyard {
namespace {

double normalFrom(RandomNumbers& random) { // Box and Muller
    constexpr double twoPi = 6.283185307179586;
    const double u = 1 - random.fraction(), v = random.fraction();
    return std::sqrt(-2 * std::log(u)) * std::cos(twoPi * v);
}

// Standard normal, of which `survival` lies above: bisection on erfc, whose error is that of a double.
double normalAt(double survival) {
    double low = -40, high = 40;
    for (int step = 0; step < 80; ++step) {
        const double middle = (low + high) / 2;
        (0.5 * std::erfc(middle / std::sqrt(2.0)) > survival ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace

LifetimeDraw::LifetimeDraw(const Lifetimes& lifetimes, double mean)
    : m_kind(lifetimes.kind),
      m_parameter(lifetimes.parameter),
      m_scale(mean) {
    if (m_kind == Lifetimes::Kind::Weibull) m_scale = mean / std::tgamma(1 + 1 / m_parameter);
    if (m_kind == Lifetimes::Kind::Lognormal) m_scale = mean * std::exp(-m_parameter * m_parameter / 2);
}

double LifetimeDraw::draw(RandomNumbers& random) const {
    if (m_kind == Lifetimes::Kind::Lognormal) return m_scale * std::exp(m_parameter * normalFrom(random));
    return at(1 - random.fraction());
}

double LifetimeDraw::at(double survival) const {
    switch (m_kind) {
    case Lifetimes::Kind::Exponential: return -std::log(survival) * m_scale;
    case Lifetimes::Kind::Weibull: return m_scale * std::pow(-std::log(survival), 1 / m_parameter);
    case Lifetimes::Kind::Lognormal: break;
    }
    return m_scale * std::exp(m_parameter * normalAt(survival));
}

} // namespace railyard
