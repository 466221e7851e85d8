// A ZIP archive in memory: the same entries give the same bytes.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace railyard {

using ZipEntries = std::vector<std::pair<std::string, std::string>>; // name and content, in the order of the archive
// Errors: no memory or no room for a temporary file.
Result<std::string> zipOf(const ZipEntries& entries);
std::uint32_t crc32Of(std::string_view bytes); // of ISO 3309, as ZIP and PNG have it

// The entries of an archive, or those whose names are wanted, up to this many bytes in all. Errors: no archive, damaged, or larger.
using WantedEntry = std::function<bool(const std::string& name)>;
Result<ZipEntries> entriesOf(const std::string& bytes, std::size_t most, const WantedEntry& isWanted = {});
// Calls use(piece) for the content of an entry until it returns false. Nothing happens where there is no such entry. Errors: no archive, or
// damaged.
Status readEntry(const std::string& bytes, const std::string& name, const std::function<bool(std::string_view piece)>& use);
// The archive with these entries in the place of those of their names, or at its end. All others are copied as they are, without
// unpacking: workbooks may hold gigabytes. Errors: no archive, damaged, no room for temporary files.
Result<std::string> withEntries(const std::string& bytes, const ZipEntries& entries);

} // namespace railyard
