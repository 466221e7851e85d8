// What sending straight and sending through the NIC on the destination's rail have in common.
#pragma once

#include "core/collective/algorithms/algorithm.h"

namespace railyard {

inline constexpr Protocol exchangeProtocols[] = {Protocol::Ll, Protocol::Simple};

// Of an all-to-all or a gather: what passes between HB domains, as the busiest NIC or switch link allows.
void exchangeBetween(const Setting& setting, const Volume& volume, const CommunicatorLinks::Exchange& exchange, double bitsOfPair,
                     Seconds latency, Candidate& candidate);
Volume outsideRootDomain(const Setting& setting); // of a gather or scatter
Volume insideRootDomain(const Setting& setting);
// All ranks send at once: one step, and one more where data is handed on inside the domain. A reduction takes a second round.
void addExchangeLatency(const CommunicatorLinks& links, const TuningQuery& q, Tuning& tuning);
// Gather, scatter and point-to-point.
void scheduleRanks(Schedule& steps);

} // namespace railyard
