// Drops of palette items.
#pragma once

#include "core/design/edits/edit_result.h"

#include <optional>
#include <string_view>

namespace railyard {

enum class PaletteItem { Server, HbDomain, Rail, Leaf, Spine, Superspine, Pod, Plane };
std::string_view toText(PaletteItem item);
std::optional<PaletteItem> paletteItemFrom(std::string_view text);

// The effect of dropping a palette item: a recipe parameter where possible, otherwise a new device at `at`.
Result<Edit> dropItem(const Design& design, PaletteItem item, Point at);
// The same without following the recommendations of the recipe: additional spines even if leaves cannot split their uplinks
// evenly (the label says so), and other switches without cables.
Result<Edit> dropOffRung(const Design& design, PaletteItem item, int step, Point at);
// One switch, drawn by hand and unconnected, whatever the recipe would make of it.
Result<Edit> dropOne(const Design& design, PaletteItem item, Point at);
// A leaf on an SU of the recipe: the next larger number of rails, as far as the NICs of a server allow. The label says how many leaves
// every SU gets.
Result<Edit> dropLeafOnUnit(const Design& design);

} // namespace railyard
