#include "core/fabric/elaborate.h"

#include "core/design/model/own_blocks.h"
#include "core/fabric/copy_instances.h"
#include "core/fabric/hand_drawn.h"
#include "core/fabric/wire_hosts.h"
#include "core/fabric/wire_servers.h"
#include "core/fabric/wire_uplinks.h"

#include <algorithm>
#include <cassert>
#include <fmt/format.h>
#include <span>
#include <unordered_map>

namespace railyard {
namespace {

// Where a row or an instance of a block stands in the tables of the fabric: found once, used by every copy of the block.
struct Entry {
    bool isKnown = false;
    std::uint16_t slug = 0, part = 0, layout = 0;
    std::uint32_t node = 0;
    const Block* block = nullptr; // of an instance; null where the design has no such block
};

// All devices that share a way of slugs from the root (su/leaf), in the order in which they were made.
struct ClassNode {
    std::vector<DeviceId> devices;
    const Block* resolved = nullptr; // the block that stands here, of which the rest was looked up last
    std::vector<std::pair<std::uint32_t, std::uint32_t>> rules;
    std::vector<Entry> rows, instances;
};

// The classes of a design, and which one every device belongs to.
class ClassTree {
public:
    explicit ClassTree(std::size_t devices) : m_nodes(1), m_nodeOf(devices) {}

    ClassNode& operator[](std::uint32_t node) { return m_nodes[node]; }
    std::uint32_t child(std::uint32_t parent, std::uint16_t slug) {
        const auto [at, isNew] = m_children.try_emplace(std::uint64_t{parent} << 16U | slug, static_cast<std::uint32_t>(m_nodes.size()));
        if (isNew) m_nodes.emplace_back();
        return at->second;
    }
    // A row of devices that follow one another.
    void add(std::uint32_t node, DeviceId first, std::size_t count) {
        std::vector<DeviceId>& members = m_nodes[node].devices;
        for (const DeviceId d : Indices<DeviceId>(first, DeviceId(first + count))) {
            members.push_back(d);
            m_nodeOf[d] = node;
        }
    }
    // Appends copies of an instance whose devices are the last ones so far.
    void copy(DeviceId begin, DeviceId end, std::size_t copies) {
        std::unordered_map<std::uint32_t, std::size_t> counts; // by class
        for (const DeviceId d : Indices<DeviceId>(begin, end)) ++counts[m_nodeOf[d]];
        for (const auto& [node, count] : counts) {
            std::vector<DeviceId>& members = m_nodes[node].devices;
            const std::size_t first = members.size() - count, size = end - begin;
            members.resize(members.size() + copies * count);
            const DeviceId* const from = members.data() + first;
            DeviceId* to = members.data() + first + count;
            for (std::size_t i = 1; i <= copies; ++i)
                for (std::size_t at = 0; at < count; ++at, ++to) *to = DeviceId(from[at] + i * size);
        }
        std::uint32_t* to = m_nodeOf.data() + end;
        for (std::size_t i = 0; i < copies; ++i) to = std::copy(m_nodeOf.data() + begin, m_nodeOf.data() + end, to);
    }

private:
    std::vector<ClassNode> m_nodes;
    std::unordered_map<std::uint64_t, std::uint32_t> m_children; // node and slug -> node
    UnsetBy<DeviceId, std::uint32_t> m_nodeOf;                   // set for the devices that were added
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

using Blocks = std::map<std::string, BlockPointer>;

bool hasPlanes(const Block& block) {
    return std::any_of(block.devices.begin(), block.devices.end(), [](const DeviceRow& row) { return row.plane > 1; });
}
// Of a fabric that is drawn in blocks; the recipe's planes are known by then.
bool isDrawnInPlanes(const Design& design, const Blocks& blocks) {
    const auto haveOwn = [](const auto& block) { return hasPlanes(*block.second); };
    return hasPlanes(*design.free) || (!design.recipe && std::any_of(blocks.begin(), blocks.end(), haveOwn));
}

class Elaborator {
public:
    Elaborator(DesignPointer design, InsideLinks insideLinks)
        : m_fabric(std::make_shared<Fabric>()),
          m_write(*m_fabric, insideLinks == InsideLinks::Listed),
          m_design(*design),
          m_blocks(blocksInForce(*design)) {
        m_fabric->design = std::move(design);
        m_fabric->partIds.emplace_back();
        m_fabric->parts.push_back(nullptr);
        m_fabric->portLayouts.emplace_back();
    }

    std::shared_ptr<Fabric> run() {
        const auto root = m_blocks.find("root");
        const std::size_t devices = (root == m_blocks.end() ? 0 : deviceCount(*root->second)) + deviceCount(*m_design.free);
        m_fabric->devices.resizeUnset(devices);
        m_fabric->links.reserve(devices * 4);
        m_write.resizeUnset(devices);
        m_nodes = ClassTree(devices);
        m_fabric->scopes.push_back({});
        if (root != m_blocks.end()) instantiate(*root->second, {});
        wireDeferred();
        // Hand-drawn content has a root scope of its own, so that the devices of a scope stay side by side.
        Context hand;
        hand.scope = ScopeId(m_fabric->scopes.size());
        // Where there are several planes, a hand-drawn switch belongs to none until it is cabled.
        const std::span<const std::uint32_t> planes = std::span(m_fabric->devices.plane).first(m_next);
        if (std::any_of(planes.begin(), planes.end(), [](std::uint32_t plane) { return plane > 1; }) || isDrawnInPlanes(m_design, m_blocks))
            hand.plane = 0;
        m_fabric->scopes.push_back({});
        instantiate(*m_design.free, hand);
        wireDeferred();
        assert(m_next == devices); // each has been set
        if (m_write.overflows())
            m_fabric->diagnostics.push_back({std::string(linksOmitted), Severity::Error,
                                             "The wiring exceeds the maximum of 40,000,000 links; the remaining links are omitted.", "",
                                             "Reduce a count or the number of uplinks.", 1});
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
    std::uint32_t nodeAt(std::uint32_t from, std::string_view path) {
        while (!path.empty()) {
            const std::size_t slash = path.find('/');
            from = m_nodes.child(from, slugIndex(std::string(path.substr(0, slash))));
            path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
        }
        return from;
    }

    void instantiate(const Block& block, Context context) {
        resolve(block, context.node);
        context.isDomainSetByRule = context.isDomainSetByRule || std::any_of(block.wiring.begin(), block.wiring.end(), joinsDomains);
        std::vector<std::size_t> starts; // where this instance's devices begin in each class its rules use
        starts.reserve(block.wiring.size() * 2);
        for (const auto& [lower, upper] : m_nodes[context.node].rules) {
            starts.push_back(m_nodes[lower].devices.size());
            starts.push_back(m_nodes[upper].devices.size());
        }
        const auto begin = m_next;
        for (std::size_t i = 0; i < block.devices.size(); ++i)
            addDevices(block.devices[i], entryOf(block.devices[i], i, context.node), context);
        for (std::size_t i = 0; i < block.instances.size(); ++i)
            addInstances(block.instances[i], entryOf(block.instances[i], i, context.node), context);
        for (std::size_t r = 0; r < block.wiring.size() && !m_write.overflows(); ++r) wire(block.wiring[r], context.node, r, starts, begin);
        for (const FreeLink& link : block.links) m_freeLinks.push_back({&link, context.scope});
    }

    void resolve(const Block& block, std::uint32_t node) {
        if (m_nodes[node].resolved == &block) return;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> rules;
        for (const WiringRule& rule : block.wiring) rules.emplace_back(nodeAt(node, rule.lower), nodeAt(node, rule.upper));
        m_nodes[node].rules = std::move(rules);
        m_nodes[node].rows.assign(block.devices.size(), {});
        m_nodes[node].instances.assign(block.instances.size(), {});
        m_nodes[node].resolved = &block;
    }
    Entry entryOf(const DeviceRow& row, std::size_t i, std::uint32_t node) {
        if (m_nodes[node].rows[i].isKnown) return m_nodes[node].rows[i];
        Entry entry{true, slugIndex(row.slug), partIndex(row.part), layoutIndex(row.ports)};
        entry.node = m_nodes.child(node, entry.slug);
        return m_nodes[node].rows[i] = entry;
    }
    Entry entryOf(const Instance& instance, std::size_t i, std::uint32_t node) {
        if (m_nodes[node].instances[i].isKnown) return m_nodes[node].instances[i];
        Entry entry{true};
        entry.block = blockOf(instance);
        if (entry.block) {
            entry.slug = slugIndex(instance.slug);
            entry.node = m_nodes.child(node, entry.slug);
            if (instance.role == Instance::Role::Server && instance.count > 0) entry.part = partIndex(instance.part);
        }
        return m_nodes[node].instances[i] = entry;
    }

    void addDevices(const DeviceRow& row, const Entry& entry, const Context& context) {
        DeviceTable& devices = m_fabric->devices;
        if (row.count > 0) m_nodes.add(entry.node, m_next, static_cast<std::size_t>(row.count));
        for (int i = 0; i < row.count; ++i) {
            const DeviceId d = m_next;
            ++m_next;
            m_write.start(d);
            devices.kind[d] = row.kind;
            devices.tier[d] = row.tier;
            devices.scope[d] = context.scope;
            devices.slug[d] = entry.slug;
            devices.part[d] = entry.part;
            devices.ports[d] = entry.layout;
            devices.index[d] = static_cast<std::uint32_t>(row.first + i);
            devices.rail[d] = row.railNumber > 0                   ? static_cast<std::uint32_t>(row.railNumber)
                              : row.rail == DeviceRow::Rail::Own   ? static_cast<std::uint32_t>(i + 1)
                              : row.rail == DeviceRow::Rail::Scope ? context.rail
                                                                   : 0;
            const bool isInPlane = infoOf(row.kind).routes || row.kind == DeviceKind::Nic;
            devices.plane[d] = !isInPlane ? 0 : row.plane > 0 ? static_cast<std::uint32_t>(row.plane) : context.plane;
            devices.su[d] = context.su;
            devices.server[d] = context.server;
            devices.hbDomain[d] = context.domain;
        }
    }

    void addInstances(const Instance& instance, const Entry& entry, const Context& context) {
        if (!entry.block) return;
        Context inner = context;
        inner.node = entry.node;
        for (int i = 0; i < instance.count; ++i) {
            const TableEnds begin = endsOf(m_write, m_next);
            const std::size_t waiting = m_deferred.size(), free = m_freeLinks.size();
            const auto index = static_cast<std::uint32_t>(instance.first + i);
            inner.scope = ScopeId(m_fabric->scopes.size());
            m_fabric->scopes.push_back({context.scope, entry.slug, instance.role, index});
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
                m_fabric->serverParts.push_back(entry.part);
            }
            instantiate(*entry.block, inner);
            const bool isAlone = m_deferred.size() == waiting && m_freeLinks.size() == free; // no link is left to be added later
            if (i == 0 && isAlone && copyRest(instance, *entry.block, begin)) return;
        }
    }
    // The other instances of a row are copies of the first; false where they are not.
    bool copyRest(const Instance& instance, const Block& block, const TableEnds& begin) {
        const bool isUnit = instance.role == Instance::Role::ScalableUnit;
        if (instance.count < 2 || instance.role == Instance::Role::Rail || instance.role == Instance::Role::Plane) return false;
        if (isUnit && holdsUnits(block)) return false;
        const auto copies = static_cast<std::size_t>(instance.count - 1);
        const TableEnds end = endsOf(m_write, m_next);
        const std::size_t links = end.link - begin.link + end.omitted - begin.omitted;
        if (!m_write.hasRoom(copies * links, copies * (end.steps - begin.steps))) return false;
        copyInstances(m_write, begin, end, copies, static_cast<std::uint32_t>(instance.first + 1), isUnit);
        m_nodes.copy(begin.device, end.device, copies);
        m_next = DeviceId(end.device + copies * (end.device - begin.device));
        return true;
    }
    bool holdsUnits(const Block& block) const {
        return std::any_of(block.instances.begin(), block.instances.end(), [&](const Instance& each) {
            const Block* inner = blockOf(each);
            return each.role == Instance::Role::ScalableUnit || (inner && holdsUnits(*inner));
        });
    }

    void wire(const WiringRule& rule, std::uint32_t node, std::size_t r, const std::vector<std::size_t>& starts, DeviceId begin) {
        const auto [lowerNode, upperNode] = m_nodes[node].rules[r];
        const std::span<const DeviceId> lowers = std::span(m_nodes[lowerNode].devices).subspan(starts[r * 2]);
        const std::span<const DeviceId> uppers = std::span(m_nodes[upperNode].devices).subspan(starts[r * 2 + 1]);
        const std::uint8_t speed = m_write.speedIndex(rule.speed);
        const bool waits = rule.pattern == WiringPattern::Spread && rule.uplinks == 0 && !lowers.empty() &&
                           m_fabric->devices.tier[lowers.front()] != SwitchTier::Leaf;
        if (waits) return m_deferred.push_back({&rule, {lowers.begin(), lowers.end()}, {uppers.begin(), uppers.end()}, speed});
        switch (rule.pattern) {
        case WiringPattern::HbStar:
        case WiringPattern::HbMesh:
        case WiringPattern::HbCube:
        case WiringPattern::Pcie: return wireServers(m_write, rule, lowers, uppers, speed, Indices<DeviceId>(begin, m_next));
        case WiringPattern::Rail:
        case WiringPattern::Chassis: return wireHosts(m_write, rule, lowers, uppers, speed);
        case WiringPattern::Spread:
        case WiringPattern::Manager: return wireUplinks(m_write, rule, lowers, uppers, speed);
        }
    }

    // Uplinks in proportion to downlinks wait for those of the tiers below, which a rule further out may wire.
    void wireDeferred() {
        const auto tier = [&](const DeferredRule& deferred) { return m_fabric->devices.tier[deferred.lowers.front()]; };
        std::stable_sort(m_deferred.begin(), m_deferred.end(),
                         [&](const DeferredRule& a, const DeferredRule& b) { return tier(a) < tier(b); });
        for (const DeferredRule& deferred : m_deferred)
            wireUplinks(m_write, *deferred.rule, deferred.lowers, deferred.uppers, deferred.speed);
        m_deferred.clear();
    }

public:
    const std::vector<PlacedLink>& freeLinks() const { return m_freeLinks; }

private:
    std::shared_ptr<Fabric> m_fabric;
    LinkWriter m_write;
    const Design& m_design;
    Blocks m_blocks;
    std::unordered_map<const Block*, std::size_t> m_sizes;
    ClassTree m_nodes{0};
    std::unordered_map<std::string, std::uint16_t> m_slugs, m_parts, m_layouts;
    std::vector<DeferredRule> m_deferred;
    std::vector<PlacedLink> m_freeLinks;
    DeviceId m_next{0};
};

// A GPU belongs to the rail of its (first) NIC.
void railsOfGpus(Fabric& fabric) {
    const LinkTable& links = fabric.links;
    auto& rail = fabric.devices.rail;
    for (const LinkId l : links.ids())
        if (links.tier[l] == LinkTier::Pcie && rail[links.a[l]] == 0) rail[links.a[l]] = rail[links.b[l]];
}

} // namespace

FabricPointer elaborate(DesignPointer design, InsideLinks insideLinks) {
    Elaborator elaborator(std::move(design), insideLinks);
    std::shared_ptr<Fabric> fabric = elaborator.run();
    const std::vector<LinkId> drawn = addFreeLinks(*fabric, elaborator.freeLinks());
    if (insideLinks == InsideLinks::Listed) railsOfGpus(*fabric);
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
