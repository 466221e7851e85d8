#include "app/cli/options/kind_options.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard::cli {
namespace {

std::string listed(const std::vector<std::string>& kinds) {
    std::string text;
    for (std::size_t i = 0; i < kinds.size(); ++i) text += (i == 0 ? "" : i + 1 == kinds.size() ? " and " : ", ") + kinds[i];
    return text;
}

} // namespace

void KindOptions::add(CLI::Option* option, std::vector<std::string> kinds) {
    if (!m_selector.empty()) option->group(fmt::format("Options of {} {}", m_selector, listed(kinds)));
    m_options.emplace_back(option, std::move(kinds));
}

void KindOptions::addAll(const KindOptions& others, const std::vector<std::string>& kinds) {
    for (const auto& [option, narrower] : others.m_options) add(option, kinds);
}

Status KindOptions::check(std::string_view kind) const {
    for (const auto& [option, kinds] : m_options)
        if (!m_selector.empty() && option->count() > 0 && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
            return Error::usage(fmt::format("{}: {} {} does not use it; it is an option of {} {}", option->get_name(), m_selector, kind,
                                            m_selector, listed(kinds)));
    return Done{};
}

} // namespace railyard::cli
