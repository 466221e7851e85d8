// The options of slides and offers on the command line.
#pragma once

#include "widgets/export/slide_parameters.h"

#include <CLI/CLI.hpp>

namespace railyard {

// Their texts go to `given`, which must outlive the parser.
inline void addSlideOptions(CLI::App& parser, ParameterTexts& given) {
    for (const Parameter<SlideOptions>& row : slideParameters()) {
        const auto take = [&given, key = std::string(row.info.key)](const std::string& text) { given[key] = text; };
        auto* option = parser.add_option_function<std::string>(row.info.option(), take, std::string(row.info.help));
        option->check(CLI::Validator([info = row.info](std::string& text) { return info.problemOf(text); }, std::string()));
        if (const std::string usual = row.text(SlideOptions()); !usual.empty()) option->default_str(usual);
    }
}

} // namespace railyard
