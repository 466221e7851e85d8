// Reading whole files, and replacing them so that a reader sees the old or the new one, never half of it.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace railyard {

Result<std::string> readFile(const std::string& path);
// Writes beside the target, fsyncs, renames; the file keeps its permissions. Links are followed, and devices and pipes written to
// as they are. "-" is standard output. On failure the target is untouched.
Status writeFile(const std::string& path, std::string_view bytes);
// The same for writers that need a path of their own (workbooks, pictures): call `write` with a temporary
// path in the target's folder, then rename.
template <class Write>
Status replaceFile(const std::string& path, Write write);

std::string temporaryBeside(const std::string& path);
Status moveIntoPlace(const std::string& temporary, const std::string& path);

template <class Write>
Status replaceFile(const std::string& path, Write write) {
    const std::string temporary = temporaryBeside(path);
    Status written = write(temporary);
    if (!written) return written;
    return moveIntoPlace(temporary, path);
}

} // namespace railyard
