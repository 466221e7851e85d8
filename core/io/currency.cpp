#include "core/io/currency.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace railyard {

Result<Currency> parseCurrency(std::string_view text) {
    const auto wrong = [&](std::string_view why) {
        return Error::usage(fmt::format("--currency {}: {}; write a code and what a US dollar is worth in it: EUR=0.92", text, why));
    };
    Currency currency;
    currency.code = text.substr(0, text.find('='));
    if (currency.code.size() != 3 || !std::all_of(currency.code.begin(), currency.code.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        return wrong("a currency code is three capital letters");
    if (currency.code.size() == text.size())
        return currency.code == "USD" ? Result<Currency>(currency) : wrong("prices are in US dollars and no rate is built in");
    const std::string_view rate = text.substr(currency.code.size() + 1);
    const auto [end, failure] = std::from_chars(rate.data(), rate.data() + rate.size(), currency.perDollar);
    if (failure != std::errc() || end != rate.data() + rate.size() || !(currency.perDollar > 0) || !std::isfinite(currency.perDollar))
        return wrong("the rate is not a number above 0");
    if (currency.code == "USD" && currency.perDollar != 1) return wrong("a US dollar is worth one US dollar");
    return currency;
}

} // namespace railyard
