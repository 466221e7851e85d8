// What a sweep computes of every design: parts of its metrics, or an analysis with its options as the command line writes them.
#pragma once

#include "core/base/parameter.h"
#include "core/base/result.h"
#include "core/fabric/fabric.h"
#include "core/json/json_parse.h"

#include <string>
#include <vector>

namespace railyard {

class KnownCables;

// "metrics", an object or a dotted key of it ("counts", "cost.network_usd"), "collective all-to-all@256MiB", "train --model ID --tp 8",
// "search --model ID", "reliability --horizon 30d". The options of train, search and reliability that are not stated are those of the
// design. Of the options of the command line those that name a file are not there, and those that print something else.
struct Evaluation {
    enum class Kind : std::uint8_t { Metrics, Collective, Train, Search, Reliability };
    Kind kind = Kind::Metrics;
    std::string text;          // as it was asked for
    std::string key;           // of Metrics: the object or dotted key, empty for all; otherwise what stands before its columns
    ParameterTexts options{};  // by key of the rows of the kind
    ParameterTexts ownTexts{}; // options of the verb that are no such rows, by their names: order, objective
    std::string own(const std::string& name) const { // empty if it is not stated
        const auto found = ownTexts.find(name);
        return found == ownTexts.end() ? std::string() : found->second;
    }
};

// Errors: an analysis that there is not, options that it does not have, values that they cannot have.
Result<Evaluation> readEvaluation(const std::string& text);
// The same for a list; where two of one kind would have columns of one name, the names are numbered: train[2].
Result<std::vector<Evaluation>> readEvaluations(const std::vector<std::string>& texts);

// Whether the links inside servers make a difference for one of them: a fabric that is elaborated for the others need not list them.
bool readInsideLinks(const std::vector<Evaluation>& evaluations);

// The answers by dotted key, `name.key`: numbers, texts, true or false, and null for what is not known. Only what was asked for is
// computed, and not what `known` knows of a design with the same cables; null: nothing is known. Errors: those of the analyses, such as a
// job that the design cannot hold.
Result<Json> evaluate(const Fabric& fabric, const std::vector<Evaluation>& evaluations, KnownCables* known = nullptr);

} // namespace railyard
