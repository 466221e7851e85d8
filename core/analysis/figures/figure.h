// A figure of a design: its name, what people read, its value, and where the value comes from.
#pragma once

#include "core/analysis/metrics/metrics.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct FigureSource {
    const InstantMetrics& instant;
    const BackgroundMetrics* background; // null while it is being computed
};

enum class FigureFormat { Count, Decimal, Percent };
// Whose prices a figure adds up. Of two designs it can be compared only where both leave out the same kinds of parts without a price.
enum class PricesOf { Nothing, Network, Category, Everything };

struct ExplainedInput {
    std::string name; // as used in the formula
    std::optional<double> value;
    std::string unit, source;
    std::string confidence; // counted, computed, datasheet, published-price, assumption, derived, street-estimate
};

// A formula that can be recomputed, and its inputs with their sources.
struct Origin {
    std::string formula; // uses + - * / ( ) exp and the names of the inputs; empty if the value is unknown
    std::vector<ExplainedInput> inputs;
    std::string note = {};
};

// One number of a family: a count of one tier, the cost of one category.
struct FigureMember {
    std::string name; // completes the key of the family
    std::optional<double> value;
    std::string_view storedUnit = {}; // empty: that of the family
    std::string group = {};           // stands before the name, and a dot: one network, one collective
};

struct FigureQuery {
    const Fabric& fabric; // of which the source holds the figures
    const FigureSource& source;
    std::string_view key, member, storedUnit; // the whole key; the name of the member, empty without a family; its unit
    std::optional<double> value;
};

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
    Origin (*origin)(const FigureQuery&) = nullptr;
    std::vector<FigureMember> (*members)(const FigureSource&) = nullptr; // families only
    bool mayHaveTarget = false;
    // It is only known from its better side: prices or latencies are missing, no certificate.
    bool (*isBound)(const FigureSource&) = nullptr;
    PricesOf pricesOf = PricesOf::Nothing; // of a family: each member adds up the category of its name

    bool isFamily() const { return key.ends_with('.'); }
};

} // namespace railyard
