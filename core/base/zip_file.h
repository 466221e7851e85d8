// A ZIP archive in memory: the same entries give the same bytes.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard {

using ZipEntries = std::vector<std::pair<std::string, std::string>>; // name and content, in the order of the archive
// Errors: no memory or no room for a temporary file.
Result<std::string> zipOf(const ZipEntries& entries);
std::uint32_t crc32Of(std::string_view bytes); // of ISO 3309, as ZIP and PNG have it

// The entries of an archive, up to this many bytes in all. Errors: no archive, damaged, or larger.
Result<ZipEntries> entriesOf(const std::string& bytes, std::size_t most);

} // namespace railyard
