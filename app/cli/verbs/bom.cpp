#include "app/cli/verbs/verb.h"
#include "core/bill/spares.h"
#include "core/io/tables/bom_workbook.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct BomArguments {
    DesignInput input;
    std::string output, view = "flat", currency = "USD", spares, copy = "inside";
};

int runBom(const BomArguments& o, bool json) {
    if (o.view != "flat" && o.view != "by-block") return report({Error::usage(fmt::format("--view {}: must be flat or by-block", o.view))});
    if (o.output.empty() && !json) return report({Error::usage("-o: name the file to write, or print JSON with --json")});
    auto currency = parseCurrency(o.currency);
    if (!currency) return report(currency.errors());
    BomOptions options{o.view == "by-block", {}, {}, *currency, o.copy == "customer"};
    if (!o.spares.empty()) {
        const auto spares = parseSpares(o.spares);
        if (!spares) return report({Error::usage("--spares: " + spares.error().text)});
        (spares->by == SparesRule::By::Quantity ? options.sparesShare : options.sparesConfidence) = spares->fraction;
    }
    auto loaded = load(o.input);
    if (!loaded) return report(loaded.errors());
    const Metrics metrics = metricsOf(*loaded->fabric);
    if (o.output.empty()) {
        printJson(jsonText(bomJson(*loaded->fabric, metrics, options)));
        return 0;
    }
    return writtenFiles(writeBom(*loaded->fabric, metrics, o.output, options), json, {o.output});
}

Run addBom(CLI::App& verb) {
    auto json = std::make_shared<bool>(false);
    auto bom = std::make_shared<BomArguments>();
    bom->input.addTo(verb, false);
    verb.add_option("-o", bom->output, "file to write: " + extensionsOf(billFormats()) + "; --json without it prints the bill");
    verb.add_option("--view", bom->view, "flat, or by-block (quantities per block and the number of blocks)")->capture_default_str();
    verb.add_option(
        "--spares", bom->spares,
        "add spare parts: 95% is a service level (from 50%), the probability that the spares outlast the 6-week lead time, not a "
        "share of the quantity; qty:5% is a share of the quantity");
    verb.add_option("--currency", bom->currency, "currency of the prices and its value per US dollar, for example EUR=0.92")
        ->capture_default_str();
    verb.add_option("--copy", bom->copy, "inside, or customer: no price anywhere in the file")
        ->check(CLI::IsMember({"inside", "customer"}))
        ->capture_default_str();
    verb.add_flag("--json", *json, "print JSON");
    return [=] { return runBom(*bom, *json); };
}

} // namespace

const VerbInfo bomVerb{"bom", "write the bill of materials as .xlsx with live formulas, .csv, .md or .json", alwaysShowsPrices, addBom};

} // namespace railyard::cli
