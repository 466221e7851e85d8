#include "core/sweep/evaluation_options.h"

#include "core/base/unit_text.h"
#include "core/collective/collective_parameters.h"
#include "core/reliability/monte_carlo.h"
#include "core/reliability/reliability_parameters.h"
#include "core/training/job_request.h"
#include "core/training/search_placements.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <sstream>

namespace railyard {
namespace {

using Kind = Evaluation::Kind;

// An option of a verb that is no row of its parameters.
struct OwnOption {
    std::string name;
    std::function<std::string(const std::string& value)> problemOf; // empty text: none
    bool isFlag = false;                                            // stated without a value
    bool isRepeated = false;                                        // values stand in lines
};

std::function<std::string(const std::string&)> oneOf(std::vector<std::string> names) {
    return [names = std::move(names)](const std::string& value) {
        const bool isKnown = std::find(names.begin(), names.end(), value) != names.end();
        return isKnown ? std::string() : fmt::format("must be {}", fmt::join(names, " or "));
    };
}
std::function<std::string(const std::string&)> whole(double low, double high) {
    return [low, high](const std::string& value) {
        return ParameterInfo{.key = {}, .label = {}, .help = {}, .low = low, .high = high}.problemOf(value);
    };
}
std::string textOf(const std::vector<Error>& errors) { return errors.front().text; }

OwnOption orderOption() { return {"order", oneOf({"near", "far"})}; }
OwnOption threadsOption() { return {"threads", whole(0, 256)}; } // which change no result; those of the sweep are used
// Of all verbs: what has failed, and the seed.
std::vector<OwnOption> failureOptions() {
    const auto any = [](const std::string& value) {
        return value.empty() ? std::string("needs a selector, such as rail=3") : std::string();
    };
    const auto share = [](const std::string& value) {
        const auto read = parseFraction(value);
        return read && *read >= 0 && *read <= 1 ? std::string() : std::string("must be a share of the links, for example 1%");
    };
    return {{"fail", any, false, true}, {"fail-links", share}, {"seed", whole(1, 1e15)}};
}
std::vector<OwnOption> ownOptionsOfVerb(Kind kind) {
    switch (kind) {
    case Kind::Collective:
        return {orderOption(), {"sweep", [](const std::string& value) {
                                    const auto sizes = sweepSizes(value);
                                    return sizes ? std::string() : textOf(sizes.errors());
                                }}};
    case Kind::Train: return {orderOption(), {"cost", {}, true}};
    case Kind::Search: return {orderOption(), {"objective", oneOf({"time", "cost", "energy"})}, {"top", whole(1, 1000)}, threadsOption()};
    case Kind::Reliability:
        return {{"monte-carlo",
                 [](const std::string& value) {
                     const auto trials = trialsFrom(value);
                     return trials ? std::string() : textOf(trials.errors());
                 }},
                threadsOption()};
    case Kind::Metrics: break;
    }
    return {};
}
std::vector<OwnOption> ownOptionsOf(Kind kind) {
    std::vector<OwnOption> options = ownOptionsOfVerb(kind);
    for (OwnOption& each : failureOptions()) options.push_back(std::move(each));
    return options;
}

// Takes the options that are no rows out of the words.
Result<ParameterTexts> takeOwn(Kind kind, const std::string& text, std::vector<std::string>& words) {
    const std::vector<OwnOption> options = ownOptionsOf(kind);
    ParameterTexts own;
    std::vector<std::string> rest;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = std::min(words[i].find('='), words[i].size());
        const auto option = std::find_if(options.begin(), options.end(),
                                         [&](const OwnOption& each) { return words[i].substr(0, equals) == "--" + each.name; });
        if (option == options.end()) {
            rest.push_back(words[i]);
            continue;
        }
        const bool hasValue = equals < words[i].size();
        if (!option->isRepeated && own.contains(option->name))
            return Error::usage(fmt::format("evaluate \"{}\": --{} is given twice", text, option->name));
        if (option->isFlag) {
            if (hasValue) return Error::usage(fmt::format("evaluate \"{}\": --{} has no value", text, option->name));
            own[option->name] = "on";
            continue;
        }
        const std::string value = hasValue ? words[i].substr(equals + 1) : i + 1 < words.size() ? words[++i] : std::string();
        if (const std::string wrong = option->problemOf(value); !wrong.empty())
            return Error::usage(fmt::format("evaluate \"{}\": --{} {}: {}", text, option->name, value, wrong));
        std::string& stated = own[option->name];
        stated = option->isRepeated && !stated.empty() ? stated + "\n" + value : value;
    }
    words = std::move(rest);
    return own;
}

// "--key value" and "--key=value" as the texts of rows.
template <class Settings>
Result<ParameterTexts> optionsOf(Kind kind, std::span<const Parameter<Settings>> rows, const std::vector<std::string>& words,
                                 const std::string& text, const Settings& usual, std::string_view of) {
    ParameterTexts texts;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::size_t equals = std::min(words[i].find('='), words[i].size());
        const std::string option = words[i].substr(0, equals);
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& each) { return each.info.option() == option; });
        if (row == rows.end()) {
            std::vector<std::string> known;
            for (const OwnOption& own : ownOptionsOf(kind)) known.push_back("--" + own.name);
            for (const auto& each : rows) known.push_back(each.info.option());
            return Error::usage(fmt::format("evaluate \"{}\": there is no option {}; there are {}", text, option, fmt::join(known, ", ")));
        }
        if (equals == words[i].size() && i + 1 == words.size())
            return Error::usage(fmt::format("evaluate \"{}\": {} needs a value", text, option));
        const std::string value = equals < words[i].size() ? words[i].substr(equals + 1) : words[++i];
        const auto [stated, isFirst] = texts.emplace(row->info.key, value);
        if (!isFirst && row->info.isList)
            stated->second += "; " + value;
        else if (!isFirst)
            return Error::usage(fmt::format("evaluate \"{}\": {} is given twice{}", text, option,
                                            kind == Kind::Collective ? "; OPERATION@SIZE sets --op and --size" : ""));
        if (option == "--model" && value.ends_with(".json"))
            return Error::usage(fmt::format("evaluate \"{}\": {} {}: must be a known model; a model file is a value of training.model, "
                                            "under settings or axes",
                                            text, option, value));
    }
    if (const auto good = withTexts(rows, usual, texts, of); !good) {
        std::vector<Error> errors = good.errors();
        for (Error& error : errors) {
            // A model file would be another one on another machine.
            constexpr std::string_view file = ", or a file ending in .json";
            if (const std::size_t at = error.text.find(file); at != std::string::npos)
                error.text.replace(at, file.size(), "; a model file is a value of training.model, under settings or axes");
            error.text = fmt::format("evaluate \"{}\": {}", text, error.text);
        }
        return errors;
    }
    return texts;
}

template <class Settings>
Result<Evaluation> verbFrom(Kind kind, const std::string& text, const std::string& key, std::vector<std::string> words,
                            std::span<const Parameter<Settings>> rows, const Settings& usual, std::string_view of) {
    auto own = takeOwn(kind, text, words);
    if (!own) return own.errors();
    auto options = optionsOf(kind, rows, words, text, usual, of);
    if (!options) return options.errors();
    return Evaluation{kind, text, key, std::move(*options), std::move(*own)};
}

Result<Evaluation> collectiveFrom(const std::string& text, std::vector<std::string> words) {
    std::string key = words[0];
    if (words.size() > 1 && !words[1].starts_with("--")) {
        const std::size_t at = words[1].find('@');
        if (at == std::string::npos)
            return Error::usage(fmt::format("evaluate \"{}\": must be OPERATION@SIZE, for example all-to-all@256MiB", text));
        key += "." + words[1];
        words.push_back("--op=" + words[1].substr(0, at));
        words.push_back("--size=" + words[1].substr(at + 1));
        words.erase(words.begin() + 1);
    }
    return verbFrom(Kind::Collective, text, key, std::move(words), collectiveParameters(), CollectiveQuery(), "a collective");
}

Result<Evaluation> jobFrom(Kind kind, const std::string& text, const std::vector<std::string>& words) {
    auto read = verbFrom(kind, text, words[0], words, jobParameters(), usualRequest(), "a training job");
    if (read && read->own("order") == "far" && read->options.contains("placement"))
        return Error::usage(fmt::format("evaluate \"{}\": --order and --placement both order the GPUs; use one of them", text));
    if (read && read->own("order") == "far" && read->options.contains("per_domain"))
        return Error::usage(fmt::format("evaluate \"{}\": --order and --per-domain both choose the GPUs; use one of them", text));
    return read;
}

// --rate KIND=RATE and --repair KIND=TIME, as the command line has them, as rows of their own.
std::vector<std::string> withRows(std::vector<std::string> words) {
    for (std::size_t i = 1; i < words.size(); ++i)
        for (const std::string option : {"--rate", "--repair"}) {
            if (words[i] == option && i + 1 < words.size()) {
                words[i] += "=" + words[i + 1];
                words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            }
            if (words[i].starts_with(option + "=")) words[i][option.size()] = '-';
        }
    return words;
}

} // namespace

std::vector<std::string> evaluationWords(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

std::optional<Result<Evaluation>> readVerb(const std::string& text) {
    const std::vector<std::string> words = evaluationWords(text);
    if (words.empty()) return {};
    if (words[0] == "collective") return collectiveFrom(text, words);
    if (words[0] == "train") return jobFrom(Kind::Train, text, words);
    if (words[0] == "search") return jobFrom(Kind::Search, text, words);
    if (words[0] == "reliability")
        return verbFrom(Kind::Reliability, text, words[0], withRows(words), reliabilityParameters(), ReliabilityRequest(),
                        "the failure model");
    return {};
}

} // namespace railyard
