#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
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

struct BomArguments {
    DesignInput input;
    std::string output, view = "flat", currency = "USD", spares;
};

int runBom(const BomArguments& o, bool json) {
    if (o.view != "flat" && o.view != "by-block") return report({Error::usage(fmt::format("--view {}: flat or by-block", o.view))});
    auto currency = parseCurrency(o.currency);
    if (!currency) return report(currency.errors());
    BomOptions options{o.view == "by-block", {}, *currency};
    if (!o.spares.empty()) {
        const auto confidence = parseFraction(o.spares);
        if (!confidence) return report({Error::usage("--spares: " + confidence.error().text)});
        if (*confidence <= 0 || *confidence >= 1)
            return report({Error::usage(fmt::format("--spares {}: a certainty above 0 % and below 100 %, like 95%", o.spares))});
        options.sparesConfidence = *confidence;
    }
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    return written(writeBom(*loaded->fabric, metricsOf(*loaded->fabric, *loaded->intact), o.output, options), json, {o.output});
}

int runCables(const DesignInput& input, const std::string& output, const std::string& labels, const std::string& dialect, bool json) {
    const auto known = portDialectFrom(dialect);
    if (!known) return report(known.errors());
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    return written(writeCables(*loaded->fabric, output, {labels, *known}), json, {output});
}

int runExport(const DesignInput& input, const std::string& format, const std::string& folder, bool json) {
    if (format != "csv") return report({Error::usage(fmt::format("--format {}: this version writes csv", format))});
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return report({Error::file(folder, fmt::format("cannot be made: {}; choose another folder", failure.message()))});
    const Fabric& fabric = *loaded->fabric;
    const Cabling cabling = cablingOf(fabric);
    for (const auto& [name, text] :
         {std::pair("devices.csv", devicesCsv(fabric, cabling.floor)), std::pair("links.csv", linksCsv(fabric, cabling))})
        if (Status done = writeFile(folder + "/" + name, text); !done) return report(done.errors());
    std::vector<std::string> files{folder + "/devices.csv", folder + "/links.csv"};
    for (const SideFabric& side : sideFabricsOf(fabric)) // networks beside the compute fabric, apart
        for (const auto& [name, text] : {std::pair("devices.csv", devicesCsv(*side.fabric, side.cabling.floor)),
                                         std::pair("links.csv", linksCsv(*side.fabric, side.cabling))}) {
            files.push_back(folder + "/" + side.name + "-" + name);
            if (Status done = writeFile(files.back(), text); !done) return report(done.errors());
        }
    return written(Done{}, json, files);
}

} // namespace

void addOutputCommands(CLI::App& app, Run& run) {
    auto json = std::make_shared<bool>(false);
    auto bom = std::make_shared<BomArguments>();
    auto* verb = app.add_subcommand("bom", "bill of materials: .xlsx with live formulas, .csv, .json");
    bom->input.addTo(*verb, false);
    verb->add_option("-o", bom->output, "file to write")->required();
    verb->add_option("--view", bom->view, "flat, or by-block: what one block needs, and how many there are")->capture_default_str();
    verb->add_option("--spares", bom->spares, "add spares that last until the replacement comes, with this certainty: 95%");
    verb->add_option("--currency", bom->currency, "prices in another currency at your rate to the US dollar: EUR=0.92")
        ->capture_default_str();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runBom(*bom, *json); }; });

    auto cables = std::make_shared<DesignInput>();
    auto cableFile = std::make_shared<std::string>(), labels = std::make_shared<std::string>(labelDefault()),
         dialect = std::make_shared<std::string>("railyard");
    verb = app.add_subcommand("cables", "cable schedule, one row a cable, both ends");
    cables->addTo(*verb, false);
    verb->add_option("-o", *cableFile, "file to write: .xlsx or .csv")->required();
    verb->add_option("--labels", *labels, "label template")->capture_default_str();
    verb->add_option("--dialect", *dialect, "port names: railyard, nvidia, cumulus, sonic, nvos, infiniband, nx-os, arista, sr-linux")
        ->capture_default_str();
    verb->add_flag("--json", *json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runCables(*cables, *cableFile, *labels, *dialect, *json); }; });

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
