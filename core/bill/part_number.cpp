#include "core/bill/part_number.h"

#include "core/catalog/catalog.h"
#include "core/json/json_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace railyard {
namespace {

constexpr std::string_view lengthField = "{length}";

// Three characters; empty for a length that the code cannot say.
std::string lengthCode(Metres length) {
    const double halves = length.value() * 2;
    if (halves < 1 || halves >= 2000 || halves != std::floor(halves)) return {};
    const int whole = static_cast<int>(length.value());
    if (static_cast<int>(halves) % 2 == 0) return fmt::format("{:03}", whole);
    return whole < 100 ? fmt::format("{:02}A", whole) : std::string();
}

// As published, with the field for the length.
struct Published {
    std::string number, sku;
};

Published publishedIn(const Part& part) {
    const Json json = part.original.empty() ? Json::object() : Json::parse(part.original);
    const auto text = [&](const char* key) { return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : ""; };
    return {text("part_number"), text("sku")};
}

Published publishedFor(const Part& part) {
    Published published = publishedIn(part);
    if (!published.number.empty()) return published;
    const Part* shipped = shippedCatalog()->find(part.id);
    return shipped && shipped->vendor == part.vendor ? publishedIn(*shipped) : Published();
}

} // namespace

PartNumber partNumberOf(const Part* part, Metres length) {
    if (!part) return {};
    const Published published = publishedFor(*part);
    if (published.number.empty()) return {};
    PartNumber result{published.number, published.sku, false};
    const std::size_t at = result.number.find(lengthField);
    if (at == std::string::npos) return result;
    const CablePart* cable = part->as<CablePart>();
    const bool isListed = cable && !cable->stockLengths.empty();
    const std::vector<Metres>& lengths = isListed ? cable->stockLengths : fibreStockLengths();
    const std::string code = std::binary_search(lengths.begin(), lengths.end(), length) ? lengthCode(length) : std::string();
    if (code.empty()) return {};
    result.number.replace(at, lengthField.size(), code);
    result.isLengthUnlisted = !isListed;
    return result;
}

} // namespace railyard
