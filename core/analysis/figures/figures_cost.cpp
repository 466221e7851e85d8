#include "core/analysis/figures/bill_terms.h"
#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/analysis/metrics/networks_total.h"
#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/bill/unpriced.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

template <Money Bill::*Sum>
Value dollars(Source s) {
    return (s.instant.bill.*Sum).inDollars();
}
template <Money Bill::*Sum>
bool lacksPrices(Source s) {
    return isLowerBound(s.instant.bill, Sum);
}

std::vector<FigureMember> categories(Source s) {
    std::vector<FigureMember> members;
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c) {
        const auto& sum = s.instant.bill.byCategory[c];
        members.push_back({std::string(billCategoryNames[c]), sum ? Value(sum->inDollars()) : std::nullopt});
    }
    return members;
}

ExplainedInput priceOf(const Bill& bill, std::size_t at, const std::optional<Money>& price, std::string_view which) {
    const Price& published = *bill.lines[at].part->price;
    return {fmt::format("{}_{}", which, nameOfLine(bill, at)), price->inDollars(), "USD",
            fmt::format("{}, {}{}", published.source, published.date, published.basis.empty() ? "" : ", " + published.basis),
            published.confidence};
}

OriginTerms priced(const Bill& bill, std::optional<Money> BillLine::*bound, std::string_view name, std::optional<BillCategory> only = {}) {
    OriginTerms terms;
    for (std::size_t i = 0; i < bill.lines.size(); ++i)
        if (bill.lines[i].base && (!only || bill.lines[i].category == *only))
            terms.emplace_back(quantityOf(bill, i), priceOf(bill, i, bill.lines[i].*bound, name));
    return terms;
}

std::string lowerBoundNote(std::int64_t unpriced) {
    if (unpriced == 0) return {};
    return counted(unpriced, "Lower bound: {} line has no price.", "Lower bound: {} lines have no price.");
}

Origin sumOfCategories(const Bill& bill, bool (*isIn)(BillCategory category)) {
    const std::int64_t unpriced =
        std::count_if(bill.lines.begin(), bill.lines.end(), [&](const BillLine& line) { return !line.base && isIn(line.category); });
    std::vector<ExplainedInput> inputs;
    for (std::size_t c = 0; c < billCategoryNames.size(); ++c) {
        if (!bill.byCategory[c] || !isIn(static_cast<BillCategory>(c))) continue;
        const std::string name(billCategoryNames[c]);
        inputs.push_back({name + "_usd", bill.byCategory[c]->inDollars(), "USD", "cost.by_category_usd." + name,
                          weakestConfidence(priced(bill, &BillLine::base, "usd", static_cast<BillCategory>(c)))});
    }
    return sumOf(std::move(inputs), lowerBoundNote(unpriced));
}

Origin originOfAllNetworks(Asked asked) { return sumOfCategories(asked.source.instant.bill, isOfNetworks); }

Origin originOfCategory(Asked asked) {
    if (!asked.value) return unknownBecause("none of these parts has a price");
    const auto at = std::find(billCategoryNames.begin(), billCategoryNames.end(), asked.member) - billCategoryNames.begin();
    return sumOfProducts(priced(asked.source.instant.bill, &BillLine::base, "usd", static_cast<BillCategory>(at)));
}

template <std::optional<Money> BillLine::*Bound>
Origin originOfBound(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    return sumOfProducts(priced(bill, Bound, Bound == &BillLine::low ? "low_usd" : "high_usd"), lowerBoundNote(bill.unpricedLines));
}

using Display = FigureDisplay;

std::string whatIsUnpriced(Source s) {
    const int unpriced = unpricedItems(s.instant.bill.lines).networkLines();
    return unpriced == 0 ? std::string()
                         : counted(unpriced, "{} line has no price; the total is a lower bound.",
                                   "{} lines have no price; the total is a lower bound.");
}

constexpr FigureInfo rows[] = {
    shown({"cost.network_usd", "Cost", "Network cost (switches, cables and modules)", "USD", 1, count, "USD", dollars<&Bill::network>,
           [](Asked a) { return sumOfCategories(a.source.instant.bill, [](BillCategory c) { return c <= BillCategory::Pluggable; }); },
           nullptr, true, lacksPrices<&Bill::network>, PricesOf::Network},
          {Display::Text | Display::Panel | Display::Preview | Display::Pointer | Display::Summary | Display::Comparison, 30,
           "Network cost", true, nullptr, nullptr, whatIsUnpriced}),
    ofCandidates({"cost.all_networks_usd", "Cost", "Cost of all networks (priced lines)", "USD", 1, count, "USD",
                  [](Source s) { return Value(networksTotal(s.instant).cost.inDollars()); }, originOfAllNetworks, nullptr, true,
                  [](Source s) { return networksLeftOut(s.instant.bill).any(); }, PricesOf::AllNetworks},
                 30, "Network cost\nlist prices", "lowest network cost"),
    shown({"cost.total_usd", "Cost", "Total cost (priced lines)", "USD", 1, count, "USD", dollars<&Bill::total>,
           [](Asked a) { return sumOfCategories(a.source.instant.bill, [](BillCategory) { return true; }); }, nullptr, true,
           lacksPrices<&Bill::total>, PricesOf::Everything},
          {Display::Summary, 31, "Total cost"}),
    shown({"cost.low_usd", "Cost", "Total cost, low estimate", "USD", 1, count, "USD", dollars<&Bill::low>, originOfBound<&BillLine::low>,
           nullptr, false, lacksPrices<&Bill::low>, PricesOf::Everything},
          {Display::Summary, 31, "Total cost, low estimate"}),
    shown({"cost.high_usd", "Cost", "Total cost, high estimate", "USD", 1, count, "USD", dollars<&Bill::high>,
           originOfBound<&BillLine::high>, nullptr, false, lacksPrices<&Bill::high>, PricesOf::Everything},
          {Display::Summary, 31, "Total cost, high estimate"}),
    {"cost.by_category_usd.", "Cost", "Cost, {}", "USD", 1, count, "USD", nullptr, originOfCategory, categories, false, nullptr,
     PricesOf::Category},
    shown({"cost.unpriced_lines", "Cost", "Lines without a price (excluded from totals)", "", 1, count, "",
           [](Source s) { return Value(static_cast<double>(s.instant.bill.unpricedLines)); },
           [](Asked a) { return countedFrom(a, "lines of the bill without a base price"); }},
          {Display::Summary, 32, "Lines without a price"}),
};

} // namespace

std::span<const FigureInfo> costFigures() { return rows; }

} // namespace railyard
