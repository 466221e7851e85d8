#include "core/io/tables/bom_json.h"

#include "core/bill/part_number.h"
#include "core/io/tables/bom.h"

#include <algorithm>

namespace railyard {
namespace {

std::optional<Money> netOf(const BillLine& line) {
    return line.base ? std::optional(Money::dollars(roundedToCents(line.base->inDollars() * (1 - line.discount)))) : std::nullopt;
}

Json lineJson(const BillLine& line, std::int64_t blocks) {
    const auto money = [](const std::optional<Money>& m) { return m ? Json(m->inDollars()) : Json(); };
    const auto orNull = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
    const PartNumber order = partNumberOf(line);
    const std::int64_t quantity = line.quantity * blocks;
    return {{"section", line.section},
            {"category", billCategoryNames[static_cast<std::size_t>(line.category)]},
            {"part", line.part ? Json(line.part->id) : Json()},
            {"part_number", orNull(order.number)},
            {"sku", orNull(order.sku)},
            {"manufacturer", line.part ? orNull(line.part->vendor) : Json()},
            {"description", line.description},
            {"quantity", quantity},
            {"unit_low_usd", money(line.low)},
            {"unit_usd", money(line.base)},
            {"unit_high_usd", money(line.high)},
            {"extended_usd", line.base ? Json((*line.base * quantity).inDollars()) : Json()},
            {"discount_fraction", line.discount},
            {"net_usd", line.base ? Json((*netOf(line) * quantity).inDollars()) : Json()},
            {"typical_w", line.typical && !isMaximumPower(line) ? Json(line.typical->value()) : Json()},
            {"max_w", line.maximum ? Json(line.maximum->value()) : Json()},
            {"price_date", line.part && line.part->price ? Json(line.part->price->date) : Json()},
            {"price_source", line.part && line.part->price ? Json(line.part->price->source) : Json()},
            {"price_confidence", line.part && line.part->price ? Json(line.part->price->confidence) : Json()},
            {"price_kind", priceKind(line).empty() ? Json() : Json(priceKind(line))}};
}

} // namespace

Json bomJson(const Bill& bill, const std::vector<BillBlock>& blocks, const BomOptions& options) {
    const Currency& currency = options.currency;
    Json lines = Json::array();
    for (const BillBlock& block : blocks)
        for (const BillLine& line : block.lines) {
            Json item{{"block", block.name}, {"blocks", block.count}, {"quantity_per_block", line.quantity}};
            item.update(lineJson(line, block.count));
            lines.push_back(item);
        }
    if (blocks.empty())
        for (const BillLine& line : bill.lines) lines.push_back(lineJson(line, 1));
    for (std::size_t i = 0; blocks.empty() && i < bill.lines.size(); ++i)
        if (const auto& spares = bill.lines[i].spares) {
            lines[i]["spare_quantity"] = *spares;
            lines[i]["lead_time_h"] = bill.lines[i].leadTimeHours ? Json(*bill.lines[i].leadTimeHours) : Json();
            if (bill.lines[i].leadTimeHours) lines[i]["lead_time_confidence"] = "assumption";
        }
    Money net, spares;
    bool hasSpares = false;
    for (const BillLine& line : bill.lines) {
        if (const auto each = netOf(line)) net += *each * line.quantity;
        hasSpares = hasSpares || line.spares;
        if (line.base && line.spares) spares += *line.base * *line.spares;
    }
    Json answer{{"schema", "railyard.bom/1"},
                {"lines", lines},
                {"network_usd", bill.network.inDollars()},
                {"total_usd", bill.total.inDollars()},
                {"low_usd", bill.low.inDollars()},
                {"high_usd", bill.high.inDollars()},
                {"net_usd", net.inDollars()},
                {"margin_fraction", options.margin},
                {"sales_usd", roundedToCents(net.inDollars() / (1 - options.margin))},
                {"unpriced_lines", bill.unpricedLines},
                {"lines_without_part_number",
                 std::count_if(lines.begin(), lines.end(), [](const Json& line) { return line["part_number"].is_null(); })}};
    if (hasSpares) answer["total_with_spares_usd"] = (bill.total + spares).inDollars();
    if (currency.code != "USD") {
        const auto converted = [&](Money money) { return amountIn(currency, money); };
        answer["currency"] = {{"code", currency.code},          {"per_usd", currency.perDollar}, {"network", converted(bill.network)},
                              {"total", converted(bill.total)}, {"low", converted(bill.low)},    {"high", converted(bill.high)}};
    }
    return answer;
}

} // namespace railyard
