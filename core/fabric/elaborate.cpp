#include "core/fabric/elaborate.h"

#include "core/design/own_blocks.h"
#include "core/fabric/hand_drawn.h"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace railyard {
namespace {

constexpr std::size_t mostLinks = 40'000'000;

// All devices that share a way of slugs from the root (su/leaf), in the order in which they were made.
struct ClassNode {
    std::uint16_t slug = 0;
    std::vector<std::uint32_t> children;
    std::vector<std::uint32_t> devices;
    const Block* resolved = nullptr; // the block that stands here, whose rules were looked up last
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rules;
};

struct Context {
    std::uint32_t scope = 0, node = 0;
    std::uint32_t su = 0, rail = 0, plane = 1, server = none, domain = none;
};

class Elaborator {
public:
    explicit Elaborator(DesignPointer design) : m_fabric(std::make_shared<Fabric>()), m_design(*design), m_blocks(blocksInForce(*design)) {
        m_fabric->design = std::move(design);
        m_fabric->partIds.emplace_back();
        m_fabric->parts.push_back(nullptr);
        m_fabric->portLayouts.emplace_back();
        m_nodes.emplace_back();
    }

    std::shared_ptr<Fabric> run() {
        const auto root = m_blocks.find("root");
        const std::size_t devices = (root == m_blocks.end() ? 0 : deviceCount(*root->second)) + deviceCount(*m_design.free);
        m_fabric->devices.resize(devices);
        m_fabric->links.reserve(devices * 4);
        m_nextPort.resize(devices);
        m_nextUplink.resize(devices);
        m_fabric->scopes.push_back({});
        if (root != m_blocks.end()) instantiate(*root->second, {});
        // Hand-drawn content has a root scope of its own, so that the devices of a scope stay side by side.
        Context hand;
        hand.scope = static_cast<std::uint32_t>(m_fabric->scopes.size());
        // Beside several planes a switch drawn by hand belongs to none until it is cabled.
        const auto& planes = m_fabric->devices.plane;
        if (std::any_of(planes.begin(), planes.end(), [](std::uint32_t plane) { return plane > 1; })) hand.plane = 0;
        m_fabric->scopes.push_back({});
        instantiate(*m_design.free, hand);
        if (m_overflow)
            m_fabric->diagnostics.push_back(
                {"RY-D016", Severity::Error, "the design has more links than can be drawn; the rest is left out", "", "lower a count", 1});
        return m_fabric;
    }

private:
    std::size_t deviceCount(const Block& block) {
        if (const auto known = m_sizes.find(&block); known != m_sizes.end()) return known->second;
        std::size_t count = 0;
        for (const DeviceRow& row : block.devices) count += static_cast<std::size_t>(row.count);
        for (const Instance& instance : block.instances)
            if (const Block* inner = blockOf(instance)) count += deviceCount(*inner) * static_cast<std::size_t>(instance.count);
        return m_sizes[&block] = count;
    }
    const Block* blockOf(const Instance& instance) const {
        const auto found = m_blocks.find(instance.block);
        return found == m_blocks.end() ? nullptr : found->second.get();
    }

    std::uint16_t slugIndex(const std::string& slug) {
        auto& slugs = m_fabric->slugs;
        for (std::size_t i = 0; i < slugs.size(); ++i)
            if (slugs[i] == slug) return static_cast<std::uint16_t>(i);
        slugs.push_back(slug);
        return static_cast<std::uint16_t>(slugs.size() - 1);
    }
    std::uint16_t partIndex(const std::string& id) {
        auto& ids = m_fabric->partIds;
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] == id) return static_cast<std::uint16_t>(i);
        ids.push_back(id);
        m_fabric->parts.push_back(m_design.catalog->find(id));
        return static_cast<std::uint16_t>(ids.size() - 1);
    }
    std::uint16_t layoutIndex(const PortLayout& layout) {
        auto& layouts = m_fabric->portLayouts;
        for (std::size_t i = 0; i < layouts.size(); ++i)
            if (layouts[i] == layout) return static_cast<std::uint16_t>(i);
        layouts.push_back(layout);
        return static_cast<std::uint16_t>(layouts.size() - 1);
    }
    std::uint8_t speedIndex(Bandwidth speed) {
        auto& speeds = m_fabric->speeds;
        for (std::size_t i = 0; i < speeds.size(); ++i)
            if (speeds[i] == speed) return static_cast<std::uint8_t>(i);
        speeds.push_back(speed);
        return static_cast<std::uint8_t>(speeds.size() - 1);
    }
    std::uint32_t childNode(std::uint32_t parent, std::uint16_t slug) {
        for (const std::uint32_t child : m_nodes[parent].children)
            if (m_nodes[child].slug == slug) return child;
        const auto fresh = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
        m_nodes[fresh].slug = slug;
        m_nodes[parent].children.push_back(fresh);
        return fresh;
    }
    std::uint32_t nodeAt(std::uint32_t from, std::string_view way) {
        while (!way.empty()) {
            const std::size_t slash = way.find('/');
            from = childNode(from, slugIndex(std::string(way.substr(0, slash))));
            way = slash == std::string_view::npos ? std::string_view() : way.substr(slash + 1);
        }
        return from;
    }

    void instantiate(const Block& block, const Context& context) {
        resolveRules(block, context.node);
        std::vector<std::size_t> starts; // where this instance's devices begin in each class its rules use
        starts.reserve(block.wiring.size() * 2);
        for (const auto& [lower, upper] : m_nodes[context.node].rules) {
            starts.push_back(m_nodes[lower].devices.size());
            starts.push_back(m_nodes[upper].devices.size());
        }
        for (const DeviceRow& row : block.devices) addDevices(row, context);
        for (const Instance& instance : block.instances) addInstances(instance, context);
        for (std::size_t r = 0; r < block.wiring.size(); ++r) wire(block.wiring[r], context.node, r, starts);
        for (const FreeLink& link : block.links) m_freeLinks.push_back({&link, context.scope});
    }

    void resolveRules(const Block& block, std::uint32_t node) {
        if (m_nodes[node].resolved == &block) return;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> rules;
        for (const WiringRule& rule : block.wiring) rules.emplace_back(nodeAt(node, rule.lower), nodeAt(node, rule.upper));
        m_nodes[node].rules = std::move(rules);
        m_nodes[node].resolved = &block;
    }

    void addDevices(const DeviceRow& row, const Context& context) {
        DeviceTable& devices = m_fabric->devices;
        const std::uint16_t slug = slugIndex(row.slug), part = partIndex(row.part), layout = layoutIndex(row.ports);
        std::vector<std::uint32_t>& members = m_nodes[childNode(context.node, slug)].devices;
        for (int i = 0; i < row.count; ++i) {
            const std::uint32_t d = m_next++;
            devices.kind[d] = row.kind;
            devices.tier[d] = row.tier;
            devices.scope[d] = context.scope;
            devices.slug[d] = slug;
            devices.part[d] = part;
            devices.ports[d] = layout;
            devices.index[d] = static_cast<std::uint32_t>(row.first + i);
            devices.rail[d] = row.railNumber > 0                   ? static_cast<std::uint32_t>(row.railNumber)
                              : row.rail == DeviceRow::Rail::Own   ? static_cast<std::uint32_t>(i + 1)
                              : row.rail == DeviceRow::Rail::Scope ? context.rail
                                                                   : 0;
            if (row.kind == DeviceKind::Switch || row.kind == DeviceKind::Nic)
                devices.plane[d] = row.plane > 0 ? static_cast<std::uint32_t>(row.plane) : context.plane;
            devices.su[d] = context.su;
            devices.server[d] = context.server;
            devices.hbDomain[d] = context.domain;
            members.push_back(d);
        }
    }

    void addInstances(const Instance& instance, const Context& context) {
        const Block* block = blockOf(instance);
        if (!block) return;
        const std::uint16_t slug = slugIndex(instance.slug);
        Context inner = context;
        inner.node = childNode(context.node, slug);
        for (int i = 0; i < instance.count; ++i) {
            const auto index = static_cast<std::uint32_t>(instance.first + i);
            inner.scope = static_cast<std::uint32_t>(m_fabric->scopes.size());
            m_fabric->scopes.push_back({context.scope, slug, instance.role, index});
            if (instance.role == Instance::Role::ScalableUnit) inner.su = index;
            if (instance.role == Instance::Role::Rail) inner.rail = index;
            if (instance.role == Instance::Role::Plane) inner.plane = index;
            if (instance.role == Instance::Role::HbDomain || (instance.role == Instance::Role::Server && context.domain == none)) {
                inner.domain = static_cast<std::uint32_t>(m_fabric->hbDomains.size());
                m_fabric->hbDomains.push_back(inner.scope);
            }
            if (instance.role == Instance::Role::Server) {
                inner.server = static_cast<std::uint32_t>(m_fabric->servers.size());
                m_fabric->servers.push_back(inner.scope);
                m_fabric->serverParts.push_back(partIndex(instance.part));
            }
            instantiate(*block, inner);
        }
    }

    void wire(const WiringRule& rule, std::uint32_t node, std::size_t r, const std::vector<std::size_t>& starts) {
        const auto [lowerNode, upperNode] = m_nodes[node].rules[r];
        const std::span<const std::uint32_t> lowers = std::span(m_nodes[lowerNode].devices).subspan(starts[r * 2]);
        const std::span<const std::uint32_t> uppers = std::span(m_nodes[upperNode].devices).subspan(starts[r * 2 + 1]);
        const std::uint8_t speed = speedIndex(rule.speed);
        switch (rule.pattern) {
        case WiringPattern::HbStar: return wireStar(lowers, uppers, speed);
        case WiringPattern::HbMesh: return wireMesh(lowers, speed);
        case WiringPattern::HbCube: return wireCube(rule, lowers);
        case WiringPattern::Pcie: return wirePcie(lowers, uppers, speed);
        case WiringPattern::Rail: return wireRails(rule, lowers, uppers, speed);
        case WiringPattern::Chassis: return wireChassis(rule, lowers, uppers, speed);
        case WiringPattern::Spread: return wireSpread(rule, lowers, uppers, speed);
        case WiringPattern::Manager: return wireManager(rule, lowers, uppers, speed);
        }
    }

    using Members = std::span<const std::uint32_t>;

    // A hostile or mistyped document may ask for more links than memory holds.
    void link(std::uint32_t from, std::uint32_t fromPort, std::uint32_t to, std::uint32_t toPort, LinkTier tier, std::uint8_t speed) {
        if (m_fabric->links.size() < mostLinks)
            m_fabric->links.append(from, fromPort, to, toPort, tier, speed);
        else
            m_overflow = true;
    }

    void wireStar(Members gpus, Members switches, std::uint8_t speed) {
        for (std::size_t g = 0; g < gpus.size(); ++g)
            for (std::size_t s = 0; s < switches.size(); ++s)
                link(gpus[g], static_cast<std::uint32_t>(s + 1), switches[s], static_cast<std::uint32_t>(g + 1), LinkTier::Hb, speed);
    }
    void wireMesh(Members gpus, std::uint8_t speed) {
        for (std::size_t i = 0; i < gpus.size(); ++i)
            for (std::size_t j = i + 1; j < gpus.size(); ++j)
                link(gpus[i], static_cast<std::uint32_t>(j), gpus[j], static_cast<std::uint32_t>(i + 1), LinkTier::Hb, speed);
    }
    // Two quads, all pairs of each joined, and GPU i with i + 4. With six links a GPU, eight of the pairs have two
    // (nvidia-smi topo -m of a DGX-1 with V100). Source: NVIDIA DGX-1 with Tesla V100 white paper, WP-08437-002, figure 4.
    void wireCube(const WiringRule& rule, Members gpus) {
        static constexpr int pairs[][3] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 2}, {0, 4, 2}, {1, 2, 2}, {1, 3, 1}, {1, 5, 2}, {2, 3, 2},
                                           {2, 6, 1}, {3, 7, 1}, {4, 5, 1}, {4, 6, 1}, {4, 7, 2}, {5, 6, 2}, {5, 7, 1}, {6, 7, 2}};
        if (gpus.size() != 8) return;
        std::array<std::uint32_t, 8> ports{};
        for (const auto& [i, j, links] : pairs) {
            const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
            const std::uint8_t speed = speedIndex(rule.speed * (rule.uplinks > 4 ? links : 1));
            const std::uint32_t from = ++ports[a], to = ++ports[b];
            link(gpus[a], from, gpus[b], to, LinkTier::Hb, speed);
        }
    }
    // GPU g uses NIC floor(g * nics / gpus); with more NICs than GPUs, NIC n belongs to GPU floor(n * gpus / nics).
    void wirePcie(Members gpus, Members nics, std::uint8_t speed) {
        if (gpus.empty() || nics.empty()) return;
        const std::size_t count = std::max(gpus.size(), nics.size());
        std::size_t lastGpu = count, lastNic = count, gpuPort = 0, nicPort = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t g = i * gpus.size() / count, n = i * nics.size() / count;
            gpuPort = g == lastGpu ? gpuPort + 1 : 1;
            nicPort = n == lastNic ? nicPort + 1 : 1;
            link(gpus[g], static_cast<std::uint32_t>(gpuPort), nics[n], static_cast<std::uint32_t>(nicPort), LinkTier::Pcie, speed);
            lastGpu = g;
            lastNic = n;
        }
    }

    void connectDown(std::uint32_t lower, std::uint32_t lowerPort, std::uint32_t upper, LinkTier tier, std::uint8_t speed) {
        link(lower, lowerPort, upper, ++m_nextPort[upper], tier, speed);
    }

    // Leaves come plane by plane, alike in number.
    struct LeavesByPlane {
        Members leaves;
        std::size_t planes, perPlane;
        LeavesByPlane(Members all, int count) : leaves(all), planes(static_cast<std::size_t>(count)), perPlane(all.size() / planes) {}
        std::uint32_t at(std::size_t plane, std::size_t index) const { return leaves[plane * perPlane + index]; }
    };

    // Connects the ports of NIC `position` of its server or domain; `leafOf` names the leaf of a plane, or none.
    template <class LeafOf>
    void connectNic(std::uint32_t nic, std::uint32_t position, const LeavesByPlane& leaves, std::uint8_t speed, LeafOf leafOf) {
        const auto ports = static_cast<std::uint32_t>(m_fabric->portCount(nic));
        std::uint32_t& planeOfNic = m_fabric->devices.plane[nic];
        for (std::uint32_t port = 0; port < ports; ++port) {
            const std::size_t plane = (std::size_t{position} * ports + port) % leaves.planes;
            planeOfNic = port == 0 || planeOfNic == plane + 1 ? static_cast<std::uint32_t>(plane + 1) : 0;
            if (const std::uint32_t leaf = leafOf(plane); leaf != none) connectDown(nic, port + 1, leaf, LinkTier::HostLeaf, speed);
        }
    }

    void wireRails(const WiringRule& rule, Members nics, Members all, std::uint8_t speed) {
        DeviceTable& devices = m_fabric->devices;
        const LeavesByPlane leaves(all, rule.planes);
        if (leaves.perPlane == 0) return;
        std::uint32_t unit = none, position = 0;
        const auto rails = static_cast<std::uint32_t>(rule.rails);
        for (const std::uint32_t nic : nics) {
            const std::uint32_t own = rule.railsByDomain ? devices.hbDomain[nic] : devices.server[nic];
            position = own == unit ? position + 1 : 0;
            unit = own;
            const std::uint32_t rail = position % rails;
            devices.rail[nic] = rail + 1;
            connectNic(nic, position, leaves, speed, [&](std::size_t plane) { return leaves.at(plane, rail % leaves.perPlane); });
        }
    }

    void wireChassis(const WiringRule& rule, Members nics, Members all, std::uint8_t speed) {
        DeviceTable& devices = m_fabric->devices;
        const LeavesByPlane leaves(all, rule.planes);
        std::uint32_t server = none, position = 0;
        int servers = -1;
        for (const std::uint32_t nic : nics) {
            position = devices.server[nic] == server ? position + 1 : 0;
            if (devices.server[nic] != server) ++servers;
            server = devices.server[nic];
            devices.rail[nic] = position % static_cast<std::uint32_t>(rule.rails) + 1;
            const auto at = static_cast<std::size_t>(servers / rule.serversPerLeaf);
            connectNic(nic, position, leaves, speed, [&](std::size_t plane) { return at < leaves.perPlane ? leaves.at(plane, at) : none; });
        }
    }

    void wireManager(const WiringRule& rule, Members managers, Members leaves, std::uint8_t speed) {
        if (managers.empty() || leaves.empty()) return;
        const std::uint32_t lastSu = m_fabric->devices.su[leaves.back()];
        std::vector<std::uint32_t> last;
        for (const std::uint32_t leaf : leaves)
            if (m_fabric->devices.su[leaf] == lastSu) last.push_back(leaf);
        const auto full = [&](std::uint32_t leaf) {
            const PortLayout& layout = m_fabric->portLayouts[m_fabric->devices.ports[leaf]];
            return layout.empty() || m_nextPort[leaf] >= static_cast<std::uint32_t>(layout.front().count);
        };
        std::size_t at = 0;
        for (int port = 1; port <= rule.ports; ++port, ++at) {
            for (std::size_t tries = 0; tries < last.size() && full(last[at % last.size()]); ++tries) ++at;
            connectDown(managers[0], static_cast<std::uint32_t>(port), last[at % last.size()], LinkTier::ManagerLeaf, speed);
        }
    }

    static LinkTier tierAbove(SwitchTier tier) {
        if (tier == SwitchTier::Leaf) return LinkTier::LeafSpine;
        return tier == SwitchTier::Spine ? LinkTier::SpineSuperspine : LinkTier::SuperspineCore;
    }

    void wireSpread(const WiringRule& rule, Members lowers, Members uppers, std::uint8_t speed) {
        const DeviceTable& devices = m_fabric->devices;
        // Group number of every lower: by rail, then by index, then by runs; the same order as the upper groups.
        std::unordered_map<std::uint64_t, std::uint32_t> seen; // key -> lowers so far
        const auto perGroup = static_cast<std::size_t>(rule.uppersPerGroup);
        const std::size_t runsPerKey = runsOfKeys(rule, lowers);
        std::vector<std::uint64_t> turn(perGroup == 0 ? 1 : uppers.size() / perGroup + 1);
        for (const std::uint32_t lower : lowers) {
            const std::uint64_t key = keyOf(rule, lower);
            std::uint32_t& before = seen[key];
            const std::size_t run = rule.run > 0 ? before / static_cast<std::uint32_t>(rule.run) : 0;
            ++before;
            const std::size_t group = key * runsPerKey + run;
            if (perGroup == 0 || (group + 1) * perGroup > uppers.size()) continue;
            const std::uint32_t used = m_nextPort[lower];
            const int uplinks = rule.uplinks > 0
                                    ? rule.uplinks
                                    : std::min(rule.upRatio, static_cast<int>((used * static_cast<std::uint32_t>(rule.upRatio) +
                                                                               static_cast<std::uint32_t>(rule.downRatio) - 1) /
                                                                              static_cast<std::uint32_t>(rule.downRatio)));
            const LinkTier tier = tierAbove(devices.tier[lower]);
            for (int j = 0; j < uplinks; ++j) {
                const std::size_t at = upperFor(static_cast<std::size_t>(j), static_cast<std::size_t>(uplinks), perGroup, turn[group]);
                const auto port = static_cast<std::uint32_t>(rule.downPorts) + ++m_nextUplink[lower];
                connectDown(lower, port, uppers[group * perGroup + at], tier, speed);
            }
            if (uplinks > rule.uppersPerGroup) turn[group] += static_cast<std::uint64_t>(uplinks);
        }
    }

    // Whole multiples side by side; fewer uplinks than uppers take the first; else in turn, so that ports fill evenly.
    static std::size_t upperFor(std::size_t j, std::size_t uplinks, std::size_t uppers, std::uint64_t turn) {
        if (uplinks % uppers == 0) return j / (uplinks / uppers);
        return uplinks < uppers ? j : (turn + j) % uppers;
    }
    std::uint64_t keyOf(const WiringRule& rule, std::uint32_t lower) const {
        const DeviceTable& devices = m_fabric->devices;
        const std::uint64_t own = rule.groupByRail ? devices.rail[lower] - 1 : rule.groupByIndex ? devices.index[lower] - 1 : 0;
        if (!rule.groupByPlane) return own;
        return own + (devices.plane[lower] - 1) * (rule.groupByRail ? static_cast<std::uint64_t>(rule.rails) : 1);
    }
    std::size_t runsOfKeys(const WiringRule& rule, Members lowers) const {
        if (rule.run == 0) return 1;
        std::unordered_map<std::uint64_t, std::size_t> sizes;
        std::size_t most = 0;
        for (const std::uint32_t lower : lowers) most = std::max(most, ++sizes[keyOf(rule, lower)]);
        return (most + static_cast<std::size_t>(rule.run) - 1) / static_cast<std::size_t>(rule.run);
    }

public:
    const std::vector<PlacedLink>& freeLinks() const { return m_freeLinks; }

private:
    std::shared_ptr<Fabric> m_fabric;
    const Design& m_design;
    std::map<std::string, BlockPointer> m_blocks;
    std::unordered_map<const Block*, std::size_t> m_sizes;
    std::vector<ClassNode> m_nodes;
    std::vector<std::uint32_t> m_nextPort, m_nextUplink;
    std::vector<PlacedLink> m_freeLinks;
    std::uint32_t m_next = 0;
    bool m_overflow = false;
};

// A GPU belongs to the rail of its (first) NIC.
void railsOfGpus(Fabric& fabric) {
    const LinkTable& links = fabric.links;
    std::vector<std::uint32_t>& rail = fabric.devices.rail;
    for (std::size_t l = 0; l < links.size(); ++l)
        if (links.tier[l] == LinkTier::Pcie && rail[links.a[l]] == 0) rail[links.a[l]] = rail[links.b[l]];
}

} // namespace

FabricPointer elaborate(DesignPointer design) {
    Elaborator elaborator(std::move(design));
    std::shared_ptr<Fabric> fabric = elaborator.run();
    addFreeLinks(*fabric, elaborator.freeLinks());
    railsOfGpus(*fabric);
    return withOverrides(std::move(fabric));
}

} // namespace railyard
