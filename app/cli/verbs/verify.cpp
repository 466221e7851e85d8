#include "app/cli/verbs/verb.h"
#include "core/base/file.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/carried_design.h"
#include "core/io/document/design_json.h"
#include "core/io/verification/verification.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct VerifyArguments {
    std::string file, design, against;
    bool json = false;
};

// The design that the file was made of, or the one that was named.
Result<DesignPointer> designFor(const VerifyArguments& a, const std::string& bytes) {
    if (!a.design.empty()) return loadDesign(a.design);
    const auto carried = carriedText(CarriedText::Design, bytes, a.file);
    if (!carried) return carried.errors();
    if (!*carried) return Error::usage(fmt::format("{}: carries no design; name the one to compare with by --design FILE", a.file));
    return loadDesign(a.file);
}

void printText(const VerifyArguments& a, const Verification& found, bool isSameDesign) {
    const std::string of = a.design.empty() ? "the design that the file carries" : a.design;
    if (found.stale.empty())
        fmt::print("{}: all {} figures follow from {}{}\n", a.file, found.figures, of,
                   isSameDesign ? "" : ", although the design has changed since the file was written");
    else
        fmt::print("{}: {} of {} figures no longer follow from {}\n", a.file, found.stale.size(), found.figures, of);
    if (found.unchecked > 0)
        fmt::print("  {} numbers of the design that it compares with (fingerprint {}) were not checked: name it with --against FILE\n",
                   found.unchecked, found.otherFingerprint.substr(0, 12));
    for (const StaleFigure& figure : found.stale) fmt::print("  {}: states {}; now {}\n", figure.key, figure.stated, figure.now);
}

int runVerify(const VerifyArguments& a) {
    const auto bytes = readFile(a.file);
    if (!bytes) return report(bytes.errors());
    const auto design = designFor(a, *bytes);
    if (!design) return report(design.errors());
    const OtherDesign own = otherDesign(elaborate(*design));
    const Metrics& metrics = own.metrics;
    std::optional<OtherDesign> other;
    if (!a.against.empty()) {
        const auto compared = loadDesign(a.against);
        if (!compared) return report(compared.errors());
        other = otherDesign(elaborate(*compared));
    }
    const auto found = verifyFigures(*bytes, a.file, {own.fabric, metrics, other ? &*other : nullptr});
    if (!found) return report(found.errors());
    const bool isSameDesign = found->fingerprint.empty() || found->fingerprint == metrics.fingerprint;
    if (a.json) {
        Json stale = Json::array();
        for (const StaleFigure& figure : found->stale)
            stale.push_back({{"key", figure.key}, {"stated", figure.stated}, {"now", figure.now}});
        printJson(jsonText({{"schema", "railyard.verify/1"},
                            {"design", a.design.empty() ? Json() : Json(a.design)},
                            {"fingerprint", metrics.fingerprint},
                            {"stated_fingerprint", found->fingerprint.empty() ? Json() : Json(found->fingerprint)},
                            {"figures", found->figures},
                            {"unchecked", found->unchecked},
                            {"stale", stale}}));
    } else {
        printText(a, *found, isSameDesign);
    }
    return found->stale.empty() ? 0 : 1;
}

Run addVerify(CLI::App& verb) {
    auto a = std::make_shared<VerifyArguments>();
    verb.add_option("FILE", a->file, "workbook, slide, report or picture")->required();
    verb.add_option("--design", a->design, "the design to compare with; default: the one that the file carries");
    verb.add_option("--against", a->against, "the design that a report compares with; default: the twin in the other layout");
    verb.add_flag("--json", a->json, "print JSON");
    return [=] { return runVerify(*a); };
}

} // namespace

const VerbInfo verifyVerb{"verify", "name the numbers of a workbook, report or slide that no longer follow from its design; exit 1 if any",
                          alwaysShowsPrices, addVerify};

} // namespace railyard::cli
