// What a sweep asks for: SPEC.json, {"base": RECIPE or FILE, "settings": {...}, "axes": {"gpus": [...], ...}, "evaluate": [...]}. Its
// points are the full product of the axes; the last axis changes fastest. In place of a FILE the base may be the document itself.
#pragma once

#include "core/design/model/design.h"
#include "core/sweep/evaluation.h"

#include <string>
#include <vector>

namespace railyard {

struct SweepAxis {
    std::string key;                 // recipe, a parameter of a recipe, or an option of a section of documents: training.tp, bill.pue
    std::vector<std::string> values; // as the command line writes them
    std::vector<Json> shown;         // as the spec states them
};

struct SweepSpec {
    std::string recipe;      // empty with a design
    DesignPointer design;    // null with a recipe
    ParameterTexts settings; // of all points
    std::vector<SweepAxis> axes;
    std::vector<std::string> evaluate;
    std::vector<Evaluation> evaluations;

    std::int64_t points() const;
    std::vector<std::size_t> valuesAt(std::int64_t point) const; // by axis
};

inline constexpr std::int64_t mostSweepPoints = 1'000'000;

// `text` is that of `file`; a base that is a file is looked for in its folder. Errors with line and column: keys that are missing or
// unknown, axes without values or with one twice, more than mostSweepPoints points, parameters and evaluations that there are not.
// None: the base is a recipe or a document and models have names, as in a spec that is part of another file.
enum class SpecFiles { Allowed, None };
Result<SweepSpec> readSweepSpec(const std::string& text, const std::string& file, SpecFiles files = SpecFiles::Allowed);
Json toJson(const SweepSpec& spec);      // as it was read, without a base that is a design
Json wholeSpecOf(const SweepSpec& spec); // with it, so that it needs no other file

// The design of a point. Errors: why it cannot be built.
Result<DesignPointer> designAt(const SweepSpec& spec, std::int64_t point);
} // namespace railyard
