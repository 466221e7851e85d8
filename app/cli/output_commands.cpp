#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/io/deliverables.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

int runBom(const DesignInput& input, const std::string& output) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    Status written = writeBom(*loaded->fabric, metricsOf(*loaded->fabric, *loaded->intact), output);
    return written ? 0 : report(written.errors());
}

int runCables(const DesignInput& input, const std::string& output, const std::string& labels) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    Status written = writeCables(*loaded->fabric, output, labels);
    return written ? 0 : report(written.errors());
}

int runExport(const DesignInput& input, const std::string& format, const std::string& folder) {
    if (format != "csv") return report({Error::usage(fmt::format("--format {}: this version writes csv", format))});
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return report({Error::file(folder, fmt::format("cannot be made: {}; choose another folder", failure.message()))});
    const Fabric& fabric = *loaded->fabric;
    for (const auto& [name, text] :
         {std::pair("devices.csv", devicesCsv(fabric)), std::pair("links.csv", linksCsv(fabric, cablingOf(fabric)))})
        if (Status written = writeFile(folder + "/" + name, text); !written) return report(written.errors());
    return 0;
}

} // namespace

void addOutputCommands(CLI::App& app, Run& run) {
    auto bom = std::make_shared<DesignInput>();
    auto bomFile = std::make_shared<std::string>();
    auto* verb = app.add_subcommand("bom", "bill of materials: .xlsx with live formulas, .csv, .json");
    bom->addTo(*verb, false);
    verb->add_option("-o", *bomFile, "file to write")->required();
    verb->callback([=, &run] { run = [=] { return runBom(*bom, *bomFile); }; });

    auto cables = std::make_shared<DesignInput>();
    auto cableFile = std::make_shared<std::string>(), labels = std::make_shared<std::string>(labelDefault());
    verb = app.add_subcommand("cables", "cable schedule, one row a cable, both ends");
    cables->addTo(*verb, false);
    verb->add_option("-o", *cableFile, "file to write: .xlsx or .csv")->required();
    verb->add_option("--labels", *labels, "label template")->capture_default_str();
    verb->callback([=, &run] { run = [=] { return runCables(*cables, *cableFile, *labels); }; });

    auto exported = std::make_shared<DesignInput>();
    auto format = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
    verb = app.add_subcommand("export", "the complete flat fabric: devices.csv and links.csv");
    exported->addTo(*verb, true);
    verb->add_option("--format", *format, "csv")->required();
    verb->add_option("-o", *folder, "folder to write into")->required();
    verb->callback([=, &run] { run = [=] { return runExport(*exported, *format, *folder); }; });
}

} // namespace railyard::cli
