#include "app/cli/commands.h"

#include "core/analysis/edit_text.h"
#include "core/base/file.h"
#include "core/io/design_json.h"

#include <fmt/format.h>
#include <memory>
#include <sstream>

namespace railyard::cli {
namespace {

struct EditArguments {
    std::string file, output, script;
    std::vector<std::string> sets, removals, connections;
    bool json = false;
};

struct Step {
    std::string command;
    SourcePosition where; // in the script
};

// The script first, then the options: sets, removals, cables.
Result<std::vector<Step>> stepsOf(const EditArguments& o) {
    std::vector<Step> steps;
    if (!o.script.empty()) {
        auto text = readFile(o.script);
        if (!text) return text.errors();
        std::istringstream lines(*text);
        std::string line;
        for (int number = 1; std::getline(lines, line); ++number) {
            while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.pop_back();
            const std::size_t start = line.find_first_not_of(" \t");
            if (start == std::string::npos || line[start] == '#') continue;
            steps.push_back({line.substr(start), {o.script, number, static_cast<int>(start) + 1}});
        }
    }
    for (const std::string& set : o.sets) steps.push_back({"set " + set, {}});
    for (const std::string& path : o.removals) steps.push_back({"remove " + path, {}});
    for (std::size_t i = 0; i + 1 < o.connections.size(); i += 2)
        steps.push_back({"connect " + o.connections[i] + " " + o.connections[i + 1], {}});
    if (steps.empty()) return Error::usage("nothing to do; give --set, --remove, --connect or --script");
    return steps;
}

// All or nothing: the file is written when every edit was possible.
int runEdit(const EditArguments& o) {
    auto steps = stepsOf(o);
    if (!steps) return report(steps.errors());
    auto design = loadDesign(o.file);
    if (!design) return report(design.errors());
    DesignPointer now = *design;
    std::vector<std::string> labels;
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
    }
    if (!errors.empty()) return report(errors);
    const std::string output = o.output.empty() ? o.file : o.output;
    if (Status saved = saveDesign(*now, output); !saved) return report(saved.errors());
    if (o.json)
        printJson(Json{{"file", output}, {"edits", labels}}.dump(2));
    else if (output != "-")
        for (const std::string& label : labels) fmt::print("{}\n", label);
    return 0;
}

} // namespace

void addEditCommand(CLI::App& app, Run& run) {
    auto options = std::make_shared<EditArguments>();
    auto* verb = app.add_subcommand("edit", "change a design, all edits or none");
    verb->add_option("FILE", options->file, "a *.railyard design; changed in place without -o")->required();
    verb->add_option("--set", options->sets,
                     "PATH.key=value (repeatable): part, label, at, rack, u of an element, place of a rack (B07); KEY=value of the recipe")
        ->allow_extra_args(false);
    verb->add_option("--remove", options->removals, "PATH (repeatable)")->allow_extra_args(false);
    verb->add_option("--connect", options->connections, "A B: one cable between two devices or ports (repeatable)")
        ->type_size(2)
        ->allow_extra_args(false);
    verb->add_option("--script", options->script, "one edit a line: set PATH.key=value, remove PATH, connect A B; # starts a comment");
    verb->add_option("-o", options->output, "write here and leave FILE as it is; - is standard output");
    verb->add_flag("--json", options->json, "print JSON");
    verb->callback([=, &run] { run = [=] { return runEdit(*options); }; });
}

} // namespace railyard::cli
