// The currency of a bill. Catalogue prices are in US dollars; the exchange rate is entered by the user and never built in.
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace railyard {

struct Currency {
    std::string code = "USD";
    double perDollar = 1;
};

double amountIn(const Currency& currency, Money amount); // to the cent: what stands in a cell is what is paid
double roundedToCents(double amount);
std::string moneyText(const Currency& currency, Money amount); // 1,249.00 EUR
std::string rateText(const Currency& currency);                // 0.92 EUR per US dollar, entered by the user; empty for US dollars
std::optional<double> rateIn(const std::string& rateText);     // 0.92; empty: it is no such text

// A citation with its amounts of US dollars, such as "US$3.1 M", "$500K" and "US$1,124", in this currency.
std::string citationIn(const Currency& currency, const std::string& citation);

Result<Currency> parseCurrency(std::string_view text); // USD, EUR=0.92

} // namespace railyard
