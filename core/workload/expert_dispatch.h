// What a layer with experts sends of its tokens.
#pragma once

#include "core/workload/job.h"

namespace railyard {

// Bytes of a value on its way to experts, with the scales of blocks of values: fp8 has one of 4 bytes for 128 values (DeepSeek-V3 technical
// report, arXiv 2412.19437, section 3.3), fp4 one of a byte for 16 (NVFP4). It comes back in 16 bits.
double bytesToExperts(Precision precision);

// Mean copies of a token if the ranks of an expert-parallel group are spread evenly over several HB domains, and each domain with experts
// of the token gets one copy, which is forwarded inside it.
struct ExpertCopies {
    double across = 0; // to other HB domains
    double inside = 0; // over the links of HB domains, forwarded ones included
};
// Experts are chosen evenly. With limited routing a token reaches at most the domains that its groups of experts fill.
ExpertCopies expertCopies(const Mixture& mixture, std::int64_t domains, std::int64_t ranksPerDomain);

} // namespace railyard
