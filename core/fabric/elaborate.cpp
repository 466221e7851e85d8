#include "core/fabric/elaborate.h"

#include "core/design/model/limits.h"
#include "core/design/model/own_blocks.h"
#include "core/design/model/uplink_spread.h"
#include "core/fabric/hand_drawn.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <unordered_map>

namespace railyard {
namespace {

constexpr std::size_t mostSteps = 200'000'000; // ports looked at, whether or not a link comes of it

// All devices that share a way of slugs from the root (su/leaf), in the order in which they were made.
struct ClassNode {
    std::vector<DeviceId> devices;
    const Block* resolved = nullptr; // the block that stands here, whose rules were looked up last
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rules;
};

struct Context {
    ScopeId scope{0};
    std::uint32_t node = 0;
    std::uint32_t su = 0, rail = 0, plane = 1;
    ServerId server;
    DomainId domain;
    bool isDomainSetByRule = false; // a rule further out says which servers make an HB domain
};

// A rule with the devices that it joins, which other rules have to wire first.
struct DeferredRule {
    const WiringRule* rule;
    std::vector<DeviceId> lowers, uppers;
    std::uint8_t speed;
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
        wireDeferred();
        // Hand-drawn content has a root scope of its own, so that the devices of a scope stay side by side.
        Context hand;
        hand.scope = ScopeId(m_fabric->scopes.size());
        // Where there are several planes, a hand-drawn switch belongs to none until it is cabled.
        const auto& planes = m_fabric->devices.plane;
        if (std::any_of(planes.begin(), planes.end(), [](std::uint32_t plane) { return plane > 1; }) || isDrawnInPlanes()) hand.plane = 0;
        m_fabric->scopes.push_back({});
        instantiate(*m_design.free, hand);
        wireDeferred();
        if (m_overflow)
            m_fabric->diagnostics.push_back({std::string(linksOmitted), Severity::Error,
                                             "The wiring exceeds the maximum of 40,000,000 links; the remaining links are omitted.", "",
                                             "Reduce a count or the number of uplinks.", 1});
        return m_fabric;
    }

private:
    static bool hasPlanes(const Block& block) {
        return std::any_of(block.devices.begin(), block.devices.end(), [](const DeviceRow& row) { return row.plane > 1; });
    }
    // Of a fabric that is drawn in blocks; the recipe's planes are known by then.
    bool isDrawnInPlanes() const {
        return hasPlanes(*m_design.free) || (!m_design.recipe && std::any_of(m_blocks.begin(), m_blocks.end(),
                                                                             [](const auto& block) { return hasPlanes(*block.second); }));
    }
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

    // beyondLimits() keeps the numbers of slugs, parts, layouts and speeds within their types.
    template <class Index, class Value>
    static Index indexIn(std::vector<Value>& values, std::unordered_map<std::string, Index>& known, const std::string& key,
                         const Value& value) {
        const auto [at, isNew] = known.try_emplace(key, static_cast<Index>(values.size()));
        if (isNew) values.push_back(value);
        return at->second;
    }
    std::uint16_t slugIndex(const std::string& slug) { return indexIn(m_fabric->slugs, m_slugs, slug, slug); }
    std::uint16_t partIndex(const std::string& id) {
        if (m_parts.empty()) m_parts.emplace(std::string(), 0);
        const std::uint16_t index = indexIn(m_fabric->partIds, m_parts, id, id);
        if (index == m_fabric->parts.size()) m_fabric->parts.push_back(m_design.catalog->find(id));
        return index;
    }
    std::uint16_t layoutIndex(const PortLayout& layout) {
        if (m_layouts.empty()) m_layouts.emplace(std::string(), 0);
        std::string key;
        for (const PortGroup& group : layout) key += fmt::format("{} {} {};", group.count, group.speed.value(), group.lanes);
        return indexIn(m_fabric->portLayouts, m_layouts, key, layout);
    }
    std::uint8_t speedIndex(Bandwidth speed) {
        auto& speeds = m_fabric->speeds;
        for (std::size_t i = 0; i < speeds.size(); ++i)
            if (speeds[i] == speed) return static_cast<std::uint8_t>(i);
        speeds.push_back(speed);
        return static_cast<std::uint8_t>(speeds.size() - 1);
    }
    std::uint32_t childNode(std::uint32_t parent, std::uint16_t slug) {
        const auto [at, isNew] = m_children.try_emplace(std::uint64_t{parent} << 16U | slug, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew) m_nodes.emplace_back();
        return at->second;
    }
    std::uint32_t nodeAt(std::uint32_t from, std::string_view path) {
        while (!path.empty()) {
            const std::size_t slash = path.find('/');
            from = childNode(from, slugIndex(std::string(path.substr(0, slash))));
            path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
        }
        return from;
    }

    void instantiate(const Block& block, Context context) {
        resolveRules(block, context.node);
        context.isDomainSetByRule = context.isDomainSetByRule || std::any_of(block.wiring.begin(), block.wiring.end(), joinsDomains);
        std::vector<std::size_t> starts; // where this instance's devices begin in each class its rules use
        starts.reserve(block.wiring.size() * 2);
        for (const auto& [lower, upper] : m_nodes[context.node].rules) {
            starts.push_back(m_nodes[lower].devices.size());
            starts.push_back(m_nodes[upper].devices.size());
        }
        const auto begin = m_next;
        for (const DeviceRow& row : block.devices) addDevices(row, context);
        for (const Instance& instance : block.instances) addInstances(instance, context);
        for (std::size_t r = 0; r < block.wiring.size() && !m_overflow; ++r) wire(block.wiring[r], context.node, r, starts, begin);
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
        std::vector<DeviceId>& members = m_nodes[childNode(context.node, slug)].devices;
        for (int i = 0; i < row.count; ++i) {
            const DeviceId d = m_next;
            ++m_next;
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
            inner.scope = ScopeId(m_fabric->scopes.size());
            m_fabric->scopes.push_back({context.scope, slug, instance.role, index});
            if (instance.role == Instance::Role::ScalableUnit) inner.su = index;
            if (instance.role == Instance::Role::Rail) inner.rail = index;
            if (instance.role == Instance::Role::Plane) inner.plane = index;
            const bool isOwnDomain = instance.role == Instance::Role::Server && context.domain == none && !context.isDomainSetByRule;
            if (instance.role == Instance::Role::HbDomain || isOwnDomain) {
                inner.domain = DomainId(m_fabric->hbDomains.size());
                m_fabric->hbDomains.push_back(inner.scope);
            }
            if (instance.role == Instance::Role::Server) {
                inner.server = ServerId(m_fabric->servers.size());
                m_fabric->servers.push_back(inner.scope);
                m_fabric->serverParts.push_back(partIndex(instance.part));
            }
            instantiate(*block, inner);
        }
    }

    void wire(const WiringRule& rule, std::uint32_t node, std::size_t r, const std::vector<std::size_t>& starts, DeviceId begin) {
        const auto [lowerNode, upperNode] = m_nodes[node].rules[r];
        const std::span<const DeviceId> lowers = std::span(m_nodes[lowerNode].devices).subspan(starts[r * 2]);
        const std::span<const DeviceId> uppers = std::span(m_nodes[upperNode].devices).subspan(starts[r * 2 + 1]);
        const std::uint8_t speed = speedIndex(rule.speed);
        const bool waits = rule.pattern == WiringPattern::Spread && rule.uplinks == 0 && !lowers.empty() &&
                           m_fabric->devices.tier[lowers.front()] != SwitchTier::Leaf;
        if (waits) return m_deferred.push_back({&rule, {lowers.begin(), lowers.end()}, {uppers.begin(), uppers.end()}, speed});
        switch (rule.pattern) {
        case WiringPattern::HbStar:
            return joinsDomains(rule) ? wireDomains(rule, lowers, uppers, speed, begin) : wireStar(lowers, uppers, speed);
        case WiringPattern::HbMesh: return wireMesh(lowers, speed);
        case WiringPattern::HbCube: return wireCube(rule, lowers);
        case WiringPattern::Pcie: return wirePcie(lowers, uppers, speed);
        case WiringPattern::Rail: return wireRails(rule, lowers, uppers, speed);
        case WiringPattern::Chassis: return wireChassis(rule, lowers, uppers, speed);
        case WiringPattern::Spread: return wireSpread(rule, lowers, uppers, speed);
        case WiringPattern::Manager: return wireManager(rule, lowers, uppers, speed);
        }
    }

    using Members = std::span<const DeviceId>;

    // Uplinks in proportion to downlinks wait for those of the tiers below, which a rule further out may wire.
    void wireDeferred() {
        const auto tier = [&](const DeferredRule& deferred) { return m_fabric->devices.tier[deferred.lowers.front()]; };
        std::stable_sort(m_deferred.begin(), m_deferred.end(),
                         [&](const DeferredRule& a, const DeferredRule& b) { return tier(a) < tier(b); });
        for (const DeferredRule& deferred : m_deferred) wireSpread(*deferred.rule, deferred.lowers, deferred.uppers, deferred.speed);
        m_deferred.clear();
    }

    // A hostile or mistyped document may ask for more links than memory holds, or for more ports to be looked at than time allows;
    // every loop over such a product asks this before each step.
    bool hasRoom() {
        m_overflow = m_overflow || ++m_steps > mostSteps;
        return !m_overflow;
    }
    void link(DeviceId from, PortId fromPort, DeviceId to, PortId toPort, LinkTier tier, std::uint8_t speed) {
        if (m_fabric->links.size() < mostLinks)
            m_fabric->links.append(from, fromPort, to, toPort, tier, speed);
        else
            m_overflow = true;
    }

    // The lower devices are GPUs, or HB switches whose first ports their GPUs have.
    void wireStar(Members lowers, Members switches, std::uint8_t speed) {
        for (std::size_t g = 0; g < lowers.size(); ++g) {
            const std::uint32_t used = m_nextPort[lowers[g]];
            for (std::size_t s = 0; s < switches.size() && hasRoom(); ++s)
                link(lowers[g], PortId(used + static_cast<std::uint32_t>(s) + 1), switches[s], PortId(g + 1), LinkTier::Hb, speed);
        }
        for (const DeviceId each : switches) m_nextPort[each] = static_cast<std::uint32_t>(lowers.size());
    }
    static bool joinsDomains(const WiringRule& rule) { return rule.pattern == WiringPattern::HbStar && rule.run > 0; }

    // One star for each run of GPUs; their servers, with all their devices, belong to the domain of its switch. What is beyond
    // the last whole run joins the last star. All of them stand from `begin` on.
    void wireDomains(const WiringRule& rule, Members gpus, Members switches, std::uint8_t speed, DeviceId begin) {
        if (switches.empty()) return;
        DeviceTable& devices = m_fabric->devices;
        const auto run = static_cast<std::size_t>(rule.run);
        std::unordered_map<ServerId, DomainId> domainOf; // of a server
        for (std::size_t s = 0; s < switches.size(); ++s) {
            const std::size_t first = std::min(s * run, gpus.size()), end = s + 1 == switches.size() ? gpus.size() : first + run;
            const Members own = gpus.subspan(first, std::min(end, gpus.size()) - first);
            wireStar(own, switches.subspan(s, 1), speed);
            for (const DeviceId gpu : own) domainOf[devices.server[gpu]] = devices.hbDomain[gpu] = devices.hbDomain[switches[s]];
        }
        for (DeviceId d = gpus.empty() ? m_next : begin; d < m_next; ++d)
            if (const auto own = domainOf.find(devices.server[d]); own != domainOf.end() && devices.server[d] != none)
                devices.hbDomain[d] = own->second;
    }

    void wireMesh(Members gpus, std::uint8_t speed) {
        for (std::size_t i = 0; i < gpus.size(); ++i)
            for (std::size_t j = i + 1; j < gpus.size() && hasRoom(); ++j)
                link(gpus[i], PortId(j), gpus[j], PortId(i + 1), LinkTier::Hb, speed);
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
            const PortId from(++ports[a]), to(++ports[b]);
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
            link(gpus[g], PortId(gpuPort), nics[n], PortId(nicPort), LinkTier::Pcie, speed);
            lastGpu = g;
            lastNic = n;
        }
    }

    void connectDown(DeviceId lower, PortId lowerPort, DeviceId upper, LinkTier tier, std::uint8_t speed) {
        link(lower, lowerPort, upper, PortId(++m_nextPort[upper]), tier, speed);
    }

    // Leaves of every plane, in order, and the first of each rail.
    struct LeavesByPlane {
        std::vector<std::vector<DeviceId>> of;
        std::vector<std::unordered_map<std::uint32_t, DeviceId>> ofRail;
        LeavesByPlane(const DeviceTable& devices, Members all, int planes)
            : of(static_cast<std::size_t>(planes)),
              ofRail(static_cast<std::size_t>(planes)) {
            for (const DeviceId leaf : all)
                if (const std::size_t plane = devices.plane[leaf] - 1; plane < of.size()) {
                    of[plane].push_back(leaf);
                    ofRail[plane].try_emplace(devices.rail[leaf], leaf);
                }
        }
        DeviceId at(std::size_t plane, std::size_t index) const { return index < of[plane].size() ? of[plane][index] : none; }
    };

    // Connects the ports of NIC `position` of its server or domain; `leafOf` names the leaf of a plane, or none.
    template <class LeafOf>
    void connectNic(DeviceId nic, std::uint32_t position, int planes, std::uint8_t speed, LeafOf leafOf) {
        const auto ports = static_cast<std::uint32_t>(m_fabric->portCount(nic));
        std::uint32_t& planeOfNic = m_fabric->devices.plane[nic];
        for (std::uint32_t port = 0; port < ports && hasRoom(); ++port) {
            const std::size_t plane = (std::size_t{position} * ports + port) % static_cast<std::size_t>(planes);
            planeOfNic = port == 0 || planeOfNic == plane + 1 ? static_cast<std::uint32_t>(plane + 1) : 0;
            if (const DeviceId leaf = leafOf(plane); leaf != none) connectDown(nic, PortId(port + 1), leaf, LinkTier::HostLeaf, speed);
        }
    }

    // The leaf of a rail among those of a plane; where the rail has none, or leaves have no rail, they take turns.
    DeviceId leafOfRail(const LeavesByPlane& leaves, std::size_t plane, std::uint32_t rail) const {
        const std::vector<DeviceId>& all = leaves.of[plane];
        if (all.empty()) return none;
        const auto inTurn = all[rail % all.size()];
        if (m_fabric->devices.rail[inTurn] == rail + 1) return inTurn;
        const auto own = leaves.ofRail[plane].find(rail + 1);
        return own == leaves.ofRail[plane].end() ? inTurn : own->second;
    }

    void wireRails(const WiringRule& rule, Members nics, Members all, std::uint8_t speed) {
        DeviceTable& devices = m_fabric->devices;
        const LeavesByPlane leaves(devices, all, rule.planes);
        if (all.empty()) return;
        std::uint32_t unit = none, position = 0;
        const auto rails = static_cast<std::uint32_t>(rule.rails);
        for (const DeviceId nic : nics) {
            const auto own = rule.railsByDomain ? devices.hbDomain[nic] : devices.server[nic];
            position = own == unit ? position + 1 : 0;
            unit = own;
            const auto rail = position % rails;
            devices.rail[nic] = rail + 1;
            connectNic(nic, position, rule.planes, speed, [&](std::size_t plane) { return leafOfRail(leaves, plane, rail); });
        }
    }

    void wireChassis(const WiringRule& rule, Members nics, Members all, std::uint8_t speed) {
        DeviceTable& devices = m_fabric->devices;
        const LeavesByPlane leaves(devices, all, rule.planes);
        ServerId server;
        std::uint32_t position = 0;
        int servers = -1;
        for (const DeviceId nic : nics) {
            position = devices.server[nic] == server ? position + 1 : 0;
            if (devices.server[nic] != server) ++servers;
            server = devices.server[nic];
            devices.rail[nic] = position % static_cast<std::uint32_t>(rule.rails) + 1;
            const auto at = static_cast<std::size_t>(servers / rule.serversPerLeaf);
            connectNic(nic, position, rule.planes, speed, [&](std::size_t plane) { return leaves.at(plane, at); });
        }
    }

    // Switches that a group of lowers shares. A full one stays full and is skipped for good, so that finding room costs next to
    // nothing however many are full.
    struct Uppers {
        explicit Uppers(Members switches) : members(switches), spread(switches.size()) {}
        Members members;
        UplinkSpread spread;

        // The first that is not full from `at` on, going round; `at` itself if all are.
        template <class Full>
        std::size_t withRoom(std::size_t at, Full isFull) {
            if (m_allFull || !isFull(members[at])) return at;
            if (m_next.empty()) {
                m_next.resize(members.size());
                std::iota(m_next.begin(), m_next.end(), 0U);
            }
            for (;;) {
                const std::size_t found = root(at);
                if (!isFull(members[found])) return found;
                if (++m_full == members.size()) return m_allFull = true, at;
                m_next[found] = static_cast<std::uint32_t>((found + 1) % members.size());
            }
        }

    private:
        std::size_t root(std::size_t at) {
            while (m_next[at] != at) at = m_next[at] = m_next[m_next[at]];
            return at;
        }
        std::vector<std::uint32_t> m_next; // itself, or where to look on
        std::size_t m_full = 0;
        bool m_allFull = false;
    };

    void wireManager(const WiringRule& rule, Members managers, Members leaves, std::uint8_t speed) {
        if (managers.empty() || leaves.empty()) return;
        const auto lastSu = m_fabric->devices.su[leaves.back()];
        std::vector<DeviceId> last;
        for (const DeviceId leaf : leaves)
            if (m_fabric->devices.su[leaf] == lastSu) last.push_back(leaf);
        Uppers group(last);
        const auto full = [&](DeviceId leaf) { return m_fabric->portLayouts[m_fabric->devices.ports[leaf]].empty() || isFull(leaf); };
        std::size_t at = 0;
        for (int port = 1; port <= rule.ports && hasRoom(); ++port, ++at) {
            at = group.withRoom(at % last.size(), full);
            connectDown(managers[0], PortId(port), last[at], LinkTier::ManagerLeaf, speed);
        }
    }

    static LinkTier tierAbove(SwitchTier tier) {
        if (tier == SwitchTier::Leaf) return LinkTier::LeafSpine;
        return tier == SwitchTier::Spine ? LinkTier::SpineSuperspine : LinkTier::SuperspineCore;
    }

    // Groups of lowers by what they have in common, then by runs. Lowers of a rail or plane find the uppers of that rail or
    // plane, wherever others are missing; those of one index take the groups in order.
    void wireSpread(const WiringRule& rule, Members lowers, Members uppers, std::uint8_t speed) {
        if (lowers.empty()) return; // an SU whose leaves were all taken out
        const DeviceTable& devices = m_fabric->devices;
        std::unordered_map<std::uint64_t, std::uint32_t> seen; // key -> lowers so far
        std::unordered_map<std::uint64_t, std::vector<Uppers>> groups = groupsOf(rule, lowers, uppers);
        for (const DeviceId lower : lowers) {
            const std::uint64_t key = keyOf(rule, lower);
            std::uint32_t& before = seen[key];
            const std::size_t run = rule.run > 0 ? before / static_cast<std::uint32_t>(rule.run) : 0;
            ++before;
            const auto own = groups.find(key);
            if (own == groups.end() || run >= own->second.size()) continue;
            Uppers& group = own->second[run];
            const int uplinks = rule.uplinks > 0 ? rule.uplinks : uplinksInProportion(rule, static_cast<std::int64_t>(m_nextPort[lower]));
            const LinkTier tier = tierAbove(devices.tier[lower]);
            for (int j = 0; j < uplinks && hasRoom(); ++j) {
                const std::size_t at = group.spread.upperOf(static_cast<std::size_t>(j), static_cast<std::size_t>(uplinks));
                const PortId port(static_cast<std::uint32_t>(rule.downPorts) + ++m_nextUplink[lower]);
                // Lowers of unlike numbers of uplinks fill uppers unevenly.
                const std::size_t chosen = group.withRoom(at, [&](DeviceId upper) { return isFull(upper); });
                connectDown(lower, port, group.members[chosen], tier, speed);
            }
            group.spread.next(static_cast<std::size_t>(uplinks));
        }
    }

    // No more than all ports down have, where a document connects more to them.
    static int uplinksInProportion(const WiringRule& rule, std::int64_t used) {
        const auto of = [&](std::int64_t down) { return (down * rule.upRatio + rule.downRatio - 1) / rule.downRatio; };
        constexpr std::int64_t mostOfASwitch = 65'536; // as a document may state
        const std::int64_t most = std::max<std::int64_t>(rule.upRatio, of(rule.downPorts));
        return static_cast<int>(std::min({of(used), most, mostOfASwitch}));
    }

    // Of its ports down, the first in its layout.
    bool isFull(DeviceId device) const {
        const PortLayout& layout = m_fabric->portLayouts[m_fabric->devices.ports[device]];
        return !layout.empty() && m_nextPort[device] >= static_cast<std::uint32_t>(layout.front().count);
    }

    // By key of the lowers, in order of their runs.
    std::unordered_map<std::uint64_t, std::vector<Uppers>> groupsOf(const WiringRule& rule, Members lowers, Members uppers) const {
        std::unordered_map<std::uint64_t, std::vector<Uppers>> groups;
        const bool byOwnKey = (rule.groupByRail || rule.groupByPlane) && !rule.groupByIndex;
        const std::size_t runs = byOwnKey ? 0 : runsOfKeys(rule, lowers);
        for (std::size_t at = 0, number = 0; at < uppers.size(); ++number) {
            const std::uint64_t key = byOwnKey ? keyOf(rule, uppers[at]) : number / runs;
            auto size = static_cast<std::size_t>(rule.uppersPerGroup);
            if (size == 0) // all of the key
                for (size = 1; at + size < uppers.size() && (!byOwnKey || keyOf(rule, uppers[at + size]) == key);) ++size;
            if (at + size > uppers.size()) break;
            groups[key].emplace_back(uppers.subspan(at, size));
            at += size;
        }
        return groups;
    }

    std::uint64_t keyOf(const WiringRule& rule, DeviceId lower) const {
        const DeviceTable& devices = m_fabric->devices;
        const std::uint64_t own = rule.groupByRail ? devices.rail[lower] - 1 : rule.groupByIndex ? devices.index[lower] - 1 : 0;
        if (!rule.groupByPlane) return own;
        return own + (devices.plane[lower] - 1) * (rule.groupByRail ? static_cast<std::uint64_t>(rule.rails) : 1);
    }
    std::size_t runsOfKeys(const WiringRule& rule, Members lowers) const {
        if (rule.run == 0) return 1;
        std::unordered_map<std::uint64_t, std::size_t> sizes;
        std::size_t most = 0;
        for (const DeviceId lower : lowers) most = std::max(most, ++sizes[keyOf(rule, lower)]);
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
    std::unordered_map<std::uint64_t, std::uint32_t> m_children; // node and slug -> node
    std::unordered_map<std::string, std::uint16_t> m_slugs, m_parts, m_layouts;
    By<DeviceId, std::uint32_t> m_nextPort, m_nextUplink;
    std::vector<DeferredRule> m_deferred;
    std::vector<PlacedLink> m_freeLinks;
    DeviceId m_next{0};
    std::size_t m_steps = 0;
    bool m_overflow = false;
};

// A GPU belongs to the rail of its (first) NIC.
void railsOfGpus(Fabric& fabric) {
    const LinkTable& links = fabric.links;
    auto& rail = fabric.devices.rail;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && rail[links.a[l]] == 0) rail[links.a[l]] = rail[links.b[l]];
}

} // namespace

FabricPointer elaborate(DesignPointer design) {
    Elaborator elaborator(std::move(design));
    std::shared_ptr<Fabric> fabric = elaborator.run();
    const std::vector<LinkId> drawn = addFreeLinks(*fabric, elaborator.freeLinks());
    railsOfGpus(*fabric);
    return withOverrides(std::move(fabric), drawn);
}

FabricPointer elaborate(DesignPointer design, const Fabric& known) {
    const Design &now = *design, &before = *known.design;
    const bool isSame = now.blocks == before.blocks && now.free == before.free && now.catalog == before.catalog && // the same objects
                        now.recipe == before.recipe && now.trunk == before.trunk && now.floor == before.floor &&
                        now.networks == before.networks && now.overrides == before.overrides;
    if (!isSame || known.intact) return nullptr;
    auto fabric = std::make_shared<Fabric>(known);
    fabric->design = std::move(design);
    return fabric;
}

} // namespace railyard
