#include "core/base/linear_program.h"

#include <cmath>
#include <utility>

namespace railyard {
namespace {

constexpr double rounding = 1e-11;

// One line for every row and one for the objective, all of them in terms of the variables that are 0 at present.
class Table {
public:
    Table(std::size_t rows, std::size_t variables) : m_width(rows + variables + 1), m_lines(rows + 1, std::vector<double>(m_width)) {}
    std::vector<double>& line(std::size_t row) { return m_lines[row]; } // the last: objective; the last number of a line: its limit
    std::size_t width() const { return m_width; }
    std::size_t rows() const { return m_lines.size() - 1; }

    // The variable whose increase gains most; in Bland's order the first, which never comes back to where it was.
    std::size_t entering(bool inBlandsOrder) const {
        const std::vector<double>& gain = m_lines.back();
        std::size_t best = m_width;
        for (std::size_t v = 0; v + 1 < m_width; ++v) {
            if (gain[v] <= rounding || (best < m_width && gain[v] <= gain[best])) continue;
            best = v;
            if (inBlandsOrder) break;
        }
        return best;
    }
    // The row that limits it first; of several the one whose variable comes first.
    std::size_t leaving(std::size_t variable, const std::vector<std::size_t>& basis) const {
        std::size_t best = rows();
        double least = 0;
        for (std::size_t row = 0; row < rows(); ++row) {
            const double slope = m_lines[row][variable];
            if (slope <= rounding) continue;
            const double most = m_lines[row].back() / slope;
            if (best == rows() || most < least || (most == least && basis[row] < basis[best])) best = row, least = most;
        }
        return best;
    }
    void pivot(std::size_t row, std::size_t variable) {
        std::vector<double>& own = m_lines[row];
        const double slope = own[variable];
        m_used.clear();
        for (std::size_t v = 0; v < m_width; ++v)
            if (own[v] != 0) own[v] /= slope, m_used.push_back(v);
        for (std::vector<double>& other : m_lines) {
            const double factor = other[variable];
            if (&other == &own || factor == 0) continue;
            for (const std::size_t v : m_used) other[v] -= factor * own[v];
            other[variable] = 0;
            if (&other != &m_lines.back() && other.back() < 0) other.back() = 0; // by rounding only
        }
    }

private:
    std::size_t m_width;
    std::vector<std::vector<double>> m_lines;
    std::vector<std::size_t> m_used; // numbers of the line that are not 0
};

} // namespace

std::size_t LinearProgram::addRow(double limit) {
    m_rows.push_back({std::vector<double>(m_objective.size()), limit});
    return m_rows.size() - 1;
}

std::optional<std::vector<double>> LinearProgram::solve() const {
    const std::size_t variables = m_objective.size(), rows = m_rows.size();
    Table table(rows, variables);
    std::vector<std::size_t> basis(rows); // by row: the variable that it determines
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t v = 0; v < variables; ++v) table.line(row)[v] = m_rows[row].coefficients[v];
        table.line(row)[variables + row] = 1;
        table.line(row).back() = m_rows[row].limit;
        basis[row] = variables + row;
    }
    for (std::size_t v = 0; v < variables; ++v) table.line(rows)[v] = m_objective[v];
    const std::size_t mostSteps = 50 * (rows + variables);
    std::size_t still = 0; // steps without gain
    for (std::size_t step = 0; step < mostSteps; ++step) {
        const std::size_t variable = table.entering(still > rows);
        if (variable == table.width()) {
            std::vector<double> x(variables);
            for (std::size_t row = 0; row < rows; ++row)
                if (basis[row] < variables) x[basis[row]] = table.line(row).back();
            return x;
        }
        const std::size_t row = table.leaving(variable, basis);
        if (row == rows) return {};
        still = table.line(row).back() > 0 ? 0 : still + 1;
        table.pivot(row, variable);
        basis[row] = variable;
    }
    return {};
}

} // namespace railyard
