// What a manager reads for a key of `metrics`: "cost.network_usd" is "Network cost (switches, cables and modules)", in USD.
#pragma once

#include "core/io/tables/table.h"

namespace railyard {

struct KeyWords {
    std::string section, title, unit;
    double scale = 1; // shown = value × scale
    CellFormat format = CellFormat::Integer;
    int order = 0; // of its section and place in it
};

// Keys that no rule knows are spelled out: "new_group.some_value_w" is "New group, some value", in W. Nothing for keys that
// repeat another figure or describe it (the size of a collective, the links of a cut).
std::optional<KeyWords> wordsOf(const std::string& key);

} // namespace railyard
