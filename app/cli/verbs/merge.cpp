#include "app/cli/verbs/verb.h"
#include "core/base/file.h"
#include "core/io/document/design_json.h"
#include "core/io/document/document_merge.h"
#include "core/json/json_text.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

struct MergeOptions {
    std::string base, ours, theirs, output;
    bool json = false;
};

int runMerge(const MergeOptions& o) {
    if (o.output == "-" && o.json)
        return report({Error::usage("-o - and --json both write to standard output; use only one of them, or write to a file with -o")});
    const auto lock = o.output == "-" ? Result<FileLock>(FileLock()) : FileLock::acquire(o.output);
    if (!lock) return report(lock.errors());
    const auto base = loadDesignFile(o.base), ours = loadDesignFile(o.ours), theirs = loadDesignFile(o.theirs);
    std::vector<Error> errors;
    for (const auto* side : {&base, &ours, &theirs})
        if (!*side) errors.insert(errors.end(), side->errors().begin(), side->errors().end());
    if (!errors.empty()) return report(errors);
    const auto merged = railyard::merged(*base->design, *ours->design, *theirs->design);
    if (!merged) return report(merged.errors());
    // As a merge driver of git the result replaces ours, which git hands over as %A.
    std::error_code failure;
    const bool isInPlace = std::filesystem::equivalent(o.ours, o.output, failure);
    const auto saved = saveDesign(*merged->design, o.output, isInPlace ? std::optional(ours->mark) : std::nullopt);
    if (!saved) return report(saved.errors());
    Json conflicts = Json::array();
    for (const MergeConflict& each : merged->conflicts) {
        const auto side = [](const std::string& text) { return text.empty() ? Json() : Json::parse(text); };
        conflicts.push_back({{"path", each.path}, {"base", side(each.base)}, {"ours", side(each.ours)}, {"theirs", side(each.theirs)}});
        const auto words = [](const std::string& text) { return text.empty() ? std::string("removed") : text; };
        fmt::print(stderr, "railyard-cli: conflict: {}: ours {}, theirs {}; ours was kept\n", each.path, words(each.ours),
                   words(each.theirs));
    }
    if (o.json) printJson(jsonText({{"schema", "railyard.merge/1"}, {"files", {o.output}}, {"conflicts", conflicts}}));
    return merged->conflicts.empty() ? 0 : 1;
}

Run addMerge(CLI::App& verb) {
    auto options = std::make_shared<MergeOptions>();
    verb.add_option("BASE", options->base, "the design that both have changed")->required();
    verb.add_option("A", options->ours, "our design, which decides conflicts")->required();
    verb.add_option("B", options->theirs, "their design")->required();
    verb.add_option("-o", options->output,
                    "design to write; may be A, so that git can use `railyard-cli merge %O %A %B -o %A`; - for standard output")
        ->required();
    verb.add_flag("--json", options->json, "print JSON");
    return [=] { return runMerge(*options); };
}

} // namespace

const VerbInfo mergeVerb{"merge", "merge the changes of two designs since a common one; exit 1 on conflicts", neverShowsPrices, addMerge};

} // namespace railyard::cli
