// Stretches of tables that are equal, or that count up.
#pragma once

#include "core/base/index.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace railyard {

// Returns the end of the run of entries from `first` on that equal it; at most `end`. Compares many entries at a time.
template <class T>
std::size_t endOfEqual(const T* entries, std::size_t first, std::size_t end) {
    static_assert(std::has_unique_object_representations_v<T>);
    constexpr std::size_t most = 1024 / sizeof(T);
    std::size_t at = first + 1;
    while (at < end) { // each with the one before
        const std::size_t count = std::min(most, end - at);
        if (std::memcmp(entries + at - 1, entries + at, count * sizeof(T)) != 0) break;
        at += count;
    }
    while (at < end && entries[at] == entries[first]) ++at;
    return at;
}

// Sets entries to first, first + 1 and so on. Compilers vectorise this loop, unlike std::iota over indices.
template <class Tag>
void countUp(Index<Tag>* entries, std::size_t count, Index<Tag> first) {
    const std::uint32_t from = first;
    for (std::uint32_t i = 0, end = static_cast<std::uint32_t>(count); i < end; ++i) entries[i] = Index<Tag>(from + i);
}

} // namespace railyard
