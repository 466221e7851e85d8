// The user's own prices as CSV with the columns id, length_m, low_usd, base_usd, high_usd, date, source, kind. They override the
// shipped prices; both are kept, and documents do not contain the user's prices.
#pragma once

#include "core/catalog/catalog.h"

#include <array>
#include <functional>
#include <string_view>

namespace railyard {

struct BookedPrice {
    std::string id; // catalogue ID; IDs that the catalogue does not contain are kept for a later catalogue
    std::optional<Metres> length;
    Money base;
    std::optional<Money> low, high;
    std::string date, source;
    std::string kind = {}; // one of priceKindNames; empty: a quote
};
inline constexpr std::array<std::string_view, 5> priceKindNames{"list", "reseller", "compatible", "quote", "estimate"};

// The part that a maker sells under this number, and of a cable its length. Errors: there is none, or there are several.
struct OrderedPart {
    std::string id;
    std::optional<Metres> length = {};
};
using PartLookup = std::function<Result<OrderedPart>(const std::string& partNumber)>;

class PriceBook {
public:
    // Reports every invalid row with line and column (at most 100); the columns may be in any order. With a lookup, a column part_number
    // may stand in place of id.
    static Result<PriceBook> read(std::string bytes, const std::string& file, const PartLookup& lookup = {});
    std::string text() const; // the same CSV, sorted
    // Prices of `other` replace prices of the same part and length.
    void merge(const PriceBook& other);
    const std::vector<BookedPrice>& prices() const { return m_prices; }
    // The catalogue with these prices; replaced prices are kept in Part::shippedPrice.
    Catalog applyTo(Catalog catalog) const;

private:
    void sort();
    std::vector<BookedPrice> m_prices; // sorted by id and length
};

// $RAILYARD_PRICE_BOOK, otherwise railyard/price-book.csv in the user's data folder; empty if the user has no folder.
std::string userPriceBookPath();
// A missing file is an empty price book.
Result<PriceBook> userPriceBook();

// Adds prices to the user's price book on disk, which other processes may do at the same time.
struct PriceImport {
    std::string path;
    std::size_t prices = 0, replaced = 0; // in the book now; of the fresh ones, those that had another price
};
Result<PriceImport> importPrices(const PriceBook& fresh);
// Replaces all of them. Errors: the book on disk is no longer the known one.
Result<PriceImport> replacePrices(const PriceBook& fresh, const PriceBook& known);

// The price book in use. A program sets it once at startup; it applies to loaded documents and new designs.
void usePriceBook(PriceBook book);
const PriceBook& priceBookInUse();
// The shipped catalogue with the prices of the price book in use.
CatalogPointer pricedCatalog();

} // namespace railyard
