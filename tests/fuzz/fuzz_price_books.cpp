#include "core/catalog/price_book.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto book = PriceBook::read(fuzz::textOf(data, size), "fuzz.csv");
    if (!fuzz::isRead(book)) return 0;
    const auto again = PriceBook::read(book->text(), "again.csv");
    fuzz::require(static_cast<bool>(again) && again->text() == book->text(), "a price book is written the same after it was read again");
    (void)book->applyTo(*shippedCatalog());
    return 0;
}
