// What a simulation of operation needs of a fabric: the servers, what can fail, and which servers a failure takes down.
#pragma once

#include "core/reliability/reliability.h"

namespace railyard {

struct Operation {
    // Servers that replace one another in place: an HB domain, or a server that is its own.
    struct Group {
        std::vector<std::uint32_t> servers;
        std::uint32_t needed = 0; // by the job when it starts; 0: a standby
    };
    enum class Effect {
        Servers,    // takes its servers down until it is repaired
        Blocks,     // divides the job: it waits for the repair
        Interrupts, // the job restarts at once
        Stalls      // traffic finds other paths
    };
    struct Kind {
        PartKind kind = PartKind::Gpu;
        double perYear = 0; // of one unit
        Effect effect = Effect::Stalls;
        Seconds repair;
        bool isReplaced = true;              // takes a spare; not for flaps and software
        bool isOfServer = false;             // its units belong to servers
        std::vector<std::uint32_t> first{0}; // the servers of unit u are serversOf[first[u]] to serversOf[first[u + 1] - 1]
        std::vector<std::uint32_t> serversOf;
        std::size_t units = 0;
    };
    std::vector<Group> groups;
    std::vector<std::uint32_t> groupOf; // by server
    std::vector<Kind> kinds;            // with units and a rate above 0
};

// After failures the job is that of the intact design, see reliabilityOf().
Operation operationOf(const Fabric& fabric, const JobPlace& place, const ReliabilityRequest& request);

} // namespace railyard
