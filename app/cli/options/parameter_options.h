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

} // namespace railyard::cli
