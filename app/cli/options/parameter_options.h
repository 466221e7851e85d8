// Options of a verb from the rows of their parameters.
#pragma once

#include "core/base/parameter.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <vector>

namespace railyard::cli {

// The option of one row; its value goes to `given` as text once it has no problem. With `isChecked` false any text is accepted.
CLI::Option* addParameter(CLI::App& verb, const ParameterInfo& info, const std::string& usual, const std::shared_ptr<ParameterTexts>& given,
                          bool isChecked = true);

// Errors with the names of the command line: "--rank-order tp-pp: must ...".
template <class Settings>
std::vector<Error> asOptions(std::span<const Parameter<Settings>> rows, std::vector<Error> errors) {
    for (Error& error : errors) {
        const auto* row = parameterNamed(rows, error.field);
        if (!row || error.wrong.empty()) continue;
        const std::string named = error.field + " = " + error.value; // before what is wrong and the nearest values that work
        const std::string rest = error.text.starts_with(named) ? error.text.substr(named.size()) : ": " + error.wrong;
        error.text = row->info.option() + " " + error.value + rest;
    }
    return errors;
}

// All rows as options; their values are read with `settingsFrom` once the command line is.
template <class Settings>
std::vector<CLI::Option*> addParameters(CLI::App& verb, std::span<const Parameter<Settings>> rows, const Settings& usual,
                                        const std::shared_ptr<ParameterTexts>& given) {
    std::vector<CLI::Option*> added;
    for (const Parameter<Settings>& row : rows) added.push_back(addParameter(verb, row.info, row.text(usual), given));
    return added;
}

template <class Settings>
Result<Settings> settingsFrom(std::span<const Parameter<Settings>> rows, Settings usual, const ParameterTexts& given, std::string_view of) {
    auto settings = withTexts(rows, std::move(usual), given, of);
    if (!settings) return asOptions(rows, settings.errors());
    return settings;
}

} // namespace railyard::cli
