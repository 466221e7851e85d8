#include "core/analysis/figures/bill_terms.h"
#include "core/analysis/figures/figure_sections.h"
#include "core/analysis/figures/figure_table.h"
#include "core/analysis/figures/origin.h"
#include "core/analysis/figures/reads.h"
#include "core/analysis/metrics/networks_total.h"
#include "core/base/unit_text.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

using Asked = const FigureQuery&;
using Source = const FigureSource&;

std::vector<FigureMember> categories(Source s) {
    std::vector<FigureMember> members;
    for (std::size_t c = 0; c < poweredCategories; ++c)
        members.push_back({std::string(billCategoryNames[c]), valueOf(s.instant.bill.watts[c])});
    return members;
}

OriginTerms powered(const Bill& bill, BillCategory only) {
    OriginTerms terms;
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        const BillLine& line = bill.lines[i];
        if (line.category != only || !line.typical) continue;
        terms.emplace_back(quantityOf(bill, i),
                           ExplainedInput{"w_" + nameOfLine(bill, i), line.typical->value(), "W",
                                          line.part ? (line.part->typical ? "typical power: " : "maximum power: ") + line.part->source
                                                    : "passive fibre: no power",
                                          line.part ? line.part->confidence : "assumption"});
    }
    return terms;
}

std::vector<ExplainedInput> categoryInputs(const Bill& bill, std::size_t last) {
    std::vector<ExplainedInput> inputs;
    for (std::size_t c = 0; c <= last; ++c) {
        if (!bill.watts[c]) continue;
        const std::string name(billCategoryNames[c]);
        inputs.push_back({name + "_w", bill.watts[c]->value(), "W", "power.by_category_w." + name,
                          weakestConfidence(powered(bill, static_cast<BillCategory>(c)))});
    }
    return inputs;
}

Origin notPublished(const Bill& bill) {
    std::string missing;
    for (const std::string& part : bill.unknownPower) missing += (missing.empty() ? "power not published for " : ", ") + part;
    return unknownBecause(missing);
}

template <std::size_t Last>
Origin sumOfCategories(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    return asked.value ? sumOf(categoryInputs(bill, Last)) : notPublished(bill);
}

Origin originOfAllNetworks(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    if (!asked.value) return notPublished(bill);
    std::vector<ExplainedInput> inputs;
    for (ExplainedInput& input : categoryInputs(bill, poweredCategories - 1)) {
        const auto category = std::find(billCategoryNames.begin(), billCategoryNames.end(), input.name.substr(0, input.name.size() - 2));
        if (isOfNetworks(static_cast<BillCategory>(category - billCategoryNames.begin()))) inputs.push_back(std::move(input));
    }
    return sumOf(std::move(inputs));
}

Origin originOfCategory(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    if (!asked.value) return notPublished(bill);
    const auto at = std::find(billCategoryNames.begin(), billCategoryNames.end(), asked.member) - billCategoryNames.begin();
    return sumOfProducts(powered(bill, static_cast<BillCategory>(at)));
}

ExplainedInput totalInput(const Bill& bill) {
    return {"total_w", bill.totalPower->value(), "W", "power.total_w", weakestConfidence(categoryInputs(bill, poweredCategories - 1))};
}

// A setting of the design, or the usual value with its source.
ExplainedInput ofSite(const Bill& bill, const char* key, double value, const char* unit, const char* source, const char* confidence) {
    const auto* row = parameterNamed(siteParameters(), key);
    if (row->text(bill.site) == row->text(Site())) return {key, value, unit, source, confidence};
    return {key, value, unit, "site settings of the design", "assumption"};
}

Origin originOfFacility(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    if (!asked.value) return notPublished(bill);
    return {"total_w * pue",
            {totalInput(bill), ofSite(bill, "pue", bill.site.pue, "", "modern data hall (range 1.1 to 1.3)", "assumption")}};
}

Origin originOfEnergy(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    if (!asked.value) return notPublished(bill);
    return {
        "facility_w / 1000 * hours_per_year * usd_per_kwh",
        {{"facility_w", bill.facilityPower()->value(), "W", "power.facility_w", totalInput(bill).confidence},
         {"hours_per_year", hoursPerYear, "h", "by definition", "assumption"},
         ofSite(bill, "usd_per_kwh", bill.site.usdPerKwh, "USD/kWh", "US industrial planning value (range 0.08 to 0.15)", "assumption")}};
}

Origin originOfSpace(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    if (!asked.value) return notPublished(bill);
    return {"total_w / 1000 * 12 * usd_per_kw_month",
            {totalInput(bill), ofSite(bill, "usd_per_kw_month", bill.site.usdPerKwMonth, "USD/kW",
                                      "CBRE North America Data Center Trends H2 2024, 250-500 kW, excluding energy", "published-price")},
            "Colocation: 120 to 300 USD per kW and month, depending on market and year."};
}

using Display = FigureDisplay;

std::string whyThisPower(Source s) {
    const Bill& bill = s.instant.bill;
    if (bill.networkPower) return "Typical power of the switches, plus the modules at both ends of each link";
    if (bill.networkPowerAtMost)
        return fmt::format("An upper bound: of {} only the maximum power is published.",
                           bill.unknownPower.empty() ? std::string("a part") : bill.unknownPower.front());
    return fmt::format("Power is not published for {}.", bill.unknownPower.empty() ? std::string("a part") : bill.unknownPower.front());
}

std::string networkPowerText(Source s) {
    const Bill& bill = s.instant.bill;
    const auto known = bill.networkPower ? bill.networkPower : bill.networkPowerAtMost;
    if (!known) return "–";
    return (bill.networkPower ? "" : "≤ ") + figureText(*figureNamed("power.network_w"), known->value());
}

std::string whyNoTotal(Source s) {
    const Bill& bill = s.instant.bill;
    return bill.totalPower ? std::string()
                           : fmt::format("Power is not published for {}.",
                                         bill.unknownPower.empty() ? std::string("a part") : bill.unknownPower.front());
}

Origin originOfMost(Asked asked) {
    const Bill& bill = asked.source.instant.bill;
    if (!asked.value) return notPublished(bill);
    OriginTerms terms;
    for (std::size_t i = 0; i < bill.lines.size(); ++i) {
        const BillLine& line = bill.lines[i];
        if (line.category > BillCategory::Pluggable) continue;
        const bool isTypical = line.typical.has_value();
        terms.emplace_back(
            quantityOf(bill, i),
            ExplainedInput{"w_" + nameOfLine(bill, i), (isTypical ? line.typical : line.maximum)->value(), "W",
                           line.part ? (isTypical && line.part->typical ? "typical power: " : "maximum power: ") + line.part->source
                                     : "passive fibre: no power",
                           line.part ? line.part->confidence : "assumption"});
    }
    return sumOfProducts(terms);
}

constexpr FigureInfo rows[] = {
    shown({"power.network_w", "Power", "Network power", "kW", kilo, decimal, "W",
           [](Source s) { return valueOf(s.instant.bill.networkPower); },
           sumOfCategories<static_cast<std::size_t>(BillCategory::Pluggable)>, nullptr, true},
          {Display::Text | Display::Panel | Display::Preview | Display::Summary | Display::Comparison, 31, "Network power", true,
           networkPowerText, nullptr, whyThisPower}),
    {"power.network_at_most_w", "Power", "", "kW", kilo, decimal, "W", [](Source s) { return valueOf(s.instant.bill.networkPowerAtMost); },
     originOfMost},
    ofCandidates({"power.all_networks_w", "Power", "Power of all networks", "kW", kilo, decimal, "W",
                  [](Source s) { return valueOf(networksTotal(s.instant).power); }, originOfAllNetworks, nullptr, true},
                 31, "Power\nnetworks", "lowest power"),
    shown({"power.total_w", "Power", "Total power", "kW", kilo, decimal, "W", [](Source s) { return valueOf(s.instant.bill.totalPower); },
           sumOfCategories<poweredCategories - 1>, nullptr, true},
          {Display::Summary, 31, "Total power", true, nullptr, nullptr, whyNoTotal}),
    {"power.facility_w", "Power", "Facility power (with cooling)", "kW", kilo, decimal, "W",
     [](Source s) { return valueOf(s.instant.bill.facilityPower()); }, originOfFacility, nullptr, true},
    {"power.by_category_w.", "Power", "Power, {}", "kW", kilo, decimal, "W", nullptr, originOfCategory, categories},
    {"power.energy_usd_year", "Power", "Energy, a year", "USD", 1, count, "USD", [](Source s) { return s.instant.bill.energyPerYear(); },
     originOfEnergy},
    {"power.space_usd_year", "Power", "Colocation space per year", "USD", 1, count, "USD",
     [](Source s) { return s.instant.bill.spacePerYear(); }, originOfSpace},
};

} // namespace

std::span<const FigureInfo> powerFigures() { return rows; }

} // namespace railyard
