// What is asked of a collective, a row each: the command line reads them here.
#pragma once

#include "core/base/parameter.h"
#include "core/base/quantity.h"
#include "core/collective/operation/operation.h"

namespace railyard {

struct CollectiveQuery {
    CollectiveOp op = CollectiveOp::AllReduce;
    Bytes size = Bytes(std::int64_t{1} << 30);
    CollectiveRequest request;
    std::int64_t ranks = 0; // from the first GPU on; 0: all
    Transport transport = Transport::Rdma;
};

std::span<const Parameter<CollectiveQuery>> collectiveParameters();
// Powers of two from one size to another: "1KiB:16GiB".
Result<std::vector<Bytes>> sweepSizes(const std::string& text);

} // namespace railyard
