// Every figure of a design, one row each: its name, what people read, and where its value comes from. Targets, comparisons and the
// metrics panel go by this table; a new figure is a row here.
#pragma once

#include "core/analysis/metrics/metrics.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace railyard {

struct FigureSource {
    const InstantMetrics& instant;
    const BackgroundMetrics* background; // null while it is being computed
};

enum class FigureFormat { Count, Decimal, Percent };

struct FigureInfo {
    // The dotted path in the metrics, and the same in every version. A family of figures ends in a dot: the rest of a key is the name of a
    // member, which stands for {} in the title.
    std::string_view key;
    std::string_view section, title; // without a title it is left out of comparisons, because it repeats another figure
    std::string_view unit;           // as shown: value × scale
    double scale = 1;
    FigureFormat format = FigureFormat::Count;
    std::string_view storedUnit = {};                             // of the value itself: USD, W, s, h, m, Gb/s
    std::optional<double> (*read)(const FigureSource&) = nullptr; // empty if it is unknown; none for families
    bool mayHaveTarget = false;
    bool (*isBound)(const FigureSource&) =
        nullptr; // it is only known from its better side: prices or latencies are missing, no certificate

    bool isFamily() const { return key.ends_with('.'); }
};

// In the order in which they are read.
std::span<const FigureInfo> figureTable();
// The row of a key, or of the family that it belongs to; null if there is none.
const FigureInfo* figureNamed(std::string_view key);
// collectives.all-reduce@1GiB.time_s for collectives.0.time_s, the place in the metrics, which earlier documents name in their targets.
std::string stableKey(std::string_view key);
std::string figureText(const FigureInfo& figure, double value); // with its unit, as in the window: 3.6 ms, $4.00 M

} // namespace railyard
