// The design with all devices and links listed in struct-of-arrays form. Derived, immutable, never saved.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/unset_vector.h"
#include "core/design/model/design.h"

#include <array>
#include <string>
#include <vector>

namespace railyard {

// An instance of a block: su[3], pod[2], su[1]/srv[4]. The root has no parent and no name.
struct Scope {
    ScopeId parent;
    std::uint16_t slug = 0;
    Instance::Role role = Instance::Role::Plain;
    std::uint32_t index = 0;
    bool operator==(const Scope&) const = default;
};

struct DeviceTable {
    template <class T>
    using Of = UnsetBy<DeviceId, T>;
    Of<DeviceKind> kind;
    Of<SwitchTier> tier;
    Of<ScopeId> scope;
    Of<std::uint16_t> slug, part, ports; // indices into Fabric::slugs, parts, portLayouts
    Of<std::uint32_t> index;             // from 1
    Of<std::uint32_t> rail, su, plane;   // from 1; 0 = none or several
    Of<ServerId> server;                 // none if outside
    Of<DomainId> hbDomain;               // none if outside

    bool routes(DeviceId d) const { return infoOf(kind[d]).routes; } // a switch of the network, which has a tier
    bool isGpu(DeviceId d) const { return kind[d] == DeviceKind::Gpu; }
    bool isNic(DeviceId d) const { return kind[d] == DeviceKind::Nic; }
    bool isHbSwitch(DeviceId d) const { return kind[d] == DeviceKind::HbSwitch; }
    bool isHost(DeviceId d) const { return kind[d] == DeviceKind::Host; }
    bool isManager(DeviceId d) const { return kind[d] == DeviceKind::Manager; }

    std::size_t size() const { return kind.size(); }
    Indices<DeviceId> ids() const { return indices<DeviceId>(size()); }
    void resize(std::size_t count);      // as a rule from nothing; new devices are GPUs outside servers
    void resizeUnset(std::size_t count); // for those who set every entry of the new devices, before any is read
    bool operator==(const DeviceTable&) const = default;
};

struct LinkTable {
    template <class T>
    using Of = UnsetBy<LinkId, T>;
    Of<DeviceId> a, b; // a is the lower end
    Of<PortId> aPort, bPort;
    Of<LinkTier> tier;
    Of<std::uint8_t> speed; // into Fabric::speeds

    std::size_t size() const { return a.size(); }
    Indices<LinkId> ids() const { return indices<LinkId>(size()); }
    std::size_t countOf(LinkTier of) const;
    std::size_t countNetworkLinks() const; // those outside servers
    void reserve(std::size_t count);
    void resizeUnset(std::size_t count); // for those who set every entry of the new links
    bool operator==(const LinkTable&) const = default;
    void append(DeviceId from, PortId fromPort, DeviceId to, PortId toPort, LinkTier linkTier, std::uint8_t speedIndex) {
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
    By<ScopeId, Scope> scopes;
    std::vector<std::string> partIds;    // [0] is the empty id
    std::vector<const Part*> parts;      // parallel to partIds; null if the catalogue has no such part
    std::vector<PortLayout> portLayouts; // [0] is empty: no fixed ports
    std::vector<Bandwidth> speeds;       // per direction
    By<ServerId, ScopeId> servers;
    By<ServerId, std::uint16_t> serverParts; // into parts
    By<DomainId, ScopeId> hbDomains;
    DeviceTable devices;
    LinkTable links;
    std::vector<Diagnostic> diagnostics; // findings of elaboration: orphaned overrides, links that cannot be created
    // For a fabric with failures: the intact fabric, and the device there for each device here. Failures do not move racks.
    std::shared_ptr<const Fabric> intact;
    By<DeviceId, DeviceId> intactDevice;

    Bandwidth speedOf(LinkId link) const { return speeds[links.speed[link]]; }
    bool isNetworkLink(LinkId link) const { return links.tier[link] < LinkTier::Hb; }
    const Part* partOf(DeviceId device) const { return parts[devices.part[device]]; }
    int portCount(DeviceId device) const;
    std::string scopePath(ScopeId scope) const; // empty for the root
    std::string devicePath(DeviceId device) const;
    std::string portName(DeviceId device, PortId port, LinkTier tier) const;          // 17, 17.2, hb3, pcie1
    std::optional<PortId> portFromName(DeviceId device, std::string_view name) const; // network ports
};

using FabricPointer = std::shared_ptr<const Fabric>;

std::vector<DeviceId> switchesOf(const DeviceTable& devices); // those that route, in order; quicker than to ask every device

// True if two designs have the same bisection, collectives and failure metrics by construction: the same devices and parts,
// connected by the same links. Names, positions, racks (and so the lengths of cables) and the training job are ignored.
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
