#include "core/bill/bill_blocks.h"

#include <fmt/format.h>
#include <map>

namespace railyard {
namespace {

struct OutermostBlocks {
    std::vector<std::uint32_t> ofDevice; // into scopes
    std::vector<ScopeId> scopes;         // [0] is none: devices that stand in no block
};

OutermostBlocks outermostBlocks(const Fabric& fabric) {
    OutermostBlocks blocks{{}, {none}};
    std::vector<std::uint32_t> ofScope(fabric.scopes.size(), 0); // a parent comes before its children
    for (ScopeId s(0); s < fabric.scopes.size(); ++s) {
        const auto parent = fabric.scopes[s].parent;
        if (parent == none) continue;
        if (fabric.scopes[parent].parent != none) {
            ofScope[s] = ofScope[parent];
            continue;
        }
        ofScope[s] = static_cast<std::uint32_t>(blocks.scopes.size());
        blocks.scopes.push_back(s);
    }
    blocks.ofDevice.reserve(fabric.devices.size());
    for (const ScopeId scope : fabric.devices.scope) blocks.ofDevice.push_back(ofScope[scope]);
    return blocks;
}

// 1,2,3,7 -> [1-3,7]
std::string indicesText(const std::vector<std::uint32_t>& indices) {
    std::string text;
    for (std::size_t from = 0, to; from < indices.size(); from = to) {
        for (to = from + 1; to < indices.size() && indices[to] == indices[to - 1] + 1;) ++to;
        text += fmt::format("{}{}", text.empty() ? "" : ",", indices[from]);
        if (to - from > 1) text += fmt::format("-{}", indices[to - 1]);
    }
    return "[" + text + "]";
}

// What two blocks must have in common to be alike.
std::string contentOf(const std::string& slug, const std::vector<BillLine>& lines) {
    std::string content = slug;
    for (const BillLine& line : lines)
        content += fmt::format("\n{}|{}|{}|{}", line.section, line.part ? line.part->id : "", line.description, line.quantity);
    return content;
}

} // namespace

std::vector<BillBlock> billByBlock(const Fabric& fabric, const Cabling& cabling) {
    const OutermostBlocks blocks = outermostBlocks(fabric);
    auto lines = billLines(fabric, cabling, blocks.ofDevice, blocks.scopes.size());
    std::vector<BillBlock> result;
    std::vector<std::vector<std::uint32_t>> indices; // parallel to result
    std::map<std::string, std::size_t> byContent;
    for (std::size_t b = 1; b <= lines.size(); ++b) { // what stands in no block comes last
        const std::size_t at = b % lines.size();
        if (lines[at].empty()) continue;
        const std::string slug = at == 0 ? "top level" : fabric.slugs[fabric.scopes[blocks.scopes[at]].slug];
        const auto [it, fresh] = byContent.try_emplace(contentOf(slug, lines[at]), result.size());
        if (fresh) {
            result.push_back({slug, 0, std::move(lines[at])});
            indices.emplace_back();
        }
        ++result[it->second].count;
        if (at != 0) indices[it->second].push_back(fabric.scopes[blocks.scopes[at]].index);
    }
    for (const AuxiliaryFabric& side : auxiliaryFabricsOf(cabling)) {
        result.push_back({side.name, 1, billLines(side)});
        indices.emplace_back();
    }
    for (std::size_t r = 0; r < result.size(); ++r)
        if (!indices[r].empty()) result[r].name += indicesText(indices[r]);
    return result;
}

} // namespace railyard
