#include "core/sweep/table.h"

#include "core/sweep/stored_table.h"

#include <algorithm>
#include <limits>

namespace railyard {

bool SweepTable::isComplete() const {
    if (!spec) return true;
    std::vector<bool> isThere(static_cast<std::size_t>(spec->points()));
    for (const Row& row : rows)
        if (row.point != noPoint) isThere[static_cast<std::size_t>(row.point)] = true;
    return std::find(isThere.begin(), isThere.end(), false) == isThere.end();
}

SweepTable tableOf(const SweepPlan& plan, const std::vector<std::optional<SweepAnswer>>& answers) {
    StoredTable stored;
    for (const SweepAxis& axis : plan.spec.axes) stored.axes.push_back(axis.key);
    ResultColumns columns(plan.spec);
    for (std::size_t point = 0; point < answers.size(); ++point)
        if (answers[point]) columns.add(static_cast<std::int64_t>(point), *answers[point]);
    stored.columns = columns.names();
    std::vector<std::int64_t> points;
    for (std::size_t point = 0; point < answers.size(); ++point) {
        if (!answers[point]) continue;
        StoredTable::Row row;
        const std::vector<std::size_t> values = plan.spec.valuesAt(static_cast<std::int64_t>(point));
        for (std::size_t a = 0; a < values.size(); ++a) row.axes.push_back(plan.spec.axes[a].values[values[a]]);
        const auto results = answers[point]->byKey();
        for (const std::string& key : columns.keys()) {
            const auto found = results.find(key);
            row.results.push_back(found == results.end() ? Json() : *found->second);
        }
        row.note = answers[point]->note;
        row.error = answers[point]->error;
        stored.rows.push_back(std::move(row));
        stored.ids.push_back(plan.ids[point]);
        points.push_back(static_cast<std::int64_t>(point));
    }
    SweepTable table = withNumbers(stored);
    for (std::size_t r = 0; r < points.size(); ++r) table.rows[r].point = points[r];
    table.spec = std::make_shared<const SweepSpec>(plan.spec);
    return table;
}

std::vector<std::size_t> paretoFront(const SweepTable& table, const std::vector<std::size_t>& among, const SweepGoal& first,
                                     const SweepGoal& second) {
    std::vector<std::size_t> rows;
    for (const std::size_t row : among)
        if (table.rows[row].results[first.column] && table.rows[row].results[second.column]) rows.push_back(row);
    const auto cost = [&](std::size_t row, const SweepGoal& goal) {
        const double value = *table.rows[row].results[goal.column];
        return goal.lessIsBetter ? value : -value;
    };
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(cost(a, first), cost(a, second)) < std::pair(cost(b, first), cost(b, second));
    });
    std::vector<std::size_t> front;
    double best = std::numeric_limits<double>::infinity();
    for (const std::size_t row : rows) {
        if (!(cost(row, second) < best)) continue;
        best = cost(row, second);
        front.push_back(row);
    }
    if (!first.lessIsBetter) std::reverse(front.begin(), front.end());
    return front;
}

} // namespace railyard
