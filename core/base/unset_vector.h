// A vector whose new entries hold nothing yet: for large tables of which every entry that is read is written first.
#pragma once

#include "core/base/index.h"

#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace railyard {

template <class T>
struct UnsetAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UnsetAllocator<U>;
    };
    template <class U>
    void construct(U*) noexcept { // the memory of such a type holds one, of whatever value
        static_assert(std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>);
    }
    template <class U, class... Arguments>
    void construct(U* at, Arguments&&... arguments) {
        ::new (static_cast<void*>(at)) U{std::forward<Arguments>(arguments)...};
    }
};
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

template <class Id, class T>
using UnsetBy = By<Id, T, UnsetAllocator<T>>;

} // namespace railyard
