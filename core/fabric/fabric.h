// The design with all devices and links listed in struct-of-arrays form. Derived, immutable, never saved.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/index.h"
#include "core/design/model/design.h"

#include <array>
#include <string>
#include <vector>

namespace railyard {

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// An instance of a block: su[3], pod[2], su[1]/srv[4]. The root has no parent and no name.
struct Scope {
    std::uint32_t parent = none;
    std::uint16_t slug = 0;
    Instance::Role role = Instance::Role::Plain;
    std::uint32_t index = 0;
    bool operator==(const Scope&) const = default;
};

struct DeviceTable {
    std::vector<DeviceKind> kind;
    std::vector<SwitchTier> tier;
    std::vector<std::uint32_t> scope;
    std::vector<std::uint16_t> slug, part, ports; // indices into Fabric::slugs, parts, portLayouts
    std::vector<std::uint32_t> index;             // from 1
    std::vector<std::uint32_t> rail, su, plane;   // from 1; 0 = none or several
    std::vector<std::uint32_t> server, hbDomain;  // indices into Fabric::servers, hbDomains; none if outside

    std::size_t size() const { return kind.size(); }
    void resize(std::size_t count);
    bool operator==(const DeviceTable&) const = default;
};

struct LinkTable {
    std::vector<std::uint32_t> a, b;         // devices; a is the lower end
    std::vector<std::uint32_t> aPort, bPort; // from 1
    std::vector<LinkTier> tier;
    std::vector<std::uint8_t> speed; // into Fabric::speeds

    std::size_t size() const { return a.size(); }
    void reserve(std::size_t count);
    bool operator==(const LinkTable&) const = default;
    void append(std::uint32_t from, std::uint32_t fromPort, std::uint32_t to, std::uint32_t toPort, LinkTier linkTier,
                std::uint8_t speedIndex) {
        a.push_back(from);
        b.push_back(to);
        aPort.push_back(fromPort);
        bPort.push_back(toPort);
        tier.push_back(linkTier);
        speed.push_back(speedIndex);
    }
};

using PortLayout = std::vector<PortGroup>;

struct Fabric {
    DesignPointer design;
    std::vector<std::string> slugs;
    std::vector<Scope> scopes;
    std::vector<std::string> partIds;       // [0] is the empty id
    std::vector<const Part*> parts;         // parallel to partIds; null if the catalogue has no such part
    std::vector<PortLayout> portLayouts;    // [0] is empty: no fixed ports
    std::vector<Bandwidth> speeds;          // per direction
    std::vector<std::uint32_t> servers;     // scopes
    std::vector<std::uint16_t> serverParts; // parallel to servers, into parts
    std::vector<std::uint32_t> hbDomains;   // scopes
    DeviceTable devices;
    LinkTable links;
    std::vector<Diagnostic> diagnostics; // findings of elaboration: orphaned overrides, links that cannot be created
    // For a fabric with failures: the intact fabric, and the device there for each device here. Failures do not move racks.
    std::shared_ptr<const Fabric> intact;
    std::vector<std::uint32_t> intactDevice;

    Bandwidth speedOf(std::size_t link) const { return speeds[links.speed[link]]; }
    bool isNetworkLink(std::size_t link) const { return links.tier[link] < LinkTier::Hb; }
    const Part* partOf(std::size_t device) const { return parts[devices.part[device]]; }
    int portCount(std::size_t device) const;
    std::string scopePath(std::uint32_t scope) const; // empty for the root
    std::string devicePath(std::size_t device) const;
    std::string portName(std::size_t device, std::uint32_t port, LinkTier tier) const;          // 17, 17.2, hb3, pcie1
    std::optional<std::uint32_t> portFromName(std::size_t device, std::string_view name) const; // network ports
};

using FabricPointer = std::shared_ptr<const Fabric>;

// True if two designs have the same bisection, collectives and failure metrics by construction: the same devices and parts,
// connected by the same links. Names, positions and racks are ignored.
bool isSameNetwork(const Fabric& a, const Fabric& b);

// The numbers of devices by kind, of switches by tier and of links by tier, computed in one pass.
struct FabricCounts {
    std::int64_t gpus = 0, nics = 0, servers = 0, hbDomains = 0, switches = 0, links = 0;
    std::array<std::int64_t, 5> switchesByTier{}; // by SwitchTier
    std::array<std::int64_t, 7> linksByTier{};    // by LinkTier
    std::int64_t rails = 0, planes = 0;
    int tiers = 0;
    std::int64_t switchPorts = 0, switchPortsUsed = 0;
};

FabricCounts countsOf(const Fabric& fabric);

} // namespace railyard
