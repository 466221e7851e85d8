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
std::string toText(const Fingerprint& fingerprint); // 32 hexadecimal digits

} // namespace railyard
