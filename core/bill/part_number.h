// The number under which a part is ordered from its maker.
#pragma once

#include "core/bill/bill.h"
#include "core/catalog/price_book.h"

namespace railyard {

struct PartNumber {
    std::string number, sku;       // empty where the maker publishes none
    bool isLengthUnlisted = false; // made with the maker's length code, but no list of the lengths on sale is published
};

// `length` of one cable in metres; other parts ignore it. NVIDIA's length code has three characters: 030 is 30 m, 01A is
// 1.5 m, 00A is 0.5 m (ordering information of MCP7Y00-Nxxx, docs.nvidia.com). A length that is made to measure has no number.
//
// The catalogue holds it as "part_number", where "{length}" stands for the code, and the maker's second number for the same
// article as "sku". Documents of earlier versions carry parts without them: no figure depends on a number, so the one of the
// shipped part with the same id and vendor is taken.
PartNumber partNumberOf(const Part* part, Metres length = Metres(0));
// The part of this catalogue that is ordered under this number (or the maker's second number), and of a cable its length. Errors: there is
// none, or there are several.
Result<OrderedPart> partWithNumber(const Catalog& catalog, const std::string& number);
// Ascending: the union of the lengths that vendors list for fibre; longer ones are made to measure.
const std::vector<Metres>& fibreStockLengths();
inline PartNumber partNumberOf(const BillLine& line) { return partNumberOf(line.part, line.length); }

} // namespace railyard
