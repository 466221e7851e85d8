// Measured times of single operations on one GPU, which replace the built-in curves.
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace railyard {

// A CSV file with the columns operation, shape and us (microseconds). Operations and their shapes:
//   matmul     MxNxK: the product of M x K and K x N, summed over K
//   attention  TxSxHxD: T tokens of one GPU attend to S keys with H heads of width D, forward, with softmax, without a causal mask
//   move       bytes read and written by a kernel that computes little: norms, dropouts, residuals, activation functions
// A shape that was measured has its measured time, the mean if it was measured several times. Between two shapes the rate (work / time)
// changes evenly with the logarithm of the work, and beyond the smallest and the largest it stays. An operation without a row keeps its
// built-in curve. The precision of the job does not matter: what was measured is taken as it is.
struct MeasuredOperation {
    enum class Kind { Matmul, Attention, Move };
    Kind kind = Kind::Matmul;
    std::string shape;
    double rows = 0, columns = 0, depth = 0; // of a product
    double keys = 0, width = 0;              // of attention: of a sequence, of a head
    double work = 0;                         // FLOP; bytes of Move
    Seconds time;
};

class MeasuredTimes {
public:
    // Errors with line and column: columns that are missing, unknown operations, shapes that are missing or of another form, times that are
    // no positive numbers, no rows.
    static Result<MeasuredTimes> read(const std::string& text, const std::string& file);

    bool hasProducts() const { return !m_matmul.empty(); }
    std::optional<double> product(double rows, double columns, double depth) const; // seconds; empty if there are no products
    std::optional<double> attention(double flops) const { return at(m_attention, flops); }
    std::optional<double> move(double bytes) const { return at(m_move, bytes); }
    const std::vector<MeasuredOperation>& operations() const { return m_operations; }

private:
    struct Sum {
        double seconds = 0;
        int count = 0;
        double mean() const { return seconds / count; }
    };
    using Curve = std::map<double, Sum>; // by work
    static std::optional<double> at(const Curve& curve, double work);
    void add(MeasuredOperation operation);

    std::vector<MeasuredOperation> m_operations;
    std::map<std::vector<double>, Sum> m_products; // by shape
    Curve m_matmul, m_attention, m_move;
};

} // namespace railyard
