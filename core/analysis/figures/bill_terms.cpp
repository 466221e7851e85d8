#include "core/analysis/figures/bill_terms.h"

#include <fmt/format.h>

namespace railyard {

std::string nameOfLine(const Bill& bill, std::size_t line) {
    const BillLine& of = bill.lines[line];
    return fmt::format("{}_{}", line + 1, of.part ? of.part->id : of.section);
}

ExplainedInput quantityOf(const Bill& bill, std::size_t line) {
    return {"qty_" + nameOfLine(bill, line), static_cast<double>(bill.lines[line].quantity), "",
            "bill line: " + bill.lines[line].description, "counted"};
}

std::string weakestConfidence(const OriginTerms& terms) {
    std::vector<ExplainedInput> inputs;
    for (const auto& [quantity, each] : terms) inputs.push_back(each);
    return weakestConfidence(inputs);
}

} // namespace railyard
