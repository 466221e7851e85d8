// 128-bit content hash, identical on every machine. Used as the key of cached results; not cryptographic.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace railyard {

struct Fingerprint {
    std::uint64_t high = 0, low = 0;
    bool operator==(const Fingerprint&) const = default;
};

Fingerprint fingerprintOf(std::string_view bytes);
// The same, of bytes that come in pieces.
class FingerprintOfBytes {
public:
    void add(std::string_view bytes);
    Fingerprint value() const;

private:
    Fingerprint m_state{0x9e3779b97f4a7c15ULL, 0xc2b2ae3d27d4eb4fULL};
    std::uint64_t m_size = 0;
};
std::string toText(const Fingerprint& fingerprint); // 32 hexadecimal digits

// The fingerprint of numbers in their order, for long tables: two at a time, each with one half of it. Not that of their bytes.
class FingerprintOfNumbers {
public:
    void add(std::uint64_t first, std::uint64_t second) {
        m_state.high = step(m_state.high, first, 0xff51afd7ed558ccdULL);
        m_state.low = step(m_state.low, second, 0xc4ceb9fe1a85ec53ULL);
    }
    Fingerprint value() const;

private:
    // Another number gives another state, and so does another state.
    static constexpr std::uint64_t step(std::uint64_t state, std::uint64_t number, std::uint64_t odd) {
        state = (state ^ number) * odd;
        return state ^ (state >> 32U);
    }
    Fingerprint m_state{0x9e3779b97f4a7c15ULL, 0xc2b2ae3d27d4eb4fULL};
};

} // namespace railyard
