#include "core/io/imports/rank_list.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto ranks = rankListFrom(*fuzz::smallFabric(), fuzz::textOf(data, size), "fuzz.txt");
    if (fuzz::isRead(ranks)) fuzz::require(ranks->size() <= 64, "no GPU is a rank twice");
    return 0;
}
