// A linear program that starts from zero: maximise objective · x where every row · x ≤ its limit, x ≥ 0 and limits are ≥ 0.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace railyard {

class LinearProgram {
public:
    explicit LinearProgram(std::size_t variables) : m_objective(variables) {}
    void maximise(std::size_t variable, double coefficient) { m_objective[variable] = coefficient; }
    std::size_t addRow(double limit); // returns its number
    void set(std::size_t row, std::size_t variable, double coefficient) { m_rows[row].coefficients[variable] = coefficient; }
    // Simplex with a full table: rows × (variables + rows) numbers. Empty if the objective has no limit or too many steps are needed.
    std::optional<std::vector<double>> solve() const;

private:
    struct Row {
        std::vector<double> coefficients;
        double limit = 0;
    };
    std::vector<double> m_objective;
    std::vector<Row> m_rows;
};

} // namespace railyard
