// Typed 32-bit indices: the index of a link is not that of a device. One is made from a number only where that is said, and is a number
// wherever one is needed. By<DeviceId, T> is a list that is looked up by one kind of index.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace railyard {

// The absence of an index, of whatever kind.
struct NoIndex {
    static constexpr std::uint32_t number = std::numeric_limits<std::uint32_t>::max();
    constexpr operator std::uint32_t() const { return number; }
};
inline constexpr NoIndex none;

template <class Tag>
class Index {
public:
    constexpr Index() = default; // none
    constexpr Index(NoIndex) {}
    template <class Number>
    requires std::is_integral_v<Number>
    constexpr explicit Index(Number number) : m_number(static_cast<std::uint32_t>(number)) {}

    constexpr operator std::uint32_t() const { return m_number; }
    constexpr Index& operator++() {
        ++m_number;
        return *this;
    }
    friend constexpr bool operator==(const Index&, const Index&) = default;
    friend constexpr auto operator<=>(const Index&, const Index&) = default;

private:
    std::uint32_t m_number = NoIndex::number;
};

// Indices of different kinds are never compared.
template <class A, class B>
requires(!std::is_same_v<A, B>) bool operator==(Index<A>, Index<B>) = delete;
template <class A, class B>
requires(!std::is_same_v<A, B>) std::strong_ordering operator<=>(Index<A>, Index<B>) = delete;

using DeviceId = Index<struct DeviceTag>;
using LinkId = Index<struct LinkTag>;
using ScopeId = Index<struct ScopeTag>;   // into Fabric::scopes
using ServerId = Index<struct ServerTag>; // into Fabric::servers
using DomainId = Index<struct DomainTag>; // into Fabric::hbDomains
using NodeId = Index<struct NodeTag>;     // a switch in a SwitchGraph
using PortId = Index<struct PortTag>;     // the number of a port on its device, from 1

// for (const DeviceId device : indices<DeviceId>(fabric.devices.size()))
template <class Id>
class Indices {
public:
    class Iterator {
    public:
        constexpr explicit Iterator(Id at) : m_at(at) {}
        constexpr Id operator*() const { return m_at; }
        constexpr Iterator& operator++() {
            ++m_at;
            return *this;
        }
        constexpr bool operator==(const Iterator&) const = default;

    private:
        Id m_at;
    };
    constexpr explicit Indices(std::size_t count) : m_end(count) {}
    constexpr Indices(Id first, Id end) : m_first(first), m_end(end) {}
    constexpr Iterator begin() const { return Iterator(m_first); }
    constexpr Iterator end() const { return Iterator(m_end); }

private:
    Id m_first{0}, m_end;
};
template <class Id>
constexpr Indices<Id> indices(std::size_t count) {
    return Indices<Id>(count);
}

// Numbers are accepted as indices; indices of another kind are not.
template <class Id, class T, class Allocator = std::allocator<T>>
class By : public std::vector<T, Allocator> {
    using Vector = std::vector<T, Allocator>;

public:
    using Vector::Vector;
    By() = default;
    By(Vector values) : Vector(std::move(values)) {}
    typename Vector::reference operator[](std::size_t at) { return Vector::operator[](at); }
    typename Vector::const_reference operator[](std::size_t at) const { return Vector::operator[](at); }
    typename Vector::reference operator[](Id at) { return Vector::operator[](at); }
    typename Vector::const_reference operator[](Id at) const { return Vector::operator[](at); }
    template <class Other>
    requires(!std::is_same_v<railyard::Index<Other>, Id>) void operator[](railyard::Index<Other>) const = delete;
};

} // namespace railyard

template <class Tag>
struct std::hash<railyard::Index<Tag>> {
    std::size_t operator()(railyard::Index<Tag> index) const noexcept { return std::hash<std::uint32_t>()(index); }
};
