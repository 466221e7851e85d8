#include "app/cli/verbs/verb.h"
#include "core/io/tables/fabric_csv.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

std::string formatNames() {
    std::string names;
    for (const FabricFormat& each : fabricFormats()) names += (names.empty() ? "" : ", ") + std::string(each.name);
    return names;
}

int runExport(const DesignInput& input, const std::string& format, const std::string& folder, bool json) {
    const auto row =
        std::find_if(fabricFormats().begin(), fabricFormats().end(), [&](const FabricFormat& each) { return each.name == format; });
    if (row == fabricFormats().end())
        return report({Error::usage(fmt::format("--format {}: must be one of {} in this version", format, formatNames()))});
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    if (folder == "-") return report({Error::usage("-o -: an export has several files; specify a folder")});
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return report({Error::file(folder, fmt::format("cannot be created: {}; choose another folder", failure.message()))});
    const Fabric& fabric = *loaded->fabric;
    std::vector<std::string> files;
    const Status done = row->write(fabric, folder, files);
    return writtenFiles(done, json, files);
}

Run addExport(CLI::App& verb) {
    auto json = std::make_shared<bool>(false);
    auto exported = std::make_shared<DesignInput>();
    auto format = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
    exported->addTo(verb, true);
    verb.add_option("--format", *format, "export format: " + formatNames())->required();
    verb.add_option("-o", *folder, "folder to write to")->required();
    verb.add_flag("--json", *json, "print JSON");
    return [=] { return runExport(*exported, *format, *folder, *json); };
}

} // namespace

const VerbInfo exportVerb{"export", "export the complete fabric as devices.csv and links.csv", neverShowsPrices, addExport};

} // namespace railyard::cli
