#include "app/cli/commands.h"

#include "core/base/file.h"
#include "core/base/unit_text.h"
#include "core/io/design_json.h"

#include <cmath>
#include <fmt/format.h>

namespace railyard::cli {

int report(const std::vector<Error>& errors) {
    for (const Error& error : errors) fmt::print(stderr, "railyard-cli: error: {}\n", toText(error));
    return static_cast<int>(errors.front().kind);
}

void printJson(const std::string& text) { fmt::print("{}\n", text); }

NumberBetween::NumberBetween(double least, double most) : CLI::Range(least, most) {
    func_ = [within = func_](std::string& text) {
        double number = 0;
        if (CLI::detail::lexical_cast(text, number) && std::isnan(number)) return fmt::format("{} is not a number", text);
        return within(text);
    };
}

void AnswerOptions::addTo(CLI::App& verb) {
    verb.add_flag("--json", json, "print JSON");
    verb.add_option("-o", file, "write the answer as JSON; - is standard output");
}

int AnswerOptions::give(const Json& answer, int code) const {
    const std::string text = answer.dump(2);
    if (!file.empty() && file != "-")
        if (Status written = writeFile(file, text + "\n"); !written) return report(written.errors());
    if (json || file == "-") printJson(text);
    return code;
}

void DesignInput::addTo(CLI::App& verb, bool withFailures) {
    verb.add_option("FILE", file, "a *.railyard design")->required();
    if (!withFailures) return;
    verb.add_option("--fail", fail, "remove what the SELECTOR names (repeatable): su[1]/leaf[2], tier=leaf, rail=3")
        ->allow_extra_args(false);
    verb.add_option("--fail-links", failLinks, "remove this share of the network links, like 1%");
    verb.add_option("--seed", seed, "seed of what is drawn at random")->check(CLI::NonNegativeNumber)->capture_default_str();
}

Json withFailures(Json answer, const DesignInput& input) {
    if (input.hasFailures())
        answer["failures"] = {
            {"selectors", input.fail}, {"links", input.failLinks.empty() ? Json() : Json(input.failLinks)}, {"seed", input.seed}};
    return answer;
}

Result<LoadedDesign> load(const DesignInput& input) {
    auto design = loadDesign(input.file);
    if (!design) return design.errors();
    LoadedDesign loaded;
    loaded.design = *design;
    loaded.intact = loaded.fabric = elaborate(*design);
    Failures failures{input.fail, 0, static_cast<std::uint64_t>(input.seed)};
    if (!input.failLinks.empty()) {
        auto fraction = parseFraction(input.failLinks);
        if (!fraction) return Error::usage("--fail-links: " + fraction.error().text);
        failures.linkShare = *fraction;
    }
    const auto removal = removalOf(*loaded.intact, failures);
    if (!removal) return removal.errors();
    if (input.hasFailures()) loaded.fabric = without(loaded.intact, removal->devices, removal->links);
    return loaded;
}

} // namespace railyard::cli
