// What stands on a slide of a design, in words: the answer, six figures, the tiers, the comparison with its twin, the title block.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "core/analysis/metrics/tier_facts.h"
#include "core/io/presentation/verdict.h"
#include "core/io/stated/stated_figures.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

struct SlideOptions {
    std::string project = {}, author = {}, date = {}, revision = {}; // of the title block; empty ones are left out
    bool showsPrices = true;
    std::string sentence = {}; // below the title; empty: what the fabric is
};

struct SlideFigure {
    std::string value, unit, what;      // "4,096", "GPUs", "512 servers of 8"
    std::string key = {}, whatKey = {}; // of the figures that value and what begin with; empty: none
};

struct SlideCell {
    std::string value, difference = {}; // "192", "−40 %"
    bool isBetter = true;
    std::optional<double> share = {}; // of the first row; empty: it is the first, or they cannot be compared
    std::string words() const { return difference.empty() ? value : value + "  " + difference; }
};
struct SlideRow {
    std::string name;
    bool isRailOnly = false;
    std::vector<SlideCell> cells;
};
struct SlideColumn {
    std::string title, key; // of the figure
};

using TitleBlock = std::vector<std::pair<std::string, std::string>>; // names and values
TitleBlock titleBlockOf(const Metrics& metrics, const SlideOptions& options);

struct SlideContent {
    std::string title, subtitle;
    std::vector<SlideFigure> figures; // six, or five without prices
    std::vector<TierFacts> tiers;     // the top one first
    std::vector<SlideColumn> columns; // of the comparison
    std::vector<SlideRow> rows;       // empty: the design has no twin
    TitleBlock titleBlock;
    std::string basis; // of prices, power and times
    StatedFigures stated;
    int rails = 0; // 0: it is not cabled by rails
};

// "Leaf: 192 × Quantum-2 QM9700"; the page has no room for what stands in brackets after a part's name.
std::string tierTitle(const TierFacts& tier);
std::string tierKey(const TierFacts& tier); // of what is stated of it: tiers.leaf, tiers.leaf.ports

// How the tiers stand below the figures, in units of the page. Four tiers have no room for two lines each.
struct TierLines {
    double pitch = 0;
    bool hasPorts = true; // a second line for them
};
TierLines tierLines(const SlideContent& content, double top);

SlideContent slideContentOf(const Fabric& fabric, const SlideOptions& options);
// With metrics that are known already. `twin`: null for a design without.
SlideContent slideContentOf(const Fabric& fabric, const Metrics& metrics, const OtherDesign* twin, const SlideOptions& options);

} // namespace railyard
