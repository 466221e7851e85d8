#include "core/base/unit_text.h"
#include "core/io/tables/currency.h"
#include "tests/fuzz/fuzz.h"

#include <cmath>

using namespace railyard;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::textOf(data, size);
    if (const auto bytes = parseBytes(text); fuzz::isRead(bytes)) fuzz::require(bytes->count() >= 0, "sizes are not negative");
    if (const auto speed = parseBandwidth(text); fuzz::isRead(speed))
        fuzz::require(std::isfinite(speed->value()) && speed->value() >= 0, "speeds are numbers");
    if (const auto time = parseDuration(text); fuzz::isRead(time)) fuzz::require(std::isfinite(time->value()), "durations are numbers");
    if (const auto share = parseFraction(text); fuzz::isRead(share)) fuzz::require(*share >= 0 && *share <= 1, "shares are from 0 to 1");
    if (const auto currency = parseCurrency(text); fuzz::isRead(currency))
        fuzz::require(std::isfinite(currency->perDollar) && currency->perDollar > 0, "rates are positive numbers");
    return 0;
}
