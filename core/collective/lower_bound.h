// The least time that any algorithm needs for a collective on a group: bytes that must cross a cut over its capacity.
#pragma once

#include "core/collective/communicator/communicator_links.h"
#include "core/collective/operation/operation.h"

namespace railyard {

// n ranks, y HB domains, D = bytes; domain d has m ranks with the NIC bandwidth S and the HB bandwidth H in all, one direction.
//   all-reduce      max of D / S, 2(y-1)D / sum of S, m D / (H + S), and without switches that reduce 2(n-1)D / sum of (H + S)
//   all-gather,     max of (n-m)/n D / S, m (n-1)/n D / (H + S)
//   reduce-scatter
//   all-to-all      max of m(n-m)/n D / S, m (n-1)/n D / (H + S), and what the uplinks of a set of switches carry
//   other           what a domain, and what one GPU, must send or receive
// Formulas: docs/engine.md. Zero for a group of one.
Seconds lowerBoundOf(const CommunicatorLinks& links, CollectiveOp op, double bytes);

} // namespace railyard
