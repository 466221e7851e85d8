// A stretch of a table that counts up.
#pragma once

#include "core/base/index.h"

#include <cstddef>

namespace railyard {

// first, first + 1 and so on. Unlike std::iota, several entries at a time.
template <class Tag>
void countUp(Index<Tag>* entries, std::size_t count, Index<Tag> first) {
    const std::uint32_t from = first;
    for (std::uint32_t i = 0, end = static_cast<std::uint32_t>(count); i < end; ++i) entries[i] = Index<Tag>(from + i);
}

} // namespace railyard
