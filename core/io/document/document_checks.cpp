#include "core/io/document/document_checks.h"

#include "core/design/edits/edit.h"
#include "core/design/model/limits.h"
#include "core/design/model/own_blocks.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace railyard {
namespace {

// Which names of a block lead to devices. A rule is answered in the time of its name, however the blocks refer to one another.
class StagePaths {
public:
    explicit StagePaths(const Design& design) : m_design(design) {}

    bool leadToDevices(const Block& block, std::string_view path, int depth = 0) {
        if (depth > 32) return false;
        const std::string key = block.name + '\n' + std::string(path);
        if (const auto known = m_known.find(key); known != m_known.end()) return known->second;
        const Names& names = namesOf(block);
        const std::size_t slash = path.find('/');
        bool leads = slash == std::string_view::npos && names.devices.contains(path);
        if (slash != std::string_view::npos)
            if (const auto inner = names.inner.find(path.substr(0, slash)); inner != names.inner.end())
                leads = std::any_of(inner->second.begin(), inner->second.end(),
                                    [&](const Block* next) { return leadToDevices(*next, path.substr(slash + 1), depth + 1); });
        return m_known[key] = leads;
    }

private:
    struct Names {
        std::unordered_set<std::string_view> devices;
        std::unordered_map<std::string_view, std::set<const Block*>> inner;
    };
    const Names& namesOf(const Block& block) {
        const auto [at, isNew] = m_names.try_emplace(&block);
        if (!isNew) return at->second;
        for (const DeviceRow& row : block.devices) at->second.devices.insert(row.slug);
        for (const Instance& instance : block.instances)
            if (const auto inner = m_design.blocks.find(instance.block); inner != m_design.blocks.end())
                at->second.inner[instance.slug].insert(inner->second.get());
        return at->second;
    }

    const Design& m_design;
    std::map<const Block*, Names> m_names;
    std::unordered_map<std::string, bool> m_known;
};

class ReferenceCheck {
public:
    ReferenceCheck(const JsonSource& source, const Design& design) : m_source(source), m_root(JsonView::root(source)), m_design(design) {}

    // Blocks must exist, must not contain themselves, and must not multiply beyond what fits in memory.
    void run() const {
        std::map<std::string, int> heights;
        bool isTooHigh = false;
        for (const auto& [name, block] : m_design.blocks)
            if (heightOf(name, heights, 0) > mostHeight && !std::exchange(isTooHigh, true))
                m_root.at("blocks").fail(name, "is nested more than 32 blocks deep, which is the maximum");
        if (m_design.recipe && !m_design.blocks.contains("root")) // drawings by hand keep blocks to be drawn again
            m_root.fail("blocks", "has no block \"root\", so the design is empty; add the block, or open an earlier copy of the file");
        StagePaths paths(m_design);
        for (const auto& [name, block] : m_design.blocks)
            for (std::size_t r = 0; r < block->wiring.size(); ++r)
                for (const auto& [key, path] : {std::pair("lower", block->wiring[r].lower), std::pair("upper", block->wiring[r].upper)})
                    if (!paths.leadToDevices(*block, path))
                        m_root.at("blocks").at(name).at("wiring").fail(std::to_string(r),
                                                                       "rule \"" + block->wiring[r].id + "\": " + key + " \"" + path +
                                                                           "\" does not refer to a device of this block");
        for (const auto& [name, block] : m_design.blocks) {
            if (name.starts_with(placedBlockPrefix)) m_root.at("blocks").fail(name, "has a reserved name; rename the block");
            for (const Instance& instance : block->instances)
                if (instance.block == "root")
                    m_root.at("blocks").fail(name, "contains \"root\", which is the entire design; use another block");
        }
        checkOwnBlocks();
        for (const Instance& instance : m_design.free->instances)
            if (!m_design.blocks.contains(instance.block))
                m_root.fail("free", "uses the block \"" + instance.block + "\", which is not defined in this file");
        if (!m_source.errors.empty()) return;
        if (const std::string problem = beyondLimits(m_design); !problem.empty()) m_root.fail("blocks", problem);
        if (const std::string name = sharedName(m_design); !name.empty())
            m_root.fail("free", "defines " + name + ", which the block \"root\" also defines; rename it, or increase its \"first\"");
    }

private:
    // On the way to every element that has its own, blocks are searched and copied.
    void checkOwnBlocks() const {
        constexpr std::size_t mostSearched = 50'000'000, mostCopied = 5'000'000, mostSegments = 32; // rows
        std::size_t own = 0, searched = 0, copied = 0;
        for (const auto& [path, change] : m_design.overrides) {
            if (change.block.empty()) continue;
            if (++own > mostOwnBlocks)
                return m_root.fail(
                    "overrides", "gives more than 10,000 elements their own block, which is the maximum; change the shared blocks instead");
            if (static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) >= mostSegments)
                return m_root.at("overrides").fail(path, "is nested more than 32 blocks deep, which is the maximum");
            for (std::size_t end = 0; end != std::string::npos; end = path.find('/', end + 1)) {
                const auto block = m_design.blocks.find(end == 0 ? "root" : blockNameAt(m_design, std::string_view(path).substr(0, end)));
                if (block == m_design.blocks.end()) continue;
                const std::size_t rows = block->second->devices.size() + block->second->instances.size();
                (end == 0 ? searched : copied) += rows; // the root is changed in place
            }
            if (searched > mostSearched || copied > mostCopied)
                return m_root.fail("overrides", "needs too much memory; give fewer elements their own block");
        }
    }
    static constexpr int mostHeight = 32;
    // How many blocks stand inside one another; beyond the maximum it is not counted to the end.
    int heightOf(const std::string& name, std::map<std::string, int>& heights, int depth) const {
        constexpr int open = -1; // open: this block is inside it
        const auto known = heights.find(name);
        if (known != heights.end() && known->second != open) return known->second;
        const JsonView blocks = m_root.has("blocks") ? m_root.at("blocks") : m_root;
        const auto found = m_design.blocks.find(name);
        if (found == m_design.blocks.end()) blocks.fail("", "does not define \"" + name + "\", which is used by an instance");
        if (known != heights.end()) blocks.fail(name, "contains itself; a block can only contain other blocks");
        if (found == m_design.blocks.end() || known != heights.end() || depth > mostHeight) return heights[name] = 0;
        heights[name] = open;
        int height = 0;
        for (const Instance& instance : found->second->instances)
            height = std::max(height, heightOf(instance.block, heights, depth + 1) + 1);
        return heights[name] = height;
    }

    const JsonSource& m_source;
    JsonView m_root;
    const Design& m_design;
};

} // namespace

void checkReferences(const JsonSource& source, const Design& design) { ReferenceCheck(source, design).run(); }

} // namespace railyard
