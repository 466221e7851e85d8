#include "app/cli/options/parameter_options.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard::cli {

CLI::Option* addParameter(CLI::App& verb, const ParameterInfo& info, const std::string& usual, const std::shared_ptr<ParameterTexts>& texts,
                          bool isChecked) {
    const std::string help = info.automatic.empty() ? std::string(info.help) : fmt::format("{}; default: {}", info.help, info.automatic);
    auto* option = verb.add_option_function<std::string>(
        info.option(), [texts, key = std::string(info.key)](const std::string& text) { (*texts)[key] = text; }, help);
    ParameterInfo given = info;
    if (!info.automatic.empty()) given.low = std::max(given.low, 1.0); // 0 is how documents leave it to the program
    if (isChecked) option->check(CLI::Validator([given](std::string& text) { return given.problemOf(text); }, std::string()));
    if (info.automatic.empty()) option->default_str(usual);
    return option;
}

} // namespace railyard::cli
