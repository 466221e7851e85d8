// The heat maps and curves of a design, stated once: `heatmap --kind`, `render --view heatmap:KIND` and the window offer these kinds.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace railyard {

struct MapKind {
    enum Use : unsigned { Nothing = 0, Operation = 1, Job = 2, Colour = 4, Prices = 8, OtherDesigns = 16, ViewOfItsOwn = 32 };

    std::string_view name;   // collective-time
    std::string_view title;  // as the window lists it
    unsigned uses = Nothing; // what it depends on besides the design; OtherDesigns: it builds some, so that failures cannot be asked for

    bool has(Use use) const { return (uses & use) != 0; }
};

std::span<const MapKind> mapKinds();
const MapKind* mapKindNamed(std::string_view name); // null if there is none
std::string mapKindNames();                         // collective-time, difference and so on

} // namespace railyard
