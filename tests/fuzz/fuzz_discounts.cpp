#include "core/io/tables/bom_parameters.h"
#include "tests/fuzz/fuzz.h"

using namespace railyard;

// The options of a bill, as people type them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = fuzz::textOf(data, size);
    for (const Parameter<BomOptions>& row : bomParameters()) {
        const std::string key(row.info.key);
        const auto options = readBomOptions({{key, text}});
        if (!fuzz::isRead(options)) continue;
        const std::string written = row.text(*options);
        const auto again = readBomOptions({{key, written}});
        fuzz::require(static_cast<bool>(again) && row.text(*again) == written, "an option is written the same after it was read again");
    }
    return 0;
}
