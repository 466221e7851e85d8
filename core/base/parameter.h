// Parameters as rows: everything that people can set about a job, a site and so on, stated once. The command line, forms, the text of
// documents and the labels of errors read the rows.
#pragma once

#include "core/base/error.h"
#include "core/base/result.h"

#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railyard {

struct ParameterChoice {
    std::string_view value, label; // as documents and the command line write it, as forms show it
};

struct ParameterInfo {
    enum class Kind : std::uint8_t { Whole, Real, Switch, Choice, Text, Part, Ratio }; // Part: ID of the catalogue; Ratio: 2:1

    std::string_view key;   // as documents write it: micro_batch; on the command line --micro-batch
    std::string_view label; // of a form: a noun phrase in sentence case
    std::string_view unit = {};
    std::string_view help; // a phrase that follows the option
    Kind kind = Kind::Whole;
    double low = 0, high = 0; // of numbers, both included
    std::vector<ParameterChoice> choices = {};
    // What the program does where the value is not given, which is 0 as a number: "all remaining GPUs". Empty: there is always a value.
    std::string_view automatic = {};
    std::string_view automaticLabel = {}; // in a form: "all"
    std::string_view group = {};          // heading of a form under which it stands

    std::string_view usual = {}; // the value where none is given, or where it comes from: "from the server"
    std::string_view range = {}; // in words, where the bounds depend on other parameters

    std::string_view shortLabel = {}; // in sentences: TP; empty: the label

    bool isList = false; // texts separated by "; "; the command line takes the option several times

    std::string option() const;        // --micro-batch
    std::string_view typeName() const; // integer, number, choice, text, part or ratio
    std::string rangeText() const;     // 1…64, the choices, or the words of `range`
    std::string_view nameInErrors() const { return shortLabel.empty() ? label : shortLabel; }
    // What is wrong with the text, as the end of a sentence ("must be a whole number from 1 to 8"); empty if nothing is.
    std::string problemOf(const std::string& text) const;
};

// A row: how the value of these settings is read and written as text. `set` is called with texts that have no problem of their own.
template <class Settings>
struct Parameter {
    ParameterInfo info;
    std::string (*text)(const Settings&) = nullptr;
    Status (*set)(Settings&, const std::string&) = nullptr;
};

using ParameterTexts = std::map<std::string, std::string>; // by key

std::string parameterText(double value); // shortest text that gives the same number
double parameterNumber(const std::string& text);

// Rows of whole numbers, numbers and choices, from a function that gives a reference to the field.
template <class Settings, auto Field>
Parameter<Settings> numberParameter(ParameterInfo info) {
    return {std::move(info), [](const Settings& s) { return parameterText(static_cast<double>(Field(const_cast<Settings&>(s)))); },
            [](Settings& s, const std::string& text) {
                auto& field = Field(s);
                field = static_cast<std::remove_reference_t<decltype(field)>>(parameterNumber(text));
                return Status(Done{});
            }};
}

// The value is the place of the text in `names`.
template <class Settings, auto Field, const auto& names>
Parameter<Settings> choiceParameter(ParameterInfo info) {
    return {std::move(info),
            [](const Settings& s) { return std::string(names[static_cast<std::size_t>(Field(const_cast<Settings&>(s)))]); },
            [](Settings& s, const std::string& text) {
                auto& field = Field(s);
                field = static_cast<std::remove_reference_t<decltype(field)>>(std::find(names.begin(), names.end(), text) - names.begin());
                return Status(Done{});
            }};
}

template <class Settings>
const Parameter<Settings>* parameterNamed(std::span<const Parameter<Settings>> rows, std::string_view key) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const Parameter<Settings>& row) { return row.info.key == key; });
    return found == rows.end() ? nullptr : &*found;
}

std::string keysOf(const std::vector<std::string_view>& keys); // tp, pp and so on
// An error of a row that does not know its key, "VALUE: what is wrong", with the key.
Error ofParameter(Error error, std::string_view key, const std::string& value);
Error unknownParameter(std::string_view of, std::string_view key, const std::string& value, const std::vector<std::string_view>& known);

template <class Settings>
std::vector<std::string_view> keysOf(std::span<const Parameter<Settings>> rows) {
    std::vector<std::string_view> keys;
    for (const Parameter<Settings>& row : rows) keys.push_back(row.info.key);
    return keys;
}

// Sets what the texts say. `of`: what the parameters belong to, as in "is not an option of a training job". Errors: every key that is
// unknown and every value that has a problem.
template <class Settings>
Result<Settings> withTexts(std::span<const Parameter<Settings>> rows, Settings settings, const ParameterTexts& texts, std::string_view of) {
    std::vector<Error> errors;
    for (const auto& [key, value] : texts) {
        const Parameter<Settings>* row = parameterNamed(rows, key);
        if (!row) {
            errors.push_back(unknownParameter(of, key, value, keysOf(rows)));
            continue;
        }
        if (std::string wrong = row->info.problemOf(value); !wrong.empty())
            errors.push_back(Error::parameter(Error::Kind::Usage, row->info.choices.empty() ? "range" : "choice", key, value, wrong));
        else if (const Status done = row->set(settings, value); !done)
            for (const Error& error : done.errors()) errors.push_back(ofParameter(error, key, value));
    }
    if (!errors.empty()) return errors;
    return settings;
}

// Only what differs from the usual settings.
template <class Settings>
ParameterTexts textsOf(std::span<const Parameter<Settings>> rows, const Settings& settings, const Settings& usual) {
    ParameterTexts texts;
    for (const Parameter<Settings>& row : rows)
        if (std::string value = row.text(settings); value != row.text(usual)) texts[std::string(row.info.key)] = std::move(value);
    return texts;
}

template <class Settings>
std::vector<ParameterInfo> infosOf(std::span<const Parameter<Settings>> rows) {
    std::vector<ParameterInfo> infos;
    for (const Parameter<Settings>& row : rows) infos.push_back(row.info);
    return infos;
}

} // namespace railyard
