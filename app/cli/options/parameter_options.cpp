#include "app/cli/options/parameter_options.h"

#include <fmt/format.h>

namespace railyard::cli {

CLI::Option* addParameter(CLI::App& verb, const ParameterInfo& info, const std::string& usual, const std::shared_ptr<ParameterTexts>& given,
                          bool isChecked) {
    const std::string help = info.automatic.empty() ? std::string(info.help) : fmt::format("{}; default: {}", info.help, info.automatic);
    auto* option = verb.add_option_function<std::string>(
        info.option(), [given, key = std::string(info.key)](const std::string& text) { (*given)[key] = text; }, help);
    if (isChecked) option->check(CLI::Validator([info](std::string& text) { return info.problemOf(text); }, std::string()));
    if (info.automatic.empty()) option->default_str(usual);
    return option;
}

} // namespace railyard::cli
