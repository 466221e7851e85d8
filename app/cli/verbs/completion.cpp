#include "app/cli/verbs/verb.h"
#include "core/analysis/option_sections.h"
#include "core/collective/collective_parameters.h"
#include "core/design/recipes/recipe_table.h"
#include "core/failure/failure_parameters.h"
#include "core/inference/inference_parameters.h"
#include "core/io/tables/bom_parameters.h"
#include "core/routing/routing_parameters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace railyard::cli {
namespace {

using Values = std::map<std::string, std::set<std::string>>; // of an option

void addValues(Values& values, const ParameterInfo& info) {
    for (const ParameterChoice& choice : info.choices) values[info.option()].insert(std::string(choice.value));
}

// What the rows of parameters allow.
Values valuesOfOptions() {
    Values values;
    const auto addAll = [&](const auto& rows) {
        for (const auto& row : rows) addValues(values, row.info);
    };
    for (const OptionSection& section : optionSections())
        for (const ParameterInfo& row : section.rows()) addValues(values, row);
    addAll(routingParameters());
    addAll(collectiveParameters());
    addAll(inferenceParameters());
    addAll(failureParameters());
    addAll(bomParameters());
    addValues(values, patternParameter());
    return values;
}

std::string joined(const std::set<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

// Values after an option, key=value after --set, else the options of the verb, or files where the word starts no option.
int printBash(const CLI::App& program) {
    std::set<std::string> verbs, recipeNames, settings;
    fmt::print("# Completion of railyard-cli for bash: source <(railyard-cli completion)\n_railyard_cli() {{\n"
               "    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} options values\n"
               "    [ \"$word\" = = ] && word=\n    case $verb in\n");
    for (const CLI::App* verb : program.get_subcommands({})) {
        std::set<std::string> options;
        for (const CLI::Option* option : verb->get_options())
            for (const std::string& name : option->get_lnames()) options.insert("--" + name);
        verbs.insert(verb->get_name());
        fmt::print("    {}) options=\"{}\" ;;\n", verb->get_name(), joined(options));
    }
    fmt::print("    esac\n    case $before in\n");
    for (const auto& [option, values] : valuesOfOptions()) fmt::print("    {}) values=\"{}\" ;;\n", option, joined(values));
    for (const ParameterInfo& row : recipeParameters()) settings.insert(std::string(row.key) + "=");
    for (const OptionSection& section : optionSections())
        for (const ParameterInfo& row : section.rows()) settings.insert(fmt::format("{}.{}=", section.key, row.key));
    for (const RecipeInfo& recipe : recipes()) recipeNames.insert(std::string(recipe.name));
    fmt::print("    --set) values=\"{}\"; compopt -o nospace ;;\n    new|recipes) values=\"{}\" ;;\n    esac\n", joined(settings),
               joined(recipeNames));
    fmt::print("    if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W \"{}\" -- \"$word\"))\n"
               "    elif [ -n \"$values\" ] && [[ $word != -* ]]; then COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
               "    elif [[ $word = -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
               "    else COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}}\ncomplete -o filenames -F _railyard_cli railyard-cli\n",
               joined(verbs));
    return 0;
}

Run addCompletion(CLI::App& verb) {
    return [&verb] { return printBash(*verb.get_parent()); };
}

} // namespace

const VerbInfo completionVerb{"completion", "print the completion of verbs, options and values for bash", neverShowsPrices, addCompletion};

} // namespace railyard::cli
