#include "core/bill/unpriced.h"

#include "core/base/unit_text.h"

#include <algorithm>

namespace railyard {
namespace {

constexpr std::size_t networkCategories = static_cast<std::size_t>(BillCategory::Pluggable) + 1;

// One, several.
constexpr std::array<std::pair<std::string_view, std::string_view>, billCategoryNames.size()> nouns{
    {{"switch", "switches"},
     {"cable", "cables"},
     {"module", "modules"},
     {"NIC", "NICs"},
     {"server", "servers"},
     {"storage network item", "storage network items"},
     {"in-band network item", "in-band network items"},
     {"out-of-band network item", "out-of-band network items"},
     {"rack item", "rack items"},
     {"labour item", "labour items"}}};

} // namespace

std::string itemsText(const std::array<std::int64_t, billCategoryNames.size()>& counts) {
    std::vector<std::string> kinds;
    for (std::size_t c = 0; c < counts.size(); ++c)
        if (counts[c] > 0) kinds.push_back(formatCount(counts[c]) + " " + std::string(counts[c] == 1 ? nouns[c].first : nouns[c].second));
    std::string text;
    for (std::size_t k = 0; k < kinds.size(); ++k) text += (k == 0 ? "" : k + 1 == kinds.size() ? " and " : ", ") + kinds[k];
    return text;
}

void UnpricedItems::add(const BillLine& line, std::int64_t times) {
    if (line.base) return;
    const auto category = static_cast<std::size_t>(line.category);
    m_items[category] += line.quantity * times;
    ++m_lines;
    if (category < networkCategories) ++m_networkLines;
}

std::string UnpricedItems::text() const { return itemsText(m_items); }

std::string UnpricedItems::networkText() const {
    auto network = m_items;
    std::fill(network.begin() + networkCategories, network.end(), 0);
    return itemsText(network);
}

PartKinds unpricedKinds(const Bill& bill, BillTotal total) {
    PartKinds kinds;
    for (const BillLine& line : bill.lines) {
        const auto category = static_cast<std::size_t>(line.category);
        if (!line.base && (total != &Bill::network || category < networkCategories)) kinds.set(category);
    }
    return kinds;
}

std::optional<Money> differenceOf(const Bill& a, const Bill& b, BillTotal total) {
    return unpricedKinds(a, total) == unpricedKinds(b, total) ? std::optional(b.*total - a.*total) : std::nullopt;
}

bool hasFixedEnds(const BillLine& line) {
    const auto* cable = line.part ? line.part->as<CablePart>() : nullptr;
    return cable && !cable->nearForm.empty();
}

UnpricedItems unpricedItems(const std::vector<BillLine>& lines) {
    UnpricedItems items;
    for (const BillLine& line : lines) items.add(line);
    return items;
}

} // namespace railyard
