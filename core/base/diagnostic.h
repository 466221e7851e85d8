// A design that can be drawn but should be looked at. Codes are stable: approvals and tests name them.
#pragma once

#include <string>
#include <string_view>

namespace railyard {

enum class Severity { Note, Warning, Error };

struct Diagnostic {
    std::string code; // RY-P001
    Severity severity = Severity::Note;
    std::string text;          // what is so
    std::string subject;       // path of an example, or empty
    std::string hint;          // what would be right
    int count = 1;             // how many elements it is true of
    std::string approved = {}; // why it may stay, where the document says so
    std::string fix = {};      // the edit that mends the example, as core/analysis/edit_text reads it; empty where none is sure
};

constexpr std::string_view toText(Severity severity) {
    return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "note";
}

} // namespace railyard
