// The sections of a document that hold options by key, a row each: the document, `edit --set SECTION.KEY=VALUE` and undo read them here.
#pragma once

#include "core/base/parameter.h"
#include "core/bill/site.h"
#include "core/design/edits/edit.h"

namespace railyard {

struct OptionSection {
    std::string_view key;  // training
    std::string_view noun; // a training job
    std::optional<NamedOptions> Design::*options = nullptr;
    std::vector<ParameterInfo> (*rows)() = nullptr;
    Status (*check)(const ParameterTexts& options) = nullptr; // errors: every option that is unknown or has a value that it cannot have
    // The value as the document states it, where that differs from what people write.
    Result<std::string> (*forDocument)(const std::string& key, const std::string& value) = nullptr;
};

std::span<const OptionSection> optionSections();
const OptionSection* optionSectionNamed(std::string_view key); // null if there is none

// Sets one option, "training.tp = 8"; without a value as usual. "training = none" (no key) removes all options of the section.
Result<Edit> setOption(const Design& design, const OptionSection& section, const std::string& key, const std::string& value);
// Options by their whole keys, such as "bill.pue". Errors: sections and options that there are not, values that they cannot have.
Result<Design> withOptions(Design design, const ParameterTexts& options);
Result<Edit> setSite(const Design& design, const Site& site); // all of its values at once; only unusual ones are stated

} // namespace railyard
