// The verbs of railyard-cli. Each adds its options to the parser and runs when chosen.
#pragma once

#include "core/base/result.h"
#include "core/fabric/elaborate.h"
#include "core/json/json_view.h"

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace railyard::cli {

// Exit codes: 0 done, 1 done and the answer is no, 2 wrong usage, 3 a file cannot be read or written.
int report(const std::vector<Error>& errors);
void printJson(const std::string& text);
// CLI::Range would take "nan" for any number.
struct NumberBetween : CLI::Range {
    NumberBetween(double least, double most);
};

// Where the answer of a verb goes: text for people, `--json` on standard output, `-o FILE` as JSON into a file.
struct AnswerOptions {
    bool json = false;
    std::string file;

    void addTo(CLI::App& verb);
    bool wantsText() const { return !json && file.empty(); }
    // Writes and prints what was asked for; `code` is the exit code where that succeeds.
    int give(const Json& answer, int code = 0) const;
};

// FILE and the failures to apply to it; shared by every verb that answers for a damaged fabric.
struct DesignInput {
    std::string file;
    std::vector<std::string> fail;
    std::string failLinks;
    std::int64_t seed = 1;

    void addTo(CLI::App& verb, bool withFailures);
    bool hasFailures() const { return !fail.empty() || !failLinks.empty(); }
};

struct LoadedDesign {
    DesignPointer design;
    FabricPointer intact, fabric; // fabric: after the failures
};
Result<LoadedDesign> load(const DesignInput& input);
// The answer, with what was failed and by which seed where something was.
Json withFailures(Json answer, const DesignInput& input);

using Run = std::function<int()>;
// A verb's options live as long as the parser.
void addDesignCommands(CLI::App& app, Run& run);   // recipes new catalog version
void addAnalysisCommands(CLI::App& app, Run& run); // metrics check bisection compare, and those below
void addCollectiveCommand(CLI::App& app, Run& run);
void addLoadsCommand(CLI::App& app, Run& run);
void addHeatmapCommand(CLI::App& app, Run& run);
void addEditCommand(CLI::App& app, Run& run);
void addExplainCommand(CLI::App& app, Run& run);
void addOutputCommands(CLI::App& app, Run& run); // bom cables export

} // namespace railyard::cli
