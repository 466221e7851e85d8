#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/io/deliverables.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

// `--json`: what was written, and what it could not say.
int written(const Status& status, bool json, const std::vector<std::string>& files) {
    if (!status) return report(status.errors());
    if (json) printJson(Json{{"files", files}, {"losses", Json::array()}}.dump(2));
    return 0;
}

int runBom(const DesignInput& input, const std::string& output, bool json) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    return written(writeBom(*loaded->fabric, metricsOf(*loaded->fabric, *loaded->intact), output), json, {output});
}

int runCables(const DesignInput& input, const std::string& output, const std::string& labels, bool json) {
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    return written(writeCables(*loaded->fabric, output, labels), json, {output});
}

int runExport(const DesignInput& input, const std::string& format, const std::string& folder, bool json) {
    if (format != "csv") return report({Error::usage(fmt::format("--format {}: this version writes csv", format))});
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return report({Error::file(folder, fmt::format("cannot be made: {}; choose another folder", failure.message()))});
    const Fabric& fabric = *loaded->fabric;
    for (const auto& [name, text] :
         {std::pair("devices.csv", devicesCsv(fabric)), std::pair("links.csv", linksCsv(fabric, cablingOf(fabric)))})
        if (Status done = writeFile(folder + "/" + name, text); !done) return report(done.errors());
    return written(Done{}, json, {folder + "/devices.csv", folder + "/links.csv"});
}

} // namespace

void addOutputCommands(CLI::App& app, Run& run) {
    auto json = std::make_shared<bool>(false);
    auto bom = std::make_shared<DesignInput>();
    auto bomFile = std::make_shared<std::string>();
    auto* verb = app.add_subcommand("bom", "bill of materials: .xlsx with live formulas, .csv, .json");
    bom->addTo(*verb, false);
    verb->add_option("-o", *bomFile, "file to write")->required();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runBom(*bom, *bomFile, *json); }; });

    auto cables = std::make_shared<DesignInput>();
    auto cableFile = std::make_shared<std::string>(), labels = std::make_shared<std::string>(labelDefault());
    verb = app.add_subcommand("cables", "cable schedule, one row a cable, both ends");
    cables->addTo(*verb, false);
    verb->add_option("-o", *cableFile, "file to write: .xlsx or .csv")->required();
    verb->add_option("--labels", *labels, "label template")->capture_default_str();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runCables(*cables, *cableFile, *labels, *json); }; });

    auto exported = std::make_shared<DesignInput>();
    auto format = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
    verb = app.add_subcommand("export", "the complete flat fabric: devices.csv and links.csv");
    exported->addTo(*verb, true);
    verb->add_option("--format", *format, "csv")->required();
    verb->add_option("-o", *folder, "folder to write into")->required();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runExport(*exported, *format, *folder, *json); }; });
}

} // namespace railyard::cli
