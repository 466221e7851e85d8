// The algorithms of communication libraries, one file and one row each: which operations they run, what they move over which links, what
// latency that adds, and what is drawn of it step by step.
#pragma once

#include "core/collective/algorithms/candidate.h"
#include "core/collective/communicator/asked_routes.h"
#include "core/collective/schedule/schedule.h"

#include <span>
#include <string>
#include <string_view>

namespace railyard {

struct AlgorithmInfo {
    Algorithm algorithm = Algorithm::Ring;
    std::string_view name;
    std::span<const Protocol> protocols;
    bool (*runs)(const Setting&);                                              // the operation, on these links
    CollectiveTime (*time)(const Setting&, Candidate&);                        // its phases
    void (*addLatency)(const CommunicatorLinks&, const TuningQuery&, Tuning&); // with the constants of a library
    void (*schedule)(Schedule&);                                               // its steps
    std::string (*whyNot)(const CommunicatorLinks&) = nullptr;                 // if it cannot run: what is missing
    bool (*isInLibrary)(const CommunicatorLinks&, CollectiveOp) = nullptr;     // narrower than the list of the calibration
};

bool hasRing(const CommunicatorLinks& links); // some bandwidth leads around all ranks

// The rows of the table, one in each file of this folder.
extern const AlgorithmInfo ringInfo, treeInfo, hierarchicalInfo, nvlsInfo, patInfo, directInfo, pxnInfo;

} // namespace railyard
