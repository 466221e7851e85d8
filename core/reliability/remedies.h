// What can be bought against failures, what it costs, and how long a failure takes from the job with it and without it.
#pragma once

#include "core/reliability/reliability.h"

#include <optional>
#include <string_view>
#include <vector>

namespace railyard {

struct Remedy {
    std::string_view key;   // spare-gpu, standby-domain, standby-server, spare-leaf
    std::string_view label; // for people
    std::string part;       // catalogue ID of what is bought; a job on several kinds of servers has a row for each
    std::int64_t count = 0;
    std::optional<Money> each; // empty: the part has no price
    Seconds with, without;     // until the job has all its GPUs again

    std::optional<Money> total() const { return each ? std::optional(*each * count) : std::nullopt; }
};

// A spare GPU in every HB domain replaces a failed one in place; a standby HB domain takes over from a full one; standby servers (those of
// the request, at least one) replace servers; spare leaves last for the lead time with 95 % probability. A GPU costs its share of its
// server. Domains of one GPU, and designs without leaves, have fewer rows.
std::vector<Remedy> remediesOf(const Fabric& fabric, const JobParts& parts, const ReliabilityRequest& request);

} // namespace railyard
