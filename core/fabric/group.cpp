#include "core/fabric/group.h"

#include "core/design/model/block_rows.h"
#include "core/design/model/own_blocks.h"
#include "core/fabric/elaborate.h"
#include "core/fabric/path_finder.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace railyard {
namespace {

using Renamed = std::map<std::string, std::string, std::less<>>; // element before -> after

std::string elementPath(std::string_view slug, int index) { return fmt::format("{}[{}]", slug, index); }

// "leaf[1]/..." or "leaf[1]:17" with its first element renamed; nothing where it is not among them. The longest name counts.
std::optional<std::string> renamedPath(const Renamed& renamed, std::string_view path) {
    for (std::size_t end = path.size(); end != std::string_view::npos && end > 0; end = path.find_last_of(":/", end - 1)) {
        const auto found = renamed.find(path.substr(0, end));
        if (found != renamed.end()) return found->second + std::string(path.substr(end));
        if (end == 0) break;
    }
    return {};
}

void renameEnds(std::vector<FreeLink>& links, const Renamed& renamed) {
    for (FreeLink& link : links) {
        link.a = renamedPath(renamed, link.a).value_or(link.a);
        link.b = renamedPath(renamed, link.b).value_or(link.b);
    }
}

// Changes, approvals and racks follow their elements.
void renameMentions(Design& design, const Renamed& renamed) {
    std::map<std::string, Override, NaturalLess> overrides;
    for (auto& [path, change] : design.overrides) overrides[renamedPath(renamed, path).value_or(path)] = std::move(change);
    design.overrides = std::move(overrides);
    for (Approval& approval : design.approvals) approval.subject = renamedPath(renamed, approval.subject).value_or(approval.subject);
    for (Callout& callout : design.callouts)
        for (std::string& path : callout.of) path = renamedPath(renamed, path).value_or(path);
}

std::string plainSlug(const std::string& slug) {
    constexpr std::string_view extra = "-extra"; // only beside a recipe
    return slug.ends_with(extra) ? slug.substr(0, slug.size() - extra.size()) : slug;
}

Point middleOf(const std::vector<Point>& points) {
    Point middle;
    for (const Point& p : points) {
        middle.x += p.x / static_cast<double>(points.size());
        middle.y += p.y / static_cast<double>(points.size());
    }
    return middle;
}

// One group out of elements of the free block.
class Grouping {
public:
    Grouping(const Design& design, std::string name) : m_free(*design.free) { m_block.name = std::move(name); }

    bool add(const std::string& path) {
        auto device = takeFromRow(m_free.devices, path);
        auto instance = device ? std::nullopt : takeFromRow(m_free.instances, path);
        if (device) put(std::move(*device), path, m_block.devices);
        if (instance) put(std::move(*instance), path, m_block.instances);
        return device || instance;
    }

    Edit finish(Design next) {
        const Point middle = middleOf(m_points);
        const auto seenFromMiddle = [&](auto& rows) {
            for (auto& row : rows)
                if (row.at) row.at = Point{row.at->x - middle.x, row.at->y - middle.y};
        };
        seenFromMiddle(m_block.devices);
        seenFromMiddle(m_block.instances);
        Instance group{.slug = "group", .block = m_block.name, .role = Instance::Role::Plain, .part = {}, .at = {}};
        group.first = nextNumber(m_free, group.slug);
        if (!m_points.empty()) group.at = middle;
        const std::string path = elementPath(group.slug, group.first);
        m_free.instances.push_back(std::move(group));
        takeLinks(path);
        Renamed outside;
        for (const auto& [before, after] : m_renamed) outside[before] = path + "/" + after;
        renameMentions(next, outside);
        const std::size_t count = m_renamed.size();
        const std::string name = m_block.name;
        next.blocks[name] = shared(std::move(m_block));
        next.free = shared(std::move(m_free));
        return {std::make_shared<const Design>(std::move(next)), fmt::format("Group {} elements as {}", count, path)};
    }

private:
    template <class Row>
    void put(Row row, const std::string& path, std::vector<Row>& rows) {
        if (row.at) m_points.push_back(*row.at);
        row.slug = plainSlug(row.slug);
        row.first = nextNumber(m_block, row.slug);
        m_renamed[path] = elementPath(row.slug, row.first);
        rows.push_back(std::move(row));
    }
    // Cables between two of the elements move inside.
    void takeLinks(const std::string& group) {
        std::vector<FreeLink> outside;
        for (const FreeLink& link : m_free.links) {
            const auto a = renamedPath(m_renamed, link.a), b = renamedPath(m_renamed, link.b);
            if (a && b)
                m_block.links.push_back({*a, *b});
            else
                outside.push_back({a ? group + "/" + *a : link.a, b ? group + "/" + *b : link.b});
        }
        m_free.links = std::move(outside);
    }

    Block m_free, m_block;
    std::vector<Point> m_points;
    Renamed m_renamed;
};

} // namespace

Result<Edit> groupElements(const Design& design, const std::vector<std::string>& paths) {
    std::vector<std::string> sorted;
    for (const std::string& path : paths) sorted.push_back(canonicalPath(path));
    std::sort(sorted.begin(), sorted.end(), NaturalLess());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted.size() < 2) return Error::unbuildable("Select at least two hand-drawn elements to group them.");
    Grouping grouping(design, freshBlockName(design, groupBlockPrefix));
    for (const std::string& path : sorted)
        if (!grouping.add(path))
            return Error::unbuildable(
                fmt::format("{} is not hand-drawn, so it cannot be grouped. Dissolve the block that contains it first.", path));
    return grouping.finish(design);
}

namespace {

// The elements of one block as elements of the free block.
class Dissolving {
public:
    Dissolving(const Fabric& fabric, const std::string& path, std::optional<Point> at)
        : m_fabric(fabric),
          m_design(*fabric.design),
          m_finder(fabric),
          m_path(canonicalPath(path)),
          m_at(at),
          m_inForce(blocksInForce(m_design)),
          m_next(m_design),
          m_copies(m_inForce, m_next),
          m_free(*m_design.free) {}

    Result<Edit> run() {
        m_byHand = m_path.find('/') == std::string::npos && freeRow() != nullptr;
        if (Status can = check(); !can) return can.errors();
        const Block block = *m_inForce.at(blockName());
        for (const DeviceRow& row : block.devices) addDevices(row);
        for (const Instance& row : block.instances) addInstances(row);
        if (m_byHand) takeFromRow(m_free.instances, m_path);
        renameEnds(m_free.links, m_renamed);
        moveChanges();
        m_next.free = shared(m_free);
        return spellOutCables();
    }

private:
    const Instance* freeRow() const {
        const auto row = findRow(m_design.free->instances, m_path);
        return row == m_design.free->instances.end() ? nullptr : &*row;
    }

    std::string blockName() const { return m_byHand ? freeRow()->block : blockNameIn(m_inForce, m_path); }

    Status check() const {
        const auto scope = m_finder.scope(m_path);
        if (!scope || m_path.empty() || !m_inForce.contains(blockName()))
            return Error::unbuildable(fmt::format("{} is not a block, so it cannot be dissolved.", m_path));
        if (m_fabric.scopes[*scope].role == Instance::Role::Server || m_fabric.scopes[*scope].role == Instance::Role::HbDomain)
            return Error::unbuildable(fmt::format("{} is purchased as one unit including its GPUs, so it cannot be dissolved.", m_path));
        for (std::size_t end = m_path.find('/');; end = m_path.find('/', end + 1)) {
            const std::string part = m_path.substr(0, end);
            if (isRemoved(part)) return Error::unbuildable(fmt::format("{} has been removed, so it cannot be dissolved.", part));
            if (end == std::string::npos) break;
        }
        return Done{};
    }

    bool isBelow(const std::string& path) const {
        return path.size() > m_path.size() && path.starts_with(m_path) && path[m_path.size()] == '/';
    }

    // Changes go with their elements, but for blocks of their own: those are in the copies. The recipe keeps them, as what it
    // cables around the hole depends on them.
    void moveChanges() {
        renameMentions(m_next, m_renamed);
        for (const auto& [path, change] : m_design.overrides) {
            if (!isBelow(path) || change.block.empty()) continue;
            if (const auto moved = renamedPath(m_renamed, path)) {
                m_next.overrides[*moved].block.clear();
                if (m_next.overrides[*moved].isEmpty()) m_next.overrides.erase(*moved);
            }
            m_next.overrides[path].block = change.block;
        }
        if (!m_byHand) m_next.overrides[m_path].remove = true;
        // A group's number may be used again: nothing of it may lie in wait for the next.
        if (m_byHand) std::erase_if(m_next.overrides, [&](const auto& own) { return own.first == m_path || isBelow(own.first); });
    }

    std::string newSlug(const std::string& slug) const { return m_design.recipe && !slug.ends_with("-extra") ? slug + "-extra" : slug; }

    bool isRemoved(const std::string& path) const {
        const auto change = m_design.overrides.find(path);
        return change != m_design.overrides.end() && change->second.remove;
    }

    std::optional<Point> placeOf(const std::optional<Point>& own, Point usual) const {
        if (!m_at) return {};
        const Point from = own.value_or(usual);
        return Point{m_at->x + from.x, m_at->y + from.y};
    }

    void addDevices(const DeviceRow& row) {
        constexpr double pitch = 48, above = -90;
        for (int i = 0; i < row.count; ++i) {
            const std::string before = m_path + "/" + elementPath(row.slug, row.first + i);
            const auto device = m_finder.device(before);
            if (!device || isRemoved(before)) continue;
            DeviceRow own = row;
            own.slug = newSlug(row.slug);
            own.first = nextNumber(m_free, own.slug);
            own.count = 1;
            own.rail = DeviceRow::Rail::None;
            own.railNumber = static_cast<int>(m_fabric.devices.rail[*device]);
            own.plane = static_cast<int>(m_fabric.devices.plane[*device]);
            own.at = placeOf(row.at, {pitch * m_devices++, above});
            m_renamed[before] = elementPath(own.slug, own.first);
            m_free.devices.push_back(std::move(own));
        }
    }

    void addInstances(const Instance& row) {
        constexpr double pitchX = 60, pitchY = 76;
        constexpr int columns = 8;
        for (int i = 0; i < row.count; ++i) {
            const std::string before = m_path + "/" + elementPath(row.slug, row.first + i);
            if (isRemoved(before)) continue;
            Instance own = row;
            own.slug = newSlug(row.slug);
            own.first = nextNumber(m_free, own.slug);
            own.count = 1;
            if (!m_byHand) own.block = m_copies.take(row.block, around(before));
            own.at = placeOf(row.at, {pitchX * (m_instances % columns), pitchY * (m_instances / columns)});
            ++m_instances;
            m_renamed[before] = elementPath(own.slug, own.first);
            m_free.instances.push_back(std::move(own));
        }
    }

    // Rails go round; a NIC that was taken away is the gap in them, and its GPU still belongs to its rail.
    static void fillGaps(std::vector<int>& rails) {
        const int count = rails.empty() ? 0 : *std::max_element(rails.begin(), rails.end());
        if (count == 0) return rails.clear();
        for (std::size_t i = 0; i < rails.size(); ++i)
            if (rails[i] == 0) rails[i] = static_cast<int>(i) % count + 1;
    }

    void addNicRails(ScopeId server, std::vector<int>& rails) const {
        const std::size_t before = rails.size();
        for (const DeviceRow& row : m_inForce.at(blockNameIn(m_inForce, m_fabric.scopePath(server)))->devices)
            if (row.kind == DeviceKind::Nic) rails.resize(rails.size() + static_cast<std::size_t>(row.count));
        const auto [first, last] = m_finder.devicesOf(server);
        for (DeviceId d = first; d < last; ++d)
            if (const std::size_t at = before + m_fabric.devices.index[d] - 1; m_fabric.devices.isNic(d) && at < rails.size())
                rails[at] = static_cast<int>(m_fabric.devices.rail[d]);
    }

    // What a child of the block knows only from where it stands.
    BlockSurroundings around(const std::string& child) const {
        BlockSurroundings known;
        const auto own = *m_finder.scope(child);
        for (ScopeId scope = m_fabric.scopes[own].parent; scope != none; scope = m_fabric.scopes[scope].parent) {
            const auto index = static_cast<int>(m_fabric.scopes[scope].index);
            if (m_fabric.scopes[scope].role == Instance::Role::Rail && known.rail == 0) known.rail = index;
            if (m_fabric.scopes[scope].role == Instance::Role::Plane && known.plane == 0) known.plane = index;
        }
        if (m_fabric.scopes[own].role == Instance::Role::Rail) known.rail = static_cast<int>(m_fabric.scopes[own].index);
        if (m_fabric.scopes[own].role == Instance::Role::Plane) known.plane = static_cast<int>(m_fabric.scopes[own].index);
        for (ScopeId s = own; s < m_fabric.scopes.size(); ++s) { // itself, or the servers of an HB domain
            const bool isServer = m_fabric.scopes[s].role == Instance::Role::Server && (s == own || m_fabric.scopes[s].parent == own);
            if (isServer && m_fabric.scopes[own].role != Instance::Role::ScalableUnit) addNicRails(s, known.nicRails);
            if (s > own && !isServer && m_fabric.scopes[s].parent != own) break;
        }
        fillGaps(known.nicRails);
        return known;
    }

    using Cable = std::pair<std::string, std::string>;

    // Ends by the names they have afterwards.
    template <class Name>
    static std::set<Cable> cablesOf(const Fabric& fabric, const std::vector<bool>& wanted, Name name) {
        std::set<Cable> cables;
        const LinkTable& links = fabric.links;
        for (const LinkId l : links.ids())
            if (wanted[links.a[l]] || wanted[links.b[l]])
                cables.emplace(name(links.a[l]) + ":" + fabric.portName(links.a[l], links.aPort[l], links.tier[l]),
                               name(links.b[l]) + ":" + fabric.portName(links.b[l], links.bPort[l], links.tier[l]));
        return cables;
    }

    // What joined the elements, or them with others, and is no longer there.
    Result<Edit> spellOutCables() {
        constexpr std::size_t mostCables = 10'000;
        const FabricPointer after = elaborate(std::make_shared<const Design>(m_next));
        std::vector<bool> before(m_fabric.devices.size()), now(after->devices.size());
        std::vector<std::string> nameOf(m_fabric.devices.size());
        const PathFinder finder(*after);
        const std::vector<bool> inside = scopesInside();
        for (const DeviceId d : indices<DeviceId>(before.size())) {
            if (!inside[m_fabric.devices.scope[d]]) continue;
            before[d] = true;
            nameOf[d] = renamedPath(m_renamed, m_fabric.devicePath(d)).value_or(std::string());
            if (const auto own = finder.device(nameOf[d])) now[*own] = true;
        }
        const auto name = [&](DeviceId d) { return before[d] ? nameOf[d] : m_fabric.devicePath(d); };
        const std::set<Cable> were = cablesOf(m_fabric, before, name);
        const std::set<Cable> are = cablesOf(*after, now, [&](DeviceId d) { return after->devicePath(d); });
        std::size_t added = 0;
        for (const Cable& cable : were) {
            if (are.contains(cable)) continue;
            const std::string& port = cable.first;
            if (port.find(":hb") != std::string::npos || port.find(":pcie") != std::string::npos)
                return Error::unbuildable(fmt::format("The HB fabric of {} is wired as a whole, so it cannot be dissolved.", m_path));
            m_free.links.push_back({cable.first, cable.second});
            if (++added > mostCables)
                return Error::unbuildable(
                    fmt::format("{} has more than {} cables, which is the maximum for hand-drawn cables. Dissolve a smaller block.", m_path,
                                mostCables));
        }
        m_next.free = shared(std::move(m_free));
        dropUnusedBlocks(m_next);
        const auto design = std::make_shared<const Design>(std::move(m_next));
        const FabricPointer whole = elaborate(design);
        if (whole->links.size() != m_fabric.links.size() || whole->devices.size() != m_fabric.devices.size())
            return Error::unbuildable(fmt::format("{0} cannot be dissolved: only {1} of {3} cables and {2} of {4} devices would remain, "
                                                  "because some use ports that their switches do not have.",
                                                  m_path, whole->links.size(), whole->devices.size(), m_fabric.links.size(),
                                                  m_fabric.devices.size()));
        return Edit{design, fmt::format("Dissolve {} into {} elements", m_path, m_renamed.size())};
    }
    // Scopes stand before those inside them.
    std::vector<bool> scopesInside() const {
        std::vector<bool> inside(m_fabric.scopes.size());
        inside[*m_finder.scope(m_path)] = true;
        for (std::size_t s = 0; s < inside.size(); ++s)
            if (m_fabric.scopes[s].parent != none && inside[m_fabric.scopes[s].parent]) inside[s] = true;
        return inside;
    }

    const Fabric& m_fabric;
    const Design& m_design;
    const PathFinder m_finder;
    const std::string m_path;
    const std::optional<Point> m_at;
    const std::map<std::string, BlockPointer> m_inForce;
    bool m_byHand = false;
    Design m_next;
    BlockCopies m_copies;
    Block m_free;
    Renamed m_renamed;
    int m_devices = 0, m_instances = 0;
};

} // namespace

Result<Edit> dissolve(const Fabric& fabric, const std::string& path, std::optional<Point> at) { return Dissolving(fabric, path, at).run(); }

} // namespace railyard
