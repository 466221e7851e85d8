#include "core/io/formats/drawn_fabric.h"

#include "core/base/counted.h"
#include "core/base/unit_text.h"
#include "core/bill/cabling.h"
#include "core/design/edits/edit.h"
#include "core/design/model/limits.h"
#include "core/design/model/path.h"
#include "core/fabric/elaborate.h"
#include "core/io/document/design_json.h"
#include "core/io/formats/flat_difference.h"
#include "core/io/formats/flat_ports.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <unordered_map>

namespace railyard {
namespace {

// A device or a block, with what stands inside it.
struct Node {
    std::string slug;
    int index = 0;
    std::vector<std::unique_ptr<Node>> inner;
    std::vector<std::size_t> devices;         // of the flat fabric
    std::vector<std::size_t> cables, hbLinks; // that have both ends in here, and not both in one inner node
    Instance::Role role = Instance::Role::Plain;
    std::string part;
    int su = 0; // of every device in here; 0: none, or several
};

std::string_view parentOf(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// The path from a block to a device: "srv[1]/gpu[2]" from "su[1]", with or without indices.
std::string localPath(const std::string& path, std::string_view block) { return block.empty() ? path : path.substr(block.size() + 1); }
std::string classOf(std::string_view path) {
    std::string slugs;
    bool isIndex = false;
    for (const char c : path) {
        isIndex = (isIndex || c == '[') && c != ']';
        if (!isIndex && c != ']') slugs += c;
    }
    return slugs;
}

class Drawer {
public:
    Drawer(const FlatFabric& flat, const CatalogPointer& catalog) : m_flat(flat), m_catalog(catalog), m_ports(portsOf(flat, *catalog)) {}

    // In the order of the file; or sorted, so that what counts on stands together.
    Result<DrawnFabric> draw(bool isSorted);

private:
    // Whether links share cables as the file says: in trunks, or one cable a link.
    void takeTrunks(std::shared_ptr<Design> design, const Fabric& fabric) {
        std::set<std::string_view> cables;
        for (const FlatLink& link : m_flat.links)
            if (!link.cable.empty()) cables.insert(link.cable);
        const auto cablesOf = [](const Fabric& of) {
            const Cabling cabling = cablingOf(of);
            std::size_t count = 0;
            for (const CabledLinkId l : cabling.links.ids()) count += cabling.cable[l] == l ? 1 : 0;
            return count;
        };
        const std::size_t drawn = cables.empty() ? 0 : cablesOf(fabric);
        if (cables.size() == drawn) return;
        auto trunked = std::make_shared<Design>(*design);
        trunked->trunk = Trunk::PerCage;
        if (const FabricPointer other = elaborate(trunked); cablesOf(*other) == cables.size()) {
            m_drawn.design = std::move(trunked);
            return;
        }
        m_drawn.losses.push_back(fmt::format("{} names {}, the design has {}", m_flat.linksFile,
                                             counted(static_cast<std::int64_t>(cables.size()), "{} cable", "{} cables"),
                                             formatCount(static_cast<std::int64_t>(drawn))));
    }

    // By name in the order of the file, then by index.
    void sort(Node& node) {
        std::unordered_map<std::string, std::size_t> order;
        const auto segmentOf = [&](std::size_t d) {
            const std::string_view path = m_flat.devices[d].path, above = parentOf(path);
            return *parseSegment(path.substr(above.empty() ? 0 : above.size() + 1));
        };
        for (const std::size_t d : node.devices) order.try_emplace(segmentOf(d).first, order.size());
        std::stable_sort(node.devices.begin(), node.devices.end(), [&](std::size_t a, std::size_t b) {
            const auto x = segmentOf(a), y = segmentOf(b);
            return std::pair(order.at(x.first), x.second) < std::pair(order.at(y.first), y.second);
        });
        order.clear();
        for (const auto& inner : node.inner) order.try_emplace(inner->slug, order.size());
        std::stable_sort(node.inner.begin(), node.inner.end(), [&](const auto& a, const auto& b) {
            return std::pair(order.at(a->slug), a->index) < std::pair(order.at(b->slug), b->index);
        });
        for (const auto& inner : node.inner) sort(*inner);
    }

    Node& nodeAt(std::string_view path) {
        if (path.empty()) return m_root;
        const auto [known, isNew] = m_nodes.try_emplace(std::string(path), nullptr);
        if (!isNew) return *known->second;
        const std::string_view above = parentOf(path);
        const auto segment = parseSegment(path.substr(above.empty() ? 0 : above.size() + 1));
        Node& parent = nodeAt(above);
        parent.inner.push_back(std::make_unique<Node>());
        Node* node = parent.inner.back().get();
        node->slug = segment->first;
        node->index = segment->second;
        m_nodes[std::string(path)] = node;
        return *node;
    }

    void readDevices() {
        for (std::size_t d = 0; d < m_flat.devices.size(); ++d) {
            const FlatDevice& device = m_flat.devices[d];
            nodeAt(parentOf(device.path)).devices.push_back(d);
            if (!device.server.empty()) m_servers[device.server] = device.serverPart;
            if (!device.hbDomain.empty()) m_domains.insert(device.hbDomain);
        }
    }

    void readLinks() {
        for (std::size_t l = 0; l < m_flat.links.size(); ++l) {
            const FlatLink& link = m_flat.links[l];
            std::string_view a = parentOf(m_flat.devices[link.a].path), b = parentOf(m_flat.devices[link.b].path);
            while (a != b) (a.size() >= b.size() ? a : b) = parentOf(a.size() >= b.size() ? a : b);
            Node& node = nodeAt(a);
            (link.tier == LinkTier::Hb || link.tier == LinkTier::Pcie ? node.hbLinks : node.cables).push_back(l);
        }
    }

    // What the columns say about the devices of a block decides what it is.
    void giveRoles(Node& node, const std::string& path, bool isInSu) {
        std::set<int> units;
        for (const std::size_t d : node.devices) units.insert(m_flat.devices[d].su);
        const bool isServer = m_servers.contains(path);
        for (const auto& inner : node.inner) {
            const std::string below = fmt::format("{}{}{}[{}]", path, path.empty() ? "" : "/", inner->slug, inner->index);
            giveRoles(*inner, below, isInSu);
            units.insert(inner->su);
        }
        node.su = units.size() == 1 ? *units.begin() : 0;
        if (isServer) {
            node.role = Instance::Role::Server;
            node.part = serverPartOf(node, path);
        } else if (m_domains.contains(path)) {
            node.role = Instance::Role::HbDomain;
        } else if (node.su > 0 && node.su == node.index && node.slug == "su") {
            node.role = Instance::Role::ScalableUnit;
        } else if (node.slug == "pod" || node.slug == "rail" || node.slug == "plane") {
            node.role = node.slug == "pod" ? Instance::Role::Pod : node.slug == "rail" ? Instance::Role::Rail : Instance::Role::Plane;
        }
    }

    // As the file says, else the first of the catalogue with these GPUs and NICs.
    std::string serverPartOf(const Node& node, const std::string& path);

    bool isKnown(const std::string& part) const { return m_catalog->parts().contains(part); }

    DeviceRow rowOf(std::size_t d) const {
        const FlatDevice& device = m_flat.devices[d];
        const auto segment = parseSegment(device.path.substr(parentOf(device.path).empty() ? 0 : parentOf(device.path).size() + 1));
        DeviceRow row;
        row.slug = segment->first;
        row.first = segment->second;
        row.kind = device.kind;
        row.tier = device.tier;
        if (isKnown(device.part)) row.part = device.part; // what is not is named when the design is compared with the file
        row.ports = m_ports[d];
        row.plane = device.plane;
        row.railNumber = device.rail;
        return row;
    }

    // Devices that count on become one row: of the same rail, or of rails 1, 2, 3 and so on.
    std::vector<DeviceRow> rowsOf(const Node& node) const {
        std::vector<DeviceRow> rows;
        for (const std::size_t d : node.devices) {
            DeviceRow next = rowOf(d);
            if (!rows.empty()) {
                DeviceRow &last = rows.back(), same = next;
                const int rail = next.railNumber;
                const bool isOwn = last.rail == DeviceRow::Rail::Own || (last.count == 1 && last.railNumber == 1 && rail == 2);
                same.first = last.first;
                same.count = last.count;
                same.rail = last.rail;
                same.railNumber = isOwn && rail == last.count + 1 ? last.railNumber : rail;
                if (same == last && next.first == last.first + last.count) {
                    if (isOwn && rail == last.count + 1) last.rail = DeviceRow::Rail::Own, last.railNumber = 0;
                    ++last.count;
                    continue;
                }
            }
            rows.push_back(std::move(next));
        }
        return rows;
    }

    Block contentOf(const Node& node, const std::string& path, std::string name);

    // The name of a block with the content of this node; a new one if no other has it.
    std::string blockOf(const Node& node, const std::string& path) {
        Block content = contentOf(node, path, {});
        auto& sameSlug = m_bySlug[node.slug];
        for (const BlockPointer& block : sameSlug)
            if (block->devices == content.devices && block->instances == content.instances && block->wiring == content.wiring &&
                block->links == content.links)
                return block->name;
        std::string base = node.slug == "root" || node.slug == "free" ? "block-" + node.slug : node.slug;
        content.name = base;
        for (int number = 2; m_blocks.contains(content.name); ++number) content.name = fmt::format("{}-{}", base, number);
        const BlockPointer block = shared(std::move(content));
        m_blocks[block->name] = block;
        sameSlug.push_back(block);
        return block->name;
    }

    // One rule for all HB links, and one for all PCIe links, between two kinds of devices of the block. What a rule does not give shows
    // when the design is compared with the file.
    std::vector<WiringRule> rulesOf(const Node& node, const std::string& path) const;

    WiringPattern hbPatternOf(const std::vector<std::size_t>& links) const {
        const FlatLink& first = m_flat.links[links.front()];
        if (m_flat.devices[first.b].kind != DeviceKind::Gpu) return WiringPattern::HbStar;
        std::set<std::size_t> gpus;
        for (const std::size_t l : links) gpus.insert({m_flat.links[l].a, m_flat.links[l].b});
        return links.size() * 2 == gpus.size() * (gpus.size() - 1) ? WiringPattern::HbMesh : WiringPattern::HbCube;
    }

    // Of the cube mesh some pairs have two links of a GPU: its links are counted in speeds of the slowest pair.
    void describeCube(const std::vector<std::size_t>& links, WiringRule& rule) const {
        double slowest = m_flat.links[links.front()].gbps, sum = 0;
        for (const std::size_t l : links) {
            slowest = std::min(slowest, m_flat.links[l].gbps);
            if (m_flat.links[l].a == m_flat.links[links.front()].a) sum += m_flat.links[l].gbps;
        }
        rule.speed = gigabitsPerSecond(slowest);
        constexpr double most = 65'536; // beyond which no rule is: the difference shows
        rule.uplinks = static_cast<int>(std::min(sum / slowest + 0.5, most));
    }

    // A rule over several HB domains: the GPUs of a domain. 0: all GPUs meet all HB switches.
    int runOf(const std::vector<std::size_t>& links) const {
        std::map<std::size_t, int> ofUpper;
        std::set<std::size_t> lowers;
        for (const std::size_t l : links) {
            ++ofUpper[m_flat.links[l].b];
            lowers.insert(m_flat.links[l].a);
        }
        return lowers.size() * ofUpper.size() == links.size() ? 0 : ofUpper.begin()->second;
    }

    const FlatFabric& m_flat;
    CatalogPointer m_catalog;
    std::vector<std::vector<PortGroup>> m_ports; // by device
    Node m_root;
    std::unordered_map<std::string, Node*> m_nodes;         // by path
    std::unordered_map<std::string, std::string> m_servers; // path -> part
    std::unordered_map<std::string, std::string> m_assumedServers;
    std::set<std::string> m_domains;
    std::map<std::string, BlockPointer> m_blocks;
    std::unordered_map<std::string, std::vector<BlockPointer>> m_bySlug;
    DrawnFabric m_drawn;
};

Result<DrawnFabric> Drawer::draw(bool isSorted) {
    readDevices();
    readLinks();
    if (isSorted) sort(m_root);
    giveRoles(m_root, "", false);
    auto design = std::make_shared<Design>(*emptyDesign(m_catalog));
    design->name = m_flat.name;
    design->free = shared(contentOf(m_root, "", "free"));
    design->blocks = std::move(m_blocks);
    if (const std::string beyond = beyondLimits(*design); !beyond.empty()) return Error::file(m_flat.devicesFile, "the fabric " + beyond);
    // Whatever the checks above have missed: a design that cannot be read again is not made.
    if (const auto readable = readDesign(designText(*design), m_flat.devicesFile); !readable)
        return Error::file(m_flat.devicesFile, "cannot be drawn: " + readable.error().text);
    m_drawn.design = design;
    const FabricPointer fabric = elaborate(m_drawn.design);
    FlatDifferences different = differencesFrom(m_flat, *fabric);
    m_drawn.differences = different.count;
    m_drawn.losses.insert(m_drawn.losses.end(), different.sentences.begin(), different.sentences.end());
    takeTrunks(std::move(design), *fabric);
    return std::move(m_drawn);
}

std::string Drawer::serverPartOf(const Node& node, const std::string& path) {
    if (const std::string& stated = m_servers[path]; isKnown(stated)) return stated;
    std::string gpu;
    int gpus = 0, nics = 0;
    for (const std::size_t d : node.devices) {
        const FlatDevice& device = m_flat.devices[d];
        if (device.kind == DeviceKind::Gpu) ++gpus, gpu = device.part;
        if (device.kind == DeviceKind::Nic) ++nics;
    }
    const std::string key = fmt::format("{} {} {}", gpu, gpus, nics);
    const auto [known, isNew] = m_assumedServers.try_emplace(key);
    if (!isNew) return known->second;
    for (const auto& [id, part] : m_catalog->parts())
        if (const auto* server = part.as<ServerPart>(); server && server->gpu == gpu && server->gpus == gpus && server->nics == nics) {
            known->second = id;
            break;
        }
    m_drawn.losses.push_back(
        known->second.empty()
            ? fmt::format("{} has no server part, and the catalogue has none with {} GPUs {} and {} NICs; it is not in the bill", path,
                          gpus, gpu, nics)
            : fmt::format("{} has no server part; {} was taken, which has these GPUs and NICs", path, known->second));
    return known->second;
}

Block Drawer::contentOf(const Node& node, const std::string& path, std::string name) {
    Block block{std::move(name), rowsOf(node), {}, rulesOf(node, path), {}, {}};
    for (const auto& inner : node.inner) {
        const std::string below = fmt::format("{}{}{}[{}]", path, path.empty() ? "" : "/", inner->slug, inner->index);
        Instance instance{inner->slug, blockOf(*inner, below), inner->index, 1, inner->role, inner->part, {}, {}};
        if (!block.instances.empty()) {
            Instance &last = block.instances.back(), same = instance;
            same.first = last.first;
            same.count = last.count;
            if (same == last && instance.first == last.first + last.count) {
                ++last.count;
                continue;
            }
        }
        block.instances.push_back(std::move(instance));
    }
    for (const std::size_t l : node.cables) {
        const FlatLink& link = m_flat.links[l];
        block.links.push_back({localPath(m_flat.devices[link.a].path, path) + ":" + link.aPort,
                               localPath(m_flat.devices[link.b].path, path) + ":" + link.bPort,
                               {}});
    }
    return block;
}

std::vector<WiringRule> Drawer::rulesOf(const Node& node, const std::string& path) const {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> links; // by the kinds of their ends
    std::vector<WiringRule> rules;
    for (const std::size_t l : node.hbLinks) {
        const FlatLink& link = m_flat.links[l];
        links[{classOf(localPath(m_flat.devices[link.a].path, path)), classOf(localPath(m_flat.devices[link.b].path, path))}].push_back(l);
    }
    for (const auto& [ends, own] : links) {
        const FlatLink& first = m_flat.links[own.front()];
        WiringRule rule;
        rule.lower = ends.first;
        rule.upper = ends.second;
        rule.speed = gigabitsPerSecond(first.gbps);
        rule.id = first.tier == LinkTier::Pcie ? "pcie" : "hb";
        rule.pattern = first.tier == LinkTier::Pcie ? WiringPattern::Pcie : hbPatternOf(own);
        if (rule.pattern == WiringPattern::HbCube) describeCube(own, rule);
        if (rule.pattern == WiringPattern::HbStar) rule.run = runOf(own);
        for (const WiringRule& other : rules)
            if (other.id == rule.id) rule.id = fmt::format("{}-{}", rule.id, rules.size() + 1);
        rules.push_back(std::move(rule));
    }
    // GPUs meet their NICs before anything is wired to these.
    std::stable_sort(rules.begin(), rules.end(), [](const WiringRule& a, const WiringRule& b) {
        return (a.pattern == WiringPattern::Pcie) > (b.pattern == WiringPattern::Pcie);
    });
    return rules;
}

} // namespace

// A spreadsheet may have sorted the rows by name, gpu[10] before gpu[2]. Wiring rules go by the order of the devices, so that order decides
// which is right.
Result<DrawnFabric> drawnFabric(const FlatFabric& flat, const CatalogPointer& catalog) {
    auto drawn = Drawer(flat, catalog).draw(false);
    if (!drawn || drawn->differences == 0) return drawn;
    auto sorted = Drawer(flat, catalog).draw(true);
    return sorted && sorted->differences < drawn->differences ? sorted : drawn;
}

} // namespace railyard
