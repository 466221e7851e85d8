#include "core/bill/pause_headroom.h"

#include <algorithm>

namespace railyard {
double PauseBuffer::headroomBytes() const {
    return 2 * pause::secondsPerMetre * byteMetresPerS + pause::responseSeconds * rate.value() / 8 +
           static_cast<double>(ports) * (2 * pause::mtuBytes + pause::frameBytes);
}

Metres PauseBuffer::leftMetres() const { return Metres(leftBytes() / (rate.value() / 8 * 2 * pause::secondsPerMetre)); }

const PauseBuffer* PauseBuffers::tightest() const {
    const auto found = std::min_element(known.begin(), known.end(),
                                        [](const PauseBuffer& a, const PauseBuffer& b) { return a.leftBytes() < b.leftBytes(); });
    return found == known.end() ? nullptr : &*found;
}

PauseBuffers pauseBuffersOf(const Fabric& fabric, const Cabling& cabling) {
    By<DeviceId, PauseBuffer> all(fabric.devices.size());
    const LinkTable& links = fabric.links;
    for (const CabledLinkId own : cabling.links.ids()) {
        const LinkId l = cabling.links[own];
        const Bandwidth rate = fabric.speedOf(l);
        for (const DeviceId end : {links.a[l], links.b[l]}) {
            ++all[end].ports;
            all[end].rate += rate;
            all[end].byteMetresPerS += rate.value() / 8 * cabling.choiceOf(own).ordered.value();
        }
    }
    PauseBuffers buffers;
    for (const DeviceId d : fabric.devices.ids()) {
        const Part* part = fabric.devices.routes(d) && all[d].ports > 0 ? fabric.partOf(d) : nullptr;
        const SwitchPart* details = part ? part->as<SwitchPart>() : nullptr;
        if (!details || details->protocol != "eth") continue;
        if (details->bufferMb) {
            all[d].device = d;
            all[d].bufferBytes = *details->bufferMb * 1e6;
            buffers.known.push_back(all[d]);
        } else {
            ++buffers.unknown;
        }
    }
    return buffers;
}

} // namespace railyard
