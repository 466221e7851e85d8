#include "app/cli/verbs/verb.h"
#include "core/io/formats/format.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct ExportOptions {
    DesignInput input;
    std::string format, output;
    bool json = false;
};

std::string exportNames() {
    std::string names;
    for (const Format& format : formatTable())
        if (format.write) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
    return names;
}

int runExport(const ExportOptions& o) {
    const Format* format = formatNamed(o.format);
    if (format && !format->write && format->canExport())
        return report({Error::usage(fmt::format("--format {}: pictures are written by the desktop program; use `railyard render {} -o {}`",
                                                o.format, o.input.file, o.output))});
    if (!format || !format->write)
        return report({Error::usage(fmt::format("--format {}: must be one of {} in this version", o.format, exportNames()))});
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    if (o.output == "-" && format->isFolder) return report({Error::usage("-o -: an export has several files; specify a folder")});
    if (o.output == "-" && o.json) return report({Error::usage("-o - and --json both write to standard output; use only one of them")});
    const auto done = format->write(*loaded->fabric, o.output);
    if (!done) return report(done.errors());
    for (const std::string& loss : done->losses) fmt::print(stderr, "railyard-cli: warning: {}\n", loss);
    if (o.json) printJson(jsonText({{"files", done->files}, {"losses", done->losses}}));
    return 0;
}

Run addExport(CLI::App& verb) {
    auto options = std::make_shared<ExportOptions>();
    options->input.addTo(verb, true);
    verb.add_option("--format", options->format, "export format: " + exportNames())->required();
    verb.add_option("-o", options->output, "file to write; for csv the folder")->required();
    verb.add_flag("--json", options->json, "print JSON");
    return [=] { return runExport(*options); };
}

bool showsBill(const CLI::App& verb) { return verb.get_option("--format")->as<std::string>() == "bom"; }

} // namespace

const VerbInfo exportVerb{"export", "export the elaborated fabric, its bill or its cables", showsBill, addExport};

} // namespace railyard::cli
