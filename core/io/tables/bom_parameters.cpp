#include "core/io/tables/bom_parameters.h"

#include "core/base/unit_text.h"
#include "core/bill/spares.h"

#include <array>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::array<std::string_view, 2> layouts{"flat", "by-block"}, copies{"inside", "customer"};
using Info = ParameterInfo;

namespace bom_field {
constexpr auto byBlock = [](BomOptions & o) -> auto& { return o.byBlock; };
constexpr auto isCustomer = [](BomOptions & o) -> auto& { return o.isCustomer; };
} // namespace bom_field

std::string percentText(double fraction) { return fmt::format("{:.10g}%", fraction * 100); }

std::string sparesText(const BomOptions& o) {
    if (o.sparesConfidence) return percentText(*o.sparesConfidence);
    return o.sparesShare ? "qty:" + percentText(*o.sparesShare) : std::string();
}

Status setSpares(BomOptions& o, const std::string& text) {
    o.sparesConfidence = o.sparesShare = std::nullopt;
    if (text.empty()) return Done{};
    const auto spares = parseSpares(text);
    if (!spares) return spares.errors();
    (spares->by == SparesRule::By::Quantity ? o.sparesShare : o.sparesConfidence) = spares->fraction;
    return Done{};
}

std::string currencyText(const BomOptions& o) {
    return o.currency.code == "USD" ? "USD" : fmt::format("{}={}", o.currency.code, o.currency.perDollar);
}

Status setCurrency(BomOptions& o, const std::string& text) {
    auto currency = parseCurrency(text);
    if (!currency) return currency.errors();
    o.currency = std::move(*currency);
    return Done{};
}

Status setDiscounts(BomOptions& o, const std::string& text) {
    auto discounts = parseDiscounts(text);
    if (!discounts) return discounts.errors();
    o.discounts = std::move(*discounts);
    return Done{};
}

Status setMargin(BomOptions& o, const std::string& text) {
    constexpr double most = 0.95;
    o.margin = 0;
    if (text.empty()) return Done{};
    const auto margin = parseFraction(text);
    if (!margin) return margin.errors();
    if (*margin > most) return Error::usage(fmt::format("{}: must be from 0% to 95%", text));
    o.margin = *margin;
    return Done{};
}

} // namespace

std::span<const Parameter<BomOptions>> bomParameters() {
    static const std::vector<Parameter<BomOptions>> rows{
        choiceParameter<BomOptions, bom_field::byBlock, layouts>(
            {.key = "view",
             .label = "Layout",
             .help = "flat, or by-block (quantities per block and the number of blocks)",
             .kind = Info::Kind::Choice,
             .choices = {{"flat", "One list for the design"}, {"by-block", "By block: what one needs, and how many there are"}}}),
        {Info{.key = "spares",
              .label = "Spares",
              .help = "add spare parts: 95% is a service level (from 50%), the probability that the spares outlast the 6-week lead time, "
                      "not a share of the quantity; qty:5% is a share of the quantity",
              .kind = Info::Kind::Text,
              .automatic = "no spares",
              .automaticLabel = "none; for example 95% or qty:5%"},
         sparesText, setSpares},
        {Info{.key = "currency",
              .label = "Currency",
              .help = "currency of the prices and its value per US dollar, for example EUR=0.92",
              .kind = Info::Kind::Text},
         currencyText, setCurrency},
        {Info{.key = "discount",
              .label = "Discounts",
              .help = "discount off the unit prices of a category, a vendor, or both: switch=35%, NVIDIA=20%, NVIDIA:switch=40%, all=5%; "
                      "the most specific one counts",
              .kind = Info::Kind::Text,
              .automatic = "none",
              .automaticLabel = "none; for example switch=35%; NVIDIA=20%",
              .isList = true},
         [](const BomOptions& o) { return discountsText(o.discounts); }, setDiscounts},
        {Info{.key = "margin",
              .label = "Margin",
              .help = "margin as a share of the sales price, for example 12%: the summary then shows the sales price",
              .kind = Info::Kind::Text,
              .automatic = "none",
              .automaticLabel = "none; for example 12%"},
         [](const BomOptions& o) { return o.margin > 0 ? percentText(o.margin) : std::string(); }, setMargin},
        choiceParameter<BomOptions, bom_field::isCustomer, copies>(
            {.key = "copy",
             .label = "Copy",
             .help = "inside, or customer: no price anywhere in the file",
             .kind = Info::Kind::Choice,
             .choices = {{"inside", "Inside, with prices"}, {"customer", "For the customer, without prices"}}})};
    return rows;
}

Result<BomOptions> readBomOptions(const ParameterTexts& texts) {
    return withTexts(bomParameters(), BomOptions(), texts, "a bill of materials");
}

} // namespace railyard
