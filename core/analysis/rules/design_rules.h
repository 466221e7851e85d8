// Design rules: conditions that can be drawn but should not be built. Codes are stable.
#pragma once

#include "core/base/diagnostic.h"
#include "core/bill/bill.h"

#include <map>
#include <string>
#include <vector>

namespace railyard {

// Findings sorted by severity, code and subject; findings that the document approves come last.
std::vector<Diagnostic> checkDesign(const Fabric& fabric, const Cabling& cabling, const Bill& bill, std::string_view asOf = {});

// Settings of the recipe that need fewer switches: of the fabric, or of a storage or management network beside it (RY-C006).
struct CheaperSetting {
    std::string subject; // "recipe", or the name of the network
    std::string text;    // how many switches there are, and how many are enough
    std::string hint;    // what becomes of the bisection
    std::int64_t switches = 0;
    std::map<std::string, std::string> changes; // parameter -> value; an empty value takes the default
};
std::vector<CheaperSetting> cheaperSettings(const Fabric& fabric);

} // namespace railyard
