#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/tables/bom.h"
#include "core/io/tables/bom_workbook.h"
#include "core/io/tables/cable_schedule.h"
#include "core/io/tables/fabric_csv.h"
#include "core/json/json_text.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

// `--json`: what was written, and what it could not say.
int written(const Status& status, bool json, const std::vector<std::string>& files) {
    if (!status) return report(status.errors());
    if (json) printJson(jsonText(Json{{"files", files}, {"losses", Json::array()}}));
    return 0;
}

struct BomArguments {
    DesignInput input;
    std::string output, view = "flat", currency = "USD", spares;
};

int runBom(const BomArguments& o, bool json) {
    if (o.view != "flat" && o.view != "by-block") return report({Error::usage(fmt::format("--view {}: must be flat or by-block", o.view))});
    auto currency = parseCurrency(o.currency);
    if (!currency) return report(currency.errors());
    BomOptions options{o.view == "by-block", {}, *currency};
    if (!o.spares.empty()) {
        const auto confidence = parseFraction(o.spares);
        if (!confidence) return report({Error::usage("--spares: " + confidence.error().text)});
        if (*confidence <= 0 || *confidence >= 1)
            return report(
                {Error::usage(fmt::format("--spares {}: must be greater than 0% and less than 100%, for example 95%", o.spares))});
        options.sparesConfidence = *confidence;
    }
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    return written(writeBom(*loaded->fabric, metricsOf(*loaded->fabric), o.output, options), json, {o.output});
}

int runCables(const DesignInput& input, const std::string& output, const std::string& labels, const std::string& dialect, bool json) {
    const auto known = portDialectFrom(dialect);
    if (!known) return report(known.errors());
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    return written(writeCables(*loaded->fabric, output, {labels, *known}), json, {output});
}

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
    return written(done, json, files);
}

} // namespace

void addOutputCommands(CLI::App& app, Run& run) {
    auto json = std::make_shared<bool>(false);
    auto bom = std::make_shared<BomArguments>();
    auto* verb = app.add_subcommand("bom", "write the bill of materials as .xlsx with live formulas, .csv or .json");
    bom->input.addTo(*verb, false);
    verb->add_option("-o", bom->output, "file to write: .xlsx, .csv or .json")->required();
    verb->add_option("--view", bom->view, "flat, or by-block (quantities per block and the number of blocks)")->capture_default_str();
    verb->add_option("--spares", bom->spares,
                     "add spare parts that last for the replacement lead time with this probability, for example 95%");
    verb->add_option("--currency", bom->currency, "currency of the prices and its value per US dollar, for example EUR=0.92")
        ->capture_default_str();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runBom(*bom, *json); }; });

    auto cables = std::make_shared<DesignInput>();
    auto cableFile = std::make_shared<std::string>(), labels = std::make_shared<std::string>(labelDefault()),
         dialect = std::make_shared<std::string>("railyard");
    verb = app.add_subcommand("cables", "write the cable schedule, one row per cable with both ends");
    cables->addTo(*verb, false);
    verb->add_option("-o", *cableFile, "file to write: .xlsx or .csv")->required();
    verb->add_option("--labels", *labels, "template of the cable labels")->capture_default_str();
    verb->add_option("--dialect", *dialect, "port naming: railyard, nvidia, cumulus, sonic, nvos, infiniband, nx-os, arista or sr-linux")
        ->capture_default_str();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runCables(*cables, *cableFile, *labels, *dialect, *json); }; });

    auto exported = std::make_shared<DesignInput>();
    auto format = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
    verb = app.add_subcommand("export", "export the complete fabric as devices.csv and links.csv");
    exported->addTo(*verb, true);
    verb->add_option("--format", *format, "export format: csv")->required();
    verb->add_option("-o", *folder, "folder to write to")->required();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runExport(*exported, *format, *folder, *json); }; });
}

} // namespace railyard::cli
