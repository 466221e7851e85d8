// How the verbs of `railyard` say what went wrong.
#pragma once

#include "core/base/error.h"

#include <cstdio>
#include <vector>

namespace railyard {

// On standard error, a line each; returns the exit code.
inline int report(const std::vector<Error>& errors) {
    for (const Error& error : errors) std::fprintf(stderr, "railyard: error: %s\n", toText(error).c_str());
    return static_cast<int>(errors.front().kind);
}

} // namespace railyard
