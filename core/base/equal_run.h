// Where entries of a table that equal one another end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace railyard {

// Behind the last of the entries from `first` on that equal it, below `end`. Long runs are compared many at a time.
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

} // namespace railyard
