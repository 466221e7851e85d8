// The currency of a bill. Catalogue prices are in US dollars; the exchange rate is entered by the user and never built in.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace railyard {

struct Currency {
    std::string code = "USD";
    double perDollar = 1;
};

Result<Currency> parseCurrency(std::string_view text); // USD, EUR=0.92

} // namespace railyard
