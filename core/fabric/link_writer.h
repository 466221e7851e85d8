// Appends links to a fabric that is being elaborated, and knows the next free port of every device.
#pragma once

#include "core/fabric/fabric.h"

namespace railyard {

class LinkWriter {
public:
    explicit LinkWriter(Fabric& made) : fabric(made) {}

    void resize(std::size_t devices);
    std::uint8_t speedIndex(Bandwidth speed); // beyondLimits() keeps the number of speeds within its type
    // A hostile or mistyped document may ask for more links than memory holds, or for more ports to be looked at than time allows;
    // every loop over such a product asks this before each step.
    bool hasRoom();
    bool overflows() const { return m_overflow; }
    void link(DeviceId from, PortId fromPort, DeviceId to, PortId toPort, LinkTier tier, std::uint8_t speed);
    void connectDown(DeviceId lower, PortId lowerPort, DeviceId upper, LinkTier tier, std::uint8_t speed); // to its next port down
    bool isFull(DeviceId device) const; // of its ports down, the first in its layout

    Fabric& fabric;
    By<DeviceId, std::uint32_t> nextPort, nextUplink; // ports in use, down and up

private:
    std::size_t m_steps = 0;
    bool m_overflow = false;
};

} // namespace railyard
