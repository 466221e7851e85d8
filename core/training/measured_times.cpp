#include "core/training/measured_times.h"

#include "core/base/csv_rows.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace railyard {
namespace {

using Kind = MeasuredOperation::Kind;

struct Form {
    std::string_view name, shape, example;
    std::size_t numbers = 0;
};
constexpr std::array<Form, 3> forms{
    {{"matmul", "MxNxK", "4096x12288x1536", 3}, {"attention", "TxSxHxD", "2048x2048x12x128", 4}, {"move", "bytes", "100663296", 1}}};

constexpr double mostOfShape = 1e15, leastMicroseconds = 1e-3, mostMicroseconds = 1e9; // shorter ones are no measurement

std::optional<double> positive(std::string_view text, double most) {
    const auto number = decimalFrom(text);
    return number && *number > 0 && *number <= most ? number : std::nullopt;
}

// 4096x12288x1536, with x or ×.
std::optional<std::vector<double>> numbersOf(std::string text, std::size_t wanted) {
    for (std::size_t at = 0; (at = text.find("×", at)) != std::string::npos;) text.replace(at, std::string_view("×").size(), "x");
    std::vector<double> numbers;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find('x', start), text.size());
        const auto number = positive(std::string_view(text).substr(start, end - start), mostOfShape);
        if (!number) return std::nullopt;
        numbers.push_back(*number);
        start = end + 1;
    }
    return numbers.size() == wanted ? std::optional(numbers) : std::nullopt;
}

Result<MeasuredOperation> operationOf(const CsvRow& row, const std::array<std::size_t, 3>& columns, const std::string& file) {
    const auto wrong = [&](std::size_t column, std::string text, const char* code) {
        return Error::file(file, std::move(text), row.line, static_cast<int>(columns[column]) + 1).with(code, row.cell(columns[column]));
    };
    const std::string &name = row.cell(columns[0]), &shape = row.cell(columns[1]), &time = row.cell(columns[2]);
    const auto form = std::find_if(forms.begin(), forms.end(), [&](const Form& each) { return each.name == name; });
    if (form == forms.end()) return wrong(0, fmt::format("operation \"{}\": must be matmul, attention or move", name), "choice");
    if (shape.empty())
        return wrong(1, fmt::format("{} has no shape; write {}, for example {}", name, form->shape, form->example), "missing");
    const auto numbers = numbersOf(shape, form->numbers);
    if (!numbers)
        return wrong(1, fmt::format("shape \"{}\" of {}: must be {}, for example {}", shape, name, form->shape, form->example), "value");
    const auto microseconds = positive(time, mostMicroseconds);
    if (!microseconds || *microseconds < leastMicroseconds)
        return wrong(2, fmt::format("us = \"{}\": must be a number from 0.001 to 1e9, in microseconds", time), "range");
    MeasuredOperation measured;
    measured.kind = static_cast<Kind>(form - forms.begin());
    measured.shape = shape;
    measured.time = Seconds(*microseconds * 1e-6);
    const std::vector<double>& n = *numbers;
    switch (measured.kind) {
    case Kind::Matmul:
        measured.rows = n[0], measured.columns = n[1], measured.depth = n[2];
        measured.work = 2 * n[0] * n[1] * n[2];
        break;
    case Kind::Attention:
        measured.keys = n[1], measured.width = n[3];
        measured.work = 4 * n[0] * n[1] * n[2] * n[3]; // scores, and their product with the values
        break;
    case Kind::Move: measured.work = n[0]; break;
    }
    return measured;
}

} // namespace

// The columns of the names, in their order.
static Result<std::array<std::size_t, 3>> columnsOf(const CsvRow& header, const std::string& file) {
    constexpr std::array<std::string_view, 3> names{"operation", "shape", "us"};
    std::array<std::size_t, 3> columns{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto found = std::find(header.cells.begin(), header.cells.end(), names[i]);
        if (found == header.cells.end())
            return Error::file(file, fmt::format("there is no column \"{}\"; the first row must be operation,shape,us", names[i]), 1, 1)
                .with("missing", std::string(names[i]));
        columns[i] = static_cast<std::size_t>(found - header.cells.begin());
    }
    return columns;
}

Result<MeasuredTimes> MeasuredTimes::read(const std::string& text, const std::string& file) {
    std::optional<Result<std::array<std::size_t, 3>>> columns;
    MeasuredTimes measured;
    std::vector<Error> errors;
    const Status done = eachCsvRow(text, file, [&](const CsvRow& row) {
        if (!columns) {
            columns = columnsOf(row, file);
            return static_cast<bool>(*columns);
        }
        auto found = operationOf(row, **columns, file);
        if (found)
            measured.add(std::move(*found));
        else
            errors.push_back(found.error());
        return errors.size() < mostErrors;
    });
    if (!done) return done.errors();
    if (!columns) columns = columnsOf({}, file);
    if (!*columns) return columns->errors();
    if (errors.empty() && measured.m_operations.empty())
        errors.push_back(Error::file(file, "has no measured operation below its first row"));
    if (!errors.empty()) return errors;
    return measured;
}

void MeasuredTimes::add(MeasuredOperation operation) {
    const auto addTo = [&](Sum& sum) { sum.seconds += operation.time.value(), ++sum.count; };
    if (operation.kind == Kind::Matmul) addTo(m_products[{operation.rows, operation.columns, operation.depth}]);
    addTo((operation.kind == Kind::Matmul ? m_matmul : operation.kind == Kind::Attention ? m_attention : m_move)[operation.work]);
    m_operations.push_back(std::move(operation));
}

std::optional<double> MeasuredTimes::product(double rows, double columns, double depth) const {
    if (const auto own = m_products.find({rows, columns, depth}); own != m_products.end()) return own->second.mean();
    return at(m_matmul, 2 * rows * columns * depth);
}

std::optional<double> MeasuredTimes::at(const Curve& curve, double work) {
    if (curve.empty()) return std::nullopt;
    const auto rate = [](const auto& point) { return point.first / point.second.mean(); };
    const auto above = curve.lower_bound(work);
    if (above == curve.end()) return work / rate(*std::prev(above));
    if (above == curve.begin() || above->first == work) return work / rate(*above);
    const auto below = std::prev(above);
    const double part = std::log(work / below->first) / std::log(above->first / below->first);
    return work / (rate(*below) + part * (rate(*above) - rate(*below)));
}

} // namespace railyard
