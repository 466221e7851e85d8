#include "app/cli/verbs/verb.h"
#include "core/base/counted.h"
#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/design_json.h"
#include "core/io/formats/format.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct ImportOptions {
    std::string source, output, format = "auto";
    bool json = false;
};

std::string importNames() {
    std::string names = "auto";
    for (const Format& format : formatTable())
        if (format.canImport()) names += fmt::format(", {}", format.name);
    return names;
}

// Prices of a price list: as a price book in the file, or into that of the user.
int takePrices(const ImportOptions& o, const Format& format, const PriceBook& prices) {
    Json answer{{"schema", "railyard.import/1"}, {"format", format.name}, {"prices", prices.prices().size()}, {"losses", Json::array()}};
    std::string path = o.output;
    if (!path.empty()) {
        if (const Status written = writeFile(path, prices.text()); !written) return report(written.errors());
    } else {
        const auto done = railyard::importPrices(prices);
        if (!done) return report(done.errors());
        path = done->path;
    }
    answer["files"] = {path};
    if (o.json)
        printJson(jsonText(answer));
    else if (path != "-")
        fmt::print("{}: {}\n", path, counted(static_cast<std::int64_t>(prices.prices().size()), "{} price", "{} prices"));
    return 0;
}

int takeDesign(const ImportOptions& o, const Format& format, const Imported& imported) {
    if (o.output.empty()) return report({Error::usage("-o: name the design file to write, for example -o design.railyard")});
    const auto lock = o.output == "-" ? Result<FileLock>(FileLock()) : FileLock::acquire(o.output);
    if (!lock) return report(lock.errors());
    if (const auto saved = saveDesign(*imported.design, o.output); !saved) return report(saved.errors());
    for (const std::string& loss : imported.losses) fmt::print(stderr, "railyard-cli: warning: {}\n", loss);
    const FabricCounts counts = countsOf(*elaborate(imported.design));
    if (o.json)
        printJson(jsonText({{"schema", "railyard.import/1"},
                            {"format", format.name},
                            {"files", {o.output}},
                            {"gpus", counts.gpus},
                            {"switches", counts.switches},
                            {"links", counts.links},
                            {"losses", imported.losses}}));
    else if (o.output != "-")
        fmt::print("{}: {} GPUs, {} switches, {} links\n", o.output, formatCount(counts.gpus), formatCount(counts.switches),
                   formatCount(counts.links));
    return 0;
}

int runImport(const ImportOptions& o) {
    const Format* asked = o.format == "auto" ? nullptr : formatNamed(o.format);
    if (o.format != "auto" && !(asked && asked->canImport()))
        return report({Error::usage(fmt::format("--format {}: must be one of {} in this version", o.format, importNames()))});
    if (o.output == "-" && o.json)
        return report({Error::usage("-o - and --json both write to standard output; use only one of them, or write to a file with -o")});
    const auto source = readImportSource(o.source);
    if (!source) return report(source.errors());
    const auto format = asked ? Result<const Format*>(asked) : detectFormat(*source);
    if (!format) {
        Error unclear = format.error();
        unclear.text += "; name the format with --format";
        return report({unclear});
    }
    const auto imported = (*format)->read(*source);
    if (!imported) return report(imported.errors());
    return imported->prices ? takePrices(o, **format, *imported->prices) : takeDesign(o, **format, *imported);
}

Run addImport(CLI::App& verb) {
    auto options = std::make_shared<ImportOptions>();
    verb.add_option("SRC", options->source, "file to import, or the folder of a CSV export")->required();
    verb.add_option("-o", options->output, "design to write; for a price list, the price book to write (default: yours)");
    verb.add_option("--format", options->format, "format of SRC: " + importNames())->capture_default_str();
    verb.add_flag("--json", options->json, "print JSON");
    return [=] { return runImport(*options); };
}

} // namespace

const VerbInfo importVerb{"import", "convert a file of another format into a design, or import its prices", neverShowsPrices, addImport};

} // namespace railyard::cli
