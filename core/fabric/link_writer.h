// Appends links to a fabric that is being elaborated, and knows the next free port of every device.
#pragma once

#include "core/fabric/fabric.h"

#include <optional>

namespace railyard {

class LinkWriter {
public:
    LinkWriter(Fabric& made, bool listsInsideLinks) : fabric(made), m_listsInsideLinks(listsInsideLinks) {}

    void resizeUnset(std::size_t devices); // for those who call `start` for every device
    void start(DeviceId device) { nextPort[device] = nextUplink[device] = 0; }
    std::uint8_t speedIndex(Bandwidth speed); // beyondLimits() keeps the number of speeds within its type
    // A hostile or mistyped document may ask for more links than memory holds, or for more ports to be looked at than time allows;
    // every loop over such a product asks this before each step.
    bool hasRoom();
    bool hasRoom(std::size_t links, std::size_t steps) const; // for this number of further links and steps
    void takeSteps(std::size_t count) { m_steps += count; }
    std::size_t steps() const { return m_steps; }
    std::size_t omitted() const { return m_omitted; } // links inside servers, which count towards the limits all the same
    void takeOmitted(std::size_t count) { m_omitted += count; }
    bool overflows() const { return m_overflow; }
    void link(DeviceId from, PortId fromPort, DeviceId to, PortId toPort, LinkTier tier, std::uint8_t speed);
    // Appends `count` links and counts as many steps; returns the first. The caller sets all of each, which are network links. Returns
    // nothing and appends nothing if a limit would be exceeded.
    std::optional<LinkId> linksUnset(std::size_t count);
    void connectDown(DeviceId lower, PortId lowerPort, DeviceId upper, LinkTier tier, std::uint8_t speed); // to its next port down
    bool isFull(DeviceId device) const; // of its ports down, the first in its layout

    Fabric& fabric;
    UnsetBy<DeviceId, std::uint32_t> nextPort, nextUplink; // ports in use, down and up

private:
    bool m_listsInsideLinks;
    std::size_t m_steps = 0, m_omitted = 0;
    bool m_overflow = false;
};

} // namespace railyard
