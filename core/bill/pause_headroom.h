// Buffer of Ethernet switches that a lossless class needs for packets that arrive after it asked for a pause (PFC, IEEE 802.1Qbb).
#pragma once

#include "core/bill/cabling.h"

#include <optional>

namespace railyard {

namespace pause {
inline constexpr double secondsPerMetre = 4.9e-9;  // fibre; SUE framework
inline constexpr double responseSeconds = 1.16e-6; // 905 quanta of 512 bits at 400 Gb/s, recalled from IEEE 802.3 31B; assumption
inline constexpr double mtuBytes = 9216, frameBytes = 64;
} // namespace pause

// Of one Ethernet switch with one lossless class.
struct PauseBuffer {
    DeviceId device;
    double bufferBytes = 0;       // as published
    std::int64_t ports = 0;       // those with a network link
    Bandwidth rate;               // of all of them, one way
    double byteMetresPerS = 0;    // of all of them, rate · length of the cable
    double headroomBytes() const; // of all ports: rate · (2 · cable delay + response time) + 2 MTU + one pause frame
    double leftBytes() const { return bufferBytes - headroomBytes(); } // below 0: too small
    Metres leftMetres() const;                                         // by which every cable of the switch may grow
};

struct PauseBuffers {
    std::vector<PauseBuffer> known;      // in the order of devices
    std::int64_t unknown = 0;            // Ethernet switches whose buffer is not published
    const PauseBuffer* tightest() const; // with the least left; null if none is known
};
PauseBuffers pauseBuffersOf(const Fabric& fabric, const Cabling& cabling);

} // namespace railyard
