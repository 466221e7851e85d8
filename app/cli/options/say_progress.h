// How far a verb has come.
#pragma once

#include <cstdint>
#include <string_view>

namespace railyard::cli {

// Whether progress is told: on a terminal, and elsewhere if the option --progress asks for it.
void askForProgress();
bool tellsProgress();

// From the second second on and at most once a second: "12 of 64 cells computed, about 9 s left". Called by one thread.
void sayProgress(std::int64_t done, std::int64_t all, std::string_view what);

} // namespace railyard::cli
