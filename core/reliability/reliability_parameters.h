// Everything that people can set about failures, a row each: the command line, forms and the section "reliability" of a document.
#pragma once

#include "core/base/parameter.h"
#include "core/design/model/design.h"
#include "core/reliability/reliability.h"

#include <span>

namespace railyard {

std::span<const Parameter<ReliabilityRequest>> reliabilityParameters();
std::string rateKey(PartKind kind);                         // of its row: rate_host_link
inline constexpr std::string_view repairPrefix = "repair_"; // of the rows of repair times: repair_server

// Errors: every option that is unknown or has a value that it cannot have.
Result<ReliabilityRequest> readReliability(const ParameterTexts& options);
ReliabilityRequest reliabilityOfDesign(const Design& design); // with the usual values where the design states none

} // namespace railyard
