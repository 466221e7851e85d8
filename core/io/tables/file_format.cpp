#include "core/io/tables/file_format.h"

#include <fmt/format.h>

namespace railyard {

std::string extensionsOf(const std::vector<FileFormat>& formats) {
    std::string text;
    for (std::size_t i = 0; i < formats.size(); ++i) {
        if (i > 0) text += i + 1 == formats.size() ? " or " : ", ";
        text += formats[i].extension;
    }
    return text;
}

Error unknownFormat(std::string_view what, const std::string& path, const std::vector<FileFormat>& formats) {
    return Error::usage(fmt::format("{}: {} is written as {}", path, what, extensionsOf(formats)));
}

} // namespace railyard
