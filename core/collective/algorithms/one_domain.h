// Inside one HB domain, where collectives were measured: which protocol the library chooses, and how long it then takes.
#pragma once

#include "core/collective/algorithms/tuning.h"

namespace railyard {

// `published` has the latencies of the library's own constants, with `mostInside`; `ofProtocol` is the share of its bandwidth.
Tuning insideOneDomain(const CommunicatorLinks& links, const TuningQuery& q, Tuning published, double ofProtocol);

} // namespace railyard
