// Shared by all functions that write explanations.
#pragma once

#include "core/analysis/figures/explain.h"

namespace railyard {

std::string identifier(const std::string& text); // sw-qm9700 -> sw_qm9700

struct ExplanationBook {
    std::vector<Explanation> all;

    void add(Explanation explanation) { all.push_back(std::move(explanation)); }
    template <class Number>
    void counted(const std::string& key, Number value, const std::string& source) {
        counted(key, static_cast<double>(value), source);
    }
    void counted(const std::string& key, double value, const std::string& source, const std::string& unit = {});
    void unknown(const std::string& key, const std::string& unit, const std::string& why);
    void sum(const std::string& key, double value, const std::string& unit, std::vector<ExplainedInput> inputs,
             const std::string& note = {});
    void products(const std::string& key, double value, const std::string& unit,
                  const std::vector<std::pair<ExplainedInput, ExplainedInput>>& terms, const std::string& note = {});
};

} // namespace railyard
