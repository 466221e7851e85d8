// Discounts of a purchase, by vendor and by category. Discounts never become part of a design: they belong to one bill.
#pragma once

#include "core/base/result.h"
#include "core/bill/bill.h"

namespace railyard {

struct Discount {
    std::string vendor;                        // in any case; empty: every vendor
    std::optional<BillCategory> category = {}; // empty: every category
    double fraction = 0;                       // 0.35: 35 % off the unit price
    std::string of() const;                    // "all", "switch", "NVIDIA" or "NVIDIA:switch"
    bool operator==(const Discount&) const = default;
};

// "switch=35%; NVIDIA=20%; NVIDIA:switch=40%; all=5%": a name that is no category is a vendor. Errors: two discounts for the same lines,
// a fraction that is not from 0 to below 100 %.
Result<std::vector<Discount>> parseDiscounts(std::string_view text);
// Errors: vendors of whom the catalogue has no part.
Status checkVendors(const std::vector<Discount>& discounts, const Catalog& catalog);
std::string discountsText(const std::vector<Discount>& discounts); // what parseDiscounts reads

// Of several discounts for a line, the most specific one: vendor and category, vendor, category, all.
double discountOf(const BillLine& line, const std::vector<Discount>& discounts);

} // namespace railyard
