#include "core/io/tables/currency.h"

#include "core/io/tables/table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <regex>

namespace railyard {

constexpr double leastRate = 1e-6, mostRate = 1e9; // the currencies of the world lie between 0.3 and 1.5 million

Result<Currency> parseCurrency(std::string_view text) {
    const auto wrong = [&](std::string_view why) {
        return Error::usage(
            fmt::format("currency = {}: {}; expected a currency code and its value per US dollar, for example EUR=0.92", text, why));
    };
    Currency currency;
    currency.code = text.substr(0, text.find('='));
    if (currency.code.size() != 3 || !std::all_of(currency.code.begin(), currency.code.end(), [](char c) { return c >= 'A' && c <= 'Z'; }))
        return wrong("the currency code must be three capital letters");
    if (currency.code.size() == text.size())
        return currency.code == "USD" ? Result<Currency>(currency) : wrong("the exchange rate is missing");
    const std::string_view rate = text.substr(currency.code.size() + 1);
    const auto [end, failure] = std::from_chars(rate.data(), rate.data() + rate.size(), currency.perDollar);
    if (failure != std::errc() || end != rate.data() + rate.size() || !(currency.perDollar >= leastRate && currency.perDollar <= mostRate))
        return wrong("the exchange rate must be a number from 0.000001 to 1,000,000,000");
    if (currency.code == "USD" && currency.perDollar != 1) return wrong("the rate of the US dollar must be 1");
    return currency;
}

double roundedToCents(double amount) { return std::round(amount * 100) / 100; }

double amountIn(const Currency& currency, Money amount) { return roundedToCents(amount.inDollars() * currency.perDollar); }

std::string moneyText(const Currency& currency, Money amount) {
    return shownNumber(amountIn(currency, amount), CellFormat::Money) + " " + currency.code;
}

std::string citationIn(const Currency& currency, const std::string& citation) {
    if (currency.code == "USD") return citation;
    static const std::regex amount(R"((?:US ?)?\$ ?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)( ?[KkM]\b)?)");
    std::string text;
    auto rest = citation.cbegin();
    for (std::sregex_iterator it(citation.begin(), citation.end(), amount), end; it != end; ++it) {
        std::string digits = (*it)[1];
        std::erase(digits, ',');
        double dollars = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), dollars);
        if ((*it)[2].matched) dollars *= std::string((*it)[2]).back() == 'M' ? 1e6 : 1e3;
        text.append(rest, (*it)[0].first);
        text += shownNumber(roundedToCents(dollars * currency.perDollar), CellFormat::Money) + " " + currency.code;
        rest = (*it)[0].second;
    }
    return text.append(rest, citation.cend());
}

std::string rateText(const Currency& currency) {
    if (currency.code == "USD") return {};
    return fmt::format("{} {} per US dollar, entered by the user", currency.perDollar, currency.code);
}

std::optional<double> rateIn(const std::string& rateText) {
    double rate = 0;
    const auto [end, failed] = std::from_chars(rateText.data(), rateText.data() + rateText.size(), rate);
    const bool isRate = failed == std::errc() && std::string_view(end, rateText.data() + rateText.size()).find(" per US dollar") == 4;
    return isRate && rate > 0 ? std::optional(rate) : std::nullopt;
}

} // namespace railyard
