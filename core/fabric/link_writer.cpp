#include "core/fabric/link_writer.h"

#include "core/design/model/limits.h"

namespace railyard {
namespace {

constexpr std::size_t mostSteps = 200'000'000; // ports looked at, whether or not a link comes of it

} // namespace

void LinkWriter::resizeUnset(std::size_t devices) {
    nextPort.resize(devices);
    nextUplink.resize(devices);
}

std::uint8_t LinkWriter::speedIndex(Bandwidth speed) {
    auto& speeds = fabric.speeds;
    for (std::size_t i = 0; i < speeds.size(); ++i)
        if (speeds[i] == speed) return static_cast<std::uint8_t>(i);
    speeds.push_back(speed);
    return static_cast<std::uint8_t>(speeds.size() - 1);
}

bool LinkWriter::hasRoom() {
    m_overflow = m_overflow || ++m_steps > mostSteps;
    return !m_overflow;
}

bool LinkWriter::hasRoom(std::size_t links, std::size_t steps) const {
    return !m_overflow && fabric.links.size() + m_omitted + links <= mostLinks && m_steps + steps <= mostSteps;
}

void LinkWriter::link(DeviceId from, PortId fromPort, DeviceId to, PortId toPort, LinkTier tier, std::uint8_t speed) {
    if (fabric.links.size() + m_omitted >= mostLinks)
        m_overflow = true;
    else if (m_listsInsideLinks || tier < LinkTier::Hb)
        fabric.links.append(from, fromPort, to, toPort, tier, speed);
    else
        ++m_omitted;
}

std::optional<LinkId> LinkWriter::linksUnset(std::size_t count) {
    if (!hasRoom(count, count)) return {};
    takeSteps(count);
    const LinkId first(fabric.links.size());
    fabric.links.resizeUnset(first + count);
    return first;
}

void LinkWriter::connectDown(DeviceId lower, PortId lowerPort, DeviceId upper, LinkTier tier, std::uint8_t speed) {
    link(lower, lowerPort, upper, PortId(++nextPort[upper]), tier, speed);
}

bool LinkWriter::isFull(DeviceId device) const {
    const PortLayout& layout = fabric.portLayouts[fabric.devices.ports[device]];
    return !layout.empty() && nextPort[device] >= static_cast<std::uint32_t>(layout.front().count);
}

} // namespace railyard
