// A fabric as files of others describe it, element by element: what every reader makes, before it becomes a design.
#pragma once

#include "core/base/error.h"
#include "core/design/model/block.h"

#include <cstdint>
#include <string>
#include <vector>

namespace railyard {

struct FlatDevice {
    std::string path; // su[1]/leaf[4]; indices from 1
    DeviceKind kind = DeviceKind::Switch;
    SwitchTier tier = SwitchTier::None;
    int rail = 0, plane = 0, su = 0; // 0: none
    std::string hbDomain, server;    // paths of the blocks; empty: none
    std::string part, serverPart;    // catalogue IDs; empty: not known
    int line = 0;                    // of the file, from 1
};

struct FlatLink {
    std::size_t a = 0, b = 0; // devices; a is the lower end
    std::string aPort, bPort; // as in links.csv: 17, 17.2, hb1, pcie1
    LinkTier tier = LinkTier::HostLeaf;
    double gbps = 0;   // one direction
    std::string cable; // links with the same ID are in one trunk or split cable; empty: not known
    int line = 0;
};

struct FlatFabric {
    std::string name;
    std::vector<FlatDevice> devices;
    std::vector<FlatLink> links;
    std::string devicesFile, linksFile; // for messages
    bool hasRacks = false;              // some device has a place in a rack
};

} // namespace railyard
