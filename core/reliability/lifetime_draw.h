// Random lifetimes of a part with a given mean.
#pragma once

#include "core/base/random.h"
#include "core/reliability/reliability.h"

namespace railyard {

class LifetimeDraw {
public:
    LifetimeDraw(const Lifetimes& lifetimes, double mean);
    double draw(RandomNumbers& random) const;
    double at(double survival) const; // the lifetime that this share of all exceeds; above 0 and below 1

private:
    Lifetimes::Kind m_kind;
    double m_parameter, m_scale;
};

} // namespace railyard
