#include "app/cli/options/parameter_options.h"
#include "app/cli/verbs/verb.h"
#include "core/io/tables/bom_parameters.h"
#include "core/io/tables/bom_workbook.h"
#include "core/json/json_text.h"

#include <memory>

namespace railyard::cli {
namespace {

struct BomArguments {
    DesignInput input;
    std::string output;
    std::shared_ptr<ParameterTexts> given = std::make_shared<ParameterTexts>(); // of bomParameters
};

int runBom(const BomArguments& o, bool json) {
    if (o.output.empty() && !json) return report({Error::usage("-o: name the file to write, or print JSON with --json")});
    const auto options = settingsFrom(bomParameters(), BomOptions(), *o.given, "a bill of materials");
    if (!options) return report(options.errors());
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const Metrics metrics = metricsOf(*loaded->fabric);
    if (!o.output.empty()) return writtenFiles(writeBom(*loaded->fabric, metrics, o.output, *options), json, {o.output});
    const auto bill = bomJson(*loaded->fabric, metrics, *options);
    if (!bill) return report(bill.errors());
    printJson(jsonText(*bill));
    return 0;
}

Run addBom(CLI::App& verb) {
    auto json = std::make_shared<bool>(false);
    auto bom = std::make_shared<BomArguments>();
    bom->input.addTo(verb, false);
    verb.add_option("-o", bom->output, "file to write: " + extensionsOf(billFormats()) + "; --json without it prints the bill");
    addParameters(verb, bomParameters(), BomOptions(), bom->given);
    verb.add_flag("--json", *json, "print JSON");
    return [=] { return runBom(*bom, *json); };
}

} // namespace

const VerbInfo bomVerb{"bom", "write the bill of materials as .xlsx with live formulas, .csv, .md or .json", alwaysShowsPrices, addBom};

} // namespace railyard::cli
