#include "core/design/model/limits.h"

#include "core/design/model/size.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_set>
#include <vector>

namespace railyard {
namespace {

class Names {
public:
    explicit Names(const Design& design) {
        for (const auto& [name, block] : design.blocks) add(*block);
        add(*design.free);
        for (const auto& [path, change] : design.overrides) m_parts.insert(change.part);
    }
    std::string beyond() const {
        const auto tooMany = [](std::size_t count, std::size_t most, std::string_view what) {
            return count <= most
                       ? std::string()
                       : fmt::format("has {} different {}; the maximum is {}. Use the same one in more places", count, what, most);
        };
        for (const std::string& problem :
             {tooMany(m_slugs.size(), mostNames, "names of devices and blocks"), tooMany(m_parts.size(), mostNames, "parts"),
              tooMany(m_layouts.size(), mostNames, "port layouts"), tooMany(m_speeds.size(), mostSpeeds, "speeds")})
            if (!problem.empty()) return problem;
        return {};
    }

private:
    void add(const Block& block) {
        for (const DeviceRow& row : block.devices) {
            m_slugs.insert(row.slug);
            m_parts.insert(row.part);
            std::string layout;
            for (const PortGroup& group : row.ports) {
                m_speeds.insert(group.speed.value());
                layout += fmt::format("{} {} {};", group.count, group.speed.value(), group.lanes);
            }
            m_layouts.insert(std::move(layout));
        }
        for (const Instance& instance : block.instances) {
            m_slugs.insert(instance.slug);
            m_parts.insert(instance.part);
        }
        for (const WiringRule& rule : block.wiring) {
            m_speeds.insert(rule.speed.value());
            if (rule.pattern == WiringPattern::HbCube) m_speeds.insert(2 * rule.speed.value()); // pairs with two links
            addEnd(rule.lower);
            addEnd(rule.upper);
        }
    }
    void addEnd(std::string_view path) {
        for (;;) {
            const std::size_t end = path.find('/');
            m_slugs.emplace(path.substr(0, end));
            if (end == std::string_view::npos) return;
            path.remove_prefix(end + 1);
        }
    }

    std::unordered_set<std::string> m_slugs, m_parts, m_layouts;
    std::set<double> m_speeds;
};

struct Range {
    std::int64_t first, end;
};
using Ranges = std::map<std::string_view, std::vector<Range>>; // by slug

template <class Row>
void addRanges(const std::vector<Row>& rows, Ranges& ranges) {
    for (const Row& row : rows)
        if (row.count > 0) ranges[row.slug].push_back({row.first, std::int64_t{row.first} + row.count});
}

// The first name of `some` that is also in `others`, whose own ranges do not overlap.
std::string firstShared(const Ranges& some, Ranges others) {
    for (const auto& [slug, ranges] : some) {
        const auto found = others.find(slug);
        if (found == others.end()) continue;
        std::vector<Range>& theirs = found->second;
        std::sort(theirs.begin(), theirs.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
        for (const Range& range : ranges) {
            const auto next = std::upper_bound(theirs.begin(), theirs.end(), range.first,
                                               [](std::int64_t first, const Range& r) { return first < r.first; });
            if (next != theirs.end() && next->first < range.end) return fmt::format("{}[{}]", slug, next->first);
            if (next != theirs.begin() && std::prev(next)->end > range.first) return fmt::format("{}[{}]", slug, range.first);
        }
    }
    return {};
}

} // namespace

std::string beyondLimits(const Design& design) {
    if (elementCount(design) > mostElements)
        return "expands to more than 5,000,000 devices and blocks, which is the maximum; reduce a count";
    return Names(design).beyond();
}

std::string sharedName(const Block& block) {
    Ranges devices, instances;
    addRanges(block.devices, devices);
    addRanges(block.instances, instances);
    return firstShared(devices, std::move(instances));
}

std::string sharedName(const Design& design) {
    const auto root = design.blocks.find("root");
    if (root == design.blocks.end()) return {};
    Ranges built, drawn;
    addRanges(root->second->devices, built), addRanges(root->second->instances, built);
    addRanges(design.free->devices, drawn), addRanges(design.free->instances, drawn);
    return firstShared(drawn, std::move(built));
}

} // namespace railyard
