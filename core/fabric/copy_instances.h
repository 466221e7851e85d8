// Copies an instance of a block that has been elaborated. The other instances of its row have the same devices and links, with indices
// that are offset by a constant.
#pragma once

#include "core/fabric/link_writer.h"

namespace railyard {

// Where the tables of a fabric that is being elaborated end, or where an instance begins in them.
struct TableEnds {
    DeviceId device{0};
    std::size_t link = 0, scope = 0, server = 0, domain = 0;
    std::size_t steps = 0, omitted = 0; // of the writer
};
TableEnds endsOf(const LinkWriter& write, DeviceId nextDevice);

// Appends `copies` copies of the table rows between `begin` and `end`. Their scopes have the indices from `firstIndex` on; if
// `isScalableUnit`, the devices of a copy belong to the SU with that index. Requires that no link leads to a device outside these rows and
// that the writer has room for all copies.
void copyInstances(LinkWriter& write, const TableEnds& begin, const TableEnds& end, std::size_t copies, std::uint32_t firstIndex,
                   bool isScalableUnit);

} // namespace railyard
