// What the prices of a bill are shown in. The catalogue's are in US dollars; the rate is the user's, never built in.
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
