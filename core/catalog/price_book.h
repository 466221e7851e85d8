// The user's own prices, as a CSV with a heading: id, length_m, low_usd, base_usd, high_usd, date, source. They override the
// shipped ones; both are kept, and documents never carry them away.
#pragma once

#include "core/catalog/catalog.h"

namespace railyard {

struct BookedPrice {
    std::string id; // catalogue id; ids the catalogue does not have wait until it does
    std::optional<Metres> length;
    Money base;
    std::optional<Money> low, high;
    std::string date, source;
};

class PriceBook {
public:
    // Every wrong row is reported with its line and column (at most 100); the headings may come in any order.
    static Result<PriceBook> read(const std::string& text, const std::string& file);
    std::string text() const; // the same CSV, sorted
    // Prices of `other` replace those for the same part and length.
    void merge(const PriceBook& other);
    const std::vector<BookedPrice>& prices() const { return m_prices; }
    // The catalogue with these prices; what they replace stays as Part::shippedPrice.
    Catalog applyTo(Catalog catalog) const;

private:
    void sort();
    std::vector<BookedPrice> m_prices; // sorted by id and length
};

// $RAILYARD_PRICE_BOOK, else railyard/price-book.csv in the user's data folder.
std::string userPriceBookPath();
// An absent book is an empty one.
Result<PriceBook> userPriceBook();

// The book in use, set once by a program at its start; documents and new designs are priced by it.
void usePriceBook(PriceBook book);
const PriceBook& priceBookInUse();
// The shipped catalogue with the prices of the book in use.
CatalogPointer pricedCatalog();

} // namespace railyard
