#include "core/analysis/figures/origin.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>

namespace railyard {
namespace {

// From firm to weak.
constexpr std::array<std::string_view, 7> confidences{"counted",    "computed", "datasheet",      "published-price",
                                                      "assumption", "derived",  "street-estimate"};

std::size_t rankOf(const std::string& confidence) {
    const auto it = std::find(confidences.begin(), confidences.end(), confidence);
    return it == confidences.end() ? confidences.size() - 1 : static_cast<std::size_t>(it - confidences.begin());
}

} // namespace

std::string weakestConfidence(const std::vector<ExplainedInput>& inputs) {
    std::string weakest = "counted";
    for (const ExplainedInput& input : inputs)
        if (rankOf(input.confidence) > rankOf(weakest)) weakest = input.confidence;
    return weakest;
}

std::string identifier(std::string_view text) {
    std::string name;
    for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) ? "_" + name : name;
}

Origin countedFrom(const FigureQuery& asked, std::string source, std::string_view unit) {
    return {"count", {{"count", asked.value, std::string(unit), std::move(source), "counted"}}};
}

Origin unknownBecause(const std::string& why) { return {"", {}, "Unknown: " + why + "."}; }

Origin sumOf(std::vector<ExplainedInput> inputs, std::string note) {
    std::string formula;
    for (ExplainedInput& input : inputs) {
        input.name = identifier(input.name);
        formula += (formula.empty() ? "" : " + ") + input.name;
    }
    return {formula.empty() ? "0" : formula, std::move(inputs), std::move(note)};
}

Origin sumOfProducts(const OriginTerms& terms, std::string note) {
    Origin origin{"", {}, std::move(note)};
    for (auto [a, b] : terms) {
        a.name = identifier(a.name);
        b.name = identifier(b.name);
        origin.formula += fmt::format("{}{} * {}", origin.formula.empty() ? "" : " + ", a.name, b.name);
        origin.inputs.push_back(std::move(a));
        origin.inputs.push_back(std::move(b));
    }
    if (origin.formula.empty()) origin.formula = "0";
    return origin;
}

} // namespace railyard
