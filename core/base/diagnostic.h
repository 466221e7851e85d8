// A finding about a design that can be drawn but should be reviewed. Codes are stable because approvals and tests use them.
#pragma once

#include <string>
#include <string_view>

namespace railyard {

enum class Severity { Note, Warning, Error };

struct Diagnostic {
    std::string code; // RY-P001
    Severity severity = Severity::Note;
    std::string text;          // the condition, as a sentence
    std::string subject;       // path of an example, or empty
    std::string hint;          // the recommended remedy, as a sentence
    int count = 1;             // number of affected elements
    std::string approved = {}; // the reason of the approval, if the document approves the finding
    std::string fix = {};      // the edit that fixes the example, in the form of core/analysis/edit_text; empty if there is no safe edit
};

constexpr std::string_view toText(Severity severity) {
    return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

} // namespace railyard
