#include "app/cli/verbs/verb.h"
#include "core/base/fingerprint.h"
#include "core/base/unit_text.h"
#include "core/io/document/document_changes.h"
#include "core/json/json_text.h"

#include <fmt/format.h>
#include <memory>

namespace railyard::cli {
namespace {

using Kind = DocumentChange::Kind;

Json sideOf(const Design& design, const std::string& file) {
    return {{"file", file}, {"name", design.name}, {"fingerprint", toText(fingerprintOf(fingerprintText(design)))}};
}

std::string shortText(const Json& value) {
    constexpr std::size_t longest = 60;
    std::string text = value.is_string() ? value.get<std::string>() : jsonText(value, -1);
    if (text.size() > longest) text = "…";
    return text;
}

void print(const DesignChanges& found) {
    for (const DocumentChange& change : found.changes)
        fmt::print("{:<8} {}{}\n", toText(change.kind), change.path,
                   change.kind == Kind::Added || change.kind == Kind::Removed
                       ? std::string()
                       : fmt::format(": {} → {}", shortText(change.before), shortText(change.after)));
    const auto counts = [](const char* what, const std::map<std::string, std::int64_t>& added,
                           const std::map<std::string, std::int64_t>& removed) {
        for (const auto& [sign, of] : {std::pair("+", &added), {"−", &removed}})
            for (const auto& [name, count] : *of) fmt::print("{}{} {} {}\n", sign, formatCount(count), name, what);
    };
    counts("devices", found.addedDevices, found.removedDevices);
    counts("links", found.addedLinks, found.removedLinks);
    if (found.isEmpty()) fmt::print("The designs are the same.\n");
}

int runDiff(const std::string& first, const std::string& second, const AnswerOptions& answer) {
    DesignInput a, b;
    a.file = first;
    b.file = second;
    const auto before = load(a), after = load(b);
    std::vector<Error> errors;
    for (const auto* side : {&before, &after})
        if (!*side) errors.insert(errors.end(), side->errors().begin(), side->errors().end());
    if (!errors.empty()) return report(errors);
    const DesignChanges found = changesBetween(before->design, after->design);
    Json changes = Json::array(), counts = Json::object();
    for (const DocumentChange& change : found.changes)
        changes.push_back({{"kind", toText(change.kind)}, {"path", change.path}, {"before", change.before}, {"after", change.after}});
    for (const Kind kind : {Kind::Added, Kind::Removed, Kind::Moved, Kind::Changed}) counts[std::string(toText(kind))] = found.count(kind);
    if (answer.wantsText()) print(found);
    return answer.give({{"schema", "railyard.diff/1"},
                        {"a", sideOf(*before->design, first)},
                        {"b", sideOf(*after->design, second)},
                        {"counts", counts},
                        {"changes", changes},
                        {"devices", {{"added", found.addedDevices}, {"removed", found.removedDevices}}},
                        {"links", {{"added", found.addedLinks}, {"removed", found.removedLinks}}}});
}

Run addDiff(CLI::App& verb) {
    auto a = std::make_shared<std::string>(), b = std::make_shared<std::string>();
    auto answer = std::make_shared<AnswerOptions>();
    verb.add_option("A", *a, "the design before")->required();
    verb.add_option("B", *b, "the design after")->required();
    answer->addTo(verb);
    return [=] { return runDiff(*a, *b, *answer); };
}

} // namespace

const VerbInfo diffVerb{"diff", "list what was added, removed, moved and changed between two designs", neverShowsPrices, addDiff};

} // namespace railyard::cli
