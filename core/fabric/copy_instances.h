// Copies an instance of a block that has been elaborated: the next ones of its row have the same devices and links, further on in the
// tables.
#pragma once

#include "core/fabric/link_writer.h"

namespace railyard {

// Where the tables of a fabric that is being elaborated end, or where an instance begins in them.
struct TableEnds {
    DeviceId device{0};
    std::size_t link = 0, scope = 0, server = 0, domain = 0;
    std::size_t steps = 0; // of the writer
};
TableEnds endsOf(const LinkWriter& write, DeviceId nextDevice);

// Copies what lies between `begin` and `end` so many times; scopes get the indices from `firstIndex` on. `isScalableUnit`: its devices are
// of the SU of that number. The content must hold no link to a device outside, and the writer have room for all copies.
void copyInstances(LinkWriter& write, const TableEnds& begin, const TableEnds& end, std::size_t copies, std::uint32_t firstIndex,
                   bool isScalableUnit);

} // namespace railyard
