#include "app/cli/verbs/verb.h"
#include "core/base/unit_text.h"
#include "core/io/tables/bom_workbook.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

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
    return writtenFiles(writeBom(*loaded->fabric, metricsOf(*loaded->fabric), o.output, options), json, {o.output});
}

Run addBom(CLI::App& verb) {
    auto json = std::make_shared<bool>(false);
    auto bom = std::make_shared<BomArguments>();
    bom->input.addTo(verb, false);
    verb.add_option("-o", bom->output, "file to write: " + extensionsOf(billFormats()))->required();
    verb.add_option("--view", bom->view, "flat, or by-block (quantities per block and the number of blocks)")->capture_default_str();
    verb.add_option("--spares", bom->spares,
                    "add spare parts that last for the replacement lead time with this probability, for example 95%");
    verb.add_option("--currency", bom->currency, "currency of the prices and its value per US dollar, for example EUR=0.92")
        ->capture_default_str();
    verb.add_flag("--json", *json, "print JSON");
    return [=] { return runBom(*bom, *json); };
}

} // namespace

const VerbInfo bomVerb{"bom", "write the bill of materials as .xlsx with live formulas, .csv or .json", alwaysShowsPrices, addBom};

} // namespace railyard::cli
