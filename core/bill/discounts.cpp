#include "core/bill/discounts.h"

#include "core/base/unit_text.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace railyard {
namespace {

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

bool isSameWord(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::optional<BillCategory> categoryNamed(std::string_view name) {
    for (std::size_t i = 0; i < billCategoryNames.size(); ++i)
        if (isSameWord(name, billCategoryNames[i])) return static_cast<BillCategory>(i);
    return {};
}

bool isVendor(std::string_view name, const Catalog& catalog) {
    return std::any_of(catalog.parts().begin(), catalog.parts().end(),
                       [&](const auto& entry) { return isSameWord(name, entry.second.vendor); });
}

Result<Discount> parseDiscount(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return Error::usage(fmt::format("{}: write what the discount is for and its size, for example switch=35%", text));
    const std::string_view of = trimmed(text.substr(0, equals));
    const auto fraction = parseFraction(trimmed(text.substr(equals + 1)));
    if (!fraction) return fraction.errors();
    if (*fraction >= 1) return Error::usage(fmt::format("{}: a discount must be less than 100%", text));
    Discount discount;
    discount.fraction = *fraction;
    if (isSameWord(of, "all")) return discount;
    const std::size_t colon = of.find(':');
    discount.category = categoryNamed(colon == std::string_view::npos ? of : of.substr(colon + 1));
    if (colon != std::string_view::npos || !discount.category) discount.vendor = trimmed(of.substr(0, colon));
    const bool isWhole = colon == std::string_view::npos || (discount.category && !discount.vendor.empty());
    if (of.empty() || !isWhole)
        return Error::usage(fmt::format("{}: write all, a category ({}), a vendor, or VENDOR:CATEGORY before the =", text,
                                        fmt::join(billCategoryNames, ", ")));
    return discount;
}

} // namespace

std::string Discount::of() const {
    const std::string name = category ? std::string(billCategoryNames[static_cast<std::size_t>(*category)]) : std::string();
    if (vendor.empty()) return name.empty() ? "all" : name;
    return name.empty() ? vendor : vendor + ":" + name;
}

Result<std::vector<Discount>> parseDiscounts(std::string_view text) {
    std::vector<Discount> discounts;
    std::vector<Error> errors;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        const std::string_view one = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (one.empty()) continue;
        auto discount = parseDiscount(one);
        if (!discount)
            errors.insert(errors.end(), discount.errors().begin(), discount.errors().end());
        else if (std::any_of(discounts.begin(), discounts.end(),
                             [&](const Discount& each) { return isSameWord(each.of(), discount->of()); }))
            errors.push_back(Error::usage(fmt::format("{}: there are two discounts for {}", one, discount->of())));
        else
            discounts.push_back(std::move(*discount));
    }
    if (!errors.empty()) return errors;
    return discounts;
}

std::string discountsText(const std::vector<Discount>& discounts) {
    std::string text;
    for (const Discount& each : discounts) text += fmt::format("{}{}={:.10g}%", text.empty() ? "" : "; ", each.of(), each.fraction * 100);
    return text;
}

Status checkVendors(const std::vector<Discount>& discounts, const Catalog& catalog) {
    std::vector<Error> errors;
    for (const Discount& each : discounts)
        if (!each.vendor.empty() && !isVendor(each.vendor, catalog))
            errors.push_back(
                Error::usage(fmt::format("discount for {}: {} is neither a vendor of the catalogue nor a category of the bill; "
                                         "categories: all, {}",
                                         each.of(), each.vendor, fmt::join(billCategoryNames, ", "))));
    if (!errors.empty()) return errors;
    return Done{};
}

double discountOf(const BillLine& line, const std::vector<Discount>& discounts) {
    const Discount* best = nullptr;
    const auto rank = [](const Discount& each) { return (each.vendor.empty() ? 0 : 2) + (each.category ? 1 : 0); };
    for (const Discount& each : discounts) {
        const bool isFor = (each.vendor.empty() || (line.part && isSameWord(line.part->vendor, each.vendor))) &&
                           (!each.category || *each.category == line.category);
        if (isFor && (!best || rank(each) > rank(*best))) best = &each;
    }
    return best ? best->fraction : 0;
}

} // namespace railyard
