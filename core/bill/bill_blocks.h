// The bill by block: the lines of one scalable unit and the number of identical units.
#pragma once

#include "core/bill/bill.h"

namespace railyard {

struct BillBlock {
    std::string name;            // su[1-15]; "top level" for devices outside of all blocks
    std::int64_t count = 1;      // number of identical blocks
    std::vector<BillLine> lines; // of one block
};
// The outermost blocks of the design; blocks with the same name and the same content are one entry. The sum of count times
// quantity equals the bill.
std::vector<BillBlock> billByBlock(const Fabric& fabric, const Cabling& cabling);

} // namespace railyard
