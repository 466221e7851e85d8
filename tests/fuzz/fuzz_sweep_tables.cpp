#include "core/sweep/table_file.h"
#include "tests/fuzz/fuzz.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace railyard;

// A finished table, as CSV and as JSON, in a folder of its own: others are looked into for the sweep.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("railyard-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    for (const char* extension : {"table.csv", "table.json"}) {
        const std::string name = (folder / extension).string();
        std::ofstream(name, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
        const auto table = readSweepTable(name);
        if (!fuzz::isRead(table)) continue;
        for (const SweepTable::Row& row : table->rows)
            fuzz::require(row.axes.size() == table->axes.size() && row.results.size() == table->results.size(), "a row has every column");
    }
    return 0;
}
