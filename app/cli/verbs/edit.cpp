#include "app/cli/verbs/verb.h"
#include "core/analysis/edit_text.h"
#include "core/base/file.h"
#include "core/design/model/limits.h"
#include "core/io/document/design_json.h"
#include "core/json/json_text.h"

#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sstream>

namespace railyard::cli {
namespace {

struct EditArguments {
    std::string file, output, script;
    std::vector<std::string> sets, removals, connections, disconnections;
    bool json = false;
};

struct Step {
    std::string command;
    SourcePosition where; // in the script
};

// The script first, then the options: sets, removals, cables drawn and taken away.
Result<std::vector<Step>> stepsOf(const EditArguments& o) {
    std::vector<Step> steps;
    if (!o.script.empty()) {
        auto text = readText(o.script);
        if (!text) return text.errors();
        std::istringstream lines(*text);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.pop_back();
            const std::size_t start = line.find_first_not_of(" \t");
            if (start == std::string::npos || line[start] == '#') continue;
            steps.push_back({line.substr(start), {o.script, number, static_cast<int>(start) + 1}});
        }
    }
    for (const std::string& set : o.sets) steps.push_back({"set " + set, {}});
    for (const std::string& path : o.removals) steps.push_back({"remove " + path, {}});
    for (std::size_t i = 0; i + 1 < o.connections.size(); i += 2)
        steps.push_back({"connect " + o.connections[i] + " " + o.connections[i + 1], {}});
    for (const std::string& port : o.disconnections) steps.push_back({"disconnect " + port, {}});
    if (steps.empty()) return Error::usage("no edits; use --set, --remove, --connect, --disconnect or --script");
    return steps;
}

std::string located(const SourcePosition& where, const std::string& text) {
    return where.file.empty() ? text : fmt::format("{}:{}:{}: {}", where.file, where.line, where.column, text);
}

// All or nothing: the file is written when every edit was possible.
int runEdit(const EditArguments& o) {
    auto steps = stepsOf(o);
    if (!steps) return report(steps.errors());
    const std::string output = o.output.empty() ? o.file : o.output;
    const auto lock = output == "-" ? Result<FileLock>(FileLock()) : FileLock::acquire(output); // others may edit the same file
    if (!lock) return report(lock.errors());
    auto read = loadDesignFile(o.file);
    if (!read) return report(read.errors());
    std::error_code failure;
    const bool isInPlace = o.output.empty() || std::filesystem::equivalent(o.file, output, failure);
    if (read->isCarried && isInPlace)
        return report(
            {Error::usage(fmt::format("{} is a picture or table that carries a design; name the design to write with -o", o.file))});
    reportMigrations(*read->design, o.file);
    DesignPointer now = read->design;
    std::vector<std::string> labels, warnings;
    std::vector<Error> errors;
    for (const Step& step : *steps) {
        auto edit = applyEdit(now, step.command);
        if (!edit) {
            Error error = edit.error();
            error.where = step.where;
            errors.push_back(error);
            continue;
        }
        now = edit->design;
        labels.push_back(edit->label);
        for (const std::string& warning : edit->warnings) warnings.push_back(located(step.where, warning));
    }
    if (!errors.empty()) return report(errors);
    if (const std::string problem = beyondLimits(*now); !problem.empty())
        return report({Error::unbuildable("the edited design " + problem + "; nothing was written")});
    if (const std::string name = sharedName(*now); !name.empty())
        return report({Error::unbuildable("the edits give " + name + " a second time; nothing was written")});
    // In place, only what was read is replaced: programs without our lock may have written the file since.
    const auto known = isInPlace ? std::optional(read->mark) : std::nullopt;
    if (const auto saved = saveDesign(*now, output, known); !saved) return report(saved.errors());
    for (const std::string& warning : warnings) fmt::print(stderr, "railyard-cli: warning: {}\n", warning);
    if (o.json)
        printJson(jsonText(Json{{"file", output}, {"edits", labels}, {"warnings", warnings}}));
    else if (output != "-")
        for (const std::string& label : labels) fmt::print("{}\n", label);
    return 0;
}

Run addEdit(CLI::App& verb) {
    auto options = std::make_shared<EditArguments>();
    verb.add_option("FILE", options->file, "the design (*.railyard); overwritten unless -o is given")->required();
    verb.add_option("--set", options->sets,
                    "set a recipe parameter (KEY=VALUE), a property of elements (SELECTOR.part, .label, .at, .rack, .u; a label may hold "
                    "{pod} {su} {position} {rail} {rack} {u}), the position of a rack (PATH.place=B07), an option of the training job "
                    "(training.OPTION) or of the site (bill.OPTION) (repeatable)")
        ->allow_extra_args(false);
    verb.add_option("--remove", options->removals, "remove the element with this path (repeatable)")->allow_extra_args(false);
    verb.add_option("--connect", options->connections, "connect two devices or ports with a cable: A B (repeatable)")
        ->type_size(2)
        ->allow_extra_args(false);
    verb.add_option("--disconnect", options->disconnections, "take away the cable at this port, of a recipe too (repeatable)")
        ->allow_extra_args(false);
    verb.add_option(
        "--script", options->script,
        "file with one edit per line: set PATH.key=value, remove PATH, connect A B, disconnect PORT, and others; # starts a comment");
    verb.add_option("-o", options->output, "write the result to this file and leave FILE unchanged; - for standard output");
    verb.add_flag("--json", options->json, "print JSON");
    return [=] { return runEdit(*options); };
}

} // namespace

const VerbInfo editVerb{"edit", "edit a design; if an edit fails, none is applied", neverShowsPrices, addEdit};

} // namespace railyard::cli
