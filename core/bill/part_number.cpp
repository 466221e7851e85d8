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

// The length of a code, see lengthCode().
std::optional<Metres> lengthFromCode(std::string_view code) {
    if (code.size() != 3 || !std::isdigit(static_cast<unsigned char>(code[0])) || !std::isdigit(static_cast<unsigned char>(code[1])))
        return {};
    const int tens = (code[0] - '0') * 10 + (code[1] - '0');
    if (code[2] == 'A') return Metres(tens + 0.5);
    if (!std::isdigit(static_cast<unsigned char>(code[2]))) return {};
    const int metres = tens * 10 + (code[2] - '0');
    return metres > 0 ? std::optional(Metres(metres)) : std::nullopt;
}

// Whether a published number stands for this one, and for which length.
std::optional<OrderedPart> matched(const std::string& published, const std::string& id, std::string_view number) {
    const std::size_t at = published.find(lengthField);
    if (at == std::string::npos) return !published.empty() && published == number ? std::optional(OrderedPart{id, {}}) : std::nullopt;
    const std::string_view before(published.data(), at), after = std::string_view(published).substr(at + lengthField.size());
    if (number.size() != before.size() + 3 + after.size() || !number.starts_with(before) || !number.ends_with(after)) return {};
    const auto length = lengthFromCode(number.substr(at, 3));
    return length ? std::optional(OrderedPart{id, length}) : std::nullopt;
}

} // namespace

Result<OrderedPart> partWithNumber(const Catalog& catalog, const std::string& number) {
    std::vector<OrderedPart> found;
    for (const auto& [id, part] : catalog.parts()) {
        const Published published = publishedFor(part);
        auto own = matched(published.number, id, number);
        if (!own) own = matched(published.sku, id, number);
        if (own) found.push_back(std::move(*own));
    }
    if (found.size() == 1) return found.front();
    if (found.empty())
        return Error::usage(number.empty() ? "part_number is empty; write the maker's number, for example MQM9700-NS2F"
                                           : fmt::format("the catalogue has no part with the number \"{}\"; name the part in a column id "
                                                         "instead",
                                                         number));
    std::string ids;
    for (const OrderedPart& each : found) ids += (ids.empty() ? "" : ", ") + each.id;
    return Error::usage(fmt::format("several parts have the number \"{}\": {}; name one of them in a column id instead", number, ids));
}

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
