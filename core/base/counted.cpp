#include "core/base/counted.h"

#include "core/base/unit_text.h"

namespace railyard {

std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    std::string text(count == 1 ? one : many);
    if (const std::size_t at = text.find("{}"); at != std::string::npos) text.replace(at, 2, formatCount(count));
    return text;
}

} // namespace railyard
