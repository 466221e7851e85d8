#include "core/analysis/option_sections.h"

#include "core/fabric/optical_switches.h"
#include "core/reliability/reliability_parameters.h"
#include "core/training/job_request.h"

#include <algorithm>
#include <fmt/format.h>

namespace railyard {
namespace {

template <auto Read>
Status checked(const ParameterTexts& options) {
    const auto read = Read(options);
    return read ? Status(Done{}) : Status(read.errors());
}

Result<std::string> jobOption(const std::string& key, const std::string& value) {
    return key == "model" ? modelForDocument(value) : Result<std::string>(value);
}

template <auto Rows>
std::vector<ParameterInfo> infos() {
    return infosOf(Rows());
}

constexpr OptionSection sections[] = {
    {"training", "training job", &Design::training, infos<jobParameters>, checked<readJob>, jobOption},
    {"reliability", "failure model", &Design::reliability, infos<reliabilityParameters>, checked<readReliability>},
    {"bill", "site settings", &Design::site, infos<siteParameters>, checked<readSite>},
    {"ocs", "optical circuit switches", &Design::ocs, infos<opticalSwitchingParameters>, checked<readOpticalSwitching>},
};

} // namespace

std::span<const OptionSection> optionSections() { return sections; }

const OptionSection* optionSectionNamed(std::string_view key) {
    const auto found = std::find_if(std::begin(sections), std::end(sections), [&](const OptionSection& each) { return each.key == key; });
    return found == std::end(sections) ? nullptr : &*found;
}

Result<Edit> setOption(const Design& design, const OptionSection& section, const std::string& key, const std::string& value) {
    const std::optional<NamedOptions>& own = design.*section.options;
    if (key.empty()) {
        if (value != "none")
            return Error::usage(
                fmt::format("{0} = {1}: write {0}.OPTION=VALUE, or {0}=none to remove the {2}", section.key, value, section.noun));
        if (!own) return Error::usage(fmt::format("{} = none: the design has no {} of its own", section.key, section.noun));
        return setOptions(design, section.options, {}, fmt::format("Remove {}", section.noun));
    }
    auto stated = section.forDocument ? section.forDocument(key, value) : Result<std::string>(value);
    if (!stated) {
        std::vector<Error> errors = stated.errors();
        for (Error& error : errors)
            if (error.kind == Error::Kind::File)
                error = Error{Error::Kind::File, toText(error), {}}; // names its file, wherever the edit stands
        return errors;
    }
    NamedOptions options = own.value_or(NamedOptions());
    if (stated->empty())
        options.options.erase(key);
    else
        options.options[key] = std::move(*stated);
    if (const Status good = section.check(options.options); !good) {
        std::vector<Error> errors = good.errors();
        for (Error& error : errors)
            if (!error.field.empty()) error.text = error.parameterText(fmt::format("{}.{}", section.key, error.field));
        return errors;
    }
    return setOptions(design, section.options, std::move(options), fmt::format("Set {} of the {}", key, section.noun));
}

Result<Edit> setSite(const Design& design, const Site& site) {
    NamedOptions options = design.site.value_or(NamedOptions());
    options.options = textsOf(siteParameters(), site, Site());
    return setOptions(design, &Design::site, std::move(options), "Set site settings");
}

Result<Design> withOptions(Design design, const ParameterTexts& options) {
    for (const auto& [key, value] : options) {
        const std::size_t dot = key.find('.');
        const OptionSection* section = dot == std::string::npos ? nullptr : optionSectionNamed(key.substr(0, dot));
        if (!section) return Error::usage(fmt::format("{}: is no option of a document", key));
        auto edit = setOption(design, *section, key.substr(dot + 1), value);
        if (!edit) return edit.errors();
        design = *edit->design;
    }
    return design;
}

} // namespace railyard
