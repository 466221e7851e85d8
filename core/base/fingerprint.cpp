#include "core/base/fingerprint.h"

#include <fmt/format.h>

namespace railyard {
namespace {

// The 64-bit finaliser of MurmurHash3 (public domain): every input bit reaches every output bit.
constexpr std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
    x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ (x >> 33);
}

} // namespace

Fingerprint fingerprintOf(std::string_view bytes) {
    FingerprintOfBytes all;
    all.add(bytes);
    return all.value();
}

void FingerprintOfBytes::add(std::string_view bytes) {
    Fingerprint f = m_state;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        f.high = (f.high ^ byte) * 0x100000001b3ULL;
        f.low = mixed(f.low + byte + 0x9e3779b97f4a7c15ULL);
    }
    m_state = f;
    m_size += bytes.size();
}

Fingerprint FingerprintOfBytes::value() const { return {mixed(m_state.high + m_size), mixed(m_state.low ^ m_state.high)}; }

Fingerprint FingerprintOfNumbers::value() const {
    const std::uint64_t high = mixed(m_state.high);
    return {mixed(high + m_state.low), mixed(m_state.low ^ high)};
}

std::string toText(const Fingerprint& fingerprint) { return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low); }

} // namespace railyard
