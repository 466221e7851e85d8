#include "app/cli/verbs/verb.h"
#include "core/io/formats/format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace railyard::cli {
namespace {

int runFormats(const AnswerOptions& answer) {
    Json list = Json::array();
    if (answer.wantsText()) fmt::print("{:<12}{:<8}{:<8}{}\n", "Format", "Import", "Export", "Content");
    for (const Format& format : formatTable()) {
        list.push_back({{"name", format.name},
                        {"title", format.title},
                        {"extensions", format.extensions},
                        {"import", format.canImport()},
                        {"export", format.canExport()},
                        {"program", format.program}});
        if (answer.wantsText())
            fmt::print("{:<12}{:<8}{:<8}{} ({}{})\n", format.name, format.canImport() ? "yes" : "–", format.canExport() ? "yes" : "–",
                       format.title, fmt::join(format.extensions, ", "), format.program == "railyard" ? "; railyard render" : "");
    }
    return answer.give({{"schema", "railyard.formats/1"}, {"formats", list}});
}

Run addFormats(CLI::App& verb) {
    auto answer = std::make_shared<AnswerOptions>();
    answer->addTo(verb);
    return [=] { return runFormats(*answer); };
}

} // namespace

const VerbInfo formatsVerb{"formats", "list the formats that are imported and exported", neverShowsPrices, addFormats};

} // namespace railyard::cli
