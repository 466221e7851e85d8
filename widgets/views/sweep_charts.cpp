#include "widgets/views/sweep_charts.h"

#include "core/analysis/figures/figure_table.h"
#include "core/analysis/figures/keyed_text.h"
#include "core/analysis/option_sections.h"
#include "core/base/unit_text.h"
#include "core/design/recipes/recipe_table.h"
#include "widgets/theme/text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace railyard {
namespace {

QString sweepWords(const char* source) { return QCoreApplication::translate("SweepCharts", source); }

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    bool isEmpty() const { return low > high; }
    double heightOf(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};
Range rangeOf(const SweepTable& table, std::size_t result) {
    Range range;
    for (const SweepTable::Row& row : table.rows)
        if (const auto value = row.results[result]) range.low = std::min(range.low, *value), range.high = std::max(range.high, *value);
    return range;
}

} // namespace

QString sweepTitle(const std::string& key) {
    if (const std::string own = keyOfColumn(key); own != key) return QObject::tr("%1 (result)").arg(sweepTitle(own));
    const FigureInfo* row = figureNamed(key);
    if (!row) return text(key);
    const std::string_view title = row->display.title.empty() || row->isFamily() ? row->title : row->display.title;
    if (title.empty()) return text(key);
    return text(title).replace(QStringLiteral("{}"), text(key.substr(row->isFamily() ? row->key.size() : key.size())));
}

QString sweepValueText(const std::string& key, double value) { return text(keyedText(keyOfColumn(key), value)); }

QString sweepAxisText(const std::string& value) {
    constexpr std::size_t most = 15; // digits
    const bool isWhole = !value.empty() && value.size() <= most && value.find_first_not_of("0123456789") == std::string::npos;
    return isWhole ? text(formatCount(std::stoll(value))) : text(value);
}

bool isLessBetter(const std::string& key) {
    const FigureInfo* row = figureNamed(keyOfColumn(key));
    return !row || row->display.places == FigureDisplay::Nowhere || row->display.lessIsBetter;
}

RichText sweepTip(const SweepTable& table, std::size_t row) { return sweepTip(table, row, sweepTitles(table)); }

RichText sweepTip(const SweepTable& table, std::size_t row, const SweepTitles& titles) {
    RichText tip;
    const auto line = [&](const QString& name, const QString& value) {
        tip += RichText::filled(QStringLiteral("<tr><td>%1&nbsp;</td><td align='right'><b>%2</b></td></tr>"), name, value);
    };
    const SweepTable::Row& own = table.rows[row];
    for (std::size_t a = 0; a < table.axes.size(); ++a) line(titles.axes[a], sweepAxisText(own.axes[a]));
    for (std::size_t c = 0; c < table.results.size(); ++c)
        line(titles.results[c], own.results[c] ? sweepValueText(table.results[c], *own.results[c]) : QStringLiteral("–"));
    for (const std::string& each : {own.note, own.error})
        if (!each.empty()) tip += RichText::filled(QStringLiteral("<tr><td colspan='2'>%1</td></tr>"), text(each));
    return RichText::filled(QStringLiteral("<table>%1</table>"), tip);
}

namespace {

// A chart of very many designs shows a sample, and all designs that are marked: one of each of as many equal parts, at a place that changes
// from part to part. At even distances all might have the same value on an axis.
std::vector<std::size_t> drawnRows(const std::vector<std::size_t>& rows, const std::set<std::size_t>& marked) {
    if (rows.size() <= mostSweepMarks) return rows;
    std::vector<std::size_t> drawn;
    constexpr double golden = 0.6180339887498949;
    const auto startOf = [&](std::size_t part) { return part * rows.size() / mostSweepMarks; };
    for (std::size_t part = 0; part < mostSweepMarks; ++part) {
        const std::size_t first = startOf(part), end = startOf(part + 1);
        const auto own =
            first + static_cast<std::size_t>(std::fmod(static_cast<double>(part) * golden, 1.0) * static_cast<double>(end - first));
        for (std::size_t i = first; i < end; ++i)
            if (i == own || marked.contains(rows[i])) drawn.push_back(rows[i]);
    }
    return drawn;
}

QString drawnText(std::size_t drawn, std::size_t all) {
    return drawn == all ? QString() : sweepWords(" Drawn: a sample of %1.").arg(text(formatCount(static_cast<std::int64_t>(drawn))));
}

} // namespace

QString sweepAxisTitle(const std::string& key) {
    if (key == "recipe") return sweepWords("Recipe");
    if (const ParameterInfo* row = recipeParameter(key)) return text(row->label);
    const std::size_t dot = key.find('.');
    if (const OptionSection* section = dot == std::string::npos ? nullptr : optionSectionNamed(key.substr(0, dot)))
        for (const ParameterInfo& row : section->rows())
            if (row.key == key.substr(dot + 1)) return sweepWords("%1: %2").arg(text(section->noun), text(row.label));
    return text(key);
}

SweepTitles sweepTitles(const SweepTable& table) {
    SweepTitles titles;
    std::map<QString, int> known;
    for (const std::string& key : table.axes) ++known[titles.axes.emplace_back(sweepAxisTitle(key))];
    for (const std::string& key : table.results) ++known[titles.results.emplace_back(sweepTitle(key))];
    for (std::size_t c = 0; c < table.results.size(); ++c)
        if (known[titles.results[c]] > 1) titles.results[c] += sweepWords(" (%1)").arg(text(table.results[c]));
    return titles;
}

std::vector<std::string> valuesOfAxis(const SweepTable& table, std::size_t axis) {
    std::vector<std::string> values;
    std::set<std::string> known;
    for (const SweepTable::Row& row : table.rows)
        if (known.insert(row.axes[axis]).second) values.push_back(row.axes[axis]);
    return values;
}

SweepCells sweepCells(const SweepTable& table, std::size_t x, std::size_t y, std::size_t result, const std::vector<std::string>& at) {
    SweepCells cells;
    std::vector<std::string> columns = valuesOfAxis(table, x), rows = x == y ? std::vector<std::string>{""} : valuesOfAxis(table, y);
    const std::size_t allColumns = columns.size(), allRows = rows.size();
    columns.resize(std::min(allColumns, mostSweepColumns));
    rows.resize(std::min(allRows, mostSweepCells / std::max<std::size_t>(1, columns.size())));
    const std::string& key = table.results[result];
    const SweepTitles titles = sweepTitles(table);
    const QString name = titles.results[result];
    const Range range = rangeOf(table, result);
    CellMapData& data = cells.data;
    const std::size_t count = columns.size() * rows.size();
    data.values.resize(count), data.cellText.resize(count), data.tips.resize(count), data.undecided.resize(count);
    cells.rows.resize(count);
    for (const std::string& value : columns) data.xLabels << sweepAxisText(value);
    for (const std::string& value : rows) data.yLabels << sweepAxisText(value);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        const SweepTable::Row& row = table.rows[r];
        bool isShown = true;
        for (std::size_t a = 0; a < table.axes.size(); ++a)
            isShown = isShown && (a == x || a == y || at[a].empty() || row.axes[a] == at[a]);
        if (!isShown) continue;
        const auto column = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), row.axes[x]) - columns.begin());
        const auto line = x == y ? 0 : static_cast<std::size_t>(std::find(rows.begin(), rows.end(), row.axes[y]) - rows.begin());
        if (column == columns.size() || line == rows.size()) continue; // beyond what is shown
        const std::size_t cell = line * columns.size() + column;
        if (cells.rows[cell]) continue; // of any value the first
        cells.rows[cell] = r;
        data.tips[cell] = sweepTip(table, r, titles);
        if (!row.results[result]) continue;
        data.values[cell] = range.heightOf(*row.results[result]);
        data.cellText[cell] = sweepValueText(key, *row.results[result]);
    }
    data.title = sweepWords("%1 over %2")
                     .arg(name, x == y ? sweepAxisTitle(table.axes[x])
                                       : sweepWords("%1 and %2").arg(sweepAxisTitle(table.axes[x]), sweepAxisTitle(table.axes[y])));
    QStringList fixed;
    for (std::size_t a = 0; a < table.axes.size(); ++a)
        if (a != x && a != y) fixed << sweepWords("%1 = %2").arg(sweepAxisTitle(table.axes[a]), sweepAxisText(at[a]));
    data.subtitle = fixed.isEmpty() ? QString() : fixed.join(QStringLiteral(", ")) + QLatin1Char('.');
    const auto first = [](const QString& axis, std::size_t shown, std::size_t all) {
        if (shown == all) return QString();
        return sweepWords(" The first %1 of %2 values of %3.")
            .arg(text(formatCount(static_cast<std::int64_t>(shown))), text(formatCount(static_cast<std::int64_t>(all))), axis);
    };
    data.subtitle +=
        first(sweepAxisTitle(table.axes[x]), columns.size(), allColumns) + first(sweepAxisTitle(table.axes[y]), rows.size(), allRows);
    data.subtitle = data.subtitle.trimmed();
    data.xName = sweepAxisTitle(table.axes[x]);
    data.yName = x == y ? QString() : sweepAxisTitle(table.axes[y]);
    data.colorName = name;
    if (!range.isEmpty()) data.lowText = sweepValueText(key, range.low), data.highText = sweepValueText(key, range.high);
    return cells;
}

std::vector<std::size_t> rowsAt(const SweepTable& table, const std::vector<std::string>& at) {
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        bool isThere = true;
        for (std::size_t a = 0; a < table.axes.size(); ++a) isThere = isThere && (at[a].empty() || table.rows[r].axes[a] == at[a]);
        if (isThere) rows.push_back(r);
    }
    return rows;
}

ScatterData sweepFront(const std::shared_ptr<const SweepTable>& shown, const std::vector<std::string>& at, const SweepGoal& x,
                       const SweepGoal& y) {
    const SweepTable& table = *shown;
    ScatterData chart;
    chart.tip = [shown](int row) { return sweepTip(*shown, static_cast<std::size_t>(row)); };
    std::vector<std::optional<std::size_t>> pointOf(table.rows.size());
    std::vector<std::size_t> rows = rowsAt(table, at);
    std::erase_if(rows, [&](std::size_t r) { return !table.rows[r].results[x.column] || !table.rows[r].results[y.column]; });
    const std::vector<std::size_t> best = paretoFront(table, rows, x, y), drawn = drawnRows(rows, {best.begin(), best.end()});
    for (const std::size_t r : drawn) {
        const auto &first = table.rows[r].results[x.column], &second = table.rows[r].results[y.column];
        pointOf[r] = chart.points.size();
        chart.points.push_back({*first, *second, static_cast<int>(r)});
    }
    for (const std::size_t row : best) chart.front.push_back(*pointOf[row]);
    const auto goal = [&, titles = sweepTitles(table)](const SweepGoal& each) {
        return sweepWords(each.lessIsBetter ? "%1, less is better" : "%1, more is better").arg(titles.results[each.column]);
    };
    chart.xName = goal(x), chart.yName = goal(y);
    const auto tickWords = [](const std::string& key) {
        return [key](const ScatterData::Tick& tick) { return text(tickText(keyOfColumn(key), {tick.value, tick.step, tick.largest})); };
    };
    chart.xText = tickWords(table.results[x.column]), chart.yText = tickWords(table.results[y.column]);
    chart.isLessBetter[0] = x.lessIsBetter, chart.isLessBetter[1] = y.lessIsBetter;
    chart.title = counted(static_cast<std::int64_t>(chart.front.size()), sweepWords("%1 design is beaten by no other in both"),
                          sweepWords("%1 designs are beaten by no other in both"));
    chart.subtitle = counted(static_cast<std::int64_t>(rows.size()), sweepWords("Of %1 design with both values."),
                             sweepWords("Of %1 designs with both values.")) +
                     drawnText(drawn.size(), rows.size());
    return chart;
}

std::vector<std::size_t> resultsThatDiffer(const SweepTable& table) {
    std::vector<std::size_t> differing, others;
    for (std::size_t c = 0; c < table.results.size(); ++c) {
        std::optional<double> first; // of a million rows most columns differ in the first few
        const bool doDiffer = std::any_of(table.rows.begin(), table.rows.end(), [&](const SweepTable::Row& row) {
            const auto& value = row.results[c];
            if (!first) first = value;
            return value && *value != *first;
        });
        (doDiffer ? differing : others).push_back(c);
    }
    differing.insert(differing.end(), others.begin(), others.end());
    return differing;
}

// The results that a chart has room for.
std::vector<std::size_t> drawnResults(const SweepTable& table) {
    std::vector<std::size_t> drawn = resultsThatDiffer(table);
    if (drawn.size() > mostSweepLineResults) drawn.resize(mostSweepLineResults);
    std::sort(drawn.begin(), drawn.end());
    return drawn;
}

ParallelData sweepLines(const std::shared_ptr<const SweepTable>& shown, const std::vector<std::string>& at,
                        const std::vector<std::size_t>& marked, const QString& ofFront) {
    const SweepTable& table = *shown;
    ParallelData chart;
    chart.tip = [shown](int row) { return sweepTip(*shown, static_cast<std::size_t>(row)); };
    std::vector<std::vector<std::string>> values;
    constexpr std::size_t mostLabels = 12;
    for (std::size_t a = 0; a < table.axes.size(); ++a) {
        values.push_back(valuesOfAxis(table, a));
        ParallelData::Axis axis{sweepAxisTitle(table.axes[a]), {}};
        const std::size_t count = values.back().size(), every = (count + mostLabels - 1) / mostLabels;
        for (std::size_t v = 0; v < count; v += every)
            axis.labels.emplace_back(count > 1 ? static_cast<double>(v) / static_cast<double>(count - 1) : 0.5,
                                     sweepAxisText(values.back()[v]));
        chart.axes.push_back(std::move(axis));
    }
    std::vector<Range> ranges;
    const std::vector<std::size_t> results = drawnResults(table);
    const SweepTitles titles = sweepTitles(table);
    for (const std::size_t c : results) {
        const Range range = rangeOf(table, c);
        ranges.push_back(range);
        ParallelData::Axis axis{titles.results[c], {}};
        if (!range.isEmpty() && !(range.low < range.high))
            axis.labels = {{0.5, sweepValueText(table.results[c], range.low)}};
        else if (!range.isEmpty())
            axis.labels = {{0.0, sweepValueText(table.results[c], range.low)}, {1.0, sweepValueText(table.results[c], range.high)}};
        chart.axes.push_back(std::move(axis));
    }
    const std::set<std::size_t> front(marked.begin(), marked.end());
    const std::vector<std::size_t> rows = rowsAt(table, at), drawn = drawnRows(rows, front);
    for (const std::size_t r : drawn) {
        const SweepTable::Row& row = table.rows[r];
        ParallelData::Line line{{}, static_cast<int>(r), front.contains(r)};
        for (std::size_t a = 0; a < table.axes.size(); ++a) {
            const auto place = std::find(values[a].begin(), values[a].end(), row.axes[a]) - values[a].begin();
            line.heights.emplace_back(values[a].size() > 1 ? static_cast<double>(place) / static_cast<double>(values[a].size() - 1) : 0.5);
        }
        for (std::size_t c = 0; c < results.size(); ++c) {
            const auto& value = row.results[results[c]];
            line.heights.push_back(value ? std::optional(ranges[c].heightOf(*value)) : std::nullopt);
        }
        chart.lines.push_back(std::move(line));
    }
    chart.title = counted(static_cast<std::int64_t>(rows.size()), sweepWords("%1 design"), sweepWords("%1 designs, a line each"));
    chart.subtitle = front.empty() ? QString() : sweepWords("Blue: the Pareto front of %1.").arg(ofFront);
    if (results.size() < table.results.size())
        chart.subtitle += sweepWords(" Showing %1 of %2 results; the table has all of them.")
                              .arg(QString::number(results.size()), QString::number(table.results.size()));
    chart.subtitle = (chart.subtitle + drawnText(drawn.size(), rows.size())).trimmed();
    return chart;
}

} // namespace railyard
