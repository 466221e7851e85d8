#include "app/cli/verbs/verb.h"
#include "core/io/tables/fabric_csv.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

int runExport(const DesignInput& input, const std::string& format, const std::string& folder, bool json) {
    if (format != "csv") return report({Error::usage(fmt::format("--format {}: must be csv in this version", format))});
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    if (folder == "-") return report({Error::usage("-o -: an export has several files; specify a folder")});
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return report({Error::file(folder, fmt::format("cannot be created: {}; choose another folder", failure.message()))});
    const Fabric& fabric = *loaded->fabric;
    std::vector<std::string> files;
    const Status done = writeFabricCsv(fabric, folder, files);
    return writtenFiles(done, json, files);
}

Run addExport(CLI::App& verb) {
    auto json = std::make_shared<bool>(false);
    auto exported = std::make_shared<DesignInput>();
    auto format = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
    exported->addTo(verb, true);
    verb.add_option("--format", *format, "export format: csv")->required();
    verb.add_option("-o", *folder, "folder to write to")->required();
    verb.add_flag("--json", *json, "print JSON");
    return [=] { return runExport(*exported, *format, *folder, *json); };
}

} // namespace

const VerbInfo exportVerb{"export", "export the complete fabric as devices.csv and links.csv", neverShowsPrices, addExport};

} // namespace railyard::cli
