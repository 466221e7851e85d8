#include "core/base/linear_program.h"
#include "tests/support/designs.h"

#include <cmath>

using namespace railyard;

namespace {

struct Problem {
    std::vector<double> objective;
    std::vector<std::vector<double>> rows;
    std::vector<double> limits;
};

// Solves a square system; empty if it has no single solution.
std::optional<std::vector<double>> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t pivot = i;
        for (std::size_t r = i; r < n; ++r)
            if (std::abs(a[r][i]) > std::abs(a[pivot][i])) pivot = r;
        if (std::abs(a[pivot][i]) < 1e-9) return {};
        std::swap(a[i], a[pivot]);
        std::swap(b[i], b[pivot]);
        for (std::size_t r = 0; r < n; ++r) {
            const double factor = r == i ? 0 : a[r][i] / a[i][i];
            for (std::size_t c = 0; c < n; ++c) a[r][c] -= factor * a[i][c];
            b[r] -= factor * b[i];
        }
    }
    for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
    return b;
}

// The best corner: every choice of as many tight constraints as there are variables.
double bestCorner(const Problem& problem) {
    const std::size_t n = problem.objective.size();
    std::vector<std::vector<double>> rows = problem.rows;
    std::vector<double> limits = problem.limits;
    for (std::size_t v = 0; v < n; ++v) { // -x <= 0
        rows.emplace_back(n, 0.0)[v] = -1;
        limits.push_back(0);
    }
    double best = 0; // all zero is a corner
    for (unsigned chosen = 0; chosen < (1U << rows.size()); ++chosen) {
        if (static_cast<std::size_t>(__builtin_popcount(chosen)) != n) continue;
        std::vector<std::vector<double>> a;
        std::vector<double> b;
        for (std::size_t r = 0; r < rows.size(); ++r)
            if (chosen >> r & 1U) a.push_back(rows[r]), b.push_back(limits[r]);
        const auto x = solved(a, b);
        bool holds = x.has_value();
        for (std::size_t r = 0; holds && r < rows.size(); ++r) {
            double sum = 0;
            for (std::size_t v = 0; v < n; ++v) sum += rows[r][v] * (*x)[v];
            holds = sum <= limits[r] + 1e-7;
        }
        double value = 0;
        for (std::size_t v = 0; holds && v < n; ++v) value += problem.objective[v] * (*x)[v];
        if (holds) best = std::max(best, value);
    }
    return best;
}

} // namespace

class tst_linear_program : public QObject {
    Q_OBJECT

private slots:
    void findsTheBestCorner() {
        test::Random random{7};
        for (int number = 0; number < 400; ++number) {
            const auto n = static_cast<std::size_t>(1 + random.below(4)), m = static_cast<std::size_t>(1 + random.below(5));
            Problem problem;
            LinearProgram program(n);
            for (std::size_t v = 0; v < n; ++v) {
                problem.objective.push_back(random.below(9) - 3);
                program.maximise(v, problem.objective[v]);
            }
            problem.rows.emplace_back(n, 1.0); // all of them together are limited
            problem.limits.push_back(1 + random.below(20));
            for (std::size_t r = 0; r < m; ++r) {
                problem.rows.emplace_back();
                for (std::size_t v = 0; v < n; ++v) problem.rows.back().push_back(random.below(7) - 2);
                problem.limits.push_back(random.below(12)); // 0 too: corners that coincide
            }
            for (std::size_t r = 0; r < problem.rows.size(); ++r) {
                const std::size_t row = program.addRow(problem.limits[r]);
                for (std::size_t v = 0; v < n; ++v) program.set(row, v, problem.rows[r][v]);
            }
            const auto x = program.solve();
            QVERIFY(x);
            double value = 0;
            for (std::size_t v = 0; v < n; ++v) {
                QVERIFY((*x)[v] >= -1e-9);
                value += problem.objective[v] * (*x)[v];
            }
            for (std::size_t r = 0; r < problem.rows.size(); ++r) {
                double sum = 0;
                for (std::size_t v = 0; v < n; ++v) sum += problem.rows[r][v] * (*x)[v];
                QVERIFY(sum <= problem.limits[r] + 1e-7);
            }
            QVERIFY2(std::abs(value - bestCorner(problem)) < 1e-6, qPrintable(QString::number(number)));
        }
    }
    void withoutALimitThereIsNoAnswer() {
        LinearProgram program(2);
        program.maximise(0, 1);
        const std::size_t row = program.addRow(5);
        program.set(row, 1, 1);
        QVERIFY(!program.solve());
    }
};

QTEST_APPLESS_MAIN(tst_linear_program)
#include "tst_linear_program.moc"
