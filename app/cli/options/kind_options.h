// Options that only some kinds of a verb's answer use: grouped in the help, refused where they would be ignored.
#pragma once

#include "core/base/result.h"

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard::cli {

class KindOptions {
public:
    // `selector` is the option that chooses the kind: --kind, --pattern. Empty: the verb has one kind, which uses all of them.
    explicit KindOptions(std::string selector) : m_selector(std::move(selector)) {}
    void add(CLI::Option* option, std::vector<std::string> kinds);
    void addAll(const KindOptions& others, const std::vector<std::string>& kinds); // that another choice narrows further
    // Wrong usage if an option was given that this kind does not use.
    Status check(std::string_view kind) const;

private:
    std::string m_selector;
    std::vector<std::pair<CLI::Option*, std::vector<std::string>>> m_options;
};

} // namespace railyard::cli
