// The verbs that a sweep evaluates, read with the options that they have on the command line.
#pragma once

#include "core/sweep/evaluation.h"

#include <optional>
#include <string>
#include <vector>

namespace railyard {

std::vector<std::string> evaluationWords(const std::string& text);
// Empty if the text does not begin with a verb. Errors: options that the verb does not have, values that they cannot have.
std::optional<Result<Evaluation>> readVerb(const std::string& text);

} // namespace railyard
