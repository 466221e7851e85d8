// What the groups of a fabric ask of it again and again, found in one look at all its links: a group then costs what its own size costs.
#pragma once

#include "core/base/found_once.h"
#include "core/collective/operation/operation.h"
#include "core/routing/gpus/gpu_ports.h"

#include <vector>

namespace railyard {

struct FabricIndex {
    FabricIndex(const Fabric& fabric, const SwitchGraph& graph);

    Lists<DeviceId, DeviceId> nicsOfGpu;               // all lists: in the order of links
    Lists<DeviceId, std::uint32_t> hostsOfNic;         // indices in the graph's hosts
    Lists<std::uint32_t, std::uint32_t> hostsOfDomain; // the same, by HB domain
    std::vector<std::uint32_t> keyOfHost;              // see NicKeys
    std::vector<std::uint32_t> gpusOfDomain;
    std::vector<double> hb;                    // by device: the speed of all HB links of a GPU, one direction, in bit/s; 0 for others
    std::vector<bool> meetsHbSwitch, meetsGpu; // by device: by an HB link
    std::vector<bool> isMesh;                  // by HB domain: GPUs are cabled to GPUs, or switches to switches
    Transport transport;                       // RoCE where one of the switches that NICs lead to is of Ethernet, InfiniBand otherwise
    std::vector<bool> linksOfPartialNics; // of NICs that have lost some but not all of their ports by failures; empty if there are none
    FoundOnce<GpuPorts> portsOfAll;       // gpuPortsOf() this fabric, once a group asks
};

} // namespace railyard
