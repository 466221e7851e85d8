#include "core/sweep/table.h"
#include "tests/fuzz/fuzz.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace railyard;

// A finished table, as CSV and as JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    for (const char* extension : {".csv", ".json"}) {
        const std::string name =
            (std::filesystem::temp_directory_path() / ("railyard-fuzz-" + std::to_string(::getpid()) + extension)).string();
        std::ofstream(name, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
        const auto table = readSweepTable(name);
        if (!fuzz::isRead(table)) continue;
        for (const SweepTable::Row& row : table->rows)
            fuzz::require(row.axes.size() == table->axes.size() && row.results.size() == table->results.size(), "a row has every column");
    }
    return 0;
}
