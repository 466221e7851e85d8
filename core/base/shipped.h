// Data that is compiled into the program.
#pragma once

#include "core/base/result.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace railyard {

// The build ships the file and the tests read it: a broken one is a broken program. `what`: the name of the data.
template <class T>
T shippedOrAbort(Result<T> read, const char* what) {
    if (!read) {
        std::fprintf(stderr, "railyard: the built-in %s is broken: %s\n", what, toText(read.error()).c_str());
        std::abort();
    }
    return std::move(*read);
}

} // namespace railyard
