// What several verbs have in common: the design they read, the form of their answer, errors and exit codes.
#pragma once

#include "core/base/result.h"
#include "core/fabric/elaborate.h"
#include "core/json/json_parse.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace railyard::cli {

// Exit codes: 0 done; 1 done, and the answer is no; 2 wrong usage; 3 a file cannot be read or written.
int report(const std::vector<Error>& errors);
void printJson(const std::string& text);
// CLI::Range would accept "nan" as a number.
struct NumberBetween : CLI::Range {
    NumberBetween(double least, double most);
};

// CLI11 would take a number beyond 64 bits for the largest one.
struct WholeNumber : CLI::Validator {
    WholeNumber();
};

// The output of a verb: text for people, `--json` on standard output, or `-o FILE` as JSON in a file.
struct AnswerOptions {
    bool json = false;
    std::string file;

    void addTo(CLI::App& verb);
    bool wantsText() const { return !json && file.empty(); }
    // Writes and prints the requested output; `code` is the exit code if that succeeds.
    int give(const Json& answer, int code = 0) const;
};

// For an option of a CSV file that is - beside JSON, which may go to standard output too.
Error oneOutput(const char* option);

// FILE and its failures; shared by all verbs that can evaluate a degraded fabric.
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
    FabricPointer intact, fabric; // fabric: degraded by the failures
};
Result<LoadedDesign> load(const DesignInput& input);
void reportMigrations(const Design& design, const std::string& file); // what loading changed in an older format, on stderr
// Adds the failures and their seed to the output, if there are any.
Json withFailures(Json answer, const DesignInput& input);

// `--json`: which files were written, and what they could not say. Warnings also go to stderr.
int writtenFiles(const Status& status, bool json, const std::vector<std::string>& files, const std::vector<std::string>& warnings = {});

} // namespace railyard::cli
