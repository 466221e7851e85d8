// What stands on a slide of a design, in words: the answer, six figures, the tiers, the comparison with its twin, the title block.
#pragma once

#include "core/analysis/metrics/metrics.h"
#include "core/analysis/metrics/tier_facts.h"
#include "core/io/stated/stated_figures.h"

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

namespace railyard {

struct SlideOptions {
    QString project, author, date, revision; // of the title block; empty ones are left out
    bool showsPrices = true;
    QString sentence = {}; // below the title; empty: what the fabric is
};

struct SlideFigure {
    QString value, unit, what;          // "4,096", "GPUs", "512 servers of 8"
    std::string key = {}, whatKey = {}; // of the figures that value and what begin with; empty: none
};

struct SlideCell {
    QString value, difference; // "192", "−40 %"
    bool isBetter = true;
    std::optional<double> share = {}; // of the first row; empty: it is the first, or they cannot be compared
};
struct SlideRow {
    QString name;
    bool isRailOnly = false;
    std::vector<SlideCell> cells;
};

struct SlideContent {
    QString title, subtitle;
    std::vector<SlideFigure> figures; // six, or five without prices
    std::vector<TierFacts> tiers;     // the top one first
    QStringList columns;              // of the comparison
    std::vector<SlideRow> rows;       // empty: the design has no twin
    std::vector<std::pair<QString, QString>> titleBlock;
    QString basis; // of prices, power and times
    StatedFigures stated;
    int rails = 0; // 0: it is not cabled by rails
};

// "Leaf: 192 × Quantum-2 QM9700"; the page has no room for what stands in brackets after a part's name.
QString tierTitle(const TierFacts& tier);

// How the tiers stand below the figures, in units of the page. Four tiers have no room for two lines each.
struct TierLines {
    double pitch = 0;
    bool hasPorts = true; // a second line for them
};
TierLines tierLines(const SlideContent& content, double top);

SlideContent slideContentOf(const Fabric& fabric, const SlideOptions& options);

} // namespace railyard
