// What the Sweep view shows of a finished sweep: heat map, Pareto front and parallel coordinates.
#pragma once

#include "core/sweep/table.h"
#include "widgets/plots/cell_map.h"
#include "widgets/plots/parallel_plot.h"
#include "widgets/plots/scatter_plot.h"

#include <variant>

namespace railyard {

// More is neither legible nor quick to draw; the subtitle says what is not drawn. Marks are points and lines.
inline constexpr std::size_t mostSweepMarks = 2'000, mostSweepCells = 4'000, mostSweepColumns = 200, mostSweepLineResults = 8;

QString sweepTitle(const std::string& key); // "Network cost", or the key
struct SweepTitles {
    std::vector<QString> axes, results;
};
SweepTitles sweepTitles(const SweepTable& table);             // those of results with the key where two would be equal
QString sweepValueText(const std::string& key, double value); // with its unit
QString sweepAxisText(const std::string& value);              // of a parameter: 16,384
bool isLessBetter(const std::string& key);
// The values of a row, for tool tips.
RichText sweepTip(const SweepTable& table, std::size_t row);
RichText sweepTip(const SweepTable& table, std::size_t row, const SweepTitles& titles); // the titles of this table

// The results, first those that differ between designs: a chart of others says nothing.
std::vector<std::size_t> resultsThatDiffer(const SweepTable& table);

// The values of an axis in the order in which they first occur.
std::vector<std::string> valuesOfAxis(const SweepTable& table, std::size_t axis);

// The rows in which every axis has the value of `at`; an empty one is any value.
std::vector<std::size_t> rowsAt(const SweepTable& table, const std::vector<std::string>& at);

struct SweepCells {
    CellMapData data;
    std::vector<std::optional<std::size_t>> rows; // of the table, parallel to the cells
};
// `result` over two axes; of the others the values of `at` hold, by axis.
SweepCells sweepCells(const SweepTable& table, std::size_t x, std::size_t y, std::size_t result, const std::vector<std::string>& at);
ScatterData sweepFront(const std::shared_ptr<const SweepTable>& shown, const std::vector<std::string>& at, const SweepGoal& x,
                       const SweepGoal& y);
// All axes of these rows and the results that there is room for; those of the front, of these figures, are marked.
ParallelData sweepLines(const std::shared_ptr<const SweepTable>& shown, const std::vector<std::string>& at,
                        const std::vector<std::size_t>& marked, const QString& ofFront);
QString sweepAxisTitle(const std::string& key); // of a parameter

using SweepChart = std::variant<std::monostate, CellMapData, ScatterData, ParallelData>; // what is drawn, if anything

} // namespace railyard
