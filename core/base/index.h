// Typed 32-bit indices: a link index cannot be used as a device index.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace railyard {

template <class Tag>
struct Index {
    std::uint32_t value = std::numeric_limits<std::uint32_t>::max();

    constexpr bool isValid() const { return value != std::numeric_limits<std::uint32_t>::max(); }
    constexpr auto operator<=>(const Index&) const = default;
};

using DeviceIndex = Index<struct DeviceTag>;
using LinkIndex = Index<struct LinkTag>;
using ScopeIndex = Index<struct ScopeTag>;

} // namespace railyard
