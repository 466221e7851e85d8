// Results in words, by keys that end in their units: iteration_s, network_usd. Also results that are no figures of the table.
#pragma once

#include <string>
#include <string_view>

namespace railyard {

std::string keyedText(std::string_view key, double value); // rounded, with the unit: $4.00 M, 3.6 ms

// A tick of an axis. All ticks of an axis have the same unit, and the decimals that ticks this step apart need.
struct AxisTick {
    double value = 0, step = 0;
    double largest = 0; // absolute value on the axis
};
std::string tickText(std::string_view key, const AxisTick& tick);

} // namespace railyard
