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
enum class PricesOf { Nothing, Network, AllNetworks, Category, Everything };

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

// Where people see a figure, besides the tables of all figures, and how it reads there.
struct FigureDisplay {
    enum Place : unsigned {
        Nowhere = 0,
        Text = 1,        // of railyard-cli metrics
        Panel = 2,       // a line of the metrics panel
        Headline = 4,    // the large numbers at its top
        Preview = 8,     // of a drag, beside the drawing
        Pointer = 16,    // the same at the pointer
        Summary = 32,    // sheet of the bill of materials
        Comparison = 64, // of two designs
        Candidate = 128, // a column of New fabric
    };
    unsigned places = Nowhere;
    int rank = 0;                // its place among the others; equal ranks stand in the order of the table
    std::string_view title = {}; // short: "Network cost"; of a family with {} for the member
    bool lessIsBetter = true;
    std::string (*text)(const FigureSource&) = nullptr; // null: the value with its unit, ≥ before a lower bound
    std::string (*tag)(const FigureSource&) = nullptr;  // a word or two after the value: "certified"
    std::string (*note)(const FigureSource&) = nullptr; // a sentence: how it is known, or why it is not
    std::string_view companion = {};                    // key of the figure that shares its line in the panel
    std::string_view line = {};                         // title of that line: "Racks · cable length"
    bool isBar = false;                                 // in the panel: the share is drawn too
    std::string_view compared = {}; // key of the figure whose difference is shown: of a share, that of the bandwidth. Empty: its own
    std::string_view heading = {};  // of a column of New fabric, which may have two lines
    std::string_view best = {};     // what is said of the best candidate: "lowest network cost"
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
    FigureDisplay display = {};

    bool isFamily() const { return key.ends_with('.'); }
};

// The row with its display: rows that people see in more than the tables of all figures.
constexpr FigureInfo shown(FigureInfo row, FigureDisplay display) {
    row.display = display;
    return row;
}

// The same as a column of New fabric.
constexpr FigureInfo ofCandidates(FigureInfo row, int rank, std::string_view heading, std::string_view best, bool lessIsBetter = true) {
    if (row.display.places == FigureDisplay::Nowhere) {
        row.display.rank = rank;
        row.display.title = row.title;
        row.display.lessIsBetter = lessIsBetter;
    }
    row.display.places |= FigureDisplay::Candidate;
    row.display.heading = heading;
    row.display.best = best;
    return row;
}

} // namespace railyard
