// What a text that names nothing may have meant.
#pragma once

#include "core/fabric/fabric.h"

#include <string>
#include <string_view>
#include <vector>

namespace railyard {

// The path of an element whose path is most like this path or selector: "su[9]/leef[3]:1" is like su[4]/leaf[3]. Empty if nothing is.
std::string similarPath(const Fabric& fabric, std::string_view text);
// The word that is most like `text`; empty if none has even half of its letters.
std::string similarWord(std::string_view text, const std::vector<std::string>& words);

} // namespace railyard
