// What a total of a bill leaves out, in words that can stand beside the number.
#pragma once

#include "core/bill/bill.h"

#include <bitset>

namespace railyard {

// Items of lines without a base price, by kind: "512 servers and 6,144 cables"; empty where every line is priced.
// A block's lines count once for each of its `times` occurrences.
class UnpricedItems {
public:
    void add(const BillLine& line, std::int64_t times = 1);
    std::string text() const;        // all kinds
    std::string networkText() const; // switches, cables and modules only
    int lines() const { return m_lines; }
    int networkLines() const { return m_networkLines; }

private:
    std::array<std::int64_t, billCategoryNames.size()> m_items{};
    int m_lines = 0, m_networkLines = 0;
};

// The kinds of parts, by BillCategory, of which a total leaves out a line because it has no base price. `total` is &Bill::network, or
// one of those over all categories.
using PartKinds = std::bitset<billCategoryNames.size()>;
using BillTotal = Money Bill::*;
PartKinds unpricedKinds(const Bill& bill, BillTotal total);
inline bool isLowerBound(const Bill& bill, BillTotal total) { return unpricedKinds(bill, total).any(); }
// What `b` costs more than `a`. Empty where the totals leave out different kinds of parts: they then cover different things, and their
// difference is the price of nothing.
std::optional<Money> differenceOf(const Bill& a, const Bill& b, BillTotal total);

// A cable whose connectors replace transceivers: copper or active optical.
bool hasFixedEnds(const BillLine& line);
UnpricedItems unpricedItems(const std::vector<BillLine>& lines);
// "64 switches and 12 modules": how many of each kind; zeros are left out.
std::string itemsText(const std::array<std::int64_t, billCategoryNames.size()>& counts);

} // namespace railyard
