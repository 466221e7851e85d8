#include "core/base/expression.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::textOf(data, size);
    for (const FieldUnit unit : {FieldUnit::Count, FieldUnit::Length})
        if (const auto value = evaluateField(text, 12.5, unit); fuzz::isRead(value))
            fuzz::require(std::isfinite(*value), "values are numbers");
    if (const auto count = evaluateCount(text, 128); fuzz::isRead(count)) fuzz::require(*count >= 0, "counts are not negative");
    return 0;
}
