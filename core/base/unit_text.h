// Sizes, rates and durations as entered by people: "1GiB", "400G", "50GB/s", "30d". A number without a unit is rejected.
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <string>
#include <string_view>

namespace railyard {

Result<Bytes> parseBytes(std::string_view text);         // 256MiB, 4kB
Result<Bandwidth> parseBandwidth(std::string_view text); // 400G, 400Gb/s, 50GB/s; per direction
Result<Seconds> parseDuration(std::string_view text);    // 90s, 15m, 12h, 30d
Result<double> parseFraction(std::string_view text);     // 1%, 0.5%

inline constexpr std::string_view minusSign = "\u2212";
std::string formatBytes(Bytes size);          // 256 MiB
std::string formatBandwidth(Bandwidth speed); // 409.6 Tb/s
std::string formatSeconds(Seconds time);      // 5.36 ms
std::string formatDuration(Seconds time);     // 45.8 min, 17.5 h, 30 days
std::string formatWatts(Watts power);         // 67.6 kW
std::string formatMoney(Money amount);        // $3.57 M
std::string formatCount(std::int64_t count);  // 12,288
std::string formatPercent(double fraction);   // a difference: −40.0 %, +3.1 %
// 43.0 %. Close to nothing or to everything it has the digits that tell it from them: 99.998 %, 0.02 %.
std::string formatShare(double fraction);
int shareDecimals(double fraction);    // of its percentage: 1, or as many as that takes
std::string formatRatio(double ratio); // 1:1, 2:1, 1.07:1
// "1.2 ms to 1.4 ms"; where both read alike they are one value and no interval.
std::string formatInterval(const std::string& low, const std::string& high);

} // namespace railyard
