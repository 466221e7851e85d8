// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014, doi:10.1145/2660193.2660195): the same draws on any machine.
#pragma once

#include <cstdint>

namespace railyard {

inline constexpr std::uint64_t randomStep = 0x9e3779b97f4a7c15ULL; // 2^64 divided by the golden ratio

// Every bit of the result depends on every bit of the value.
constexpr std::uint64_t mixedBits(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

class RandomNumbers {
public:
    explicit constexpr RandomNumbers(std::uint64_t seed) : m_state(seed) {}
    constexpr std::uint64_t next() { return mixedBits(m_state += randomStep); }
    constexpr double fraction() { return static_cast<double>(next() >> 11U) * 0x1.0p-53; } // 0 included, 1 not

private:
    std::uint64_t m_state;
};

} // namespace railyard
