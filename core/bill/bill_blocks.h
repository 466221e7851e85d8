// The bill block by block: what one scalable unit needs, and how many of them there are.
#pragma once

#include "core/bill/bill.h"

namespace railyard {

struct BillBlock {
    std::string name;            // su[1-15]; "top level" for what stands in no block
    std::int64_t count = 1;      // how many such blocks
    std::vector<BillLine> lines; // of one of them
};
// The outermost blocks of the design; those of one name that need the same are one entry. Count times quantity adds up
// to the bill.
std::vector<BillBlock> billByBlock(const Fabric& fabric, const Cabling& cabling);

} // namespace railyard
