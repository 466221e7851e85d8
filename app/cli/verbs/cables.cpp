#include "app/cli/verbs/verb.h"
#include "core/io/tables/cable_schedule.h"

#include <memory>

namespace railyard::cli {
namespace {

int runCables(const DesignInput& input, const std::string& output, const std::string& labels, const std::string& dialect, bool json) {
    const auto known = portDialectFrom(dialect);
    if (!known) return report(known.errors());
    auto loaded = load(input);
    if (!loaded) return report(loaded.errors());
    std::vector<std::string> warnings;
    const Status written = writeCables(*loaded->fabric, output, {labels, *known}, &warnings);
    return writtenFiles(written, json, {output}, warnings);
}

Run addCables(CLI::App& verb) {
    auto json = std::make_shared<bool>(false);
    auto cables = std::make_shared<DesignInput>();
    auto file = std::make_shared<std::string>(), labels = std::make_shared<std::string>(labelDefault()),
         dialect = std::make_shared<std::string>("railyard");
    cables->addTo(verb, false);
    verb.add_option("-o", *file, "file to write: " + extensionsOf(cableFormats()))->required();
    verb.add_option("--labels", *labels, "template of the cable labels")->capture_default_str();
    verb.add_option("--dialect", *dialect, "port naming: railyard, nvidia, cumulus, sonic, nvos, infiniband, nx-os, arista or sr-linux")
        ->capture_default_str();
    verb.add_flag("--json", *json, "print JSON");
    return [=] { return runCables(*cables, *file, *labels, *dialect, *json); };
}

} // namespace

const VerbInfo cablesVerb{"cables", "write the cable schedule, one row per cable with both ends", neverShowsPrices, addCables};

} // namespace railyard::cli
