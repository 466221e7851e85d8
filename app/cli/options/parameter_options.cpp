#include "app/cli/options/parameter_options.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace railyard::cli {

CLI::Option* addParameter(CLI::App& verb, const ParameterInfo& info, const std::string& usual, const std::shared_ptr<ParameterTexts>& texts,
                          bool isChecked) {
    const std::string help = info.automatic.empty() ? std::string(info.help) : fmt::format("{}; default: {}", info.help, info.automatic);
    const auto take = [texts, key = std::string(info.key)](const std::vector<std::string>& all) {
        (*texts)[key] = fmt::format("{}", fmt::join(all, "; "));
    };
    auto* option = verb.add_option_function<std::vector<std::string>>(info.option(), take, help)->expected(1);
    option->multi_option_policy(info.isList ? CLI::MultiOptionPolicy::TakeAll : CLI::MultiOptionPolicy::Throw);
    ParameterInfo given = info;
    if (!info.automatic.empty()) given.low = std::max(given.low, 1.0); // 0 is how documents leave it to the program
    if (isChecked) option->check(CLI::Validator([given](std::string& text) { return given.problemOf(text); }, std::string()));
    if (info.automatic.empty()) option->default_str(usual);
    return option;
}

} // namespace railyard::cli
