// Options of the verbs of `railyard` from the rows of their parameters.
#pragma once

#include "core/base/parameter.h"

#include <CLI/CLI.hpp>
#include <span>

namespace railyard {

// The texts go to `given`, which must outlive the parser. A switch is a flag without a value.
template <class Settings>
void addRows(CLI::App& parser, std::span<const Parameter<Settings>> rows, ParameterTexts& given) {
    for (const Parameter<Settings>& row : rows) {
        const auto take = [&given, key = std::string(row.info.key)](const std::string& text) { given[key] = text; };
        if (row.info.kind == ParameterInfo::Kind::Switch) {
            parser.add_flag_callback(
                row.info.option(), [take] { take("on"); }, std::string(row.info.help));
            continue;
        }
        auto* option = parser.add_option_function<std::string>(row.info.option(), take, std::string(row.info.help));
        option->check(CLI::Validator([info = row.info](std::string& text) { return info.problemOf(text); }, std::string()));
        if (const std::string usual = row.text(Settings()); !usual.empty()) option->default_str(usual);
    }
}

} // namespace railyard
